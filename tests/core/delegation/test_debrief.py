"""The loop: a packet is recorded, what was touched is graded, memory is taught, and the next packet shows it."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from core.delegation.conformance import Conformance, PathClass, compare, grade
from core.delegation.debrief import Debriefed, Evidence, Verdict
from core.delegation.desk import DelegationDesk, Given
from core.delegation.ledger import Ledger
from core.delegation.model import Packet, Status
from core.delegation.registry import FOLDER, Registry, checked, new_identity
from core.delegation.wire import packet_document, packet_of
from core.delegation.worker_report import read_report
from core.errors import UsageError
from core.memory.sink import Memory
from tests.core.delegation.goldens import large
from tests.core.delegation.projects import NOW, desk, order, packet, project, sources
from tests.core.git_made import Made
from tests.core.memory.memories import memory

DAY = 86_400.0
GOOD = Evidence("make test", 0)


class At:
    """A project, a memory and a desk whose clock is told."""

    def __init__(self, folder: Path) -> None:
        self.made: Made = project(folder / "pay")
        self.memory: Memory = memory(folder / "memory")
        self.now = NOW
        self.desk = DelegationDesk(folder / "state", lambda: self.now)

    def delegate(self, **more: object) -> Packet:
        self.now += 1
        wanted = order(**more)  # type: ignore[arg-type]
        made = self.desk.compose(wanted, str(self.made.root), sources(self.memory.view()))
        return self.desk.record(made).delegation.packet  # type: ignore[arg-type]

    def debrief(self, found: Packet, *touched: str, outcome: str = "success", **more: object) -> Debriefed:
        self.now += 1
        fields = {"worker": "ben", "evidence": GOOD} | more
        verdict = Verdict("ana", outcome, **fields)  # type: ignore[arg-type]
        return self.desk.debrief(found.id, verdict, Given(paths=touched), self.memory)

    def ledger(self) -> Ledger:
        return Ledger(self.desk.registry.folder)


@pytest.fixture
def at(tmp_path: Path) -> At:
    return At(tmp_path)


# -- grading


def test_each_path_has_the_first_class_that_fits() -> None:
    base = large()
    found = grade(
        base,
        ["migrations/1.sql", "pay/secrets.py", "pay/part00/module.py", "pay/part09/module.py", "docs/x.md", "app/user03.py",
         "part09/module.py", "module.py", "x/pay/part00/module.py", "docs/x.md"],
    )  # fmt: skip
    assert {str(k): [p for p, c in found.classes if c is k] for k in PathClass} == {
        "breach": ["migrations/1.sql", "pay/secrets.py"],
        "expected_change": ["pay/part00/module.py"],
        "in_scope": ["docs/x.md", "pay/part09/module.py"],
        "dependent_contact": ["app/user03.py"],
        "unpredicted": ["module.py", "part09/module.py", "x/pay/part00/module.py"],
    }
    assert sum(found.counts.values()) == 9
    assert (found.verdict, found.fence) == (Conformance.BREACHED, "declared")


def test_the_verdict_is_the_worst_and_says_whether_there_was_a_fence() -> None:
    open_ = replace(large(), fence=replace(large().fence, must_not_touch=()))
    assert (
        grade(open_, ["docs/x.md"]).words
        == "stayed: nothing outside the map; no fence was declared, so none could be breached"
    )
    assert grade(large(), ["docs/x.md"]).words == "stayed: nothing outside the map; a fence was declared"
    assert grade(open_, ["docs/x.md", "else.py"]).words.startswith("unpredicted: 1 path that the map did not have")
    assert grade(large(), ["else.py", "migrations/x"]).words == "breached: 1 path that must not be touched"
    assert grade(large(), []).verdict is Conformance.STAYED


def test_declared_deviations_are_held_against_the_facts() -> None:
    base = large()
    graded = grade(base, ["docs/x.md", "else.py", "more/a.py", "more/b.py", "silent.py"])
    report = read_report(f"[recollect {base.id}]\nDEVIATIONS: else.py, more/, never.py\nFINDINGS: none")
    found = compare(base, graded, report, ("else.py", "more/", "never.py"))
    assert found.matched == ("else.py", "more/a.py", "more/b.py")
    assert found.undeclared_deviation == ("silent.py",)
    assert found.declared_untouched == ("never.py",)
    assert compare(base, graded, read_report("done"), ()).undeclared_deviation == ()


# -- the loop


def test_the_second_packet_shows_what_the_first_debrief_taught(at: At) -> None:
    first = at.delegate()
    assert first.memory == ()
    done = at.debrief(
        first, "pay/client.py", "web/tax.ts", findings=("The payment client must not retry after a timeout.",)
    )
    assert [(t.kind, t.under, t.state) for t in done.taught] == [
        ("finding", "ben", "persisted"),
        ("lesson", "ana", "persisted"),
    ]
    second = at.delegate()
    told = {m.kind: m for m in second.memory}
    assert told["finding"].text == "The payment client must not retry after a timeout."
    assert (told["finding"].author, told["finding"].age_days, told["finding"].stale) == ("ben", 0, False)
    assert told["lesson"].author == "ana"
    assert "web/tax.ts" in told["lesson"].text
    assert "web/tax.ts" in {a.path for a in second.anchors}
    assert at.debrief(second, "pay/client.py", "web/tax.ts").graded.verdict is Conformance.STAYED


def test_a_clean_run_teaches_nothing_and_writes_one_row(at: At) -> None:
    found = at.delegate()
    done = at.debrief(found, "pay/client.py")
    assert (done.taught, done.flags) == ((), ("no_report",))
    assert at.memory.view().held == {}
    (row,) = at.ledger().read().rows
    assert (row.delegation_id, row.touched, row.expected_change, row.unpredicted) == (found.id, 1, 1, 0)
    assert at.desk.show(found.id).delegation.status is Status.DEBRIEFED


def test_two_findings_that_begin_alike_are_both_kept_and_a_fourth_is_refused_by_name(at: At) -> None:
    found = at.delegate()
    begin = "The payment client holds its socket open for too"
    done = at.debrief(found, findings=(f"{begin} long.", f"{begin} short a time.", "Three.", "Four."))
    assert [t.state for t in done.taught] == ["persisted"] * 3 + ["refused"]
    assert done.taught[3].why
    assert len({h.claim.id for h in at.memory.view().held.values()}) == 3


def test_findings_that_memory_does_not_take_are_said_to_be_refused(at: At) -> None:
    done = at.debrief(at.delegate(), findings=("x" * 200_000, "  ", "Good."))
    assert [(t.text[:5], t.state) for t in done.taught] == [("xxxxx", "refused"), ("Good.", "persisted")]


def test_a_delegation_is_debriefed_once_unless_it_is_regraded(at: At) -> None:
    found = at.delegate()
    at.debrief(found, "else.py", findings=("Kept once.",))
    with pytest.raises(UsageError, match="was debriefed"):
        at.debrief(found, "else.py")
    again = at.debrief(
        found,
        "pay/client.py",
        "other.py",
        regrade=True,
        findings=("Kept once.",),
        outcome="failure",
        evidence=Evidence("x", 1),
    )
    assert again.regraded
    assert [(t.kind, t.state) for t in again.taught] == [("finding", "known"), ("lesson", "persisted")]
    read = at.ledger().read()
    assert (len(read.rows), read.repeated, read.rows[0].outcome) == (1, 1, "failure")
    lessons = [h for h in at.memory.claims() if h.claim.kind == "lesson"]
    assert len(lessons) == 1
    assert "other.py" in lessons[0].claim.text


def test_unknown_expired_and_bad_ones_are_errors_and_write_nothing(at: At) -> None:
    found = at.delegate()
    with pytest.raises(UsageError, match="no delegation"):
        at.debrief(replace(found, id="dlg_unknown"))
    with pytest.raises(UsageError, match="is no delegation's id"):
        at.debrief(replace(found, id="../../etc/passwd"))
    with pytest.raises(UsageError, match="outcome"):
        at.debrief(found, outcome="great")
    for field in ({"grader": ""}, {"grader": "a\nb"}, {"worker": "a\tb"}):
        with pytest.raises(UsageError):
            at.desk.debrief(
                found.id, Verdict(**{"grader": "ana", "outcome": "success"} | field), Given(paths=()), at.memory
            )  # type: ignore[arg-type]
    at.now += 4 * 3600
    with pytest.raises(UsageError, match="expired"):
        at.debrief(found)
    assert at.ledger().read().rows == ()
    assert at.debrief(found, regrade=True).row.touched == 0


def test_a_debrief_can_be_assessed_without_writing_or_teaching(at: At) -> None:
    found = at.delegate()
    report = read_report(f"[recollect {found.id}]\nFINDINGS: One; Two; Three; Four")
    verdict = Verdict("ana", "failure", "ben", report=report)
    done = at.desk.assessed(found.id, verdict, Given(paths=("pay/client.py", "else.py")))
    assert (done.graded.verdict, done.flags, done.taught) == (Conformance.UNPREDICTED, ("unverified",), ())
    assert any("nothing of deviations" in c for c in done.caveats)
    assert any("1 finding more" in c for c in done.caveats)
    assert at.ledger().read().rows == ()
    assert at.memory.view().held == {}
    assert at.desk.show(found.id).delegation.status is Status.LIVE
    with pytest.raises(UsageError, match="outcome"):
        at.desk.assessed(found.id, replace(verdict, outcome="great"), Given())


# -- flags


def test_flags_say_what_else_may_be_in_the_counts(at: At) -> None:
    found = at.delegate()
    assert at.debrief(found, evidence=None).flags == ("unverified", "no_report")
    conflict = at.delegate()
    assert "evidence_conflict" in at.debrief(conflict, evidence=Evidence("make test", 1)).flags
    partial = at.delegate()
    assert "evidence_conflict" not in at.debrief(partial, outcome="partial", evidence=Evidence("make test", 1)).flags
    reported = at.delegate()
    report = read_report(f"[recollect {reported.id}]\nDEVIATIONS: none\nFINDINGS: Rates are cached.")
    done = at.debrief(reported, "pay/client.py", report=report)
    assert done.flags == ()
    assert [t.text for t in done.taught] == ["Rates are cached."]
    other = at.delegate()
    done = at.debrief(other, report=report)
    assert done.flags == ("no_report",)
    assert done.taught == ()
    assert "of another delegation" in " ".join(done.caveats)


def test_a_live_sibling_of_the_same_project_is_an_overlap(at: At) -> None:
    first = at.delegate()
    second = at.delegate()
    assert "overlap" in at.debrief(first, "pay/client.py").flags
    assert "overlap" not in at.debrief(second, "pay/client.py").flags


def test_drift_is_a_commit_that_is_gone_not_a_memory_that_was_kept_nor_work_that_was_committed(at: At) -> None:
    first, second = at.delegate(), at.delegate(task="Round the rate", scope=("web/",))
    at.made.commit("Work", {"web/tax.ts": "export const tax = () => 2;\n"})
    assert "drifted" not in at.debrief(first, "pay/client.py").flags
    at.made.git("reset", "-q", "--hard", "HEAD~2")
    assert "drifted" in at.debrief(second, "web/tax.ts").flags


def test_what_only_git_saw_is_told_where_a_list_was_given(at: At) -> None:
    found = at.delegate()
    at.made.write("quiet.py", "x = 1\n")
    done = at.debrief(found, "pay/client.py")
    assert "1 more file differs from the commit, which the list does not have: quiet.py." in done.caveats
    assert at.desk.graded(found.id, Given())[1].paths == ("quiet.py",)


def test_the_work_may_be_in_another_worktree_of_the_repository(at: At, tmp_path: Path) -> None:
    found = at.delegate()
    at.made.git("worktree", "add", "-q", str(tmp_path / "side"))
    (tmp_path / "side" / "pay" / "client.py").write_text("side\n")
    assert at.desk.graded(found.id, Given(), str(tmp_path / "side"))[1].paths == ("pay/client.py",)
    Made(tmp_path / "foreign").commit("x")
    with pytest.raises(UsageError, match="another repository"):
        at.desk.graded(found.id, Given(), str(tmp_path / "foreign"))


# -- records


def test_a_packet_survives_the_record(at: At) -> None:
    found = replace(at.delegate(), baseline=(("na\udcefve", "gone"),))
    assert packet_of(json.loads(json.dumps(packet_document(found)))) == found
    assert packet_of(json.loads(json.dumps(packet_document(large())))) == large()


def test_records_are_private_and_what_is_torn_is_named(at: At) -> None:
    found = at.delegate()
    file = at.desk.registry.folder / f"{found.id}.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    (file.parent / "dlg_torn.json").write_text('{"packet": {}')
    (file.parent / "dlg_odd.json").write_text("[1]")
    every, torn = at.desk.all()
    assert [d.packet.id for d in every] == [found.id]
    assert sorted(os.path.basename(t) for t in torn) == ["dlg_odd.json", "dlg_torn.json"]
    with pytest.raises(UsageError, match="torn"):
        at.desk.show("dlg_torn")


def test_old_records_are_swept_by_the_next_delegation_and_live_ones_stay(at: At) -> None:
    old, live = at.delegate(), at.delegate()
    at.debrief(old)
    folder = at.desk.registry.folder
    for file in folder.glob("dlg_*.json"):
        os.utime(file, (NOW, NOW))
    at.now += 31 * DAY
    (folder / "notes.json").write_text("not ours")
    os.utime(folder / "notes.json", (NOW, NOW))
    new = at.delegate()
    assert {f.stem for f in folder.glob("*.json")} == {new.id, "notes"}
    assert at.ledger().read().rows[0].delegation_id == old.id
    assert live.id != new.id


@pytest.mark.parametrize("bad", ["", "a/b", "../x", "dlg_1.json", "dlg 1", "x" * 99, "dlg_\n", "é"])
def test_ids_are_part_of_a_file_name_and_hold_nothing_else(bad: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        checked(bad)
    with pytest.raises(UsageError):
        Registry(tmp_path).add(replace(large(), id=bad), 2000, NOW)
    assert not list(tmp_path.rglob("*.json"))


def test_ids_differ_within_one_millisecond() -> None:
    assert len({new_identity(NOW) for _ in range(2000)}) == 2000


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    base = large()
    at = desk(tmp_path)

    def write(n: int) -> None:
        at.registry.add(replace(base, id=f"dlg_{n}"), 2000, base.created)
        with at.registry.locked():
            Ledger(tmp_path / FOLDER).append(replace(_row(n)))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(Registry(tmp_path).all(base.created)[0]) == 8
    assert len(Ledger(tmp_path / FOLDER).read().rows) == 8
    with pytest.raises(UsageError, match="taken"):
        at.registry.add(replace(base, id="dlg_1"), 2000, NOW)


def _row(n: int) -> object:
    from core.delegation.ledger import Row

    return Row(f"dlg_{n}", 0.0, "success")


def test_a_preview_records_nothing(at: At) -> None:
    at.desk.compose(order(), str(at.made.root), sources())
    assert not at.desk.registry.folder.exists()
    assert packet(at.made.root).id
