"""What a cue was not, and which agent it was with: the order of what was found, never whether it is found."""

from __future__ import annotations

import pytest

from core.ports import Hit
from core.recall.cue import read_cue
from core.recall.model import Scope
from core.recall.search import Lead
from core.recall.steering import runtime_named, set_aside, steered
from core.recall.thread import Thread
from tests.core.recall.fakes import NOON, talk


def lead(name: str, prompt: str, runtime: str = "claude", fit: float = 1.0) -> Lead:
    return Lead(Hit(talk(name, prompt, "done", runtime=runtime).entry(), fit, fit, (), ()), ("index",))


@pytest.mark.parametrize(
    ("cue", "left_out"),
    [
        ("gitleaks key, not stripe", "stripe"),
        ("merge conflicts, but not the one about the parent branch", "parent"),
        ("not the session with Redis, the cache one", "Redis"),
        ("der Cache, nicht der mit Redis", "Redis"),
        ("le cache, pas celui avec Redis", "Redis"),
        ("la caché, no la de Redis", "Redis"),
        ("o cache, não o do Redis", "Redis"),
        ("not the Redis one, the cache", "Redis"),
        ("not about Redis but the cache", "Redis"),
        ("nicht Redis, sondern der Cache", "Redis"),
        ("nein, nicht das Redis, sondern der Cache", "Redis"),
        ("pas Redis mais le cache", "Redis"),
        ("no Redis, sino la caché", "Redis"),
        ("não o Redis, mas o cache", "Redis"),
    ],
)
def test_what_it_was_not_is_no_word_of_the_search(cue: str, left_out: str) -> None:
    texts = {t.text for t in read_cue(Thread(cue_texts=(cue,)), NOON, Scope()).query.terms}
    assert left_out not in texts
    assert texts


@pytest.mark.parametrize(
    "cue",
    [
        "the hook does not run in worktrees",
        "why it is not idempotent",
        "not found errors in the router",
        "knot stripe",
        "not found, the page of the shop",
        "not sure, something with login",
        "not only the retry but the budget",
        "it does not work but hangs",
        "login\nnot sure, the token maybe",
        "page\nnot found, 404 I think",
    ],
)
def test_a_negation_inside_a_memory_stays_one(cue: str) -> None:
    assert set_aside(cue) == ()


def test_what_it_was_not_stands_behind_the_others_and_stays_found() -> None:
    found = [lead("a", "add the STRIPE_KEY for gitleaks"), lead("b", "a value for gitleaks", fit=0.4)]
    assert [x.hit.entry.spine.session_id for x in steered(found, "gitleaks key, not stripe")] == ["b", "a"]
    assert steered(found, "gitleaks key") == found


def test_a_turn_that_begins_with_what_it_was_not_corrects_the_turn_before() -> None:
    """Both words were said; the one is set aside by the turn that begins with it."""
    found = [lead("a", "the giraffe ledger"), lead("b", "the zebra till", fit=0.5)]
    for said in ("not giraffe, zebra", "no, not the giraffe, the zebra", "nicht Giraffe, sondern Zebra"):
        cue = read_cue(Thread(cue_texts=("giraffe", said)), NOON, Scope())
        assert [x.hit.entry.spine.session_id for x in steered(found, cue.query.sentence)] == ["b", "a"], said


def test_the_one_of_a_project_is_called_by_its_folder() -> None:
    def there(name: str, project: str) -> Lead:
        return Lead(Hit(talk(name, "round it", "done", project=project).entry(), 1.0, 1.0, (), ()), ("index",))

    found = [there("a", "/home/dev/bank"), there("b", "/home/dev/shop")]
    assert [x.hit.entry.spine.session_id for x in steered(found, "rounding\nnot the bank one")] == ["b", "a"]
    assert steered(found, "rounding\nnot the shop one") == found


@pytest.mark.parametrize(
    ("cue", "runtime"),
    [
        ("the codex session where npm broke", "codex"),
        ("npm broke in Claude Code", "claude"),
        ("die Gemini-Sitzung über Farben", "gemini"),
        ("Codexの会話でnpm", "codex"),
        ("the gemini hooks", ""),
        ("install it with gemini support", ""),
        ("a codex session beside a claude session", ""),
    ],
)
def test_the_agent_that_a_cue_names(cue: str, runtime: str) -> None:
    assert runtime_named(cue) == runtime


def test_the_named_agent_goes_first_where_it_fits_about_as_well() -> None:
    other, near, far = lead("a", "x"), lead("b", "x", "codex", 0.7), lead("c", "x", "codex", 0.2)
    order = steered([other, near, far], "the codex session where npm broke")
    assert [x.hit.entry.spine.session_id for x in order] == ["b", "a", "c"]
