"""The whole loop over a made-up project: decide, look, seat-check, apply, undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from core.errors import UsageError
from core.soul.check import check
from core.soul.curation import Kept, PrunedClaim
from core.soul.curator import Curator
from core.soul.desk import SoulDesk
from core.soul.prune import DocumentMoved
from tests.core.git_made import Made
from tests.core.soul.projects import NOW, project, run, state

ANA, BEN = "host:main:ana", "host:main:ben"
BODY = "- the gateway is in `pay/gone.py`\n- the client is in `pay/client.py`\n- helpers are in `pay/old_name.py`"
SOUL = state(BODY) + "\n## Do Not Do\n\n- touch `pay/gone.py`\n"


class _Clock:
    def now(self) -> datetime:
        return NOW


@dataclass
class _Memory:
    persisted: bool = True
    held: dict[str, PrunedClaim] = field(default_factory=dict)
    forgotten: list[str] = field(default_factory=list)

    def keep(self, claims: Sequence[PrunedClaim]) -> Kept:
        ids = tuple(f"m{len(self.held) + n}" for n in range(len(claims)))
        self.held.update(zip(ids, claims, strict=True))
        return Kept(ids, self.persisted, "" if self.persisted else "write_not_persisted")

    def forget(self, ids: Sequence[str], why: str, by: str) -> Kept:
        assert why
        assert by
        self.forgotten += ids
        return Kept(tuple(ids), self.persisted)


def _curator(tmp_path: Path, soul: str = SOUL) -> tuple[Curator, Made]:
    made = project(tmp_path / "r", soul)
    desk = SoulDesk(str(made.root), tmp_path / "state", tmp_path / "cache", _Clock())
    return Curator(desk, tmp_path / "state", _Clock()), made


def test_the_work_list_holds_what_is_stale(tmp_path: Path) -> None:
    curator, _ = _curator(tmp_path)
    assert [i.claim.lines for i in curator.work_list()] == [(5, 5), (7, 7)]


def test_the_whole_loop(tmp_path: Path) -> None:
    curator, made = _curator(tmp_path)
    before = (made.root / "PATHOS.md").read_bytes()
    curator.decide(5, "the gateway was dropped", "git history", by=ANA)
    preview = curator.preview(BEN)
    assert [r for r in preview.diff.splitlines()[2:] if r[0] in "+-"] == ["-- the gateway is in `pay/gone.py`"]
    assert preview.seat is not None
    assert preview.seat.passed, preview.seat.violations
    assert (made.root / "PATHOS.md").read_bytes() == before
    memory = _Memory()
    applied = curator.apply(BEN, memory)
    assert (made.root / "PATHOS.md").read_bytes() == before.replace(b"- the gateway is in `pay/gone.py`\n", b"")
    (claim,) = memory.held.values()
    assert (claim.text, claim.soul_source) == ("the gateway is in pay/gone.py", "PATHOS.md#Current State")
    assert claim.evidence == ("file:PATHOS.md:5", f"commit:{made.shas[-1]}", "file:pay/gone.py")
    assert applied.record.state == "applied"
    assert applied.record.persisted
    after = run(made.root)
    assert [i.claim.lines for i in after.items if i.state.value == "evidence-stale"] == [(6, 6)]
    assert applied.record.report["receipt_line"].split(" - ", 1)[1] == preview.receipt_after.split(" - ", 1)[1]
    undone = curator.undo(memory)
    assert (made.root / "PATHOS.md").read_bytes() == before
    assert memory.forgotten == list(memory.held)
    assert undone.record.state == "undone"
    with pytest.raises(UsageError, match="nothing to undo"):
        curator.undo(memory)


def test_the_author_cannot_grade(tmp_path: Path) -> None:
    curator, made = _curator(tmp_path)
    curator.decide(5, "gone", "gone", by=ANA)
    before = (made.root / "PATHOS.md").read_bytes()
    with pytest.raises(UsageError, match="one seat"):
        curator.apply("HOST:main:Ana@boss", _Memory())
    assert (made.root / "PATHOS.md").read_bytes() == before
    assert curator.curations.records() == ()


def test_a_declared_claim_is_proposed_and_stays(tmp_path: Path) -> None:
    curator, made = _curator(tmp_path)
    line = SOUL.split("\n").index("- touch `pay/gone.py`") + 1
    curator.decide(line, "the file is gone", "gone", by=ANA)
    memory = _Memory()
    applied = curator.apply(BEN, memory)
    assert (made.root / "PATHOS.md").read_text() == SOUL
    assert memory.held == {}
    assert applied.record.report["pruned"][0]["proposed"] is True


def test_a_concurrent_edit_is_never_overwritten(tmp_path: Path) -> None:
    curator, made = _curator(tmp_path)
    curator.decide(5, "gone", "gone", by=ANA)
    edited = SOUL + "\n- theirs\n"
    made.write("PATHOS.md", edited)
    memory = _Memory()
    with pytest.raises(DocumentMoved, match="somebody else"):
        curator.apply(BEN, memory)
    assert (made.root / "PATHOS.md").read_text() == edited
    assert memory.held == {}
    assert curator.draft().prunes
    with pytest.raises(DocumentMoved, match="decisions"):
        curator.decide(7, "gone", "gone", by=ANA)


def test_an_edit_between_memory_and_the_document_leaves_a_tombstone(tmp_path: Path) -> None:
    curator, made = _curator(tmp_path)
    curator.decide(5, "gone", "gone", by=ANA)

    class _Slow(_Memory):
        def keep(self, claims: Sequence[PrunedClaim]) -> Kept:
            made.write("PATHOS.md", "theirs\n")
            return super().keep(claims)

    memory = _Slow()
    with pytest.raises(DocumentMoved):
        curator.apply(BEN, memory)
    assert (made.root / "PATHOS.md").read_text() == "theirs\n"
    assert memory.forgotten == list(memory.held)
    assert [r.state for r in curator.curations.records()] == ["undone"]


def test_a_memory_that_is_away_is_said_and_the_prune_is_applied(tmp_path: Path) -> None:
    curator, _ = _curator(tmp_path)
    curator.decide(5, "gone", "gone", by=ANA)
    applied = curator.apply(BEN, _Memory(persisted=False))
    assert applied.error == "write_not_persisted"
    assert not applied.record.persisted


def test_undo_refuses_over_a_later_edit(tmp_path: Path) -> None:
    curator, made = _curator(tmp_path)
    curator.decide(5, "gone", "gone", by=ANA)
    curator.apply(BEN, _Memory())
    later = (made.root / "PATHOS.md").read_text() + "\n- later\n"
    made.write("PATHOS.md", later)
    with pytest.raises(DocumentMoved):
        curator.undo(_Memory())
    assert (made.root / "PATHOS.md").read_text() == later


def test_decisions_are_taken_back_and_declined_and_kept_stale(tmp_path: Path) -> None:
    curator, _ = _curator(tmp_path)
    curator.decide(5, "gone", "gone", by=ANA)
    curator.decide(7, "gone", "gone", by=ANA)
    curator.take_back(5)
    curator.decline("the client is in pay/client.py", "still true", by=ANA)
    curator.keep_stale("the gateway is in pay/gone.py", "waiting for the owner")
    report = curator.preview().report
    assert [r["lines"] for r in report["pruned"]] == [[7, 7]]
    assert report["declined"] == [{"claim": "the client is in pay/client.py", "why": "still true"}]
    assert [(s["claim"], s["reason"]) for s in report["still_stale"]] == [
        ("the gateway is in pay/gone.py", "waiting for the owner")
    ]


def test_nothing_decided_and_no_claim_there_are_said(tmp_path: Path) -> None:
    curator, _ = _curator(tmp_path)
    with pytest.raises(UsageError, match="Nothing was decided"):
        curator.apply(BEN, _Memory())
    with pytest.raises(UsageError, match="No claim stands at line 2"):
        curator.decide(2, "x", "y", by=ANA)
    with pytest.raises(UsageError, match="why"):
        curator.decide(5, " ", "y", by=ANA)


def test_a_linked_document_is_curated_and_has_its_own_history(tmp_path: Path) -> None:
    made = project(tmp_path / "r", SOUL, name="docs/state.md")
    (made.root / "PATHOS.md").symlink_to("docs/state.md")
    made.git("add", "-A")
    made.git("commit", "-qm", "Link it")
    desk = SoulDesk(str(made.root), tmp_path / "state", None, _Clock())
    curator = Curator(desk, tmp_path / "state", _Clock())
    assert curator.path == "docs/state.md"
    curator.decide(5, "gone", "gone", by=ANA)
    applied = curator.apply(BEN, _Memory())
    assert "declared intact" in applied.record.report["receipt_line"]
    assert (made.root / "PATHOS.md").is_symlink()
    assert made.git("status", "--short").split() == ["M", "docs/state.md"]
    curator.undo(_Memory())
    assert (made.root / "PATHOS.md").read_text() == SOUL


def test_a_check_is_made_again_where_anything_it_rests_on_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same text over the same project is checked once; a file that comes or goes is seen at once."""
    curator, made = _curator(tmp_path, SOUL.replace("pay/client.py", "runtime/live.db"))
    made_checks = []

    def counted(*arguments: object) -> object:
        made_checks.append(arguments)
        return check(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("core.soul.curator.check", counted)
    assert curator.report()[0]["receipt"] == curator.preview().receipt_before
    curator.decide(5, "gone", "gone", by=ANA)
    curator.preview(BEN)
    curator.preview(BEN)
    assert len(made_checks) == 2
    made.write("pay/gone.py", "y = 2\n")
    assert [i.claim.lines for i in curator.work_list()] == [(7, 7)]
    (made.root / "pay" / "gone.py").unlink()
    assert [i.claim.lines for i in curator.work_list()] == [(5, 5), (7, 7)]
    fresh = curator.report()[0]["by_state"]["verified_fresh"]
    made.write("runtime/live.db", "ignored by git")
    assert curator.report()[0]["by_state"]["verified_fresh"] == fresh + 1
    made.git("tag", "v9.9.9")
    before = len(made_checks)
    curator.report()
    assert len(made_checks) == before + 1
