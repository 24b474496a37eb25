"""The parts of Textual's inside that this program depends on, all in one place. Checked against 8.2.8."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from textual.app import App

Result = TypeVar("Result")


class QuietApp(App[Result]):
    """An app whose crash shows no session text.

    Textual prints a traceback with the values of local variables, and those hold what the records say.
    """

    on_crash: Callable[[Exception], str] | None = None
    """Makes the message for a crash; its text is printed after the terminal is restored."""

    def _fatal_error(self) -> None:
        from rich.segment import Segment, Segments

        error = self._exception
        message = self.on_crash(error) if self.on_crash and error else "Recollect stopped after an error."
        self._return_code = 70
        self._exit_renderables.append(Segments([Segment(message), Segment.line()]))
        self._close_messages_no_wait()
