"""A claim as one Markdown file with YAML front matter, so that a memory can live in git and be read without this program.

Every value of the front matter stands on one line, quoted as JSON, which YAML reads the same; the body is the text, as it
is. A text that a file cannot hold as it is (a carriage return, a control character, half a surrogate pair) stands quoted
in the front matter too, and the body is then for people alone. Writing what was read gives the same bytes.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from typing import Any

from core.errors import UsageError
from core.memory.claim import DIGITS, Claim, label_of
from core.memory.ids import new_id
from core.memory.wire import Document, Malformed, claim_of, document_of
from core.text import printable

MAX_FILE = 1 << 20
"""Bytes of a file that are read."""
_FENCE = "---\n"
_SPECIAL = re.compile("[^\\x20-\\x7e]")
_KEYS = tuple(field.name for field in fields(Claim))
_NUMBERS = ("salience", "importance", "confidence")
_LISTS = ("tags", "evidence", "depends_on", "supersedes")


def to_markdown(claim: Claim) -> str:
    """The claim as a file."""
    document = document_of(claim)
    lines = [f"{key}: {_value(document[key])}\n" for key in _KEYS if key != "text"]
    if "\r" in claim.text or printable(claim.text) != claim.text:
        lines.append(f"text: {_value(claim.text)}\n")
    return f"{_FENCE}{''.join(lines)}{_FENCE}\n{printable(claim.text)}\n"


def from_markdown(raw: bytes, name: str) -> Claim:
    """The claim in a file; `name` is for messages. What the front matter does not say is as for a new claim; without an
    id it gets one. Raises `UsageError` saying where and what is wrong.
    """
    if len(raw) > MAX_FILE:
        raise UsageError(f"{name} has {len(raw):,} bytes; a claim has {MAX_FILE:,} at most.", "Is it a claim?")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise UsageError(f"{name} is not UTF-8.", "Save it as UTF-8.") from problem
    front, body = _parts(text, name)
    document = _front(front, name)
    if unknown := sorted(set(document) - set(_KEYS)):
        raise UsageError(f"{name}: “{unknown[0]}” is no key of a claim.", f"Known: {', '.join(_KEYS)}.")
    document.setdefault("text", body)
    if not str(document["text"]).strip():
        raise UsageError(f"{name} holds no text.", "The claim's text stands below the second --- line.")
    document.setdefault("id", "")
    document["id"] = document["id"] or new_id()
    document["label"] = document.get("label") or label_of(str(document["text"]))
    document.setdefault("kind", "fact")
    try:
        return claim_of(document)
    except Malformed as problem:
        raise UsageError(f"{name}: {problem}.", "Correct that line of its front matter.") from problem


def file_name(claim: Claim) -> str:
    """A name for the claim's file: the time it was made orders it, its first words find it, its id keeps it apart."""
    words = re.sub(r"[^a-z0-9]+", "-", claim.label.lower()).strip("-")[:48].strip("-")
    return f"{claim.id[:18]}-{words or claim.kind}-{claim.id[-8:]}.md"


def _value(value: Any) -> str:
    """A value on one line, as JSON but for the signs that a file should not hold as they are: those are escaped as YAML
    does."""
    if isinstance(value, float):
        return f"{value:.{DIGITS}f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.1f}"
    return _SPECIAL.sub(_escaped, json.dumps(value, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    sign = match.group()
    if sign not in "\ufffe\uffff" and printable(sign) == sign:
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) <= 0xFFFF else f"\\U{ord(sign):08x}"


def _parts(text: str, name: str) -> tuple[str, str]:
    if text.startswith("---\r\n"):  # a checkout that was told to write other line ends
        text = text.replace("\r\n", "\n")
    if not text.startswith(_FENCE):
        raise UsageError(f"{name} does not begin with a --- line.", "A claim begins with its front matter.")
    end = (text + "\n").find(f"\n{_FENCE}", len(_FENCE) - 1)
    if end < 0:
        raise UsageError(f"{name} has no second --- line.", "The front matter ends with one.")
    body = text[end + 1 + len(_FENCE) :]
    return text[len(_FENCE) : end + 1], body.removeprefix("\n").removesuffix("\n")


def _front(front: str, name: str) -> Document:
    """The front matter as plain values: every scalar as it is written, so that no word turns into a date or a truth."""
    import yaml  # 25 ms, for those who import

    try:
        root = yaml.compose(front, Loader=yaml.SafeLoader)
    except yaml.YAMLError as problem:
        at = getattr(problem, "problem_mark", None)
        where = f"{name}:{at.line + 2}" if at is not None else name
        raise UsageError(f"{where}: the front matter is no YAML.", "Quote a value that holds signs.") from problem
    except RecursionError as problem:
        raise UsageError(
            f"{name}: the front matter is nested too deeply.", "A claim's values are one level deep."
        ) from problem
    if root is None:
        return {}
    if not isinstance(root, yaml.MappingNode):
        raise UsageError(f"{name}: the front matter is no list of keys.", "Write key: value, one a line.")
    found: Document = {}
    for key, value in root.value:
        if not isinstance(key, yaml.ScalarNode):
            raise UsageError(f"{name}: a key of the front matter is no word.", f"Known: {', '.join(_KEYS)}.")
        word = str(key.value)
        if word in found:
            raise UsageError(f"{name}: “{word}” stands twice.", "Keep one of them.")
        found[word] = _read(word, value, name)
    return found


def _read(key: str, node: Any, name: str) -> Any:
    import yaml

    if isinstance(node, yaml.SequenceNode):
        if key in _LISTS and all(isinstance(one, yaml.ScalarNode) for one in node.value):
            return [str(one.value) for one in node.value]
    elif isinstance(node, yaml.ScalarNode):
        if node.tag == "tag:yaml.org,2002:null":
            return [] if key in _LISTS else None if key in (*_NUMBERS, "created_at", "updated_at") else ""
        if key not in _LISTS:
            return str(node.value)
        return [str(node.value)]
    raise UsageError(f"{name}: {key} cannot be written like that.", "A value is a word, or a list of words in [ ].")
