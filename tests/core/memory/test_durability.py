"""What was acknowledged is at the owner, exactly once, whoever is killed and however many write (design/memory.md 5)."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from core.errors import SurroundingsError
from core.memory.claim import new_claim
from core.memory.local_copy import read_copy
from tests.core.memory.memories import NOW, hashes, memory

ROOT = Path(__file__).parents[3]


def run(module: str, *arguments: str) -> dict[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-m", f"tests.core.memory.{module}", *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def at_owner(folder: Path) -> Counter[str]:
    """Every node of the store, read from the file itself, not through our own reading."""
    with sqlite3.connect(f"file:{folder}/memory.db?mode=ro", uri=True) as db:
        found = Counter(row[0] for row in db.execute("SELECT id FROM nodes"))
    db.close()
    return found


def test_two_hundred_kills_lose_no_claim(tmp_path: Path) -> None:
    told = run("crashing", str(tmp_path), "200", "7")
    assert told["killed"] == 200
    assert len(told["acknowledged"]) > 50, "the writers were killed before they wrote anything"
    assert len(told["staged"]) > 20, "no kill fell between staging and the owner"
    assert told["queued"] == []
    held = memory(tmp_path)
    done = held.drain()
    assert (done.left, done.trouble) == (0, "")
    counts = at_owner(tmp_path)
    assert {i: counts[i] for i in told["acknowledged"]} == dict.fromkeys(told["acknowledged"], 1)
    assert {i: counts[i] for i in told["staged"]} == dict.fromkeys(told["staged"], 1)
    assert set(counts.values()) == {1}
    assert held.spool.names() == ()
    assert [p for p in (tmp_path / "spool").iterdir() if p.name.endswith(".part")] == []
    copied = Counter(row[0]["id"] for row in read_copy(held.copy).nodes)
    assert copied == counts
    assert set(held.view().held) == set(counts)


def test_eight_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    told = run("writing", str(tmp_path), "8", "12")
    assert len(told["persisted"]) == 96
    assert told["queued"] == []
    counts = at_owner(tmp_path)
    assert counts == Counter(told["persisted"])
    assert memory(tmp_path).spool.names() == ()


def test_a_commit_that_was_cut_short_is_read_around_and_mended_by_the_next_writer(tmp_path: Path) -> None:
    """A writer that died within its commit leaves SQLite's journal; readers change nothing, the next drain rolls it back."""
    held = memory(tmp_path)
    first = held.keep([new_claim("stays", created_at=NOW)]).ids[0]
    code = (
        "import os, sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('PRAGMA cache_size = 1')\n"
        "db.execute('BEGIN IMMEDIATE')\n"
        "for n in range(400): db.execute('INSERT INTO nodes (id, kind, body) VALUES (?, ?, ?)', (str(n), 'fact', 'x' * 900))\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "memory.db")], check=False)
    assert (tmp_path / "memory.db-journal").exists()
    before = hashes(tmp_path)
    assert [h.claim.id for h in held.claims()] == [first]
    assert held.status().reachable
    assert hashes(tmp_path) == before
    second = held.keep([new_claim("comes after", created_at=NOW)])
    assert second.persisted
    assert {h.claim.id for h in held.claims()} == {first, second.ids[0]}
    assert at_owner(tmp_path) == Counter([first, second.ids[0]])


def test_a_torn_delta_is_set_aside_with_its_reason_and_holds_nothing_up(tmp_path: Path) -> None:
    held = memory(tmp_path)
    held.keep([new_claim("before", created_at=NOW)])
    (name,) = held.spool.stage([new_claim("torn", created_at=NOW)])
    file = held.spool.folder / name
    file.write_bytes(file.read_bytes()[:-40])
    changed = held.spool.stage([new_claim("altered", created_at=NOW)])[0]
    other = held.spool.folder / changed
    other.write_bytes(other.read_bytes().replace(b"altered", b"forged!"))
    done = held.keep([new_claim("after", created_at=NOW)])
    assert done.persisted
    assert {Path(r.path).name for r in held.spool.rejected()} == {name, changed}
    assert all(r.why for r in held.spool.rejected())
    assert held.status().rejected == 2
    assert {h.claim.text for h in held.claims()} == {"before", "after"}


def test_a_writer_killed_before_the_name_was_given_is_looked_after(tmp_path: Path) -> None:
    held = memory(tmp_path)
    held.keep([new_claim("before", created_at=NOW)])
    (name,) = held.spool.stage([new_claim("whole", created_at=NOW)])
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    part = f".{name.removesuffix('.json')}.{gone.stdout.strip()}.0123456789ab.part"
    (held.spool.folder / name).rename(held.spool.folder / part)
    torn = f".01a22d30-9c0f-7000-b2ef-86b71ffbb20e.{gone.stdout.strip()}.0123456789ab.part"
    (held.spool.folder / torn).write_bytes(b'{"schema"')
    mine = f".01a22d30-9c0f-7000-b2ef-86b71ffbb20f.{os.getpid()}.{_boot()}.part"
    (held.spool.folder / mine).write_bytes(b'{"sch')
    assert held.drain().persisted == 1
    assert {h.claim.text for h in held.claims()} == {"before", "whole"}
    assert len(held.spool.rejected()) == 1
    assert (held.spool.folder / mine).exists(), "a writer that lives is left alone"


def _boot() -> str:
    from core.memory.processes import this_boot

    return this_boot()


def test_a_drain_elsewhere_is_waited_for_only_briefly_and_a_dead_one_is_taken_over(tmp_path: Path) -> None:
    held = memory(tmp_path, wait=0.05)
    held.keep([new_claim("makes the folder", created_at=NOW)])
    code = (
        "import fcntl, os, sys\n"
        "h = os.open(sys.argv[1], os.O_RDWR)\n"
        "fcntl.flock(h, fcntl.LOCK_EX)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    lock = held.spool.folder / "drain.lock"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        done = held.keep([new_claim("waits", created_at=NOW)])
        assert (done.persisted, done.error, done.queued) == (False, "write_not_persisted", 1)
        assert [h.queued for h in held.claims()] == [True, False]
        holder.kill()
    assert held.drain().persisted == 1
    assert [h.queued for h in held.claims()] == [False, False]
    assert lock.read_text(encoding="ascii").split()[0] == str(os.getpid())


def test_a_folder_that_takes_nothing_acknowledges_nothing(tmp_path: Path) -> None:
    (tmp_path / "spool").write_text("no folder")
    with pytest.raises(SurroundingsError):
        memory(tmp_path).keep([new_claim("x", created_at=NOW)])
