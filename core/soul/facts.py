"""What the repository itself knows of the quantities that a document states: version, tags, commits since, test files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial

from core.frozen import dataclass
from core.soul.context import Ground

_DIGIT = re.compile(r"\d")
_SIGN = re.compile(r"version|tag|release|commit|files|head", re.IGNORECASE)
"""A digit and one of these is in every value that is read: looking for them takes a tenth of the patterns' time."""
_VERSION = re.compile(
    r"\b(?:current |package |project |crate |manifest )?version(?:\s+is|\s*[:=])?\s+v?(\d+\.\d+(?:\.\d+)?(?:[-.]?(?:rc|a|b|alpha|beta|dev)\.?\d*)?)(?!\w|\.\w)",
    re.IGNORECASE,
)
_LATEST = re.compile(
    r"\b(?:latest|last|newest|current) (?:tag|release)(?:\s+is|\s*[:=])?\s+`?(v?\d+\.\d+(?:\.\d+)?[\w.+-]*)",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(\d[\d,]*)\s+commits?\s+(?:since|after|ahead of)\s+(?:tag\s+)?`?(v?\d+\.\d+(?:\.\d+)?[\w.+-]*)", re.IGNORECASE
)
_SINCE_KEY = re.compile(
    r"\bcommits? since (?:tag\s+)?`?(v?\d+\.\d+(?:\.\d+)?[\w.+-]*?)`?\s*[:=]\s*`?(\d[\d,]*)", re.IGNORECASE
)
_TEST_FILES = re.compile(r"\b(\d[\d,]*)\s+test files\b|\btest files\s*[:=]\s*(\d[\d,]*)", re.IGNORECASE)
_TRACKED = re.compile(r"\b(\d[\d,]*)\s+(?:tracked )files\b|\btracked files\s*[:=]\s*(\d[\d,]*)", re.IGNORECASE)
_COMMITS = re.compile(
    r"\b(\d[\d,]*)\s+commits in (?:total|all)\b|\b(?:total )?commits\s*[:=]\s*(\d[\d,]*)", re.IGNORECASE
)
_HEAD = re.compile(r"\b(?:HEAD|latest commit|last commit)\s*(?:is|[:=@])?\s*`?([0-9a-f]{7,40})\b")
_TEST_NAME = re.compile(
    r"(?:^|/)(?:test_[^/]+\.\w+|[^/]+_tests?\.\w+|[^/]+\.(?:test|spec)\.\w+|[^/]+Tests?\.\w+|[^/]+_spec\.\w+)$"
)
_MANIFESTS = ("pyproject.toml", "package.json", "Cargo.toml", "setup.cfg", "VERSION")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A value in the document that the repository contradicts."""

    quantity: str
    said: str
    known: str
    source: str
    """Where the repository says so."""


class Facts:
    """Computed once per check, each when it is first needed; `None` for what cannot be known."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    @cached_property
    def version(self) -> tuple[str, str] | None:
        """The version in the manifest at the root, and the manifest."""
        for name in _MANIFESTS:
            text = self._ground.manifests.get(name)
            found = _version_in(name, text) if text else ""
            if found:
                return found, name
        return None

    @cached_property
    def latest_tag(self) -> str | None:
        """The newest version tag by its number."""
        tags = [t for t in self._ground.evidence.tags or () if re.fullmatch(r"v?\d+(?:\.\d+)+", t)]
        if not tags or self._ground.evidence.shallow:
            return None
        return max(tags, key=lambda t: tuple(int(p) for p in t.lstrip("v").split(".")))

    def commits_since(self, tag: str) -> int | None:
        """Commits that the head reaches and the tag does not."""
        tags, history = self._ground.evidence.tags or {}, self._ground.history
        sha = tags.get(tag)
        return history.behind(sha) if sha and history is not None and history.complete else None

    @cached_property
    def commits(self) -> int | None:
        """Commits that the head reaches."""
        history = self._ground.history
        return len(history.head_line) if history is not None and history.complete else None

    @cached_property
    def test_files(self) -> int | None:
        """Tracked files that are called like tests."""
        tracked = self._ground.evidence.tracked
        return None if tracked is None else sum(1 for p in tracked if _TEST_NAME.search(p))

    @cached_property
    def tracked(self) -> int | None:
        """Tracked files."""
        tracked = self._ground.evidence.tracked
        return None if tracked is None else len(tracked)

    def mismatches(self, text: str, *, generated: bool = False) -> tuple[Mismatch, ...]:
        """What `text` says that the repository contradicts. `generated`: counters of an auto region, head included."""
        return tuple(self._found(text, generated))

    def _found(self, text: str, generated: bool) -> Iterator[Mismatch]:
        if not _DIGIT.search(text) or not _SIGN.search(text):
            return
        if (match := _VERSION.search(text)) and self.version and _differs(match.group(1), self.version[0]):
            yield Mismatch("version", match.group(1), *self.version)
        if (
            (match := _LATEST.search(text))
            and self.latest_tag
            and _differs(match.group(1).rstrip("."), self.latest_tag)
        ):
            yield Mismatch("latest tag", match.group(1), self.latest_tag, "git tags")
        for pattern, count, tag in ((_SINCE, 1, 2), (_SINCE_KEY, 2, 1)):
            if match := pattern.search(text):
                name = match.group(tag).rstrip(".,`")
                yield from self._count(f"commits since {name}", match.group(count), partial(self.commits_since, name))
        yield from self._pairs(_TEST_FILES, "test files", text, lambda: self.test_files)
        yield from self._pairs(_TRACKED, "tracked files", text, lambda: self.tracked)
        yield from self._pairs(_COMMITS, "commits", text, lambda: self.commits)
        head = self._ground.evidence.head
        if generated and (match := _HEAD.search(text)) and head and not head.startswith(match.group(1)):
            yield Mismatch("HEAD", match.group(1), head[:7], "git")

    def _pairs(
        self, pattern: re.Pattern[str], name: str, text: str, known: Callable[[], int | None]
    ) -> Iterator[Mismatch]:
        if match := pattern.search(text):
            yield from self._count(name, next(g for g in match.groups() if g), known)

    def _count(self, name: str, said: str, known: Callable[[], int | None]) -> Iterator[Mismatch]:
        value = known()
        if value is not None and int(said.replace(",", "")) != value:
            yield Mismatch(name, said, str(value), "git")


def _differs(said: str, known: str) -> bool:
    """True if two versions differ in a part that both name: `1.4` does not contradict `1.4.2`."""
    a, b = said.lstrip("v").split("."), known.lstrip("v").split(".")
    return a[: len(b)] != b[: len(a)]


def _version_in(name: str, text: str) -> str:
    if name == "package.json":
        try:
            data = json.loads(text)
        except ValueError:
            return ""
        return str(data.get("version") or "") if isinstance(data, dict) else ""
    if name == "VERSION":
        return text.strip() if re.fullmatch(r"v?\d+(?:\.\d+)+\S*", text.strip()) else ""
    if name.endswith(".toml"):
        return _toml_version(text)
    match = re.search(r"^version\s*=\s*(\S+)", text, re.MULTILINE)
    return match.group(1) if match else ""


def _toml_version(text: str) -> str:
    import tomllib

    try:
        data: Mapping[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return ""
    for keys in (("project",), ("package",), ("workspace", "package"), ("tool", "poetry")):
        table: object = data
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        if isinstance(table, dict) and isinstance(table.get("version"), str):
            return str(table["version"])
    return ""
