"""Opening the app, the plain dialogue, or the demo."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.frozen import dataclass
from tui.compose import Options, bring_up_to_date, check, here, open_library, scope_of, settings
from tui.output import write_err, write_out

if TYPE_CHECKING:
    import argparse

    from core.library import Library
    from tui.screens.port import RecollectPort

PATIENCE = 1.0
"""Seconds that an unasked-for dialogue waits for a line from a pipe."""


@dataclass(frozen=True, slots=True)
class AppLine:
    """The command line of the app, as it is without a word."""

    options: Options = Options()
    cue: str = ""
    exec_on_resume: bool = False


def app_line(parsed: argparse.Namespace) -> AppLine:
    """The command line of the app, read by its parser."""
    options = Options(plain=parsed.plain, roots=tuple(parsed.root), project=parsed.project, mouse=not parsed.no_mouse)
    return AppLine(options, " ".join(parsed.cue), parsed.exec)


def open_app(line: AppLine) -> int:
    """The app on a terminal; the plain dialogue everywhere else."""
    if wants_plain(line.options, os.environ):
        return open_plain(line.options, line.cue)
    return _open_textual(line.options, line.cue, exec_on_resume=line.exec_on_resume)


def wants_plain(options: Options, env: Mapping[str, str]) -> bool:
    """True where the app cannot or should not draw: asked for, no terminal, or a dumb one."""
    terminal = all(s is not None and s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr))
    return options.plain or not terminal or env.get("TERM", "") in ("", "dumb")


def open_plain(options: Options, cue: str) -> int:
    """The dialogue as lines. Without a terminal and without a cue it says what it would do, and ends."""
    from core.recall.model import Holding, Identified
    from core.recall.wording import searched_words
    from tui.plain import converse, read_line

    library = open_library(options)
    bring_up_to_date(library)
    scope = scope_of(options)
    interactive = sys.stdin is not None and sys.stdin.isatty()
    lines = PipedLines(patient=options.plain)
    if not library.roots():
        _nothing_here(library)
        return 1
    if not cue:
        write_out(searched_words(library.roots()).replace("Searched ", "Reading ", 1))
        write_out("Say what you half remember, and the session that fits is told from its own record.")
        said: str | None = ""
        while said is not None and not said.strip():  # an empty line says nothing yet, and ends nothing
            said = read_line("> ") if interactive else lines.next()
        if said is None:
            if not interactive:
                write_out('hint: recollect "that thing about retries" answers without a terminal too.')
            return 1
        cue = said

    def ask(prompt: str) -> str | None:
        if interactive:
            return read_line(prompt)
        return lines.next()

    advance = converse(library, cue, scope, ask=ask)
    if isinstance(advance.outcome, Identified):
        return 0
    return 0 if isinstance(advance.outcome, Holding) and advance.round is not None and advance.round.story else 1


class PipedLines:
    """Lines from a stdin that is no terminal.

    A pipe that nobody writes to must not hold the program: unless the dialogue was asked for (`--plain`), a line that
    does not come within `PATIENCE` seconds counts as the end.
    """

    def __init__(self, *, patient: bool) -> None:
        self._patient = patient
        self._rest = b""
        self._ended = False

    def next(self) -> str | None:
        """The next line without its end, `None` after the last one or where stdin is closed."""
        try:
            descriptor = sys.stdin.fileno()
        except (OSError, ValueError, AttributeError):
            return self._from_stream()
        while b"\n" not in self._rest and not self._ended:
            ready, _, _ = select.select([descriptor], [], [], None if self._patient else PATIENCE)
            chunk = os.read(descriptor, 1 << 16) if ready else b""
            self._rest += chunk
            self._ended = not chunk
        line, found, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace").rstrip("\r") if line or found else None

    def _from_stream(self) -> str | None:
        """From a stdin that is no file, as tests and embedding programs set it."""
        line = sys.stdin.readline() if sys.stdin is not None and not sys.stdin.closed else ""
        return line.rstrip("\n") if line else None


def _nothing_here(library: Library) -> None:
    from core.recall.handles import runtime_name
    from core.text import one_line

    write_out("No sessions were found. Looked in:")
    for root in library.archive.roots:
        write_out(f"  {runtime_name(root.runtime)}: {one_line(root.path)}")
    write_out("hint: --root DIR reads another place; “recollect demo” shows everything on a made-up archive.")


@dataclass(frozen=True, slots=True)
class SoulStart:
    """The app begins in the place Soul."""

    folder: str
    document: str


def _open_textual(
    options: Options,
    cue: str,
    *,
    exec_on_resume: bool,
    made_up: bool = False,
    tour: bool = False,
    soul: SoulStart | None = None,
) -> int:
    chosen = settings()
    check(options)
    from core.paths import own_places
    from tui.keymap import check_keymap

    places = own_places(os.environ)
    check_keymap(chosen.keys, f"{places.settings}: ")
    from tui.head_start import PATIENCE as HEAD_START
    from tui.head_start import head_start
    from tui.textual_loading import light_textual

    with head_start(lambda: open_library(options).newest()) as begun:
        with light_textual():
            from tui.app import AppOptions, run_app, wants_no_motion
            from tui.background import Beside, IdleProcess, IndexProcess
            from tui.memory_project import OwnMemory
            from tui.screens.port import LaterPort

        child = [word for root in options.roots for word in ("--root", root)]
        return run_app(
            LaterPort(lambda: _library(options), partial(begun.rows, HEAD_START)),
            Beside(IndexProcess(child), IdleProcess(child)),
            AppOptions(
                project=here(),
                cue=cue,
                theme="" if chosen.theme == "auto" else f"recollect-{chosen.theme}",
                mouse=options.mouse and chosen.mouse,
                motion=chosen.motion and not wants_no_motion(os.environ),
                exec_on_resume=exec_on_resume or chosen.resume == "exec",
                memory=OwnMemory(),
                crash_folder=str(places.state),
                keymap=chosen.keys,
                place="soul" if soul else "recollect",
                soul_folder=soul.folder if soul else options.project or here(),
                soul_document=soul.document if soul else "",
                made_up=made_up,
                tour=tour,
                newest=lambda: begun.rows() or (),
            ),
        )


def open_soul(folder: str, document: str) -> int:
    """The app on the place Soul, for the project in `folder`. Raises `UsageError` where no app can be drawn."""
    from core.errors import UsageError

    options = Options()
    if wants_plain(options, os.environ):
        raise UsageError(
            "recollect soul without a verb opens the app, and there is no terminal to draw it on.",
            "recollect soul check prints what the check says; recollect soul --help lists the verbs.",
        )
    if not os.path.isdir(folder):
        raise UsageError(f"--project {folder}: there is no such folder.", "Name the project's folder.")
    return _open_textual(options, "", exec_on_resume=False, soul=SoulStart(folder, document))


def _library(options: Options) -> RecollectPort:
    """The library, opened on the first question's thread."""
    return open_library(options)


def open_demo(parsed: argparse.Namespace) -> int:
    """The program on a made-up home; nothing of it remains afterwards. Raises `SurroundingsError` without git."""
    from tui.demo.home import PREFIX, demo_home, fill, surroundings

    cue = " ".join(parsed.cue)
    if parsed.print_home:
        import tempfile

        home = Path(os.path.realpath(tempfile.mkdtemp(prefix=PREFIX)))
        with surroundings(home):
            fill(home)
        write_out(str(home))
        return 0
    with demo_home():
        options = Options(plain=parsed.plain)
        write_err("This is a made-up archive; it is removed when you leave.")
        if wants_plain(options, os.environ):
            return open_plain(options, cue or "that thing about retries we argued over in spring")
        if parsed.walkthrough:
            return _open_textual(options, "", exec_on_resume=False, made_up=True, tour=True)
        return _open_textual(options, cue, exec_on_resume=False, made_up=True)
