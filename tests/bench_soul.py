"""What `make bench` checks a soul on: a made-up project whose handoff document makes thousands of claims about it."""

from __future__ import annotations

import random
from pathlib import Path

from tests.core.git_made import Made

_SOURCE = {
    "py": '"""Part {n}."""\n\n\ndef take_{n}(amount):\n    """Take it."""\n    # once a day\n    return amount + {n}\n\n\nclass Part{n}:\n    def hold_{n}(self):\n        return {n}\n',
    "ts": "// part {n}\nexport function take{n}(amount: number) {{\n  return amount + {n};\n}}\nexport class Part{n} {{\n  hold{n}() {{\n    return {n};\n  }}\n}}\n",
    "rs": "/// Part {n}.\npub struct Part{n} {{}}\n\nimpl Part{n} {{\n    pub fn hold_{n}(&self) -> i64 {{\n        {n}\n    }}\n}}\n",
    "go": "package part\n\n// Take{n} takes.\nfunc Take{n}(amount int) int {{\n\treturn amount + {n}\n}}\n",
    "md": "# Part {n}\n\nWhat it takes, and what it holds.\n",
}  # fmt: skip
_SYMBOLS = {"py": "Part{n}.hold_{n}", "ts": "Part{n}.hold{n}", "rs": "Part{n}::hold_{n}", "go": "Take{n}()"}


def make_project(root: Path, files: int = 20_000, claims: int = 10_000, seed: int = 3) -> Path:
    """Write a repository of `files` files and a `PATHOS.md` of `claims` claims, of which a tenth do not hold."""
    dice = random.Random(seed)
    made = Made(root)
    names = [f"area{n % 90}/part{n % 41}/unit{n}.{list(_SOURCE)[n % len(_SOURCE)]}" for n in range(files)]
    for n, name in enumerate(names):
        made.write(name, _SOURCE[name.rpartition(".")[2]].format(n=n))
    made.commit("Begin (#1)")
    made.git("tag", "v1.0.0")
    for n in range(20):
        made.commit(f"Go on (#{n + 2})", {names[dice.randrange(files)]: f"changed {n}\n"})
    rows = [_claim(dice.randrange(files), names, n, dice) for n in range(claims)]
    made.commit("Hand over", {"PATHOS.md": "# Parts\n\n## Current State\n\n" + "\n".join(rows) + "\n"})
    return root


def _claim(which: int, names: list[str], n: int, dice: random.Random) -> str:
    """A claim that cites a file, a line, a symbol, a number, or something that is gone."""
    name = names[which]
    ending = name.rpartition(".")[2]
    kind = n % 10
    if kind == 9:
        return f"- The old part was in `area{which % 90}/gone{n}.py`."
    if kind >= 7 and ending in _SYMBOLS:
        return f"- The amount of part {which} is taken by `{_SYMBOLS[ending].format(n=which)}`."
    if kind >= 5:
        return f"- The rule stands in `{name}:{dice.randint(1, 3)}`, for every day of the week."
    if kind == 4:
        return f"- Part {which} came with #{dice.randint(1, 21)}; see `{name.rpartition('/')[2]}`."
    return f"- `{name}` keeps what part {which} holds, and is read by all others."
