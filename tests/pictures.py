"""`make pictures`: the pictures of the README and the documents, taken from the guided tour of the demo.

The same bytes every time: the home is written by code, the clock is fixed, nothing moves. A test checks that the pictures in
`docs/pictures` are current, and with them that the tour runs to its end.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
_UNSET = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "NO_MOTION", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "RECOLLECT_HOME")


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


async def walk() -> dict[str, str]:
    """Go through the guided tour to its end, and take its pictures, captions left out. Asserts what each station shows."""
    from tests.tour import on_tour, seen
    from tui.demo.steps import STEPS
    from tui.demo.tour import Caption

    taken: dict[str, str] = {}
    async with on_tour() as tour:
        for number, step in enumerate(STEPS):
            await tour.arrived(number)
            words, caption = seen(tour.app), " ".join(step.caption.split())
            assert caption in words, f"station {number}: something lies over the caption"
            assert step.expect in words.replace(caption, ""), (number, step.caption)
            if step.picture:
                await tour.app.screen.query(Caption).remove()
                await tour.quiet()
                taken[f"{step.picture}.svg"] = _steady(tour.app.export_screenshot(title="Recollect"))
            await tour.pilot.press("right")
        await tour.quiet()
        assert not tour.app.touring
    return taken


def _steady(svg: str) -> str:
    """A picture without what chance and the hour put into it: the temporary home, a packet's id and time, and the name that
    is made from all of its text."""
    svg = re.sub(r"dlg_\d{13}_\w{10}", "dlg_1782896400000_xxxxxxxxxx", svg)
    svg = re.sub(r"as(\S+)of(\S+?)20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", r"as\1of\g<2>2026-07-01T09:00:00Z", svg)
    for chance, fixed in (
        (r"recollect-demo-[\w-]{8}", "recollect-demo-xxxxxxxx"),
        (r"[\w-]{8}/sam/", "xxxxxxxx/sam/"),  # where a line was broken before it
        (r"dlg_\d{13}_\w{10}", "dlg_1782896400000_xxxxxxxxxx"),
        (r"(?<=&#160;)[a-z0-9]{10}(?=</text)", "xxxxxxxxxx"),
        (r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-07-01T09:00:00Z"),
    ):
        svg = re.sub(chance, fixed, svg)
    return re.sub(r"terminal-\d+", "terminal-1", svg)


def pictures() -> dict[str, str]:
    """Every picture by its file name."""
    before = tempfile.tempdir
    tempfile.tempdir = "/tmp"  # its length decides where lines are broken
    try:
        with tempfile.TemporaryDirectory() as folder, surroundings(Path(folder)):
            return asyncio.run(walk())
    finally:
        tempfile.tempdir = before


def main() -> None:
    """Write the pictures and the generated documents."""
    from tests.docs_interface import interface_markdown
    from tests.docs_settings import settings_markdown
    from tui.keys import keys_markdown

    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
        print(FOLDER / name)
    (FOLDER.parent / "keys.md").write_text(keys_markdown(), encoding="utf-8")
    (FOLDER.parent / "settings.md").write_text(settings_markdown(), encoding="utf-8")
    (FOLDER.parent / "interface.md").write_text(interface_markdown(), encoding="utf-8")


if __name__ == "__main__":
    main()
