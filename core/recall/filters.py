"""The filter words of a cue: `agent:codex "exact words" -not date:2026-03`, taken out of the person's sentence.

A cue stays a sentence. What looks like a filter and is none stays a word of the cue and yields a hint, so that a colon
in a person's words never empties the list without a reason (design/ux.md U10).
"""

from __future__ import annotations

import re
from dataclasses import field
from datetime import date, datetime, timedelta

from core.frozen import dataclass
from core.ports import Filters, TimeWindow

FILTER_WORDS: tuple[str, ...] = (
    "agent:",
    "dir:",
    "project:",
    "branch:",
    "date:",
    "role:",
    "tool:",
    "file:",
    "is:",
    "id:",
)
"""Every filter word, as typed. `-` in front of one negates it."""

IS_WORDS: tuple[str, ...] = (
    "main",
    "subagent",
    "fork",
    "review",
    "archived",
    "gone",
    "robot",
    "ghost",
    "commit",
    "tag",
    "note",
    "memory",
)
"""What `is:` accepts."""

ROLE_WORDS: dict[str, str] = {
    "person": "person",
    "user": "person",
    "me": "person",
    "assistant": "assistant",
    "agent": "assistant",
    "ai": "assistant",
}
"""What `role:` accepts, and the origin it names."""

AGENT_WORDS: dict[str, str] = {
    "claude": "claude",
    "claude-code": "claude",
    "cc": "claude",
    "codex": "codex",
    "copilot": "copilot",
    "gemini": "gemini",
    "pi": "pi",
    "opencode": "opencode",
    "open-code": "opencode",
    "crush": "crush",
    "cursor": "cursor",
    "kimi": "kimi",
    "kimi-code": "kimi",
    "vibe": "vibe",
    "amp": "amp",
    "cline": "cline",
    "roo": "roo",
    "roo-code": "roo",
    "kilo": "kilo",
    "kilo-code": "kilo",
    "grok": "grok",
    "grok-build": "grok",
    "antigravity": "antigravity",
    "specstory": "specstory",
    "git": "git",
    "notes": "notes",
    "memory": "memory",
}
"""What `agent:` accepts, and the runtime it names."""

LONGEST_CUE = 20_000
"""Characters of one thing the person said that are read; more is a pasted log, and its beginning reaches the record."""

_TOKEN = re.compile(r"""(?P<phrase>-?["“”][^"“”]*["“”])|(?P<filter>-?[A-Za-z]+:(?:"[^"]*"|\S+))|(?P<word>\S+)""")
_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$")
_BACK = re.compile(r"(\d+)\s*(h|d|w|m|y)$")
_UNITS = {"h": 3600, "d": 86400, "w": 7 * 86400, "m": 31 * 86400, "y": 366 * 86400}
_ADDRESS = re.compile(r"[A-Za-z]+:(//|\d+$|\\)")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A cue, its sentence apart from its operators."""

    words: str
    """The person's sentence without filters, phrases and negations; the phrases' words are kept in it."""
    filters: Filters = field(default_factory=Filters)
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    any_of: tuple[tuple[str, ...], ...] = ()
    windows: tuple[TimeWindow, ...] = ()
    needles: tuple[str, ...] = ()
    """Words from `tool:` and `file:`, which are searched as text and weigh as identifiers."""
    hints: tuple[str, ...] = ()


def parse_filters(text: str, now: datetime) -> Parsed:
    """Take the operators out of `text`. `now` gives relative dates their meaning. Never raises."""
    state = _State(now)
    if len(text) > LONGEST_CUE:
        state.hint(
            f"Only the first {LONGEST_CUE:,} characters of this were read; name a word, a file or a time instead."
        )
    for match in _TOKEN.finditer(text[:LONGEST_CUE]):
        if match["phrase"]:
            state.phrase(match["phrase"])
        elif match["filter"]:
            state.filter(match["filter"])
        else:
            state.word(match["word"])
    return state.result()


def date_window(value: str, now: datetime) -> TimeWindow | None:
    """Read a `date:` value: `2026`, `2026-03`, `2026-03-01`, `a..b`, `<2w` (within), `>3m` (older), `today`, `week`.

    Days are civil days of the person's time zone. `None` if the value is none of these.
    """
    low = value.strip().lower()
    if ".." in low:
        left, _, right = low.partition("..")
        a, b = _span(left, now), _span(right, now)
        if (left and a is None) or (right and b is None) or not (left or right):
            return None
        return TimeWindow(a[0] if a else 0.0, b[1] if b else now.timestamp(), 0.0, hard=True)
    if low[:1] in "<>" and (back := _BACK.match(low[1:])):
        edge = now.timestamp() - int(back[1]) * _UNITS[back[2]]
        return TimeWindow(edge, now.timestamp(), 0.0, True) if low[0] == "<" else TimeWindow(0.0, edge, 0.0, True)
    if low[:1] in "<>" and (span := _span(low[1:], now)):
        return TimeWindow(0.0, span[0], 0.0, True) if low[0] == "<" else TimeWindow(span[1], now.timestamp(), 0.0, True)
    span = _span(low, now)
    return TimeWindow(span[0], span[1], 0.0, True) if span else None


def _span(value: str, now: datetime) -> tuple[float, float] | None:
    today = now.date()
    named = {
        "today": (today, today + timedelta(1)),
        "yesterday": (today - timedelta(1), today),
        "week": (today - timedelta(7), today + timedelta(1)),
        "month": (today - timedelta(31), today + timedelta(1)),
        "year": (today - timedelta(366), today + timedelta(1)),
    }.get(value)
    if named:
        return _stamp(named[0], now), _stamp(named[1], now)
    match = _DAY.match(value)
    if not match:
        return None
    year, month, day = int(match[1]), match[2], match[3]
    try:
        if month is None:
            first, last = date(year, 1, 1), date(year + 1, 1, 1)
        elif day is None:
            first = date(year, int(month), 1)
            last = (first + timedelta(32)).replace(day=1)
        else:
            first = date(year, int(month), int(day))
            last = first + timedelta(1)
        return _stamp(first, now), _stamp(last, now)
    except (ValueError, OverflowError):
        return None


def _stamp(day: date, now: datetime) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo).timestamp()


class _State:
    """Collects the parts of one cue."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._words: list[str] = []
        self._or = False
        self._groups: list[list[str]] = []
        self._phrases: list[str] = []
        self._without: list[str] = []
        self._windows: list[TimeWindow] = []
        self._needles: list[str] = []
        self._hints: list[str] = []
        self._lists: dict[str, list[str]] = {
            k: [] for k in ("runtimes", "projects", "branches", "roles", "kinds", "sessions")
        }

    def hint(self, words: str) -> None:
        self._hints.append(words)

    def phrase(self, token: str) -> None:
        body = " ".join(token.lstrip("-").strip('"“”').split())
        if not body:
            return
        if token.startswith("-"):
            self._without.append(body)
            return
        if self._or:
            self._alternative(body)
        else:
            self._phrases.append(body)
        self._words.append(body)

    def word(self, word: str) -> None:
        if word == "OR" and self._words:
            self._or = True
            return
        if len(word) > 1 and word[0] == "-" and word[1].isalnum():
            self._without.append(word[1:])
            return
        if self._or:
            self._alternative(word)
        self._words.append(word)

    def _alternative(self, text: str) -> None:
        """What follows an OR: it or what stands before must occur, so that a phrase before is not needed any more."""
        before = self._words[-1]
        if self._groups and self._groups[-1][-1] == before:
            self._groups[-1].append(text)
        else:
            self._groups.append([before, text])
            if self._phrases and self._phrases[-1] == before:
                self._phrases.pop()
        self._or = False

    def filter(self, token: str) -> None:
        negated = token.startswith("-")
        name, _, value = token.lstrip("-").partition(":")
        value = value.strip('"')
        key = name.lower() + ":"
        if key not in FILTER_WORDS or _ADDRESS.match(token):
            import difflib  # 5 ms of CPU, for a word that looks like a filter

            close = difflib.get_close_matches(key, FILTER_WORDS, n=1, cutoff=0.75)
            if close and not _ADDRESS.match(token):
                self._hints.append(f"“{key}” is no filter and was read as words; did you mean “{close[0]}”?")
            self.word(token)
            return
        sign = "-" if negated else ""
        if key == "date:":
            self._date(value, negated)
        elif key in ("tool:", "file:"):
            self._needles.append(value)
        else:
            for part in value.split(","):
                if part:
                    self._value(key, part, sign)

    def _date(self, value: str, negated: bool) -> None:
        window = date_window(value, self._now)
        if window is None:
            self._hints.append(
                f"“date:{value}” is no date; write date:2026-03, date:2026-03-01..2026-03-15, date:<2w or date:today"
            )
        elif negated:
            self._windows.append(TimeWindow(0.0, window.start, 0.0, True))
            self._windows.append(TimeWindow(window.end, self._now.timestamp(), 0.0, True))
        else:
            self._windows.append(window)

    def _value(self, key: str, value: str, sign: str) -> None:
        low = value.lower()
        if key == "agent:":
            known = AGENT_WORDS.get(low)
            if known is None:
                names = ", ".join(sorted(set(AGENT_WORDS.values())))
                self._hints.append(f"“agent:{value}” names no runtime that is read; known: {names}")
            self._lists["runtimes"].append(sign + (known or low))
        elif key == "role:":
            if low in ROLE_WORDS:
                self._lists["roles"].append(sign + ROLE_WORDS[low])
            else:
                self._hints.append(f"“role:{value}” was left out; write role:me or role:assistant")
        elif key == "is:":
            if low in IS_WORDS:
                self._lists["kinds"].append(sign + low)
            else:
                self._hints.append(f"“is:{value}” was left out; known: {', '.join(IS_WORDS)}")
        else:
            target = {"dir:": "projects", "project:": "projects", "branch:": "branches", "id:": "sessions"}[key]
            self._lists[target].append(sign + value)

    def result(self) -> Parsed:
        lists = {k: tuple(v) for k, v in self._lists.items()}
        return Parsed(
            words=" ".join(self._words),
            filters=Filters(**lists),
            phrases=tuple(self._phrases),
            without=tuple(self._without),
            any_of=tuple(tuple(g) for g in self._groups),
            windows=tuple(self._windows),
            needles=tuple(self._needles),
            hints=tuple(self._hints),
        )
