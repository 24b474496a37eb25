"""Pruning by hand: which lines go, the exact difference, and the change itself (design/soul.md 6).

Only the lines of pruned claims are taken out; every other byte stays (newlines of any kind, a byte order mark, a missing
last newline). What is left must read as before: if taking lines out would turn other text into something else, it is
refused. Declared claims are never taken out here: they become proposals in the report.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from core.errors import RecollectError, UsageError
from core.frozen import dataclass
from core.soul.document import parse
from core.soul.model import Claim, Document, Tissue
from core.soul.removals import alike_texts, is_blank
from core.soul.tissue import TissueTable

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class DocumentMoved(RecollectError):
    """The document is not the one that was read: somebody else changed it. Nothing was written."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Prune:
    """One decision of the curator."""

    lines: tuple[int, int]
    """First and last line of the claim in the document as it was read."""
    what: str
    """The claim's words."""
    why: str
    where_it_went: str
    proposed: bool = False
    """True for declared tissue: it stays in the document until a person takes it out."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a prune would do, decided before anything is written."""

    before: bytes
    after: bytes
    removed: tuple[Claim, ...]
    proposed: tuple[Claim, ...]
    prunes: tuple[Prune, ...]

    @property
    def sha256(self) -> str:
        """The document it was made for."""
        return hashlib.sha256(self.before).hexdigest()

    def diff(self, path: str) -> str:
        """The exact difference, unified, with three lines of context."""
        return unified(self.before, self.after, path)


NO_END = "\\ No newline at end of file"
"""What stands in a difference below a last line that has no end, as in git's."""


def unified(before: bytes, after: bytes, path: str) -> str:
    """The difference of two documents; line ends that differ from the rest are not shown as such."""
    rows = difflib.unified_diff(_rows(before), _rows(after), f"a/{path}", f"b/{path}", lineterm="")
    return "\n".join(rows)


def _rows(data: bytes) -> list[str]:
    """The lines of a document without their ends; a last one that has none says so."""
    lines = re.split(r"\r\n|\r|\n", data.decode("utf-8", "replace").removeprefix("\ufeff"))
    last = lines.pop()
    return [*lines, f"{last}\n{NO_END}"] if last else lines


def plan(data: bytes, prunes: Sequence[Prune], table: TissueTable | None = None) -> Plan:
    """Decide which lines go.

    Raises `UsageError` naming the claim where a decision is not complete, names no claim, leaves nested items without
    their parent, or would change how the rest reads.
    """
    document = parse(data.decode("utf-8", "replace"), table)
    by_lines = {c.lines: c for c in document.claims}
    chosen: dict[tuple[int, int], Claim] = {}
    kept: list[Prune] = []
    for prune in prunes:
        claim = by_lines.get(prune.lines)
        if claim is None or not alike_texts(prune.what, claim.text):
            claim = _by_words(document, prune)
        if claim is None:
            raise UsageError(
                f"Line {prune.lines[0]} of the document is not the claim “{prune.what[:60]}”.",
                "Check again: the document may have changed. Run: recollect soul check",
            )
        _complete(prune, claim)
        chosen[claim.lines] = claim
        kept.append(replace(prune, lines=claim.lines, what=claim.text, proposed=claim.tissue is Tissue.DECLARED))
    removed = tuple(c for c in chosen.values() if c.tissue is not Tissue.DECLARED)
    proposed = tuple(c for c in chosen.values() if c.tissue is Tissue.DECLARED)
    _orphans(document, removed)
    return Plan(data, _without(data, document, removed, table), removed, proposed, tuple(kept))


def _by_words(document: Document, prune: Prune) -> Claim | None:
    """The claim that begins at the line, or the only one with these words."""
    same = [c for c in document.claims if c.text == prune.what]
    return next((c for c in same if c.lines[0] == prune.lines[0]), same[0] if len(same) == 1 else None)


def _complete(prune: Prune, claim: Claim) -> None:
    for value, name, hint in (
        (prune.why, "why", "Say why it goes."),
        (prune.where_it_went, "where it went", "Say memory, another document, git history, or gone."),
    ):
        if is_blank(value):
            raise UsageError(f"The prune of line {claim.lines[0]} does not say {name}.", hint)


def _orphans(document: Document, removed: Sequence[Claim]) -> None:
    """Nested items whose parent goes must be decided too: alone they would hang on another item."""
    going = {c.lines for c in removed}
    for claim in removed:
        last = claim.own_lines[-1][1]
        inside = [
            c for c in document.claims
            if c.lines not in going and c.lines != claim.lines and _below(c, claim, document)
        ]  # fmt: skip
        if inside:
            listed = ", ".join(str(c.lines[0]) for c in inside[:6])
            raise UsageError(
                f"The item at line {claim.lines[0]} has nested items at {'lines' if len(inside) > 1 else 'line'} {listed} "
                f"that would be left without it (it ends at line {last}).",
                "Prune them too, each with its own reason, or keep it.",
            )


def _below(child: Claim, parent: Claim, document: Document) -> bool:
    return any(child.lines[0] == n for n in document.nested.get(parent.lines, ()))


def _without(data: bytes, document: Document, removed: Sequence[Claim], table: TissueTable | None) -> bytes:
    """The document without the lines of these claims, checked to read as before."""
    if not removed:
        return data
    lines = _LINE.findall(data)
    going = {n for c in removed for a, b in c.own_lines for n in range(a, b + 1)}
    texts = [c for c in document.claims if c not in removed]
    for spare in (False, True):  # where two blocks would run together, one empty line stays between them
        kept = [
            (_end(line) if spare and number - 1 not in going else b"") if number in going else line
            for number, line in enumerate(lines, 1)
        ]
        after = b"".join(kept)
        if _reads_alike(texts, parse(after.decode("utf-8", "replace"), table)):
            return after
    first = min(going)
    raise UsageError(
        f"Taking line {first} out would change how the lines around it read.",
        "Edit the document by hand there: put an empty line before and after the claim, then prune.",
    )


def _end(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]


def _reads_alike(expected: Sequence[Claim], found: Document) -> bool:
    """True if exactly these claims are left, in this order, in the same sections, as the same blocks."""
    then = [(c.text, c.section, c.tissue, c.block) for c in expected]
    return then == [(c.text, c.section, c.tissue, c.block) for c in found.claims]


# -- writing


def write_document(path: str, before_sha256: str, after: bytes) -> None:
    """Put `after` in the place of the document at `path` (absolute), if it is still the one with this hash.

    Atomic: a draft beside it is written, synced, given the document's own mode and owner, and renamed. Raises
    `DocumentMoved` if the document changed, `UsageError` where it cannot be written; in both cases nothing is changed.
    """
    real = os.path.realpath(path)
    _unchanged(real, before_sha256)
    folder = os.path.dirname(real)
    try:
        given = os.stat(real)
        mode = stat.S_IMODE(given.st_mode)
        if not mode & 0o222:  # renaming would go past what its owner asked for
            raise UsageError(f"{path} is read-only.", f"If it is to be curated: chmod u+w {path}")
        handle, draft = tempfile.mkstemp(prefix=f".{os.path.basename(real)}.", suffix=".tmp", dir=folder)
    except OSError as problem:
        raise UsageError(
            f"{path} cannot be written: {problem.strerror or problem}.", "Check that you may write in its folder."
        ) from problem
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        if (os.stat(draft).st_uid, os.stat(draft).st_gid) != (given.st_uid, given.st_gid):
            os.chown(draft, given.st_uid, given.st_gid)
        os.chmod(draft, mode)
        _unchanged(real, before_sha256)
        os.replace(draft, real)
    except OSError as problem:
        raise UsageError(
            f"{path} cannot be written: {problem.strerror or problem}.", "Nothing was changed."
        ) from problem
    finally:
        if os.path.exists(draft):
            os.unlink(draft)
    _sync(folder)


def _unchanged(path: str, sha256: str) -> None:
    try:
        with open(path, "rb") as file:
            now = hashlib.sha256(file.read()).hexdigest()
    except OSError as problem:
        raise DocumentMoved(
            f"{path} cannot be read any more: {problem.strerror or problem}.", "Check again before pruning."
        ) from problem
    if now != sha256:
        raise DocumentMoved(
            f"{path} was changed by somebody else since it was checked; nothing was written.",
            "Check again: recollect soul check. Your decisions are kept.",
        )


def _sync(folder: str) -> None:
    """Make the new name last. Where the folder cannot be synced the document is whole and written all the same: after a
    power cut it may be the one before."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
