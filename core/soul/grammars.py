"""Definitions in source files, by tree-sitter grammars that carry their binaries (nothing is downloaded)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from core.soul.evidence import Definition

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

LANGUAGES = {
    "py": "python", "pyi": "python",
    "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx",
    "rs": "rust", "go": "go", "java": "java", "c": "c", "h": "cpp",
    "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "hxx": "cpp", "rb": "ruby",
}  # fmt: skip
"""Endings of files to grammars. A header may be C or C++: the grammar of C++ reads both."""
FOREIGN = frozenset(
    "kt kts swift scala groovy clj cljs ex exs erl hs ml mli cs fs vb php lua dart zig nim jl r pl pm m mm sql sh bash vue svelte".split()  # noqa: SIM905
)
"""Source in languages without a grammar here: a name that occurs in it is no proof of a change."""
MAX_SOURCE = 2 * 1024 * 1024
"""Bytes of a source file that is parsed."""

_SCRIPT = """
(function_declaration name: (_) @n) (generator_function_declaration name: (_) @n) (class_declaration name: (_) @n)
(method_definition name: (_) @n)
(program (_ (variable_declarator name: (identifier) @n)))
(program (export_statement (_ (variable_declarator name: (identifier) @n))))
"""
_TYPED = """
(interface_declaration name: (_) @n) (type_alias_declaration name: (_) @n) (enum_declaration name: (_) @n)
(abstract_class_declaration name: (_) @n) (internal_module name: (_) @n) (method_signature name: (_) @n)
(abstract_method_signature name: (_) @n) (function_signature name: (_) @n) (public_field_definition name: (_) @n)
"""
_C = """
(function_definition declarator: (function_declarator declarator: (_) @n))
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @n)))
(struct_specifier name: (_) @n body: (_)) (enum_specifier name: (_) @n body: (_)) (union_specifier name: (_) @n body: (_))
(type_definition declarator: (type_identifier) @n) (preproc_def name: (_) @n) (preproc_function_def name: (_) @n)
(enumerator name: (_) @n)
"""
_QUERIES = {
    "python": """
(function_definition name: (_) @n) (class_definition name: (_) @n)
(module (expression_statement (assignment left: (identifier) @n)))
(class_definition body: (block (expression_statement (assignment left: (identifier) @n))))
(type_alias_statement left: (type (identifier) @n))
""",
    "javascript": _SCRIPT + "(field_definition property: (_) @n)",
    "typescript": _SCRIPT + _TYPED,
    "tsx": _SCRIPT + _TYPED,
    "rust": """
(function_item name: (_) @n) (function_signature_item name: (_) @n) (struct_item name: (_) @n) (enum_item name: (_) @n)
(union_item name: (_) @n) (trait_item name: (_) @n) (type_item name: (_) @n) (const_item name: (_) @n) (static_item name: (_) @n)
(mod_item name: (_) @n) (macro_definition name: (_) @n) (enum_variant name: (_) @n) (field_declaration name: (_) @n)
""",
    "go": """
(function_declaration name: (_) @n) (method_declaration name: (_) @n) (type_spec name: (_) @n) (type_alias name: (_) @n)
(const_spec name: (_) @n) (var_spec name: (_) @n) (method_elem name: (_) @n) (field_declaration name: (_) @n)
""",
    "java": """
(class_declaration name: (_) @n) (interface_declaration name: (_) @n) (enum_declaration name: (_) @n) (record_declaration name: (_) @n)
(method_declaration name: (_) @n) (constructor_declaration name: (_) @n) (enum_constant name: (_) @n)
(field_declaration declarator: (variable_declarator name: (_) @n)) (annotation_type_declaration name: (_) @n)
""",
    "c": _C,
    "cpp": _C
    + """
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @n)))
(class_specifier name: (_) @n body: (_)) (namespace_definition name: (_) @n) (alias_declaration name: (_) @n)
(concept_definition name: (_) @n)
""",
    "ruby": """
(method name: (_) @n) (singleton_method name: (_) @n) (class name: (_) @n) (module name: (_) @n) (assignment left: (constant) @n)
""",
}
_SCOPES = frozenset(
    """
    function_definition class_definition function_declaration class_declaration method_definition interface_declaration enum_declaration
    abstract_class_declaration internal_module trait_item mod_item enum_item struct_item type_spec record_declaration struct_specifier
    class_specifier union_specifier enum_specifier namespace_definition class module method function_item
    """.split()  # noqa: SIM905
)
"""Kinds of nodes whose names qualify what lies in them."""
_CANDIDATE = {
    "python": rb"\b(?:def|class|type)\s+(\w+)|^[ \t]*(\w+)\s*(?::[^=\n]*)?=",
    "javascript": rb"\b(?:function\*?|class|const|let|var)\s+([\w$]+)|([\w$]+)\s*(?:\(|=|:)",
    "rust": rb"\b(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\s+(\w+)|(\w+)\s*[:({,]",
    "go": rb"\b(?:func|type|const|var)\s+(\w+)|(\w+)\s*[\s(=]",
    "ruby": rb"\b(?:def|class|module)\s+(?:self\.)?([\w?!=]+)|([A-Z]\w*)\s*=",
}
_ANY_NAME = rb"([A-Za-z_$][\w$]*)"


@dataclass(frozen=True)
class Grammar:
    """A parser with its query; one per language and thread."""

    parser: Parser
    query: Query


@lru_cache(maxsize=32)
def grammar(language: str) -> Grammar:
    """The grammar of a language; loading one takes about 10 ms."""
    from importlib import import_module

    from tree_sitter import Language, Parser, Query

    package = "tree_sitter_typescript" if language in ("typescript", "tsx") else f"tree_sitter_{language}"
    module = import_module(package)
    load: Callable[[], object] = (
        getattr(module, f"language_{language}") if language in ("typescript", "tsx") else module.language
    )
    built = Language(load())
    return Grammar(Parser(built), Query(built, _QUERIES[language]))


@lru_cache(maxsize=32)
def _candidates(language: str) -> re.Pattern[bytes]:
    key = "javascript" if language in ("typescript", "tsx") else language
    return re.compile(_CANDIDATE.get(key, _ANY_NAME), re.MULTILINE)


def may_define(source: bytes, language: str, names: frozenset[bytes]) -> bool:
    """True if a file can define one of these names, told by its bytes alone: parsing it takes a hundred times longer."""
    for match in _candidates(language).finditer(source):
        if (match.group(1) or match.group(match.lastindex or 1)) in names:
            return True
    return False


def definitions(source: bytes, path: str, language: str, names: frozenset[str] | None = None) -> tuple[Definition, ...]:
    """The definitions in a source file, in its order; of `names` only, if given."""
    from tree_sitter import QueryCursor

    one = grammar(language)
    tree = one.parser.parse(source)
    found = []
    for node in QueryCursor(one.query).captures(tree.root_node).get("n", ()):
        whole = _text(node)
        *inner, name = re.split(r"::|\.", whole)
        if names is not None and name not in names:
            continue
        holder = node.parent or node
        while holder.parent is not None and holder.type.endswith(("declarator", "_identifier")):
            holder = holder.parent
        scopes = (*_scopes(holder), *inner)
        found.append(Definition(path, name, scopes, node.start_point[0] + 1, holder.end_point[0] + 1))
    return tuple(sorted(found, key=lambda d: d.line))


def _scopes(node: Node) -> tuple[str, ...]:
    """The names of what a definition lies in, outermost first."""
    names: list[str] = []
    if node.type == "method_declaration" and (receiver := node.child_by_field_name("receiver")) is not None:
        names.extend(re.findall(r"\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)$", _text(receiver)))
    above = node.parent
    while above is not None:
        if above.type == "impl_item":
            kind = above.child_by_field_name("type")
            if kind is not None:
                names.append(re.split(r"[<\s]", _text(kind))[0])
        elif above.type in _SCOPES:
            name = above.child_by_field_name("name")
            if name is not None:
                names.extend(reversed(_text(name).split("::")))
        elif above.type == "variable_declarator" and above.child_by_field_name("name") is not None:
            value = above.child_by_field_name("value")
            if value is not None and value.type in ("class", "object"):
                names.append(_text(above.child_by_field_name("name")))
        above = above.parent
    return tuple(reversed(names))


def _text(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""
