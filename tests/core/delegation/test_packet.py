"""A packet is composed from what exists, says what it does not know, and refuses to be made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.delegation.desk import where
from core.delegation.model import Packet, PastSession, SoulPart, Trust
from core.delegation.past import Past
from core.errors import UsageError
from core.memory.claim import new_claim
from core.memory.view import view_of
from core.memory.wire import document_of
from tests.core.delegation.projects import NOW, desk, files_of, order, packet, project, refused, sources
from tests.core.git_made import Made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return project(tmp_path_factory.mktemp("pay") / "pay")


def test_the_task_leads_to_the_files_it_is_about(made: Made) -> None:
    found = packet(made.root)
    assert files_of(found)[0] == "pay/client.py"
    assert "web/tax.ts" not in files_of(found)
    client = next(a for a in found.anchors if a.label == "Client")
    assert (client.path, client.line) == ("pay/client.py", 4)
    assert all(a.why for a in found.anchors)


def test_a_derived_scope_is_what_the_anchors_show_and_says_so(made: Made) -> None:
    found = packet(made.root)
    assert found.fence.derived
    assert list(found.fence.may_touch) == files_of(found)
    declared = packet(made.root, order(scope=("web/",)))
    assert (declared.fence.derived, declared.fence.may_touch) == (False, ("web/",))
    assert all(p.startswith("web/") for p in declared.expected_change)


def test_the_binding_is_what_where_says(made: Made) -> None:
    assert packet(made.root).binding == where(str(made.root / "pay"))
    assert packet(made.root).binding.trust is Trust.FULL
    assert packet(made.root).binding.head == made.shas[-1]


def test_dependents_are_reverse_imports_with_their_hop_and_source(made: Made) -> None:
    found = packet(made.root, order(seeds=("pay/rates.py",), task="Round the rate"))
    assert found.expected_change[0] == "pay/rates.py"
    rows = {d.path: (d.hop, d.source) for d in found.dependents}
    assert "pay/client.py" in found.expected_change or rows["pay/client.py"] == (1, "pay/rates.py")
    assert rows["pay/ledger.py"][1] == "pay/client.py"
    assert "pay/rates.py" not in rows


def test_history_ties_what_changed_together(made: Made) -> None:
    found = packet(made.root, order(task="Round the rate", seeds=("pay/rates.py",), scope=("pay/rates.py",)))
    (row,) = [t for t in found.together if t.path == "pay/client.py"]
    assert (row.source, row.count, row.of) == ("pay/rates.py", 3, 3)


def test_what_changed_with_the_best_file_is_an_anchor_however_well_it_ranks_itself(tmp_path: Path) -> None:
    """A shared history counts for files among the best too, and weighs what the file it is shared with does."""
    made = Made(tmp_path / "shop")
    bodies = {
        "bill/round.py": "def half(amount):\n    return amount\n", "bill/post.py": "from bill.round import half\n",
        "bill/tests.py": "half = 1\n", "stock/evening.py": "x = 1\n", "stock/levels.py": "y = 1\n",
    }  # fmt: skip
    made.commit("Begin", {**bodies, **{f"far/{n}.py": f"n{n} = {n}\n" for n in range(30)}})
    for n in range(3):
        made.commit(f"Bill {n}", {p: bodies[p] + f"# {n}\n" for p in ("bill/round.py", "bill/post.py")})
        made.commit(f"Stock {n}", {p: bodies[p] + f"# {n}\n" for p in ("stock/evening.py", "stock/levels.py")})
    found = packet(made.root, order(task="Round half up instead of half even in bill/round.py"))
    why = {a.path: " ".join(a.why) for a in found.anchors}
    assert "changed with bill/round.py in 3 of 4 commits" in why["bill/post.py"] or "3 of 3" in why["bill/post.py"]
    assert "stock/levels.py" not in why


def test_proof_comes_from_the_nearest_manifests(made: Made) -> None:
    found = packet(made.root, order(task="Round the tax in the cart", scope=("web/",)))
    assert [(p.command, p.folder) for p in found.proof][:2] == [("npm test", "web"), ("npm run lint", "web")]
    assert [p.command for p in packet(made.root).proof] == ["make test", "pytest", "mypy"]


def test_memory_comes_with_author_age_and_a_way_to_verify(made: Made) -> None:
    day = 86_400.0
    claims = [
        new_claim(
            "The retry budget of the client is 3.",
            source_agent="ben",
            created_at=NOW - 40 * day,
            evidence=("file:pay/client.py",),
        ),
        new_claim("Retries of the payment client must be idempotent.", created_at=None),
        new_claim("The retry budget was moved.", created_at=NOW, tags=("project:other-00000000",)),
        new_claim("Kettles are descaled on Fridays.", created_at=NOW),
    ]
    found = packet(made.root, given=sources(view_of([document_of(c) for c in claims], [])))
    told = {m.text: m for m in found.memory}
    assert set(told) == {claims[0].text, claims[1].text}
    old, unknown = told[claims[0].text], told[claims[1].text]
    assert (old.age_days, old.stale, old.author, old.verify) == (40, True, "ben", "read pay/client.py")
    assert (unknown.age_days, unknown.stale, unknown.author) == (None, True, "")


def test_past_sessions_and_the_soul_are_told(made: Made) -> None:
    past = Past(
        (PastSession("claude", "s1", "/s/s1.jsonl", 7, NOW, "We said the budget lives in pay/rates.py.", "person"),),
        NOW,
    )
    soul = SoulPart("soul: checked", (("the client is in pay/client.py", 5), ("the kettle is in x.py", 6)), "PATHOS.md")
    found = packet(made.root, given=sources(past=past, soul=soul))
    assert found.sessions == past.sessions
    assert found.soul.stale == (("the client is in pay/client.py", 5),)
    rates = next(a for a in found.anchors if a.path == "pay/rates.py")
    assert "a past session names it" in rates.why


def test_what_could_not_be_determined_is_never_empty_and_names_what_is_missing(made: Made) -> None:
    found = packet(made.root, order(seeds=("pay/client.py", "nowhere.py"), scope=("docs/plan.md", "pay/client.py")))
    assert found.seeds_unresolved == ("nowhere.py",)
    said = " ".join(found.gaps)
    assert "1 of 2 seeds lead nowhere: nowhere.py" in said
    assert "handoff document was not checked" in said
    assert found.gaps[-1].startswith("Dependents are static imports")
    assert found.non_claims
    alone = packet(made.root, order(task="Ship the kettle", scope=("docs/plan.md",)))
    assert "No static dependent was found: coupling is unknown, not absent." in " ".join(alone.gaps)


def test_staleness_is_unknown_where_nothing_is_known(made: Made) -> None:
    unknown = packet(made.root, given=sources(past=Past(trouble="There is no index of past sessions.")))
    assert unknown.staleness.changed_since_index is None
    assert "There is no index of past sessions." in " ".join(unknown.gaps)
    assert packet(made.root, given=sources(past=Past(indexed_at=0.0))).staleness.changed_since_index == 12


def test_words_that_lead_nowhere_are_no_packet(made: Made) -> None:
    found = refused(made.root, order("zzyzx qwfpgj blorptastic wibblefrotz"))
    assert (found.verdict, found.refusal.value) == ("abstain", "unscopable")
    assert dict(found.evidence)["terms_found"] == []
    assert "--seed" in found.next_move
    empty = refused(made.root, order("please do the same thing again"))
    assert empty.refusal.value == "unscopable"


def test_seeds_that_all_lead_nowhere_are_no_packet(made: Made) -> None:
    found = refused(made.root, order(seeds=("nope.py", "Nobody.here")))
    assert (found.verdict, found.refusal.value) == ("abstain", "seeds_unresolvable")
    assert dict(found.evidence)["seeds_unresolved"] == ["nope.py", "Nobody.here"]


@pytest.mark.parametrize(
    "seed", ["pay/client.py", "./pay/client.py", "pay/client.py:5", "Client.send", "send", "Client::send()"]
)
def test_seeds_are_files_lines_and_symbols(made: Made, seed: str) -> None:
    found = packet(made.root, order("Make it so", seeds=(seed,)))
    assert files_of(found)[0] == "pay/client.py"
    assert found.seeds_unresolved == ()


@pytest.mark.parametrize("seed", ["client.py", "./client.py:4", "../pay/client.py", "pay/client.py"])
def test_a_seed_is_found_from_the_folder_a_person_is_in(made: Made, seed: str) -> None:
    found = packet(made.root / "pay", order("Make it so", seeds=(seed,)))
    assert files_of(found)[0] == "pay/client.py"
    assert found.seeds_unresolved == ()


def test_outside_a_project_and_in_an_empty_one_something_is_needed_first(tmp_path: Path) -> None:
    nothing = refused(tmp_path, order())
    assert (nothing.verdict, nothing.refusal.value) == ("needs_ingest", "no_repository")
    assert nothing.binding.trust is Trust.NONE
    Made(tmp_path / "empty")
    empty = refused(tmp_path / "empty", order())
    assert (empty.verdict, empty.refusal.value) == ("needs_ingest", "nothing_indexed")
    assert empty.next_move


def test_an_unborn_project_with_files_has_a_packet_that_says_what_it_lacks(tmp_path: Path) -> None:
    made = Made(tmp_path / "new")
    made.write("kettle.py", "def boil():\n    return 100\n")
    found = packet(made.root, order("Boil the kettle"))
    assert found.binding.head == ""
    assert "There is no commit to compare with" in " ".join(found.gaps)


def test_an_order_is_canonical_and_bounded(made: Made, tmp_path: Path) -> None:
    at = desk(tmp_path)
    found = at.order(
        str(made.root / "pay"), " do it ", "ana", scope=("client.py", "../web", str(made.root / "docs")),
        must_not_touch=("../web/*.ts",), tokens=99_999,
    )  # fmt: skip
    assert found.scope == ("pay/client.py", "web/", "docs/")
    assert found.must_not_touch == ("web/*.ts",)
    assert (found.tokens, found.task) == (8000, "do it")
    for bad in ({"scope": ("../..",)}, {"scope": ("/etc/passwd",)}, {"tokens": 0}, {"max_nodes": 0}, {"scope": (" ",)}):
        with pytest.raises(UsageError):
            at.order(str(made.root), "do it", "ana", **bad)  # type: ignore[arg-type]
    for task, agent in (("  ", "ana"), ("do", ""), ("do", "a\nb"), ("x" * 1_000_001, "ana")):
        with pytest.raises(UsageError):
            at.order(str(made.root), task, agent)


def test_a_secret_in_the_task_does_not_leave(made: Made, tmp_path: Path) -> None:
    key = "AKIA" + "QXZJ7WMPL3DTRK5N"
    found = desk(tmp_path).order(str(made.root), f"Rotate {key}", "ana")
    assert key not in found.task


def test_what_must_not_be_touched_is_never_expected(made: Made) -> None:
    found = packet(made.root, order(must_not_touch=("pay/client.py",)))
    assert "pay/client.py" not in found.expected_change
    assert "pay/client.py" not in found.fence.may_touch
    assert isinstance(replace(found), Packet)
