"""What a refresh says that it did."""

from __future__ import annotations

from dataclasses import replace

from core.ports import Refreshed


def both(first: Refreshed, second: Refreshed) -> Refreshed:
    """Two passes of one refresh as one; what the second found as it was, the first has read."""
    return Refreshed(
        first.added + second.added, first.grown + second.grown, first.replaced + second.replaced,
        first.gone + second.gone, first.unchanged, first.unreadable + second.unreadable, second.pending,
        first.bytes_read + second.bytes_read, first.seconds + second.seconds, second.stopped,
        "; ".join(dict.fromkeys(m for m in (first.message, second.message) if m)),
    )  # fmt: skip


def with_message(done: Refreshed, message: str) -> Refreshed:
    """The same, with something to say before what there was to say."""
    return replace(done, message="; ".join(m for m in (message, done.message) if m))
