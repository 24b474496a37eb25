"""A form over the place Memory: a claim to add or to change, or why one is forgotten. Leaving it keeps what was typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static, TextArea

from core.errors import UsageError
from core.frozen import dataclass
from core.memory.claim import KINDS, Tier, new_claim
from core.text import one_line, shown
from tui.screens.over import OverScreen
from tui.widgets.bar import Bar
from tui.widgets.field import Field
from tui.widgets.form_frame import FormFrame
from tui.widgets.line_input import pasted
from tui.widgets.pieces import Piece
from tui.widgets.toast import toast

CLAIM = ("kind", "tier", "tags", "confidence", "evidence", "source_agent")
"""The fields of a claim below its text."""
WHY = ("why", "by")
"""The fields of a form that asks for a reason."""
_NAMES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "kind": ("kind", "up and down go through them", KINDS),
    "tier": ("tier", "how long it stays fresh", tuple(tier.value for tier in Tier)),
    "tags": ("tags", "words to find it by, with commas between", ()),
    "confidence": ("confidence", "0.9 or 90%; leave it empty where you do not say", ()),
    "evidence": ("evidence", "record:PATH:LINE, file:PATH:LINE, commit:SHA", ()),
    "source_agent": ("by", "who says so; empty is unknown", ()),
    "why": ("why", "why it is so", ()),
    "by": ("by", "who decides; empty is unknown", ()),
}
"""Each field's name, what its empty line says, and the usual answers."""
_LOCATOR = re.compile(r",\s+(?=(?:record|commit|file):)")


@dataclass(frozen=True, slots=True)
class Filled:
    """What stood in a form when it was left."""

    values: Mapping[str, str]
    keep: bool
    """The person wants it written."""


class TextLines(TextArea):
    """Several lines to write in; whatever is pasted cannot steer the terminal."""

    def on_mount(self) -> None:
        """Where motion is not wanted, the cursor stands still."""
        if self.app.animation_level == "none":
            self.cursor_blink = False

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.replace(pasted(event.text), *self.selection)


class ClaimForm(OverScreen[Filled]):
    """Asks for the fields of a claim, or for a reason. `check` says by field what is wrong while one types."""

    CSS_PATH = "memory_form.tcss"
    NAME = "the form"
    ABOUT = (
        "A claim, or the reason why one is forgotten, field by field: enter and tab lead to the next one. What is wrong stands below "
        "its field while you write. Nothing is kept before you say so."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Go back; what was typed stands here the next time.", show=False),
        Binding("f2,ctrl+s", "keep", "Keep it, or go to the field that is wrong.", show=False, priority=True),
        Binding("up", "step(-1)", "Put the answer before into the field, of the usual ones below it.", show=False),
        Binding("down", "step(1)", "Put the next of the usual answers into the field.", show=False),
        *(
            Binding(f"alt+{n}", f"answer({n - 1})", "Put this one of the usual answers into the field.", show=False)
            for n in range(1, 10)
        ),
    ]

    def __init__(
        self, title: str, names: Sequence[str], values: Mapping[str, str], check: Callable[[Mapping[str, str]], Mapping[str, str]],
        *, about: str = "", writing: bool = False,
    ) -> None:  # fmt: skip
        """`about` is shown on top; `writing` asks for a text of several lines too."""
        super().__init__()
        self._frame_title = title
        self._names = tuple(names)
        self._begin = dict(values)
        self._check = check
        self._about = about
        self._writing = writing

    def compose(self) -> ComposeResult:
        """What it is about, the text, the fields, the keys."""
        with FormFrame(id="form-frame") as frame:
            frame.border_title = Content(self._frame_title)
            if self._about:
                yield Static(Content(self._about), id="form-about", markup=False)
            if self._writing:
                yield TextLines(shown(self._begin.get("text", "")), id="form-text", tab_behavior="focus")
                yield Static("", id="form-text-said", markup=False)
            for name in self._names:
                title, placeholder, answers = _NAMES[name]
                yield Field(f"form-{name}", title, placeholder=placeholder, answers=answers)
            yield Bar(self._hints, id="form-hints")

    def on_mount(self) -> None:
        """Fill the fields."""
        for name in self._names:
            self._field(name).value = self._begin.get(name, "")
        if self._writing:
            text = self.query_one(TextLines)
            text.move_cursor(text.document.end)
        (self.query_one(TextLines) if self._writing else self._field(self._names[0]).line).focus()
        self._judge()

    def _field(self, name: str) -> Field:
        return self.query_one(f"#form-{name}", Field)

    @property
    def values(self) -> dict[str, str]:
        """What stands in the form."""
        text = {"text": self.query_one(TextLines).text} if self._writing else {}
        return {**text, **{name: self._field(name).value for name in self._names}}

    @on(Field.Written)
    @on(TextArea.Changed)
    def _judge(self) -> None:
        """Say what is wrong beside each field."""
        found = self._check(self.values)
        for name in self._names:
            if self._field(name).said != one_line(found.get(name, ""), 400):
                self._field(name).say(found.get(name, ""))
        if self._writing:
            words = one_line(found.get("text", ""))
            self.query_one("#form-text-said", Static).update(Content(f"✗ {words}" if words else ""))

    def _hints(self, _width: int) -> list[Piece]:
        keys = (("F2", "keep"), ("tab", "next field"), ("esc", "back, words stay"), ("F1", "help"))
        return [piece for key, words in keys for piece in (Piece(key, "key"), Piece(f" {words}   "))]

    def action_step(self, by: int) -> None:
        """The next of the usual answers."""
        field = next((self._field(name) for name in self._names if self._field(name).line.has_focus), None)
        if field is not None:
            field.step(by)

    def action_answer(self, number: int) -> None:
        """One of the usual answers."""
        field = next((self._field(name) for name in self._names if self._field(name).line.has_focus), None)
        if field is not None:
            field.answer(number)

    def action_keep(self) -> None:
        """Have it written, if nothing is wrong."""
        self._judge()
        found = self._check(self.values)
        if not any(found.values()):
            self.dismiss(Filled(self.values, keep=True))
        elif self._writing and found.get("text"):
            self.query_one(TextLines).focus()
            toast(self, f"Not kept yet: {one_line(found['text'])}", severity="warning")
        else:
            self.lead_to_wrong([self._field(name) for name in self._names], "Not kept yet")

    def action_leave(self) -> None:
        """Go back; what was typed stands there the next time."""
        self.dismiss(Filled(self.values, keep=False))


def claim_fields(values: Mapping[str, str], before: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The fields of `new_claim` that a form says; with `before`, only those that were changed."""
    said = {name: value for name, value in values.items() if before is None or value != before.get(name, "")}
    fields: dict[str, Any] = {name: said[name].strip() for name in ("kind", "tier", "source_agent") if name in said}
    if "text" in said:
        fields["text"] = said["text"].strip("\n")
    if "confidence" in said:
        fields["confidence"] = said["confidence"].strip() or None
    if "tags" in said:
        fields["tags"] = tuple(filter(None, (tag.strip() for tag in said["tags"].split(","))))
    if "evidence" in said:
        fields["evidence"] = tuple(filter(None, (one.strip() for one in _LOCATOR.split(said["evidence"]))))
    return fields


def judged_claim(values: Mapping[str, str]) -> Mapping[str, str]:
    """By field, what the memory itself would refuse. Nothing is kept by asking."""
    found: dict[str, str] = {}
    fields = claim_fields(values)
    for name in ("text", *CLAIM):
        probe = {"text": "a text", **({name: fields[name]} if name in fields else {})}
        try:
            new_claim(**probe)
        except UsageError as problem:
            found[name] = f"{problem.what} {problem.hint}"
    return found


def judged_reason(values: Mapping[str, str]) -> Mapping[str, str]:
    """A reason is needed, and a name has to be one."""
    found = {} if values["why"].strip() else {"why": "Say why: whoever looks for it later is told."}
    try:
        new_claim("a text", source_agent=values["by"].strip())
    except UsageError as problem:
        found["by"] = problem.hint
    return found
