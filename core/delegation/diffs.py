"""The names in a unified or git diff: added, changed, deleted, renamed, copied, binary files, and those of a changed mode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_HEADER = re.compile(rf"(?:{_QUOTED}|(\S+)) (?:{_QUOTED}|(\S+))")
_ESCAPE = re.compile(r'\\([0-7]{1,3}|["\\abfnrtv])')
_SIGNS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, '"': 34, "\\": 92}
_PREFIXES = ("a/", "b/", "i/", "w/", "c/", "o/")


@dataclass
class _File:
    """One file of a diff while its lines are read."""

    old: str = ""
    new: str = ""
    body: bool = False
    """True once a hunk was read: a further `---` begins another file."""


def diffed(text: str) -> Iterator[tuple[str, str]]:
    """Old and new name of each file of a diff, `""` for a side that is not there. Hunks are passed over by their counts, so
    that a changed line that looks like a header is none."""
    file: _File | None = None
    old_left = new_left = 0
    for raw in text.split("\n"):
        line = raw.removesuffix("\r")
        if (old_left > 0 or new_left > 0) and line[:1] in ("", " ", "+", "-", "\\"):
            old_left -= line[:1] in ("-", " ", "")
            new_left -= line[:1] in ("+", " ", "")
            continue
        old_left = new_left = 0  # a hunk whose counts promise more than it holds ends here
        if match := _HUNK.match(line):
            old_left, new_left = (int(g) if g is not None else 1 for g in match.groups())
            file = file or _File()
            file.body = True
            continue
        begins = line.startswith(("diff --git ", "diff --cc ", "diff --combined ")) or (
            line.startswith("--- ") and (file is None or file.body)
        )
        if begins:
            if file is not None and (file.old or file.new):
                yield file.old, file.new
            file = _File()
        if file is not None:
            _take(file, line)
    if file is not None and (file.old or file.new):
        yield file.old, file.new


def _take(file: _File, line: str) -> None:
    """What a line outside hunks says of a file."""
    if line.startswith("diff --git "):
        file.old, file.new = _from_header(line.removeprefix("diff --git "))
    elif line.startswith(("diff --cc ", "diff --combined ")):
        file.old = file.new = _unquoted(line.split(" ", 2)[2])
    elif line.startswith("--- "):
        file.old = _name(line[4:])
    elif line.startswith("+++ "):
        file.new = _name(line[4:])
    elif line.startswith("rename from "):
        file.old = _unquoted(line.removeprefix("rename from "))
    elif line.startswith("copy from "):
        file.old = ""  # where a copy comes from was not touched
    elif line.startswith(("rename to ", "copy to ")):
        file.new = _unquoted(line.partition(" to ")[2])
    elif line.startswith("deleted file mode"):
        file.new = ""
    elif line.startswith("new file mode"):
        file.old = ""


def _from_header(rest: str) -> tuple[str, str]:
    """The names in `a/x b/x`; where they hold blanks, the split at which both are the same."""
    if '"' in rest and (match := _HEADER.fullmatch(rest)):
        old = _unescaped(match.group(1)) if match.group(1) is not None else match.group(2)
        new = _unescaped(match.group(3)) if match.group(3) is not None else match.group(4)
        return _bare(old), _bare(new)
    half = len(rest) // 2
    if rest[half : half + 1] == " " and _bare(rest[:half]) == _bare(rest[half + 1 :]):
        return _bare(rest[:half]), _bare(rest[half + 1 :])
    old, _, new = rest.partition(" b/")
    return (_bare(old), new) if new else ("", "")


def _name(written: str) -> str:
    """A name of `---` or `+++`: without its stamp, its quotes and its prefix; `""` for `/dev/null`."""
    plain = _unquoted(written.split("\t")[0].rstrip())
    return "" if plain == "/dev/null" else _bare(plain)


def _bare(name: str) -> str:
    return name[2:] if name.startswith(_PREFIXES) else name


def _unquoted(name: str) -> str:
    return _unescaped(name[1:-1]) if len(name) > 1 and name[0] == name[-1] == '"' else name


def _unescaped(name: str) -> str:
    """Git's C quoting back to the name: octal bytes are UTF-8, or kept as lone surrogates."""
    if "\\" not in name:
        return name
    out = bytearray()
    at = 0
    for match in _ESCAPE.finditer(name):
        out += name[at : match.start()].encode("utf-8", "surrogateescape")
        sign = match.group(1)
        out.append(int(sign, 8) & 0xFF if sign[0].isdigit() else _SIGNS[sign])
        at = match.end()
    out += name[at:].encode("utf-8", "surrogateescape")
    return out.decode("utf-8", "surrogateescape")
