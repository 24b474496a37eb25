"""Loads numpy as this program needs it."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from core.later import ModuleLater, put_off

_THREADS = "OPENBLAS_NUM_THREADS"
_DOCUMENTATION = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")
_FOR_HELP = ("ast", "platform", "textwrap")
"""Modules of the standard library that numpy loads for functions which nothing here calls."""
_TYPING = "numpy._typing"

if TYPE_CHECKING:
    from numpy.typing import NDArray as NDArray
else:

    class NDArray:
        """Stands for `numpy.typing.NDArray` where the program runs: the real one takes 0.015 s of CPU to load, and only a
        type checker reads it."""

        def __class_getitem__(cls, item: object) -> type:
            return cls


def load_numpy() -> None:
    """Load numpy without what only a person at a prompt, or a type checker, has of it: a quarter of its CPU.

    Its linear algebra keeps to one thread: the products here are small, and starting threads for them takes 0.04 s in
    every command. A number that the person set is kept, and processes started later see none of ours. The texts of
    `help()` are left out; the module of its types is made when one of them is asked for.
    """
    if "numpy" in sys.modules:
        return
    for name in _DOCUMENTATION:
        sys.modules[name] = ModuleType(name)
    sys.modules[_TYPING] = _TypesLater(_TYPING)
    for name in _FOR_HELP:
        put_off(name)
    unread = sys.modules.get("inspect")
    described = vars(unread) if isinstance(unread, ModuleLater) else {}
    described |= {"cleandoc": str, "signature": _no_signature}
    ours = _THREADS not in os.environ
    if ours:
        os.environ[_THREADS] = "1"
    try:
        import numpy  # noqa: F401 - for its effect
    finally:
        if ours:
            del os.environ[_THREADS]
        for name, ours_of_it in (("cleandoc", str), ("signature", _no_signature)):
            if described.get(name) is ours_of_it:
                del described[name]


def _no_signature(_: object) -> None:
    """The signature of a function as numpy notes it for `help()`: none is noted, so that it is made when asked for."""


class _TypesLater(ModuleType):
    """`numpy._typing` until something else than the name of an array's type is asked of it."""

    NDArray = NDArray

    def __getattr__(self, name: str) -> Any:
        """Whatever the real module holds, which takes this one's place; its folder, from which its parts are imported."""
        if name == "__path__":
            return [os.path.join(os.path.dirname(str(sys.modules["numpy"].__file__)), "_typing")]
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(_TYPING) is self:
            del sys.modules[_TYPING]
        import numpy._typing as real

        return getattr(real, name)
