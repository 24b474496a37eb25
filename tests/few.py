"""Nine records of the demo archive, for tests that count them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.demo.archive import write_archive

if TYPE_CHECKING:
    from pathlib import Path

FEW = (
    "retry-budget", "webhook-backoff", "flaky-retries", "frost-dates", "bed-rotation", "tide-tables", "storm-siren", "japanese-names",
)  # fmt: skip
"""Eight sessions; the first has a subagent."""


def write_few(home: Path) -> tuple[Path, ...]:
    """Write them below `home`; return their paths."""
    return write_archive(home, only=FEW)
