"""Errors a person can act on: a title, what happened, and what to do next."""

from __future__ import annotations


class RecollectError(Exception):
    """Something went wrong that a person can mend. Its exit code is part of the machine interface."""

    exit_code = 2

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        """What happened and where, in words."""
        self.hint = hint
        """What to do next; `""` if there is nothing to do."""


class UsageError(RecollectError):
    """Bad input on the command line or in a settings file."""

    exit_code = 2


class SurroundingsError(RecollectError):
    """The surroundings are not as needed: no writable folder, no runtime, no repository."""

    exit_code = 3
