"""Driving the app in tests: start it, let its workers finish, read what a person sees."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

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
        """Wait until no worker runs and no message waits."""
        for _ in range(2):
            await self.app.workers.wait_for_complete()
            await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

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
        await run.pilot.pause()
        if settle:
            await run.settle()
            await run.settle()
        yield run
