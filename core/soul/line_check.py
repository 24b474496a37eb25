"""Verifies line hints by what the lines say: the text at the document's last touch against the text that stands now.

The symbol is the contract, the line is a hint (design/soul.md 2). Comparing a file's length alone calls most drifted
hints fresh (reference/soul-upstream.md 9).
"""

from __future__ import annotations

from collections.abc import Sequence

from core.soul.context import Ground
from core.soul.locating import Resolved
from core.soul.model import Anchor, AnchorClass, Claim, Reason, State, Verdict
from core.soul.path_check import absent, check_glob, place_of
from core.soul.symbol_check import meant_by

TELLING = 3
"""Letters and digits that lines must hold together to be found again elsewhere; a lone brace is everywhere."""


def check_lines(anchor: Anchor, claim: Claim, ground: Ground) -> Verdict | None:
    """The verdict on `path:12`, `path:10-20`, `path:3,9`."""
    if any(c in anchor.target for c in "*?{"):
        return _of_several(anchor, ground)
    place = place_of(anchor, claim, ground)
    if place.how not in (Resolved.EXACT, Resolved.RELATIVE, Resolved.SUFFIX):
        return absent(anchor, place, ground)
    resolved = "" if place.how is Resolved.EXACT else f"resolved_as {place.path}"
    text = ground.evidence.text(place.path)
    if text is None:
        why = f"{place.path} cannot be read as text here."
        return Verdict(anchor, State.UNPROVABLE, "unreadable", why, place.path)
    lines = split(text)
    if _defined_there(anchor, claim, place.path, ground):
        return Verdict(anchor, State.FRESH, detail=resolved, found=f"{place.path}:{anchor.spans[0][0]}")
    then = None if ground.written_since(claim) or not ground.touch else _lines_then(place.path, lines, ground)
    worst: Verdict | None = None
    for span in anchor.spans:
        verdict = _span(anchor, span, place.path, lines, then, resolved)
        if worst is None or verdict.state.rank > worst.state.rank:
            worst = verdict
    return worst


def _of_several(anchor: Anchor, ground: Ground) -> Verdict | None:
    """The verdict on `src/{a,b}.py:12`: whether the files are there; whose line it is cannot be told."""
    verdict = check_glob(anchor, ground)
    if verdict is None or verdict.state is not State.FRESH:
        return verdict
    why = "It names a line of several files."
    return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, why, verdict.found)


def split(text: str) -> list[str]:
    """Lines by LF, CRLF or CR, a byte order mark and white space at their ends left out: what an editor does to them
    changes nothing."""
    return [line.rstrip() for line in text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")]


def _lines_then(path: str, now: list[str], ground: Ground) -> list[str] | None:
    """The file's lines at the document's last touch, `None` if it was not there."""
    if ground.unchanged(path):
        return now
    text = _then(path, ground)
    return split(text) if text is not None else None


def _then(path: str, ground: Ground) -> str | None:
    """The file's text at the document's last touch, under the name it had then."""
    text = ground.evidence.text_at(ground.touch, path)
    if text is None and ground.history is not None:
        former = next((old for old, (new, _) in ground.history.moves.items() if new == path), "")
        if former:
            text = ground.evidence.text_at(ground.touch, former)
    return text


def _span(
    anchor: Anchor, span: tuple[int, int], path: str, now: Sequence[str], then: Sequence[str] | None, resolved: str
) -> Verdict:
    first, last = min(span), max(span)
    count = len(now) - (1 if now and not now[-1] else 0)
    fresh = Verdict(anchor, State.FRESH, detail=resolved, found=f"{path}:{first}")
    if first < 1:
        return Verdict(anchor, State.STALE, Reason.LINE_DRIFT.value, "Lines count from 1.", path)
    if then is None:
        if last > count:
            return Verdict(anchor, State.STALE, Reason.LINE_DRIFT.value, f"{path} has {count} lines.", path)
        return fresh
    block = list(then[first - 1 : last])
    if len(block) < last - first + 1 or last > len(then):
        block = []
    if block and now[first - 1 : last] == block and (_telling(block) or list(now) == list(then)):
        return fresh
    if not block:  # the hint was out of range when it was written
        if last > count:
            return Verdict(anchor, State.STALE, Reason.LINE_DRIFT.value, f"{path} has {count} lines.", path)
        return fresh
    return _moved(anchor, block, path, now, first, count)


def _moved(anchor: Anchor, block: list[str], path: str, now: Sequence[str], first: int, count: int) -> Verdict:
    """The cited text does not stand there any more: where it stands now, if anywhere."""
    if not _telling(block):
        why = "The cited lines hold too little text to be found again."
        return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, why, path)
    places = [n + 1 for n in range(len(now) - len(block) + 1) if now[n : n + len(block)] == block]
    if len(places) == 1:
        last = places[0] + len(block) - 1
        shown = f"{path}:{places[0]}" + (f"-{last}" if len(block) > 1 else "")
        return Verdict(anchor, State.STALE, Reason.LINE_DRIFT.value, f"The text stands at {shown} now.", shown)
    if places:
        listed = ", ".join(str(p) for p in places[:6])
        why = f"The text stands at several lines now: {listed}."
        return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, why, path)
    if first > count:
        return Verdict(
            anchor, State.STALE, Reason.LINE_DRIFT.value, f"{path} has {count} lines, and the text is gone.", path
        )
    return Verdict(anchor, State.STALE, Reason.CHANGED.value, f"The text that stood at line {first} is gone.", path)


def _telling(block: Sequence[str]) -> bool:
    """True if lines hold enough text to know them again."""
    return sum(c.isalnum() for line in block for c in line) >= TELLING


def _defined_there(anchor: Anchor, claim: Claim, path: str, ground: Ground) -> bool:
    """True if a symbol that the claim names is defined inside every hinted span."""
    symbols = [a.target for a in claim.anchors if a.kind is AnchorClass.SYMBOL]
    lines = [d.line for s in symbols for d in meant_by(s, ground.symbols) if d.path == path and not d.bodiless]
    return bool(lines) and all(any(min(s) <= line <= max(s) for line in lines) for s in anchor.spans)
