"""What a dialogue is made of: the person's words, the rounds that answered them, and lines of the program's own."""

from __future__ import annotations

from typing import TypeAlias

from core.frozen import dataclass
from core.recall.model import Outcome, Round


@dataclass(frozen=True, slots=True)
class Said:
    """The person's words."""

    text: str
    key: str = ""
    """The key that said them, as a person writes it; `""` where they were typed."""


@dataclass(frozen=True, slots=True)
class Told:
    """A round, or how the dialogue ended."""

    round: Round | None
    outcome: Outcome
    identifying: str = ""
    """The person's words that identified it."""
    key: str = ""
    """The key that said them, `""` where they were typed."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of the program's own."""

    text: str
    hint: str = ""


Entry: TypeAlias = Said | Told | Remark
