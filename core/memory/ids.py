"""Ids of claims: UUIDs of version 7 (RFC 9562), made by the caller, in order of time, never twice.

The first 48 bits are milliseconds, the next 12 count within one; together they only grow within a process. An id that
answers another (a tombstone, a restoring marker, a claim that supersedes) is made later than it, whatever the clocks of
two machines say, so that the order of ids is the order in which people knew of one another's acts.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from functools import lru_cache

SHAPE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
"""What an id looks like."""
_STEPS = 1 << 12
_AHEAD = 86_400_000 * _STEPS
"""An id further in the future than a day does not drag along the ids that answer nothing."""
_END = (1 << 48) * _STEPS - 1
"""The last tick that an id has room for."""


def new_id(*after: str) -> str:
    """A new id, later than every id this process made and than those of `after`."""
    return _clock().new(after)


def time_of(identity: str) -> float | None:
    """When an id was made (seconds since the epoch, UTC); `None` where it is not of our kind."""
    tick = _tick(identity)
    return None if tick is None else tick // _STEPS / 1000


def _tick(identity: str) -> int | None:
    if not SHAPE.fullmatch(identity) or identity[14] != "7":
        return None
    return int(identity[:8] + identity[9:13], 16) * _STEPS + int(identity[15:18], 16)


class _Clock:
    """Ticks that only grow. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self, after: tuple[str, ...]) -> str:
        now = time.time_ns() // 1_000_000 * _STEPS
        answered = [tick for identity in after if (tick := _tick(identity)) is not None and tick < now + _AHEAD]
        far = [tick for identity in after if (tick := _tick(identity)) is not None and now + _AHEAD <= tick < _END]
        with self._lock:
            self._last = max(now, self._last + 1, *(tick + 1 for tick in answered))
            # An answer is later than what it answers, though a clock that went wrong once made that one in the future.
            tick = max((self._last, *(tick + 1 for tick in far)))
        head, rest = divmod(tick, _STEPS)
        tail = (0b10 << 62) | secrets.randbits(62)
        digits = f"{head:012x}7{rest:03x}{tail:016x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


@lru_cache(maxsize=1)
def _clock() -> _Clock:
    return _Clock()
