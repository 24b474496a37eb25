"""The curator's desk: work list, decisions, preview, seat-check, apply, undo, for every face in the same way."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import RecollectError, SurroundingsError, UsageError
from core.frozen import dataclass
from core.ports import Clock
from core.soul.check import Checked, check
from core.soul.covering import Tie, Units
from core.soul.curation import Curations, Draft, Keeper, Kept, PrunedClaim, Record, pruned_claims, report_of
from core.soul.desk import SoulDesk
from core.soul.git_evidence import GitEvidence
from core.soul.locating import read_soul, soul_path
from core.soul.model import Item, State, Tissue
from core.soul.policy import load_policy
from core.soul.prune import DocumentMoved, Plan, Prune, plan, unified, write_document
from core.soul.removals import Unit, is_blank
from core.soul.report import as_json, unanchored
from core.soul.seat import Rerun, SeatCheck, seat_check

KNOWN = 4
"""Checks that a curator remembers: the document as it stands, and as it would be after the last few decisions."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What applying the draft would do, and what the rules say of it."""

    draft: Draft
    plan: Plan
    report: Mapping[str, Any]
    seat: SeatCheck | None
    """`None` until a grader is named."""
    diff: str
    receipt_before: str
    receipt_after: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What applying did."""

    record: Record
    error: str = ""
    """Why memory could not confirm the claims; they wait in its spool."""


class Curator:
    """Curates one document of one project."""

    def __init__(self, desk: SoulDesk, state: Path, clock: Clock, given: str = "") -> None:
        self._desk = desk
        self._clock = clock
        evidence = desk.open()
        try:
            self.root = evidence.root
            self.path = soul_path(evidence.root, desk.inside(evidence, given), desk.here)
        finally:
            evidence.close()
        self.curations = Curations(state, self.root)
        self._known: dict[str, tuple[Checked, Mapping[str, list[object]]]] = {}
        """Checks by what they rest on, the one that was asked for last at the end."""

    # -- deciding

    def work_list(self) -> tuple[Item, ...]:
        """Claims to decide on: stale ones first, then superseded ones, in the order of the document."""
        checked = self._checked(self._text()[0])
        wanted = {State.STALE: 0, State.SUPERSEDED: 1}
        return tuple(sorted((i for i in checked.items if i.state in wanted), key=lambda i: wanted[i.state]))

    def report(self) -> tuple[dict[str, Any], str]:
        """The check of the document as it stands (`recollect-soul-check-v1`), and the document."""
        text, data = self._text()
        return as_json(self._checked(text, data), self.root), text

    def draft(self) -> Draft:
        """The open decisions, or an empty draft on the document as it stands."""
        return self.curations.draft(self.path) or Draft(self.path, hashlib.sha256(self._text()[1]).hexdigest())

    def decide(self, line: int, why: str, where: str, *, by: str) -> Draft:
        """Decide that the claim standing at a line goes. Raises `UsageError` where no claim stands there."""
        with self.curations.alone():
            draft = self.decided(line, why, where, by=by)
            self.curations.save(draft)
        return draft

    def decided(self, line: int, why: str, where: str, *, by: str) -> Draft:
        """The draft with that decision, not kept: what a form would do while it is written. Raises as `decide`."""
        text, data = self._text()
        document = self._checked(text).document
        claim = next((c for c in document.claims if any(a <= line <= b for a, b in c.own_lines)), None)
        if claim is None:
            raise UsageError(f"No claim stands at line {line} of {self.path}.", "Run: recollect soul claims")
        draft = self._fresh_draft(data, by)
        prune = Prune(claim.lines, claim.text, why, where, claim.tissue is Tissue.DECLARED)
        plan(data, [prune], load_policy(self.root).table) if not _nested(draft, prune) else None
        return draft.decided(prune)

    def decline(self, claim: str, why: str, *, by: str) -> Draft:
        """Say that something was looked at and left as it is. Raises `UsageError` where it was decided that it goes."""
        if is_blank(claim) or is_blank(why):
            raise UsageError("A declined claim needs its words and a reason.", "Give --claim and --why.")
        with self.curations.alone():
            draft = self._fresh_draft(self._text()[1], by)
            if going := next((p for p in draft.prunes if p.what == claim), None):
                line = going.lines[0]
                raise UsageError(
                    f"The claim at line {line} is decided to go.", f"Run first: recollect curate back --line {line}"
                )
            return self._saved(draft.leaving(claim, why))

    def keep_stale(self, claim: str, reason: str) -> Draft:
        """Give the curator's own reason for a claim that stays stale. Raises `UsageError` where no stale one, or more
        than one, has these words."""
        if is_blank(reason):
            raise UsageError("The reason is blank.", "Say why the claim stays stale.")
        with self.curations.alone():
            return self._saved(self.draft().staying(self._stale_claim(claim), reason))

    def _stale_claim(self, words: str) -> str:
        """The stale claim that is meant, as the report writes it."""
        found = _meant(words, [str(row["claim"]) for row in self.report()[0]["stale"]])
        if not found:
            raise UsageError(
                f"In {self.path} no stale claim, or more than one, has the words “{words[:60]}”.",
                "Copy the whole claim from recollect curate list.",
            )
        return found

    def sign(self, by: str) -> Draft:
        """Say who curates, for decisions that are open."""
        with self.curations.alone():
            return self._saved(replace(self.draft(), curated_by=by.strip()))

    def take_back(self, line: int) -> Draft:
        """Take the decision on the claim at a line back."""
        with self.curations.alone():
            return self._saved(self.draft().without(line))

    def unsay(self, claim: str) -> Draft:
        """Take back why a claim is left or stays. Raises `UsageError` where nothing was said of it."""
        with self.curations.alone():
            draft = self.draft()
            said = _meant(claim, [*draft.still_stale, *(words for words, _ in draft.declined)])
            if not said:
                raise UsageError(f"Nothing was said of “{claim[:60]}”.", "Run: recollect curate show")
            return self._saved(draft.leaving(said, "").staying(said, ""))

    def _saved(self, draft: Draft) -> Draft:
        self.curations.save(draft)
        return draft

    def _fresh_draft(self, data: bytes, by: str) -> Draft:
        sha = hashlib.sha256(data).hexdigest()
        draft = self.curations.draft(self.path) or Draft(self.path, sha)
        if draft.doc_sha256 != sha:
            if draft.prunes:
                raise DocumentMoved(
                    f"{self.path} changed since the first of your {len(draft.prunes)} decisions.",
                    "Look at them again: recollect curate show; give them up: recollect curate drop",
                )
            draft = replace(draft, doc_sha256=sha)
        return replace(draft, curated_by=by.strip() or draft.curated_by)

    # -- previewing

    def preview(self, grader: str = "", draft: Draft | None = None) -> Preview:
        """The exact difference, the report, and the seat-check if a grader is named. Writes nothing.

        `draft`: decisions that are still being written, in place of the ones that are kept.
        """
        text, data = self._text()
        draft = self.draft() if draft is None else draft
        if draft.doc_sha256 != hashlib.sha256(data).hexdigest():
            raise DocumentMoved(
                f"{self.path} was changed by somebody else since your decisions were taken; nothing was written.",
                "Look at them again: recollect curate show; give them up: recollect curate drop",
            )
        made = plan(data, draft.prunes, load_policy(self.root).table)
        after_text = made.after.decode("utf-8", "replace")
        before, after = self._checked(text), self._checked(after_text, made.after)
        rerun = as_json(after, self.root)
        report = report_of(draft, made, rerun, len(before.items))
        seat = None
        if not is_blank(grader):
            seat = self.seat_check(report, grader, text, after_text, before, after)
        return Preview(
            draft, made, report, seat, unified(data, made.after, self.path), as_json(before, self.root)["receipt"],
            rerun["receipt"],
        )  # fmt: skip

    def seat_check(
        self, report: object, grader: str, before_text: str, after_text: str, before: Checked, after: Checked
    ) -> SeatCheck:
        """A report against every rule, with both documents and a check of the second."""
        document = as_json(after, self.root)
        rerun = Rerun(document["receipt"], document["stale"], len(unanchored(after)), len(unanchored(before)))
        table = load_policy(self.root).table
        return seat_check(report, grader, before=before_text, after=after_text, rerun=rerun, table=table)

    # -- doing

    def apply(self, grader: str, keeper: Keeper) -> Applied:
        """Apply the draft, if the seat-check passes. Raises `UsageError` with the first violation where it does not,
        `DocumentMoved` if the document changed, `SurroundingsError` where memory refuses the claims; then the document
        is as it was, and the decisions are kept."""
        with self.curations.alone():
            self._settle(keeper)
            return self._apply(grader, keeper)

    def _apply(self, grader: str, keeper: Keeper) -> Applied:
        preview = self.preview(grader)
        if preview.draft.empty:
            raise UsageError("Nothing was decided yet.", "Run: recollect curate prune --line N --why … --where …")
        if preview.seat is None:
            raise UsageError("The grader has no id.", "Name who checks: --grader host:tier:name")
        if not preview.seat.passed:
            worst = preview.seat.violations[0]
            more = f" ({len(preview.seat.violations) - 1} more)" if len(preview.seat.violations) > 1 else ""
            raise UsageError(
                f"The seat-check does not pass: {worst.message}{more}", "Run: recollect curate show --grader ID"
            )
        evidence = self._desk.open()
        try:
            head = evidence.head
        finally:
            evidence.close()
        record = self.curations.new_record(self.path, preview.plan, preview.report, preview.seat, self._clock.now())
        self.curations.keep(record)
        try:
            kept = _handed(keeper, pruned_claims(preview.draft, preview.plan, head))
            record = replace(record, memory_ids=kept.ids, persisted=kept.persisted)
            self.curations.keep(record)
            write_document(f"{self.root}/{self.path}", preview.plan.sha256, preview.plan.after)
        except RecollectError:
            self._give_up(record, keeper)
            raise
        record = replace(record, state="applied")
        self.curations.keep(record)
        self.curations.drop(self.path)
        return Applied(record, kept.error)

    def _give_up(self, record: Record, keeper: Keeper) -> None:
        """A curation that was planned and is not applied: its claims stand in the document, so memory hides its own."""
        if record.memory_ids:
            who = str(record.report.get("curated_by") or "")
            keeper.forget(record.memory_ids, "the prune was not applied: the document had changed", who)
        self.curations.keep(replace(record, state="undone"))

    def _settle(self, keeper: Keeper) -> None:
        """Look after curations whose process was killed between the document and its record: the document tells whether
        they were applied."""
        for record in self.curations.records():
            if record.state != "planned":
                continue
            if self._stands(record) == record.after_sha256:
                self.curations.keep(replace(record, state="applied"))
                draft = self.curations.draft(record.soul_path)
                if draft is not None and draft.doc_sha256 == record.before_sha256 != record.after_sha256:
                    self.curations.drop(record.soul_path)
            else:
                self._give_up(record, keeper)

    def _stands(self, record: Record) -> str:
        """The hash of a curation's document as it stands; `""` where it cannot be read."""
        try:
            return hashlib.sha256(read_soul(self.root, record.soul_path)[1]).hexdigest()
        except UsageError:
            return ""

    def undo(self, keeper: Keeper, identity: str = "", by: str = "") -> Applied:
        """Bring the document back as it was, byte for byte. Raises `DocumentMoved` if it was changed since."""
        with self.curations.alone():
            self._settle(keeper)
            record = self.curations.record(identity)
            if record.state != "applied":
                raise UsageError(f"The curation {record.id} is {record.state}, so there is nothing to undo.", "")
            if self._stands(record) != record.before_sha256:  # else it is back already: an undo was cut short after it
                write_document(f"{self.root}/{record.soul_path}", record.after_sha256, record.before)
            who = by.strip() or str(record.report.get("curated_by") or "")
            kept = keeper.forget(record.memory_ids, "the prune was undone", who) if record.memory_ids else None
            record = replace(record, state="undone")
            self.curations.keep(record)
        return Applied(record, kept.error if kept is not None else "")

    def committed(self, record: Record, commit: str) -> Record:
        """Note the commit that holds an applied curation."""
        record = replace(record, commit=commit)
        self.curations.keep(record)
        return record

    # -- reading

    def _text(self) -> tuple[str, bytes]:
        text, data, _ = read_soul(self.root, self.path)
        return text, data

    def _checked(self, text: str, data: bytes | None = None) -> Checked:
        """A check, or the one that was made before of the same text over the same project: one decision asks for the same
        two texts several times, and each check asks git anew."""
        evidence: GitEvidence = self._desk.open()
        try:
            raw = data if data is not None else text.encode("utf-8", "surrogatepass")
            key = self._desk.key(evidence, self.path, raw)
            if known := self._known.pop(key, None):
                checked, probes = known
                if all(evidence.probe(path) == seen for path, seen in probes.items()):
                    self._known[key] = known
                    return replace(checked, at=self._clock.now())
            checked = check(self.path, text, raw, evidence, self._clock.now(), load_policy(self.root))
            if not evidence.troubles:
                self._known = dict([*self._known.items(), (key, (checked, evidence.probes()))][-KNOWN:])
            return checked
        finally:
            evidence.close()


def _meant(words: str, texts: Sequence[str]) -> str:
    """The one of some texts that has these words, or them among others; `""` where none or several have."""
    if words in texts:
        return words
    tie, found = Units([Unit(text, Tissue.VERIFIABLE, "", (0, 0)) for text in texts]).tied(words)
    meant = {texts[at] for at in found} if tie in (Tie.SAME, Tie.PART) else set()
    return meant.pop() if len(meant) == 1 else ""


def _handed(keeper: Keeper, claims: Sequence[PrunedClaim]) -> Kept:
    """What memory answers to the claims that leave. Raises `SurroundingsError` where it will never hold them."""
    if not claims:
        return Kept((), persisted=False)
    kept = keeper.keep(claims)
    if kept.refused:
        raise SurroundingsError(
            f"Memory did not take the claims, so none was taken out of the document: {kept.error}",
            "Run: recollect memory status",
        )
    return kept


def _nested(draft: Draft, prune: Prune) -> bool:
    """True if decisions on neighbours are open: whether items are left without their parent shows when all are taken."""
    return bool(draft.prunes) or not prune.why


def rows_of(items: Sequence[Item]) -> list[Mapping[str, Any]]:
    """A work list as JSON values' material: lines, state, reason, words."""
    return [{"lines": i.claim.lines, "state": i.state.value, "reason": i.reason, "text": i.claim.text} for i in items]
