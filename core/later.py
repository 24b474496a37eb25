"""Puts the loading of a module off until something in it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


class ModuleLater(ModuleType):
    """Stands for a module of the standard library until an attribute of it is read."""

    def __getattr__(self, name: str) -> Any:
        """The attribute of the real module, which is loaded, and whose contents are this one's from then on."""
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        real = import_module(self.__name__)
        vars(self).update(vars(real))
        return getattr(real, name)


def put_off(name: str) -> None:
    """Let `import name` load nothing yet; for a module that is no package. Does nothing where it is loaded already."""
    sys.modules.setdefault(name, ModuleLater(name))


@contextmanager
def absent(name: str) -> Iterator[None]:
    """Let `import name` fail for a while, for a library that does without it where it is missing. Does nothing where it is
    loaded already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # Python's sign for it
    try:
        yield
    finally:
        del sys.modules[name]


class Instead(ModuleType):
    """Stands for a module while another is loaded that needs little of it. What it was not given, the real one gives."""

    def __init__(self, name: str, given: Mapping[str, object]) -> None:
        super().__init__(name)
        vars(self).update(given)

    def __getattr__(self, name: str) -> Any:
        """The attribute of the real module, which is loaded for it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(_real(self.__name__), name)


def _real(name: str) -> ModuleType:
    """A module itself, whoever stands for it now."""
    if isinstance(sys.modules.get(name), Instead):
        del sys.modules[name]
    return import_module(name)


@contextmanager
def instead(modules: Mapping[str, Mapping[str, object]]) -> Iterator[None]:
    """Let these names be imported from modules without loading them, for a while. A module that is loaded already is left
    as it is; whoever imports one of them afterwards gets the real one."""
    standing = {name: Instead(name, given) for name, given in modules.items() if name not in sys.modules}
    sys.modules.update(standing)
    try:
        yield
    finally:
        for name, one in standing.items():
            if sys.modules.get(name) is one:
                del sys.modules[name]


def called_later(module: str, name: str) -> Callable[..., Any]:
    """A function of a module that is loaded when it is called."""

    def call(*given: object, **named: object) -> Any:
        return getattr(_real(module), name)(*given, **named)

    return call
