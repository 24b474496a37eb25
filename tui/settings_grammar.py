"""The command line of `recollect settings`. Importing it costs argparse and nothing else."""

from __future__ import annotations

import argparse

SETTING: dict[str, str] = {
    "set": "write a value, comments and order kept; prints what changed in the file",
    "unset": "take a setting out of the file, so that its default holds",
}
"""The verbs of `recollect settings`."""


def settings_grammar(parser: argparse.ArgumentParser) -> None:
    """Add the verbs to the parser of `recollect settings`; without one, every setting is listed."""
    about = "one JSON object on stdout, diagnostics on stderr"
    parser.add_argument("--json", action="store_true", help=about)
    sub = parser.add_subparsers(dest="verb", metavar="VERB", required=False, parser_class=type(parser))
    for name, text in SETTING.items():
        verb = sub.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        verb.add_argument("key", metavar="KEY", help="a setting, as app.theme, or keys.ID for the keys of an action")
        if name == "set":
            verb.add_argument("value", nargs="+", metavar="VALUE", help="its value; of folders, several")
        verb.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=about)
