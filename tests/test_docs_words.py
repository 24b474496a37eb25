"""Keys, paths, figures and words that the documents name are those of the code."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from core.delegation import calibration, model, project
from core.delegation.conformance import Conformance, PathClass
from core.delegation.worker_report import MOST_FINDINGS
from core.memory.claim import Tier
from core.memory.ranking import LEAST, WINDOWS
from core.memory.routes import EDGES, HEALTH, MAX_BODY, MERGE, NODES, SYNC
from core.recall.model import RoundKind, WholeKind
from core.recall.story import LONGEST_STORY
from core.soul.aging import AGE_DAYS
from core.soul.model import State
from tests.test_docs_readme import STEPS, spans
from tui.keys import TABLE

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def text_of(name: str) -> str:
    """A document as one line, so that where its lines break does not matter."""
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_key_that_is_named_exists(document: Path) -> None:
    """But for keys that examples of settings give to actions instead."""
    known = {key.lower() for row in TABLE for key in row.keys.split(",")}
    form = re.compile(r"(?<![\w+-])(?:(?:ctrl|alt|shift)\+(?:F\d+|[a-z0-9](?!\w))|F\d{1,2})\b", re.IGNORECASE)
    text = re.sub(r"```toml\n.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for key in form.findall(text):
        assert key.lower() in known, (document.name, key)


def test_the_keys_of_the_first_ten_minutes_exist() -> None:
    known = {key.lower() for row in TABLE for key in row.keys.split(",")} | {"enter", "esc", "g"}
    told = [span for step in STEPS for span in spans(step) if re.fullmatch(r"\S|F\d+|(ctrl|alt)\+\w|enter|esc", span)]
    assert len(told) > 15
    for key in told:
        assert key.lower() in known, key


@pytest.mark.parametrize("name", ["architecture.md", "CONTRIBUTING.md", "ranking.md", "interface.md", "privacy.md"])
def test_every_path_of_this_repository_that_is_named_exists(name: str) -> None:
    """Also those of a folder named before, as `render.py` beside `core/delegation/compose.py`."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    files = [
        str(p.relative_to(ROOT)) for top in ("core", "indexes", "tui", "tests", "docs") for p in (ROOT / top).rglob("*")
    ]
    named = re.findall(r"(?:`|^|\s)((?:core|indexes|tui|tests)/[\w/.*]+|[a-z_]+\.py)", text, re.MULTILINE)
    assert named or name in ("interface.md", "privacy.md")
    for path in named:
        wanted = path.rstrip("/.")
        assert any(fnmatch(file, wanted) or file.endswith(f"/{wanted}") for file in files), (name, path)


def test_the_modules_of_the_core_are_described() -> None:
    """A part that the document leaves out is one that nobody finds."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    parts = [p for p in (ROOT / "core").iterdir() if p.is_dir() and (p / "__init__.py").is_file()]
    assert len(parts) > 5
    for part in parts:
        assert f"core/{part.name}" in text


def test_the_words_of_the_concepts_are_those_of_the_code() -> None:
    text = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
    states = text.split("| state | meaning |", 1)[1].split("\n\n", 1)[0]
    assert re.findall(r"^\| ([a-z-]+) \|", states, re.MULTILINE) == [
        state.value for state in (State.FRESH, State.STALE, State.SUPERSEDED, State.RECEIPT_REQUIRED, State.UNPROVABLE, State.DECLARED)
    ]  # fmt: skip
    for tier in Tier:
        assert f"*{tier.value}*" in text
    assert (WINDOWS[Tier.CANONICAL], WINDOWS[Tier.EPISODIC], WINDOWS[Tier.WORKING], LEAST) == (365, 90, 30, 0.1)
    assert "*canonical* over a year, *episodic* over 90 days, *working* over 30; never to less than a tenth" in text
    words = {"session": "session", "line": "line of work", "topic": "topic", "concept": "concept"}
    for kind, word in words.items():
        assert WholeKind(kind)
        assert f"*{word}*" in text
    for said in ("presented", "asked", "offered"):
        assert f"*{said}*" in text
    assert {kind.value for kind in RoundKind} == {"present", "ask", "offer"}
    for verdict in Conformance:
        assert verdict.value in text


def test_the_figures_of_the_documents_are_those_of_the_code() -> None:
    delegation, memory, soul = (text_of(f"docs/{name}.md") for name in ("delegation", "memory", "soul"))
    assert model.TOKENS == 2000
    assert model.MOST_TOKENS == 8000
    assert "2,000 unless you say otherwise and 8,000 at most" in delegation
    assert model.LIFE == 4 * 3600
    assert "lives four hours" in delegation
    assert model.STALE_DAYS == 30
    assert "STALE past 30 days" in delegation
    assert project.MOST_COMMITS == 2000
    assert "the newest 2,000" in delegation
    assert model.MOST_CLAIMS == 5
    assert "at most five claims" in delegation
    assert MOST_FINDINGS == 3
    assert "Up to three findings" in delegation
    assert calibration.NEEDED == 30
    for name in ("docs/delegation.md", "docs/concepts.md", "docs/guide.md"):
        assert "30 clean" in text_of(name)
    for kind in PathClass:
        assert f"| {kind.value.replace('_', ' ')} |" in delegation
    assert MAX_BODY == 4 << 20
    assert "Bodies have 4 MB at most" in memory
    assert AGE_DAYS == 90
    assert "age_days = 90" in soul
    assert LONGEST_STORY == 9
    assert "three to nine sentences" in text_of("docs/concepts.md")


def test_every_violation_and_every_route_is_told_of() -> None:
    source = (ROOT / "core" / "soul" / "seat.py").read_text(encoding="utf-8")
    codes = set(re.findall(r'Violation\(\s*"([a-z_]+)"', source))
    table = (ROOT / "docs" / "soul.md").read_text(encoding="utf-8").split("| violation |", 1)[1].split("\n\n", 1)[0]
    told = {
        code
        for row in table.splitlines()
        for code in re.findall(r"`([a-z_]+)`", row.split("|")[1] if "|" in row else "")
    }
    assert len(codes) > 8
    assert told == codes
    memory = (ROOT / "docs" / "memory.md").read_text(encoding="utf-8")
    routes = re.findall(r"^\| `(?:GET|POST) ([/a-z-]+)", memory, re.MULTILINE)
    assert {route.rstrip("/") for route in routes} == {MERGE, NODES, EDGES, SYNC, HEALTH}


def test_the_limits_that_contributors_are_told_are_those_of_the_tests() -> None:
    text = text_of("docs/CONTRIBUTING.md")
    held = (ROOT / "tests" / "test_architecture.py").read_text(encoding="utf-8")
    assert "no file over 400 lines (tests 700), no function over 60" in text
    assert '700 if "tests" in path.parts else 400' in held
    assert "> 60" in held
