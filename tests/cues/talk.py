"""A made-up past in plain text: sessions in `talks/*.txt`, read into values that `writers` lays out as each runtime does.

A session begins with `== name | runtime | start | project | title`; `> ` is the person, `< ` the assistant, `$ ` what a
tool returned; `\\n` in a line is a line break.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).parent
STEP = timedelta(seconds=95)
"""Between two turns."""
_SPACE = uuid.UUID("0d6f7f0a-52a5-4a3c-9a70-6d0a1c0f5b11")
_WHO = {">": "user", "<": "assistant", "$": "tool"}


@dataclass(frozen=True)
class Talk:
    """One session."""

    name: str
    runtime: str
    start: datetime
    project: str
    title: str
    said: tuple[tuple[str, str], ...]
    """Who (`user`, `assistant`, `tool`) and what."""

    @property
    def sid(self) -> str:
        """Its id, a UUID made from the name."""
        return str(uuid.uuid5(_SPACE, self.name))

    @property
    def cwd(self) -> str:
        """The folder it was held in."""
        return f"/home/mira/code/{self.project}"

    def at(self, step: int) -> datetime:
        """When a turn was said."""
        return self.start + STEP * step

    def iso(self, step: int) -> str:
        """The same, as most runtimes write it."""
        return self.at(step).strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def ms(self, step: int) -> int:
        """The same in milliseconds."""
        return int(self.at(step).timestamp() * 1000)


def talks() -> list[Talk]:
    """Every session, in the order of the files."""
    found: list[Talk] = []
    for file in sorted((HERE / "talks").glob("*.txt")):
        for block in file.read_text(encoding="utf-8").split("== ")[1:]:
            head, *body = [row for row in block.splitlines() if row.strip()]
            name, runtime, start, project, *title = (part.strip() for part in head.split(" | "))
            said = tuple((_WHO[row[0]], row[2:].replace("\\n", "\n")) for row in body)
            when = datetime.fromisoformat(start).replace(tzinfo=UTC)
            found.append(Talk(name, runtime, when, project, title[0] if title else "", said))
    return found
