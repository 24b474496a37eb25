"""Review hints: claims that were true as of a date, or until something happens (design/soul.md 3). No state changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from core.frozen import dataclass
from core.soul.context import Ground
from core.soul.dating import dated, pending
from core.soul.model import Item, Reason, Tissue

AGE_DAYS = 90
"""A dated claim older than this is to be looked at again, unless the project's settings say otherwise."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Something a reader should look at again."""

    reason: str
    line: int
    text: str
    detail: str


def review_hints(items: Sequence[Item], ground: Ground, today: date, age_days: int = AGE_DAYS) -> tuple[Hint, ...]:
    """The hints of a checked document, in its order."""
    changed = _last_changes(ground)
    found: list[Hint] = []
    for item in items:
        if item.claim.tissue is Tissue.DECLARED:
            continue
        if hint := _hint(item, changed, today, age_days):
            found.append(hint)
    return tuple(found)


def _hint(item: Item, changed: Mapping[str, float], today: date, age_days: int) -> Hint | None:
    claim = item.claim
    said = pending(claim.text)
    when = dated(claim.text).latest
    if when is not None and when <= today:
        moved = [v.found.split(":")[0] for v in item.verdicts if v.found]
        later = [p for p in moved if changed.get(p, 0.0) >= _midnight(when + timedelta(days=1))]
        if later:
            detail = f"It is dated {when.isoformat()}, and {later[0]} changed since."
            return Hint(Reason.AGED_OUT.value, claim.lines[0], claim.text, detail)
        if (today - when).days > age_days:
            detail = f"It is dated {when.isoformat()}, {(today - when).days} days ago."
            return Hint(Reason.AGED_OUT.value, claim.lines[0], claim.text, detail)
    if said and (when is None or (today - when).days > 14):
        detail = f"It says “{said}”: is that still so?"
        return Hint(Reason.EXPIRED.value, claim.lines[0], claim.text, detail)
    return None


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def _last_changes(ground: Ground) -> Mapping[str, float]:
    """When each file was last changed by a commit of the head's line."""
    history = ground.history
    found: dict[str, float] = {}
    if history is not None:
        for commit in history.commits:
            if commit.sha in history.head_line:
                for change in commit.files:
                    found.setdefault(change.path, commit.committed)
    return found
