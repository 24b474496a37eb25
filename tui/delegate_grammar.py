"""The command lines of `recollect delegate|debrief|delegations|calibration|where`. Importing them costs argparse alone."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

DELEGATION: dict[str, str] = {
    "delegate": "a grounded packet for a worker who was not there: anchors, past sessions, memory, dependents, duties",
    "debrief": "compare what a worker touched with the packet, and teach memory",
    "delegations": "the delegations that are live, debriefed or expired, or one packet again",
    "calibration": "how packets fit what happened: counts, and numbers from 30 clean debriefs on",
    "where": "the project and commit that a packet of this folder is bound to",
}
"""The commands of delegation with their help."""


def delegation_grammar(p: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add the options to the parsers of the five commands."""
    for name in DELEGATION:
        p[name].add_argument("--json", action="store_true", help="one JSON object on stdout, diagnostics on stderr")
    for name in ("delegate", "debrief", "where"):
        p[name].add_argument("--project", default="", metavar="DIR", help="the project's folder (default: here)")
    _delegate(p["delegate"])
    _debrief(p["debrief"])
    listed = p["delegations"]
    listed.add_argument(
        "id", nargs="?", default="", metavar="ID", help="print this packet again (or its beginning or end)"
    )
    listed.add_argument("--all", action="store_true", help="debriefed and expired ones too (default: live ones)")


def _delegate(delegate: argparse.ArgumentParser) -> None:
    delegate.add_argument("task", nargs="+", metavar="TASK", help="what is to be done, or - for stdin")
    delegate.add_argument("--agent", default="", metavar="NAME", help="who delegates (default: your user name)")
    delegate.add_argument(
        "--scope", action="append", default=[], metavar="PATH",
        help="where the worker may touch: a file, a folder or a glob (repeatable; default: what the task activates)",
    )  # fmt: skip
    delegate.add_argument(
        "--seed", action="append", default=[], metavar="NAME", help="a file or symbol that it is about (repeatable)"
    )
    delegate.add_argument(
        "--must-not-touch", action="append", default=[], metavar="PATH", help="where the worker must not (repeatable)"
    )
    delegate.add_argument("--budget", type=int, default=None, metavar="TOKENS", help="at most 8000 (default 2000)")
    delegate.add_argument(
        "--max-nodes", type=int, default=None, metavar="N", help="anchors, and dependents, at most (default 40)"
    )
    delegate.add_argument("--hint", default="", metavar="TEXT", help="one sentence for the worker")
    delegate.add_argument("--output", "-o", default="", metavar="FILE", help="write the packet here; never overwrites")
    delegate.add_argument("--dry-run", action="store_true", help="print the packet and record nothing")
    delegate.add_argument("--root", action="append", default=[], metavar="DIR", help="read this root only (repeatable)")


def _debrief(debrief: argparse.ArgumentParser) -> None:
    debrief.add_argument("id", metavar="ID", help="the delegation's id, or its beginning or end")
    debrief.add_argument("--grader", required=True, metavar="NAME", help="who grades")
    debrief.add_argument("--outcome", required=True, metavar="HOW", help="success, failure or partial")
    debrief.add_argument("--worker", default="", metavar="NAME", help="who did the work (default: the grader)")
    debrief.add_argument(
        "--command", dest="proof", default="", metavar="TEXT", help="the command that shows how it went"
    )
    debrief.add_argument("--exit-status", type=int, default=None, metavar="N", help="how that command ended")
    debrief.add_argument(
        "--finding",
        action="append",
        default=[],
        metavar="TEXT",
        help="a lasting discovery, kept in memory (repeatable)",
    )
    debrief.add_argument(
        "--report",
        default="",
        metavar="FILE",
        help="the worker's last message, or - for stdin; it is read for deviations",
    )
    given = debrief.add_mutually_exclusive_group()
    given.add_argument("--range", default="", metavar="A..B", help="touched: these commits (default: since the packet)")
    given.add_argument(
        "--diff", default="", metavar="FILE", help="touched: the files of the diff in this file, or - for stdin"
    )
    given.add_argument(
        "--touched", action="append", default=None, metavar="PATH", help="touched: this path (repeatable)"
    )
    given.add_argument("--touched-none", action="store_true", help="touched: nothing")
    given.add_argument(
        "--session",
        default="",
        metavar="ID|PATH",
        help="touched: what a session's tool calls changed; its last words report",
    )
    debrief.add_argument("--root", action="append", default=[], metavar="DIR", help="read this root only (repeatable)")
    debrief.add_argument("--regrade", action="store_true", help="grade again; takes the place of its row")
    debrief.add_argument("--dry-run", action="store_true", help="grade, teach nothing and record nothing")
