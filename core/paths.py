"""Where the program keeps its own files. Every folder it makes is for its owner alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from core.errors import SurroundingsError
from core.frozen import dataclass

COPY = "claims.jsonl"
"""The file of a memory's folder in which what its owner holds is written down (`core.memory.local_copy`)."""


@dataclass(frozen=True, slots=True)
class Places:
    """The program's own folders and files."""

    index: Path
    """The search index: it can be deleted and is built again."""
    state: Path
    """What a person made: settings, history of cues."""
    settings: Path
    """The settings file."""
    history: Path
    """What was read of the git history of projects: it can be deleted and is read again."""
    memory: Path
    """Claims that were kept, and those on their way: nothing else holds them."""


def own_places(env: Mapping[str, str]) -> Places:
    """The folders in force: below `RECOLLECT_HOME` where set, else the platform's data, cache and config folders."""
    chosen = env.get("RECOLLECT_HOME", "").strip()
    if chosen:
        base = Path(os.path.expanduser(chosen)).absolute()
        return Places(base / "index", base / "state", base / "settings.toml", base / "history", base / "memory")
    cache, data, config = _platform_folders()
    return Places(
        Path(cache) / "index",
        Path(data),
        Path(config) / "settings.toml",
        Path(data) / "history",
        Path(data) / "memory",
    )


_LINUX = (("XDG_CACHE_HOME", ".cache"), ("XDG_DATA_HOME", ".local/share"), ("XDG_CONFIG_HOME", ".config"))
"""The variable that names each kind of folder, and where it is below the home folder without it."""
_ANDROID = ("ANDROID_DATA", "ANDROID_ROOT")


def _platform_folders() -> tuple[str, str, str]:
    """The cache, data and config folders of this program by the rules of the platform."""
    env, home = os.environ, os.environ.get("HOME", "")
    if sys.platform == "linux" and home.startswith("/") and not any(env.get(name) for name in _ANDROID):
        base = home.rstrip("/")
        named = ((env.get(variable, ""), below) for variable, below in _LINUX)
        cache, data, config = (path if path.startswith("/") else f"{base}/{below}" for path, below in named)
        return os.path.join(cache, "recollect"), os.path.join(data, "recollect"), os.path.join(config, "recollect")
    from platformdirs import PlatformDirs  # 10 ms, which Linux does without

    dirs = PlatformDirs("recollect", appauthor=False)
    return dirs.user_cache_dir, dirs.user_data_dir, dirs.user_config_dir


def private_folder(path: Path) -> Path:
    """Make `path` with its parents, 0700, and return it. Raises `SurroundingsError` where that is not possible."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.stat().st_mode & 0o077:
            path.chmod(0o700)
    except OSError as problem:
        raise SurroundingsError(
            f"The folder {path} cannot be made or kept private: {problem.strerror or problem}.",
            "Set RECOLLECT_HOME to a folder you may write to.",
        ) from problem
    return path
