"""The last defence against a value of a shape that nobody foresaw: it costs the line or the record that holds it, with a
problem that says where, and never the reading of the others.

Adapters check what they read, and each such value found is mended where it is read. What this catches is told to the
person as an error of this program, for that is what it is.
"""

from __future__ import annotations

import os

from core.records.model import ReadProblem

ODD = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What code that takes a value for another kind raises. The system's errors are no part of it: they are told by their name."""


def odd_value(path: str, line: int | None, error: BaseException) -> ReadProblem:
    """What went wrong, without a word of the record: the kind of the error, and the place in this program."""
    return ReadProblem(
        path, line, f"A value of an unexpected shape was met ({type(error).__name__} at {_place(error)}).",
        f"{'The record' if line is None else 'The line'} is left out, the others are read; please report these words.",
    )  # fmt: skip


def _place(error: BaseException) -> str:
    """File and line of this program at which an error was raised."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return f"{os.path.basename(step.tb_frame.f_code.co_filename)}:{step.tb_lineno}" if step is not None else "?"
