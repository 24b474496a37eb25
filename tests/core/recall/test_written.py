"""Commits, tags and notes among the candidates, and files in a person's words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.ports import Entry, Filters, Hit
from core.recall.artifacts import Artifact, names_lines, read_artifact
from core.recall.relations import RelationKind, relate, tied
from core.recall.search import Lead
from core.recall.traits import Traits
from core.recall.written import arranged, asked_for, may_hold_written, names_written
from core.records.dependents import Checkout
from core.records.model import Role, Source, Spine


def lead(name: str, fit: float, role: Role = Role.MAIN) -> Lead:
    source = Source("claude" if role is Role.MAIN else "git", "/r", f"/r/{name}", name, 1, 1, role)
    return Lead(Hit(Entry(source, Spine(name, role=role)), fit, fit, (), ()), ("index",))


def names(leads: list[Lead]) -> list[str]:
    return [x.hit.entry.source.session_id for x in leads]


COMMIT, TAG, NOTE = frozenset({Role.COMMIT}), frozenset({Role.TAG}), frozenset({Role.NOTE})


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("the commit that raised the budget", COMMIT), ("who changed the retry budget", COMMIT),
        ("wer hat das Budget geändert", COMMIT), ("qui a changé le budget", COMMIT), ("quién cambió el límite", COMMIT),
        ("quem mudou o limite", COMMIT), ("誰が上限を変更した", COMMIT), ("누가 한도를 변경했지", COMMIT), ("谁修改了上限", COMMIT),
        ("when did we tag 1.2", TAG), ("the ADR about keys", NOTE), ("the note where we wrote down the limits", NOTE),
        ("die Notiz über das Limit", NOTE), ("la note sur les limites", NOTE),
        ("I asked you to commit it and push", frozenset()), ("the retry budget for payments", frozenset()),
        ("you said to commit this later", frozenset()), ("noted that the limit is low", frozenset()),
    ],
)  # fmt: skip
def test_what_kind_of_record_a_cue_asks_for(words: str, asked: frozenset[Role]) -> None:
    assert asked_for(words) == asked


def test_a_written_record_stands_behind_the_sessions_that_fit_nearly_as_well() -> None:
    sessions = [lead("a", 0.7), lead("b", 0.6), lead("c", 0.2)]
    commits = [lead("x", 0.9, Role.COMMIT), lead("y", 0.3, Role.COMMIT)]
    assert names(arranged(sessions, commits, frozenset())) == ["a", "b", "x", "c", "y"]


def test_a_written_record_comes_first_where_no_session_fits_or_it_was_asked_for() -> None:
    commits = [lead("x", 0.9, Role.COMMIT), lead("n", 0.9, Role.NOTE)]
    assert names(arranged([lead("a", 0.1)], commits, frozenset())) == ["x", "n", "a"]
    assert names(arranged([lead("a", 0.9)], commits, COMMIT)) == ["x", "a", "n"]
    assert names(arranged([], commits, NOTE)) == ["n", "x"]
    assert names(arranged([lead("a", 0.9)], [lead("z", 0.1, Role.COMMIT)], COMMIT)) == ["a", "z"]


def test_filters_decide_which_kinds_are_searched() -> None:
    assert names_written(Filters(kinds=("commit",)))
    assert names_written(Filters(runtimes=("git",)))
    assert not names_written(Filters(runtimes=("claude",)))
    assert not may_hold_written(Filters(runtimes=("claude",)))
    assert may_hold_written(Filters(runtimes=("-claude",), projects=("shop",)))


@pytest.mark.parametrize(
    ("words", "artifact"),
    [
        ("how src/pay.py came about", Artifact("src/pay.py")),
        ("src/pay.py:40-60", Artifact("src/pay.py", 40, 60)),
        ("what became of pay.py lines 60 to 40", Artifact("pay.py", 40, 60)),
        ("pay.py, Zeilen 4 bis 6", Artifact("pay.py", 4, 6)),
        ("src/pay.py:45: TypeError", Artifact("src/pay.py")),
        ("a.py and b.py:7", Artifact("b.py", 7, 7)),
        ("the retry budget", None),
    ],
)
def test_files_and_their_lines_are_read_from_the_words(words: str, artifact: Artifact | None) -> None:
    assert read_artifact(words) == artifact


def test_only_a_range_of_lines_asks_for_their_history() -> None:
    assert names_lines("src/pay.py:40-60")
    assert not names_lines("the error in src/pay.py:45")
    assert not names_lines("5 retries")


def traits(name: str, role: Role, started: float, ended: float, project: str = "/w/shop", **more: object) -> Traits:
    entry = lead(name, 1.0, role).hit.entry
    spine = replace(entry.spine, started=started, ended=ended, project=project, cwds=(project,))
    return Traits(replace(entry, spine=spine), **more)  # type: ignore[arg-type]


def test_a_commit_authored_within_a_session_is_tied_to_it_and_said_so() -> None:
    session = traits("s", Role.MAIN, 100.0, 200.0)
    inside, outside = (traits("abcdef1234", Role.COMMIT, at, at) for at in (150.0, 250.0))
    found = relate(session, inside)
    assert tied(found)
    assert "commit abcdef1 was authored during the session" in [r.evidence for r in found]
    assert RelationKind.DURING not in {r.kind for r in relate(session, outside)}
    elsewhere = traits("abcdef1234", Role.COMMIT, 150.0, 150.0, "/w/blog")
    assert relate(session, elsewhere) == ()


def test_checkouts_of_one_remote_are_one_project() -> None:
    here = traits("a", Role.MAIN, 1.0, 2.0, "/old/shop", paths=frozenset({"pay.py"}),
                  checkouts=(Checkout("/old/shop/.git", ("example.test/acme/shop",)),))  # fmt: skip
    there = traits("b", Role.MAIN, 9e6, 9e6, "/new/place", paths=frozenset({"pay.py"}),
                   checkouts=(Checkout("/new/place/.git", ("example.test/acme/shop",)),))  # fmt: skip
    found = relate(here, there)
    assert tied(found)
    assert "both are checkouts of example.test/acme/shop" in [r.evidence for r in found]
    assert relate(here, replace(there, checkouts=())) == ()
