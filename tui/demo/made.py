"""What every form of the demo's records shares: names, times, lines."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tui.demo.talks import Talk

_SPACE = uuid.UUID("6f1c9f0e-5d1b-4f7e-9a3c-2d5b8e7a1c40")
STEP = 47
"""Seconds from one turn to the next."""


def made_id(*parts: object) -> str:
    """An id that depends on its parts alone."""
    return str(uuid.uuid5(_SPACE, "/".join(map(str, parts))))


def at(talk: Talk, step: int) -> datetime:
    """When a turn was said."""
    return datetime.fromisoformat(talk.start).replace(tzinfo=UTC) + timedelta(seconds=STEP * step)


def stamp(talk: Talk, step: int) -> str:
    """The same as records write it."""
    return at(talk, step).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def json_line(record: dict[str, Any]) -> str:
    """One line of a record, without its end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def save(path: Path, lines: list[str]) -> Path:
    """Write a record."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
