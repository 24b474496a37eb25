"""Driving the app in tests: start it, let its workers finish, read what a person sees."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets._toast import Toast

from tests.tui.fake import NOW, FakePort
from tui.app import AppOptions, RecollectApp
from tui.background import Background
from tui.handover import Handover
from tui.screens.recollect import RecollectScreen


@dataclass
class Driven:
    """A running app and its pilot."""

    app: RecollectApp
    pilot: Pilot[Handover]
    port: FakePort

    @property
    def screen(self) -> RecollectScreen:
        return self.app.place

    async def settle(self) -> None:
        """Work until no worker runs, no message waits and everything is drawn.

        Textual's own pause waits for the process to be idle by the clock, which takes long while other processes run.
        """
        quiet = 0
        while quiet < 2 and not self.app._exit:
            running = [worker._task for worker in self.app.workers if worker._task is not None]
            if running:
                await asyncio.wait(running)
            await self.pilot._wait_for_screen()
            self.app.screen._on_timer_update()
            quiet = 0 if self._waiting() else quiet + 1

    def _waiting(self) -> bool:
        """True if a worker runs or a message waits somewhere."""
        pumps = (self.app, *(each for screen in self.app.screen_stack for each in screen.walk_children(with_self=True)))
        return any(worker._task and not worker._task.done() for worker in self.app.workers) or any(
            pump._message_queue.qsize() or pump._next_callbacks for pump in pumps
        )

    async def press(self, *keys: str) -> None:
        """Press keys, each when the one before has had all its effect."""
        for key in keys:
            await self.tap(key)
            await self.settle()

    async def tap(self, *keys: str) -> None:
        """Press keys as fast as the app takes them; workers go on running."""
        for key in keys:
            await self.burst(key)

    async def burst(self, *keys: str) -> None:
        """Send keys all at once."""
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
            event = events.Key(name, key if len(key) == 1 else None)
            event.set_sender(self.app)
            assert self.app._driver is not None
            self.app._driver.send_message(event)
        await self.pilot._wait_for_screen()

    async def type(self, text: str) -> None:
        """Put words into the cue at once."""
        self.screen.cue.insert_text_at_cursor(text)
        await self.settle()

    def text(self) -> str:
        """The screen as lines of text."""
        width, height = self.app.size
        lines = []
        for y in range(height):
            strips = self.app.screen._compositor.render_strips()
            lines.append(strips[y].text[:width] if y < len(strips) else "")
        return "\n".join(lines)

    def toasts(self) -> str:
        return "\n".join(note.message for note in self.app._notifications) + "\n".join(
            str(toast.render()) for toast in self.app.screen.query(Toast)
        )

    def dialogue(self) -> str:
        return "\n".join(line.text() for line in self.screen.dialogue.lines)

    def record(self) -> str:
        return "\n".join(line.text() for line in self.screen.record.lines)

    def footer(self) -> str:
        from tui.widgets.bar import Bar

        return self.screen.query_one("#hints", Bar).text()

    def header(self) -> str:
        from tui.widgets.bar import Bar

        return self.screen.query_one("#header", Bar).text()

    def calls(self, name: str) -> list[object]:
        return [what for called, what in self.port.calls if called == name]


@asynccontextmanager
async def driven(
    port: FakePort | None = None,
    *,
    size: tuple[int, int] = (140, 40),
    background: Background | None = None,
    options: AppOptions | None = None,
    settle: bool = True,
) -> AsyncIterator[Driven]:
    """Run the app over a fake port."""
    port = port or FakePort()
    options = options or AppOptions(motion=False, project="/home/ada/code/payments")
    app = RecollectApp(port, background, options, now=NOW)
    async with app.run_test(size=size, notifications=True) as pilot:
        run = Driven(app, pilot, port)
        if settle:
            await run.settle()
        else:
            await pilot.pause()
        yield run
