"""What `recollect doctor` looks at around the archive: Python, engine, settings, own folders, git, clock and terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from core.errors import RecollectError
from core.frozen import dataclass
from core.paths import own_places
from core.text import one_line

ENGINES = ("whoosh3", "whoosh", "whoosh-reloaded", "whoosh-ng")
"""Distributions that install a package called `whoosh`; two at once break each other (engines.md 6)."""
LEAST_FREE = 200e6
"""Bytes that an index of a large archive may need while it is made anew."""
OLDEST_CLOCK = datetime(2015, 1, 1, tzinfo=UTC).timestamp()
"""No runtime that is read is older; a clock before it was never set."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    state: str
    """`ok`, `note` (worth knowing) or `bad` (something will not work)."""
    what: str
    hint: str = ""


def surroundings(env: Mapping[str, str], now: float) -> list[Finding]:
    """Every check that needs no archive. `now` is the clock's time in seconds since the epoch."""
    encoding = sys.stdout.encoding if sys.stdout is not None else ""
    return [
        python(env), engine(), settings_file(env), *own_folders(env), git(env), clock(now), terminal(env, encoding or ""),
    ]  # fmt: skip


def python(env: Mapping[str, str]) -> Finding:
    """The interpreter, and whether it keeps what it compiles."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.flags.dont_write_bytecode or env.get("PYTHONDONTWRITEBYTECODE"):
        return Finding(
            "python",
            "note",
            f"Python {version} is told not to keep compiled files, so every start costs about four times as much.",
            "Unset PYTHONDONTWRITEBYTECODE, or compile once: python -m compileall in the environment's folder.",
        )
    return Finding("python", "ok", f"Python {version}")


def installed(name: str) -> str:
    """The version of an installed distribution, `""` for one that is not."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def engine(version_of: Callable[[str], str] = installed) -> Finding:
    """The search engine, alone."""
    present = [f"{name} {version}" for name in ENGINES if (version := version_of(name))]
    if len(present) != 1 or not present[0].startswith("whoosh3 "):
        return Finding(
            "engine",
            "bad",
            f"The search engine must be whoosh3 alone; installed: {', '.join(present) or 'none'}.",
            "Install recollect into an environment of its own.",
        )
    return Finding("engine", "ok", present[0])


def settings_file(env: Mapping[str, str]) -> Finding:
    """The settings file, its keys included."""
    from tui.settings_own import own_file

    file = own_file(env)
    try:
        found = file.standings()
    except RecollectError as problem:
        return Finding("settings", "bad", problem.what, problem.hint or "Mend it or move it away.")
    changed = sum(standing.source != "default" for standing in found)
    where = one_line(str(file.path))
    return Finding(
        "settings", "ok", f"{changed:,} set in {where}" if file.path.exists() else f"the defaults; {where} is not there"
    )


def own_folders(env: Mapping[str, str]) -> list[Finding]:
    """The folders that the program writes into: each can be written, and has room."""
    places = own_places(env)
    folders = dict.fromkeys((places.index, places.state, places.memory, places.history))
    found = [problem for folder in folders if (problem := own_folder(folder)) is not None]
    return found or [Finding("own folder", "ok", one_line(str(places.index)))]


def own_folder(
    folder: Path,
    may_write: Callable[[Path], bool] = lambda place: os.access(place, os.W_OK | os.X_OK),
    free_in: Callable[[Path], float] = lambda place: shutil.disk_usage(place).free,
) -> Finding | None:
    """What is wrong with a folder of our own, or with the nearest one above it that there is; `None` for nothing."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    where, hint = one_line(str(folder)), "Set RECOLLECT_HOME to a folder you may write to."
    if not place.is_dir():
        return Finding("own folder", "bad", f"{where} cannot be made: {one_line(str(place))} is no folder.", hint)
    if not may_write(place):
        return Finding("own folder", "bad", f"{where} cannot be written.", hint)
    free = free_in(place)
    if free < LEAST_FREE:
        what = f"Only {free / 1e6:,.0f} MB are free where {where} lies."
        return Finding("own folder", "bad", what, "Make room, or set RECOLLECT_HOME to another disk.")
    return None


def git(env: Mapping[str, str]) -> Finding:
    """The program that reads the history of projects."""
    if shutil.which("git", path=env.get("PATH")) is None:
        what = "git is not on PATH: no commit of a project is found, and commits that a handoff document cites cannot be checked."
        return Finding("git", "note", what, "Install git, or add its folder to PATH.")
    return Finding("git", "ok", "git is on PATH")


def clock(now: float) -> Finding:
    """A clock that was set."""
    if now < OLDEST_CLOCK:
        day = datetime.fromtimestamp(max(now, 0), UTC).date().isoformat()
        what = f"The clock says {day}, which cannot be: “yesterday” in a cue means another day, and claims would be dated wrongly."
        return Finding("clock", "bad", what, "Set the clock of this machine.")
    return Finding("clock", "ok", datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC"))


def terminal(env: Mapping[str, str], encoding: str) -> Finding:
    """A terminal that the app can draw on, and that takes more letters than ASCII."""
    term = env.get("TERM", "")
    if term in ("", "dumb"):
        what = f"TERM is “{term}”: the dialogue is held in plain lines."
        return Finding("terminal", "note", what, "Set TERM for the app, as in TERM=xterm-256color.")
    if encoding.lower().replace("-", "").replace("_", "") != "utf8":
        what = f"The terminal's encoding is {one_line(encoding) or 'unknown'}: letters that it lacks are shown as “?”."
        return Finding("terminal", "note", what, "Use a UTF-8 locale: export LANG=C.UTF-8")
    name, locale = next(((n, v) for n in ("LC_ALL", "LC_CTYPE", "LANG") if (v := env.get(n, ""))), ("LANG", ""))
    if "utf8" not in locale.lower().replace("-", ""):
        what = f"{name} is “{one_line(locale)}”, which promises ASCII alone: frames and other scripts may look broken."
        return Finding("terminal", "note", what, "Use a UTF-8 locale: export LANG=C.UTF-8")
    return Finding("terminal", "ok", f"TERM={one_line(term)}, {name}={one_line(locale)}")
