"""The interface's document is current, and tells of every command, document, tool, exit code and variable there is."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import RecollectError
from tests.docs_interface import EXIT_CODES, PRINTED_BY, VARIABLES, interface_markdown
from tui.mcp.tools import TOOLS
from tui.parser import COMMANDS, build_parser
from tui.verbs.schemas import schemas

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "interface.md").read_text(encoding="utf-8")


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of a command with its verb."""
    parser = build_parser(command.split()[0])
    for word in command.split():
        parser = next(a.choices for a in parser._actions if isinstance(a, argparse._SubParsersAction))[word]
    return parser


def commands() -> Iterator[str]:
    """Every command, and every verb of those that have some."""
    for name in COMMANDS:
        yield name
        for action in parser_of(name)._actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from (f"{name} {verb}" for verb in action.choices)


def test_the_interface_document_is_current() -> None:
    """`make pictures` writes it."""
    assert interface_markdown() == TEXT, "run: make pictures"


def test_every_command_has_its_options_there() -> None:
    for command in commands():
        part = re.split(r"\n#{3,4} ", TEXT.split(f" `recollect {command}`\n", 1)[1], maxsplit=1)[0]
        parser = parser_of(command)
        assert str(parser.description) in part
        for option in parser._option_string_actions:
            assert option in ("-h", "--help") or option in part, (command, option)


def test_every_document_is_printed_by_a_command_that_has_it() -> None:
    assert set(PRINTED_BY) == set(schemas()), "tests/docs_interface.py: name the commands that print it"
    for name, printing in PRINTED_BY.items():
        for command in printing:
            words, _, form = command.partition(" --format ")
            options = parser_of(words)._option_string_actions
            assert form in (options["--format"].choices or ()) if form else "--json" in options, (name, command)
            assert f"`recollect {command}`" in TEXT
    silent = {c for c in commands() if "--json" in parser_of(c)._option_string_actions}
    assert silent == {command for printing in PRINTED_BY.values() for command in printing if " --" not in command}


def test_every_key_of_a_document_is_there() -> None:
    def keys(schema: object) -> Iterator[str]:
        if isinstance(schema, dict):
            yield from schema.get("properties", {})
            for value in schema.values():
                yield from keys(value)
        elif isinstance(schema, list):
            for value in schema:
                yield from keys(value)

    for name, schema in schemas().items():
        part = TEXT.split(f"### `{name}`\n", 1)[1].split("\n### ", 1)[0].split("\n## ", 1)[0]
        missing = {key for key in keys(schema) if key != "schema" and f"`{key}`" not in part}
        assert not missing, (name, missing)


def test_every_tool_is_there() -> None:
    for tool in TOOLS:
        assert f"### `{tool.name}`\n\n{tool.about}" in TEXT


def test_every_exit_code_of_an_error_is_told_of() -> None:
    waiting, found = [RecollectError], set()
    while waiting:
        error = waiting.pop()
        found.add(error.exit_code)
        waiting += error.__subclasses__()
    assert found <= set(EXIT_CODES)
    readme = (ROOT / "README.md").read_text(encoding="utf-8").split("Exit codes: ", 1)[1].split("\n\n", 1)[0]
    assert {int(n) for n in re.findall(r"\b\d+\b", readme)} == set(EXIT_CODES)


def test_every_variable_that_is_read_is_told_of() -> None:
    """Names in capitals beside an environment, and the runtimes' own, which stand in their adapters as constants."""
    read = re.compile(r"""(?:env|environ)(?:\.get\(|\[)["']([A-Z][A-Z_]+)["']""")
    shaped = re.compile(r"""["']([A-Z][A-Z0-9]*_(?:[A-Z]+_)*(?:HOME|DIRS?|DATA|URL|TOKEN))["']""")
    own = {"PATH", "HOME", "PYTHONDONTWRITEBYTECODE", "ANDROID_DATA"}
    found: set[str] = set()
    for path in (p for package in ("core", "tui", "indexes") for p in (ROOT / package).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        found |= set(read.findall(source)) | set(shaped.findall(source))
    assert {name for name in found - own if not name.startswith("GIT_")} <= set(VARIABLES)
    unread = set(VARIABLES) - found
    assert unread == {"NO_COLOR"}, "NO_COLOR is read by Textual; anything else that is told of is read here"


@pytest.mark.parametrize("name", ["where", "soul-check", "seat-check"])
def test_a_schema_may_be_asked_for_by_its_short_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from tui.cli import main

    assert main(["schema", name]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == f"recollect-{name}-v1"
