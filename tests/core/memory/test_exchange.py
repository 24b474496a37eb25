"""Claims as Markdown files: the same bytes out, in and out again, whatever the text; files that people write by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from core.memory.claim import Claim, Tier, marker, new_claim
from core.memory.exchange import file_name, from_markdown, to_markdown
from core.memory.ids import new_id
from core.text import printable

QUICK = settings(max_examples=100, deadline=None, derandomize=True)
_HOSTILE = st.sampled_from(
    ["\n---\n", "---", "]", "[", '"', "\\", ": ", "#", "\r\n", "\r", "\x00", "\x1b[2J", "\u2028", "\u202e", "\ufeff", "\x85", "\ud800",
     "\udc00", "\U000e0041", "\U0010ffff", "\ufffe", "é", "日本", "👨\u200d👩", "\t", " ", "\n", "- a", "!!python/object", "*a", "&a", "%", "yes", "~"]
)  # fmt: skip
_TEXT = st.lists(_HOSTILE | st.text(max_size=8), min_size=1, max_size=8).map("".join).filter(lambda t: t.strip())
_NAME = st.text("abc é:#'\"-[]{}&*!|>%@`", min_size=1, max_size=12).map(str.strip).filter(bool)


@QUICK
@given(
    text=_TEXT, tags=st.lists(_NAME, max_size=3), salience=st.floats(0, 1), confidence=st.none() | st.floats(0, 1),
    at=st.none() | st.integers(0, 4_000_000_000), tier=st.sampled_from(Tier), agent=st.just("") | _NAME,
)  # fmt: skip
def test_a_file_is_the_claim_and_the_claim_is_the_file(
    text: str, tags: list[str], salience: float, confidence: float | None, at: int | None, tier: Tier, agent: str
) -> None:
    made = new_claim(
        text, tags=tags, salience=salience, confidence=confidence, created_at=at, tier=tier, source_agent=agent,
        evidence=["record:/a b/c.jsonl:3", "commit:0123abc"], soul_source="docs/P.md#A: b", supersedes=[new_id()],
    )  # fmt: skip
    file = to_markdown(made)
    raw = file.encode("utf-8")
    back = from_markdown(raw, "x.md")
    assert back == made
    assert to_markdown(back).encode("utf-8") == raw
    assert printable(file) == file, "a file never steers a terminal"
    assert "\r" not in file


def test_a_file_reads_well_without_this_program() -> None:
    made = new_claim(
        "We retry three times.\n\n---\n\nWith jitter.", kind="decision", created_at=1_769_860_800, source_agent="ana"
    )
    lines = to_markdown(made).split("\n")
    assert lines[0] == "---"
    assert 'kind: "decision"' in lines
    assert 'created_at: "2026-01-31T12:00:00Z"' in lines
    assert lines[lines.index("---", 1) + 1 :] == ["", "We retry three times.", "", "---", "", "With jitter.", ""]


def test_other_readers_of_yaml_see_the_same() -> None:
    import yaml

    made = new_claim("x", tags=["a: b", "日本", "no"], source_agent="yes")
    front = yaml.safe_load(to_markdown(made).split("---\n")[1])
    assert front["tags"] == ["a: b", "日本", "no"]
    assert front["source_agent"] == "yes"
    assert front["confidence"] is None
    assert front["salience"] == 0.5


def test_what_a_person_writes_by_hand() -> None:
    raw = b"---\nkind: rule\ntags: [time, no]\ncreated_at: 2026-01-31T12:00:00Z\nconfidence: 90%\nevidence:\n  - docs/a.md:3\n---\nUse UTC.\n"
    made = from_markdown(raw, "rule.md")
    assert (made.kind, made.tags, made.confidence, made.text) == ("rule", ("time", "no"), 0.9, "Use UTC.")
    assert made.created_at == 1_769_860_800
    assert str(made.evidence[0]) == "file:docs/a.md:3"
    assert made.label == "Use UTC."
    assert from_markdown(raw.replace(b"\n", b"\r\n"), "rule.md").text == "Use UTC."
    assert from_markdown(b"---\n---\nbare\n", "x.md").text == "bare"
    assert from_markdown(b"---\ntags: one\n---\nbare", "x.md").tags == ("one",)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"no front matter", "begin"), (b"---\nkind: rule\n", "second"), (b"---\nkind: [\n---\nx\n", "x.md:"), (b"---\nmood: 1\n---\nx", "mood"),
        (b"---\nkind: rule\nkind: fact\n---\nx", "twice"), (b"---\nkind: {a: b}\n---\nx", "kind"), (b"---\n- a\n---\nx", "keys"),
        (b"---\nsalience: 90\n---\nx", "salience"), (b"---\nkind: rule\n---\n\n", "no text"), (b"---\n\xff\n---\nx", "UTF-8"),
        (b"---\nid: 12\n---\nx", "id"), (b"---\ntags: [[a]]\n---\nx", "tags"), (b"---\n? [a]\n: b\n---\nx", "key"),
        (b"---\n" + b"[" * 1000 + b"\n---\nx", "x.md"), (b"x" * (1 << 20) + b"y", "bytes"), (b"---\ncreated_at: soon\n---\nx", "soon"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_file_that_is_none_says_where_and_what(raw: bytes, told: str) -> None:
    with pytest.raises(UsageError) as problem:
        from_markdown(raw, "x.md")
    assert told in problem.value.what
    assert "x.md" in problem.value.what
    assert problem.value.hint


def test_no_alias_and_no_object_of_yaml_is_followed() -> None:
    bomb = b"---\ntags: &a [x, x, x]\nevidence: &b [*a, *a]\n---\nx"
    with pytest.raises(UsageError):
        from_markdown(bomb, "x.md")
    with pytest.raises(UsageError):
        from_markdown(b"---\nsource_agent: !!python/object/apply:os.system ['true']\n---\nx", "x.md")


def test_names_of_files_are_plain_and_apart(tmp_path: Path) -> None:
    made = [
        new_claim("../../etc/passwd \x00 é"),
        new_claim("../../etc/passwd \x00 é"),
        marker("tombstone", new_id()),
        Claim(new_id(), "", "…"),
    ]
    names = [file_name(claim) for claim in made]
    assert len(set(names)) == 4
    assert all("/" not in n and n.endswith(".md") and n.isascii() for n in names)
    assert names == sorted(names)
