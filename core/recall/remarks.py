"""What a round says of how well its answer fits what was asked: a person reads it before the story."""

from __future__ import annotations

from core.recall.model import WholeKind

NEAREST = "Nothing fits well; this is the nearest that was found."
ALONE = "You asked for what was settled, and only one record was found that speaks of it; told is that session."
FALLBACK = {
    WholeKind.LINE: "You asked for a line of work, but no second record is tied to this session; told is the session.",
    WholeKind.TOPIC: "You asked for a topic, but no second record speaks of it; told is the session.",
    WholeKind.CONCEPT: "You asked for what was settled, but no record was found that carries it as settled; told is the "
    "session that fits best.",
}
_FIT = frozenset((NEAREST, ALONE, *FALLBACK.values()))


def of_the_fit(remark: str) -> bool:
    """True for a remark that says that the answer is not quite what was asked for."""
    return remark in _FIT
