"""The terminal app: puts the port, the background and the screens together, and ends cleanly whatever happens."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.widgets import Input

from core.errors import RecollectError
from core.frozen import dataclass
from tui.background import Background, NoBackground
from tui.handover import Handover, become
from tui.key_rows import OWN_KEYS
from tui.keymap import named_keys
from tui.messages import IndexProgressed, IndexReport, SettingWritten
from tui.places import PLACES, place_named
from tui.screens.opening import Opening
from tui.screens.place import Go, KeepRecall, Marked, OpenRecord, PlaceScreen
from tui.screens.port import RecollectPort
from tui.screens.recollect import RecollectScreen
from tui.textual_private import QuietApp
from tui.themes import FALLBACK, default_theme, own_themes
from tui.widgets.toast import toast

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.driver import Driver
    from textual.screen import Screen

    from core.candidates import Candidate
    from core.memory.sink import Written
    from core.recall.model import RecalledContext
    from core.settings_file import SettingsFile
    from tui.screens.curate_port import CuratePort
    from tui.screens.delegate_port import DelegatePort
    from tui.screens.memory_port import MemoryMark, MemoryPort
    from tui.screens.soul_port import SoulPort

LAST_SECONDS = 5.0
"""Seconds after a signal that all of an end may take."""
MEMORY_FIRST = 0.5
"""Seconds after the start until memory is looked at: the first frame does not wait for it."""
MEMORY_AGAIN = 10.0
"""Seconds between looks at the spool, which other programs fill and empty too. A look lists one folder."""
HAND_OVER = 0.001
"""Seconds until one thread gives way to another. What is drawn is written by a thread of its own, and Python's five
milliseconds would pass before each frame is seen."""
EXIT_CRASH = 70
"""`EX_SOFTWARE` of sysexits.h."""


@dataclass(frozen=True, slots=True)
class AppOptions:
    """How the app is run."""

    project: str = ""
    """The working directory that `this project` means."""
    cue: str = ""
    """A cue to begin with."""
    theme: str = ""
    """A theme's name; `""` takes the one that suits the terminal."""
    mouse: bool = True
    motion: bool = True
    """False turns animations and the blinking cursor off."""
    exec_on_resume: bool = False
    """End the app and become the session's runtime, instead of waiting for it."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Other keys for actions, by the ids of `tui/keys.py`."""
    now: float | None = None
    """The time that dates are told relative to, seconds since the epoch; `None` is the clock's."""
    place: str = "recollect"
    """The place to begin in, by its id."""
    soul_folder: str = "."
    """The folder whose project the place Soul checks."""
    soul_document: str = ""
    """The document it checks; `""` is the one by custom."""
    soul: SoulPort | None = None
    """Checks souls in place of the project at `soul_folder`."""
    curate: CuratePort | None = None
    """Curates in place of the project at `soul_folder`."""
    memory: MemoryPort | None = None
    """The memory whose state stands in the corner of every place; without one, nothing stands there."""
    delegate: DelegatePort | None = None
    """Delegates in place of the project at `soul_folder`."""
    made_up: bool = False
    """The sessions are made up: none of them can be resumed."""
    newest: Callable[[], Sequence[Candidate]] = tuple
    """The newest sessions, as far as they are known when the first frame is drawn (`tui/head_start.py`)."""
    tour: bool = False
    """Begin with the guided tour of the demo."""
    settings: SettingsFile | None = None
    """The settings that are shown and changed; `None` takes the person's own file."""
    crash_folder: str = ""
    """Where a crash leaves its note; `""` leaves none."""


def _commands() -> type[Provider]:
    """What the palette offers; loaded with the palette."""
    from tui.commands import RecollectCommands

    return RecollectCommands


class RecollectApp(QuietApp[Handover]):
    """The app. It owns no knowledge of records: the port does."""

    TITLE = "Recollect"
    CSS_PATH = "screens/recollect.tcss"
    """Read with the app's own rules: a screen's file would have every rule parsed a second time before the first frame."""
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_commands}
    COMMAND_PALETTE_BINDING = "f5"

    def __init__(
        self,
        port: RecollectPort,
        background: Background | None = None,
        options: AppOptions | None = None,
        *,
        now: float | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        super().__init__(driver_class=driver_class)
        self.options = replace(options or AppOptions(), now=now)
        self._background = background or NoBackground()
        self._mended = self._stands = False
        self._ending = 0
        self.on_crash = self._crash_words
        for theme in own_themes():
            self.register_theme(theme)
        self.begin_with_theme(self._theme())
        if not self.options.motion:
            self.animation_level = "none"
        if self.options.keymap:
            OWN_KEYS.set(named_keys(self.options.keymap))
            self.set_keymap(named_keys(self.options.keymap))
        self._place = RecollectScreen(port, self._opening(now))
        self._places: dict[str, PlaceScreen] = {PLACES[0].id: self._place}
        self._mark: MemoryMark | None = None

    def _theme(self) -> str:
        wanted = self.options.theme
        return wanted if wanted in self.available_themes else default_theme(os.environ)

    def _opening(self, now: float | None) -> Opening:
        return Opening(
            now=time.time() if now is None else now,
            folder=os.getcwd(),
            project=self.options.project,
            cue=self.options.cue,
            exec_on_resume=self.options.exec_on_resume,
            made_up=self.options.made_up,
            newest=self.options.newest,
        )

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables under a theme that does not know them."""
        return dict(FALLBACK)

    @property
    def place(self) -> RecollectScreen:
        """The place Recollect."""
        return self._place

    def get_default_screen(self) -> Screen[None]:
        """The place itself: another screen below it would be made and styled before the first frame for nothing."""
        return self._place

    def on_mount(self) -> None:
        """The place is shown already; the index is brought up to date beside it."""
        if not self.options.motion:
            self._place.call_after_refresh(self._still_cursor)
        if self.options.place != PLACES[0].id:
            self._place.call_after_refresh(self.action_go, self.options.place)
        self._place.call_after_refresh(self.hear)
        self._place.call_after_refresh(self._stand)
        self._place.call_after_refresh(self._background.start, self._report)
        if self.options.memory is not None:
            self.set_timer(MEMORY_FIRST, self._look_at_memory)
            self.set_interval(MEMORY_AGAIN, self._look_at_memory)
        self._end_on_signals()

    # The places

    def action_go(self, place: str) -> None:
        """Show a place; its screen is made once and kept, so that coming back finds it as it was left."""
        row = place_named(place)
        if not isinstance(self.screen, PlaceScreen) or row.id == self.screen.PLACE:
            return  # a question lies over the place, or it is shown already
        if self.screen is not self._place:
            self.pop_screen()
        if row.make is None:
            return
        known = self._places.get(row.id)
        if known is None:
            known = self._places[row.id] = row.make(self.options)
            known.mark = self._mark
            self.install_screen(known, f"place-{row.id}")
        self.push_screen(known)

    def on_go(self, message: Go) -> None:
        """Go to the place that a screen asks for, or ask which."""
        if message.place:
            self.action_go(message.place)
            if message.line or message.document:
                self._places[message.place].arrive(message.document, message.line)
        else:
            from tui.screens.choosing import place_choice

            self.push_screen(place_choice(), self._went)

    def _went(self, place: str | None) -> None:
        if place:
            self.action_go(place)

    # The settings

    def on_show_settings(self) -> None:
        """Show the settings over the place."""
        from tui.screens.settings import SettingsScreen
        from tui.settings_own import own_file

        if isinstance(self.screen, PlaceScreen):
            self.push_screen(SettingsScreen(self.options.settings or own_file(os.environ)))

    def on_setting_written(self, message: SettingWritten) -> None:
        """Follow what the settings say of colours and motion at once."""
        values = {standing.row.name: standing.value for standing in message.standings}
        theme = f"recollect-{values.get('app.theme')}"
        self.theme = theme if theme in self.available_themes else default_theme(os.environ)
        motion = bool(values.get("app.motion", True))
        self.animation_level = "full" if motion else "none"
        for place in self._places.values():
            for line in place.query(Input):
                line.cursor_blink = motion

    # Memory

    def on_memory_touched(self) -> None:
        """Show in every place how memory stands now."""
        self._look_at_memory()

    def _look_at_memory(self) -> None:
        port = self.options.memory
        if port is not None:
            self.run_worker(
                lambda: self.post_message(Marked(port.mark())), thread=True, group="mark", exit_on_error=False
            )

    def on_marked(self, message: Marked) -> None:
        """Have every place draw how memory stands."""
        if message.mark == self._mark:
            return
        self._mark = message.mark
        for place in self._places.values():
            place.mark = message.mark
            if place.is_running:  # its header may be drawn before all of it counts as mounted
                for header in place.query("#header"):  # a place that is not drawn yet, or not any more, has none
                    header.refresh()

    def on_keep_recall(self, message: KeepRecall) -> None:
        """Keep an identified recall, and say what became of it."""
        port = self.options.memory
        if port is None:
            from tui.memory_project import OwnMemory

            port = OwnMemory()
        recalled, keeping = message.recalled, port

        def keep() -> None:
            try:
                done = keeping.keep_recall(recalled)
            except RecollectError as problem:
                self.call_from_thread(self._not_kept, problem)
            else:
                self.call_from_thread(self._kept, recalled, done)

        self.run_worker(keep, thread=True, group="keep", exit_on_error=False)

    def _kept(self, recalled: RecalledContext, done: Written) -> None:
        from tui.screens.memory_words import written_words

        words, hint = written_words(done, "Kept in memory.")
        toast(self.screen, words, hint, "warning" if hint else "information")
        if done.error == "write_rejected" and self._place.kept == recalled:
            self._place.kept = None
        self._look_at_memory()

    def _not_kept(self, problem: RecollectError) -> None:
        self._place.kept = None
        toast(self.screen, f"It was not kept: {problem.what}", problem.hint, "warning")

    def on_open_record(self, message: OpenRecord) -> None:
        """Read a line of a record in the viewer."""
        self.action_go(PLACES[0].id)
        self._place.reader.open_line(message.path, message.line)

    def _end_on_signals(self) -> None:
        """End as if the person quit, so that the terminal is given back. Textual leaves these to the system."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            try:
                loop.add_signal_handler(number, self._end, 128 + number)
            except (RuntimeError, ValueError):
                return  # not the main thread (tests): whoever owns it owns its signals too

    def _end(self, code: int) -> None:
        """End with a code: once the place stands, for a screen that is taken away while it is made breaks. What is written to
        a terminal that is gone may wait for ever, and is not waited for."""
        if not self._ending:
            last = threading.Timer(LAST_SECONDS, os._exit, (code,))
            last.daemon = True
            last.start()
        again, self._ending = bool(self._ending), code
        if self._stands or again:
            self.exit(return_code=code)

    def _stand(self) -> None:
        self._stands = True
        if self._ending:
            self.exit(return_code=self._ending)

    def _still_cursor(self) -> None:
        self._place.cue.cursor_blink = False

    def _report(self, report: IndexReport) -> None:
        self._place.post_message(IndexProgressed(report))

    def on_index_broken(self) -> None:
        """Have the index built anew, once: what does not mend it does not mend it the second time."""
        if not self._mended:
            self._mended = True
            self._background.again(self._report)

    def on_unmount(self) -> None:
        """End what runs beside the app."""
        self._background.stop()

    def _crash_words(self, error: Exception) -> str:
        """What is printed after a crash: no word of a session, and where to look."""
        kind = type(error).__name__
        words = f"Recollect stopped after an error of its own ({kind}). Your sessions were not touched."
        note = write_crash_note(self.options.crash_folder, error)
        return f"{words}\nhint: {note or 'run it again; if it recurs, report the steps that led here'}"


def write_crash_note(folder: str, error: Exception) -> str:
    """Write where the error happened: files, lines and functions, no values, no message. Returns where to look."""
    if not folder:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{type(error).__name__}\n", *(f"{f.filename}:{f.lineno} in {f.name}\n" for f in frames)]
    path = Path(folder) / "crash.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text("".join(lines), encoding="utf-8")
        path.chmod(0o600)
    except OSError:
        return "the note about it could not be written"
    return f"where it happened is noted, without session text, in {path}"


def wants_no_motion(env: Mapping[str, str]) -> bool:
    """True if the environment asks for reduced motion."""
    return bool(env.get("NO_MOTION")) or env.get("TEXTUAL_ANIMATIONS", "").lower() == "none"


def run_app(port: RecollectPort, background: Background | None = None, options: AppOptions | None = None) -> int:
    """Run the app until the person quits. Returns the exit code; may become another program (see `Handover`)."""
    options = options or AppOptions()
    sys.setswitchinterval(HAND_OVER)
    if options.tour:
        from tui.demo.tour import TourApp

        app: RecollectApp = TourApp(port, background, options)
    else:
        app = RecollectApp(port, background, options)
    result = app.run(mouse=options.mouse)
    if isinstance(result, Handover):
        try:
            become(result.handle)
        except OSError as error:
            sys.stderr.write(f"{result.handle.argv[0]} did not start: {error.strerror}\n")
            return 127
    return app.return_code or 0
