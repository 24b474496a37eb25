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
        self._origin: list[Turn] = []
        self._origin_other: Turn | None = None
        self._last: deque[Turn] = deque(maxlen=OUTCOMES)
        self._turning: list[tuple[float, int, Turn]] = []
        self._scored: list[tuple[float, int, Turn, Turn | None]] = []
        self._after: dict[int, Turn] = {}
        self._waiting: list[int] = []
        self._before: Turn | None = None

    def take(self, turn: Turn) -> None:
        if turn.copied or not turn.text.strip():
            return
        turn = _cut(turn)
        number = self._count
        self._count += 1
        for waiting in self._waiting:
            self._after[waiting] = turn
        self._waiting.clear()
        self._keep_origin(turn)
        self._keep_turning(turn, number)
        score = self._score(turn)
        if score > 0:
            self._scored.append((score, number, turn, self._before))
            self._waiting.append(number)
            if len(self._scored) > 8 * REACHED:
                self._scored = sorted(self._scored, key=lambda s: (-s[0], s[1]))[: 4 * REACHED]
        self._last.append(turn)
        self._before = turn

    def _keep_origin(self, turn: Turn) -> None:
        if turn.origin is Origin.PERSON and len(self._origin) < ORIGINS:
            self._origin.append(turn)
        elif self._origin_other is None and turn.origin is not Origin.PERSON:
            self._origin_other = turn

    def _keep_turning(self, turn: Turn, number: int) -> None:
        if turn.origin is not Origin.PERSON or is_trivial(turn.text) or turn.channel is not Channel.TALK:
            return
        hits = len(_TURN.findall(turn.text[:600]))
        if hits:
            weight = min(hits, 3) / (1 + len(turn.text) / 800)
            self._turning.append((weight, number, turn))
            if len(self._turning) > 2 * TURNINGS:
                self._turning = sorted(self._turning, key=lambda t: (-t[0], t[1]))[:TURNINGS]

    def _score(self, turn: Turn) -> float:
        if self._spans:
            return self._spans.get((turn.line, turn.start), 0.0)
        low = turn.text.lower()
        return sum(v for w, v in self._words.items() if w in low)

    def opened(self) -> Opened:
        best = sorted(self._scored, key=lambda s: (-s[0], s[1]))[:REACHED]
        reached: dict[int, Turn] = {}
        for _, number, turn, before in best:
            reached[number] = turn
            answered = self._after.get(number)
            if before is not None and turn.origin is Origin.ASSISTANT and before.origin is Origin.PERSON:
                reached.setdefault(number - 1, before)
            if answered is not None and turn.origin is Origin.PERSON and answered.origin is Origin.ASSISTANT:
                reached.setdefault(number + 1, answered)
        turning = sorted(self._turning, key=lambda t: (-t[0], t[1]))[:TURNINGS]
        origin = self._origin or ([self._origin_other] if self._origin_other is not None else [])
        return Opened(
            origin=self._placed(origin),
            reached=self._placed([reached[n] for n in sorted(reached)]),
            turning=self._placed([t for _, _, t in turning]),
            outcome=self._placed(list(self._last)),
            turns=self._count,
        )

    def _placed(self, turns: list[Turn]) -> tuple[Placed, ...]:
        return tuple(Placed(t, self._path) for t in turns)


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
