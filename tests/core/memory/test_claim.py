"""Claims: numbers that are never mis-scaled, ids in order, fields that name themselves when they cannot be."""

from __future__ import annotations

import math
import time
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from core.memory.claim import KINDS, Claim, Evidence, EvidenceKind, label_of, new_claim, read_evidence, share
from core.memory.ids import SHAPE, new_id, time_of
from core.memory.masking import masked_claim
from core.memory.wire import Malformed, canonical, claim_of, document_of, seconds_of

QUICK = settings(max_examples=100, deadline=None, derandomize=True)


@pytest.mark.parametrize("written", [0.9, "0.9", ".9", "90 %", "90%", " 0.90 ", "90.0%"])
def test_a_share_is_the_same_however_it_is_written(written: object) -> None:
    assert share("confidence", written) == 0.9


@pytest.mark.parametrize(
    "written",
    [90, "90", 1.01, "1.01", -0.1, "-0.1", "190%", "100.1%", "high", "", "0,9", True, None, math.nan, math.inf, "nan", "1e-1",
     "٠.٩", [0.9], "9 0%", "%", ".", "0x1"],
)  # fmt: skip
def test_a_number_that_cannot_be_is_named_with_its_field_and_never_scaled(written: object) -> None:
    with pytest.raises(UsageError) as problem:
        share("salience", written)
    assert "salience" in problem.value.what
    assert repr(written) in problem.value.what


@pytest.mark.parametrize("edge", [0, 1, "0", "1", "0%", "100%", "100 %", 0.0, 1.0, "1.", "0.0"])
def test_the_ends_are_shares(edge: object) -> None:
    assert share("x", edge) in (0.0, 1.0)


@QUICK
@given(st.floats(0, 1))
def test_every_share_comes_back_as_it_was(value: float) -> None:
    kept = share("x", value)
    assert abs(kept - value) <= 5e-7
    assert share("x", kept) == share("x", f"{kept:.6f}") == kept


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "tombstone"), ("kind", "Decision"), ("tier", "eternal"), ("salience", 5), ("importance", "2"), ("confidence", "x"),
        ("tags", ["a\nb"]), ("tags", [""]), ("namespace", ""), ("source_agent", "a\x1bb"), ("evidence", [""]),
        ("evidence", ["commit:xyz"]), ("evidence", ["a\nb"]), ("depends_on", ["12"]), ("supersedes", ["nope"]), ("text", "  \n"),
        ("text", "x" * 100_001), ("soul_source", "docs/PATHOS.md"), ("soul_source", "#State"), ("soul_source", "/etc/x#y"),
        ("soul_source", "a/../b#y"), ("soul_source", "a.md#"), ("soul_source", "a.md#x\ny"), ("tags", ["t"] * 501),
    ],
)  # fmt: skip
def test_a_field_that_cannot_be_is_named(field: str, value: object) -> None:
    with pytest.raises(UsageError) as problem:
        new_claim(**{"text": "fine", field: value})  # type: ignore[arg-type]
    assert field.removesuffix("s") in problem.value.what.lower()
    assert problem.value.hint


def test_every_field_is_kept() -> None:
    other = new_id()
    made = new_claim(
        "We retry\nthree times", kind="decision", tier="canonical", salience="80%", importance=".7", confidence="0.9",
        tags=["retry", "retry", "net"], namespace="team", source_agent="ana", created_at=1.9e9, updated_at=1.9e9 + 1,
        evidence=["/s/x.jsonl:12", "1a2b3c4", "docs/a.md:3", "commit:abcdef0123", "record:/a:b.jsonl#p:4"], depends_on=[other],
        supersedes=[other], soul_source="docs/PATHOS.md#State > Now", origin="mem_1",
    )  # fmt: skip
    assert (made.salience, made.importance, made.confidence) == (0.8, 0.7, 0.9)
    assert made.tags == ("retry", "net")
    assert made.label == "We retry three times"
    assert [str(e) for e in made.evidence] == [
        "record:/s/x.jsonl:12", "commit:1a2b3c4", "file:docs/a.md:3", "commit:abcdef0123", "record:/a:b.jsonl#p:4"
    ]  # fmt: skip
    assert claim_of(document_of(made)) == made
    assert set(document_of(made)) == {field.name for field in fields(Claim)}
    assert made.id > other


def test_what_is_not_said_is_unknown_and_not_fresh() -> None:
    made = new_claim("x")
    assert (made.created_at, made.updated_at, made.confidence, made.source_agent) == (None, None, None, "")


def test_ids_are_in_order_and_of_their_time() -> None:
    ids = [new_id() for _ in range(5000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 5000
    assert all(SHAPE.fullmatch(i) and i[14] == "7" and i[19] in "89ab" for i in ids)
    made = time_of(ids[0])
    assert made is not None
    assert abs(made - time.time()) < 60


def test_an_id_is_later_than_those_it_answers_whatever_the_clock_says() -> None:
    ahead = f"{int((time.time() + 3600) * 1000):012x}"
    seen = f"{ahead[:8]}-{ahead[8:]}-7fff-8000-000000000000"
    assert new_id(seen) > seen
    absurd = "ffffffff-ffff-7fff-bfff-ffffffffffff"
    assert new_id(absurd) < absurd


@QUICK
@given(st.text(max_size=300))
def test_a_label_is_one_short_line(text: str) -> None:
    assert "\n" not in label_of(text)
    assert len(label_of(text)) <= 73


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_may_be_kept(kind: str) -> None:
    assert new_claim("x", kind=kind).kind == kind


@QUICK
@given(
    st.sampled_from(EvidenceKind),
    st.text("abc/.:#é 0123456789", min_size=1, max_size=20),
    st.integers(1, 10**6) | st.none(),
)
def test_evidence_reads_what_it_writes(kind: EvidenceKind, at: str, line: int | None) -> None:
    if kind is EvidenceKind.COMMIT:
        at, line = "0123abc", None
    text = str(Evidence(kind, at, line))
    if at.strip():
        assert str(read_evidence(text)) == text


def test_secrets_are_masked_before_anything_is_stored_and_counted_once() -> None:
    secret = "ghp_" + "a1B2" * 9
    clean, count = masked_claim(new_claim(f"The deploy token is {secret} for now", tags=["x"]))
    assert count == 1
    assert secret not in canonical(document_of(clean))
    assert "[masked: GitHub token]" in clean.text
    assert masked_claim(clean) == (clean, 0)
    long = new_claim("a word " * 8 + secret)
    clean, count = masked_claim(long)
    assert "ghp_" not in clean.label
    assert count == 1


@pytest.mark.parametrize(
    "change",
    [{"id": "x"}, {"id": 3}, {"text": 3}, {"kind": "No Kind"}, {"tier": "x"}, {"salience": 2}, {"confidence": "x"}, {"tags": "a"},
     {"tags": [1]}, {"created_at": "yesterday"}, {"created_at": 5}, {"evidence": [""]}, {"depends_on": ["x"]}, {"soul_source": "x"}],
)  # fmt: skip
def test_a_document_that_is_no_claim_says_why(change: dict[str, object]) -> None:
    with pytest.raises(Malformed) as problem:
        claim_of({**document_of(new_claim("x")), **change})
    assert str(problem.value)


def test_keys_of_a_later_version_are_passed_over() -> None:
    made = new_claim("x")
    assert claim_of({**document_of(made), "mood": "good"}) == made


def test_times_are_read_with_their_zone() -> None:
    assert seconds_of("2026-01-31T12:00:00Z") == seconds_of("2026-01-31T13:00:00+01:00") == 1_769_860_800.0
    assert seconds_of("") is None
