"""A pass over a record that is held whole: it is read once, and a mark always says to read it again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from core.records.model import Mark, ReadProblem, Source, Spine, Tally, Turn
from core.records.oddities import ODD, odd_value


class HeldReading(ABC):
    """A `Reading` whose turns are made together. `_load` makes them, and sets spine, tally and problems."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._turns: tuple[Turn, ...] | None = None
        self.spine = Spine(session_id=source.session_id, role=source.role)
        self.tally = Tally()
        self.problems: tuple[ReadProblem, ...] = ()

    @property
    def mark(self) -> Mark:
        """Always the beginning."""
        return Mark()

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns in file order."""
        yield from self.load()

    def load(self) -> tuple[Turn, ...]:
        """Read the record once."""
        if self._turns is None:
            try:
                self._turns = self._load()
            except ODD as error:
                self._turns, self.tally = (), Tally()
                self.problems = (*self.problems, odd_value(self._source.path, None, error))
        return self._turns

    @abstractmethod
    def _load(self) -> tuple[Turn, ...]:
        """Make the turns."""
