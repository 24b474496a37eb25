"""`make bench`: what the program costs, as one JSON object and as a table. Reported, never asserted.

Builds a made-up archive of its own (`tests/bench_archive.py`; `--sessions`, `--mb`), runs whole commands in fresh processes
and prints the minimum, median and maximum of `--runs` as CPU seconds of the process tree and as wall seconds: machines are
noisy, so CPU is the comparable figure, ratios are taken within one run, and a fixed piece of work is measured beside for
how noisy it was. `--growth` adds an archive of ten times the size, `--fr PROGRAM` the peer fast-resume, `--big-mb` sets the
size of the single great record (0: none); `--soul-files` and `--soul-claims` that of the project whose handoff document is
checked.

Where the variable RECOLLECT_BENCH_DATA names a folder with `home/` (an archive) and `cues.jsonl` (`tests/ranking.py`), how well
cues are answered is printed too: hit@k, and the rounds of a person who says "not that one" until it is right.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench_app import first_frames
from tests.bench_archive import grow, make_archive, make_big
from tests.bench_soul import make_project

ROOT = Path(__file__).parent.parent
_START = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tui.cli import run; run()"
COMMAND = [sys.executable, "-P", "-c", _START]
SPIN = [sys.executable, "-I", "-c", "sum(i * i % 7 for i in range(1_500_000))"]
"""The same work every time: the spread of its cost is the machine's."""
Row = dict[str, list[float]]


def environment(home: Path) -> dict[str, str]:
    """The environment of every command: the archive's home, the program's own folder in it, bytecode as installed."""
    env = {
        **os.environ,
        "HOME": str(home),
        "RECOLLECT_HOME": str(home / "own"),
        "NO_COLOR": "1",
        "TERM": "xterm-256color",
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def cost(
    argv: list[str], home: Path, runs: int, before: Callable[[], None] | None = None, folder: Path | None = None
) -> Row:
    """Run a command several times, in `folder` if given; its CPU and wall seconds and peak memory, as minimum, median
    and maximum."""
    cpu, wall, memory = [], [], []
    for _ in range(runs):
        if before:
            before()
        start = time.perf_counter()
        child = subprocess.Popen(
            argv, cwd=folder or home, env=environment(home),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        _, _, used = os.wait4(child.pid, 0)
        wall.append(time.perf_counter() - start)
        cpu.append(used.ru_utime + used.ru_stime)
        memory.append(_megabytes(used))
    return {"cpu_s": spread(cpu), "wall_s": spread(wall), "peak_mb": spread(memory)}


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def spread(values: list[float]) -> list[float]:
    """Minimum, median and maximum."""
    return [round(f(values), 4) for f in (min, statistics.median, max)]


def commands(home: Path, runs: int) -> dict[str, Row]:
    """Every row that is a whole command."""

    def forget() -> None:
        shutil.rmtree(home / "own", ignore_errors=True)

    def run(*words: str, before: Callable[[], None] | None = None) -> Row:
        return cost([*COMMAND, *words], home, runs, before)

    return {
        "the machine's noise": cost(SPIN, home, runs),
        "--version": run("--version"),
        "--help": run("--help"),
        "cold first story": run("recall", "--json", "needle1999", before=forget),
        "cold index": run("index", "--json", before=forget),
        "index, nothing changed": run("index", "--json"),
        "index, ten sessions grew": run("index", "--json", before=lambda: grow(home)),
        "search": run("search", "--json", "tander needle11"),
        "recall": run("recall", "--json", "tander needle11"),
        "search --scan": run("search", "--json", "--scan", "needle13"),
        "list": run("list", "--json"),
    }


def beside(home: Path, runs: int, fast_resume: str) -> dict[str, Row]:
    """The same work by other programs, where they are installed."""
    rows: dict[str, Row] = {}
    if grep := shutil.which("rg"):
        rows["ripgrep -l"] = cost([grep, "-l", "--no-messages", "-F", "needle13", ".claude"], home, runs)
    if fast_resume:
        cache = home / ".cache"
        query = [fast_resume, "--json", "--limit", "1", "needle11"]
        rows["fast-resume, cold"] = cost(query, home, runs, lambda: shutil.rmtree(cache, ignore_errors=True))
        rows["fast-resume, nothing changed"] = cost(query, home, runs)
        rows["fast-resume, ten sessions grew"] = cost(query, home, runs, lambda: grow(home))
    return rows


def answered(home: Path, *words: str) -> Any:
    """The answer of `tests.bench_app` in a process of its own."""
    argv = [sys.executable, "-m", "tests.bench_app", *words]
    done = subprocess.run(argv, cwd=ROOT, env=environment(home), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def in_the_app(home: Path, runs: int) -> dict[str, Any]:
    """Keys, and the first frame, with the index that is there."""
    cost([*COMMAND, "index", "--json"], home, 1)
    spent = sorted(answered(home, "keys"))
    frames = [first_frames(COMMAND, environment(home)) for _ in range(runs)]
    return {
        "key_cpu_ms": {"p50": round(spent[len(spent) // 2], 1), "p95": round(spent[int(len(spent) * 0.95)], 1)},
        "first_frame_cpu_s": spread([cpu for *_, cpu in frames]),
        "first_frame_wall_s": spread([frame for frame, *_ in frames]),
        "first_candidates_wall_s": spread([rows for _, rows, _ in frames]),
    }


def measured(folder: Path, sessions: int, megabytes: float, options: argparse.Namespace) -> dict[str, Any]:
    """Everything about one archive."""
    size = make_archive(folder, sessions, megabytes)
    rows = commands(folder, options.runs) | beside(folder, options.runs, options.fr)
    index = sum(p.stat().st_size for p in (folder / "own").rglob("*") if p.is_file())
    return {
        "sessions": sessions, "bytes": size, "index_bytes": index, "runs": options.runs, "rows": rows,
        "app": in_the_app(folder, options.runs),
    }  # fmt: skip


def soul(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """A check of a large handoff document: the first, and the next where nothing changed."""
    project = make_project(folder / "project", options.soul_files, options.soul_claims)
    home = folder / "home"
    home.mkdir()
    check = [*COMMAND, "soul", "check", "--json"]

    def forget() -> None:
        shutil.rmtree(home / "own", ignore_errors=True)

    rows = {
        "soul check, first": cost(check, home, options.runs, forget, project),
        "soul check, unchanged": cost(check, home, options.runs, None, project),
    }
    return {"files": options.soul_files, "claims": options.soul_claims, "rows": rows}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What the program costs on a made-up archive.")
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--mb", type=float, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--big-mb", type=int, default=1200, help="megabytes of the one great record, 0 for none")
    parser.add_argument("--soul-files", type=int, default=20_000, help="files of the project with a handoff document")
    parser.add_argument("--soul-claims", type=int, default=10_000, help="claims of the document, 0 to leave it out")
    parser.add_argument("--growth", action="store_true", help="then an archive of ten times the size")
    parser.add_argument("--fr", default="", metavar="PROGRAM", help="the peer fast-resume, to run beside")
    options = parser.parse_args()
    for package in ("core", "indexes", "tui"):  # as an installed program has it
        compileall.compile_dir(str(ROOT / package), quiet=2)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        found["archive"] = measured(home / "a", options.sessions, options.mb, options)
        if options.growth:
            found["ten_times"] = measured(home / "b", options.sessions * 10, options.mb * 10, options)
        if options.soul_claims:
            found["soul"] = soul(home / "s", options)
        if options.big_mb:
            found["great_record"] = answered(home / "c", "big", str(make_big(home / "c", options.big_mb)))
    if data := os.environ.get("RECOLLECT_BENCH_DATA"):
        found["ranking"] = ranking(Path(data))
    print(json.dumps(found))
    for name in ("archive", "ten_times"):
        if name in found:
            print_table(found[name])
    if "soul" in found:
        print(f"\n{found['soul']['claims']:,} claims on {found['soul']['files']:,} files")
        print_rows(found["soul"]["rows"])
    print(json.dumps({k: v for k, v in found.items() if k in ("great_record", "ranking")}))


def print_table(one: dict[str, Any]) -> None:
    """One archive as a table."""
    sizes = f"{one['sessions']:,} sessions, {one['bytes'] / 1e6:,.0f} MB, index {one['index_bytes'] / 1e6:.1f} MB"
    print(f"\n{sizes}\n{'':30} {'CPU s (min median max)':>24}   {'wall s':>20}   {'peak MB':>8}")
    print_rows(one["rows"])
    for name, values in one["app"].items():
        print(f"{name:30} {values}")


def print_rows(rows: dict[str, Row]) -> None:
    """Commands as rows."""
    for name, row in rows.items():
        cpu, wall = (" ".join(f"{v:6.2f}" for v in row[k]) for k in ("cpu_s", "wall_s"))
        print(f"{name:30} {cpu:>24}   {wall:>20}   {row['peak_mb'][1]:8.0f}")


def ranking(data: Path) -> dict[str, Any]:
    """How well the cues of a folder are answered."""
    from tests.ranking import asked, built, simulate

    home = (data / "home").resolve()
    with built(home) as library:
        return simulate(library, asked(home, data / "cues.jsonl"))


if __name__ == "__main__":
    main()
