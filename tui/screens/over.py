"""What every question over a place is: it lies over the place until it is answered, and F1 tells its keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, ScreenResultType

from tui.key_rows import written
from tui.screens.help import TextScreen
from tui.widgets.field import Field
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.toast import toast

_MANY = 3
"""Keys of one action from which on only the first and the last are told."""


class OverScreen(ModalScreen[ScreenResultType]):
    """A question over a place. Its help is made of its own bindings: their descriptions are sentences."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1,question_mark", "help", "Show these keys.", show=False)]
    ABOUT: ClassVar[str] = ""
    """What is asked here, in a sentence or two."""
    NAME: ClassVar[str] = "the question"
    """What it is called above its help."""

    def on_mount(self) -> None:
        """What was said of the place below would lie over the question."""
        self.app.clear_notifications()

    def action_help(self) -> None:
        """Tell what is asked here, and the keys."""
        rows: dict[str, list[str]] = {}
        for binding in self._told():
            rows.setdefault(binding.description, []).extend(binding.key.split(","))
        parts = [Paragraph((Piece(self.ABOUT),)), Paragraph()] if self.ABOUT else []
        for words, keys in rows.items():
            names = [written(key) for key in keys]
            told = " ".join(names) if len(names) <= _MANY else f"{names[0]} … {names[-1]}"
            pad = " " * max(1, 22 - len(told))
            parts.append(Paragraph((Piece(told, "key"), Piece(pad), Piece(words)), indent=2, hang=22))
        self.app.push_screen(TextScreen(f"help · {self.NAME}", tuple(parts)))

    def _told(self) -> Sequence[Binding]:
        """Its bindings, its own before those that every question has."""
        own = [b for b in type(self).BINDINGS if isinstance(b, Binding)]
        return (*own, *(b for b in OverScreen.BINDINGS if isinstance(b, Binding) and b not in own))

    def lead_to_wrong(self, fields: Sequence[Field], what: str) -> bool:
        """Put the cursor into the first field with something wrong, and say it. False if nothing is."""
        wrong = [field for field in fields if field.said]
        if not wrong:
            return False
        first = wrong[0]
        first.line.focus()
        first.scroll_visible(animate=False)
        self.call_after_refresh(self._leave_room, first)
        more = f" ({len(wrong) - 1} more below)" if len(wrong) > 1 else ""
        toast(self, f"{what}{more}: {first.title}: {first.said}", severity="warning")
        return True

    def _leave_room(self, field: Field) -> None:
        """Keep what is said from lying over the field: it stands above a field of the lower half."""
        self.set_class(field.region.y * 2 > self.size.height, "-low")
