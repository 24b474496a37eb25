"""The frame of a form that may be longer than the screen."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll


class FormFrame(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Scrolls by the page alone: up and down belong to the form, which steps through the usual answers of a field with them.

    A plain `VerticalScroll` takes them as soon as the form is longer than the screen, and only then.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page_up", "Page back through the form.", show=False),
        Binding("pagedown", "page_down", "Page on through the form.", show=False),
    ]
