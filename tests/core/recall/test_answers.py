"""What a person's turn does: only an observable act closes, everything doubtful is more cue."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.recall.answers import Act, read_answer

IDENTIFIES = (
    "that's it", "That’s the one, thanks!", "yes", "Yes, that's it.", "yep that one", "this is it", "that was it", "exactly",
    "resume it", "let's continue", "please resume that session", "found it", "genau das", "ja, das ist es", "c'est ça",
    "eso es", "é isso", "それです", "바로 그거야", "就是这个", "はい、それです",
)  # fmt: skip
STAYS_OPEN = (
    "is that it?", "that's it but earlier", "if that's it then great", "could that be it?", "yes we argued over retries",
    "that one time at the beach", "that's it, except it was about docker", "the session about frost", "maybe", "next.js migration",
    "stop the server conversation", "no retries in the client", "the one before the release", "I would resume it if it were right",
    "yes?", "resume parsing of the uploaded file",
)  # fmt: skip
STOPS = (
    "stop",
    "never mind",
    "Nevermind.",
    "forget it",
    "quit",
    "ok stop here",
    "give up",
    "vergiss es",
    "laisse tomber",
    "算了",
    "그만",
)


@pytest.mark.parametrize("said", IDENTIFIES)
def test_saying_so_identifies(said: str) -> None:
    assert read_answer(said, presented=True, offered=False).act is Act.IDENTIFY


@pytest.mark.parametrize("said", STAYS_OPEN)
def test_everything_doubtful_is_more_cue(said: str) -> None:
    answer = read_answer(said, presented=True, offered=False)
    assert answer.act is Act.CUE
    assert answer.cue == said


@pytest.mark.parametrize("said", ["ok", "Okay.", "thanks", "ok thanks!", "great", "cool"])
def test_what_only_says_that_it_was_heard_neither_identifies_nor_adds(said: str) -> None:
    assert read_answer(said, presented=True, offered=True).act is Act.EMPTY
    assert read_answer("ok, that's it", presented=True, offered=True).act is Act.IDENTIFY


@pytest.mark.parametrize("said", STOPS)
@pytest.mark.parametrize("presented", [True, False])
def test_stop_stops(said: str, presented: bool) -> None:
    assert read_answer(said, presented=presented, offered=False).act is Act.STOP


@pytest.mark.parametrize("said", IDENTIFIES)
def test_nothing_is_identified_before_something_was_presented(said: str) -> None:
    assert read_answer(said, presented=False, offered=False).act is not Act.IDENTIFY


@pytest.mark.parametrize(
    ("said", "cue", "direction", "runtime", "project"),
    [
        ("no", "", 0, "", False),
        ("not that one", "", 0, "", False),
        ("that's not it", "", 0, "", False),
        ("next", "", 0, "", False),
        ("not that one, it was in Codex", "", 0, "codex", False),
        ("nope - the codex one", "", 0, "codex", False),
        ("it was in Claude Code", "", 0, "claude", False),
        ("earlier", "", -1, "", False),
        ("the one before that", "", -1, "", False),
        ("no, before that", "", -1, "", False),
        ("an earlier one about docker", "about docker", -1, "", False),
        ("later, in march", "in march", 1, "", False),
        ("the other project", "", 0, "", True),
        ("no, the other project", "", 0, "", True),
        ("no it wasn't it, more about docker", "more about docker", 0, "", False),
        ("früher", "", -1, "", False),
        ("不是这个", "", 0, "", False),
    ],
)
def test_corrections_are_relative_to_what_was_presented(
    said: str, cue: str, direction: int, runtime: str, project: bool
) -> None:
    answer = read_answer(said, presented=True, offered=False)
    assert (answer.act, answer.cue, answer.direction, answer.runtime, answer.other_project) == (
        Act.CORRECT,
        cue,
        direction,
        runtime,
        project,
    )


def test_a_part_narrows() -> None:
    answer = read_answer("only the part about budgets", presented=True, offered=False)
    assert (answer.act, answer.cue) == (Act.NARROW, "budgets")


@pytest.mark.parametrize(
    ("said", "place"), [("the second one", 2), ("3", 3), ("show me the first", 1), ("#4", 4), ("last", -1)]
)
def test_numbers_pick_a_candidate(said: str, place: int) -> None:
    answer = read_answer(said, presented=True, offered=False)
    assert (answer.act, answer.ordinal) == (Act.PICK, place)


def test_an_offer_is_taken_or_left_in_everyday_words() -> None:
    for said in ("yes", "ok go ahead", "sure", "do it", "ja", "search wider"):
        assert read_answer(said, presented=False, offered=True).act is Act.ACCEPT, said
    for said in ("no", "no thanks", "nein"):
        assert read_answer(said, presented=False, offered=True).act is Act.DECLINE, said
    assert read_answer("retries", presented=False, offered=True).act is Act.CUE


def test_a_wider_search_can_be_asked_for_at_any_time() -> None:
    assert read_answer("please search everything", presented=True, offered=False).act is Act.ACCEPT


@pytest.mark.parametrize("said", ["", "   ", "?", "…", "hm", "I don't remember", "no idea"])
def test_silence_adds_nothing(said: str) -> None:
    answer = read_answer(said, presented=False, offered=False)
    assert answer.act is Act.EMPTY
    assert answer.cue == ""


@given(st.text(), st.booleans(), st.booleans())
def test_any_text_is_read(said: str, presented: bool, offered: bool) -> None:
    answer = read_answer(said, presented=presented, offered=offered)
    if answer.act is Act.IDENTIFY:
        assert presented
        assert "?" not in said.strip()[-1:]


@pytest.mark.parametrize(
    ("said", "cue", "direction", "runtime", "project"),
    [
        ("das war es nicht, es war in Codex", "", 0, "codex", False),
        ("nicht die, das andere Projekt", "", 0, "", True),
        ("pas celle-ci, c'était dans Gemini", "", 0, "gemini", False),
        ("plus tôt, avec l'index", "avec l'index", -1, "", False),
        ("no era esa, era en Claude Code", "", 0, "claude", False),
        ("otra, en el otro proyecto", "en el", 0, "", True),
        ("não era essa, foi no Cursor", "", 0, "cursor", False),
        ("depois", "", 1, "", False),
        ("違います、Codexでした", "", 0, "codex", False),
        ("もっと前", "", -1, "", False),
        ("그거 말고 다른 프로젝트", "", 0, "", True),
        ("不是这个，是在Codex里", "", 0, "codex", False),
        ("更早的", "", -1, "", False),
    ],
)
def test_corrections_are_read_in_the_other_languages(
    said: str, cue: str, direction: int, runtime: str, project: bool
) -> None:
    answer = read_answer(said, presented=True, offered=False)
    assert answer.act is Act.CORRECT, answer
    assert (answer.direction, answer.runtime, answer.other_project) == (direction, runtime, project), answer
    if not project:
        assert answer.cue == cue


@pytest.mark.parametrize(
    ("said", "act"),
    [
        ("das ist es", Act.IDENTIFY),
        ("oui, c'était ça", Act.IDENTIFY),
        ("sí, era esa", Act.IDENTIFY),
        ("sim, era essa", Act.IDENTIFY),
        ("はい、その会話です", Act.IDENTIFY),
        ("네, 그 대화예요", Act.IDENTIFY),
        ("对，就是它", Act.IDENTIFY),
        ("keine Ahnung", Act.EMPTY),
        ("je ne sais plus", Act.EMPTY),
        ("não lembro", Act.EMPTY),
        ("覚えていません", Act.EMPTY),
        ("不记得了", Act.EMPTY),
        ("überall suchen", Act.ACCEPT),
        ("busca en todo", Act.ACCEPT),
        ("もっと広く探して", Act.ACCEPT),
        ("扩大搜索", Act.ACCEPT),
        ("nur der Teil über den Index", Act.NARROW),
        ("juste la partie sur l'index", Act.NARROW),
        ("solo la parte sobre el índice", Act.NARROW),
        ("só a parte sobre o índice", Act.NARROW),
        ("索引の部分だけ", Act.NARROW),
        ("인덱스 부분만", Act.NARROW),
        ("只看关于索引的部分", Act.NARROW),
        ("die ganze Geschichte", Act.WHOLE),
        ("toute l'histoire", Act.WHOLE),
        ("整个经过", Act.WHOLE),
        ("ist es das?", Act.CUE),
        ("otra cosa que recuerdo es el índice", Act.CUE),
        ("une autre fois nous avons changé l'index", Act.CUE),
        ("was war vorher mit dem Index", Act.CUE),
    ],
)
def test_answers_in_the_other_languages(said: str, act: Act) -> None:
    assert read_answer(said, presented=True, offered=False).act is act


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("die zweite", 2), ("zeig mir den dritten", 0), ("la deuxième", 2), ("le premier", 1), ("la segunda", 2), ("o terceiro", 3),
        ("二番目", 2), ("最初の", 1), ("두 번째 거", 2), ("第二个", 2), ("das letzte", -1), ("最后一个", -1),
    ],
)  # fmt: skip
def test_a_candidate_is_picked_in_other_languages(said: str, place: int) -> None:
    answer = read_answer(said, presented=True, offered=False)
    assert (answer.ordinal if answer.act is Act.PICK else 0) == place
