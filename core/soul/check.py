"""The check: parse, grip, verify, and say what is fresh, what is stale and what cannot be decided. Read-only.

Deterministic: the same document over the same evidence gives the same report, but for its time.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime

from core.frozen import dataclass
from core.soul.aging import AGE_DAYS, Hint, review_hints
from core.soul.bounds import NAME, STRETCH
from core.soul.context import Ground
from core.soul.document import parse
from core.soul.evidence import Evidence, Standing
from core.soul.facts import Facts
from core.soul.git_check import check_git
from core.soul.history import History
from core.soul.line_check import check_lines
from core.soul.locating import Paths
from core.soul.model import Anchor, AnchorClass, Claim, Document, Finding, Item, Reason, State, Tissue, Verdict
from core.soul.path_check import check_path
from core.soul.quantities import Contradiction, contradictions, quantities_of
from core.soul.receipt_check import check_receipt
from core.soul.supersession import Replaced, Restated, supersede
from core.soul.symbol_check import check_symbol, tail
from core.soul.tissue import TissueTable

_MANIFESTS = (
    "pyproject.toml", "package.json", "Cargo.toml", "setup.cfg", "VERSION", "Makefile", "makefile", "GNUmakefile", "justfile",
    "Justfile", ".justfile",
)  # fmt: skip
MOST_PACKAGES = 60
"""Manifests below the root that are read for their scripts."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What a project set for its soul (`[tool.recollect.soul]`)."""

    table: TissueTable = field(default_factory=TissueTable)
    age_days: int = AGE_DAYS
    floor: float = 1 / 3
    """Coverage under which the headline says so before it says fresh."""


@dataclass(frozen=True, slots=True)
class DeclaredChange:
    """How the declared claims differ from the last committed version."""

    known: bool
    """False without a committed version to compare with."""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    """Before and after."""

    @property
    def intact(self) -> bool:
        """True if nothing differs."""
        return not (self.added or self.removed or self.changed)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check."""

    soul_path: str
    document: Document
    doc_sha256: str
    head: str
    dirty: bool | None
    at: datetime
    items: tuple[Item, ...]
    contradictions: tuple[Contradiction, ...]
    restated: tuple[Restated, ...]
    replaced: tuple[Replaced, ...]
    findings: tuple[Finding, ...]
    hints: tuple[Hint, ...]
    declared: DeclaredChange
    citations: Mapping[str, int]
    """Of declared claims: `ok`, `broken`, `undecided`."""
    skipped: tuple[str, ...]
    behind: int | None
    touch: str
    floor: float

    def count(self, state: State) -> int:
        """Claims in a state."""
        return sum(1 for item in self.items if item.state is state)


def check(
    soul_path: str,
    text: str,
    data: bytes,
    evidence: Evidence,
    now: datetime,
    policy: Policy | None = None,
    *,
    replaced_bytes: bool = False,
) -> Checked:
    """Check the document `text` (its bytes are `data`) at `soul_path` against the evidence, as of `now` (aware)."""
    policy = policy or Policy()
    document = parse(text, policy.table)
    ground, old = _ground(soul_path, text, document, evidence, policy)
    above = ground.above
    quantities = {n: quantities_of(c, n, above.get(c.lines[0], "")) for n, c in enumerate(document.claims)}
    replaced, restated = supersede(document.claims, quantities)
    gone = {r.claim: r for r in replaced}
    nearby = _commands(document)
    items = tuple(_item(c, ground, gone.get(n), nearby, document.claims) for n, c in enumerate(document.claims))
    disagreeing = contradictions(q for n, group in quantities.items() if n not in gone for q in group)
    facts = Facts(ground)
    findings = (
        *document.findings,
        *_bad_bytes(replaced_bytes),
        *_flips(document, old),
        *_stale_regions(document, facts),
    )
    return Checked(
        soul_path,
        document,
        hashlib.sha256(data).hexdigest(),
        evidence.head,
        evidence.dirty,
        now,
        items,
        (*disagreeing, *_against_repository(document.claims, gone, facts, above)),
        restated,
        replaced,
        findings,
        review_hints(items, ground, now.date(), policy.age_days),
        _declared(document, old),
        _citations(items),
        _skipped(document, items, evidence),
        ground.history.behind(ground.touch) if ground.history is not None and ground.touch else None,
        ground.touch,
        policy.floor,
    )


def _ground(
    path: str, text: str, document: Document, evidence: Evidence, policy: Policy
) -> tuple[Ground, Document | None]:
    commits = evidence.commits
    history = None if commits is None else History(commits, evidence.head, evidence.complete)
    touched = history.last_touch(path) if history is not None else None
    touch = touched.sha if touched is not None else ""
    old_text = evidence.text_at(touch, path) if touch else None
    old = None if old_text is None else document if old_text == text else parse(old_text, policy.table)
    names = {tail(a.target) for c in document.claims for a in c.anchors if a.kind is AnchorClass.SYMBOL}
    heads = {
        s for c in document.claims for a in c.anchors if a.kind is AnchorClass.SYMBOL for s in a.target.split("::")[:1]
    }
    ground = Ground(
        evidence,
        Paths(evidence, path),
        history,
        evidence.symbols(names | heads),
        path,
        touch,
        frozenset(c.text for c in old.claims) if old is not None else frozenset(),
        _manifests(evidence),
        history.changed_since(touch) if history is not None and touch else None,
        _above(document),
    )
    if touch:
        hints = (a.target for c in document.claims for a in c.anchors if a.kind is AnchorClass.LINE_HINT)
        cited = (ground.paths.resolve(hint).path for hint in dict.fromkeys(hints))
        evidence.fetch(touch, [path for path in cited if path and not ground.unchanged(path)])
    return ground, old


def _above(document: Document) -> Mapping[int, str]:
    """The first lines of nested claims to the words of the claims that they stand in."""
    found: dict[int, str] = {}
    for claim in document.claims:
        for line in document.nested.get(claim.lines, ()) if document.nested else ():
            found[line] = f"{found.get(line, '')} {claim.text[:NAME]}"[-STRETCH:]
    return found


def _manifests(evidence: Evidence) -> Mapping[str, str]:
    names = [n for n in _MANIFESTS if evidence.standing(n) is Standing.FILE]
    names += [p for p in evidence.tracked or () if p.endswith("/package.json") and "node_modules/" not in p][
        :MOST_PACKAGES
    ]
    return {n: t for n in names if (t := evidence.text(n)) is not None}


def _commands(document: Document) -> Mapping[str, tuple[str, ...]]:
    """The fence commands of each section."""
    found: dict[str, list[str]] = {}
    for command in document.commands:
        found.setdefault(command.section, []).append(command.text)
    return {section: tuple(commands) for section, commands in found.items()}


# -- one claim


def _item(
    claim: Claim,
    ground: Ground,
    gone: Replaced | None,
    nearby: Mapping[str, tuple[str, ...]],
    claims: Sequence[Claim],
) -> Item:
    commands = nearby.get(claim.section[0] if claim.section else "", ())
    verdicts = tuple(v for a in claim.anchors if (v := verify(a, claim, ground, commands)) is not None)
    verdicts = tuple(sorted(verdicts, key=lambda v: -v.state.rank))  # stable: the earlier anchor wins a tie
    later = claims[gone.later].lines[0] if gone is not None and gone.later >= 0 else -1
    if claim.tissue is Tissue.DECLARED:
        return Item(claim, State.DECLARED, "", verdicts)
    if not verdicts:
        if gone is not None:
            return Item(claim, State.SUPERSEDED, Reason.SUPERSEDED.value, (), later)
        return Item(claim, State.UNPROVABLE, Reason.UNANCHORED.value, ())
    worst = verdicts[0]
    if gone is not None and worst.state.rank < State.SUPERSEDED.rank:
        return Item(claim, State.SUPERSEDED, Reason.SUPERSEDED.value, verdicts, later)
    return Item(claim, worst.state, worst.reason, verdicts, later)


def verify(anchor: Anchor, claim: Claim, ground: Ground, commands: Sequence[str]) -> Verdict | None:
    """The verdict on one anchor; `None` for what is neutral, or turns out to be no evidence."""
    if anchor.kind is AnchorClass.PATH:
        return check_path(anchor, claim, ground)
    if anchor.kind is AnchorClass.LINE_HINT:
        return check_lines(anchor, claim, ground)
    if anchor.kind is AnchorClass.SYMBOL:
        return check_symbol(anchor, ground)
    if anchor.kind is AnchorClass.GIT:
        return check_git(anchor, claim, ground)
    if anchor.kind is AnchorClass.RECEIPT:
        return check_receipt(anchor, claim, ground, commands)
    if anchor.kind is AnchorClass.RUNTIME:
        return Verdict(anchor, State.UNPROVABLE, "runtime", "Only the running system can show it.")
    return None


# -- the document as a whole


def _against_repository(
    claims: Sequence[Claim], gone: Mapping[int, Replaced], facts: Facts, above: Mapping[int, str]
) -> Iterable[Contradiction]:
    for place, claim in enumerate(claims):
        if place in gone:
            continue
        for m in facts.mismatches(claim.text, " ".join((*claim.section[1:], above.get(claim.lines[0], "")))):
            sides = ((m.said, claim.lines[0], claim.text), (m.known, 0, m.source))
            detail = f"The document says {m.quantity} {m.said} (line {claim.lines[0]}); {m.source} says {m.known}."
            yield Contradiction(m.quantity, sides, detail)


def _stale_regions(document: Document, facts: Facts) -> Iterable[Finding]:
    for region in document.regions:
        for line in region.text.splitlines():
            for m in facts.mismatches(line, generated=True):
                detail = f"The region auto-{region.name} says {m.quantity} {m.said}; {m.source} says {m.known}."
                yield Finding(Reason.STALE_GENERATED.value, region.lines[0], detail)


def _bad_bytes(replaced: bool) -> tuple[Finding, ...]:
    detail = "Bytes that are no UTF-8 were read as �."
    return (Finding(Reason.BAD_BYTES.value, 1, detail),) if replaced else ()


def _flips(document: Document, old: Document | None) -> Iterable[Finding]:
    """Sections whose claims had another tissue in the last committed version."""
    if old is None:
        return
    before = {c.text: c.tissue for c in old.claims}
    titles = {s.title: s.tissue for s in old.sections}
    for section in document.sections:
        inside = [c for c in document.claims if section.lines[0] <= c.lines[0] <= section.lines[1]]
        known = [before[c.text] for c in inside if c.text in before]
        was = titles.get(section.title)
        flipped = was is not None and was is not section.tissue
        if not flipped and known and sum(t is not section.tissue for t in known) * 2 > len(known):
            flipped = True
        if flipped:
            detail = f"“{section.title}” is {section.tissue.value} now; the last committed version held it otherwise."
            yield Finding(Reason.TISSUE_FLIP.value, section.lines[0], detail)


def _declared(document: Document, old: Document | None) -> DeclaredChange:
    if old is None:
        return DeclaredChange(known=False)
    now, then = _declared_texts(document), _declared_texts(old)
    added = list((Counter(now) - Counter(then)).elements())
    removed = list((Counter(then) - Counter(now)).elements())
    changed = []
    for before in list(removed):
        likely = next((a for a in added if _alike(before, a)), None)
        if likely is not None:
            changed.append((before, likely))
            removed.remove(before)
            added.remove(likely)
    return DeclaredChange(True, tuple(added), tuple(removed), tuple(changed))


def _declared_texts(document: Document) -> list[str]:
    return [c.text for c in document.claims if c.tissue is Tissue.DECLARED]


def _alike(a: str, b: str) -> bool:
    """True if one sentence is the other reworded: most of its words stayed."""
    first, second = set(a.lower().split()), set(b.lower().split())
    return len(first & second) * 2 >= max(len(first), len(second))


def _citations(items: Sequence[Item]) -> Mapping[str, int]:
    verdicts = [v for item in items if item.state is State.DECLARED for v in item.verdicts]
    ok = sum(v.state is State.FRESH for v in verdicts)
    broken = sum(v.state is State.STALE for v in verdicts)
    return {"ok": ok, "broken": broken, "undecided": len(verdicts) - ok - broken}


_NEEDS = {
    AnchorClass.RECEIPT: "no receipt of these commands at this commit is stored; nothing is run without being asked",
    AnchorClass.RUNTIME: "only the running system can show it",
}


def _skipped(document: Document, items: Sequence[Item], evidence: Evidence) -> tuple[str, ...]:
    """Every class that was not exercised, and why."""
    found = []
    cited = Counter(a.kind for c in document.claims for a in c.anchors)
    decided = Counter(v.anchor.kind for i in items for v in i.verdicts if v.state in (State.FRESH, State.STALE))
    for kind in AnchorClass:
        if kind is AnchorClass.NEUTRAL or decided[kind]:
            continue
        if not cited[kind]:
            found.append(f"{kind.value}: the document cites none")
        else:
            count = f"{cited[kind]} cited"
            found.append(f"{kind.value}: {count}; {_NEEDS.get(kind, 'none could be decided here')}")
    return (*found, *(f"git: {trouble}" for trouble in evidence.troubles))
