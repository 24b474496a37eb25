"""Puts the loading of a module off until something in it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
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
