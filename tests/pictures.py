"""`make pictures`: the pictures of the README and the guide, taken from the app on the made-up archive.

The same bytes every time: the archive is written by code, the clock and the home are fixed, nothing moves. A test checks
that the pictures in `docs/pictures` are current.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
NOW = datetime(2026, 7, 1, 9, tzinfo=UTC)
SCENES: dict[str, tuple[tuple[int, int], str, tuple[str, ...]]] = {
    "recollect": ((140, 40), "that thing about retries we argued over in spring", ("alt+3",)),
    "recollect-80x24": ((80, 24), "that thing about retries we argued over in spring", ()),
    "identified": ((140, 40), "storm warning siren", ("ctrl+y",)),
}
"""For each picture: the size, the cue, and the keys after its story was told."""
SOULS: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "soul": ((140, 40), ("x", "j", "j")),
    "soul-80x24": ((80, 24), ("j", "j", "j", "j", "j")),
}
"""For each picture of the place Soul: the size, and the keys after the check."""
CURATES: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "curate": ((140, 40), ("enter", "alt+3")),
    "curate-80x24": ((80, 24), ()),
}
"""For each picture of the place Curate: the size, and the keys after the check."""
MEMORIES: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "memory": ((140, 40), ("full_stop", "G", "k")),
    "memory-80x24": ((80, 24), ("j",)),
}
"""For each picture of the place Memory: the size, and the keys after it was read."""
WRITTEN = {"why": "the gateway was dropped", "by": "laptop:person:ana", "grader": "laptop:person:ben"}
"""What stands in the form of the pictures of Curate."""
_UNSET = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "NO_MOTION", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "RECOLLECT_HOME")


class FixedClock:
    """Always the same morning."""

    def now(self) -> datetime:
        """The fixed time."""
        return NOW


@contextmanager
def surroundings(home: Path) -> Iterator[None]:
    """A home, a zone and a terminal that do not depend on the machine."""
    before = dict(os.environ)
    for name in [n for n in os.environ if n.startswith(("TEXTUAL", "XDG_"))] + list(_UNSET):
        os.environ.pop(name, None)
    os.environ.update(HOME=str(home), TZ="UTC", TERM="xterm-256color")
    time.tzset()
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        time.tzset()


async def take(home: Path, name: str) -> str:
    """One picture as SVG."""
    from core.library import Library
    from core.records.archive import Archive
    from indexes.whoosh_index import WhooshIndex
    from tui.app import AppOptions, RecollectApp

    size, cue, keys = SCENES[name]
    archive = Archive.from_environment({}, str(home))
    library = Library(archive, WhooshIndex(home / ".cache" / "recollect", archive), str(home), FixedClock())
    library.refresh()
    app = RecollectApp(library, None, AppOptions(motion=False, project="", cue=cue), now=NOW.timestamp())
    async with app.run_test(size=size) as pilot:
        await _settle(app, pilot)
        for key in keys:
            await pilot.press(key)
            await _settle(app, pilot)
        return app.export_screenshot(title="Recollect")


async def take_soul(root: Path, name: str) -> str:
    """One picture of the place Soul as SVG."""
    from tests.tui.fake import FakePort
    from tests.tui.souls import NOW as THEN
    from tui.app import AppOptions, RecollectApp
    from tui.soul_project import ProjectSoul

    size, keys = SOULS[name]
    options = AppOptions(motion=False, place="soul", soul=ProjectSoul(str(root), FixedClock()))
    app = RecollectApp(FakePort(), None, options, now=THEN.timestamp())
    async with app.run_test(size=size) as pilot:
        await _settle(app, pilot)
        for key in keys:
            await pilot.press(key)
            await _settle(app, pilot)
        return app.export_screenshot(title="Recollect")


async def take_curate(root: Path, name: str) -> str:
    """One picture of the place Curate as SVG: a claim is decided on, and the seat-check has passed."""
    from tests.tui.fake import FakePort
    from tests.tui.souls import NOW as THEN
    from tui.app import AppOptions, RecollectApp
    from tui.curate_project import ProjectCurate
    from tui.screens.curate import CurateScreen

    size, keys = CURATES[name]
    options = AppOptions(motion=False, place="curate", curate=ProjectCurate(str(root), FixedClock()))
    app = RecollectApp(FakePort(), None, options, now=THEN.timestamp())
    async with app.run_test(size=size) as pilot:
        await _settle(app, pilot)
        for key in keys:
            await pilot.press(key)
        place = app.screen
        assert isinstance(place, CurateScreen)
        for field, words in WRITTEN.items():
            place.fields[field].value = words
        await pilot.pause()
        place.judge(soon=False)
        await _settle(app, pilot)
        return app.export_screenshot(title="Recollect")


async def take_memory(name: str) -> str:
    """One picture of the place Memory as SVG."""
    from tests.tui.fake import FakePort
    from tests.tui.memories import BEGAN, DAY, HeldMemory
    from tui.app import AppOptions, RecollectApp

    size, keys = MEMORIES[name]
    memory = HeldMemory()
    app = RecollectApp(FakePort(), None, AppOptions(motion=False, place="memory", memory=memory), now=BEGAN + 9 * DAY)
    async with app.run_test(size=size) as pilot:
        app.on_memory_touched()
        await _settle(app, pilot)
        for key in keys:
            await pilot.press(key)
            await _settle(app, pilot)
        return app.export_screenshot(title="Recollect")


async def _settle(app, pilot) -> None:  # type: ignore[no-untyped-def]
    for _ in range(4):
        await app.workers.wait_for_complete()
        await pilot.pause()


def pictures() -> dict[str, str]:
    """Every picture by its file name."""
    from tests.tui.souls import payments
    from tui.demo.archive import write_archive

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        write_archive(home)
        with surroundings(home):
            found = {f"{name}.svg": asyncio.run(take(home, name)) for name in SCENES}
            root = home / "payments"
            payments(root)
            found |= {f"{name}.svg": asyncio.run(take_soul(root, name)) for name in SOULS}
            found |= {f"{name}.svg": asyncio.run(take_curate(root, name)) for name in CURATES}
            return found | {f"{name}.svg": asyncio.run(take_memory(name)) for name in MEMORIES}


def main() -> None:
    """Write the pictures and the generated documents."""
    from tui.keys import keys_markdown

    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
        print(FOLDER / name)
    (FOLDER.parent / "keys.md").write_text(keys_markdown(), encoding="utf-8")


if __name__ == "__main__":
    main()
