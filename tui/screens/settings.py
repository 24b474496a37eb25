"""The settings over the place: each with its value and source, changed with enter, written at once, taken back with u."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from core.errors import RecollectError
from core.settings import Standing
from core.settings_file import Change, SettingsFile
from core.settings_table import Kind, as_text
from core.text import one_line, shown
from tui.messages import SettingWritten
from tui.screens.over import OverScreen
from tui.screens.settings_words import about, change_words, more_keys_pieces, setting_pieces
from tui.widgets.bar import Bar
from tui.widgets.line_input import LineInput
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.row_list import RowList
from tui.widgets.wording import home_path


class SettingsList(RowList):
    """The list; its keys come before those that scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k,up,ctrl+p", "move(-1)", "up", show=False),
        Binding("j,down,ctrl+n", "move(1)", "down", show=False),
        Binding("pageup,ctrl+u", "page(-1)", "page up", show=False),
        Binding("pagedown,ctrl+d", "page(1)", "page down", show=False),
        Binding("g,home", "edge(-1)", "first", show=False),
        Binding("G,end", "edge(1)", "last", show=False),
    ]


class SettingsScreen(OverScreen[None]):
    """Shows and changes the settings. A choice and a flag go to their next value; anything else is typed."""

    CSS_PATH = "settings.tcss"
    NAME = "the settings"
    ABOUT = (
        "Every setting with its value and where that comes from. enter changes the chosen one: a choice goes to its next value, "
        "anything else is typed. It is written at once."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave the value as it was, or go back.", show=False),
        Binding("q,f12", "leave_list", "Go back, from the list.", show=False),
        Binding("enter", "change", "Change the chosen setting.", show=False),
        Binding("space", "change", "Change the chosen setting.", show=False),
        Binding("x,delete", "unset", "Go back to the default.", show=False),
        Binding("u", "undo", "Take the last change back.", show=False),
    ]

    def __init__(self, file: SettingsFile) -> None:
        super().__init__()
        self._file = file
        self._rows: tuple[Standing | None, ...] = ()
        self._broken = False

    @property
    def editing(self) -> bool:
        """True while a value is typed."""
        return self.has_class("-editing")

    @property
    def chosen(self) -> Standing | None:
        """The chosen setting; `None` on the row that adds keys."""
        at = self.query_one(RowList).chosen
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def compose(self) -> ComposeResult:
        """The list, what the chosen one does, the line to type in, what came of it, the keys."""
        with Vertical(id="settings-frame") as frame:
            frame.border_title = Content(f"settings · {home_path(str(self._file.path))}")
            yield SettingsList(id="settings")
            yield LineView(id="settings-about")
            yield LineInput(id="settings-value")
            yield Static("", id="settings-said", markup=False)
            yield Bar(self._hints, id="settings-hints")

    def on_mount(self) -> None:
        """Show every setting."""
        self.query_one("#settings-about").can_focus = False
        self._show()
        self.query_one(RowList).focus()

    def on_resize(self) -> None:
        """Leave the lines below the list their room."""
        self._measure()

    def _show(self) -> None:
        view = self.query_one(RowList)
        try:
            self._rows = _with_more_keys(self._file.standings())
        except RecollectError as problem:
            self._rows, self._broken = (), True
            view.say(
                (Paragraph((Piece(shown(problem.what)),)), Paragraph((Piece(f"hint: {shown(problem.hint)}", "dim"),)))
            )
            view.styles.height = 5
            self.query_one("#settings-about").display = False
            return
        view.show(len(self._rows), self._draw, chosen=view.chosen)
        self._measure()
        self._tell()

    def _measure(self) -> None:
        if self._rows:
            room = self.size.height * 96 // 100 - 9
            self.query_one(RowList).styles.height = max(1, min(len(self._rows), room))

    def _draw(self, number: int, width: int, _chosen: bool) -> Sequence[Piece]:
        standing = self._rows[number]
        return setting_pieces(standing, width) if standing is not None else more_keys_pieces(width)

    def _tell(self) -> None:
        self.query_one("#settings-about", LineView).show_paragraphs(about(self.chosen))

    def _hints(self, _width: int) -> list[Piece]:
        if self._broken:
            keys: tuple[tuple[str, str], ...] = (("esc", "back"),)
        elif self.editing:
            keys = (("enter", "write it"), ("esc", "leave it as it is"))
        else:
            keys = (("enter", "change"), ("x", "default"), ("u", "undo"), ("esc", "back"))
        return [piece for key, words in keys for piece in (Piece(key, "key"), Piece(f" {words}   "))]

    def _say(self, words: str, *, wrong: bool = False) -> None:
        self.set_class(wrong, "-wrong")
        sign = "✗ " if wrong else ""
        self.query_one("#settings-said", Static).update(Content(f"{sign}{one_line(words, 400)}" if words else ""))

    def _refuse(self, problem: RecollectError) -> None:
        what = problem.what.removeprefix(f"{self._file.path}: ")  # it stands above the list
        self._say(f"{shown(what)} {shown(problem.hint)}", wrong=True)

    @on(RowList.Chosen)
    def _moved(self) -> None:
        self._say("")
        self._tell()

    @on(RowList.Opened)
    def _opened(self) -> None:
        self.action_change()

    def action_change(self) -> None:
        """Take the next value of a choice or a flag; begin to type any other."""
        if self._broken or self.editing:
            return
        standing = self.chosen
        if standing is not None and standing.row.kind in (Kind.CHOICE, Kind.FLAG):
            answers = standing.row.allowed or ("true", "false")
            now = answers.index(as_text(standing.value))
            self._write(standing.row.name, answers[(now + 1) % len(answers)])
            return
        line = self.query_one("#settings-value", LineInput)
        held = standing.value if standing is not None and standing.source != "environment" else ""
        line.value = as_text(held)
        line.cursor_position = len(line.value)
        self.add_class("-editing")
        self._say("")
        line.focus()
        self.query_one("#settings-hints").refresh()

    def _asked(self) -> tuple[str, str]:
        """The setting that is typed and its text."""
        text = self.query_one("#settings-value", LineInput).value
        if self.chosen is not None:
            return self.chosen.row.name, text
        id_, _, keys = text.partition("=")
        return f"keys.{id_.strip().removeprefix('keys.')}", keys

    @on(Input.Changed, "#settings-value")
    def _judge(self) -> None:
        """Say while one types what the setting does not take."""
        name, text = self._asked()
        if not self.editing or not (text.strip() or self.chosen is None):
            self._say("")
            return
        try:
            self._file.checked(name, [text])
        except RecollectError as problem:
            self._refuse(problem)
        else:
            self._say("")

    @on(Input.Submitted, "#settings-value")
    def _submitted(self) -> None:
        name, text = self._asked()
        if self.chosen is not None and not text.strip():
            self._stop_typing()
            self.action_unset()
        elif self._write(name, text):
            self._stop_typing()

    def _stop_typing(self) -> None:
        self.remove_class("-editing")
        self.query_one(RowList).focus()
        self.query_one("#settings-hints").refresh()

    def _write(self, name: str, text: str) -> bool:
        """Write a value; says what the setting does not take. True if it was written."""
        try:
            change = self._file.set(name, [text])
        except RecollectError as problem:
            self._refuse(problem)
            return False
        self._written(change)
        return True

    def action_unset(self) -> None:
        """Take the chosen setting out of the file."""
        if self.chosen is None or self.editing:
            return
        try:
            self._written(self._file.unset(self.chosen.row.name))
        except RecollectError as problem:
            self._refuse(problem)

    def action_undo(self) -> None:
        """Take the last change back."""
        try:
            change = self._file.undo()
        except RecollectError as problem:
            self._refuse(problem)
            return
        if change is None:
            self._say("Nothing was changed here that could be taken back.")
        else:
            self._written(change, undone=True)

    def _written(self, change: Change, *, undone: bool = False) -> None:
        self._show()
        standing = next((s for s in self._rows if s is not None and s.row.name == change.name), None)
        self._say(change_words(change, standing, undone=undone))
        self.app.post_message(SettingWritten([s for s in self._rows if s is not None]))

    def action_leave_list(self) -> None:
        """Go back, from the list."""
        if not self.editing:
            self.dismiss(None)

    def action_leave(self) -> None:
        """Leave the line as it was, or go back."""
        if self.editing:
            self._stop_typing()
            self._say("")
        else:
            self.dismiss(None)


def _with_more_keys(standings: Sequence[Standing]) -> tuple[Standing | None, ...]:
    """The settings, and as `None` the row that gives an action other keys; the folders of the many runtimes come last."""
    roots = [s for s in standings if s.row.section == "roots"]
    return (*(s for s in standings if s.row.section != "roots"), None, *roots)
