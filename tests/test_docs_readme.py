"""A newcomer with the README alone: the steps of its first ten minutes, pressed at 80 x 24 on the demo's home."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from textual import events

from core.library import Library
from tests.pictures import surroundings
from tests.tour import FixedClock
from tests.tui.driving import Driven
from tests.tui.fake import FakePort
from tui.app import AppOptions, RecollectApp
from tui.compose import Options, open_archive, open_index
from tui.curate_project import ProjectCurate
from tui.demo.home import demo_home
from tui.memory_project import OwnMemory
from tui.soul_project import ProjectSoul

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
STEPS = re.split(r"\n\*\*\d\. ", README.split("## Your first ten minutes", 1)[1].split("\n## ", 1)[0])[1:]
MOST = 30.0
"""Seconds that a step may take before the test gives it up."""


def spans(text: str) -> list[str]:
    """What stands in backticks or in a block, in order: keys, and what is to be typed."""
    return [a or b for a, b in re.findall(r"```\n(.*?)\n```|`([^`\n]+)`", text, re.DOTALL)]


class Reader:
    """Does what the README says, and only what stands there."""

    def __init__(self, driven: Driven) -> None:
        self.driven = driven
        self._told: list[str] = []

    def at(self, step: str) -> None:
        """Go to a step of the README."""
        self._told = spans(step)

    async def press(self, *keys: str) -> None:
        """Press the next keys that the step names, in this order."""
        for key in keys:
            self._take(key)
            await self.driven.press(key.lower() if len(key) > 1 else key)

    async def write(self, text: str) -> None:
        """Write the next words that the step gives, at once: what is shown while typing is tested elsewhere."""
        self._take(text)
        event = events.Paste(text)
        event.set_sender(self.driven.app)
        assert self.driven.app._driver is not None
        self.driven.app._driver.send_message(event)
        await self.driven.settle()

    def _take(self, said: str) -> None:
        assert said in self._told, f"the README does not say {said!r} here"
        self._told = self._told[self._told.index(said) + 1 :]

    async def sees(self, words: str) -> None:
        """Wait until it is on the screen, runs of white space as one."""
        end = time.monotonic() + MOST
        while words not in " ".join(self.driven.text().split()):
            assert time.monotonic() < end, f"{words!r} is not seen:\n{self.driven.text()}"
            await self.driven.pilot.pause(0.02)
            await self.driven.settle()


async def test_a_newcomer_reaches_a_session_a_receipt_a_prune_and_a_packet(tmp_path: Path) -> None:
    with surroundings(tmp_path), demo_home() as home:
        os.environ["TZ"] = "UTC"
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            os.environ.pop(name, None)
        time.tzset()
        here = str(home / "code" / "payments")
        archive = open_archive(Options())
        library = Library(archive, open_index(Options(), archive), str(home), FixedClock())
        library.refresh()
        clock = FixedClock()
        app = RecollectApp(
            library, None,
            AppOptions(
                motion=False, project=here, soul_folder=here, memory=OwnMemory(), made_up=True,
                soul=ProjectSoul(here, clock), curate=ProjectCurate(here, clock),
            ),
            now=clock.now().timestamp(),
        )  # fmt: skip
        async with app.run_test(size=(80, 24)) as pilot:
            reader = Reader(Driven(app, pilot, FakePort()))
            await reader.driven.settle()
            await walked(reader, home)


async def walked(reader: Reader, home: Path) -> None:
    """The four steps, each with what a person must see at its end."""
    document = home / "code" / "payments" / "docs" / "PATHOS.md"
    assert len(STEPS) == 4
    reader.at(STEPS[0])
    await reader.write("that thing about retries")
    await reader.press("enter")
    await reader.sees("You set out with")
    await reader.press("ctrl+y")
    await reader.sees("✓ Identified")

    reader.at(STEPS[1])
    await reader.press("F7", "2")
    await reader.sees("8 fresh · 4 stale · 2 priced")
    await reader.press("f", "G")
    await reader.sees("deleted_in 6b48d7a")

    reader.at(STEPS[2])
    await reader.press("c", "enter")
    await reader.write("the old ledger is deleted")
    await reader.driven.press("enter")
    await reader.press("alt+3")
    await reader.driven.press("enter", "enter")
    await reader.write("me:main:ana")
    await reader.driven.press("enter")
    await reader.write("me:main:ben")
    await reader.press("F2", "F8")
    await reader.sees("✓ passes")
    assert "ledger/shards.py" in document.read_text(encoding="utf-8")
    await reader.press("enter")
    await reader.sees("8 fresh · 3 stale")
    assert "ledger/shards.py" not in document.read_text(encoding="utf-8")
    await reader.press("4")
    await reader.sees("Pruned: the old ledger is deleted. Where it went: git history.")

    reader.at(STEPS[3])
    await reader.press("5")
    await reader.write("Give the payment client a retry budget")
    await reader.sees("nothing cut")
    await reader.press("F2")
    await reader.sees("1 live")
    assert len(list(home.glob(".local/share/recollect/delegations/dlg_*.json"))) == 1
