"""The tools and their schemas, made from the grammar of the commands: a key that a command takes is a key of its tool."""

from __future__ import annotations

import argparse
import difflib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.errors import UsageError
from core.frozen import dataclass
from tui.parser import build_parser

_STDIN = re.compile(r",? or - for (?:one a line on )?stdin")
"""What the help of a command says of stdin, which a tool's key has not."""
_FACES = frozenset(("help", "json", "plain", "format", "fail_on", "output", "full"))
"""Options that choose a face for people; a tool has one."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: a command with `--json`."""

    name: str
    words: tuple[str, ...]
    """The command."""
    about: str
    stdin: str = ""
    """The key whose value goes to the command's stdin: a text of any length, or a document."""
    is_document: bool = False
    """The value that goes to stdin is a JSON object."""
    writes: bool = False
    """It cannot do its work without writing."""
    writing: frozenset[str] = frozenset()
    """Keys that have it write."""
    dry: tuple[str, ...] = ()
    """What keeps it from writing where the server is read-only."""
    needs: tuple[str, ...] = ()
    """Keys that must be given, beside those that the command cannot do without."""
    without: frozenset[str] = frozenset()
    """Keys of the command that make no sense here."""


TOOLS: tuple[Tool, ...] = (
    Tool(
        "recall", ("recall",),
        "Tell the story of a past agent session from a half-remembered cue, in quotes with their sources. Each entry of `say` is "
        'a next turn of the dialogue: more words, "not that one", "earlier", "everything we did on …", "that\'s it".',
        writing=frozenset(("keep",)),
    ),
    Tool("search", ("search",), "Find candidates among past sessions, commits, notes and claims. A hit is a cue: open it with show.", needs=("query",)),
    Tool("show", ("show",), "Open a record, or the turns around one of its lines, as evidence."),
    Tool(
        "soul_check", ("soul", "check"),
        "Check every claim of the project's handoff document against files, git, symbols and receipts.",
    ),
    Tool("soul_read", ("soul", "read"), "Read the project's handoff document, whole or by section."),
    Tool(
        "curate_check", ("curate", "check"),
        "Grade a curator's report against every rule, as another seat than its author's. All violations at once.", stdin="report",
        is_document=True,
    ),
    Tool(
        "memorize", ("memory", "add"),
        "Keep a claim in memory: durable, never changed or removed. Name its evidence.", stdin="text", writes=True,
        without=frozenset(("from_recall",)),
    ),
    Tool("memory_list", ("memory", "list"), "List the claims that stand, newest first, or those that hold some words, best first."),
    Tool(
        "delegate", ("delegate",),
        "Make a grounded packet for a worker who was not there: anchors, past sessions, memory, dependents, duties.", stdin="task",
        dry=("--dry-run",),
    ),
    Tool(
        "debrief", ("debrief",), "Compare what a worker touched with the packet, and teach memory.", stdin="report",
        dry=("--dry-run",),
    ),
)  # fmt: skip
"""In the order in which they are listed."""
MOST_BYTES = 100_000
"""Bytes of one value that does not go to stdin: a system takes some 128 KiB as one word of a command."""


def tool_named(name: str) -> Tool:
    """The tool of a name. Raises `UsageError` naming the nearest."""
    for tool in TOOLS:
        if tool.name == name:
            return tool
    raise UsageError(f"There is no tool {name!r}.", f"The tools are: {', '.join(t.name for t in TOOLS)}.")


def keys_of(tool: Tool, *, write: bool) -> dict[str, argparse.Action]:
    """Each key of a tool with the argument of the command that it stands for."""
    parser = build_parser(tool.words[0])
    for word in tool.words:
        choices = next(a.choices for a in parser._actions if isinstance(a, argparse._SubParsersAction))
        parser = choices[word]
    left_out = _FACES | tool.without | (frozenset() if write else tool.writing)
    return {a.dest: a for a in parser._actions if a.dest not in left_out and not (tool.dry and a.dest == "dry_run")}


def schema_of(tool: Tool, *, write: bool) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    keys = keys_of(tool, write=write)
    needed = [
        key for key, action in keys.items()
        if key in tool.needs or _needed(action) or (key == tool.stdin and not action.option_strings)
    ]  # fmt: skip
    return {
        "type": "object",
        "properties": {key: _property(tool, key, action) for key, action in keys.items()},
        "required": needed,
        "additionalProperties": False,
    }  # fmt: skip


def _needed(action: argparse.Action) -> bool:
    """True if the command cannot be given without it."""
    return action.required if action.option_strings else action.nargs in (None, "+")


def _property(tool: Tool, key: str, action: argparse.Action) -> dict[str, Any]:
    words = _STDIN.sub("", str(action.help or "").replace(" (repeatable)", "").replace("(repeatable; ", "("))
    if key == tool.stdin:
        kind: dict[str, Any] = {"type": "object"} if tool.is_document else {"type": "string"}
    elif action.nargs == 0:
        kind = {"type": "boolean"}
    elif isinstance(action, argparse._AppendAction):
        kind = {"type": "array", "items": {"type": "string"}}
    else:
        kind = {"type": "integer" if action.type is int else "string"}
    if action.choices is not None:
        kind["enum"] = list(action.choices)
    return {**kind, "description": words} if words else kind


def command_of(tool: Tool, arguments: Mapping[str, Any], *, write: bool) -> tuple[list[str], bytes]:
    """The words of the command and what goes to its stdin. Raises `UsageError` for a key or a value that cannot be."""
    if tool.writes and not write:
        raise UsageError(f"{tool.name} writes, and this server only reads.", "Start it with: recollect mcp --write")
    keys = keys_of(tool, write=write)
    for key in arguments:
        if key not in keys:
            raise UsageError(f"{tool.name} takes no {key!r}.", _nearest(tool, key, keys, write=write))
    for key in schema_of(tool, write=write)["required"]:
        if arguments.get(key) in (None, ""):
            raise UsageError(f"{tool.name} needs {key!r}.", _STDIN.sub("", str(keys[key].help or "Give it a value.")))
    options: list[str] = []
    places: list[str] = []
    given = b""
    for key, action in keys.items():
        value = arguments.get(key)
        if value is None:
            continue
        if key == tool.stdin:
            given = _stdin(tool, key, value)
            words = [f"{action.option_strings[-1]}=-"] if action.option_strings else ["-"]
            (options if action.option_strings else places).extend(words)
        elif action.option_strings:
            options += _option(tool, key, action, value)
        else:
            places.append(_text(tool, key, value))
    return [*tool.words, *options, "--json", *(() if write else tool.dry), "--", *places], given


def _stdin(tool: Tool, key: str, value: object) -> bytes:
    """What goes to the command's stdin: a text, or a document as an object or as its text."""
    if not isinstance(value, dict if tool.is_document else str) and not isinstance(value, str):
        raise UsageError(f"{tool.name}: {key} is {'an object' if tool.is_document else 'a text'}.", "")
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "replace")


def _option(tool: Tool, key: str, action: argparse.Action, value: object) -> Iterator[str]:
    name = action.option_strings[-1]
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise UsageError(f"{tool.name}: {key} is true or false.", "")
        if value:
            yield name
    elif isinstance(action, argparse._AppendAction):
        if not isinstance(value, list):
            raise UsageError(f"{tool.name}: {key} is a list of texts.", "")
        yield from (f"{name}={_text(tool, key, each)}" for each in value)
    elif action.type is int:
        yield f"{name}={_whole(tool, key, value)}"
    else:
        yield f"{name}={_text(tool, key, value)}"


def _whole(tool: Tool, key: str, value: object) -> int:
    """A whole number, also as JSON may write one: 700.0, or its digits in quotes."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,15}", value.strip()):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 10**15:
        raise UsageError(f"{tool.name}: {key} is a whole number.", "")
    return value


def _text(tool: Tool, key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or "\0" in str(value):
        raise UsageError(f"{tool.name}: {key} is a text or a number.", "")
    text = str(value)
    if (size := len(text.encode("utf-8", "replace"))) > MOST_BYTES:
        raise UsageError(f"{tool.name}: {key} has {size:,} bytes; {MOST_BYTES:,} at most.", "Give a part of it.")
    if text.strip() == "-":
        raise UsageError(f"{tool.name}: {key} cannot be “-”.", "A tool has no stdin: give the value itself.")
    return text


def _nearest(tool: Tool, key: str, keys: Mapping[str, object], *, write: bool) -> str:
    if not write and key in tool.writing:
        return "It writes; start the server with: recollect mcp --write"
    near = difflib.get_close_matches(key, keys, 1)
    return f"Did you mean {near[0]!r}?" if near else f"It takes: {', '.join(keys)}."
