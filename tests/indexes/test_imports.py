"""What the light operations must not load: a list of records paints before numpy and Whoosh are there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from pathlib import Path
from indexes.whoosh_index import WhooshIndex
from tests.indexes.fake_archive import FakeArchive
index = WhooshIndex(Path(sys.argv[1]), FakeArchive(Path(sys.argv[2])))
index.state(), list(index.entries()), index.receipts(["/x"]), index.refresh()
print(sorted({"numpy", "whoosh", "Stemmer", "textual"} & set(sys.modules)))
"""


def test_state_entries_and_an_idle_refresh_load_neither_numpy_nor_whoosh(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "index"), str(tmp_path / "archive")]
    ran = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
