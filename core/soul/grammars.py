"""Definitions in source files, by tree-sitter grammars that carry their binaries (nothing is downloaded)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
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
(pair key: (property_identifier) @n value: [(arrow_function) (function_expression)])
(pair key: (property_identifier) @field) (function_expression name: (_) @n)
(assignment_expression left: (member_expression property: (property_identifier) @assigned))
(program (export_statement (_ (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @field)))))
(program (export_statement (_ (variable_declarator name: (object_pattern (pair_pattern value: (identifier) @field))))))
(program (export_statement (_ (variable_declarator name: (array_pattern (identifier) @field)))))
"""
_TYPED = """
(interface_declaration name: (_) @n) (type_alias_declaration name: (_) @n) (enum_declaration name: (_) @n)
(abstract_class_declaration name: (_) @n) (internal_module name: (_) @n) (method_signature name: (_) @n)
(abstract_method_signature name: (_) @n) (function_signature name: (_) @n) (public_field_definition name: (_) @field)
(property_signature name: (_) @field) (enum_body (property_identifier) @field) (enum_assignment name: (_) @field)
(required_parameter (accessibility_modifier) pattern: (identifier) @field)
(required_parameter "readonly" pattern: (identifier) @field)
"""
_C = """
(function_definition declarator: (function_declarator declarator: (_) @n))
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @n)))
(function_definition declarator: (_ declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @n))))
(struct_specifier name: (_) @n body: (_)) (enum_specifier name: (_) @n body: (_)) (union_specifier name: (_) @n body: (_))
(type_definition declarator: (type_identifier) @n) (type_definition declarator: (_ declarator: (type_identifier) @n))
(type_definition declarator: (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @n)))) (preproc_def name: (_) @n) (preproc_function_def name: (_) @n)
(enumerator name: (_) @n)
(field_declaration declarator: (field_identifier) @field)
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @field))
(field_declaration declarator: (array_declarator declarator: (field_identifier) @field))
(field_declaration declarator: (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @field))))
(declaration declarator: (function_declarator declarator: (identifier) @declared))
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @declared)))
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @declared))))
(declaration declarator: (identifier) @value) (declaration declarator: (array_declarator declarator: (identifier) @value))
(declaration declarator: (pointer_declarator declarator: (identifier) @value))
(declaration declarator: (init_declarator declarator: (identifier) @value))
(declaration declarator: (init_declarator declarator: (_ declarator: (identifier) @value)))
(declaration declarator: (init_declarator declarator: (_ declarator: (array_declarator declarator: (identifier) @value))))
"""
_QUERIES = {
    "python": """
(function_definition name: (_) @n) (class_definition name: (_) @n)
(assignment left: (identifier) @value)
(assignment left: (pattern_list (identifier) @value))
(assignment left: (attribute attribute: (identifier) @assigned))
(assignment left: (pattern_list (attribute attribute: (identifier) @assigned)))
(type_alias_statement left: (type (identifier) @n))
""",
    "javascript": _SCRIPT + "(field_definition property: (_) @field)",
    "typescript": _SCRIPT + _TYPED,
    "tsx": _SCRIPT + _TYPED,
    "rust": """
(function_item name: (_) @n) (function_signature_item name: (_) @n) (struct_item name: (_) @n) (enum_item name: (_) @n)
(union_item name: (_) @n) (trait_item name: (_) @n) (type_item name: (_) @n) (const_item name: (_) @n) (static_item name: (_) @n)
(associated_type name: (_) @n) (mod_item name: (_) @n) (macro_definition name: (_) @n) (enum_variant name: (_) @n) (field_declaration name: (_) @field)
""",
    "go": """
(function_declaration name: (_) @n) (method_declaration name: (_) @n) (type_spec name: (_) @n) (type_alias name: (_) @n)
(const_spec (identifier) @n) (var_spec name: (_) @n) (method_elem name: (_) @n) (field_declaration name: (_) @field)
(field_declaration !name type: (type_identifier) @field) (field_declaration !name type: (qualified_type name: (_) @field))
(field_declaration !name type: (generic_type type: (type_identifier) @field))
""",
    "java": """
(class_declaration name: (_) @n) (interface_declaration name: (_) @n) (enum_declaration name: (_) @n) (record_declaration name: (_) @n)
(method_declaration name: (_) @n) (constructor_declaration name: (_) @n) (enum_constant name: (_) @n)
(field_declaration declarator: (variable_declarator name: (_) @field)) (annotation_type_declaration name: (_) @n)
(annotation_type_element_declaration name: (_) @n)
(constant_declaration declarator: (variable_declarator name: (_) @field))
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @field)))
""",
    "c": _C,
    "cpp": _C
    + """
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @n)))
(class_specifier name: (_) @n body: (_)) (namespace_definition name: (_) @n) (alias_declaration name: (_) @n)
(concept_definition name: (_) @n)
(field_declaration declarator: (function_declarator declarator: (_) @n) default_value: (_))
(field_declaration declarator: (function_declarator declarator: (_) @declared))
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @declared)))
(field_declaration declarator: (reference_declarator (function_declarator declarator: (_) @declared)))
""",
    "ruby": """
(method name: (_) @n) (singleton_method name: (_) @n) (class name: (_) @n) (module name: (_) @n) (assignment left: (constant) @n)
(alias name: (identifier) @n)
(call method: (identifier) arguments: (argument_list . (simple_symbol) @made))
(call method: (identifier) arguments: (argument_list (simple_symbol) @listed))
""",
}
"""What defines a name, by language. `@n` is a definition, `@field` a part of a type or object, `@value` one unless it is
a function's own, `@assigned` one if what it is assigned to is an object of a type (`self.x`, `exports.x`), `@declared` a
declaration without a body, `@made` and `@listed` the symbols given to a call that defines them."""
_MAKERS = {
    "made": frozenset(("define_method", "alias_method", "scope", "has_many", "has_one", "belongs_to", "attribute")),
    "listed": frozenset(
        ("attr_accessor", "attr_reader", "attr_writer", "cattr_accessor", "mattr_accessor", "delegate")
    ),
}
"""Calls of Ruby that define methods: of the first symbol they are given, or of each."""
_RECORDS = frozenset(("Struct.new", "Data.define"))
"""Calls of Ruby that make a type with the members they are given."""
_OWNERS = frozenset(("self", "cls", "this", "exports", "module.exports", "window", "globalThis", "global"))
"""What an assignment gives a member to: the object at hand, the module, or what all modules share."""
_BODIES = frozenset(
    "function_definition lambda function_declaration method_definition function_expression arrow_function lambda_expression".split()  # noqa: SIM905
)
_ROUTINES = frozenset(
    """
    function_definition function_declaration generator_function_declaration function_item function_signature function_signature_item
    method_definition method_declaration method_signature abstract_method_signature method_elem method singleton_method
    """.split()  # noqa: SIM905
)
"""Kinds of nodes that define functions; one with a capital may be a type, as `function Queue` is."""
_SCOPES = frozenset(
    """
    function_definition class_definition function_declaration class_declaration method_definition interface_declaration enum_declaration
    abstract_class_declaration internal_module trait_item mod_item enum_item struct_item type_spec record_declaration struct_specifier
    class_specifier union_specifier enum_specifier namespace_definition class module method function_item type_alias_declaration
    union_item field_declaration annotation_type_declaration
    """.split()  # noqa: SIM905
)
"""Kinds of nodes whose names qualify what lies in them."""
_NAME = rb"([\w$\x80-\xff]+)"
"""A name in bytes: a letter beyond ASCII is several of them."""
_CANDIDATE = {
    "python": rb"\b(?:def|class|type)\s+%b|(?:^[ \t]*|\.|,[ \t]*)%b(?=[ \t]*[:,=])" % (_NAME, _NAME),
    "javascript": rb"\b(?:function\*?|class|const|let|var)\s+%b|%b\s*[(=:<?,}\]]" % (_NAME, _NAME),
    "rust": rb"\b(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\s+%b|%b\s*[:({,}=]" % (_NAME, _NAME),
    "go": rb"\b(?:func|type|const|var)\s+%b|%b\s*[\s(=,]" % (_NAME, _NAME),
    "ruby": rb"\b(?:def|class|module|alias)\s+(?:[\w:]+(?:\.|::))?([\w?!\x80-\xff]+)|([A-Z][\w\x80-\xff]*)\s*=|:([\w?!=\x80-\xff]+)",
}
_IMPORTS = {
    "python": re.compile(rb"^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^)]{0,4000}\)|[^\n]*)", re.MULTILINE),
    "javascript": re.compile(
        rb"\bimport\b[^;'\"]{0,4000}['\"]|\b(?:const|let|var)\s*\{[^}]{0,4000}\}\s*=\s*(?:await\s+)?(?:require|import)\b"
    ),
    "rust": re.compile(rb"^[ \t]*(?:pub[ \t]+)?use\s[^;]{0,4000};", re.MULTILINE),
    "java": re.compile(rb"^[ \t]*import\s[^;]{0,4000};", re.MULTILINE),
}
"""Statements that take names in; Go qualifies what it takes in by its package."""
_NAMES = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
_ANY_NAME = rb"([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)"
_REMARKS = re.compile(rb"^[ \t]*#[^\n\"']*$", re.MULTILINE)
"""Python's comment lines, but for those that could end a text in quotes."""


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
    return any(match.group(match.lastindex or 1) in names for match in _candidates(language).finditer(source))


def taken_in(source: bytes, language: str, names: frozenset[bytes]) -> frozenset[str]:
    """The names that a file imports by name; in C, C++ and Ruby, which import whole files, every one of `names`."""
    if language in ("c", "cpp", "ruby"):
        found: Iterable[bytes] = names
    else:
        key = "javascript" if language in ("typescript", "tsx") else language
        pattern = _IMPORTS.get(key)
        found = set() if pattern is None else {n for m in pattern.finditer(source) for n in _NAMES.findall(m.group())}
    return frozenset(n.decode("utf-8", "replace") for n in names.intersection(found))


def definitions(source: bytes, path: str, language: str, names: frozenset[str] | None = None) -> tuple[Definition, ...]:
    """The definitions in a source file, in its order; of `names` only, if given."""
    from tree_sitter import QueryCursor

    one = grammar(language)
    if language == "python":  # a run of comments costs its grammar the square of their number
        source = _REMARKS.sub(b"", source)
    tree = one.parser.parse(source)
    package = _package(tree.root_node) if language == "go" else ()
    found = []
    for kind, nodes in QueryCursor(one.query).captures(tree.root_node).items():
        for node in nodes:
            *inner, name = _names_of(node, kind)
            if (names is not None and name not in names) or not _defines(node, kind):
                continue
            holder = node.parent or node
            while holder.parent is not None and holder.type.endswith(("declarator", "_identifier")):
                holder = holder.parent
            field = kind in ("field", "assigned")
            scopes = (*package, *_scopes(holder, field=field), *_assignee(node, kind), *inner)
            lines = (node.start_point[0] + 1, holder.end_point[0] + 1)
            bodiless = kind == "declared" or (kind == "value" and _announced(node))
            routine = holder.type in _ROUTINES and not name[:1].isupper()
            found.append(
                Definition(
                    path, name, scopes, *lines, field=field, bodiless=bodiless, routine=routine, local=_local(holder)
                )
            )
    return tuple(sorted(found, key=lambda d: (d.line, d.bodiless, d.field)))


def _names_of(node: Node, kind: str) -> list[str]:
    """A definition's name after what qualifies it where it is written: `Wid<T>::draw`, `self.hire`, `M1::Late`."""
    whole = _text(node)
    if whole.isidentifier():  # nearly every one
        return [whole]
    if kind in _MAKERS:
        whole = whole.removeprefix(":")
    elif node.type == "setter":
        whole = whole.removesuffix("=")
    return re.split(r"::|\.", _plain_type(whole) if "<" in whole else whole)


def _plain_type(written: str) -> str:
    """A type without its arguments, and without what refers to it: `&'a Tup<T>` is `Tup`, `crate::d::Tup` stays."""
    if "operator" in written:
        return written
    bare = re.sub(r"^(?:&|'\w+\b|mut\b|dyn\b|\*|const\b|\s)+", "", written)
    while (shorter := re.sub(r"\s*(?:::)?<[^<>]*>", "", bare)) != bare:
        bare = shorter
    return bare.split(" ", 1)[0]


def _announced(node: Node) -> bool:
    """True for a variable of C that is only said to stand elsewhere."""
    above = node.parent
    return above is not None and above.type != "init_declarator" and _text(above).startswith("extern ")


def _local(holder: Node) -> bool:
    """True for what a function defines for itself: the next thing with a name around it is a function."""
    above = holder.parent
    while above is not None and above.type not in _SCOPES and above.type not in _BODIES:
        above = above.parent
    return above is not None and (above.type in _BODIES or above.type in ("method", "function_item"))


def _package(root: Node) -> tuple[str, ...]:
    """The package that a Go file says it belongs to: its folder may be called otherwise."""
    clause = next((c for c in root.children if c.type == "package_clause"), None)
    return (_text(clause.named_children[0]),) if clause is not None and clause.named_children else ()


def _defines(node: Node, kind: str) -> bool:
    """True if what was captured defines its name where it stands."""
    if kind == "value":
        return not _within(node)
    if kind == "assigned":
        owner = _owner(node)
        return owner in _OWNERS or owner.endswith(".prototype") or _given_to_type(node)
    if kind in _MAKERS:
        call = node.parent.parent if node.parent is not None else None
        method = _text(call.child_by_field_name("method")) if call is not None else ""
        maker = f"{_text(call.child_by_field_name('receiver'))}.{method}" if call is not None else ""
        return method in _MAKERS[kind] or (kind == "listed" and maker in _RECORDS)
    return True


def _given_to_type(node: Node) -> bool:
    """True if a function is assigned as a member of a type: `Legacy.create = function () {}`."""
    whole = node.parent.parent if node.parent is not None else None
    given = whole.child_by_field_name("right") if whole is not None else None
    owner = _owner(node)
    return owner[:1].isupper() and owner.isidentifier() and given is not None and given.type in _BODIES


def _within(node: Node) -> bool:
    """True if a node lies in a function: what is assigned there is the function's own."""
    above = node.parent
    while above is not None:
        if above.type in _BODIES:
            return True
        if above.type == "class_definition":
            return False
        above = above.parent
    return False


def _owner(node: Node) -> str:
    """What an assigned member belongs to, as it is written."""
    return _text(node.parent.child_by_field_name("object")) if node.parent is not None else ""


def _assignee(node: Node, kind: str) -> tuple[str, ...]:
    """The type to whose prototype a member is assigned."""
    owner = _owner(node) if kind == "assigned" else ""
    named = owner.endswith(".prototype") or (owner not in _OWNERS and _given_to_type(node)) if owner else False
    return tuple(owner.removesuffix(".prototype").split(".")) if named else ()


def _scopes(node: Node, *, field: bool) -> tuple[str, ...]:
    """The names of what a definition lies in, outermost first; a field belongs to no function."""
    names: list[str] = []
    if node.type == "method_declaration" and (receiver := node.child_by_field_name("receiver")) is not None:
        names.extend(re.findall(r"\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)$", _text(receiver)))
    elif node.type == "singleton_method" and (owner := node.child_by_field_name("object")) is not None:
        names.extend(_text(owner).split("::") if owner.type != "self" else ())
    below = node
    while (above := below.parent) is not None:
        names.extend(reversed(_scope(above, below, field=field)))
        below = above
    return tuple(reversed(names))


def _scope(above: Node, below: Node, *, field: bool) -> list[str]:
    """The names that one node gives to what lies in its part `below`, outermost first."""
    if above.type == "impl_item":
        kind = above.child_by_field_name("type")
        return [s for s in _plain_type(_text(kind)).split("::") if s not in ("crate", "self", "super")] if kind else []
    if above.type in _SCOPES:
        name = _plain_type(_text(above.child_by_field_name("name")))
        passed_over = field and above.type in _BODIES and not name[:1].isupper()  # `function Queue` makes one
        return [] if passed_over or not name else name.split("::")
    if above.type in ("variable_declarator", "pair"):
        key = above.child_by_field_name("name" if above.type == "variable_declarator" else "key")
        named = key is not None and key.type in ("identifier", "property_identifier")
        return [_text(key)] if named and _holds(above.child_by_field_name("value"), below) else []
    if above.type == "assignment":  # `Point = Struct.new(:x) do … end`
        left = above.child_by_field_name("left")
        return [_text(left)] if left is not None and left.type == "constant" and left != below else []
    return []


def _holds(value: Node | None, below: Node) -> bool:
    """True if what lies in a value belongs to its name: an object, a type, or what a call makes of some; a function's
    insides are its own."""
    return value is not None and value == below and value.type not in _BODIES


def _text(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""
