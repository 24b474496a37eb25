"""The command line of `recollect curate`. Importing it costs argparse and nothing else."""

from __future__ import annotations

import argparse

CURATE: dict[str, str] = {
    "list": "the work list: stale and superseded claims, and what was decided on them",
    "prune": "decide that a claim goes, with why and where it went",
    "decline": "say what was looked at and left as it is, with why",
    "keep": "give your own reason for a claim that stays stale",
    "back": "take a decision back",
    "show": "the exact difference, the report, and with --grader the seat-check; nothing is written",
    "drop": "give up every decision that was not applied",
    "check": "hold a curator's report against every rule, as its grader",
    "apply": "write the pruned document, if the seat-check passes, and hand its claims to memory",
    "undo": "bring the document back as it was, byte for byte",
    "log": "every curation of this project",
}
"""The verbs of `recollect curate`."""


def curate_grammar(parser: argparse.ArgumentParser) -> None:
    """Add the verbs to the parser of `recollect curate`."""
    sub = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=type(parser))
    p = {
        name: sub.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        for name, text in CURATE.items()
    }
    for name, verb in p.items():
        verb.add_argument("--project", default="", metavar="DIR", help="the project's folder (default: here)")
        verb.add_argument("--json", action="store_true", help="one JSON object on stdout, diagnostics on stderr")
        if name not in ("check", "log"):
            verb.add_argument("--soul", default="", metavar="PATH", help="the document (default: PATHOS.md)")
    for name in ("prune", "decline"):
        p[name].add_argument("--by", required=True, metavar="ID", help="who curates: host:tier:name")
        p[name].add_argument("--why", required=True, metavar="TEXT", help="why")
    p["prune"].add_argument(
        "--line", type=int, action="append", required=True, metavar="N", help="a line of the claim (repeatable)"
    )
    p["prune"].add_argument(
        "--where", required=True, metavar="TEXT", help="where it went: memory, another document, git history, gone"
    )
    for name in ("decline", "keep"):
        p[name].add_argument("--claim", required=True, metavar="TEXT", help="the claim's words")
    p["keep"].add_argument("--reason", required=True, metavar="TEXT", help="why it stays stale")
    which = p["back"].add_mutually_exclusive_group(required=True)
    which.add_argument("--line", type=int, metavar="N", help="the first line of a claim that was to go")
    which.add_argument("--claim", metavar="TEXT", help="the words of a claim that was declined or kept")
    p["show"].add_argument("--grader", default="", metavar="ID", help="who grades: not the curator")
    p["check"].add_argument("report", metavar="REPORT", help="the report as JSON, or - for stdin")
    p["check"].add_argument("--grader", required=True, metavar="ID", help="who grades: host:tier:name")
    p["check"].add_argument("--before", default="", metavar="FILE", help="the document before the curation")
    p["check"].add_argument("--after", default="", metavar="FILE", help="the document after it")
    p["check"].add_argument(
        "--rerun", default="", metavar="PATH", help="the project's document: check it again and compare receipts"
    )
    p["apply"].add_argument("--grader", required=True, metavar="ID", help="who grades: not the curator")
    p["apply"].add_argument(
        "--commit", action="store_true", help="commit the document, with the receipt in the message"
    )
    p["undo"].add_argument("id", nargs="?", default="", metavar="ID", help="a curation (default: the last applied)")
    p["undo"].add_argument("--by", default="", metavar="ID", help="who undoes it (default: the curator)")
