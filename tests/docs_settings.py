"""`docs/settings.md`, made from the table of settings. `make pictures` writes it; a test checks that it is current."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from core.settings_table import MOST_COMMITS, RUNTIMES, SETTINGS, Kind, SettingRow
from tui.keymap import FIXED, check_keymap

_EXAMPLE = """[app]
theme = "light"
motion = false

[records]
commits = 5000

[roots]
claude = ["/backup/claude", "~/old-laptop/.claude"]

[keys]
scope = "alt+s"
match-next = ">, n"
"""

_HEAD = """# Settings

Made from `core/settings_table.py`. One TOML file: `settings.toml` in the platform's configuration folder
(`~/.config/recollect` on Linux), or below `RECOLLECT_HOME` where that is set. An unknown key is an error that names the
nearest one.

`recollect settings` lists every setting with its value and where that comes from: the default, the file, or an environment
variable. `recollect settings set app.theme light` writes a value and prints what changed in the file; comments and order stay.
`recollect settings unset app.theme` takes it out again. In the app F12 shows the same list and changes it, with undo.

```toml
"""

_TAIL = """
`[keys]` gives other keys to the actions of [keys.md](keys.md), by their ids; several keys with commas between. Help, footer and
palette show them. A key that another action has in the same pane, or that not every terminal sends, is refused with the reason;
two actions may change theirs. It holds from the next start of the app on.
"""


def settings_markdown() -> str:
    """The whole document. The example in it is a file that is taken."""
    check_keymap(tomllib.loads(_EXAMPLE)["keys"])
    parts = [
        _HEAD + _EXAMPLE + "```\n",
        "\n".join(["| key | values | default | what it does |", "|---|---|---|---|", *_rows()]),
    ]
    fixed = "\n".join(f"- `{id_}`: {why}." for id_, why in FIXED.items())
    return "\n".join([*parts, _TAIL, "These keep their keys:\n", fixed, ""])


def _rows() -> Iterator[str]:
    for row in SETTINGS:
        if row.section != "roots":
            name = "keys.ID" if row.kind is Kind.KEYS else row.name
            yield f"| `{name}` | {_takes(row)} | {_default(row)} | {row.about}{_wins(row)} |"
        elif row.key == RUNTIMES[0]:
            names = ", ".join(f"`{name}`" for name in RUNTIMES)
            yield f"| `roots.RUNTIME` | a list of folders | none | More folders to read sessions from. RUNTIME is one of {names}. |"


def _takes(row: SettingRow) -> str:
    if row.kind is Kind.CHOICE:
        return ", ".join(f"`{each}`" for each in row.allowed)
    return {
        Kind.FLAG: "`true`, `false`", Kind.COUNT: f"0 to {MOST_COMMITS}", Kind.TEXT: "a text",
        Kind.KEYS: "keys",
    }[row.kind]  # fmt: skip


def _default(row: SettingRow) -> str:
    if isinstance(row.default, bool):
        return f"`{str(row.default).lower()}`"
    return f"`{row.default}`" if row.default != "" else "none"


def _wins(row: SettingRow) -> str:
    return f" `{row.variable}` wins over it." if row.variable else ""
