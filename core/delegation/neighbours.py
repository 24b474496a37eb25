"""What depends on a file of its own package without an import: Go and Java need none between files of one package.

A file depends on another one of its package if it uses a name that stands on the other's top level, and declares no such
name itself, not even a local one: what could be something else is nobody's, as with imports. Calls of methods are not told:
whose they are, only types say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from core.delegation.imports import imports_of
from core.soul.grammars import grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Query

    from core.delegation.project import Project

MOST_FILES = 400
"""Files of one package that are looked at."""
_JAVA_TYPES = ("class", "interface", "enum", "record", "annotation_type")
_QUERIES: Mapping[str, str] = {
    "go": """
(package_clause (package_identifier) @package)
(source_file (function_declaration name: (identifier) @top))
(source_file (type_declaration (type_spec name: (type_identifier) @top)))
(source_file (type_declaration (type_alias name: (type_identifier) @top)))
(source_file (const_declaration (const_spec name: (identifier) @top)))
(source_file (var_declaration (var_spec name: (identifier) @top)))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @top))))
(short_var_declaration left: (expression_list (identifier) @own))
(range_clause left: (expression_list (identifier) @own))
(parameter_declaration name: (identifier) @own)
(import_spec name: (package_identifier) @own)
(var_spec name: (identifier) @own)
(const_spec name: (identifier) @own)
(type_spec name: (type_identifier) @own)
(identifier) @used
(type_identifier) @used
""",
    "java": "\n".join(
        [
            "(package_declaration [(scoped_identifier) (identifier)] @package)",
            *(f"(program ({kind}_declaration name: (identifier) @top))" for kind in _JAVA_TYPES),
            *(f"({kind}_declaration name: (identifier) @own)" for kind in _JAVA_TYPES),
            "(variable_declarator name: (identifier) @own)",
            "(formal_parameter name: (identifier) @own)",
            "(type_parameter (type_identifier) @own)",
            "(type_identifier) @used",
            "(identifier) @used",
        ]
    ),
}
_ENDINGS = {"go": ".go", "java": ".java"}


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one file."""

    package: str
    """The package it says it is of, `""` for none."""
    top: frozenset[str]
    """What it declares for its whole package."""
    own: frozenset[str]
    """What it declares anywhere, or imports by that name."""
    used: Mapping[str, int]
    """What it uses, with the first line."""


class Neighbours:
    """Finds who uses a file of the same package; remembers the names of each file."""

    def __init__(self, project: Project, sources: Sequence[str]) -> None:
        self._project = project
        self._of = {name: [p for p in sources if p.endswith(ending)] for name, ending in _ENDINGS.items()}
        self._read: dict[str, Names] = {}

    def users_of(self, wanted: Iterable[str]) -> Iterator[tuple[str, int, str]]:
        """Each file that uses one of `wanted` of its own package: itself, the line, the file that is used."""
        for target in sorted(wanted):
            language = next((name for name, ending in _ENDINGS.items() if target.endswith(ending)), "")
            if not language:
                continue
            names = self._names(target, language)
            if not names.top:
                continue
            sought = re.compile(rb"\b(?:" + b"|".join(re.escape(n.encode()) for n in sorted(names.top)) + rb")\b")
            for path in self._beside(target, language, names.package):
                if not sought.search(self._project.data(path) or b""):
                    continue
                other = self._names(path, language)
                lines = [other.used[name] for name in names.top - other.own if name in other.used]
                if lines and other.package == names.package:
                    yield path, min(lines), target

    def _beside(self, target: str, language: str, package: str) -> Sequence[str]:
        """The files that may be of the same package: of the same folder, for Java of any folder of the package's name."""
        folder = target.rpartition("/")[0]
        tail = package.replace(".", "/")

        def fits(path: str) -> bool:
            other = path.rpartition("/")[0]
            return other == folder or (language == "java" and bool(tail) and f"/{other}".endswith(f"/{tail}"))

        return [p for p in self._of[language] if p != target and fits(p)][:MOST_FILES]

    def _names(self, path: str, language: str) -> Names:
        if path not in self._read:
            self._read[path] = names_of(self._project.data(path) or b"", language)
        return self._read[path]


def names_of(source: bytes, language: str) -> Names:
    """The names of a file of Go or Java."""
    from tree_sitter import QueryCursor

    tree = grammar(language).parser.parse(source)
    found = QueryCursor(_query(language)).captures(tree.root_node)
    top = frozenset(map(_text, found.get("top", [])))
    at_top = {node.id for node in found.get("top", [])}
    own = {_text(node) for node in found.get("own", [])} | top
    own |= {re.split(r"[./]", one.spec)[-1] for one in imports_of(source, language)}
    used: dict[str, int] = {}
    for node in found.get("used", []):
        line = node.start_point[0] + 1
        if node.id not in at_top and not _is_key(node) and line < used.get(_text(node), line + 1):
            used[_text(node)] = line
    return Names(next(map(_text, found.get("package", [])), ""), top - {"main", "init", "_"}, frozenset(own), used)


def _is_key(node: Node) -> bool:
    """True for the field's name in Go's `Post{max: 1}`, which is no use of what is called `max`."""
    around = node.parent
    pair = around.parent if around is not None and around.type == "literal_element" else None
    return pair is not None and pair.type == "keyed_element" and pair.children[0] == around


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


@lru_cache(maxsize=4)
def _query(language: str) -> Query:
    from tree_sitter import Query

    parser = grammar(language).parser
    if parser.language is None:
        raise ValueError(language)
    return Query(parser.language, _QUERIES[language])
