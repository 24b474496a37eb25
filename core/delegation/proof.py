"""Which commands prove work on the project: those that its own manifests name, nearest to where the work is.

Nothing is run. A manifest that does not parse names nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence

from core.delegation.model import Proof
from core.delegation.project import Project
from core.text import one_line

MOST = 6
"""Commands of one packet."""
_TASKS = ("test", "tests", "check", "lint", "typecheck", "types", "build")
"""What tasks that prove something are called, the best first."""


def proofs(project: Project, paths: Sequence[str]) -> tuple[Proof, ...]:
    """Commands from the manifests in the folders of `paths` and above them, nearest first, then the root's."""
    folders: dict[str, None] = {}
    for path in paths:
        parts = path.split("/")[:-1]
        folders.update(dict.fromkeys("/".join(parts[:n]) for n in range(len(parts), -1, -1)))
    ordered = sorted((*folders, ""), key=lambda f: -f.count("/") - bool(f))
    found: dict[str, Proof] = {}
    for folder in dict.fromkeys(ordered):
        for name, read in _READERS.items():
            path = f"{folder}/{name}".lstrip("/")
            text = project.text(path) if path in project.known else None
            if text is None:
                continue
            for command in read(text, frozenset(_names_in(project, folder))):
                found.setdefault(f"{folder}\0{command}", Proof(command, folder, path))
    return tuple(found.values())[:MOST]


def _names_in(project: Project, folder: str) -> list[str]:
    start = f"{folder}/" if folder else ""
    return [p.removeprefix(start) for p in project.files if p.startswith(start) and "/" not in p.removeprefix(start)]


def _make(text: str, _beside: frozenset[str]) -> list[str]:
    targets = set(re.findall(r"^([A-Za-z][\w.-]*)\s*:(?![:=])", text, re.MULTILINE))
    return [f"make {t}" for t in _TASKS if t in targets]


def _just(text: str, _beside: frozenset[str]) -> list[str]:
    recipes = set(re.findall(r"^([A-Za-z][\w-]*)(?:\s+[^:=\n]*)?:(?!=)", text, re.MULTILINE))
    return [f"just {t}" for t in _TASKS if t in recipes]


def _pyproject(text: str, beside: frozenset[str]) -> list[str]:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    tool = data.get("tool")
    tools: Mapping[str, object] = tool if isinstance(tool, dict) else {}
    run = "uv run " if "uv.lock" in beside else "poetry run " if "poetry.lock" in beside else ""
    found = [
        f"{run}{name}"
        for name in ("nox", "tox")
        if name in tools or f"{name}.ini" in beside or f"{name}file.py" in beside
    ]
    if "pytest" in tools or "pytest" in text:
        found.append(f"{run}pytest")
    if "mypy" in tools:
        found.append(f"{run}mypy" if _named_files(tools["mypy"]) else f"{run}mypy .")
    if "ruff" in tools:
        found.append(f"{run}ruff check .")
    return found


def _named_files(settings: object) -> bool:
    return isinstance(settings, dict) and any(k in settings for k in ("files", "packages", "modules"))


def _setup_cfg(text: str, _beside: frozenset[str]) -> list[str]:
    return ["pytest"] if "[tool:pytest]" in text or "pytest" in text else []


def _pytest_ini(text: str, _beside: frozenset[str]) -> list[str]:
    return ["pytest"] if "[pytest]" in text else []


def _tox(_text: str, _beside: frozenset[str]) -> list[str]:
    return ["tox"]


def _package_json(text: str, beside: frozenset[str]) -> list[str]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    scripts = data.get("scripts") if isinstance(data, dict) else None
    if not isinstance(scripts, dict):
        return []
    tool = "pnpm" if "pnpm-lock.yaml" in beside else "yarn" if "yarn.lock" in beside else "npm"
    wanted = [s for t in _TASKS for s in scripts if isinstance(s, str) and (s == t or s.replace("-", "") == t)]
    real = [s for s in wanted if "no test specified" not in str(scripts[s])]
    return [f"{tool} {'' if s == 'test' else 'run '}{one_line(s, 60)}" for s in dict.fromkeys(real)]


def _cargo(text: str, _beside: frozenset[str]) -> list[str]:
    workspace = " --workspace" if re.search(r"^\[workspace\]", text, re.MULTILINE) else ""
    return [f"cargo test{workspace}", f"cargo clippy{workspace}"]


def _go(_text: str, _beside: frozenset[str]) -> list[str]:
    return ["go test ./...", "go vet ./..."]


def _maven(_text: str, beside: frozenset[str]) -> list[str]:
    return ["./mvnw test" if "mvnw" in beside else "mvn test"]


def _gradle(_text: str, beside: frozenset[str]) -> list[str]:
    return ["./gradlew test" if "gradlew" in beside else "gradle test"]


def _rake(_text: str, beside: frozenset[str]) -> list[str]:
    return ["bundle exec rake" if "Gemfile" in beside else "rake"]


def _gems(text: str, _beside: frozenset[str]) -> list[str]:
    return ["bundle exec rspec"] if re.search(r"^\s*gem\s+['\"]rspec", text, re.MULTILINE) else []


def _cmake(text: str, _beside: frozenset[str]) -> list[str]:
    return ["ctest --test-dir build"] if re.search(r"\b(?:enable_testing|add_test)\s*\(", text) else []


_READERS: Mapping[str, Callable[[str, frozenset[str]], list[str]]] = {
    "Makefile": _make, "makefile": _make, "GNUmakefile": _make, "justfile": _just, "pyproject.toml": _pyproject,
    "package.json": _package_json, "Cargo.toml": _cargo, "go.mod": _go, "setup.cfg": _setup_cfg, "pytest.ini": _pytest_ini,
    "tox.ini": _tox, "pom.xml": _maven, "build.gradle": _gradle, "build.gradle.kts": _gradle, "Rakefile": _rake,
    "Gemfile": _gems, "CMakeLists.txt": _cmake,
}  # fmt: skip
"""Manifests by name, what a project says itself (make, just) first."""
