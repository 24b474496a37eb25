"""Textual loaded without what the first frame does not need is whole for whoever uses it. Each runs in a program of its own,
for Textual is loaded already where tests run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LIGHT = """
import sys
import tui
from tui.textual_loading import light_textual
with light_textual():
    import tui.app
"""
DRIVEN = """
import asyncio, os
from tests.tui.driving import driven
from textual.widgets import Input, OptionList

async def main():
    async with driven() as run:
        await use(run)
asyncio.run(main())
"""


def said(code: str) -> list[str]:
    """The lines that a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", LIGHT + code],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def test_what_the_first_frame_does_not_need_is_not_loaded() -> None:
    """Every one of these costs milliseconds before anything is shown."""
    loaded = said("print(*sys.modules, sep='\\n')")
    unwanted = {
        "textual.command", "textual.types", "textual.widgets._option_list", "textual.widgets._select",
        "textual.widgets._tree", "typing_extensions", "platformdirs", "uuid", "difflib", "rich.table", "mimetypes",
        "json", "shutil", "core.library", "tui.commands", "tui.widgets.telling",
        "core.recall.remarks", "numpy", "sqlite3", "ssl", "textual.widgets._markdown",
    }  # fmt: skip
    assert unwanted & set(loaded) == set()
    assert "textual.drivers.linux_driver" in loaded, "what the app asks for next is loaded with the rest"


def test_what_stood_in_is_gone_afterwards() -> None:
    assert said(
        "import uuid, typing_extensions, platformdirs, pickle, textual.command\n"
        "from core.later import Instead\n"
        "print([name for name, one in sys.modules.items() if isinstance(one, Instead)])\n"
        "print(len(str(uuid.uuid4())), bool(typing_extensions.deprecated), callable(platformdirs.user_cache_dir))\n"
    ) == ["[]", "36 True True"]


def test_the_functions_that_stood_in_are_the_real_ones_when_called() -> None:
    assert said(
        "import textual.app, textual.notifications, textual.suggestions, rich.style\n"
        "one, other = textual.notifications.uuid4(), textual.notifications.uuid4()\n"
        "import asyncio.base_events, textual.design, rich.table\n"
        "print(asyncio.base_events.sslproto.SSLProtocol.__name__, type(textual.design.Table()) is rich.table.Table)\n"
        "print(one != other, textual.suggestions.get_close_matches('colour', ['color', 'x']))\n"
        "style = rich.style.Style(meta={'a': 1})\n"
        "print(style.meta, str(textual.app.user_downloads_path()) != '', textual.app.mimetypes.guess_type('a.txt')[0])\n"
    ) == ["SSLProtocol True", "True ['color']", "{'a': 1} True text/plain"]


def test_the_palette_opens_and_runs_what_is_chosen() -> None:
    assert said(
        "async def use(run):\n"
        "    await run.press('f5')\n"
        "    import textual.command\n"
        "    print(type(run.app.screen) is textual.command.CommandPalette)\n"
        "    for letter in 'keys':\n"
        "        await run.press(letter)\n"
        "    print(run.app.screen.query_one(OptionList).option_count > 0)\n"
        "    await run.press('escape')\n"
        "    print(type(run.app.screen).__name__)\n" + DRIVEN
    ) == ["True", "True", "RecollectScreen"]


def test_textuals_own_palettes_open() -> None:
    """Of themes and of given commands: their providers are those of the palette, though it was loaded after them."""
    assert said(
        "async def use(run):\n"
        "    import textual.theme\n"
        "    run.app.search_themes()\n"
        "    await run.settle()\n"
        "    import textual.command\n"
        "    print(issubclass(textual.theme.ThemeProvider, textual.command.Provider))\n"
        "    print('textual-light' in run.text())\n"
        "    await run.press('escape')\n"
        "    done = []\n"
        "    run.app.search_commands([('say it', lambda: done.append(1), 'a command')])\n"
        "    await run.settle()\n"
        "    await run.press('s', 'a', 'y', 'enter')\n"
        "    print(done)\n" + DRIVEN
    ) == ["True", "True", "[1]"]


def test_every_place_is_drawn_and_a_toast_is_shown() -> None:
    assert said(
        "async def use(run):\n"
        "    for place in ('soul', 'curate', 'memory', 'delegate'):\n"
        "        run.app.action_go(place)\n"
        "        await run.settle()\n"
        "        print(type(run.app.screen).__name__)\n"
        "    await run.press('ctrl+c')\n"
        "    print('again to quit' in run.toasts())\n" + DRIVEN
    ) == ["SoulScreen", "CurateScreen", "MemoryScreen", "DelegateScreen", "True"]


def test_expressions_that_are_compiled_later_read_the_same() -> None:
    """Styles and markup, right and wrong ones, are read as by expressions that were compiled at once."""
    assert said(
        "import re\n"
        "from textual.content import Content\n"
        "from textual.css.tokenizer import Expect\n"
        "from textual.css import tokenize\n"
        "from textual.markup import MarkupError\n"
        "lazy = [one for one in vars(tokenize).values() if isinstance(one, Expect)]\n"
        "print(len(lazy) > 5, isinstance(re.compile('((?P<a>x))'), re.Pattern), 'Pattern' not in type(lazy[0]._regex).__name__)\n"
        "for one in lazy:\n"
        "    plain = Expect('', **dict(zip(one.names, one.regexes)))\n"
        "    assert plain._regex.pattern == one._regex.pattern and plain._regex.flags == one._regex.flags\n"
        "    for text in ('a: 1 $x #b .c > { }', '  color: red;', '/* x */ y', '[b]x[/b]', '@click=f(1)', '', '&:hover'):\n"
        "        for start in range(len(text) + 1):\n"
        "            for how in ('match', 'search'):\n"
        "                a, b = getattr(plain, how)(text, start), getattr(one, how)(text, start)\n"
        "                assert (a and a.groups()) == (b and b.groups())\n"
        "print(Content.from_markup('[b]x[/b] [$primary on red]y[/]').spans != [], Content.from_markup('a $n', n='[b]').plain)\n"
        "try:\n"
        "    Content.from_markup('[/nope]')\n"
        "except MarkupError:\n"
        "    print('refused')\n"
    ) == ["True True True", "True a [b]", "refused"]
