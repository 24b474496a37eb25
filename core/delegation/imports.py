"""What a source file imports, by tree-sitter grammars: the words of each import statement, with its line.

One reader per language that `core.soul.grammars` has a grammar for. A string or a comment that looks like an import is
none. What is imported is said as written; `core.delegation.modules` finds the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from core.soul.grammars import LANGUAGES, grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Query

_SCRIPT = """
(import_statement source: (string) @s) (export_statement source: (string) @s)
(call_expression function: (import) arguments: (arguments . (string) @s))
(call_expression function: (identifier) @_f arguments: (arguments . (string) @s) (#eq? @_f "require"))
"""
_QUERIES = {
    "python": "(import_statement) @s (import_from_statement) @s",
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": "(import_spec path: (_) @s)",
    "rust": "(use_declaration) @s (mod_item) @s (extern_crate_declaration) @s",
    "java": "(import_declaration) @s",
    "c": "(preproc_include path: (_) @s)",
    "cpp": "(preproc_include path: (_) @s)",
    "ruby": "(call method: (identifier) @_f arguments: (argument_list . (string) @s) "
    '(#match? @_f "^(require|require_relative|load|autoload)$"))',
}
_PYTHON_FROM = re.compile(r"from\s+(\.*)\s*([\w.]*)\s+import\s+\(?(.*?)\)?\s*$", re.DOTALL)
MOST_USES = 400
"""Imports of one file that are read."""


@dataclass(frozen=True, slots=True)
class Import:
    """One thing a file imports."""

    spec: str
    """As the language writes it: `pay.client`, `../cart`, `crate::ledger`, `"wire.h"` without its quotes."""
    line: int
    level: int = 0
    """Python: dots in front. Ruby: 1 for `require_relative`. Rust: 1 for a `mod` of its own. C: 1 for quotes."""
    names: tuple[str, ...] = ()
    """Python: what `from` takes out of the module, each of which may be a module too."""


def language_of(path: str) -> str | None:
    """The grammar of a file by its ending, `None` where there is none."""
    name = path.rpartition("/")[2]
    return LANGUAGES.get(name.rpartition(".")[2].lower()) if "." in name else None


def imports_of(source: bytes, language: str) -> tuple[Import, ...]:
    """The imports of a file, in its order."""
    from tree_sitter import QueryCursor

    tree = grammar(language).parser.parse(source)
    found: list[Import] = []
    nodes = QueryCursor(_query(language)).captures(tree.root_node).get("s", [])
    for node in nodes[:MOST_USES]:
        found.extend(_read(node, language))
    return tuple(sorted(found, key=lambda i: (i.line, i.spec)))


@lru_cache(maxsize=32)
def _query(language: str) -> Query:
    from tree_sitter import Query

    parser = grammar(language).parser
    if parser.language is None:
        raise ValueError(language)
    return Query(parser.language, _QUERIES[language])


def _read(node: Node, language: str) -> list[Import]:
    text = (node.text or b"").decode("utf-8", "replace")
    line = node.start_point[0] + 1
    if language == "python":
        return _python(text, line)
    if language == "rust":
        return _rust(node, text, line)
    if language == "java":
        spec = re.sub(r"^import\s+(?:static\s+)?|\s*;\s*$", "", text.strip())
        return [Import(re.sub(r"\s+", "", spec), line)]
    spec = text.strip()
    quoted = spec.startswith(('"', "'", "`"))
    spec = spec.strip("\"'`<>")
    if not spec:
        return []
    level = int(quoted) if language in ("c", "cpp") else 0
    if language == "ruby":
        call = node.parent.parent if node.parent is not None else None
        method = call.child_by_field_name("method") if call is not None else None
        level = int(method is not None and method.text == b"require_relative")
    return [Import(spec, line, level)]


def _python(text: str, line: int) -> list[Import]:
    clean = re.sub(r"#[^\n]*|\\\n", "", text)
    match = _PYTHON_FROM.match(clean)
    if match:
        names = tuple(n.split(" as ")[0].strip() for n in re.sub(r"\s+", " ", match.group(3)).split(","))
        return [Import(match.group(2), line, len(match.group(1)), tuple(n for n in names if n))]
    listed = clean.partition("import")[2].split(",")
    return [Import(part.split(" as ")[0].strip(), line) for part in listed if part.strip()]


def _rust(node: Node, text: str, line: int) -> list[Import]:
    if node.type == "mod_item":
        name = node.child_by_field_name("name")
        if node.child_by_field_name("body") is not None or name is None or name.text is None:
            return []
        return [Import(name.text.decode("utf-8", "replace"), line, 1)]
    if node.type == "extern_crate_declaration":
        name = node.child_by_field_name("name")
        return [Import((name.text or b"").decode("utf-8", "replace"), line)] if name is not None else []
    tree = re.sub(r"^\s*(?:pub(?:\s*\([^)]*\))?\s+)?use\s+|\s*;\s*$", "", text)
    return [Import(spec, line) for spec in _use_tree(re.sub(r"\s+as\s+\w+|\s+", "", tree))]


def _use_tree(tree: str, depth: int = 0) -> list[str]:
    """`a::{b, c::{d}}` as `a::b`, `a::c::d`; a path per leaf."""
    at = tree.find("{")
    if at < 0 or depth > 12:
        return [tree.removesuffix("::*").removesuffix("::self")] if tree else []
    head, inside = tree[:at], tree[at + 1 : tree.rfind("}") if "}" in tree else len(tree)]
    found: list[str] = []
    part, level = "", 0
    for char in inside + ",":
        if char == "," and level == 0:
            found += [f"{head}{leaf}".removesuffix("::self") for leaf in _use_tree(part, depth + 1)]
            part = ""
            continue
        level += (char == "{") - (char == "}")
        part += char
    return found[:MOST_USES]
