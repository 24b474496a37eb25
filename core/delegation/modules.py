"""Which files of the project an import means. Exact: an import that could be of another package is nobody's.

Per language the rules that its compiler or interpreter has, over the project's own files only; several files where a
language imports a folder (a Go package). Search paths are told by the folders there are (`src/`, `lib/`), not by a build.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from core.delegation.imports import Import

_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs")
_SOURCE_ROOTS = ("", "src", "lib", "python", "app")
MOST_FILES = 400
"""Files of one Go package or Java folder."""


class Modules:
    """The files of a project by the names under which they are imported."""

    def __init__(self, files: Iterable[str], manifests: Mapping[str, str] | None = None) -> None:
        self._files = frozenset(files)
        self._manifests = manifests or {}

    def targets(self, one: Import, path: str, language: str) -> tuple[str, ...]:
        """The files that an import in the file `path` means; none where they are not of the project."""
        found = {
            "python": self._python, "javascript": self._script, "typescript": self._script, "tsx": self._script,
            "go": self._go, "rust": self._rust, "java": self._java, "c": self._c, "cpp": self._c, "ruby": self._ruby,
        }[language](one, path)  # fmt: skip
        return tuple(dict.fromkeys(f for f in found if f != path))

    # -- what is where

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._files):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def _folders(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._files):
            found.setdefault(path.rpartition("/")[0], []).append(path)
        return found

    def _first(self, candidates: Iterable[str]) -> list[str]:
        for one in candidates:
            if one in self._files:
                return [one]
        return []

    # -- by language

    def _python(self, one: Import, path: str) -> list[str]:
        here = path.rpartition("/")[0]
        if one.level:
            parts = here.split("/") if here else []
            if one.level - 1 > len(parts):
                return []
            roots = ["/".join(parts[: len(parts) - (one.level - 1)])]
        else:
            above = [here.rsplit("/", n)[0] if n else here for n in range(here.count("/") + 1)] if here else []
            # The script's own folder comes first on Python's path, then the roots that projects use.
            roots = list(dict.fromkeys(("", "src", "lib", "python", *self._python_roots(above), here)))
        module = one.spec.replace(".", "/")
        for root in roots:
            base = "/".join(p for p in (root, module) if p)
            found = self._python_module(base) if module else []
            inner = [f for n in one.names if n != "*" for f in self._python_module("/".join(p for p in (base, n) if p))]
            if found or inner:
                package = [
                    f for f in found if not f.endswith("__init__.py") or not inner or len(inner) < len(one.names)
                ]
                return [*inner, *package]
            if one.level and not module:
                return self._first((f"{base}/__init__.py",) if base else ())
        return []

    def _python_roots(self, above: Sequence[str]) -> list[str]:
        """Folders on the way up that are no packages themselves, so that a path may begin there."""
        return [f for f in above if f"{f}/__init__.py" not in self._files]

    def _python_module(self, base: str) -> list[str]:
        return self._first((f"{base}.py", f"{base}/__init__.py", f"{base}.pyi", f"{base}/__init__.pyi"))

    def _script(self, one: Import, path: str) -> list[str]:
        spec = one.spec.split("?")[0]
        if spec.startswith("."):
            base = os.path.normpath(os.path.join(path.rpartition("/")[0], spec)).replace(os.sep, "/")
            return [] if base.startswith("..") else self._script_file("" if base == "." else base)
        for alias in ("@/", "~/", "src/"):
            if spec.startswith(alias):
                rest = spec.removeprefix(alias)
                roots = dict.fromkeys(f"{root}src" for root in self._packages_above(path))
                for root in (*roots, *(r.rstrip("/") for r in self._packages_above(path))):
                    if found := self._script_file(f"{root}/{rest}".lstrip("/")):
                        return found
        return self._workspace(spec)

    def _script_file(self, base: str) -> list[str]:
        stem = re.sub(r"\.(?:m|c)?jsx?$", "", base)
        names = [base, *(f"{base}{e}" for e in _ENDINGS), *(f"{stem}{e}" for e in _ENDINGS if stem != base)]
        return self._first((*names, *(f"{base}/index{e}".lstrip("/") for e in _ENDINGS)))

    def _packages_above(self, path: str) -> list[str]:
        """Folders on the way up that hold a `package.json`, nearest first, each with its `/`; the root last."""
        parts = path.split("/")[:-1]
        above = ["/".join(parts[:n]) + "/" for n in range(len(parts), 0, -1)]
        return [*(f for f in above if f"{f}package.json" in self._files), ""]

    def _workspace(self, spec: str) -> list[str]:
        """A package of the same repository, by the name in its `package.json`."""
        for manifest, text in self._manifests.items():
            if not manifest.endswith("package.json"):
                continue
            match = re.search(r'"name"\s*:\s*"([^"]{1,200})"', text)
            if match and (spec == match.group(1) or spec.startswith(match.group(1) + "/")):
                folder = manifest.rpartition("/")[0]
                rest = spec.removeprefix(match.group(1)).lstrip("/")
                places = (rest, f"src/{rest}") if rest else ("src/index", "index", "lib/index")
                for place in places:
                    if found := self._script_file("/".join(p for p in (folder, place) if p)):
                        return found
        return []

    def _go(self, one: Import, _path: str) -> list[str]:
        for manifest, text in self._manifests.items():
            if manifest.rpartition("/")[2] != "go.mod":
                continue
            match = re.search(r"^\s*module\s+\"?(\S+?)\"?\s*$", text, re.MULTILINE)
            if match and (one.spec == match.group(1) or one.spec.startswith(match.group(1) + "/")):
                base = manifest.rpartition("/")[0]
                folder = "/".join(p for p in (base, one.spec.removeprefix(match.group(1)).lstrip("/")) if p)
                found = [f for f in self._folders.get(folder, ()) if f.endswith(".go")]
                return [f for f in found if not f.endswith("_test.go")][:MOST_FILES]
        return []

    def _rust(self, one: Import, path: str) -> list[str]:
        here, _, name = path.rpartition("/")
        own = here if name in ("mod.rs", "lib.rs", "main.rs") else path.removesuffix(".rs")
        if one.level:
            return self._first((f"{own}/{one.spec}.rs".lstrip("/"), f"{own}/{one.spec}/mod.rs".lstrip("/")))
        parts = [p for p in one.spec.split("::") if p]
        if not parts:
            return []
        base, parts = self._rust_base(parts, own, path)
        for length in range(len(parts), 0, -1):
            module = "/".join(p for p in (base, *parts[:length]) if p)
            if found := self._first((f"{module}.rs", f"{module}/mod.rs")):
                return found
        return (
            self._first((f"{base}/lib.rs", f"{base}/main.rs", f"{base}/mod.rs", f"{base}.rs"))
            if base is not None
            else []
        )

    def _rust_base(self, parts: list[str], own: str, path: str) -> tuple[str | None, list[str]]:
        source = self._crate_source(path)
        if parts[0] == "crate":
            return source, parts[1:]
        if parts[0] in ("self", "super"):
            base = own
            for part in parts:
                if part == "super":
                    base = base.rpartition("/")[0]
            return base, [p for p in parts if p not in ("self", "super")]
        for manifest, text in self._manifests.items():
            if manifest.endswith("Cargo.toml"):
                match = re.search(r"^\s*name\s*=\s*\"([^\"]+)\"", text, re.MULTILINE)
                if match and match.group(1).replace("-", "_") == parts[0]:
                    return "/".join(p for p in (manifest.rpartition("/")[0], "src") if p), parts[1:]
        return (own, parts) if self._rust_own(own, parts[0]) else (None, [])

    def _rust_own(self, own: str, name: str) -> bool:
        return bool(self._first((f"{own}/{name}.rs".lstrip("/"), f"{own}/{name}/mod.rs".lstrip("/"))))

    def _crate_source(self, path: str) -> str:
        """The folder of the crate's root file: the nearest that holds `lib.rs` or `main.rs`."""
        folder = path.rpartition("/")[0]
        while True:
            if self._first((f"{folder}/lib.rs".lstrip("/"), f"{folder}/main.rs".lstrip("/"))):
                return folder
            if not folder:
                return "src"
            folder = folder.rpartition("/")[0]

    def _java(self, one: Import, _path: str) -> list[str]:
        parts = one.spec.split(".")
        if parts[-1] == "*":
            tail = "/".join(parts[:-1])
            folders = [f for f in self._folders if f == tail or f.endswith("/" + tail)]
            return [f for folder in folders for f in self._folders[folder] if f.endswith(".java")][:MOST_FILES]
        for length in (len(parts), len(parts) - 1):  # a member of a class is imported through it
            if length > 0 and (found := self._ending("/".join(parts[:length]) + ".java")):
                return found
        return []

    def _c(self, one: Import, path: str) -> list[str]:
        here = path.rpartition("/")[0]
        near = os.path.normpath(os.path.join(here, one.spec)).replace(os.sep, "/")
        if one.level and near in self._files:
            return [near]
        rooted = self._first(f"{root}/{one.spec}".lstrip("/") for root in (*_SOURCE_ROOTS, "include"))
        return rooted or self._ending(one.spec)

    def _ruby(self, one: Import, path: str) -> list[str]:
        spec = one.spec if one.spec.endswith(".rb") else f"{one.spec}.rb"
        if one.level or spec.startswith("."):
            base = os.path.normpath(os.path.join(path.rpartition("/")[0], spec)).replace(os.sep, "/")
            return self._first((base,))
        return self._first(f"{root}/{spec}".lstrip("/") for root in (*_SOURCE_ROOTS, "test", "spec")) or self._ending(
            f"lib/{spec}"
        )

    def _ending(self, tail: str) -> list[str]:
        """The one file whose path ends with these segments; none where several do."""
        if ".." in tail.split("/"):
            return []
        found = [f for f in self._by_name.get(tail.rpartition("/")[2], ()) if f == tail or f.endswith("/" + tail)]
        return found if len(found) == 1 else []
