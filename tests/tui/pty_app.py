"""Runs the app over the fake port on a real terminal, for `test_pty.py`. Arguments: plain, hostile, crash, soul, loop."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from core.recall.model import Handle
from tests.tui.fake import FakePort
from tests.tui.test_hostile import PAYLOADS, hostile
from tui.app import AppOptions, RecollectApp, run_app
from tui.memory_project import OwnMemory


def main() -> int:
    mode = sys.argv[1]
    port = hostile("".join(PAYLOADS.values())) if mode == "hostile" else FakePort()
    if mode == "runtime":
        port.handle_found = Handle("fake-runtime --resume 1", ("fake-runtime",), os.getcwd(), (), "")
    if mode == "crash":

        def crash(self: RecollectApp) -> None:
            session_text = "SECRET SESSION TEXT"
            raise ValueError(session_text)

        RecollectApp.action_command_palette = crash  # type: ignore[method-assign]
    options = AppOptions(motion=False, crash_folder=os.environ["HOME"])
    if mode in ("soul", "loop"):
        memory = OwnMemory() if mode == "loop" else None
        options = replace(options, place="soul", soul_folder=os.environ["MADE"], memory=memory)
    return run_app(port, None, options)


if __name__ == "__main__":
    sys.exit(main())
