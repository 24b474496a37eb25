"""Verifies symbols: one definition whose qualifier segments match is fresh, several are ambiguous, none is a change."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.soul.context import Ground
from core.soul.evidence import Definition, Symbols
from core.soul.grammars import LANGUAGES, definitions
from core.soul.libraries import BROUGHT, depends_on
from core.soul.model import Anchor, Reason, State, Verdict

_RELATIVE = frozenset(("crate", "self", "super", "this", "cls", "Self", "exports", "prototype"))
_BUILT_IN = frozenset(
    """
    print len range open input super int str float list dict set tuple bool bytes type isinstance issubclass getattr setattr hasattr sorted
    reversed enumerate zip map filter sum min max abs round any all iter next repr id hash vars dir format eval exec compile main
    fetch alert require import setTimeout setInterval clearTimeout clearInterval parseInt parseFloat Promise
    useState useEffect useMemo useCallback useRef useContext useReducer
    malloc free printf memcpy strlen sizeof
    panic make append new println unwrap expect clone into iter collect to_string vec format assert assert_eq dbg todo
    puts attr_accessor raise
    Some None Ok Err Box Vec String Arc Rc Array Object Number Boolean Symbol Map Set Date Error exit quit sleep
    """.split()  # noqa: SIM905
)
"""Calls of the languages themselves: a project does not define them."""
MOST_FORMER = 5
"""Files whose former text is read for one symbol."""
_FILE = re.compile(r"\.\w{1,5}$")


LETTERS = 3
"""Letters of a lone call that names something: `O(n)` and `f(x)` are mathematics."""


def tail(symbol: str) -> str:
    """The symbol's own name."""
    return symbol.rpartition("::")[2]


def check_symbol(anchor: Anchor, ground: Ground) -> Verdict | None:
    """The verdict on a symbol; `None` for a call that belongs to a language."""
    segments = _segments(anchor.target)
    if not segments:
        return None
    *heads, name = segments
    all_named = ground.symbols.by_name.get(name, ())
    matching = _distinct(meant_by(anchor.target, ground.symbols), heads)
    if matching and all(_of_another_type(d, heads) for d in matching):
        one, file = matching[0], matching[0].path.rpartition("/")[2]
        why = f"It is defined as {one.qualified} in {one.path}:{one.line}; {heads[-1]} is only what {file} is called."
        return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, why, f"{one.path}:{one.line}")
    if len(matching) == 1 and matching[0].bodiless:
        where = f"{matching[0].path}:{matching[0].line}"
        why = f"It is declared in {where}; its body is not in the source that is read here."
        return Verdict(anchor, State.UNPROVABLE, "declared_only", why, where)
    if len(matching) == 1:
        one = matching[0]
        return Verdict(anchor, State.FRESH, detail=one.qualified, found=f"{one.path}:{one.line}")
    if matching:
        places = ", ".join(f"{d.path}:{d.line}" for d in matching[:5])
        return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, f"Several definitions match: {places}.")
    return _module(anchor, segments, ground) or _none(anchor, heads, name, all_named, ground)


def _module(anchor: Anchor, segments: Sequence[str], ground: Ground) -> Verdict | None:
    """The verdict on a module that is written as its path with dots, `pay.client`; `None` if no source is called so."""
    found = ground.paths.modules(segments)
    if len(found) == 1:
        return Verdict(anchor, State.FRESH, detail=f"resolved_as {found[0]}", found=found[0])
    if found:
        why = f"Several files are called so: {', '.join(found[:5])}."
        return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, why)
    return None


def _segments(symbol: str) -> list[str]:
    return [s for s in symbol.split("::") if s not in _RELATIVE]


def meant_by(symbol: str, symbols: Symbols) -> list[Definition]:
    """The definitions whose qualifiers match those of a symbol."""
    *heads, name = _segments(symbol) or [""]
    return [d for d in symbols.by_name.get(name, ()) if _matches(d, heads)]


def _of_another_type(definition: Definition, heads: Sequence[str]) -> bool:
    """True if the type that a claim names is the file's name alone, and the definition lies in another type of it."""
    if not heads or not heads[-1][:1].isupper() or not definition.scopes or heads[-1] in definition.scopes:
        return False
    return definition.path.rpartition("/")[2].split(".", 1)[0] == heads[-1]


def _none(
    anchor: Anchor, heads: Sequence[str], name: str, named: Sequence[Definition], ground: Ground
) -> Verdict | None:
    symbols = ground.symbols
    if not heads and (name in _BUILT_IN or len(name) < LETTERS) and not named:
        return None
    if ground.evidence.tracked is None:
        return Verdict(anchor, State.UNPROVABLE, "listing_failed", "The source files could not be listed.")
    if symbols.foreign and name in symbols.mentioned:
        why = "It is named in source of a language that is not parsed here."
        return Verdict(anchor, State.UNPROVABLE, "unsupported_language", why)
    if symbols.unread:
        why = f"{len(symbols.unread)} source files could not be parsed, {symbols.unread[0]} among them."
        return Verdict(anchor, State.UNPROVABLE, "unreadable", why)
    if heads and _FILE.search(heads[0]) and heads[0].rpartition(".")[2].lower() not in LANGUAGES:
        why = f"What {heads[0]} defines is not parsed here."
        return Verdict(anchor, State.UNPROVABLE, "unsupported_language", why)
    if named and (through := _through_link(heads, named, ground)):
        return Verdict(
            anchor, State.FRESH, detail=f"resolved_as {through.path}", found=f"{through.path}:{through.line}"
        )
    if len(heads) == 1 and (language := _brought_along(heads[0], name, ground)):
        why = f"{heads[0]} is a file of the project, and the name of a library ({language}): it may be defined there."
        return Verdict(anchor, State.UNPROVABLE, "outside", why)
    if named and (_known(heads[0], ground) or _matched_then(anchor.target, named, ground)):
        other = named[0]
        why = f"It is defined as {other.qualified} in {other.path}:{other.line}, not under {'::'.join(heads)}."
        return Verdict(anchor, State.STALE, Reason.CHANGED.value, why, f"{other.path}:{other.line}")
    if heads and not _known(heads[0], ground):
        why = f"Nothing called {heads[0]} is in the project: it may be defined outside."
        return Verdict(anchor, State.UNPROVABLE, "outside", why)
    if not heads and name in symbols.imported:
        why = f"{name} is imported by the project's source and defined nowhere in it: it may be defined outside."
        return Verdict(anchor, State.UNPROVABLE, "outside", why)
    if not _has_source(ground):
        return Verdict(
            anchor, State.UNPROVABLE, "unsupported_language", "The project has no source that is parsed here."
        )
    return Verdict(anchor, State.STALE, Reason.CHANGED.value, f"Nothing called {name} is defined in the project.")


def _brought_along(head: str, name: str, ground: Ground) -> str:
    """Whose library is called as a qualifier is that only names files of the project, `errors` of `errors.New`; `""` if
    none is. What such a file defined at the document's last touch is the project's own."""
    if any(not d.field and not d.routine for d in ground.symbols.by_name.get(head, ())):
        return ""
    files = [p for p in ground.paths.files if p.rpartition("/")[2].split(".", 1)[0] == head]
    sources = {p: language for p in files if (language := LANGUAGES.get(p.rpartition(".")[2].lower()))}
    if not files:
        return ""
    for path, language in list(sources.items())[:MOST_FORMER]:
        text = ground.evidence.text_at(ground.touch, path) if ground.touch else None
        if text is not None and any(
            not d.local for d in definitions(text.encode(), path, language, frozenset((name,)))
        ):
            return ""
    found = next(
        (
            language
            for language in (*sources.values(), *sorted(ground.paths.languages))
            if head in BROUGHT.get(language, ())
        ),
        "",
    )
    return found or ("a dependency" if depends_on(head, ground.manifests) else "")


def _through_link(heads: Sequence[str], named: Sequence[Definition], ground: Ground) -> Definition | None:
    """The definition that a claim names by a link to its file; source is listed under its own name alone."""
    cited = [ground.paths.resolve(heads[0]).path] if _FILE.search(heads[0]) else list(ground.paths.modules(heads))
    for path in cited:
        text = ground.evidence.text(path)
        if found := next((d for d in named if text and d.path != path and ground.evidence.text(d.path) == text), None):
            return found
    return None


def _matched_then(symbol: str, named: Sequence[Definition], ground: Ground) -> bool:
    """True if a file that defines the name now defined it under the cited qualifiers at the document's last touch:
    then a qualifier was renamed. Else `requests.get` may well be somebody else's `get`."""
    *heads, name = _segments(symbol)
    for path in list(dict.fromkeys(d.path for d in named))[:MOST_FORMER]:
        language = LANGUAGES.get(path.rpartition(".")[2].lower())
        text = ground.evidence.text_at(ground.touch, path) if ground.touch and language else None
        if text is None or language is None:
            continue
        if any(_matches(d, heads) for d in definitions(text.encode(), path, language, frozenset((name,)))):
            return True
    return False


def _matches(definition: Definition, heads: Sequence[str]) -> bool:
    """True if the qualifiers appear in order among the folders, the file, and the scopes of a definition."""
    if not heads:
        return True
    folders = definition.path.split("/")
    stem = folders[-1].split(".", 1)[0]
    where = [*folders[:-1], folders[-1], stem, *definition.scopes]
    if "/" in heads[0] and _FILE.search(heads[0]):
        if definition.path != heads[0] and not definition.path.endswith("/" + heads[0]):
            return False
        heads = heads[1:]
        where = list(definition.scopes)
    at = 0
    for head in heads:
        wanted = head.replace("-", "_")
        while at < len(where) and where[at].replace("-", "_") != wanted:
            at += 1
        if at == len(where):
            return False
        at += 1
    return not definition.local or not heads or at <= len(where) - len(definition.scopes) or at == len(where)


def _distinct(definitions: Sequence[Definition], heads: Sequence[str]) -> list[Definition]:
    """One of each qualified name per file: overloads, property setters and guarded twins are one symbol.

    A declaration gives way to the body it announces, a field to what can be called where nothing holds it, and a
    constructor to its type, unless the claim names it as `Type.Type`.
    """
    bodies = {d.qualified for d in definitions if not d.bodiless}
    if not heads and any(not d.field for d in definitions):
        definitions = [d for d in definitions if not d.field]
    made = [d for d in definitions if d.scopes[-1:] == (d.name,)]
    if made and len(made) < len(definitions):
        definitions = made if heads[-1:] == [definitions[0].name] else [d for d in definitions if d not in made]
    found: dict[tuple[str, str], Definition] = {}
    for definition in definitions:
        if not definition.bodiless:
            found.setdefault((definition.path, definition.qualified), definition)
        elif definition.qualified not in bodies:
            found.setdefault(("", definition.qualified), definition)
    return list(found.values())


def _known(head: str, ground: Ground) -> bool:
    """True if the first qualifier names a file, a folder or a definition of the project that can have members: where a
    class has a method `json`, `json.dumps` is somebody else's all the same."""
    if any(not d.field and not d.routine for d in ground.symbols.by_name.get(head, ())):
        return True
    wanted = head.rpartition("/")[2]
    names = ground.paths.names
    return wanted in names or wanted.replace("_", "-") in names


def _has_source(ground: Ground) -> bool:
    return any(p.rpartition(".")[2] in LANGUAGES for p in ground.paths.files)
