"""The parts of Textual's inside that this program depends on, all in one place. Checked against 8.2.8."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App
from textual.css.errors import StylesheetError
from textual.css.tokenizer import TokenError
from textual.events import Event, Key, Paste
from textual.widget import Widget

if TYPE_CHECKING:
    from textual import events
    from textual.css.model import RuleSet
    from textual.css.stylesheet import Stylesheet
    from textual.driver import Driver
    from textual.geometry import Size
    from textual.screen import Screen
    from textual.scroll_view import ScrollView

Result = TypeVar("Result")


class QuietApp(App[Result]):
    """An app whose crash shows no session text, and whose keys survive what a terminal may send.

    Textual prints a traceback with the values of local variables, and those hold what the records say.
    """

    _early: list[Key | Paste] | None
    on_crash: Callable[[Exception], str] | None = None
    """Makes the message for a crash; its text is printed after the terminal is restored."""

    def __init__(self, driver_class: type[Driver] | None = None) -> None:
        super().__init__(driver_class=driver_class)
        self._early = []
        read_squeezed(self.stylesheet)

    def _fatal_error(self) -> None:
        from rich.segment import Segment, Segments

        error = self._exception
        message = self.on_crash(error) if self.on_crash and error else "Recollect stopped after an error."
        self._return_code = 70
        self._exit_renderables.append(Segments([Segment(message), Segment.line()]))
        self._close_messages_no_wait()

    def begin_with_theme(self, name: str) -> None:
        """Take a theme before anything is styled. Set as Textual means it, every rule is read a second time before the first
        frame, for a change of colours that nobody has seen yet."""
        self.set_reactive(App.theme, name)
        classes = {one: False for one in self.classes if one.startswith("-theme-")}
        dark = self.current_theme.dark
        self.update_classes(
            classes | {f"-theme-{name}": True, "-dark-mode": dark, "-light-mode": not dark}, update=False
        )
        self._refresh_truecolor_filter(self.ansi_theme)
        self.stylesheet.set_variables(self.get_css_variables())

    async def on_event(self, event: Event) -> None:
        """Keep what is typed before there is a place for it: Textual would drop it."""
        if self._early is not None and isinstance(event, Key | Paste) and not event.is_forwarded:
            self._early.append(event)
        else:
            await super().on_event(event)

    def hear(self) -> None:
        """Hand on what was typed until now, in its order, and from now on at once."""
        self.call_later(self._hear)  # on the app's own task: keys that wait for it already come before

    async def _hear(self) -> None:
        while self._early:
            event = self._early.pop(0)
            if (
                isinstance(event, Key) and event.key == "ctrl+j"
            ):  # enter, before the terminal was told to leave it as it is
                event = Key("enter", "\r")
            await super().on_event(event)
        self._early = None

    def get_driver_class(self) -> type[Driver]:
        """The driver of this terminal, reading keys as `steady_keys` has them."""
        steady_keys()
        return super().get_driver_class()


_BETWEEN = re.compile(r"\s+(?:/\*.*?\*/\s*)*|(?:/\*.*?\*/\s*)+", re.DOTALL)
_KEPT = re.compile(r"\"|# |^\s*\$", re.MULTILINE)
"""What a squeeze could change: strings, comments to the end of a line, variables that end with their line."""


def squeezed(css: str) -> str:
    """A style sheet without what stands between its words: each stretch of blanks is a token to Textual, two of five."""
    if _KEPT.search(css):
        return css
    short = _BETWEEN.sub(" ", css)
    for sign in "{};,":
        short = short.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    return short.replace(": ", ":").strip()


def read_squeezed(stylesheet: Stylesheet) -> None:
    """Let style sheets be read without their blanks: 2 ms less before the first frame. One with a mistake is read as it
    stands, so that the mistake is told with its line."""
    read = stylesheet._parse_rules

    def read_short(css: str, *given: Any, **named: Any) -> list[RuleSet]:
        try:
            rules = read(squeezed(css), *given, **named)
        except (TokenError, StylesheetError):
            return read(css, *given, **named)
        return read(css, *given, **named) if any(rule.errors for rule in rules) else rules

    stylesheet._parse_rules = read_short  # type: ignore[method-assign]


def steady_keys() -> None:
    """Read alt with a digit as that key, and pass over a key sequence that is malformed.

    Textual makes `ESC 1` the sign that alt types on a Mac, so that a binding of alt+1 never runs where the terminal has
    no kitty protocol; and a malformed kitty sequence (`ESC [97;1:3u`) ends its input thread, and with it the program.
    """
    from textual import events
    from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
    from textual._xterm_parser import XTermParser
    from textual.keys import Keys

    for digit in "123456789":
        ANSI_SEQUENCES_KEYS[f"\x1b{digit}"] = (SimpleNamespace(value=f"alt+{digit}"),)  # type: ignore[index]
    if XTermParser._parse_extended_key.__name__ == "careful":
        return
    parse = XTermParser._parse_extended_key

    def careful(self: XTermParser, sequence: str) -> list[events.Key] | None:
        try:
            return parse(self, sequence)
        except (ValueError, OverflowError):
            return [events.Key(Keys.Ignore.value, sequence)]

    XTermParser._parse_extended_key = careful  # type: ignore[assignment]


async def act_now(widget: Widget, event: events.Key) -> None:
    """Run what a key is bound to before the next key is read.

    Textual lets a bound key climb to the app from widget to widget, and letters typed meanwhile overtake it: `x`,
    backspace, `y` in one burst removes the `y`, and words typed after enter are told with those before it.
    """
    if await widget.app._check_bindings(event.key):
        event.stop()
        event.prevent_default()


def measure(view: ScrollView, size: Size) -> None:
    """Give a view the size of its text. Textual lays out and draws the whole screen anew for that; where all of it fits, and
    fitted before, no scrollbar comes or goes and nothing else moves."""
    room = view.scrollable_content_region.height
    if max(size.height, view.virtual_size.height) <= room and not view.show_vertical_scrollbar:
        view.set_reactive(Widget.virtual_size, size)
    else:
        view.virtual_size = size


def without_empty_toasts(screen: Screen[Result]) -> None:
    """Hide the place of toasts where there are none, before the first frame: Textual does so after it, and lays out anew."""
    for rack in screen.query("ToastRack"):
        rack.display = len(screen.app._notifications) > 0


def unsay(widget: Widget, words: str) -> None:
    """Take away what is still shown in these very words: said again, it would stand there twice."""
    app = widget.app
    for said in [said for said in app._notifications if said.message == words]:
        app._unnotify(said, refresh=False)
