"""What the repository itself knows of the quantities that a document states: version, tags, commits since, test files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial

from core.frozen import dataclass
from core.soul.amounts import NUMBER, SPELLED, amount_at
from core.soul.bounds import stretches
from core.soul.context import Ground
from core.soul.dating import dated
from core.soul.whole import plain, says_whole

_DIGIT = re.compile(r"\d")
_SPELLED = re.compile(rf"\b{SPELLED}\b", re.IGNORECASE)
_SIGN = re.compile(r"version|tag|release|commit|files|head", re.IGNORECASE)
"""A number and one of these is in every value that is read: looking for them takes a tenth of the patterns' time."""
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n")
_NUMBERED = r"v?\d+\.\d+(?:\.\d+)?"
_IS = r"(?:\s+(?:is|now|stands at|is now)|\s*[:=|—–])?\s*"
_VERSION = re.compile(
    rf"\bversion{_IS}(?<=[\s:=|—–])[`\"']?({_NUMBERED}(?:[-.]?(?:rc|a|b|alpha|beta|dev)\.?\d*)?)(?!\w|\.\w)",
    re.IGNORECASE,
)
_LATEST = re.compile(
    rf"\b(?:latest|last|newest|current) (?:tag|release){_IS}(?<=[\s:=|—–])[`\"']?({_NUMBERED}[\w.+-]*)", re.IGNORECASE
)
_TAG = rf"(?:(?:the\s+)?tag\s+)?`?({_NUMBERED}[\w.+-]*?)"
_SINCE = re.compile(
    rf"\b({NUMBER})\+?\s+commits?\s+(?:since|after|ahead of)\s+{_TAG}(?=[`.,;)]*(?:\s|$))", re.IGNORECASE
)
_SINCE_KEY = re.compile(rf"\bcommits? since {_TAG}`?\s*[:=|]\s*[`~≈<>≤≥]*({NUMBER})", re.IGNORECASE)
_COUNTS = tuple(
    (name, re.compile(rf"\b({NUMBER})\+?\s+{after}|\b{label}\s*[:=|]\s*[~≈<>≤≥]?\s*({NUMBER})(?![\w.]*\w)", re.IGNORECASE))
    for name, after, label in (
        ("test files", r"test files\b", "test files"),
        ("tracked files", r"tracked files\b", "tracked files"),
        ("commits", r"commits (?:in (?:total|all)|overall|altogether)\b", r"(?:total )?commits(?: in (?:total|all))?"),
    )
)  # fmt: skip
_CURRENT = re.compile(
    r"[`*\"']*\s*(?:$|[.;,)|]|\(|[—–-]\s|too\b|is (?:the )?(?:current|out|live|released|latest|now)\b|(?:as of|now|today|currently)\b|"
    r"and\b(?! (?:later|up|above|newer|beyond|below|older))|in (?:the )?(?:manifest|package|pyproject|cargo|setup|version)\b)",
    re.IGNORECASE,
)
"""What may follow a version that is said to be the project's own."""
_ELSEWHEN = re.compile(
    r"\b(?:will|would|should|planned?|next|upcoming|unreleased|until|once|when|if|target|goal|require[sd]?|needs?|needed|drops?|was|were|had|"
    r"to be|yet)\b",
    re.IGNORECASE,
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
    def _names(self) -> frozenset[str]:
        return frozenset(name.lower() for name in self._ground.evidence.names)

    @cached_property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """The versions in the manifests at the root, each with its manifest; none where one of them is made by a build."""
        found: list[tuple[str, str]] = []
        for name in _MANIFESTS:
            text = self._ground.manifests.get(name)
            if text and _MADE.search(text):
                return ()
            if text and (version := _version_in(name, text)):
                found.append((version, name))
        return tuple(found)

    @cached_property
    def latest_tags(self) -> tuple[str, ...]:
        """The newest version tag by its number, the newest that the head reaches, and the newest by time: each may be
        called the latest."""
        evidence, history = self._ground.evidence, self._ground.history
        every = evidence.tags or {}
        if evidence.shallow or evidence.untagged or not every:
            return ()
        numbered = [t for t in every if re.fullmatch(r"v?\d+(?:\.\d+)+", t)]
        reached = [t for t in numbered if history is not None and every[t] in history.head_line]
        times = evidence.tag_times
        found = [max(tags, key=_by_number) for tags in (numbered, reached) if tags]
        return tuple(dict.fromkeys((*found, *([max(times, key=lambda t: times[t])] if times and found else []))))

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

    def mismatches(self, text: str, above: str = "", *, generated: bool = False) -> tuple[Mismatch, ...]:
        """What `text` says of the whole project that the repository contradicts. `above`: what it stands under, beside
        its section. `generated`: counters of an auto region, head included."""
        if not _SIGN.search(text) or not (_DIGIT.search(text) or _SPELLED.search(text)) or not plain(above):
            return ()
        return tuple(
            m for _, stretch in stretches(text) for s in _SENTENCE.split(stretch) for m in self._found(s, generated)
        )

    def _found(self, text: str, generated: bool) -> Iterator[Mismatch]:
        if (match := _VERSION.search(text)) and self.versions and _of_now(match, text, self._names, own=True):
            said = match.group(1)
            if all(_differs(said, version) for version, _ in self.versions):
                yield Mismatch("version", said, *self.versions[0])
        if (match := _LATEST.search(text)) and self.latest_tags and _of_now(match, text, self._names, own=False):
            said = match.group(1).rstrip(".")
            if all(_differs(said, tag) for tag in self.latest_tags):
                yield Mismatch("latest tag", said, self.latest_tags[0], "git")
        for pattern, count, tag in ((_SINCE, 1, 2), (_SINCE_KEY, 2, 1)):
            if match := pattern.search(text):
                name = match.group(tag).rstrip(".,`")
                yield from _count(f"commits since {name}", match, count, partial(self.commits_since, name))
        known = (lambda: self.test_files, lambda: self.tracked, lambda: self.commits)
        for (name, pattern), value in zip(_COUNTS, known, strict=True):
            if match := pattern.search(text):
                yield from _count(name, match, 1 if match.group(1) else 2, value)
        head = self._ground.evidence.head
        if generated and (match := _HEAD.search(text)) and head and not head.startswith(match.group(1)):
            yield Mismatch("HEAD", match.group(1), head[:7], "git")


def _count(name: str, match: re.Match[str], group: int, known: Callable[[], int | None]) -> Iterator[Mismatch]:
    """The mismatch of a count, where its sentence says nothing that makes it the count of a part."""
    text, (start, end) = match.string, match.span(group)
    amount = amount_at(text, start, end)
    if not says_whole(text, min(amount.start, match.start()), max(amount.end, match.end())):
        return
    value = known()
    if value is not None and not amount.allows(value):
        yield Mismatch(name, text[amount.start : amount.end], str(value), "git")


def _of_now(match: re.Match[str], text: str, names: frozenset[str], *, own: bool) -> bool:
    """True if a version is said to be the project's own (`own`), or a tag its latest, as of now."""
    before, after = text[: match.start()], text[match.end() :]
    if not plain(before, names) or dated(before).dates:
        return False
    if own:
        return bool(_CURRENT.match(after)) and not _ELSEWHEN.search(after)
    return not re.match(r"\W*(?:(?:as of|on|until)\b.*\d|of\b)", after)


def _by_number(tag: str) -> tuple[int, ...]:
    return tuple(int(p) for p in tag.lstrip("v").split("."))


_MADE = re.compile(r"^dynamic\s*=\s*\[[^\]]*[\"']version[\"']", re.MULTILINE)
"""The version is told by a build, from a tag or a file."""


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
