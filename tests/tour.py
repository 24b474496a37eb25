"""The guided tour, headless: on the made-up home, with a clock that stands."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from textual.pilot import Pilot

from core.library import Library
from core.records.archive import Archive
from tui.app import AppOptions
from tui.compose import Options, open_archive, open_index
from tui.curate_project import ProjectCurate
from tui.demo.home import demo_home
from tui.demo.tour import TourApp
from tui.handover import Handover
from tui.memory_project import OwnMemory
from tui.soul_project import ProjectSoul

NOW = datetime(2026, 7, 1, 9, tzinfo=UTC)
MOST = 120.0
"""Seconds that a station may take before the test gives it up."""


class FixedClock:
    """Always the same morning."""

    def now(self) -> datetime:
        """The fixed time."""
        return NOW


@dataclass
class Tour:
    """A running tour and its pilot."""

    app: TourApp
    pilot: Pilot[Handover]

    async def arrived(self, number: int) -> None:
        """Wait until a station is shown and nothing of it is still to happen."""
        await self.quiet(lambda: self.app.step == number)

    async def quiet(self, also: object = None) -> None:
        """Wait until nothing happens any more."""
        end = time.monotonic() + MOST
        still = 0
        while still < 3:
            assert time.monotonic() < end, "the tour stands still"
            await self.pilot.pause()
            held = self.app.busy or not (also() if callable(also) else True)
            still = 0 if held else still + 1


@asynccontextmanager
async def on_tour(size: tuple[int, int] = (140, 40)) -> AsyncIterator[Tour]:
    """The tour, started."""
    with demo_home() as home:
        here = str(home / "code" / "payments")
        archive: Archive = open_archive(Options())
        library = Library(archive, open_index(Options(), archive), str(home), FixedClock())
        library.refresh()
        clock = FixedClock()
        options = AppOptions(
            motion=False, project=here, soul_folder=here, memory=OwnMemory(), made_up=True,
            soul=ProjectSoul(here, clock), curate=ProjectCurate(here, clock),
        )  # fmt: skip
        app = TourApp(library, None, options, now=NOW.timestamp())
        app.hurried = True
        async with app.run_test(size=size) as pilot:
            yield Tour(app, pilot)


def seen(app: TourApp) -> str:
    """What is on the screen, runs of white space as one, frames left out."""
    strips = app.screen._compositor.render_strips()
    text = "\n".join("".join(segment.text for segment in strip) for strip in strips)
    return " ".join(text.split())
