"""One writer process image that is forked and killed many times.

Run as a program: `python -m tests.core.memory.crashing FOLDER KILLS SEED`. Each round forks a writer that keeps claims one
after another and writes each id to a pipe once it was acknowledged (`=`) or said to be queued (`?`). Half of the rounds
send a real SIGKILL from outside at a random moment; the others let the writer kill itself just before or after its n-th
call into the interpreter's C code, n random, so that the moments between any two system calls are reached evenly.
Prints one JSON object: how many were killed, which claims were acknowledged and which were said to be queued before that,
and which lay in the spool after a kill.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
from pathlib import Path

from core.memory.claim import new_claim
from tests.core.memory.memories import NOW, memory

LINE = 38
"""Bytes that a writer sends for a claim."""
CALLS = 7000
"""Calls into C of three kept claims, about."""
SECONDS = 0.02
"""How long a writer lives on that is killed from outside, after none, one or two acknowledged claims: about one more."""


def main(folder: Path, kills: int, seed: int) -> None:
    """Run the rounds."""
    rng = random.Random(seed)
    told: dict[str, list[str]] = {"acknowledged": [], "queued": []}
    staged: set[str] = set()
    killed = 0
    memory(folder).keep([new_claim("the first, so that every round finds a store", created_at=NOW)])
    while killed < kills:
        inside = killed % 2 == 0
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            _write(folder, writing, rng.randrange(1, CALLS) if inside else 0, rng.random())
            os._exit(0)
        os.close(writing)
        heard = b""
        if not inside:
            for _ in range(rng.randrange(3)):
                heard += os.read(reading, LINE)
            select.select([], [], [], rng.random() * SECONDS)
            os.kill(pid, signal.SIGKILL)
        _, how = os.waitpid(pid, 0)
        killed += os.WIFSIGNALED(how) and os.WTERMSIG(how) == signal.SIGKILL
        with os.fdopen(reading, "rb") as pipe:
            for line in (heard + pipe.read()).decode().split("\n")[:-1]:
                told["acknowledged" if line[0] == "=" else "queued"].append(line[1:])
        staged |= _staged(folder)
    sys.stdout.write(json.dumps({"killed": killed, **told, "staged": sorted(staged)}))


def _staged(folder: Path) -> set[str]:
    """The ids of claims that lie in the spool after a kill."""
    spool = memory(folder).spool
    deltas = (spool.read(name) for name in spool.names())
    return {node["id"] for delta in deltas if delta is not None for node in delta.nodes}


def _write(folder: Path, pipe: int, last: int, salt: float) -> None:
    """Keep claims until killed."""
    held = memory(folder)
    if last:
        sys.setprofile(_killer(last))
    for number in range(1_000_000):
        done = held.keep([new_claim(f"claim {number} of {os.getpid()}, {salt}", created_at=NOW, tags=("crash",))])
        os.write(pipe, f"{'=' if done.persisted else '?'}{done.ids[0]}\n".encode())


def _killer(last: int) -> object:
    count = [0]

    def profile(frame: object, event: str, argument: object) -> None:
        if event in ("c_call", "c_return"):
            count[0] += 1
            if count[0] >= last:
                os.kill(os.getpid(), signal.SIGKILL)

    return profile


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
