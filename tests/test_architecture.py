"""The house rules as facts about the tree, and what really loads (design/architecture.md)."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("core", "indexes", "tui")
TOP = {
    "pyproject.toml", "core", "indexes", "tui", "tests", "README.md", "docs", "Makefile", "LICENSE", "requirements.lock",
    ".ci", ".gitignore",
}  # fmt: skip


def tracked() -> list[str]:
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        return [str(p.relative_to(ROOT)) for p in ROOT.rglob("*.py") if ".venv" not in p.parts]
    return [f for f in done.stdout.splitlines() if (ROOT / f).exists()]


def modules(*packages: str) -> Iterator[tuple[Path, ast.Module]]:
    for package in packages or PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path, parsed(path)


@cache
def parsed(path: Path) -> ast.Module:
    """The tree of a module; each of these tests walks all of them."""
    return ast.parse(path.read_text(encoding="utf-8"))


def loaded(code: str, *, env: dict[str, str] | None = None, cwd: Path | None = None) -> set[str]:
    """The modules that are loaded after `code` ran in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sorted(sys.modules), sep='\\n')"],
        capture_output=True, text=True, check=True, cwd=cwd or ROOT, env={**os.environ, **(env or {})},
    )  # fmt: skip
    return set(done.stdout.split("\n"))


def test_the_top_level_holds_what_it_may() -> None:
    assert {f.split("/")[0] for f in tracked()} <= TOP


def test_no_file_and_no_function_is_long() -> None:
    long = []
    for path in (ROOT / f for f in tracked() if f.endswith(".py")):
        limit = 700 if "tests" in path.parts else 400
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > limit:
            long.append(f"{path.relative_to(ROOT)}: {lines} lines")
    for path, tree in modules():
        long += [
            f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno > 60
        ]
    assert long == []


def test_everything_public_says_what_it_is() -> None:
    silent = []
    for path, tree in modules():
        if not ast.get_docstring(tree):
            silent.append(str(path.relative_to(ROOT)))
        silent += [
            f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            and not node.name.startswith("_")
            and not ast.get_docstring(node)
        ]
    assert silent == []


def test_errors_are_not_passed_over() -> None:
    """`except Exception` only at the crash boundaries; no handler that does nothing."""
    boundaries = {"tui/cli.py": 1, "tui/textual_private.py": 1, "tui/screens/recollect.py": 1, "tui/screens/talk.py": 1}
    found: dict[str, int] = {}
    empty = []
    for path, tree in modules():
        name = str(path.relative_to(ROOT))
        for node in ast.walk(tree):
            if not isinstance(node, ast.ExceptHandler):
                continue
            if node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"):
                found[name] = found.get(name, 0) + 1
            if len(node.body) == 1 and isinstance(node.body[0], ast.Pass):
                empty.append(f"{name}:{node.lineno}")
    assert empty == []
    assert all(found[name] <= boundaries.get(name, 0) for name in found), found


def test_names_say_what_a_module_is() -> None:
    vague = re.compile(r"(utils?|helpers?|misc|common|managers?)\.py$")
    assert [f for f in tracked() if vague.search(f)] == []


def test_nothing_is_left_undone() -> None:
    marks = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|NotImplemented" + r"Error)\b")
    assert [f for f in tracked() if f.endswith(".py") and marks.search((ROOT / f).read_text(encoding="utf-8"))] == []


def test_no_machine_path_address_or_key_is_in_the_tree() -> None:
    registry = re.compile(r"https?://\S+/(simple|packages)/")
    machine = re.compile(r"/(work|root)/(main|shared|\.)")
    bad = []
    for name in tracked():
        path = ROOT / name
        if path.suffix in (".py", ".toml", ".lock", ".md", ".txt", ".json", ".svg") or path.name in (
            "Makefile",
            "run",
            "setup",
        ):
            text = path.read_text(encoding="utf-8", errors="replace")
            if registry.search(text) or (machine.search(text) and name != "tests/test_architecture.py"):
                bad.append(name)
    assert bad == []
    assert "uv.lock" not in tracked()
    assert "://" not in (ROOT / "requirements.lock").read_text(encoding="utf-8")


def test_the_core_is_pure() -> None:
    names = [
        ".".join(p.relative_to(ROOT).with_suffix("").parts)
        for p in sorted((ROOT / "core").rglob("*.py"))
        if p.name != "__init__.py"
    ]
    got = loaded("\n".join(f"import {n}" for n in names))
    assert not {m for m in got if m.split(".")[0] in ("textual", "rich", "whoosh", "indexes", "tui")}


def test_indexes_know_no_face() -> None:
    got = loaded("import indexes.whoosh_index, indexes.ranking, indexes.refresh")
    assert not {m for m in got if m.split(".")[0] in ("textual", "rich", "tui")}


def test_what_reads_records_loads_no_numpy() -> None:
    """A helper of a build is a copy of the first process as it is then, and needs none."""
    got = loaded("import indexes.whoosh_index, indexes.refresh, indexes.builds, indexes.readers")
    assert "numpy" not in {m.split(".")[0] for m in got}


def test_help_and_version_load_almost_nothing() -> None:
    got = loaded("from tui.cli import main\nmain(['--help']); main(['--version'])")
    heavy = {"textual", "rich", "whoosh", "numpy", "orjson", "asyncio", "socket"}
    assert not {m.split(".")[0] for m in got} & heavy


def test_json_loads_no_screen(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "RECOLLECT_HOME": str(tmp_path / "r")}
    got = loaded("from tui.cli import main\nmain(['search', '--json', 'x'])", env=env)
    assert not {m for m in got if m.split(".")[0] in ("textual", "rich")}


@pytest.mark.parametrize("place", ["working directory", "PYTHONPATH"])
def test_a_foreign_core_is_never_imported(tmp_path: Path, place: str) -> None:
    """The program runs inside other people's projects, which have a `core/` of their own."""
    foreign = tmp_path / "theirs"
    for package in ("core", "indexes"):
        (foreign / package).mkdir(parents=True)
        (foreign / package / "__init__.py").write_text("raise SystemExit('a foreign package was executed')\n")
    env = {"HOME": str(tmp_path), "RECOLLECT_HOME": str(tmp_path / "r")}
    if place == "PYTHONPATH":
        env["PYTHONPATH"] = str(foreign)
    command = Path(sys.executable).with_name("recollect")
    done = subprocess.run(
        [str(command), "status", "--json"], cwd=foreign, capture_output=True, text=True, env={**os.environ, **env}
    )
    assert done.returncode == 0, done.stderr
    assert '"schema":"recollect-status-v1"' in done.stdout


def test_only_the_adapter_touches_whoosh() -> None:
    """Whoosh is imported in `indexes/` only, and its private parts in `indexes/whoosh_*.py` only."""
    private = re.compile(r"whoosh\.codec|\.perdocwriter|_tindex|_postfile|SegmentWriter")
    for path, tree in modules():
        name = str(path.relative_to(ROOT))
        imports = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)} | {
            a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names
        }
        if any(i.split(".")[0] == "whoosh" for i in imports):
            assert name.startswith("indexes/"), name
        named = private.search(path.read_text(encoding="utf-8"))
        if named and private.search(ast.unparse(tree)):  # comments left out
            assert name.startswith("indexes/whoosh_"), name


def test_the_lock_holds_hashes_for_everything() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z0-9_.-]+)==", text, re.MULTILINE)
    assert text.count("--hash=sha256:") >= len(pins) > 20
    assert "pytest==8" in text
    assert "pytest-textual-snapshot==1.1.0" in text
