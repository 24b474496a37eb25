"""What stands, what is hidden and why, forks, histories, and how a search weighs claims."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import UsageError
from core.memory.claim import RESTORE, TOMBSTONE, USED, Claim, Tier, marker, new_claim
from core.memory.ids import new_id
from core.memory.ranking import DAY, decay, search, strength
from core.memory.sink import Wanted
from core.memory.view import Standing, View, view_of
from core.memory.wire import document_of, edges_of
from tests.core.memory.memories import NOW, memory


def view(*claims: Claim) -> View:
    return view_of(map(document_of, claims), [edge for claim in claims for edge in edges_of(claim)])


def standing(seen: View, claim: Claim) -> Standing:
    return seen.held[claim.id].standing


def test_change_forget_and_restore_hide_and_show_and_keep_everything() -> None:
    one = new_claim("one")
    two = new_claim("two", supersedes=[one.id])
    gone = marker(TOMBSTONE, two.id, why="wrong", by="ana")
    back = marker(RESTORE, two.id, after=[gone.id])
    old = marker(RESTORE, one.id, after=[two.id])
    assert standing(view(one), one) is Standing.CURRENT
    assert standing(view(one, two), one) is Standing.SUPERSEDED
    assert standing(view(one, two, gone), two) is Standing.FORGOTTEN
    assert standing(view(one, two, gone), one) is Standing.SUPERSEDED, (
        "forgetting a change does not bring the original back"
    )
    assert standing(view(one, two, gone, back), two) is Standing.CURRENT
    assert standing(view(one, two, old), one) is Standing.CURRENT
    again = marker(TOMBSTONE, two.id, after=[back.id])
    assert standing(view(one, two, gone, back, again), two) is Standing.FORGOTTEN


def test_the_order_of_arrival_does_not_matter() -> None:
    one = new_claim("one")
    two, three = new_claim("two", supersedes=[one.id]), new_claim("three", supersedes=[one.id])
    gone = marker(TOMBSTONE, two.id)
    back = marker(RESTORE, two.id, after=[gone.id])
    whole = view(one, two, three, gone, back)
    for order in itertools.permutations([one, two, three, gone, back]):
        assert view(*order) == whole


def test_a_fork_shows_both_until_one_takes_the_place_of_the_other() -> None:
    one = new_claim("one")
    left, right = new_claim("left", supersedes=[one.id]), new_claim("right", supersedes=[one.id])
    (fork,) = view(one, left, right).forks()
    assert (fork.of, fork.heads) == (one, (left, right))
    assert {standing(view(one, left, right), c) for c in (left, right)} == {Standing.CURRENT}
    further = new_claim("further left", supersedes=[left.id])
    (fork,) = view(one, left, right, further).forks()
    assert fork.heads == (right, further)
    joined = new_claim("joined", supersedes=[further.id, right.id])
    assert view(one, left, right, further, joined).forks() == ()
    assert view(one, left, right, marker(TOMBSTONE, right.id)).forks() == ()


def test_a_history_is_newest_first_with_who_and_when() -> None:
    one = new_claim("one", source_agent="ana", created_at=NOW)
    two = new_claim("two", supersedes=[one.id], source_agent="ben", created_at=NOW, updated_at=NOW + 5)
    gone = marker(TOMBSTONE, two.id, why="wrong", by="cy", at=NOW + 9)
    seen = view(one, two, gone)
    for identity in (one.id, two.id):
        told = [(e.what, e.about, e.by, e.at) for e in seen.history(identity)]
        assert told == [
            ("forgotten", two.id, "cy", NOW + 9), ("superseded", one.id, "ben", NOW + 5), ("kept", two.id, "ben", NOW + 5),
            ("kept", one.id, "ana", NOW),
        ]  # fmt: skip


def test_circles_and_ties_to_nothing_end() -> None:
    one = new_claim("one")
    two = new_claim("two", supersedes=[one.id, new_id()])
    loop = replace(one, supersedes=(two.id, one.id))
    seen = view(loop, two)
    assert seen.forks() == ()
    assert len(seen.history(one.id)) == 4
    assert seen.history(new_id()) == ()


def test_what_is_no_claim_is_counted_and_plumbing_is_never_seen() -> None:
    good = new_claim("x")
    seen = view_of([document_of(good), {"id": "?"}, document_of(replace(new_claim("y"), kind="telemetry"))], [])
    assert list(seen.held) == [good.id]
    assert seen.unreadable == 1


def test_a_claim_is_found_by_the_beginning_or_end_of_its_id() -> None:
    one, two = new_claim("one"), new_claim("two")
    seen = view(one, two)
    assert [h.claim for h in seen.find(one.id[-8:].upper())] == [one]
    assert len(seen.find(one.id[:8])) == 2
    assert seen.find(one.id[:3]) == ()


@pytest.mark.parametrize(("tier", "window"), [(Tier.CANONICAL, 365), (Tier.EPISODIC, 90), (Tier.WORKING, 30)])
def test_a_claim_fades_in_a_line_and_never_below_a_tenth(tier: Tier, window: int) -> None:
    assert decay(tier, NOW, NOW) == 1.0
    assert decay(tier, NOW - window / 2 * DAY, NOW) == pytest.approx(0.5)
    assert decay(tier, NOW - window * 0.95 * DAY, NOW) == 0.1
    assert decay(tier, NOW - 100 * window * DAY, NOW) == 0.1
    assert decay(tier, NOW + DAY, NOW) == 1.0
    assert decay(tier, None, NOW) == 0.1, "an unknown age is never fresh"


def test_a_search_multiplies_match_salience_and_decay() -> None:
    fresh = new_claim("retries of the payment client", salience=0.5, created_at=NOW)
    loud = new_claim("retries of the payment client", salience=1, created_at=NOW)
    old = new_claim("retries of the payment client", salience=1, created_at=NOW - 400 * DAY)
    renewed = new_claim(
        "retries of the payment client", salience=1, created_at=NOW - 400 * DAY, updated_at=NOW - 9 * DAY
    )
    other = new_claim("submarines", salience=1, created_at=NOW)
    found = search(view(fresh, loud, old, renewed, other), "payment retry", 10, NOW)
    assert [r.held.claim for r in found] == [loud, renewed, fresh, old]
    assert [round(r.score, 3) for r in found] == [1.0, 0.9, 0.5, 0.1]
    assert search(view(fresh), "", 10, NOW) == ()
    assert search(view(fresh), "the zebra", 10, NOW)[0].match < 0.6


def test_identifying_a_claim_strengthens_it_and_changes_nothing(tmp_path: Path) -> None:
    held = memory(tmp_path)
    one = held.keep([new_claim("retry budget", created_at=NOW)]).ids[0]
    before = held.claim(one)
    for _ in range(3):
        assert held.used(one, "ana").persisted
    after = held.claim(one)
    assert after.claim == before.claim
    assert after.uses == 3
    assert strength(before) == 0.5
    assert strength(after) == pytest.approx(1 - 0.5 * 0.9**3)
    assert held.view().nodes[max(held.view().nodes)].kind == USED


def test_a_list_is_newest_first_and_takes_what_was_asked_for(tmp_path: Path) -> None:
    held = memory(tmp_path)
    held.keep(
        [
            new_claim("a", kind="rule", tags=["x", "y"], source_agent="ana", created_at=NOW),
            new_claim("b", namespace="team", soul_source="docs/P.md#S", created_at=NOW),
            new_claim("c", tags=["x"], created_at=NOW),
        ]
    )
    held.forget(held.claims()[0].claim.id, "no", "ana")

    def texts(**wanted: object) -> list[str]:
        return [h.claim.text for h in held.claims(Wanted(**wanted))]  # type: ignore[arg-type]

    assert texts() == ["b", "a"]
    assert texts(every=True) == ["c", "b", "a"]
    assert texts(tags=("x", "y")) == texts(kinds=("rule",)) == texts(agent="ana") == ["a"]
    assert texts(soul=True) == texts(namespace="team") == ["b"]


def test_a_change_keeps_what_was_not_changed(tmp_path: Path) -> None:
    held = memory(tmp_path, now=NOW + 50)
    made = new_claim(
        "old words", kind="rule", tags=["t"], confidence="70%", evidence=["commit:0123abc"], created_at=NOW
    )
    one = held.keep([made]).ids[0]
    two = held.claim(held.change(one, text="new words").ids[0]).claim
    assert (two.kind, two.tags, two.confidence, two.evidence, two.supersedes) == (
        "rule",
        ("t",),
        0.7,
        made.evidence,
        (one,),
    )
    assert (two.label, two.created_at, two.updated_at) == ("new words", NOW, NOW + 50)
    three = held.claim(held.change(two.id, confidence=".9").ids[0]).claim
    assert (three.text, three.label, three.confidence) == ("new words", "new words", 0.9)
    with pytest.raises(UsageError):
        held.change(new_id(), text="x")
    with pytest.raises(UsageError, match="confidence"):
        held.change(one, confidence=90)


def test_where_the_owner_is_away_what_was_known_is_told_and_marks_wait(tmp_path: Path) -> None:
    from core.memory.carrying import Embedded
    from core.memory.sqlite_store import sqlite_store
    from tests.core.memory.memories import Faulty

    store = sqlite_store(tmp_path / "owner.db")
    near = memory(tmp_path / "here", Embedded(store, "x"))
    one = near.keep([new_claim("known", created_at=NOW)]).ids[0]

    def away(method: str, path: str, got: object) -> object:
        from core.memory.trouble import OwnerTrouble

        raise OwnerTrouble("away")

    far = memory(tmp_path / "here", Faulty(store, away))  # type: ignore[arg-type]
    assert [h.claim.id for h in far.claims()] == [one]
    assert far.seen()[1] is not None
    done = far.forget(one, "while away", "ana")
    assert (done.persisted, done.error) == (False, "write_not_persisted")
    assert far.claims() == ()
    assert near.drain().persisted == 1
    assert near.claim(one).standing is Standing.FORGOTTEN


def test_many_claims_are_seen_whole(tmp_path: Path) -> None:
    """More than a page, more than a delta: every one arrives, in order."""
    held = memory(tmp_path)
    rng = random.Random(5)
    claims = [new_claim(f"claim {n} " + "x" * rng.randrange(1500), created_at=NOW) for n in range(1300)]
    done = held.keep(claims)
    assert done.persisted
    assert [h.claim.id for h in reversed(held.claims())] == [c.id for c in claims]
    assert len(held.spool.names()) == 0
