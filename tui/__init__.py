"""The faces: the command line, the plain dialogue and the terminal app.

This package is imported before `core` and `indexes`. Those names are generic, and the program runs inside other
people's projects that may have a `core/` of their own, so the folder this package was loaded from goes first on the
import path before anything else is imported.
"""

import sys
from pathlib import Path

_home = str(Path(__file__).resolve().parent.parent)
if sys.path[:1] != [_home]:
    sys.path.insert(0, _home)

from core.later import put_off  # noqa: E402 - found by that path

put_off("inspect")  # 9 ms: `dataclasses` loads it, with a parser of Python, and needs it for undocumented classes alone
