"""Which turns of a record a story may be told from: a single pass, memory bounded, whatever the record's size."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping

from core.patterns import Pattern
from core.recall.search import Opened, Placed
from core.records.model import Channel, Origin, Turn

ORIGINS = 3
"""Turns kept from the beginning."""
OUTCOMES = 6
"""Turns kept from the end."""
TURNINGS = 24
"""Turns of the person that may be turning points, kept from the whole record."""
REACHED = 6
"""Passages of the cue that are opened, with the turn before and after each."""
LONGEST = 20_000
"""Characters of a turn that are looked at; a quote lies within them."""

_TURN = Pattern(
    r"\b(?:no|instead|actually|rather|don'?t|do not|stop|wait|wrong|not what|revert|undo|let'?s|we should|decide[ds]?|"
    r"go with|prefer|better|keep|drop|use|switch|nein|lieber|plutôt|mejor|melhor)\b|不要|改成|やめ|代わり|대신",
    re.IGNORECASE,
)
_TRIVIAL = Pattern(
    r"^\W*(?:yes|y|no|ok|okay|continue|go on|go ahead|proceed|thanks|thank you|sure|please|do it|next|hi|hello|hey|"
    r"test|exit|quit)?\W*$",
    re.IGNORECASE,
)


def is_trivial(text: str) -> bool:
    """True for a turn that says nothing by itself ("yes", "continue")."""
    return bool(_TRIVIAL.match(text[:60]))


def gather(
    turns: Iterable[Turn],
    path: str,
    spans: Mapping[tuple[int, int], float],
    words: Mapping[str, float],
) -> Opened:
    """Pick the turns that a story may be told from out of one pass over a record's conversation.

    `spans` maps `(line, start)` of the passages that the index reached to their score. `words` are the cue's terms with
    their weights: where the index named no passage (a record found by its head), the turns that hold most of their
    weight take their place.
    """
    picker = _Picker(path, spans, words)
    for turn in turns:
        picker.take(turn)
    return picker.opened()


class _Picker:
    """Keeps what a story needs while the turns pass by."""

    def __init__(self, path: str, spans: Mapping[tuple[int, int], float], words: Mapping[str, float]) -> None:
        self._path = path
        self._spans = spans
        self._words = {w.lower(): v for w, v in words.items()}
        self._count = 0
        self._asked = -1
        self._origin: list[Placed] = []
        self._origin_other: Placed | None = None
        self._last: deque[Placed] = deque(maxlen=OUTCOMES)
        self._turning: list[tuple[float, Placed]] = []
        self._scored: list[tuple[float, Placed, Placed | None]] = []
        self._after: dict[int, Placed] = {}
        self._waiting: list[int] = []
        self._before: Placed | None = None

    def take(self, turn: Turn) -> None:
        if turn.copied or not turn.text.strip():
            return
        placed = Placed(_cut(turn), self._path, self._count, self._asked)
        self._count += 1
        if turn.origin is Origin.PERSON:
            self._asked = placed.number
        for waiting in self._waiting:
            self._after[waiting] = placed
        self._waiting.clear()
        self._keep_origin(placed)
        self._keep_turning(placed)
        score = self._score(placed.turn)
        if score > 0:
            self._scored.append((score, placed, self._before))
            self._waiting.append(placed.number)
            if len(self._scored) > 8 * REACHED:
                self._scored = sorted(self._scored, key=_best_first)[: 4 * REACHED]
        self._last.append(placed)
        self._before = placed

    def _keep_origin(self, placed: Placed) -> None:
        handed_over = placed.turn.origin is Origin.INJECTED and placed.turn.channel is Channel.TALK and not self._origin
        if (placed.turn.origin is Origin.PERSON or handed_over) and len(self._origin) < ORIGINS:
            self._origin.append(placed)
        elif self._origin_other is None and placed.turn.origin is not Origin.PERSON:
            self._origin_other = placed

    def _keep_turning(self, placed: Placed) -> None:
        turn = placed.turn
        if turn.origin is not Origin.PERSON or is_trivial(turn.text) or turn.channel is not Channel.TALK:
            return
        hits = len(_TURN.findall(turn.text[:600]))
        if hits:
            weight = min(hits, 3) / (1 + len(turn.text) / 800)
            self._turning.append((weight, placed))
            if len(self._turning) > 2 * TURNINGS:
                self._turning = sorted(self._turning, key=_best_first)[:TURNINGS]

    def _score(self, turn: Turn) -> float:
        if self._spans:
            return self._spans.get((turn.line, turn.start), 0.0)
        low = turn.text.lower()
        return sum(v for w, v in self._words.items() if w in low)

    def opened(self) -> Opened:
        reached: dict[int, Placed] = {}
        for _, placed, before in sorted(self._scored, key=_best_first)[:REACHED]:
            origin, number = placed.turn.origin, placed.number
            reached[number] = placed
            answered = self._after.get(number)
            if before is not None and origin is Origin.ASSISTANT and before.turn.origin is Origin.PERSON:
                reached.setdefault(before.number, before)
            if answered is not None and origin is Origin.PERSON and answered.turn.origin is Origin.ASSISTANT:
                reached.setdefault(answered.number, answered)
        origin_turns = self._origin or ([self._origin_other] if self._origin_other is not None else [])
        return Opened(
            origin=tuple(origin_turns),
            reached=tuple(reached[n] for n in sorted(reached)),
            turning=tuple(placed for _, placed in sorted(self._turning, key=_best_first)[:TURNINGS]),
            outcome=tuple(self._last),
            turns=self._count,
        )


def _best_first(row: tuple[float, Placed] | tuple[float, Placed, Placed | None]) -> tuple[float, int]:
    return -row[0], row[1].number


def _cut(turn: Turn) -> Turn:
    """The turn with at most `LONGEST` characters of its text: the beginning, where a quote still stands verbatim."""
    if len(turn.text) <= LONGEST:
        return turn
    return Turn(
        turn.origin,
        turn.channel,
        turn.text[:LONGEST],
        turn.at,
        turn.line,
        turn.start,
        turn.end,
        turn.name,
        turn.uid,
        turn.copied,
    )
