"""A handoff document becomes claims by its blocks."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.soul.bounds import STRETCH, stretches
from core.soul.document import parse, physical_lines
from core.soul.model import Block, Claim, Document, Reason, Tissue


def _state(body: str) -> Document:
    return parse(f"# Pay\n\n## Current State\n\n{body}")


def _texts(document: Document) -> list[str]:
    return [claim.text for claim in document.claims]


def _only(document: Document) -> Claim:
    (claim,) = document.claims
    return claim


def test_a_wrapped_bullet_is_one_claim_with_the_path_of_its_second_line() -> None:
    claim = _only(_state("- the retry budget lives in\n  `pay/budget.py` since March\n"))
    assert claim.lines == (5, 6)
    assert [(a.raw, a.line) for a in claim.anchors] == [("pay/budget.py", 6)]


def test_a_span_broken_over_two_lines_is_joined() -> None:
    claim = _only(_state("- lives in `pay/\n  budget.py`\n"))
    assert [a.target for a in claim.anchors] == ["pay/budget.py"]


def test_nested_items_are_claims_of_their_own_in_the_order_of_the_document() -> None:
    document = _state("- parent `a.py`\n  - child `b.py`\n  - second `c.py`\n- uncle `d.py`\n")
    assert _texts(document) == ["parent a.py", "child b.py", "second c.py", "uncle d.py"]
    assert [c.lines for c in document.claims] == [(5, 5), (6, 6), (7, 7), (8, 8)]


def test_every_block_that_says_something_is_a_claim() -> None:
    document = _state(
        "Prose on `a.py`.\n\n1. one `b.py`\n\n| what | where |\n|--|--|\n| x | `c.py` and `d.py` |\n\n> quoted `e.py`\n\n* star\n+ plus\n"
    )
    assert [c.block for c in document.claims] == [
        Block.PARAGRAPH, Block.NUMBERED, Block.ROW, Block.QUOTE, Block.BULLET, Block.BULLET,
    ]  # fmt: skip
    assert [a.raw for a in document.claims[2].anchors] == ["c.py", "d.py"]


def test_prose_without_an_anchor_is_narration_and_a_bullet_without_one_is_a_claim() -> None:
    document = _state("Only words here, and https://example.org/x.\n\n- only words\n")
    assert _texts(document) == ["only words"]
    assert document.narration == 1


def test_scaffold_is_no_claim_and_fences_do_not_change_the_section() -> None:
    document = _state(
        "```sh\n## Not A Section\n$ pytest -q\n# remark\n```\n\n---\n\n<!-- remark -->\n\n- last `a.py`\n"
    )
    assert _texts(document) == ["last a.py"]
    assert document.claims[0].section == ("Current State",)
    assert [(c.text, c.line) for c in document.commands] == [("pytest -q", 7)]


def test_the_section_path_holds_every_heading_above() -> None:
    document = parse("# T\n## Access Map\n### Keys\n#### Prod\n- `a.py`\n### Other\n- `b.py`\n")
    assert [c.section for c in document.claims] == [("Access Map", "Keys", "Prod"), ("Access Map", "Other")]


def test_before_the_first_section_everything_is_declared() -> None:
    document = parse("# T\n\n> state of play: `a.py`\n\n- x\n\n## Current State\n- y\n")
    assert [c.tissue for c in document.claims] == [Tissue.DECLARED, Tissue.DECLARED, Tissue.VERIFIABLE]


def test_a_second_title_opens_a_section_so_that_nothing_passes_silently() -> None:
    document = parse("# T\n\n# Build\n- `a.py`\n")
    assert document.claims[0].tissue is Tissue.VERIFIABLE
    assert document.headline == "T"


def test_history_is_skipped_to_the_next_section() -> None:
    document = parse("# T\n## Prior Eras\n- `old.py`\n### Deep\n- `older.py`\n## Current State\n- `new.py`\n")
    assert _texts(document) == ["new.py"]
    assert [s.history for s in document.sections] == [False, True, False]


def test_auto_regions_are_no_claims_and_an_unclosed_one_is_said() -> None:
    document = _state(
        "<!-- BEGIN:auto-overview -->\n- `v9.9.9`\n\ntext `z.py`\n<!-- END:auto-overview -->\n- mine `a.py`\n<!-- BEGIN:auto-x -->\n- lost\n\n## Next Steps\n- kept\n"
    )
    assert _texts(document) == ["mine a.py", "kept"]
    assert [(r.name, r.closed) for r in document.regions] == [("overview", True), ("x", False)]
    assert "`v9.9.9`" in document.regions[0].text
    assert [f.reason for f in document.findings] == [Reason.UNCLOSED_REGION]


def test_an_unknown_section_is_a_finding() -> None:
    document = parse("# T\n## Zebra\n- `a.py`\n")
    assert [(f.reason, f.line) for f in document.findings] == [(Reason.UNMAPPED_SECTION, 2)]


def test_front_matter_a_byte_order_mark_and_carriage_returns_keep_the_lines() -> None:
    document = parse("\ufeff---\r\ntitle: x\r\n---\r\n# T\r\n## Current State\r\n- `a.py`\r\n")
    assert document.headline == "T"
    assert document.claims[0].lines == (6, 6)


def test_crossed_out_claims_are_known() -> None:
    whole, part = _state("- ~~the parser is in `old.py`~~\n- ~~12~~ 14 commands in `a.py`\n").claims
    assert whole.struck
    assert (part.struck, part.struck_text) == (False, "12")


def test_checkboxes_are_marks_and_not_words() -> None:
    assert _texts(_state("- [x] shipped `a.py`\n- [ ] open\n")) == ["shipped a.py", "open"]


def test_own_lines_leave_nested_items_out() -> None:
    parent = _state("- parent\n\n  - child\n\n  more of the parent `a.py`\n").claims[0]
    assert parent.own_lines == ((5, 5), (9, 9))
    assert parent.text == "parent more of the parent a.py"


@given(st.text(alphabet="#-*>|`~<!abc 1.\n\r\t[](){}é漢:/\\", max_size=300))
def test_no_text_breaks_the_parser_and_every_claim_lies_in_the_document(text: str) -> None:
    document = parse(text)
    count = len(physical_lines(text))
    for claim in document.claims:
        assert 1 <= claim.lines[0] <= claim.lines[1] <= count
        assert all(claim.lines[0] <= a.line <= claim.lines[1] for a in claim.anchors)


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1 ",
        "#1-",
        "a/",
        "a.",
        "a::",
        "1/",
        "1 unit ",
        "v1.2.3-",
        "1,111,",
        "2026-01-",
        "three ",
        "1 k live ",
        "abcdef1",
        "` ",
        "x=",
    ],
)
def test_a_document_made_to_be_slow_costs_what_its_length_costs(piece: str) -> None:
    """Counted in calls of the interpreter, not in time: twice the text, at most three times the work."""
    short, long_ = (_work(piece * n) for n in (2000, 4000))
    assert long_ <= 3 * short + 20_000


def _work(text: str) -> int:
    from core.soul.quantities import contradictions, quantities_of
    from core.soul.supersession import supersede

    seen = [0]

    def count(*_: object) -> None:
        seen[0] += 1

    sys.setprofile(count)
    try:
        claims = _state(f"- {text}\n").claims
        found = {n: quantities_of(c, n) for n, c in enumerate(claims)}
        contradictions(q for group in found.values() for q in group)
        supersede(claims, found)
    finally:
        sys.setprofile(None)
    return seen[0]


def test_no_pattern_sees_more_than_a_stretch() -> None:
    text = ("word " * 900) + "x" * 3000 + " `a.py` " + "y" * 399
    parts = list(stretches(text))
    assert "".join(part for _, part in parts) == text.replace("x" * 3000, " " * 3000)
    assert all(len(part) <= STRETCH for _, part in parts)
    assert all(text.replace("x" * 3000, " " * 3000)[at : at + len(part)] == part for at, part in parts)


def test_deep_lists_are_read_and_what_is_too_deep_is_said() -> None:
    deep = "## Current State\n\n" + "".join("  " * n + f"- `a/{n}.py`\n" for n in range(40))
    assert len(parse(deep).claims) == 40
    assert [f.reason for f in parse(deep).findings] == []
    deeper = parse("## Current State\n\n" + "".join("  " * n + f"- `a/{n}.py`\n" for n in range(400)))
    assert [f.reason for f in deeper.findings] == ["nested_too_deep"]
    assert len(deeper.claims) > 40
    assert [f.reason for f in parse("## Current State\n\n" + ">" * 3000 + " `a/b.py`\n").findings] == [
        "nested_too_deep"
    ]
