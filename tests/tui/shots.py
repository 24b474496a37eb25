"""Look at the app: `python -m tests.tui.shots OUT` writes an SVG of each scene. For people, not for pytest."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.tui.fake import NOW, FakePort
from tui.app import AppOptions, RecollectApp
from tui.themes import NAMES

SCENES: dict[str, tuple[str, ...]] = {
    "start": (),
    "typing": ("r", "e", "t", "r", "y", "down"),
    "story": (*"that thing about retries".replace(" ", "_"), "enter"),
    "offer": ("l", "o", "o", "k", "space", "w", "i", "d", "e", "r", "enter"),
    "ask": (*"nothing", "enter"),
    "identified": (*"retries", "enter", "WAIT", "ctrl+y"),
    "record": (*"retries", "enter", "WAIT", "alt+3"),
    "help": ("f1",),
    "palette": ("f5",),
    "resume": (*"retries", "enter", "WAIT", "f2"),
    "sources": (*"retries", "enter", "WAIT", "shift+tab", "x", "s"),
}


async def shoot(out: Path, scene: str, size: tuple[int, int], theme: str) -> None:
    app = RecollectApp(
        FakePort(), None, AppOptions(motion=False, theme=theme, project="/home/ada/code/payments"), now=NOW
    )
    async with app.run_test(size=size, notifications=True) as pilot:
        for key in SCENES[scene]:
            if key == "WAIT":
                await app.workers.wait_for_complete()
                await pilot.pause()
            else:
                await pilot.press("space" if key == "_" else key)
        await app.workers.wait_for_complete()
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        name = f"{scene}-{size[0]}x{size[1]}-{theme}.svg"
        (out / name).write_text(app.export_screenshot())


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    scenes = sys.argv[2:] or list(SCENES)
    for scene in scenes:
        for size in ((80, 24), (140, 40)):
            asyncio.run(shoot(out, scene, size, NAMES[0]))


if __name__ == "__main__":
    main()
