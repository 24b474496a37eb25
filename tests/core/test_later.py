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


STANDING = """
import sys
from core.later import called_later, instead
with instead({"uuid": {"uuid4": called_later("uuid", "uuid4")}, "sys": {"path": 1}, "textwrap": {}}):
    from uuid import uuid4
    print("platform" in sys.modules, sys.modules["uuid"].__name__, sys.modules["sys"] is sys)
    from textwrap import dedent  # not given: the real one gives it
    print(dedent("  x"))
    print(len(str(uuid4())))  # while it still stands for it
import textwrap, uuid
print(uuid.uuid4 is not uuid4, uuid.UUID(str(uuid4())).version, textwrap.dedent is dedent)
"""


def test_what_stands_for_a_module_gives_what_it_was_given_and_the_rest_of_the_real_one() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", STANDING], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["False uuid True", "x", "36", "True 4 True"]
