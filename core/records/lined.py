"""What adapters of line-wise records share: a pass, a glance and a single line are the same with any parser."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from core.records.draft import SpineDraft
from core.records.glance import glance
from core.records.lines import MAX_LINE
from core.records.model import Mark, Reading, ReadProblem, Source, Spine, Turn
from core.records.passes import LineParser, LineReading, turns_at


class LinedAdapter(ABC):
    """The reading half of an `Adapter`; subclasses say where the records lie and what a line means."""

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line

    @abstractmethod
    def parser(self, source: Source) -> LineParser:
        """A parser for one pass over a record."""

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself, from its head and tail."""
        parser = self.parser(source)
        problem = glance(source, parser, self._max_line)
        return problem if problem is not None else parser.spine()

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass; see `Adapter.read`."""
        return LineReading(source, self.parser(source), mark, talk_only=talk_only, max_line=self._max_line)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of the line that begins at byte `start`."""
        return turns_at(source, self.parser(source), line, start, self._max_line)


class WholeParser(LineParser):
    """A parser of records whose lines may change after they were written: a pass always begins anew."""

    @property
    def restart(self) -> bool:
        """Always: nothing read so far can be kept."""
        return True


class DescribedParser(LineParser):
    """A parser of records beside which a file describes the session. What it says is added to a copy of what the lines
    said, so that going on from a mark and reading the whole record give the same."""

    @abstractmethod
    def describe(self, draft: SpineDraft) -> None:
        """Add what is known beside the lines."""

    def spine(self) -> Spine:
        """The spine as far as it was read, with the description."""
        return self.spine_of({"spine": self.draft.dump()})

    def spine_of(self, state: Mapping[str, Any]) -> Spine:
        """The spine at a point that `dump` kept, with the description."""
        draft = SpineDraft()
        draft.load(state["spine"])
        self.describe(draft)
        return draft.freeze()
