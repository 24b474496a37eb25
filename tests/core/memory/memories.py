"""Memories for tests: in a folder of their own, over owners of every kind that is installed here."""

from __future__ import annotations

import glob
import hashlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from core.memory.carrying import Carrier, Embedded, OverHttp
from core.memory.routes import Answer, answer
from core.memory.service import server_of
from core.memory.sink import Memory
from core.memory.sqlite_store import sqlite_store
from core.memory.store import SqlStore

NOW = 1_780_000_000.0
TOKEN = "a-token-of-the-tests"


def memory(folder: Path, carrier: Carrier | None = None, *, wait: float = 30.0, now: float = NOW) -> Memory:
    """A memory below `folder`, embedded unless another owner is given."""
    return Memory(folder, folder, carrier or embedded(folder), lambda: now, wait)


def embedded(folder: Path) -> Embedded:
    """The owner of a file in `folder`."""
    return Embedded(sqlite_store(folder / "memory.db"), str(folder / "memory.db"))


def hashes(folder: Path) -> dict[str, str]:
    """Every file below a folder with the hash of its bytes."""
    return {
        str(path.relative_to(folder)): hashlib.blake2b(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@contextmanager
def served(store: SqlStore, token: str = TOKEN) -> Iterator[OverHttp]:
    """The store behind HTTP on a free port of this machine."""
    opened = socket.socket()
    opened.bind(("127.0.0.1", 0))
    server = server_of(store, token)
    opened.listen(64)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    try:
        yield OverHttp(f"http://127.0.0.1:{opened.getsockname()[1]}", token, seconds=20)
    finally:
        server.should_exit = True
        thread.join(20)
        opened.close()


def postgres_programs() -> str:
    """The folder of PostgreSQL's programs, `""` where it is not installed."""
    if found := shutil.which("initdb"):
        real = os.path.dirname(os.path.realpath(found))
        if os.path.exists(os.path.join(real, "postgres")):
            return real
    known = (
        glob.glob("/usr/lib/postgresql/*/bin")
        + glob.glob("/usr/pgsql-*/bin")
        + glob.glob("/opt/homebrew/opt/postgresql*/bin")
    )
    return max((p for p in known if os.path.exists(os.path.join(p, "initdb"))), default="")


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a real PostgreSQL in a folder of its own, on a socket, ended afterwards."""
    programs = postgres_programs()
    as_user = _unprivileged()
    base = tempfile.mkdtemp(prefix="pg", dir="/tmp")  # a socket's path may have 107 bytes
    data = os.path.join(base, "data")
    if as_user:
        os.chown(base, *as_user)
    run = {"preexec_fn": None} if not as_user else {"user": as_user[0], "group": as_user[1], "extra_groups": []}
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": base}
    try:
        subprocess.run(
            [f"{programs}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--no-locale"],
            check=True, capture_output=True, env=env, cwd=base, **run,
        )  # fmt: skip
        options = f"-c listen_addresses= -k {base} -c fsync=off -c shared_buffers=1MB -c max_connections=30"
        log = os.path.join(base, "log")
        started = [f"{programs}/pg_ctl", "-D", data, "-w", "-t", "60", "-l", log, "-o", options, "start"]
        subprocess.run(started, check=True, capture_output=True, env=env, cwd=base, **run)
        try:
            yield f"postgresql://postgres@/postgres?host={base}"
        finally:
            stopped = [f"{programs}/pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"]
            subprocess.run(stopped, check=True, capture_output=True, env=env, cwd=base, **run)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _unprivileged() -> tuple[int, int] | None:
    """Whom the server runs as where the tests run as root, which it refuses."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return found.pw_uid, found.pw_gid
    raise AssertionError("there is no user to run PostgreSQL as")


@dataclass
class Faulty:
    """An owner that does wrong on demand, over a real store."""

    store: SqlStore
    wrong: Callable[[str, str, Answer], Answer] | None = None
    """Turns method, path and the honest answer into what comes back; may raise."""
    kind: str = "http"
    place: str = "faulty"
    asked: list[str] = field(default_factory=list)

    def ask(self, method: str, path: str, query: Mapping[str, str] | None = None, body: bytes = b"") -> Answer:
        self.asked.append(f"{method} {path}")
        got = answer(self.store, method, path, query or {}, body)
        return got if self.wrong is None else self.wrong(method, path, got)
