"""The command line of `recollect soul`. Importing it costs argparse and nothing else."""

from __future__ import annotations

import argparse

SOUL: dict[str, str] = {
    "check": "verify every claim against files, git, symbols and receipts",
    "read": "print the document, whole or by section",
    "watch": "check again whenever the document or the project changes",
    "claims": "list the claims and what each cites, nothing checked",
    "receipt": "run a command and keep its result as a receipt; without a command, list the receipts",
}
"""The verbs of `recollect soul`."""
_PATH = "the handoff document (default: docs/PATHOS.md, then PATHOS.md)"


def soul_grammar(parser: argparse.ArgumentParser) -> None:
    """Add the verbs to the parser of `recollect soul`; without one, the app opens on the place Soul."""
    parser.epilog = "Without a verb, on a terminal, the app opens on the place Soul."
    parser.add_argument(
        "--project", default="", metavar="DIR", dest="place_project", help="the project's folder (default: here)"
    )
    parser.add_argument("--document", default="", metavar="PATH", help=f"without a verb: {_PATH}")
    sub = parser.add_subparsers(dest="verb", metavar="VERB", required=False, parser_class=type(parser))
    p = {
        name: sub.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        for name, text in SOUL.items()
    }
    for name in ("check", "read", "watch", "claims"):
        p[name].add_argument("path", nargs="?", default="", metavar="PATH", help=_PATH)
    for verb in p.values():
        verb.add_argument("--project", default="", metavar="DIR", help="the project's folder (default: here)")
        verb.add_argument("--json", action="store_true", help="one JSON object on stdout, diagnostics on stderr")
    check = p["check"]
    check.add_argument(
        "--format", choices=("text", "json", "github", "sarif", "junit"), default="text", help="default text"
    )
    check.add_argument(
        "--fail-on",
        choices=("stale", "priced", "never"),
        default="never",
        help="exit 1 if anything is stale or contradicted (stale), or could not be decided either (priced); default never",
    )
    check.add_argument("--all", action="store_true", help="list fresh and declared claims too")
    check.add_argument("--by", default="", metavar="ID", help="who checks, kept in the report")
    p["read"].add_argument("--section", default="", metavar="TEXT", help="only sections whose heading contains this")
    p["receipt"].add_argument("argv", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the command to run")
