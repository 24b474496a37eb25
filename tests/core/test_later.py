"""A module that is put off is itself as soon as something of it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import tui, sys
import dataclasses
print("ast" in sys.modules)
@dataclasses.dataclass
class Undocumented:
    x: int
print(Undocumented.__doc__, "ast" in sys.modules)
import inspect
from inspect import isclass, signature
print(str(signature(lambda a, b=1: None)), isclass(int), inspect is dataclasses.inspect or inspect.isclass is isclass)
"""


def test_a_module_that_is_put_off_is_loaded_when_it_is_needed() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["False", "Undocumented(x: int) True", "(a, b=1) True True"]
