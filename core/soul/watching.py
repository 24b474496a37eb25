"""Waits for changes of a project's files (watchfiles: the system's own notices, polling where there are none)."""

from __future__ import annotations

import threading
from collections.abc import Iterator

QUIET_MS = 150
"""A burst of changes counts as one when nothing follows for so long."""
_PASSED_OVER = (
    ".git/objects", ".git/logs", "node_modules", "__pycache__", ".venv", "target", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis",
)  # fmt: skip


def changes(root: str, stop: threading.Event | None = None) -> Iterator[frozenset[str]]:
    """Yield once at the start (an empty set), then the paths of every burst of changes, until `stop` is set.

    Moves of refs count: a commit makes claims fresh or stale without touching a file of the work tree.
    """
    from watchfiles import watch

    yield frozenset()

    def wanted(_: object, path: str) -> bool:
        inside = path[len(root) :].replace("\\", "/").strip("/")
        parts = inside.split("/")
        if inside.endswith((".lock", ".tmp", "~", ".swp")):
            return False
        return not any(inside.startswith(p + "/") or p in parts for p in _PASSED_OVER)

    for burst in watch(
        root, watch_filter=wanted, step=QUIET_MS, debounce=QUIET_MS * 4, stop_event=stop, raise_interrupt=True
    ):
        yield frozenset(path for _, path in burst)
