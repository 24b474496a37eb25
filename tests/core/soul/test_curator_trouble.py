"""What a curation leaves behind when something goes wrong in the middle of it, and what the next one makes of that."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import RecollectError, SurroundingsError, UsageError
from core.soul.curation import Kept, PrunedClaim
from core.soul.curator import Curator
from core.soul.prune import write_document
from tests.core.soul.test_curator import ANA, BEN, SOUL, _curator, _Memory

GATEWAY = "- the gateway is in `pay/gone.py`\n"


class _Killed(BaseException):
    """The process ends here; nothing after it runs."""


def _decided(tmp_path: Path) -> tuple[Curator, Path]:
    curator, made = _curator(tmp_path)
    curator.decide(5, "the gateway was dropped", "git history", by=ANA)
    return curator, made.root / "PATHOS.md"


def test_a_prune_whose_process_was_killed_after_the_document_can_be_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    curator, document = _decided(tmp_path)

    def killed(path: str, sha: str, after: bytes) -> None:
        write_document(path, sha, after)
        raise _Killed

    memory = _Memory()
    with monkeypatch.context() as once:
        once.setattr("core.soul.curator.write_document", killed)
        with pytest.raises(_Killed):
            curator.apply(BEN, memory)
    assert document.read_text() == SOUL.replace(GATEWAY, "")
    assert curator.undo(memory).record.state == "undone"
    assert document.read_text() == SOUL
    assert memory.forgotten == list(memory.held)
    assert not curator.draft().prunes  # they had been applied


def test_a_prune_whose_process_was_killed_before_the_document_is_given_up_and_taken_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    curator, document = _decided(tmp_path)

    def killed(path: str, sha: str, after: bytes) -> None:
        raise _Killed

    memory = _Memory()
    with monkeypatch.context() as once:
        once.setattr("core.soul.curator.write_document", killed)
        with pytest.raises(_Killed):
            curator.apply(BEN, memory)
    assert document.read_text() == SOUL
    curator.apply(BEN, memory)
    assert document.read_text() == SOUL.replace(GATEWAY, "")
    assert memory.forgotten == ["m0"]  # its claim stands in the document still, when the second take begins
    assert sorted(r.state for r in curator.curations.records()) == ["applied", "undone"]


def test_an_undo_that_was_cut_short_after_the_document_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    curator, document = _decided(tmp_path)
    memory = _Memory()
    curator.apply(BEN, memory)

    class _Gone(_Memory):
        def forget(self, ids: Sequence[str], why: str, by: str) -> Kept:
            raise _Killed

    with pytest.raises(_Killed):
        curator.undo(_Gone())
    assert document.read_text() == SOUL
    assert curator.undo(memory).record.state == "undone"
    assert memory.forgotten == ["m0"]


@pytest.mark.parametrize("raised", [True, False])
def test_what_memory_will_never_hold_does_not_leave_the_document(tmp_path: Path, *, raised: bool) -> None:
    curator, document = _decided(tmp_path)

    class _Refusing(_Memory):
        def keep(self, claims: Sequence[PrunedClaim]) -> Kept:
            if raised:
                raise UsageError("The text has 200,000 characters.", "Split it.")
            return Kept((), persisted=False, error="write_rejected: no", refused=True)

    with pytest.raises(RecollectError, match="characters" if raised else "none was taken out"):
        curator.apply(BEN, _Refusing())
    assert document.read_text() == SOUL
    assert [p.lines for p in curator.draft().prunes] == [(5, 5)]
    assert [r.state for r in curator.curations.records()] == ["undone"]


def test_two_curators_at_once_lose_no_decision(tmp_path: Path) -> None:
    first, made = _curator(tmp_path)
    second, _ = Curator(first._desk, tmp_path / "state", first._clock), made
    start = threading.Barrier(2)

    def decide(curator: Curator, line: int) -> None:
        start.wait()
        curator.decide(line, "gone", "gone", by=ANA)

    threads = [threading.Thread(target=decide, args=row) for row in ((first, 5), (second, 7))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [p.lines for p in first.draft().prunes] == [(5, 5), (7, 7)]


def test_another_process_is_waited_for_and_then_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.soul.curation.WAIT_SECONDS", 0.0)
    curator, _ = _curator(tmp_path)
    with curator.curations.alone(), pytest.raises(SurroundingsError, match="Another process"):
        curator.decide(5, "gone", "gone", by=ANA)
    assert not curator.draft().prunes


def test_a_state_folder_that_takes_nothing_is_said(tmp_path: Path) -> None:
    curator, _ = _curator(tmp_path)
    (tmp_path / "state" / "curations").parent.mkdir(exist_ok=True)
    (tmp_path / "state" / "curations").write_text("a file where the folder should be")
    with pytest.raises(SurroundingsError, match="curations"):
        curator.decide(5, "gone", "gone", by=ANA)


def test_a_report_may_say_only_what_was_left(tmp_path: Path) -> None:
    curator, made = _curator(tmp_path)
    curator.decline("touch pay/gone.py", "a rule, whatever became of the file", by=ANA)
    curator.keep_stale("The gateway is in `pay/gone.py`.", "its owner is asked")
    applied = curator.apply(BEN, _Memory())
    assert (made.root / "PATHOS.md").read_text() == SOUL
    assert [row["why"] for row in applied.record.report["declined"]] == ["a rule, whatever became of the file"]
    assert "its owner is asked" in [row["reason"] for row in applied.record.report["still_stale"]]


def test_a_reason_for_staying_is_about_a_stale_claim_and_is_taken_back(tmp_path: Path) -> None:
    curator, _ = _curator(tmp_path)
    for words, what in (("the client is in pay/client.py", "no stale claim"), ("pay/", "no stale claim")):
        with pytest.raises(UsageError, match=what):
            curator.keep_stale(words, "later")
    with pytest.raises(UsageError, match="blank"):
        curator.keep_stale("the gateway is in pay/gone.py", "\u200b")
    curator.keep_stale("the gateway is in pay/gone.py", "later")
    curator.decline("helpers are in pay/old_name.py", "later", by=ANA)
    curator.unsay("the gateway is in pay/gone.py")
    assert curator.unsay("helpers are in pay/old_name.py").empty
    curator.decide(7, "gone", "gone", by=ANA)
    with pytest.raises(UsageError, match="decided to go"):
        curator.decline("helpers are in pay/old_name.py", "later", by=ANA)
    curator.decline("touch pay/gone.py", "a rule", by=ANA)
    curator.decide(11, "gone", "gone", by=ANA)
    assert curator.draft().declined == ()  # what goes is not left as it is
    with pytest.raises(UsageError, match="Nothing was said"):
        curator.unsay("the gateway is in pay/gone.py")
