"""The scripts that complete commands in shells: the grammar's own words, and what an argument takes that is no option.

shtab makes the scripts of the grammar. An argument that names a file or a folder says so by its name in the help; settings,
their values and the names of documents are told to the shell here.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from core.settings_table import SETTINGS, Kind
from tui.keys import TABLE
from tui.parser import build_parser

SHELLS = ("bash", "zsh", "fish")
"""Shells whose completion can be printed."""
_FOLDERS = frozenset(("DIR",))
_FILES = frozenset(("FILE", "PATH", "REPORT", "STORE", "ID|PATH", "ID|PATH[:LINE]"))
"""Names of arguments, in the help, that stand for a folder or a file."""


def script(shell: str) -> str:
    """The script for one of `SHELLS`."""
    import shtab

    parser = build_parser()
    for command, action in _arguments(parser, ()):
        told = _complete(command, action, shtab.FILE, shtab.DIRECTORY)
        if told is not None:
            action.complete = told  # type: ignore[attr-defined]  # shtab reads it there
    return str(shtab.complete(parser, shell=shell))


def setting_names() -> tuple[str, ...]:
    """Every setting as it is set: `app.theme`, and `keys.` with the id of each action."""
    own = tuple(row.name for row in SETTINGS if row.key != "*")
    return (*own, *dict.fromkeys(f"keys.{row.id}" for row in TABLE))


def setting_values() -> dict[str, tuple[str, ...]]:
    """The answers of each setting that takes one of a few."""
    flags = {row.name: ("true", "false") for row in SETTINGS if row.kind is Kind.FLAG}
    return {row.name: row.allowed for row in SETTINGS if row.allowed} | flags


def _arguments(
    parser: argparse.ArgumentParser, command: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], argparse.Action]]:
    """Each argument of each command, with the words of the command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from _arguments(below, (*command, word))
        else:
            yield command, action


def _complete(command: tuple[str, ...], action: argparse.Action, file: Any, folder: Any) -> Any:
    """What a shell is told of an argument, as shtab takes it; `None` for nothing."""
    if command[:1] == ("settings",) and action.dest == "key":
        return _words("_recollect_setting", setting_names())
    if command == ("settings", "set") and action.dest == "value":
        return _words_by_last("_recollect_setting_value", setting_values())
    if command[:1] == ("memory",) and action.dest in ("kind", "tier"):
        from core.memory.claim import KINDS, Tier

        kind = action.dest == "kind"
        return _words(f"_recollect_{action.dest}", KINDS if kind else tuple(tier.value for tier in Tier))
    if command == ("completion",) and action.dest == "shell":
        return _words("_recollect_shell", SHELLS)
    if command == ("schema",) and action.dest == "name":
        from tui.verbs.schemas import schemas

        return _words("_recollect_document", tuple(schemas()))
    if action.metavar in _FOLDERS:
        return folder
    return file if action.metavar in _FILES else None


def _words(name: str, words: tuple[str, ...]) -> Mapping[str, object]:
    """A fixed list of words."""
    listed = " ".join(words)
    return {
        "bash": name,
        "zsh": name,
        "fish": listed,
        "preamble": {
            "bash": f'{name}() {{\n  compgen -W "{listed}" -- "$1"\n}}\n',
            "zsh": f"{name}() {{\n  compadd -- {listed}\n}}\n",
        },
    }


def _words_by_last(name: str, words: Mapping[str, tuple[str, ...]]) -> Mapping[str, object]:
    """A list of words for each word that may stand before the one that is typed."""
    answers = {before: " ".join(each) for before, each in words.items()}
    bash = "".join(f'    {before}) compgen -W "{each}" -- "$1" ;;\n' for before, each in answers.items())
    zsh = "".join(f"    {before}) compadd -- {each} ;;\n" for before, each in answers.items())
    fish = "".join(f"    case {before}\n      string split ' ' '{each}'\n" for before, each in answers.items())
    return {
        "bash": name,
        "zsh": name,
        "fish": f"({name})",
        "preamble": {
            "bash": f'{name}() {{\n  case "${{COMP_WORDS[COMP_CWORD-1]}}" in\n{bash}  esac\n}}\n',
            "zsh": f'{name}() {{\n  case "${{words[CURRENT-1]}}" in\n{zsh}  esac\n}}\n',
            "fish": f"function {name}\n  switch (commandline -opc)[-1]\n{fish}  end\nend\n",
        },
    }
