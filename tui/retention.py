"""What a runtime is about to delete by itself."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.text import one_line, shown

if TYPE_CHECKING:
    from core.records.model import Root, Source

CLAUDE_KEEPS_DAYS = 30
"""Claude Code deletes transcripts this many days after their last change, unless its settings say otherwise."""
SOON_DAYS = 5


def retention(roots: Iterable[Root], sources: Iterable[Source], now: float) -> list[dict[str, Any]]:
    """Runtimes that delete old sessions by themselves, with what is about to go (formats.md 1a). `now` is seconds since the epoch."""
    rows: list[dict[str, Any]] = []
    known = tuple(sources)
    for root in roots:
        if root.runtime != "claude":
            continue
        days = _kept_days(Path(root.path) / "settings.json")
        edge = now - (days - SOON_DAYS) * 86400
        soon = [s for s in known if s.root == root.path and s.mtime_ns / 1e9 < edge and s.role.value == "main"]
        if soon:
            rows.append(
                {
                    "runtime": "claude",
                    "root": shown(root.path),
                    "days": days,
                    "count": len(soon),
                    "what": f"Claude Code deletes sessions {days} days after their last change; {len(soon):,} in "
                    f"{one_line(root.path)} go at its next start or within {SOON_DAYS} days. "
                    "Raise cleanupPeriodDays in its settings.json to keep them.",
                }
            )
    return rows


def _kept_days(settings: Path) -> int:
    try:
        value = json.loads(settings.read_text(encoding="utf-8")).get("cleanupPeriodDays", CLAUDE_KEEPS_DAYS)
    except (OSError, ValueError, AttributeError):
        return CLAUDE_KEEPS_DAYS
    return value if isinstance(value, int) and value >= 0 else CLAUDE_KEEPS_DAYS
