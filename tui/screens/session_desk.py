"""What a person does with a record besides reading it: resume, copy, export, raw JSON."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from textual.app import SuspendNotSupported
from textual.screen import Screen

from core.frozen import dataclass
from core.recall.model import Handle
from core.records.model import Locator, Turn
from core.text import one_line, shown
from tui.handover import Handover, hand_over, refusal
from tui.messages import Place, TextReady
from tui.screens.copying import copy
from tui.screens.help import TextScreen
from tui.screens.port import RecollectPort
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.toast import toast
from tui.widgets.wording import home_path


@dataclass(frozen=True, slots=True)
class Target:
    """The record that actions on a session act on."""

    locator: Locator
    name: str = ""
    handle: Handle | None = None
    """`None` until it was read."""


class SessionDesk:
    """Acts on the record in view of a screen."""

    def __init__(
        self, screen: Screen[None], port: RecollectPort, *, exec_on_resume: bool, folder: str, made_up: bool = False
    ) -> None:
        self._screen = screen
        self._port = port
        self._exec = exec_on_resume
        self._folder = folder
        self._made_up = made_up
        self._asked = False

    def resume(self, target: Target) -> None:
        """Hand the terminal over, after saying the first time what will run."""
        handle = target.handle
        if handle is None:
            return
        if self._made_up:
            why = "The demo's sessions are made up, so there is nothing to go on with."
            toast(self._screen, why, f"in your own archive this runs: {shown(handle.command)}")
            return
        why, hint = refusal(handle, target.locator)
        if why:
            toast(self._screen, why, hint, "warning")
            return
        if self._asked:
            self._run(handle)
            return
        then = "Recollect ends and the command takes its place." if self._exec else "Recollect waits and returns after."
        words = (
            Paragraph((Piece("This runs in your terminal:"),)),
            Paragraph(),
            Paragraph((Piece(shown(handle.command), "code"),), indent=2),
            Paragraph((Piece(f"in {home_path(handle.cwd)}", "dim"),), indent=2) if handle.cwd else Paragraph(),
            *((Paragraph((Piece(one_line(handle.note), "dim"),)),) if handle.note else ()),
            Paragraph(),
            Paragraph((Piece(f"{then} This question comes once.", "dim"),)),
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self._asked = True
                self._run(handle)

        self._screen.app.push_screen(TextScreen("resume the session?", words, asking="run it"), answered)

    def _run(self, handle: Handle) -> None:
        if self._exec:
            self._screen.app.exit(Handover(handle))
            return
        try:
            done = hand_over(self._screen.app, handle)
        except SuspendNotSupported:
            toast(self._screen, "This terminal cannot be handed over.", f"run: {handle.command}", "warning")
            return
        if done.problem:
            toast(self._screen, done.problem, f"the command is: {handle.command}", "warning")
        elif done.code:
            toast(self._screen, f"{handle.argv[0]} ended with code {done.code}.")

    def copy(self, text: str, what: str) -> None:
        """Copy a text, and say what was copied."""
        copy(self._screen, text, what)

    def export(self, target: Target, form: str) -> None:
        """Write the record to a new file in the current folder."""
        self._screen.run_worker(partial(self._export, target, form), thread=True, exit_on_error=False, group="export")

    def _export(self, target: Target, form: str) -> None:
        text = shown(self._port.export(target.locator, form))
        if not text:
            words = "The record could not be read, so nothing was written."
            hint = "its file may be gone; choose it in the list to see why"
            self._screen.app.call_from_thread(toast, self._screen, words, hint, "warning")
            return
        try:
            path = write_new(Path(self._folder), file_name(target), form, text)
        except OSError as error:
            words = f"{home_path(self._folder)} cannot be written: {error.strerror}"
            self._screen.app.call_from_thread(
                toast, self._screen, words, "start recollect in a folder of your own", "warning"
            )
            return
        self._screen.app.call_from_thread(toast, self._screen, f"Written to {home_path(str(path))}")

    def raw(self, place: Place, turn: Turn) -> None:
        """Read the line of a turn as it stands in the file."""
        path = place.locator.path
        self._screen.run_worker(
            partial(self._raw, path, turn), thread=True, exclusive=True, exit_on_error=False, group="raw"
        )

    def _raw(self, path: str, turn: Turn) -> None:
        self._screen.post_message(TextReady(f"{path}:{turn.line}", self._port.raw_line(path, turn.line, turn.start)))


def file_name(target: Target) -> str:
    """A file name without an ending: letters, digits and dashes only, from the record's name and id."""
    words = "".join(char if char.isascii() and char.isalnum() else "-" for char in target.name.lower())
    slug = "-".join(part for part in words.split("-") if part)
    slug = slug if len(slug) <= 40 else slug[:41].rpartition("-")[0] or slug[:40]
    ident = "".join(char for char in target.locator.session_id if char.isascii() and char.isalnum())[:8]
    return "-".join(part for part in ("recollect", slug, ident) if part)


def write_new(folder: Path, name: str, form: str, text: str) -> Path:
    """Write a file that was not there before, readable by its owner only. Raises OSError."""
    for number in range(1, 1000):
        path = folder / (f"{name}.{form}" if number == 1 else f"{name}-{number}.{form}")
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        return path
    raise FileExistsError(17, "a thousand exports of this name are there already", str(folder))
