"""The command line of `recollect memory`. Importing it costs argparse and nothing else."""

from __future__ import annotations

import argparse

MEMORY: dict[str, str] = {
    "add": "keep a claim: its text, or - to read it from stdin; --from-recall keeps an identified recall with its cites",
    "list": "the claims that stand, newest first, or those that fit WORDS, best first; forks and what waits are told",
    "show": "one claim with its evidence and its history",
    "change": "write a claim that supersedes another; the original stays",
    "forget": "put a tombstone on a claim: lists hide it, the memory keeps it",
    "restore": "show a superseded or forgotten claim again",
    "drain": "take what waits in the spool to the owner",
    "status": "the owner, the spool, and what was set aside",
    "export": "write claims as Markdown files with YAML front matter, into a folder, or one to stdout",
    "import": "keep claims from such files; a claim that is held already changes nothing",
    "serve": "be the owner of a memory that a team shares, over HTTP",
    "contract": "check that an owner keeps its contract, with probes that no list ever holds",
}
"""The verbs of `recollect memory`."""

FIELDS: dict[str, tuple[str, str]] = {
    "label": ("TEXT", "what lists show (default: the first words of the text)"),
    "kind": ("KIND", "decision, fact, event, preference, rule, finding, lesson or question (default fact)"),
    "tier": ("TIER", "canonical, episodic or working: fades over 365, 90 or 30 days (default episodic)"),
    "salience": ("N", "how much it stands out, from 0 to 1 or in percent: 0.9, .9 or 90%% (default 0.5)"),
    "importance": ("N", "from 0 to 1 or in percent (default 0.5)"),
    "confidence": ("N", "how sure you are, from 0 to 1 or in percent (default: not said)"),
    "namespace": ("NAME", "which part of the memory it belongs to (default: default)"),
    "source_agent": ("NAME", "who says so (default: unknown)"),
    "created_at": ("TIME", "when it was so, in ISO 8601, as in 2026-01-31T12:00:00Z (default: now; unknown: say so)"),
    "updated_at": ("TIME", "when it was last seen to be so"),
    "soul_source": ("PATH#SECTION", "the soul document and section that it was pruned from"),
    "origin": ("NAME", "the memory it was born in (default: this one)"),
}
"""Fields of a claim that hold one value, with what help calls the value."""
LISTS: dict[str, tuple[str, str]] = {
    "tags": ("TAG", "a word to find it by (repeatable)"),
    "evidence": ("LOCATOR", "record:PATH:LINE, commit:SHA or file:PATH (repeatable)"),
    "depends_on": ("ID", "a claim that it rests on (repeatable)"),
    "supersedes": ("ID", "a claim that it takes the place of (repeatable)"),
}
"""Fields of a claim that hold several values."""


def option(field: str) -> str:
    """The option that sets a field: `soul_source` is `--soul-source`, one of `tags` is `--tag`."""
    return f"--{field.removesuffix('s') if field == 'tags' else field}".replace("_", "-")


def memory_grammar(parser: argparse.ArgumentParser) -> None:
    """Add the verbs to the parser of `recollect memory`."""
    sub = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=type(parser))
    p = {
        name: sub.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        for name, text in MEMORY.items()
    }
    for verb in p.values():
        verb.add_argument("--json", action="store_true", help="one JSON object on stdout, diagnostics on stderr")
    p["add"].add_argument("text", nargs="?", default="", metavar="TEXT", help="the claim, or - for stdin")
    p["add"].add_argument(
        "--from-recall", default="", metavar="FILE", help="what recollect recall --json printed, or - for stdin"
    )
    p["change"].add_argument("id", metavar="ID", help="the claim's id, or its beginning or end")
    p["change"].add_argument("text", nargs="?", default="", metavar="TEXT", help="the new text (default: as it was)")
    for name in ("add", "change"):
        _fields(p[name])
    _asking(p)
    for name in ("forget", "restore"):
        p[name].add_argument("id", metavar="ID", help="the claim's id, or its beginning or end")
        p[name].add_argument(
            "--why", required=name == "forget", default="", metavar="TEXT", help="kept with the marker"
        )
        p[name].add_argument("--by", default="", metavar="NAME", help="who, kept with the marker (default: unknown)")
    p["export"].add_argument("id", nargs="*", metavar="ID", help="these claims only (default: everything, history too)")
    p["export"].add_argument(
        "--output",
        "-o",
        default="",
        metavar="DIR",
        help="a folder for one file per claim; never overwrites another claim",
    )
    p["import"].add_argument("path", nargs="+", metavar="PATH", help="files, folders of .md files, or a claims.jsonl")
    serve = p["serve"]
    serve.add_argument("--host", default="127.0.0.1", help="address to listen at (default 127.0.0.1)")
    serve.add_argument("--port", type=int, default=8377, help="default 8377; 0 takes any that is free")
    serve.add_argument(
        "--token-file", default="", metavar="FILE", help="the token callers bring; needed beyond 127.0.0.1"
    )
    serve.add_argument(
        "--store", default="", metavar="STORE", help="sqlite:FILE or postgresql://… (default: this memory's own file)"
    )
    p["contract"].add_argument(
        "--url", default="", metavar="URL", help="the owner to check (default: the one in force)"
    )


def _asking(p: dict[str, argparse.ArgumentParser]) -> None:
    p["show"].add_argument("id", metavar="ID", help="the claim's id, or its beginning or end")
    p["show"].add_argument(
        "--used", action="store_true", help="note that this is the one: it counts for more from now on"
    )
    lst = p["list"]
    lst.add_argument("words", nargs="*", metavar="WORDS", help="only claims that hold some of these, best first")
    lst.add_argument("--all", action="store_true", help="superseded and forgotten claims too")
    lst.add_argument("--kind", action="append", default=[], metavar="KIND", help="only this kind (repeatable)")
    lst.add_argument("--tag", action="append", default=[], metavar="TAG", help="only with this tag (repeatable)")
    lst.add_argument("--namespace", default="", metavar="NAME", help="only this part of the memory")
    lst.add_argument("--source-agent", default="", metavar="NAME", help="only what this one said")
    lst.add_argument("--soul", action="store_true", help="only what was pruned from a soul document")
    lst.add_argument("--limit", type=int, default=0, metavar="N", help="claims at most (default: all)")


def _fields(parser: argparse.ArgumentParser) -> None:
    for field, (value, text) in FIELDS.items():
        parser.add_argument(option(field), dest=field, default=None, metavar=value, help=text)
    for field, (value, text) in LISTS.items():
        parser.add_argument(option(field), dest=field, action="append", default=None, metavar=value, help=text)
