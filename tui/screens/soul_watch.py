"""What runs beside the place Soul: checks, the document's past, and the watch over the project's files."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from core.soul.receipt_history import PastReceipt
from tui.screens.soul_port import Look, SoulPort

if TYPE_CHECKING:
    from textual.screen import Screen


class SoulChecked(Message):
    """A check ended well."""

    def __init__(self, number: int, look: Look) -> None:
        super().__init__()
        self.number = number
        self.look = look


class PastRead(Message):
    """The document's past was read."""

    def __init__(self, look: Look, past: tuple[PastReceipt, ...]) -> None:
        super().__init__()
        self.look = look
        self.past = past


class DocumentsRead(Message):
    """The documents of the project that may be checked."""

    def __init__(self, root: str, paths: tuple[str, ...]) -> None:
        super().__init__()
        self.root = root
        self.paths = paths


class ProjectChanged(Message):
    """Files of the project changed, or (`trouble`) they can no longer be watched."""

    def __init__(self, trouble: str = "") -> None:
        super().__init__()
        self.trouble = trouble

    def can_replace(self, message: Message) -> bool:
        """A burst of bursts is one change."""
        return isinstance(message, ProjectChanged) and not message.trouble


class SoulWork:
    """Runs one check at a time; a change during a check is checked after it."""

    def __init__(self, screen: Screen[None], port: SoulPort) -> None:
        self._screen = screen
        self._port = port
        self.running = False
        self.watching = False
        self._again: str | None = None
        self._number = 0
        self._stop = threading.Event()
        self._root = ""

    def check(self, document: str) -> None:
        """Check now, or once more when the check that runs has ended."""
        if self.running:
            self._again = document
            return
        self.running = True
        self._number += 1
        run = partial(self._check, self._number, document)
        self._screen.run_worker(run, thread=True, group="check", exit_on_error=False)

    def _check(self, number: int, document: str) -> None:
        self._screen.post_message(SoulChecked(number, self._port.look(document)))

    def ended(self) -> bool:
        """A check ended, well or not. True if another one was begun at once."""
        self.running = False
        again, self._again = self._again, None
        if again is None:
            return False
        self.check(again)
        return True

    def read_past(self, look: Look) -> None:
        """Read the document's earlier receipts."""
        self._screen.run_worker(
            partial(self._past, look), thread=True, exclusive=True, group="past", exit_on_error=False
        )

    def _past(self, look: Look) -> None:
        self._screen.post_message(PastRead(look, self._port.past(look)))

    def read_documents(self) -> None:
        """List the project's documents."""
        self._screen.run_worker(self._documents, thread=True, exclusive=True, group="documents", exit_on_error=False)

    def _documents(self) -> None:
        self._screen.post_message(DocumentsRead(*self._port.documents()))

    def watch(self, root: str) -> None:
        """Watch a project from now on; it is watched once."""
        if root == self._root:
            return
        self.stop()
        self._root, self._stop, self.watching = root, threading.Event(), True
        # No worker of Textual's: this one ends with the app, not with its work.
        threading.Thread(target=self._watch, args=(root, self._stop), name="soul-watch", daemon=True).start()

    def _watch(self, root: str, stop: threading.Event) -> None:
        def changed() -> None:
            if not stop.is_set():
                self._screen.post_message(ProjectChanged())

        try:
            self._port.watch(root, stop, changed)
        except (OSError, RuntimeError) as problem:  # no more watches, or the folder went away: watchfiles raises both
            if not stop.is_set():
                self._screen.post_message(ProjectChanged(type(problem).__name__))

    def stop(self) -> None:
        """Watch no more."""
        self._stop.set()
        self._root, self.watching = "", False
