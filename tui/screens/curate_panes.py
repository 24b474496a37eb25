"""The panes of the place Curate, each with its keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import BindingType

from tui.keys import Pane, pane_bindings
from tui.screens.curate_words import ANSWERS
from tui.widgets.field import Field, FieldLine
from tui.widgets.line_view import LineView
from tui.widgets.row_list import RowList


class WorkList(RowList):
    """The claims to decide on."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.WORK)


class FormLine(FieldLine):
    """A line of the form."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.FORM)


class WhatView(LineView, can_focus=False):
    """The claim that the form is about."""


class ChangeView(LineView):
    """What the rules say, and the difference."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.CHANGE)


def form_fields() -> Iterator[Field]:
    """The fields of the form, in the order of `curate_words.FIELDS`."""
    yield Field("why", "why", FormLine, placeholder="why it goes")
    yield Field(
        "where",
        "where it went",
        FormLine,
        placeholder="memory, git history …",
        answers=ANSWERS,
        keys=[f"curate-answer-{n}" for n in range(1, 5)],
    )
    yield Field("stays", "stays because", FormLine, placeholder="instead, for a claim that stays as it is")
    yield Field("by", "curated by", FormLine, placeholder="host:tier:name, as in laptop:person:ana")
    yield Field("grader", "graded by", FormLine, placeholder="another seat than the one above")
