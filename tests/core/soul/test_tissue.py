"""Headings to tissue: in eight languages, with emoji, numbering, dates and remarks around them."""

from __future__ import annotations

import pytest

from core.soul.model import Tissue
from core.soul.tissue import TissueTable, normal_heading


@pytest.mark.parametrize(
    "heading",
    [
        "North Star", "1. North Star", "🧭 North Star", "Norte (North Star)", "Doutrina de operação", "Doctrina operativa", "Offene Fragen",
        "Étoile polaire", "Do Not Do", "DON'T DO", "Human/Agent Pathos", "## Proof Standard ##", "열린 질문", "やってはいけないこと", "不要做",
        "Open Questions — for the owner", "II. Operating Doctrine",
    ],
)  # fmt: skip
def test_declared(heading: str) -> None:
    found = TissueTable().lookup(heading)
    assert (found.tissue, found.mapped, found.history) == (Tissue.DECLARED, True, False)


@pytest.mark.parametrize(
    "heading",
    ["Current State (2026-07-13 — recovered)", "Problemas conhecidos", "Nächste Schritte", "État actuel", "現状", "现状", "다음 단계", "Estado real (2026-07-06)"],
)  # fmt: skip
def test_verifiable(heading: str) -> None:
    found = TissueTable().lookup(heading)
    assert (found.tissue, found.mapped) == (Tissue.VERIFIABLE, True)


@pytest.mark.parametrize(
    "heading", ["Prior Era(s)", "Prior Eras", "Prior Checkpoint 3 — the split", "Eras anteriores", "过去", "以往检查点"]
)
def test_history_is_told_from_what_no_table_names(heading: str) -> None:
    found = TissueTable().lookup(heading)
    assert found.history is (heading != "过去")
    assert found.mapped is (heading != "过去")


def test_an_unknown_heading_is_verifiable_and_unmapped() -> None:
    found = TissueTable().lookup("Brotherly Pathos Notes")
    assert (found.tissue, found.mapped) == (Tissue.VERIFIABLE, False)


def test_a_teams_own_headings_win() -> None:
    table = TissueTable().extended({"declared": ["Current State"], "verifiable": ["North Star"], "history": ["Log"]})
    assert table.lookup("Current State").tissue is Tissue.DECLARED
    assert table.lookup("North Star").tissue is Tissue.VERIFIABLE
    assert table.lookup("Log 2025").history


def test_kana_keep_their_voice() -> None:
    assert normal_heading("デプロイ") == "デプロイ"
    assert normal_heading("テフロイ") != normal_heading("デプロイ")
