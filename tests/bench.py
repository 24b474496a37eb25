"""`make bench`: what the program costs, as one JSON object and as a table. Reported, never asserted.

Builds a made-up archive of its own (deterministic, `--sessions`, `--mb`), runs whole commands in fresh processes and prints
the minimum, median and maximum of `--runs` as CPU seconds of the process tree and as wall seconds: these machines are
noisy, so CPU is the comparable figure and ratios are taken within one run.

Where the variable RECOLLECT_BENCH_DATA names a folder with `home/` (an archive) and `cues.jsonl` (`tests/ranking.py`), how well
cues are answered is printed too: hit@k, and the rounds of a person who says "not that one" until it is right.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "tui.cli"]
ROOT = Path(__file__).parent.parent
WORDS = [
    a + b + c
    for a in ("ta", "re", "mo", "li", "qua")
    for b in ("nd", "st", "rk", "ll", "v")
    for c in ("er", "ing", "o", "ed", "a")
]


def make_archive(home: Path, sessions: int, megabytes: float, seed: int = 7) -> int:
    """Write made-up Claude Code sessions: short talk, much tool output. Returns bytes written."""
    dice = random.Random(seed)
    size = int(megabytes * 1e6 / sessions)
    total = 0
    for number in range(sessions):
        session = str(uuid.UUID(int=dice.getrandbits(128), version=4))
        folder = home / ".claude" / "projects" / f"-code-project-{number % 40}"
        folder.mkdir(parents=True, exist_ok=True)
        lines = list(_lines(dice, session, number, size))
        text = "\n".join(lines) + "\n"
        (folder / f"{session}.jsonl").write_text(text, encoding="utf-8")
        total += len(text)
    return total


def _lines(dice: random.Random, session: str, number: int, size: int):  # type: ignore[no-untyped-def]
    written, step = 0, 0
    while written < size or step < 4:
        base = {
            "uuid": f"{session[:8]}-{step}", "sessionId": session, "cwd": f"/code/project-{number % 40}", "gitBranch": "main",
            "timestamp": f"2026-{1 + number % 12:02d}-{1 + step % 28:02d}T10:00:{step % 60:02d}Z", "isSidechain": False,
        }  # fmt: skip
        said = " ".join(dice.choices(WORDS, k=dice.randint(8, 60)))
        if step % 5 == 0:
            row = {**base, "type": "user", "message": {"role": "user", "content": f"{said} needle{number}"}}
        elif step % 5 == 4:
            content = [{"type": "tool_result", "tool_use_id": f"t{step}", "content": "\n".join([said] * 60)}]
            row = {**base, "type": "user", "message": {"role": "user", "content": content}}
        else:
            row = {
                **base,
                "type": "assistant",
                "message": {"id": f"m{step}", "role": "assistant", "content": [{"type": "text", "text": said}]},
            }
        line = json.dumps(row)
        written += len(line)
        step += 1
        yield line


def cost(argv: list[str], home: Path, runs: int, before: Callable[[], None] | None = None) -> dict[str, list[float]]:
    """Run a command several times; its CPU and wall seconds and peak memory, as minimum, median and maximum."""
    cpu, wall, memory = [], [], []
    env = {**os.environ, "HOME": str(home), "RECOLLECT_HOME": str(home / "own"), "NO_COLOR": "1"}
    for _ in range(runs):
        if before:
            before()
        start = time.perf_counter()
        child = subprocess.Popen(
            argv, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, _, used = os.wait4(child.pid, 0)
        wall.append(time.perf_counter() - start)
        cpu.append(used.ru_utime + used.ru_stime)
        memory.append(_megabytes(used))
    return {"cpu_s": _spread(cpu), "wall_s": _spread(wall), "peak_mb": _spread(memory)}


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _spread(values: list[float]) -> list[float]:
    return [round(f(values), 3) for f in (min, statistics.median, max)]


def measure(home: Path, runs: int) -> dict[str, dict[str, list[float]]]:
    """Every row of the table."""

    def forget() -> None:
        shutil.rmtree(home / "own", ignore_errors=True)

    rows = {
        "--version": cost([*COMMAND, "--version"], home, runs),
        "--help": cost([*COMMAND, "--help"], home, runs),
        "cold recall, no index": cost([*COMMAND, "recall", "--json", "needle7"], home, runs, forget),
        "cold index": cost([*COMMAND, "index", "--json"], home, runs, forget),
        "index, nothing changed": cost([*COMMAND, "index", "--json"], home, runs),
        "search, warm": cost([*COMMAND, "search", "--json", "tander needle11"], home, runs),
        "recall, warm": cost([*COMMAND, "recall", "--json", "tander needle11"], home, runs),
        "search --scan": cost([*COMMAND, "search", "--json", "--scan", "needle13"], home, runs),
        "list": cost([*COMMAND, "list", "--json"], home, runs),
    }
    grown = sorted((home / ".claude").rglob("*.jsonl"))[:10]

    def grow() -> None:
        for path in grown:
            with path.open("a", encoding="utf-8") as file:
                file.write(
                    json.dumps(
                        {
                            "type": "user",
                            "uuid": str(time.time_ns()),
                            "message": {"role": "user", "content": "one more"},
                        }
                    )
                    + "\n"
                )

    rows["index, ten sessions grew"] = cost([*COMMAND, "index", "--json"], home, runs, grow)
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What the program costs on a made-up archive.")
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--mb", type=float, default=200)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        size = make_archive(home, options.sessions, options.mb)
        rows = measure(home, options.runs)
        index = sum(p.stat().st_size for p in (home / "own").rglob("*") if p.is_file())
    print(
        json.dumps(
            {"sessions": options.sessions, "bytes": size, "index_bytes": index, "runs": options.runs, "rows": rows}
        )
    )
    print(f"\n{'':26} {'CPU s (min median max)':>24}   {'wall s':>20}   {'peak MB':>8}")
    for name, row in rows.items():
        cpu, wall = (" ".join(f"{v:6.2f}" for v in row[k]) for k in ("cpu_s", "wall_s"))
        print(f"{name:26} {cpu:>24}   {wall:>20}   {row['peak_mb'][1]:8.0f}")
    if data := os.environ.get("RECOLLECT_BENCH_DATA"):
        print(json.dumps({"ranking": ranking(Path(data))}))


def ranking(data: Path) -> dict[str, Any]:
    """How well the cues of a folder are answered."""
    from tests.ranking import asked, built, simulate

    home = (data / "home").resolve()
    with built(home) as library:
        return simulate(library, asked(home, data / "cues.jsonl"))


if __name__ == "__main__":
    main()
