"""When a claim speaks of: its dates and checkpoints, and words that promise an end (design/soul.md 3, aging)."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from core.frozen import dataclass
from core.soul.bounds import stretches

_DIGIT = re.compile(r"\d")
_ISO = re.compile(r"(?<![\d./-])(20\d{2})-(\d{2})-(\d{2})(?![\d-])")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_NAMED = re.compile(
    rf"\b(?:(\d{{1,2}})\.?\s+)?({'|'.join(_MONTHS)})[a-z]*\.?\s+(?:(\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?(20\d{{2}})\b",
    re.IGNORECASE,
)
_CHECKPOINT = re.compile(
    r"\b(?:cp|checkpoint|sprint|milestone|phase|era|stage|week)\s*[-#]?\s*(\d{1,3})\b", re.IGNORECASE
)
_CHECKPOINT_SIGN = re.compile(r"cp|checkpoint|sprint|milestone|phase|era|stage|week")
_PENDING = re.compile(
    r"\b(?:in flight|in progress|underway|work in progress|WIP|pending|not yet (?:merged|landed|released|shipped)|"
    r"until [^.;,]{2,60}? (?:lands?|ships?|merges?|is (?:merged|released|fixed|done))|"
    r"may still [a-z]+|for now|temporar(?:y|ily)|will be (?:removed|replaced|merged|fixed)|em andamento|en curso|en cours|in Arbeit|"
    r"bis [^.;,]{2,60}? (?:gelandet|fertig|gemerged) ist)\b|進行中|作業中|진행 중|进行中",
    re.IGNORECASE,
)
_PENDING_SIGNS = (
    "in flight", "in progress", "underway", "wip", "pending", "not yet", "until", "may still", "for now", "temporar", "will be",
    "em andamento", "en curso", "en cours", "in arbeit", "bis", "進行中", "作業中", "진행 중", "进行中",
)  # fmt: skip
"""One of these is in whatever the pattern finds: looking for them takes a tenth of its time."""


@dataclass(frozen=True, slots=True)
class Dated:
    """The times a text names."""

    dates: tuple[date, ...] = ()
    checkpoints: tuple[str, ...] = ()

    @property
    def latest(self) -> date | None:
        """The youngest date, `None` if it names none."""
        return max(self.dates, default=None)

    def differs(self, other: Dated) -> bool:
        """True if the two speak of different times: another date or checkpoint, or one dated and the other not."""
        if self.dates == other.dates and self.checkpoints == other.checkpoints:
            return False
        return set(self.dates) != set(other.dates) or set(self.checkpoints) != set(other.checkpoints)


_NONE = Dated()


@lru_cache(maxsize=16_384)
def dated(text: str) -> Dated:
    """The dates (ISO, or a named month with a year) and checkpoints of a text. Asked several times of each claim."""
    if not _DIGIT.search(text):
        return _NONE
    dates: list[date] = []
    marks: list[str] = []
    low = text.lower()
    marked = _CHECKPOINT_SIGN.search(low) is not None
    if not marked and "20" not in text:
        return _NONE
    for _, stretch in stretches(text):
        if "20" in stretch:  # every year that is read begins so
            for year, month, day in _ISO.findall(stretch):
                if found := _date(int(year), int(month), int(day)):
                    dates.append(found)
            for before, month, after, year in _NAMED.findall(stretch) if any(m in low for m in _MONTHS) else ():
                if found := _date(int(year), _MONTHS.index(month[:3].lower()) + 1, int(before or after or 1)):
                    dates.append(found)
        if marked:
            marks += (re.sub(r"\s+", " ", m.group().lower()) for m in _CHECKPOINT.finditer(stretch))
    return Dated(tuple(dict.fromkeys(dates)), tuple(dict.fromkeys(marks)))


def pending(text: str) -> str:
    """The words by which a claim says that it will not stay so (`in flight`, `until X lands`), or `""`."""
    low = text.lower()
    if not any(sign in low for sign in _PENDING_SIGNS):
        return ""
    return next((m.group() for _, stretch in stretches(text) if (m := _PENDING.search(stretch))), "")


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None  # 2026-13-45 is no date: the text stays a text
