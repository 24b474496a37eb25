"""What every test of the app takes for granted: no colour or motion from outside, a home of its own, UTC."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

_UNSET = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "NO_MOTION", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "DISPLAY", "WAYLAND_DISPLAY")  # fmt: skip


@pytest.fixture(autouse=True)
def frozen_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Colours and snapshots depend on these variables; dates on TZ; crash notes and exports on HOME and the folder."""
    for name in (*_UNSET, *(name for name in os.environ if name.startswith("TEXTUAL") and "SNAPSHOT" not in name)):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(tmp_path)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
