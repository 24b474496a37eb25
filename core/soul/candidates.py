"""Which documents of a project may be its handoff document, the likely ones first."""

from __future__ import annotations

from collections.abc import Iterable

KNOWN = (
    "pathos.md", "handoff.md", "handover.md", "agents.md", "claude.md", "gemini.md", "status.md", "state.md", "progress.md",
    "context.md", "memory.md", "notes.md", "plan.md", "roadmap.md", "todo.md", "architecture.md", "contributing.md", "readme.md",
)  # fmt: skip
"""Names that projects give to such documents, in the order in which they are offered."""
MOST = 5_000
"""Documents that are offered at most."""


def documents(paths: Iterable[str]) -> tuple[str, ...]:
    """The Markdown documents among the paths of a project: known names first, then those nearer to the root."""
    rank = {name: place for place, name in enumerate(KNOWN)}

    def order(path: str) -> tuple[int, int, str]:
        return rank.get(path.rpartition("/")[2].lower(), len(rank)), path.count("/"), path

    wanted = {path for path in paths if path.lower().endswith((".md", ".markdown"))}
    return tuple(sorted(wanted, key=order)[:MOST])
