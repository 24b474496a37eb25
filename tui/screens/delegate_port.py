"""What the place Delegate asks, and the values it is answered with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from core.frozen import dataclass

if TYPE_CHECKING:
    from core.delegation.calibration import Calibration
    from core.delegation.conformance import Graded
    from core.delegation.debrief import Debriefed
    from core.delegation.desk import Made
    from core.delegation.model import Binding, NoPacket
    from core.delegation.registry import Delegation
    from core.delegation.touched import Touched


@dataclass(frozen=True, slots=True)
class Draft:
    """An order as it stands in the fields."""

    task: str = ""
    scope: str = ""
    """Paths, with commas between."""
    must_not: str = ""
    about: str = ""
    """Seeds, with commas between."""
    tokens: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A debrief as it stands in the form."""

    grader: str = ""
    worker: str = ""
    outcome: str = ""
    command: str = ""
    exit_status: str = ""
    touched: str = ""
    """`git` or nothing: since the packet; `A..B`; `session ID`; `none`; else paths with commas between."""
    findings: str = ""
    """Parted by semicolons."""
    report: str = ""
    """A file that holds the worker's last message."""
    regrade: bool = False


@dataclass(frozen=True, slots=True)
class DelegateLook:
    """The delegations at one moment. Their texts are foreign: they are made printable where they are shown."""

    binding: Binding
    """The project of the folder."""
    delegations: tuple[Delegation, ...]
    torn: tuple[str, ...]
    calibration: Calibration
    agent: str
    """Who delegates: the person's user name."""


class DelegatePort(Protocol):
    """Answers on a worker's thread. Raises `RecollectError`."""

    def look(self) -> DelegateLook:
        """Every delegation, and the project."""
        ...

    def compose(self, draft: Draft) -> Made | NoPacket:
        """A packet for what stands in the fields. Nothing is recorded."""
        ...

    def record(self, made: Made) -> Made:
        """Record a packet that was composed."""
        ...

    def show(self, identity: str) -> Made:
        """A recorded packet with its text."""
        ...

    def write(self, identity: str) -> str:
        """Write a packet's text to a file; its path."""
        ...

    def paths(self) -> Sequence[str]:
        """Folders (`dir/`) and files of the project, for the picker."""
        ...

    def graded(self, identity: str, touched: str) -> tuple[Touched, Graded]:
        """How what was touched stands to a packet. Nothing is written."""
        ...

    def debrief(self, identity: str, report: Report) -> Debriefed:
        """Grade, teach memory, write the row."""
        ...
