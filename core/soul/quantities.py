"""Quantities that a document states, and where it contradicts itself or its repository (design/soul.md 3).

A quantity is a number with a unit and the words that say what is counted. Two of them are compared only where unit and
subject agree and neither is scoped to another time; "from 12 to 28" and "was 12, now 28" are transitions whose last
value counts. What happened ("3 bugs fixed") is no standing quantity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from core.frozen import dataclass
from core.soul.amounts import NEAR, NUMBER, NUMBER_WORDS, SPELLED, Amount, amount_at, number
from core.soul.bounds import NAME, STRETCH, stretches
from core.soul.dating import Dated, dated
from core.soul.model import AnchorClass, Claim

_DIGIT = re.compile(r"\d")
_SPELLED = re.compile(rf"\b{SPELLED}\b", re.IGNORECASE)
_VALUE = re.compile(
    rf"(?<![\w.#/:$-])(?P<value>{NUMBER})(?P<scale>\s?%|\s?[kKmM](?![\w]))?"
    rf"(?:\s?/\s?(?P<of>{NUMBER})(?!\w))?(?:\+(?!\w)| or (?:more|fewer|less)\b)?"
    r"(?P<after>(?:[ -](?:of the |of )?[^\W\d_][\w'-]*){0,4})",
    re.IGNORECASE,
)
_ARROW = re.compile(
    rf"(?P<from>\b(?:from|was|were|previously|formerly)\s+)?(?P<old>{NUMBER})(?P<middle>(?:\s+[^\W\d_]\w*){{0,2}})\s*(?P<sign>→|->|⇒|=>|\bto\b|, now|; now|\bnow\b)\s*(?P<new>{NUMBER})(?!\w)",
    re.IGNORECASE,
)
_WAS_NOW = re.compile(
    rf"\b(?:was|were|up from|down from|previously|formerly|used to be)\s+(?P<old>{NUMBER})\b(?:[^.;]{{0,40}}?\b(?:now|today)\b)?",
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
    take takes took taking use used uses wait waits waited was were when where which while who will with within without you your we i he she via about around roughly approximately
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


_LABELS = frozenset(
    """
    line page port version step phase chapter section issue pr mr ticket no nr number option rule figure table part tier level layer http exit
    status code error errno class priority channel slot utf python node java ruby php perl postgres redis ubuntu debian macos ios android
    """.split()  # noqa: SIM905
)
"""A number directly after one of these is a name, no count: `HTTP 500 responses`, `Python 3 builds`."""
_LABEL = re.compile(rf"\b(?:{'|'.join(sorted(_LABELS))})\s+#?\d+|\b(?:19|20)\d\d\b", re.IGNORECASE)
"""A name with its number, or a year: what a sentence speaks of."""
_WANTED = re.compile(
    r"\b(?:should|would|will|plan(?:s|ned)?|goals?|targets?|aims?|expect(?:s|ed)?|by then|eventually|wanted|hope(?:s|d)?|ziel|soll(?:te|ten|en)?|"
    r"objectif|objetivo|meta)\b",
    re.IGNORECASE,
)
_RELATIVE = frozenset("% percent second minute hour day week month year sec min ms".split())  # noqa: SIM905
"""Units that say nothing without a subject: two spans of time, or two parts of something, may be of anything."""
_LABELLED = re.compile(rf"^(?P<label>[^:=|]{{2,80}}?)\s*[:=]\s*(?P<value>{NUMBER})\s*[.!]?$", re.IGNORECASE)
"""`Cases in the battery: 12`, the whole of a sentence."""
_ASIDE = re.compile(r"\([^()]*\)|\b(?:see|cf\.?|siehe|voir|ver)\s+\S+", re.IGNORECASE)
"""Where a name is cited as evidence, not as what is spoken of."""
_CITED = 0xE000
"""Stands in the text, with the anchor's number added, for a cited name."""
_MARK = re.compile(r"[\ue000-\uf8ff]")


_NO_NAMES: frozenset[str] = frozenset()
MOST_NAMES = 1_000
"""Cited names of one claim that are told from each other."""
ROUNDED = 0.499
"""How far a rounded number reaches, in its last digit."""
MOST = 12
"""Numbers of one sentence that are looked at; a sentence with more is a list of data."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that a claim states."""

    unit: str
    """What is counted, in the singular: `test`, `crate`, `%`."""
    subject: frozenset[str]
    """The other telling words of its sentence."""
    bare: bool
    """True if nothing beside the number and its noun says what it is of."""
    value: float
    of: float | None
    amount: Amount
    """The values that its words allow."""
    cited: frozenset[str]
    """The files and symbols that its sentence speaks of; not those that it cites in brackets."""
    line: int
    text: str
    """The sentence."""
    scope: Dated
    claim: int
    """The claim's place in the document."""
    wanted: bool = False
    """True for a goal, a plan or an expectation: what is says nothing against it."""
    words: str = ""
    """How the number is written where more than one value is allowed: `over 12`."""

    @property
    def shown(self) -> str:
        """The value as a person writes it."""
        if self.words:
            return self.words
        whole = f"{self.value:g}" if self.of is None else f"{self.value:g}/{self.of:g}"
        return whole + ("%" if self.unit == "%" else "")

    def disagrees(self, other: Quantity) -> bool:
        """True if no value is allowed by both."""
        if self.of is not None or other.of is not None:
            return (self.value, self.of) != (other.value, other.of)
        return self.amount.high < other.amount.low or other.amount.high < self.amount.low


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two or more values for one quantity, each with where it stands."""

    quantity: str
    sides: tuple[tuple[str, int, str], ...]
    """Value, line (0 for the repository), and the words that say it."""
    detail: str


def quantities_of(claim: Claim, place: int, above: str = "") -> tuple[Quantity, ...]:
    """The standing quantities of a claim; crossed-out words are left out. `above`: the claims it is nested in."""
    text = claim.text.replace(claim.struck_text, " ") if claim.struck_text else claim.text
    if not _DIGIT.search(text) and not _SPELLED.search(text):
        return ()
    text, names = _without_names(text, claim)
    if not _DIGIT.search(text) and not _SPELLED.search(text):
        return ()
    said = " ".join((*claim.section, text))
    lead = " ".join((*claim.section[1:], above))
    found: list[Quantity] = []
    for sentence in _sentences(text):
        clean = _settled(_CODE.sub(" ", sentence) if "/" in sentence or "`" in sentence else sentence)
        marks = _MARK.findall(clean) if names else ()
        cited = frozenset(names[ord(m) - _CITED] for m in _MARK.findall(_ASIDE.sub(" ", clean))) if marks else _NO_NAMES
        labels = (
            frozenset(" ".join(m.lower().split()) for m in _LABEL.findall(clean)) if _DIGIT.search(clean) else _NO_NAMES
        )
        stated = _Stated(clean, lead, cited, labels, bool(_WANTED.search(clean)), claim.lines[0], dated(said), place)
        for match in islice(_VALUE.finditer(clean), MOST):
            unit = _unit(match, clean)
            if unit is not None:
                found.append(_quantity(match, unit, stated))
        if (
            (":" in clean or "=" in clean)
            and (labelled := _LABELLED.match(clean.strip()))
            and (label := _label(labelled["label"]))
        ):
            found.append(_quantity(labelled, label, stated))
        if len(lead) < NAME:
            lead = f"{lead} {' '.join(names[ord(m) - _CITED] for m in marks)} {clean}"[:STRETCH]
    return tuple(found)


def _without_names(text: str, claim: Claim) -> tuple[str, list[str]]:
    """The text with a mark for each file and symbol that it cites, blanks for other names, and what the marks stand for:
    a cited name is no word of the sentence."""
    names: list[str] = []
    text = _MARK.sub(" ", text)  # foreign text may hold such signs
    for anchor in sorted(claim.anchors, key=lambda a: -len(a.raw)):  # `client.py` is a part of `pay/client.py`
        if anchor.kind in (AnchorClass.PATH, AnchorClass.LINE_HINT, AnchorClass.SYMBOL) and len(names) < MOST_NAMES:
            text = text.replace(anchor.raw, chr(_CITED + len(names)))
            names.append(anchor.target)
        elif anchor.kind is not AnchorClass.RECEIPT and anchor.kind is not AnchorClass.RUNTIME:
            text = text.replace(anchor.raw, " ")
    return text, names


@dataclass(frozen=True, slots=True)
class _Stated:
    """A sentence in which a number stands."""

    text: str
    lead: str
    """What stands before it: what a sentence of a number and its unit alone is about."""
    cited: frozenset[str]
    labels: frozenset[str]
    """The numbered names and years in it."""
    wanted: bool
    line: int
    scope: Dated
    place: int


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
        sentence = _ARROW.sub(_after_arrow, sentence)
    return _WAS_NOW.sub(" now ", sentence) if any(sign in low for sign in _WAS_SIGNS) else sentence


def _after_arrow(match: re.Match[str]) -> str:
    """The last value of a transition; `10 to 15` without a word of change is a range, and stays."""
    if match["sign"].lower() == "to" and not match["from"] and not match["middle"]:
        return match.group()
    return f"{match['new']}{match['middle']}"


_Unit = tuple[str, Sequence[str], Sequence[str]]
"""What is counted, the words of its noun (`unit` of `unit tests`), and the words that follow."""


def _unit(match: re.Match[str], sentence: str) -> _Unit | None:
    """What a number counts; `None` if it counts nothing that stands."""
    after = [w.lower() for w in _WORD.findall(match["after"] or "")]
    if _EVENTS & set(after[:4]):
        return None
    if (match["scale"] and match["scale"].strip() == "%") or after[:1] == ["percent"]:
        return "%", (), after
    if not after or after[0] in _NOT_UNITS or not any(w not in _STOP or w == "main" for w in after):
        return None
    before = [w.lower() for w in sentence[max(0, match.start() - NEAR) : match.start()].split()]
    if before and (before[-1] in _LABELS or before[-1] in _EVENTS):
        return None
    noun = _noun(after)
    return None if noun is None else (*noun, after)


def _label(label: str) -> _Unit | None:
    """The unit and the other words of what stands before a colon and a number, where it names a plurality."""
    words = [w.lower() for w in _WORD.findall(label)]
    noun = _noun(words)
    if noun is None or not any(_singular(w) == noun[0] != w for w in words):
        return None
    return *noun, words


def _quantity(match: re.Match[str], unit: _Unit, stated: _Stated) -> Quantity:
    name, own, after = unit
    sentence, labelled = stated.text, "label" in match.re.groupindex
    scale = "" if labelled else (match["scale"] or "").strip().lower()
    size = {"k": 1e3, "m": 1e6}.get(scale, 1.0)
    value, of = number(match["value"]) * size, number(match["of"]) if not labelled and match["of"] else None
    digits = len(match["value"].partition(".")[2])
    grain = ROUNDED * size / 10**digits if size > 1 or name == "%" else 0.0
    start, end = match.span("value")
    amount = amount_at(match.string, start, end, value, grain)
    around = "" if labelled else sentence[: amount.start] + " " + sentence[match.end() :]
    noun = _telling(own, name)
    said = (_telling(_WORD.findall(around), name) | _telling(after, name)) - noun
    if stated.labels:
        said |= stated.labels
    if not said and not stated.cited:
        said = _telling(_WORD.findall(stated.lead), name) - noun
    words = " ".join(match.string[amount.start : amount.end].split()) + scale if amount.widened else ""
    shown = " ".join(_MARK.sub(" ", sentence).split())
    said_where = (stated.line, shown, stated.scope, stated.place)
    return Quantity(name, noun | said, not said, value, of, amount, stated.cited, *said_where, stated.wanted, words)


def _telling(words: Iterable[str], unit: str) -> frozenset[str]:
    """The words that say what is spoken of, in the singular."""
    singular = (_singular(w.lower()) for w in words)
    return frozenset(w for w in singular if w not in _STOP and w != unit and len(w) > 1 and w not in NUMBER_WORDS)


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


@lru_cache(maxsize=16_384)
def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def contradictions(quantities: Iterable[Quantity]) -> tuple[Contradiction, ...]:
    """Quantities of one subject and unit that disagree, in the order of the document."""
    by_unit: dict[str, list[Quantity]] = {}
    for quantity in quantities:
        by_unit.setdefault(quantity.unit, []).append(quantity)
    found: list[Contradiction] = []
    for unit, group in by_unit.items():
        found += (
            _contradiction(unit, cluster)
            for cluster in _clusters(group)
            if any(q.disagrees(other) for q in _ends(cluster) for other in cluster)
        )
    return tuple(sorted(found, key=lambda c: c.sides[0][1]))


def _ends(cluster: Sequence[Quantity]) -> tuple[Quantity, Quantity]:
    """The two that disagree if any do: one allows the least, the other the most."""
    return max(cluster, key=lambda q: q.amount.low), min(cluster, key=lambda q: q.amount.high)


def same_subject(a: Quantity, b: Quantity) -> bool:
    """True if two quantities of one unit speak of one thing at one time."""
    if a.unit != b.unit or a.wanted is not b.wanted or a.scope.differs(b.scope) or (a.of is None) != (b.of is None):
        return False
    if a.cited and b.cited and not a.cited & b.cited:
        return False
    if a.bare or b.bare:
        alike = a.subject == b.subject and bool(a.cited) == bool(b.cited)
        return alike and (a.unit not in _RELATIVE or bool(a.subject or a.cited))
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
