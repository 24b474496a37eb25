"""Loads Textual without what the app's first frame does not need, in two thirds of the time.

Textual and Rich import the command palette with every widget that it uses, the platform's folders, unique names and a copy
of `typing`; and their dataclasses compile all their methods. Here each of these is loaded or compiled when it is first used.
Checked against Textual 8.2.8; what is asked of a module beyond the names below is taken from the real one.
"""

from __future__ import annotations

import re
import sys
import typing
from abc import ABC
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from core.frozen import methods_later
from core.later import absent, called_later, instead

_PALETTE = ("CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "SimpleProvider")
_USERS = ("textual.app", "textual.theme")
"""What imports from `textual.command` before the first frame."""
_TYPING = (
    "Annotated", "Final", "Literal", "ParamSpec", "Protocol", "Self", "TypeAlias", "TypedDict", "TypeGuard", "get_args",
    "runtime_checkable",
)  # fmt: skip


@contextmanager
def light_textual() -> Iterator[None]:
    """Load what is imported meanwhile so. A module that was loaded before is left as it is."""
    with methods_later(), instead(_standing()), _tokens_later():
        with absent("ssl"):  # 11 ms that the terminal's own loop never needs; what speaks HTTPS loads it for itself
            import asyncio  # noqa: F401
        yield
        import textual.drivers.linux_driver  # noqa: F401  # what the app asks for next


@contextmanager
def _tokens_later() -> Iterator[None]:
    """Let the expressions of Textual's tokenizers (`textual.css.tokenizer.Expect`) be compiled when a text is first held
    against them: eight of fourteen are for markup and for what no style of the first frame has, and cost 5 ms."""
    compiled = re.compile

    def later(source: Any, flags: Any = 0) -> Any:
        if isinstance(source, str) and source.startswith("((?P<"):
            return _ExpressionLater(partial(compiled, source, flags))
        return compiled(source, flags)

    re.compile = later  # type: ignore[assignment]
    try:
        yield
    finally:
        re.compile = compiled


class _ExpressionLater:
    """Stands for a compiled expression. A tokenizer keeps its two methods, which therefore are its own."""

    def __init__(self, compiled: Callable[[], re.Pattern[str]]) -> None:
        self._compiled = compiled

    @cached_property
    def _real(self) -> re.Pattern[str]:
        return self._compiled()

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self._real.match(text, start)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self._real.search(text, start)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._real, name)


def _standing() -> dict[str, dict[str, object]]:
    """What stands for each module: its names that are asked for while Textual is loaded."""
    functions = {
        "asyncio.sslproto": (),
        "difflib": ("get_close_matches",),
        "mimetypes": (),
        "platformdirs": ("user_downloads_path",),
        "rich.table": ("Table",),
        "uuid": ("uuid4",),
    }
    return {
        **{module: {name: called_later(module, name) for name in names} for module, names in functions.items()},
        "textual.command": {"Provider": _Provider, **{name: _OfPalette(name) for name in _PALETTE}},
        "typing_extensions": {name: getattr(typing, name) for name in _TYPING},
    }


class _Provider(ABC):  # noqa: B024
    """Stands below Textual's provider of themes until the palette is loaded."""


class _OfPalette:
    """Stands for something of the palette until it is called, or something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *given: object, **named: object) -> Any:
        return getattr(_palette(), self._name)(*given, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(getattr(_palette(), self._name), name)


def _palette() -> Any:
    """The module of the palette, which is loaded now, and known from then on to all that imported from it."""
    real = import_module("textual.command")
    for user in _USERS:
        known = vars(sys.modules[user])
        known |= {name: getattr(real, name) for name, one in known.items() if isinstance(one, _OfPalette)}
        known |= {name: real.Provider for name, one in known.items() if one is _Provider}
    themes = sys.modules["textual.theme"].ThemeProvider
    if _Provider in themes.__bases__:
        themes.__bases__ = (real.Provider,)
    return real
