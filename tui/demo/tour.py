"""The app with a guided tour over it: captions, next, back, play; any other key takes over."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events
from textual.widgets import Static

from tui.app import RecollectApp
from tui.demo.steps import END, STEPS, TYPED, Step
from tui.widgets.toast import toast

if TYPE_CHECKING:
    from textual.timer import Timer

TYPING = 0.035
"""Seconds between two keys of the tour."""
REST = 20
"""Turns of the hand between arriving and the first key, and after the last one."""
LATE = 40
"""Turns of the hand after which a place that is not shown is asked for again."""
_NEXT, _BACK, _PLAY = frozenset(("right", "space", "enter", "n")), frozenset(("left", "b")), frozenset(("a", "p"))
_NAMES = {" ": "space", "'": "apostrophe", ",": "comma", ".": "full_stop", ":": "colon"}


class Caption(Static):
    """What the tour says, at the foot of the place."""

    DEFAULT_CSS = """
    Caption { dock: bottom; height: auto; max-height: 6; padding: 0 1; background: $primary 25%; border-top: tall $primary; }
    """


class TourApp(RecollectApp):
    """Goes through the stations. The keys it presses are the ones a person would."""

    CSS_PATH = "../screens/recollect.tcss"
    CSS = ".-captioned ToastRack { margin-bottom: 6; }"
    """What is said for a moment stands above the caption, not over it."""

    step = -1
    """The station that is shown, -1 before the first."""
    done = -1
    """The last station whose keys were pressed."""
    playing = False
    touring = True
    hurried = False
    """Letters are typed all at once: nobody watches."""

    def __init__(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        super().__init__(*args, **kwargs)
        self._waiting: list[str] = []
        self._pressed: deque[events.Event] = deque(maxlen=64)
        self._then: int | None = None
        self._arriving = False
        self._hand: Timer | None = None
        self._late = self._rest = 0
        self._player: Timer | None = None

    def on_mount(self) -> None:
        """Begin once the first place is drawn."""
        self._hand = self.set_interval(TYPING, self.press_on)
        self.show(0)

    # -- stations

    def show(self, number: int) -> None:
        """Show a station; on arriving the first time its keys are pressed. What is still to press is pressed before."""
        if self._waiting:
            self._then = number
            return
        if number >= len(STEPS):
            self.take_over(END)
            return
        self.step = max(0, number)
        self.clear_notifications()  # said of the station before
        self.action_go(STEPS[self.step].place)
        self._arriving = True

    def _arrive(self, step: Step) -> None:
        self._arriving, self._rest = False, REST
        self._caption(step.caption)
        if self.step > self.done:
            self.done = self.step
            if step.place == "recollect":
                self._place.cue.focus()
            self._waiting = [part for key in step.keys for part in (key[1:] if key.startswith(TYPED) else [key])]
        self._wait()

    def _wait(self) -> None:
        if self._player is not None:
            self._player.stop()
            self._player = None
        if self.playing and self.touring:
            step = STEPS[self.step]
            self._player = self.set_timer(step.seconds + len(self._waiting) * TYPING, self.on_next)

    def on_next(self) -> None:
        """Go on by itself."""
        self.show(self.step + 1)

    # -- keys

    def press_on(self) -> None:
        """Press the next key once what the last one began has ended; where the person went on, letters all at once."""
        if not self.screen_stack:
            return  # the app ends
        if STEPS[self.step].place != getattr(self.screen, "PLACE", "") or not self.screen.query("#hints"):
            self._late += 1  # it is not drawn yet (a caption would end below its foot), or a question lies over it
            if self._late % LATE == 0:
                self.action_go(STEPS[self.step].place)
            return
        self._late = 0
        if self._arriving:
            self._arrive(STEPS[self.step])
        if any(not worker.is_finished for worker in self.workers):
            return
        if self._rest > 0:
            self._rest -= 1
            return  # what a place or a key begins is begun a moment later
        if not self._waiting and self._then is not None:
            then, self._then = self._then, None
            self.show(then)
            return  # only now: a key that was pressed in the same turn would reach the next place
        while self._waiting:
            key = self._waiting.pop(0)
            self._press(key)
            if not self._waiting:
                self._rest = REST
            if (self._then is None and not self.hurried) or len(key) > 1:
                break

    @property
    def busy(self) -> bool:
        """True while something of the station is still to happen."""
        running = any(not worker.is_finished for worker in self.workers)
        return self.touring and (
            running or self._arriving or self._rest > 0 or bool(self._waiting) or self._then is not None
        )

    def _press(self, key: str) -> None:
        event = events.Key(_NAMES.get(key, key), key if len(key) == 1 else None)
        self._pressed.append(event)
        self.post_message(event)

    async def on_event(self, event: events.Event) -> None:
        """Keys of the person steer the tour until one takes over."""
        if isinstance(event, events.Key) and self.touring:
            own = any(pressed is event for pressed in self._pressed)  # it comes by again when no widget takes it
            if not own and self._steer(event.key):
                return
        await super().on_event(event)

    def _steer(self, key: str) -> bool:
        """Act on a key of the tour. False for any other: it takes over, and means what it always means."""
        if key in _NEXT:
            self.show(self.step + 1)
        elif key in _BACK:
            self.show(self.step - 1)
        elif key in _PLAY:
            self.playing = not self.playing
            self._caption(STEPS[self.step].caption)
            self._wait()
        else:
            self.take_over("")
            return False
        return True

    # -- the caption

    def _caption(self, words: str) -> None:
        text = Text(words)
        play = "a stop" if self.playing else "a play"
        keys = f"\n{self.step + 1}/{len(STEPS)} · → next · ← back · {play} · any other key takes over"
        self._say(text.append(keys, "dim"))

    def _say(self, text: Text) -> None:
        known = self.screen.query(Caption)
        if known:
            known.first().update(text)
        else:
            self.screen.mount(Caption(text))
            self.screen.add_class("-captioned")

    def take_over(self, words: str) -> None:
        """End the tour: the person has the app."""
        self.touring = self.playing = False
        for timer in (self._hand, self._player):
            if timer is not None:
                timer.stop()
        for place in self._places.values():
            place.query(Caption).remove()
            place.remove_class("-captioned")
        toast(self.screen, words or "You have it. F1 shows the keys, 1 to 5 the places, ctrl+q leaves.")
