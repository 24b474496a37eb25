"""The faces: the command line, the plain dialogue and the terminal app.

This package is imported before `core` and `indexes`. Those names are generic, and the program runs inside other
people's projects that may have a `core/` of their own, so the folder this package was loaded from goes first on the
import path before anything else is imported.
"""

import gc
import sys
from os.path import dirname, realpath

if gc.get_threshold()[0] < 100_000:  # records make many small values and few cycles: a tenth of a short command
    gc.set_threshold(100_000, 20, 20)

_home = dirname(dirname(realpath(__file__)))
if sys.path[:1] != [_home]:
    sys.path.insert(0, _home)

from core.later import put_off  # noqa: E402 - found by that path

for _name in (
    "inspect",  # 9 ms: `dataclasses` loads it, with a parser of Python, and needs it for undocumented classes alone
    "ipaddress",  # 1 ms: `urllib.parse` loads it for addresses in brackets
    "locale",  # 1 ms: `subprocess` loads it for the text of a child
    "textwrap",  # 1 ms: `traceback` loads it for suggestions
    "tokenize",  # 1 ms: `linecache` loads it to read a source
):
    put_off(_name)
