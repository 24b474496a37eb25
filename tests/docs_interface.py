"""`docs/interface.md`, made from the grammar of the commands, the schemas, the tools and the exit codes of the code.

`make pictures` writes it; a test checks that it is current.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from core.errors import SurroundingsError, UsageError
from core.memory.sink import NotPersisted
from tui.cli import CRASHED, INTERRUPTED
from tui.mcp.tools import TOOLS, schema_of
from tui.parser import COMMANDS, app_parser, build_parser
from tui.verbs.schemas import schemas

EXIT_CODES: dict[int, str] = {
    0: "found, or done",
    1: "nothing: no candidate, no session identified, a gate that does not pass",
    UsageError.exit_code: "bad input: a command line, a setting or a document that cannot be read",
    SurroundingsError.exit_code: "something around it is missing: no repository, no handoff document, no runtime, no folder to write to",
    CRASHED: "the program broke; it says where, without any text of a session",
    NotPersisted.exit_code: "kept in the spool and not persisted yet (`write_not_persisted`)",
    INTERRUPTED: "interrupted",
}
"""Every exit code with what it means."""

PRINTED_BY: dict[str, tuple[str, ...]] = {
    "recollect-search-v1": ("search",),
    "recollect-list-v1": ("list",),
    "recollect-show-v1": ("show",),
    "recollect-export-v1": ("export --format json",),
    "recollect-resume-v1": ("resume",),
    "recollect-status-v1": ("status",),
    "recollect-index-v1": ("index",),
    "recollect-doctor-v1": ("doctor",),
    "recollect-settings-v1": ("settings",),
    "recollect-settings-change-v1": ("settings set", "settings unset"),
    "recollect-recall-v1": ("recall",),
    "recollect-soul-check-v1": ("soul check", "soul watch"),
    "recollect-soul-read-v1": ("soul read",),
    "recollect-soul-claims-v1": ("soul claims",),
    "recollect-soul-receipt-v1": ("soul receipt",),
    "recollect-soul-receipts-v1": ("soul receipt",),
    "recollect-seat-check-v1": ("curate check",),
    "recollect-curate-list-v1": ("curate list",),
    "recollect-curate-draft-v1": ("curate prune", "curate decline", "curate keep", "curate back"),
    "recollect-curate-drop-v1": ("curate drop",),
    "recollect-curate-preview-v1": ("curate show",),
    "recollect-curate-done-v1": ("curate apply", "curate undo"),
    "recollect-curate-log-v1": ("curate log",),
    "recollect-memory-write-v1": ("memory add", "memory change", "memory forget", "memory restore", "memory import"),
    "recollect-memory-list-v1": ("memory list",),
    "recollect-memory-show-v1": ("memory show",),
    "recollect-memory-status-v1": ("memory status",),
    "recollect-memory-drain-v1": ("memory drain",),
    "recollect-memory-export-v1": ("memory export",),
    "recollect-memory-serve-v1": ("memory serve",),
    "recollect-memory-contract-v1": ("memory contract",),
    "recollect-delegation-packet-v1": ("delegate", "delegations"),
    "recollect-delegation-debrief-v1": ("debrief",),
    "recollect-delegations-v1": ("delegations",),
    "recollect-delegation-calibration-v1": ("calibration",),
    "recollect-where-v1": ("where",),
}
"""Which commands print which document, with `--json` unless they say it otherwise."""

VARIABLES: dict[str, str] = {
    "RECOLLECT_HOME": "the folder for everything of its own: index, history, memory, state, settings",
    "RECOLLECT_MEMORY_URL": "the owner of a memory that a team shares, before the setting `memory.url`",
    "RECOLLECT_MEMORY_TOKEN": "the token for that owner",
    "CLAUDE_CONFIG_DIR": "roots of Claude Code, several separated as in PATH",
    "CLAUDE_CONFIG_DIRS": "the same",
    "CODEX_HOME": "the root of Codex",
    "COPILOT_HOME": "the root of Copilot CLI",
    "GEMINI_CLI_HOME": "the home below which Gemini CLI and Antigravity keep `.gemini`",
    "PI_CODING_AGENT_DIR": "the root of Pi",
    "PI_CODING_AGENT_SESSION_DIR": "the folder of Pi's sessions",
    "OPENCODE_DATA_DIR": "the root of OpenCode",
    "CRUSH_GLOBAL_DATA": "the root of Crush",
    "CURSOR_CONFIG_DIR": "the root of Cursor CLI",
    "KIMI_CODE_HOME": "the root of Kimi Code",
    "VIBE_HOME": "the root of Vibe",
    "AMP_DATA_DIR": "the root of Amp",
    "CLINE_DIR": "the root of Cline",
    "GROK_HOME": "the root of Grok Build",
    "XDG_CACHE_HOME": "where the index lies (`recollect` in it) without `RECOLLECT_HOME`",
    "XDG_CONFIG_HOME": "where the settings lie without `RECOLLECT_HOME`; where VS Code and its kin keep the storage of Cline, "
    "Roo Code and Kilo Code, and git its configuration",
    "XDG_DATA_HOME": "where memory, receipts and state lie without `RECOLLECT_HOME`; where OpenCode, Crush and Amp keep theirs",
    "VISUAL": "the editor that the app opens, before `EDITOR`",
    "EDITOR": "the editor that the app opens",
    "COLUMNS": "how wide the help is",
    "NO_COLOR": "no colours",
    "NO_MOTION": "nothing blinks, spins or slides",
    "TERM": "`dumb` or nothing: the dialogue in plain lines",
    "COLORTERM": "how many colours the terminal has",
    "TEXTUAL_COLOR_SYSTEM": "the same, decided by you",
    "TEXTUAL_ANIMATIONS": "`none`: the same as `NO_MOTION`",
    "DISPLAY": "with it, the clipboard's programs of X11 are used",
    "WAYLAND_DISPLAY": "with it, those of Wayland",
}
"""Every environment variable that a person may set for it."""

_HEAD = """# The machine interface

Made from the code: the grammar of the commands, the schemas of the documents, the tools of the server. `recollect COMMAND
--help` and `recollect schema NAME` print the same.

What holds for every command:

- `--json` prints one object on stdout, one a line where the input is a stream (`recollect search -`, `recollect soul watch`).
  Everything else goes to stderr.
- The keys of a document are always there; what is not known is `null`. More keys may come, none goes.
- Paths are absolute, lines count from 1, times are ISO 8601 in UTC. Texts are printable, secrets in them are masked.
- An error is one sentence on stderr, and a second one, `hint: …`, says what to do next.
"""


def interface_markdown() -> str:
    """The whole document."""
    parts = [_HEAD, *_codes(), *_commands(), *_documents(), *_tools(), *_variables()]
    return "\n".join(parts).rstrip() + "\n"


def _codes() -> Iterator[str]:
    yield "## Exit codes\n\n| code | meaning |\n|---|---|"
    yield from (f"| {code} | {meaning} |" for code, meaning in sorted(EXIT_CODES.items()))
    yield "\n`recollect soul receipt -- COMMAND` ends with the exit code of the command, with `--json` with 0.\n"


def _commands() -> Iterator[str]:
    yield "## Commands\n"
    yield "### `recollect [WORDS…]`\n\nThe app on these words; the dialogue in plain lines where there is no terminal.\n"
    yield from _arguments(app_parser())
    for name in COMMANDS:
        parser = _below(build_parser(name), name)
        yield f"### `recollect {name}`\n\n{parser.description}\n"
        yield from _arguments(parser)
        for verb, about in _verbs(parser).items():
            yield f"#### `recollect {name} {verb}`\n\n{about.description}\n"
            yield from _arguments(about)


def _below(parser: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    return _verbs(parser)[name]


def _verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers below this one, by their names."""
    return {
        name: below
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, below in action.choices.items()
    }


_APP = {
    "plain": "the dialogue as plain lines",
    "no_mouse": "the terminal keeps the mouse",
    "exec": "a resumed runtime takes the place of the app",
    "cue": "what you half remember",
}
"""The options of the app, which has no help of its own."""


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The table of what a parser takes."""
    rows = [
        f"| `{_usage(action)}` | {_cell(action.help or _APP.get(action.dest, ''))} |"
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
    ]
    if rows:
        yield "\n".join(["| argument | meaning |", "|---|---|", *rows]) + "\n"


def _usage(action: argparse.Action) -> str:
    value = str(action.metavar or action.dest.upper())
    if action.choices is not None:
        value = "\\|".join(map(str, action.choices))
    value = value.replace("|", "\\|") if "\\|" not in value else value
    if not action.option_strings:
        many = action.nargs in ("*", "+")
        return f"[{value}…]" if action.nargs == "*" else f"[{value}]" if action.nargs == "?" else value + "…" * many
    names = ", ".join(action.option_strings)
    if action.nargs == 0:
        return names
    return f"{names} [{value}]" if action.nargs == "?" else f"{names} {value}"


def _cell(text: str) -> str:
    return text.replace("%%", "%").replace("|", "\\|")


def _documents() -> Iterator[str]:
    yield "## Documents\n\nEvery object with its keys; `[]` in a name is each of a list, `?` may be `null`. Each has `schema`, its own name.\n"
    for name, schema in schemas().items():
        commands = " and ".join(f"`recollect {command}`" for command in PRINTED_BY[name])
        yield f"### `{name}`\n\nPrinted by {commands}.\n"
        yield from (f"- {place}{keys}" for place, keys in _objects(schema, ""))
        if "if" in schema:
            (key, value), *_ = schema["if"]["properties"].items()
            yield f"\nWhere `{key}` is {_kind(value)}, also:\n"
            yield from (f"- {place}{keys}" for place, keys in _objects(schema["then"], ""))
            yield "\nElsewhere, also:\n"
            yield from (f"- {place}{keys}" for place, keys in _objects(schema["else"], ""))
        yield ""


def _objects(schema: dict[str, Any], place: str) -> Iterator[tuple[str, str]]:
    """Each object of a schema: where it stands, and its keys with their kinds."""
    keys = {key: value for key, value in schema["properties"].items() if key != "schema"}
    told = ", ".join(f"`{key}` {_kind(value)}" for key, value in keys.items())
    yield (f"`{place}`: " if place else ""), told
    for key, value in keys.items():
        inner, mark = _inner(value)
        if inner.get("properties"):
            yield from _objects(inner, f"{place}.{key}{mark}".lstrip("."))


def _inner(schema: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """What stands inside lists and `null`s, and the mark of a list."""
    mark = ""
    while True:
        if "items" in schema:
            schema, mark = schema["items"], f"{mark}[]"
        elif "anyOf" in schema:
            schema = next(each for each in schema["anyOf"] if each != {"type": "null"})
        else:
            return schema, mark


_KINDS = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "object": "object",
    "array": "list",
}  # fmt: skip


def _kind(schema: dict[str, Any]) -> str:
    """The kind of a value in words."""
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return "one of " + " ".join("`null`" if value is None else f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        kinds = [_kind(each) for each in schema["anyOf"]]
        return " or ".join(k for k in kinds if k) + ("?" if "" in kinds else "")
    if "items" in schema:
        return f"list of {_kind(schema['items'])}"
    found = schema.get("type", "anything")
    kinds = found if isinstance(found, list) else [found]
    if "T" in schema.get("pattern", "") and "Z$" in schema["pattern"]:
        return "time?" if "null" in kinds else "time"
    words = " or ".join(_KINDS.get(kind, kind) for kind in kinds if kind != "null")
    return words + ("?" if words and "null" in kinds else "")


def _tools() -> Iterator[str]:
    yield (
        "## Tools of `recollect mcp`\n\nThe server speaks the Model Context Protocol over stdin and stdout, and answers what the command "
        "prints with `--json`. It\nonly reads unless started with `--write`; keys and tools that write are marked. Without it,"
        " `delegate` and `debrief` record nothing.\nA large answer is cut, and says by how much under `left_out`.\n"
    )
    for tool in TOOLS:
        marked = " Only with `--write`." if tool.writes else ""
        yield f"### `{tool.name}`\n\n{tool.about} It is `recollect {' '.join(tool.words)}`.{marked}\n"
        schema = schema_of(tool, write=True)
        rows = [
            f"| `{key}` | {_kind(value)} | {'yes' if key in schema['required'] else ''} |"
            f" {_cell(value.get('description', ''))}{' (only with `--write`)' if key in tool.writing else ''} |"
            for key, value in schema["properties"].items()
        ]
        yield "\n".join(["| key | kind | needed | meaning |", "|---|---|---|---|", *rows]) + "\n"


def _variables() -> Iterator[str]:
    yield "## Environment variables\n\n| variable | meaning |\n|---|---|"
    yield from (f"| `{name}` | {meaning} |" for name, meaning in VARIABLES.items())
