"""The parts of Textual's inside that this program depends on, all in one place. Checked against 8.2.8."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypeVar

from textual.app import App
from textual.events import Event, Key, Paste
from textual.widget import Widget

if TYPE_CHECKING:
    from textual import events
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
