"""How exact a written number is: "about 12", "over 12", "10 to 15" and "12+" allow many values, "12" allows one.

A number counts as contradicted only where no value is left that both sides allow.
"""

from __future__ import annotations

import re
from math import inf, nextafter

from core.frozen import dataclass

_ONES = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "  # noqa: SIM905
        "eighteen nineteen".split()
    )
    if value > 1
}
"""Number words; `one` is an article as often as a number."""
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)  # noqa: SIM905
}
NUMBER_WORDS = frozenset((*_ONES, *_TENS))
_DIGITS = {"one": 1, **{word: value for word, value in _ONES.items() if value < 10}}
SPELLED = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_DIGITS)}))?|{'|'.join(sorted(_ONES, key=len, reverse=True))})"
NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}}){{1,4}}|\d{{1,15}}(?:\.\d{{1,9}})?|{SPELLED}(?![\w]))"
"""A number in digits or English words."""

_MORE = r"more than|over|above|exceed(?:s|ing)?|mehr als|über|plus de|más de|mais de|>"
_FROM = r"at least|no fewer than|no less than|not less than|upwards of|minimum(?: of)?|min\.?|mindestens|au moins|al menos|pelo menos|≥|>="
_LESS = r"fewer than|less than|under|below|weniger als|unter|moins de|menos de|<"
_TO = r"up to|at most|no more than|not more than|maximum(?: of)?|max\.?|within|höchstens|bis zu|au plus|como máximo|até|≤|<="
_ABOUT = (
    r"about|around|roughly|approximately|approx\.?|circa|ca\.?|nearly|almost|close to|some|an estimated|"
    r"etwa|rund|ungefähr|fast|environ|près de|unos|unas|cerca de|aproximadamente|quase|~|≈|±"
)
_BOUND = re.compile(
    rf"(?<![^\W_])(?:(?P<from>{_FROM})|(?P<to>{_TO})|(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<about>{_ABOUT}))(?: (?:the|a|an))? ?$",
    re.IGNORECASE,
)
"""What stands directly before a number and widens it."""
_RANGE = re.compile(
    rf"(?<![\w.])(?:between (?P<low>{NUMBER}) and|(?P<first>{NUMBER}) ?(?:-|–|\.\.|to|or|bis)) ?$", re.IGNORECASE
)
"""The first end of a range, directly before the other."""
_AFTER = re.compile(
    r"(?P<plus>\s?\+(?!\w)|\s+(?:or|and|oder) (?:more|above|mehr)\b|\s+(?:and|&) (?:up|counting)\b)|"
    r"(?P<minus>\s+or (?:fewer|less|below)\b)|"
    rf"(?P<to>\s?(?:-|–|\.\.)\s?|\s+(?:to|or)\s+)(?P<last>{NUMBER})",
    re.IGNORECASE,
)
_LAST = frozenset(
    """
    the a an than over above exceed exceeds exceeding über de least of minimum min. min mindestens moins menos más mais under below most to maximum
    max max. within höchstens unter bis plus máximo até about around roughly approximately approx. approx circa ca. ca nearly almost some estimated zu
    etwa rund ungefähr fast environ unos unas aproximadamente quase and or als
    """.split()  # noqa: SIM905
)
_LAST_SIGNS = frozenset("<>≤≥=~≈±-–.")
"""The word, or the sign, that each of the two ends with: looking for it takes a tenth of their time."""
NEAR = 40
"""Characters beside a number in which the words that widen it are looked for."""
SLACK = 0.25
"""How far "about" reaches, as a part of the number."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The values that a written number allows, both ends included."""

    low: float
    high: float
    start: int
    end: int
    """Where it stands in the text: the words that widen it are part of it."""
    widened: bool = False
    """True if it is written as a bound, a range or an estimate."""

    def allows(self, value: float) -> bool:
        """True if the value can be meant."""
        return self.low <= value <= self.high


def number(text: str) -> float:
    """The value of what `NUMBER` matches."""
    low = text.lower()
    if low[0].isdigit():
        return float(low.replace(",", ""))
    tens, _, ones = low.replace("-", " ").partition(" ")
    return float(_ONES[tens] if tens in _ONES else _TENS[tens] + _DIGITS.get(ones, 0))


def amount_at(text: str, start: int, end: int, value: float | None = None, grain: float = 0.0) -> Amount:
    """The number at `text[start:end]` with what stands beside it. `value`: where a sign after it scales it; `grain`: how
    far a rounded one (`12k`, `83%`) reaches to each side."""
    value = number(text[start:end]) if value is None else value
    low, high = value - grain, value + grain
    if found := _AFTER.match(text[end : end + NEAR]):
        if found["plus"]:
            return Amount(low, inf, start, end + found.end(), widened=True)
        if found["minus"]:
            return Amount(-inf, high, start, end + found.end(), widened=True)
        last = number(found["last"])
        return Amount(low, max(high, last), start, end + found.end(), widened=True)
    before = text[max(0, start - NEAR) : start]
    beside = before.rstrip().rpartition(" ")[2].lower().lstrip('([{*_"“„«')
    if beside not in _LAST and beside[-1:] not in _LAST_SIGNS:  # nearly every one
        return Amount(low, high, start, end)
    if found := _BOUND.search(before):
        at = start - len(before) + found.start()
        if found["from"] or found["more"]:
            return Amount(low if found["from"] else nextafter(high, inf), inf, at, end, widened=True)
        if found["to"] or found["less"]:
            return Amount(-inf, high if found["to"] else nextafter(low, -inf), at, end, widened=True)
        return Amount(low - abs(value) * SLACK, high + abs(value) * SLACK, at, end, widened=True)
    if found := _RANGE.search(before):
        first = number(found["low"] or found["first"])
        return Amount(min(first, low), high, start - len(before) + found.start(), end, widened=True)
    return Amount(low, high, start, end)
