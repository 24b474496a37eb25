"""The command line's grammar. Importing it costs argparse and nothing else."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from core.errors import UsageError
from tui.curate_grammar import curate_grammar
from tui.delegate_grammar import DELEGATION, delegation_grammar
from tui.memory_grammar import memory_grammar
from tui.settings_grammar import settings_grammar
from tui.soul_grammar import soul_grammar

COMMANDS: dict[str, str] = {
    "recall": "the dialogue, scripted: a cue, then each --say is your next turn",
    "search": "candidates for a query; - reads one query a line",
    "show": "a record, or the turns around one of its lines",
    "list": "every record by the date of its last word, newest first",
    "status": "what is read and indexed, per root, and what is about to be deleted by its runtime",
    "doctor": "what is wrong, and how to mend it",
    "settings": "every setting with its value and where it comes from; set or unset one",
    "index": "bring the index up to date (search and recall do it themselves)",
    "resume": "go on with a session in its own runtime",
    "export": "write a record as Markdown, JSON or HTML, secrets masked",
    "soul": "the project's handoff document: check its claims, read it, keep receipts of commands",
    "memory": "durable claims: keep, find, change, forget and restore them; be or check the owner of a shared memory",
    "curate": "prune the handoff document by hand, graded by somebody else, with undo",
    **DELEGATION,
    "demo": "try everything on a small made-up archive",
    "schema": "print the JSON Schema of a document",
    "mcp": "serve the same verbs to an agent over stdio (Model Context Protocol)",
    "completion": "print the script that completes commands in bash, zsh or fish",
}
"""Every command with its help, in the order in which help lists them."""
OTHERWISE = 80
"""Columns of help where there is no terminal."""


class Help(argparse.HelpFormatter):
    """Help as wide as the terminal. One is made for every option of every command, which need not load `shutil` (3 ms)."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns(os.environ) - 2)


def columns(env: Mapping[str, str]) -> int:
    """Columns of the terminal, 80 where there is none: what `shutil.get_terminal_size` says."""
    try:
        wide = int(env.get("COLUMNS", ""))
    except ValueError:
        wide = 0
    if wide > 0:
        return wide
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or OTHERWISE  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return OTHERWISE  # none, closed, or no terminal


class Parser(argparse.ArgumentParser):
    """Reports bad usage as an error with a hint, like everything else."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": Help, **options})

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing and leaving."""
        command = self.prog.partition(" ")[2]  # the program's own name stands before every problem
        raise UsageError(f"{command}: {message}." if command else f"{message}.", f"Run: {self.prog} --help")

    def parse_args(self, args: Sequence[str], namespace: None = None) -> argparse.Namespace:  # type: ignore[override]
        """Read the arguments. What a command does not take is told of that command, not of the program."""
        found, rest = self.parse_known_args(args, namespace)
        if not rest:
            return found
        asked = self
        for word in args:
            below = [a.choices for a in asked._actions if isinstance(a, argparse._SubParsersAction)]
            asked = below[0].get(word, asked) if below else asked
        command = asked.prog.partition(" ")[2] or "this"
        raise UsageError(f"{command} does not take {' '.join(rest)}.", f"Run: {asked.prog} --help")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> object:
        """Argparse drops `--` from an option's own value (`--say=--`) and then stores a list; that is bad usage."""
        if action.option_strings and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: “--” is no value")
        value: object = super()._get_values(action, arg_strings)
        return value


def _common(parser: argparse.ArgumentParser, *, json: bool = True) -> None:
    if json:
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout, diagnostics on stderr")
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="read this root only (repeatable)")


def _project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--project", nargs="?", const=".", default="", metavar="DIR", help="only this project (default: here)"
    )


def build_parser(only: str = "", *, options: bool = True) -> argparse.ArgumentParser:
    """The parser of `recollect COMMAND …`; with `only`, of that command: making all of them takes 0.02 s. Without `options`
    it knows the commands alone, which is what the help of the program shows."""
    parser = Parser(
        prog="recollect",
        description="Recall your past coding-agent sessions: say what you half remember, get the session's own story.",
        epilog="recollect WORDS… opens the app on these words; recollect without words opens it empty. "
        "It takes --plain (the dialogue as plain lines), --no-mouse (the terminal keeps the mouse), --exec (a resumed "
        "runtime takes the place of the app), --project [DIR] (only this project) and --root DIR (only this root). "
        'Words in a cue: agent: dir: project: branch: date: role: tool: file: is: id: -word "phrase".',
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    sub = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    p = {
        name: sub.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        for name, text in COMMANDS.items()
        if not only or name in _together(only)
    }
    for grammar, names in _GRAMMARS.items() if options else ():
        if names[0] in p:
            grammar(p)
    return parser


def _upkeep(p: Mapping[str, argparse.ArgumentParser]) -> None:
    for name in ("status", "doctor", "index"):
        _common(p[name])
    index = p["index"]
    index.add_argument("--rebuild", action="store_true", help="build it anew")
    index.add_argument("--watch", action="store_true", help="go on, and take in what changes")
    index.add_argument("--meanings", action="store_true", help="then read what records mean, at low priority")
    index.add_argument("--progress-json", action="store_true", help="one JSON object of progress a line on stdout")


def _trying(p: Mapping[str, argparse.ArgumentParser]) -> None:
    demo = p["demo"]
    demo.add_argument("--plain", action="store_true", help="the dialogue as plain lines")
    demo.add_argument("--print-home", action="store_true", help="write the demo's home folder, print it and keep it")
    demo.add_argument(
        "--walkthrough", action="store_true", help="a guided tour through all five places, under four minutes"
    )
    demo.add_argument("cue", nargs="*", metavar="CUE", help="what you half remember")
    p["schema"].add_argument("name", nargs="?", default="", metavar="NAME", help="without a name: the names")
    p["mcp"].add_argument("--write", action="store_true", help="let agents keep claims, delegate and debrief")
    p["completion"].add_argument(
        "shell",
        metavar="SHELL",
        help="bash, zsh or fish. Keep what is printed where the shell looks: "
        "~/.local/share/bash-completion/completions/recollect, _recollect in a folder of $fpath, "
        "~/.config/fish/completions/recollect.fish",
    )


def _recalling(p: Mapping[str, argparse.ArgumentParser]) -> None:
    recall = p["recall"]
    recall.add_argument("cue", nargs="+", metavar="CUE", help="what you half remember")
    recall.add_argument("--say", action="append", default=[], metavar="TEXT", help="your next turn (repeatable)")
    recall.add_argument(
        "--keep", action="store_true", help="keep what was identified in memory, with the story's cites as its evidence"
    )
    recall.add_argument("--plain", action="store_true", help="the dialogue as plain lines (the default)")
    _project(recall)
    _common(recall)
    search = p["search"]
    search.add_argument("query", nargs="*", metavar="QUERY", help="the query, or - for one a line on stdin")
    search.add_argument("--limit", type=int, default=10, metavar="N", help="candidates at most (default 10)")
    search.add_argument("--scan", action="store_true", help="read whole records too: tool input, output, thinking")
    _project(search)
    _common(search)


def _records(p: Mapping[str, argparse.ArgumentParser]) -> None:
    show = p["show"]
    show.add_argument("record", metavar="ID|PATH[:LINE]", help="a session id (or its beginning), or a record's path")
    show.add_argument("--context", type=int, default=6, metavar="N", help="lines around LINE (default 6)")
    show.add_argument("--full", action="store_true", help="do not fold tool output")
    _common(show)
    lst = p["list"]
    lst.add_argument("--limit", type=int, default=0, metavar="N", help="records at most (default: all)")
    lst.add_argument("--all", action="store_true", help="subagents, reviews and sessions of programs too")
    _project(lst)
    _common(lst)
    resume = p["resume"]
    resume.add_argument("id", metavar="ID", help="a session id or its beginning")
    resume.add_argument("--print", action="store_true", dest="print_only", help="print the command, run nothing")
    _common(resume)
    export = p["export"]
    export.add_argument("id", metavar="ID|PATH", help="a session id (or its beginning), or a record's path")
    export.add_argument("--format", choices=("md", "json", "html"), default="md", help="default md")
    export.add_argument(
        "--output", "-o", default="", metavar="FILE", help="write here instead of stdout; never overwrites"
    )
    export.add_argument("--redact-report", action="store_true", help="say which lines had secrets masked, and how many")
    _common(export, json=False)


_GRAMMARS: Mapping[Callable[[Mapping[str, argparse.ArgumentParser]], None], tuple[str, ...]] = {
    _recalling: ("recall", "search"),
    _records: ("show", "list", "resume", "export"),
    _upkeep: ("status", "doctor", "index"),
    lambda p: settings_grammar(p["settings"]): ("settings",),
    lambda p: soul_grammar(p["soul"]): ("soul",),
    lambda p: curate_grammar(p["curate"]): ("curate",),
    lambda p: memory_grammar(p["memory"]): ("memory",),
    delegation_grammar: tuple(DELEGATION),
    _trying: ("demo", "schema", "mcp", "completion"),
}
"""What adds the options of which commands."""


def _together(command: str) -> tuple[str, ...]:
    """The commands whose options are added together with this one's."""
    return next(names for names in _GRAMMARS.values() if command in names)


def app_parser() -> argparse.ArgumentParser:
    """The parser of `recollect [OPTIONS] [CUE…]`, the app."""
    parser = Parser(prog="recollect", add_help=False)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--no-mouse", action="store_true")
    parser.add_argument("--exec", action="store_true")
    parser.add_argument("cue", nargs="*")
    _project(parser)
    _common(parser, json=False)
    return parser
