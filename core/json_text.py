"""JSON that leaves the program: one object on one line, harmless on a terminal."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from typing import Any

from core.text import UNSAFE


def json_text(document: Any) -> str:
    """A value on one line. Characters that could steer a terminal stand as JSON escapes: the value is the same."""
    text = _plainly(document) if "orjson" not in sys.modules else None
    if text is None:
        import orjson

        try:
            text = orjson.dumps(document).decode()
        except TypeError:  # lone surrogates, numbers beyond 64 bits
            text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text if text.isprintable() else UNSAFE.sub(_escape, text)


def _plainly(document: Any) -> str | None:
    """The value by the standard library, where nothing was read and the faster library, 7 ms to load, is not there yet;
    `None` for what it writes otherwise."""
    try:
        return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError):
        return None


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def time_text(at: datetime) -> str:
    """A time (aware) in UTC, to the second: `2026-03-04T05:06:07Z`."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def iso_time(at: float | None) -> str | None:
    """A time as ISO 8601 in UTC with seconds, `None` where unknown."""
    if at is None:
        return None
    try:
        when = datetime.fromtimestamp(at, UTC)
        if at >= 0:  # no year of three digits, which `strftime` leaves so: this is six times as fast
            return f"{when.isoformat()[:19]}Z"
        return when.strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, OSError, ValueError):
        return None
