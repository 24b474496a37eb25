"""Whatever happened to the files and in which order: a refreshed index answers as one built anew."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.ports import Filters
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import exactly, ids
from tests.indexes.fake_archive import FakeArchive, Records

NAMES = ("r1", "r2", "r3", "fork")
WORDS = st.sampled_from("zebra crossing painted running PaymentGate src/app.py #12 检索方法 the we".split())  # noqa: SIM905
TURNS = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=4)
STEPS = st.lists(
    st.tuples(st.sampled_from(("write", "grow", "delete", "refresh", "stop")), st.sampled_from(NAMES), TURNS),
    min_size=1,
    max_size=14,
)
QUERIES = ("zebra", "crossing painted", "PaymentGate", "src/app.py #12", "检索", "we the", "running zebra the painted")


def said(texts: list[str], name: str, number: int) -> list[dict[str, Any]]:
    """Turns with ids; every record begins with the same one, so that all share a past."""
    turns = [{"t": text, "uid": f"{name}{number}.{n}", "at": number * 10.0 + n} for n, text in enumerate(texts)]
    if name == "fork":
        turns[0]["copied"] = True
    return turns


def act(records: Records, index: WhooshIndex, step: str, name: str, texts: list[str], number: int) -> None:
    path = records.root / f"{name}.jsonl"
    turns = said(texts, name, number)
    if step == "write":
        shared = [{"t": "shared zebra", "uid": "common", "at": 1.0}]
        records.write(name, *shared, *turns, fork="r1" if name == "fork" else "")
    elif step == "grow" and path.exists():
        records.grow(name, *turns)
    elif step == "delete":
        path.unlink(missing_ok=True)
    elif step == "refresh":
        index.refresh()
    elif step == "stop":
        index.refresh(progress=lambda progress: progress.records < 1)


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_any_history_equals_a_rebuild(steps: list[tuple[str, str, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        records = Records(Path(folder) / "archive")
        archive = FakeArchive(records.root)
        index = WhooshIndex(Path(folder) / "index", archive)
        for number, (step, name, texts) in enumerate(steps):
            act(records, index, step, name, texts, number)
        done = index.refresh()
        assert done.pending == 0
        gone = [e for e in index.entries() if not Path(e.source.path).exists()]
        fresh = WhooshIndex(Path(folder) / "fresh", archive)
        fresh.refresh()
        only_present = Filters(kinds=("-gone",))
        assert sorted(ids(index, filters=only_present, limit=99)) == sorted(ids(fresh, limit=99))
        if not gone:  # records that are gone keep their words, and a rebuild cannot know them
            for text in QUERIES:
                assert exactly(index, text) == exactly(fresh, text)
