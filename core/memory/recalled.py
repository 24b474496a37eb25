"""A claim from an identified recall: what was told, with the story's cites as its evidence.

Only a recall that a person closed is kept: what nobody identified is no memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import UsageError
from core.frozen import dataclass
from core.memory.claim import Claim, Evidence, EvidenceKind, new_claim, read_evidence
from core.recall.model import RecalledContext
from core.records.recordfile import cited_place

TAG = "recalled"


@dataclass(frozen=True, slots=True)
class Told:
    """An identified recall, as far as a claim needs it."""

    title: str
    sentences: tuple[str, ...]
    cites: tuple[tuple[str, int], ...]
    """Path and line of each quote."""


def told_of(recalled: RecalledContext) -> Told:
    """What a dialogue's outcome tells."""
    cites = tuple(cited_place(one.path, one.line, one.quote) for one in recalled.story)
    members = recalled.recognizable.members
    title = members[0].title or members[0].gist if members else ""
    return Told(title, tuple(one.text for one in recalled.story), cites or tuple((m.locator.path, 0) for m in members))


def told_in(document: object) -> Told:
    """What `recollect recall --json` printed. Raises `UsageError` where that is none, or nobody identified it."""
    hint = 'Close the recall with your own words: recollect recall CUE --say "that\'s it" --json'
    if not isinstance(document, dict) or document.get("schema") != "recollect-recall-v1":
        raise UsageError("This is no document of recollect recall --json.", hint)
    if _at(document, "outcome", "kind") != "identified":
        raise UsageError("The recall was not identified, so there is nothing to keep.", hint)
    story: list[Any] = []
    for round_ in reversed(document.get("rounds") or []):
        if story := _at(round_, "story") or []:
            break
    sentences = tuple(str(_at(one, "text") or "") for one in story)
    cites = tuple(
        (str(path), int(line))
        for one in story
        if isinstance(path := _at(one, "cite", "path"), str) and isinstance(line := _at(one, "cite", "line"), int)
    )
    title = _at(document, "outcome", "recalled", "title") or ""
    path = _at(document, "outcome", "recalled", "path")
    if not cites and isinstance(path, str):
        cites = ((path, 0),)
    return Told(str(title), tuple(filter(None, sentences)), cites)


def claim_of_recall(told: Told, *, text: str = "", **fields: Any) -> Claim:
    """The claim. `text`: the person's own words, else the story's; `fields` are those of `new_claim`."""
    evidence = [*fields.pop("evidence", ()), *_evidence(told.cites)]
    fields.setdefault("kind", "event")
    tags = tuple(dict.fromkeys((*fields.pop("tags", ()), TAG)))
    words = text or "\n".join(told.sentences) or told.title
    label = fields.pop("label", "") or (told.title if not text else "")
    return new_claim(words, label=label, evidence=evidence, tags=tags, **fields)


def _evidence(cites: Sequence[tuple[str, int]]) -> list[Evidence]:
    """The cites as locators, each once; a path that no locator can write down (it holds a line break) is left out."""
    found: dict[Evidence, None] = {}
    for path, line in cites:
        one = Evidence(EvidenceKind.RECORD, path, line or None)
        try:
            if read_evidence(str(one)) == one:
                found[one] = None
        except UsageError:
            continue  # such a path cannot be written on one line
    return list(found)


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
