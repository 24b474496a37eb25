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


SEARCH = """
import os, sys
from pathlib import Path
from core.ports import Query, Term
from indexes.whoosh_index import WhooshIndex
from tests.indexes.fake_archive import FakeArchive, Records
root = Path(sys.argv[2])
Records(root).write("a", "the payment gateway broke")
index = WhooshIndex(Path(sys.argv[1]), FakeArchive(root))
if len(sys.argv) > 3:
    index.refresh()
else:
    print(len(index.search(Query((Term("gateway"),)))), sorted({"numpy", "whoosh"} & set(sys.modules)))
    print("OPENBLAS_NUM_THREADS" in os.environ)
"""


def test_a_search_loads_numpy_but_not_whoosh_and_changes_no_variable(tmp_path: Path) -> None:
    """Whoosh only writes; and what a person starts from here must not inherit how numpy was loaded."""
    command = [sys.executable, "-c", SEARCH, str(tmp_path / "index"), str(tmp_path / "archive")]
    where = Path(__file__).parents[2]
    subprocess.run([*command, "build"], cwd=where, capture_output=True, text=True, check=True)
    ran = subprocess.run(command, cwd=where, capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n")[:2] == ["1 ['numpy']", "False"]


TYPES = """
import sys
from indexes.arrays import load_numpy
load_numpy()
import numpy as np
from indexes import searching
print("numpy._typing._dtype_like" in sys.modules, np.linalg.norm(np.array([3.0, 4.0])))
import numpy._typing._nbit
from numpy.typing import ArrayLike, NDArray
print(sys.modules["numpy._typing"] is np._typing, hasattr(np._typing, "DTypeLike"))
"""


def test_the_types_of_numpy_are_loaded_when_another_library_asks_for_them() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", TYPES], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split("\n")[:2] == ["False 5.0", "True True"]
