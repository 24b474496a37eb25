"""Quantities that a document states, and where it contradicts itself or its repository (design/soul.md 3).

A quantity is a number with a unit and the words that say what is counted. Two of them are compared only where unit and
subject agree and neither is scoped to another time; "from 12 to 28" and "was 12, now 28" are transitions whose last
value counts. What happened ("3 bugs fixed") is no standing quantity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from core.frozen import dataclass
from core.soul.bounds import stretches
from core.soul.dating import Dated, dated
from core.soul.model import AnchorClass, Claim

_NUMBERS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "  # noqa: SIM905
        "eighteen nineteen twenty".split()
    )
    if value > 1
}
"""Number words; `one` is an article as often as a number."""
_DIGIT = re.compile(r"\d")
_SPELLED = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}}){{1,4}}|\d{{1,15}}(?:\.\d{{1,9}})?|{'|'.join(_NUMBERS)})"
_VALUE = re.compile(
    rf"(?<![\w.#/:$-])(?P<value>{_NUMBER})(?P<scale>\s?%|\s?[kKmM](?![\w]))?"
    rf"(?:\s?/\s?(?P<of>{_NUMBER})(?!\w))?(?P<after>(?:[ -](?:of the |of )?[^\W\d_][\w'-]*){{0,4}})",
    re.IGNORECASE,
)
_ARROW = re.compile(
    rf"(?:\b(?:from|was|were|previously|formerly)\s+)?(?P<old>{_NUMBER})(?P<middle>(?:\s+[^\W\d_]\w*){{0,2}})\s*(?:→|->|⇒|=>|\bto\b|, now|; now|\bnow\b)\s*(?P<new>{_NUMBER})(?!\w)",
    re.IGNORECASE,
)
_WAS_NOW = re.compile(
    rf"\b(?:was|were|up from|down from|previously|formerly|used to be)\s+(?P<old>{_NUMBER})\b(?:[^.;]{{0,40}}?\b(?:now|today)\b)?",
    re.IGNORECASE,
)
_ARROW_SIGNS = ("→", "->", "⇒", "=>", "to", "now")
_WAS_SIGNS = ("was", "were", "up from", "down from", "previously", "formerly", "used to be")
"""One of these is in whatever the pattern finds: looking for them takes a tenth of its time."""
_CODE = re.compile(r"`[^`]*`|\b\S+/\S+\.\w+\b|https?://\S+")
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\s+[—–]\s+|\n")
_SENTENCE_SIGN = re.compile(r"[.;!?—–\n]")
_WORD = re.compile(r"[^\W\d_][\w-]*")
_STOP = frozenset(
    """
    a an and are as at all be been but by can currently each ever every exactly for from full green had has have holds in into is it its
    just keep kept last left long made make more most must near no not now of on only or our out over own pass passes passing per run runs
    same set should since so some stay stays still than that the their them then there these they this those to today total under up us
    use used uses was were when where which while who will with within without you your we i he she via about around roughly approximately
    contains contain counts count carries carry covers cover includes include ok clean done main current latest clear whole
    """.split()  # noqa: SIM905
)
_EVENTS = frozenset(
    """
    fixed merged landed added removed shipped closed opened deleted renamed moved released recovered reverted resolved created found
    rejected approved rebuilt rewritten migrated bumped committed pushed reviewed triaged ago later earlier
    """.split()  # noqa: SIM905
)
_NOT_UNITS = frozenset(
    "and or of to in on at by for with is are was were be the a an as per from than then times so if it that this which who when".split()  # noqa: SIM905
)


MOST = 12
"""Numbers of one sentence that are looked at; a sentence with more is a list of data."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that a claim states."""

    unit: str
    """What is counted, in the singular: `test`, `crate`, `%`."""
    subject: frozenset[str]
    """The other telling words of its sentence."""
    value: float
    of: float | None
    line: int
    text: str
    """The sentence."""
    scope: Dated
    claim: int
    """The claim's place in the document."""

    @property
    def shown(self) -> str:
        """The value as a person writes it."""
        whole = f"{self.value:g}" if self.of is None else f"{self.value:g}/{self.of:g}"
        return whole + ("%" if self.unit == "%" else "")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two or more values for one quantity, each with where it stands."""

    quantity: str
    sides: tuple[tuple[str, int, str], ...]
    """Value, line (0 for the repository), and the words that say it."""
    detail: str


def quantities_of(claim: Claim, place: int) -> tuple[Quantity, ...]:
    """The standing quantities of a claim; crossed-out words are left out."""
    text = claim.text.replace(claim.struck_text, " ") if claim.struck_text else claim.text
    for anchor in claim.anchors:
        if anchor.kind is not AnchorClass.RECEIPT and anchor.kind is not AnchorClass.RUNTIME:
            text = text.replace(anchor.raw, " ")  # a cited name is no word of the sentence
    if not _DIGIT.search(text) and not _SPELLED.search(text):
        return ()
    said = " ".join((*claim.section, text))
    found: list[Quantity] = []
    for sentence in _sentences(text):
        clean = _settled(_CODE.sub(" ", sentence) if "/" in sentence or "`" in sentence else sentence)
        for match in islice(_VALUE.finditer(clean), MOST):
            unit = _unit(match)
            if unit is not None:
                found.append(_quantity(match, unit, clean, claim.lines[0], dated(said), place))
    return tuple(found)


def _sentences(text: str) -> Iterator[str]:
    for _, stretch in stretches(text):
        if _SENTENCE_SIGN.search(stretch):
            yield from _SENTENCE.split(stretch)
        else:
            yield stretch


def _settled(sentence: str) -> str:
    """A sentence in which a transition shows its last value only."""
    low = sentence.lower()
    if any(sign in low for sign in _ARROW_SIGNS):
        sentence = _ARROW.sub(lambda m: f"{m['new']}{m['middle']}", sentence)
    return _WAS_NOW.sub(" now ", sentence) if any(sign in low for sign in _WAS_SIGNS) else sentence


def _unit(match: re.Match[str]) -> tuple[str, list[str]] | None:
    """What a number counts, and the words beside it; `None` if it counts nothing that stands."""
    after = [w.lower() for w in _WORD.findall(match["after"] or "")]
    if _EVENTS & set(after[:4]):
        return None
    if match["scale"] and match["scale"].strip() == "%":
        return "%", after
    if not after or after[0] in _NOT_UNITS or not any(w not in _STOP or w == "main" for w in after):
        return None
    noun = _noun(after)
    return None if noun is None else (noun[0], [*noun[1], *after])


def _quantity(
    match: re.Match[str], unit: tuple[str, list[str]], sentence: str, line: int, scope: Dated, place: int
) -> Quantity:
    name, rest = unit
    before = sentence[: match.start()]
    words = {_singular(w.lower()) for w in _WORD.findall(before + " " + sentence[match.end() :])}
    subject = frozenset(w for w in words | set(map(_singular, rest)) if w not in _STOP and w != name and len(w) > 1)
    value, of = _number(match["value"]), _number(match["of"]) if match["of"] else None
    scale = (match["scale"] or "").strip().lower()
    value *= {"k": 1e3, "m": 1e6}.get(scale, 1)
    return Quantity(name, subject, value, of, line, " ".join(sentence.split()), scope, place)


def _noun(after: Sequence[str]) -> tuple[str, list[str]] | None:
    """The unit and its modifiers: of `unit tests in core`, `test` and `unit`. The run ends at the first small word."""
    run: list[str] = []
    for word in after[:3]:
        if word in _STOP or word in _NOT_UNITS:
            break
        run.append(word)
    if not run:
        return None
    plural = next((n for n, w in enumerate(run) if _singular(w) != w), len(run) - 1)
    return _singular(run[plural]), [*run[:plural], *run[plural + 1 :]]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _number(text: str) -> float:
    lowered = text.lower()
    return float(_NUMBERS[lowered]) if lowered in _NUMBERS else float(text.replace(",", ""))


def contradictions(quantities: Iterable[Quantity]) -> tuple[Contradiction, ...]:
    """Quantities of one subject and unit that disagree, in the order of the document."""
    by_unit: dict[str, list[Quantity]] = {}
    for quantity in quantities:
        by_unit.setdefault(quantity.unit, []).append(quantity)
    found: list[Contradiction] = []
    for unit, group in by_unit.items():
        for cluster in _clusters(group):
            values = {(q.value, q.of) for q in cluster}
            if len(values) > 1:
                found.append(_contradiction(unit, cluster))
    return tuple(sorted(found, key=lambda c: c.sides[0][1]))


def same_subject(a: Quantity, b: Quantity) -> bool:
    """True if two quantities of one unit speak of one thing at one time."""
    if a.unit != b.unit or a.scope.differs(b.scope) or (a.of is None) != (b.of is None):
        return False
    if not a.subject or not b.subject:
        return not a.subject and not b.subject
    return a.subject <= b.subject or b.subject <= a.subject


BUCKET = 400
"""Quantities of one unit that are compared with each other at most: a table of thousands states rows, not one quantity."""


def _clusters(group: Sequence[Quantity]) -> list[list[Quantity]]:
    clusters: list[list[Quantity]] = []
    for quantity in group[:BUCKET]:
        home = next((c for c in clusters if all(same_subject(quantity, q) for q in c)), None)
        if home is None:
            clusters.append([quantity])
        elif all(q.claim != quantity.claim or q.value == quantity.value for q in home):
            home.append(quantity)
    return clusters


def _contradiction(unit: str, cluster: Sequence[Quantity]) -> Contradiction:
    shared = frozenset.intersection(*(q.subject for q in cluster))
    name = " ".join([*sorted(shared), unit]).strip()
    sides = tuple((q.shown, q.line, q.text) for q in cluster)
    listed = ", ".join(f"{value} (line {line})" for value, line, _ in sides)
    return Contradiction(name, sides, f"The document gives different values for “{name}”: {listed}.")
