"""The documents say what the program does, and the other way round."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from core.recall.answers import Act, read_answer
from core.recall.filters import FILTER_WORDS
from core.settings import RUNTIMES, THEMES
from tests.docs_settings import settings_markdown
from tests.guide import examples
from tests.pictures import FOLDER, pictures
from tui.keys import keys_markdown
from tui.parser import COMMANDS, app_parser, build_parser
from tui.themes import NAMES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def without_outputs(text: str) -> str:
    """A document without what its examples print: those lines are held to what the commands print, by running them."""
    return re.sub(
        r"```console\n(.*?)```",
        lambda block: "\n".join(f"$ {example.command}" for example in examples(f"```console\n{block[1]}```")),
        text,
        flags=re.DOTALL,
    )


def options() -> set[str]:
    """Every option of every command and of every verb below it."""
    found: set[str] = set()
    waiting: list[argparse.ArgumentParser] = [app_parser(), build_parser()]
    while waiting:
        parser = waiting.pop()
        found |= set(parser._option_string_actions)
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                waiting.extend(action.choices.values())
    return found


def test_the_readme_begins_with_the_two_commands_and_a_picture() -> None:
    head = README.split("```sh\n", 1)[1].split("```", 1)
    commands = [line.split()[:2] for line in head[0].strip().splitlines()]
    assert commands == [["make", "run"], ["make", "test"]]
    assert README.index("```sh") < 40
    picture = re.search(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert picture
    assert (ROOT / picture[1]).is_file()
    assert README.index(picture[0]) < 250


def test_the_make_targets_of_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for document in DOCUMENTS:
        named = set(re.findall(r"`make ([a-z]+)`|^make ([a-z]+)", document.read_text(encoding="utf-8"), re.MULTILINE))
        assert {a or b for a, b in named} <= targets


def test_every_command_is_documented_and_every_documented_one_exists() -> None:
    named = set(re.findall(r"`(?:\.venv/bin/)?recollect ([a-z]+)", README)) | set(
        re.findall(r"`([a-z]+)`(?:,| \|)", README)
    )
    assert set(COMMANDS) <= named | {"doctor"}
    for document in DOCUMENTS:
        text = without_outputs(document.read_text(encoding="utf-8"))
        for command in re.findall(r"(?:`|\$ |\.venv/bin/)recollect ([a-z]+)(?=[ `\n])", text):
            assert command in COMMANDS, (document.name, command)


def test_every_option_of_the_documents_exists() -> None:
    known = options() | {"--help"}
    for document in DOCUMENTS:
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", without_outputs(document.read_text(encoding="utf-8"))):
            assert option in known, (document.name, option)


def test_the_filter_words_are_those_of_the_code() -> None:
    line = README.split("## Words with a meaning in a cue", 1)[1].split("\n## ", 1)[0]
    assert set(re.findall(r"`([a-z]+:)", line)) == set(FILTER_WORDS)


def test_what_the_readme_says_of_your_turns_is_so() -> None:
    rows = dict(re.findall(r"^\| `([^`]+)`[^|]*\| ([^|]+) \|$", README, re.MULTILINE))
    acts = {
        "that's it": Act.IDENTIFY,
        "not that one": Act.CORRECT,
        "earlier": Act.CORRECT,
        "it was in Codex": Act.CORRECT,
        "only the part about the budget": Act.NARROW,
        "the second one": Act.PICK,
        "search wider": Act.ACCEPT,
        "stop": Act.STOP,
    }
    for said, act in acts.items():
        assert said in rows
        assert read_answer(said, presented=True, offered=False).act is act


def test_links_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert "://" in target or (document.parent / target).exists(), (document.name, target)


def test_the_keys_document_is_current() -> None:
    """`make pictures` writes it."""
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == keys_markdown()


def test_the_settings_document_is_current() -> None:
    """`make pictures` writes it."""
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == settings_markdown()


def test_the_walkthrough_runs_to_its_end_and_its_pictures_are_current() -> None:
    """A person sees in the README what the app shows today; `make pictures` takes them anew."""
    taken = pictures()
    assert {p.name for p in FOLDER.glob("*.svg")} == set(taken)
    stale = [name for name, svg in taken.items() if (FOLDER / name).read_text(encoding="utf-8") != svg]
    assert stale == [], "run: make pictures"


def test_every_theme_of_the_settings_is_one_of_the_app() -> None:
    assert {f"recollect-{name}" for name in THEMES if name != "auto"} == set(NAMES)


@pytest.mark.parametrize("names", [RUNTIMES, THEMES])
def test_the_settings_document_names_every_value(names: tuple[str, ...]) -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for name in names:
        assert f"`{name}`" in text
