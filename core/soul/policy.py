"""What a project sets for its soul: `[tool.recollect.soul]` of `pyproject.toml`, or `.recollect.toml` at the root.

```toml
[tool.recollect.soul]        # in .recollect.toml: [soul]
age_days = 90                # when a dated claim is to be looked at again
floor = 0.33                 # coverage under which the receipt says so before it says fresh
declared = ["House style"]   # more headings of declared sections
verifiable = ["Doctrine"]    # headings that are verifiable here
history = ["Log"]            # headings of sections that are skipped
```
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import UsageError
from core.soul.aging import AGE_DAYS
from core.soul.check import Policy
from core.soul.locating import SETTINGS
from core.soul.tissue import TissueTable

_KEYS = ("age_days", "floor", "declared", "verifiable", "history")


def load_policy(root: str) -> Policy:
    """The project's settings. Raises `UsageError` naming the file, the key and the remedy."""
    for name in SETTINGS:
        path = Path(root) / name
        table = _table(path, name)
        if table is not None:
            return _policy(table, name)
    return Policy()


def _table(path: Path, name: str) -> Mapping[str, Any] | None:
    try:
        text = path.read_bytes()
    except OSError:
        return None  # most projects have no settings for their soul
    if name == "pyproject.toml" and b"recollect" not in text:
        return None
    import tomllib

    try:
        data: Any = tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        if name == "pyproject.toml":
            return None  # a manifest in the making is its own trouble, not the soul's
        raise UsageError(f"{name} cannot be read: {problem}.", "Mend it or move it away.") from problem
    keys = ("soul",) if name != "pyproject.toml" else ("tool", "recollect", "soul")
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    if data is None:
        return None
    if not isinstance(data, dict):
        raise UsageError(f"{name}: “soul” must be a section.", "Write it as a table of keys.")
    return data


def _policy(table: Mapping[str, Any], name: str) -> Policy:
    for key in table:
        if key not in _KEYS:
            import difflib

            close = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"Did you mean “{close[0]}”?" if close else f"Known: {', '.join(_KEYS)}."
            raise UsageError(f"{name}: “{key}” is no key of the soul's settings.", hint)
    age = table.get("age_days", AGE_DAYS)
    if not isinstance(age, int) or isinstance(age, bool) or age < 1:
        raise UsageError(f"{name}: age_days cannot be {age!r}.", "It is a whole number of days, 1 or more.")
    floor = table.get("floor", 1 / 3)
    if not isinstance(floor, (int, float)) or isinstance(floor, bool) or not 0 <= floor <= 1:
        raise UsageError(f"{name}: floor cannot be {floor!r}.", "It is a share from 0 to 1.")
    headings = {k: _headings(table.get(k, ()), k, name) for k in ("declared", "verifiable", "history")}
    return Policy(TissueTable().extended(headings), age, float(floor))


def _headings(value: object, key: str, name: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
        raise UsageError(f"{name}: {key} must be a list of headings.", f'Write {key} = ["House style"].')
    return tuple(str(v) for v in value)
