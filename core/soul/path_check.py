"""Verifies paths: whether the cited file or folder stands, and what became of it where it does not."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from core.soul.context import Ground
from core.soul.evidence import Standing
from core.soul.locating import Place, Resolved, normal
from core.soul.model import Anchor, Claim, Reason, State, Verdict

SHA = 7
"""Digits of a commit that a reason shows."""


def place_of(anchor: Anchor, claim: Claim, ground: Ground) -> Place:
    """Where the cited path leads. What stood exactly there when the claim was last committed is not found elsewhere:
    another file that ends so is another file."""
    if anchor.raw.startswith("/"):  # from the root, and from nowhere else
        place = ground.paths.resolve(anchor.target, loose=False)
        return (
            place
            if place.how is not Resolved.RELATIVE
            else Place(Resolved.MISSING, normal(anchor.target) or anchor.target)
        )
    place = ground.paths.resolve(anchor.target)
    if place.how not in (Resolved.SUFFIX, Resolved.RELATIVE) or not ground.touch or ground.written_since(claim):
        return place
    spelled = [c for s in ground.paths.spelled(anchor.target) if (c := normal(s)) and c != place.path]
    gone = next((path for path in spelled if _left_since(path, ground)), "")
    return Place(Resolved.MISSING, gone) if gone else place


def _left_since(path: str, ground: Ground) -> bool:
    """True if a path was there at the document's last touch and is not any more."""
    if any(p == path or p.startswith(path + "/") for p in ground.evidence.removed):
        return True
    sha = ground.history.left(path) if ground.history is not None else ""
    return bool(sha) and ground.history is not None and not ground.history.reaches(ground.touch, sha)


def check_path(anchor: Anchor, claim: Claim, ground: Ground) -> Verdict | None:
    """The verdict on a path; `None` if it turns out to be none (a branch, somebody's repository, a word)."""
    if anchor.form == "file" and ground.evidence.settled(anchor.target):
        return Verdict(anchor, State.FRESH, found=anchor.target)  # nearly every one
    if anchor.form == "glob":
        return check_glob(anchor, ground)
    place = place_of(anchor, claim, ground)
    if place.how in (Resolved.EXACT, Resolved.RELATIVE, Resolved.SUFFIX):
        if other := _other_kind(anchor, place.path, ground):
            return Verdict(anchor, State.STALE, Reason.CHANGED.value, other, place.path)
        detail = "" if place.how is Resolved.EXACT else f"resolved_as {place.path}"
        return Verdict(anchor, State.FRESH, detail=detail, found=place.path)
    verdict = absent(anchor, place, ground)
    if verdict is not None and verdict.reason.startswith("deleted_in") and _says_gone(anchor.raw, claim.text):
        return Verdict(anchor, State.FRESH, detail=f"gone, as the claim says: {verdict.reason}")
    return verdict


_GONE_AFTER = re.compile(
    r"[`\"”)]{0,2}\s+(?:(?:file|folder|module)\s+)?(?:(?:was|were|is|are|has been|have been|got)\s+)?(?:deleted|removed|dropped|retired|gone)\b"
    r"(?!\s+from\b)",
    re.IGNORECASE,
)
_GONE_BEFORE = re.compile(
    r"\b(?:deleted|removed|dropped|retired|delete|remove|drops?|removes|deletes)\s+(?:the\s+)?(?:(?:old|file|folder|module)\s+){0,2}[`\"“(]{0,2}$",
    re.IGNORECASE,
)
NEAR = 60
"""Characters before a cited name in which its removal may be told."""


def _says_gone(raw: str, text: str) -> bool:
    """True if a claim tells that what it cites was taken away: "`old.py` was deleted in #102", "removed `old.py`"."""
    at = text.find(raw)
    while at >= 0:
        if _GONE_AFTER.match(text, at + len(raw)) or _GONE_BEFORE.search(text[max(0, at - NEAR) : at]):
            return True
        at = text.find(raw, at + 1)
    return False


def _other_kind(anchor: Anchor, path: str, ground: Ground) -> str:
    """In words that a file stands where a folder is cited, or the other way round; `""` if neither is so."""
    standing = ground.evidence.standing(path)
    if anchor.form == "folder" and standing is Standing.FILE:
        return f"{path} is a file, not a folder."
    if anchor.form == "file" and standing is Standing.FOLDER and ground.touch:
        was = ground.evidence.text_at(ground.touch, path)
        return f"{path} was a file, and is a folder now." if was is not None else ""
    return ""


def absent(anchor: Anchor, place: Place, ground: Ground) -> Verdict | None:
    """What is said of a path that does not stand where it is cited."""
    if place.how is Resolved.OUTSIDE:
        return Verdict(anchor, State.UNPROVABLE, "outside", "It leads out of the project, where nothing is read.")
    if place.how is Resolved.AMBIGUOUS:
        return Verdict(
            anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, f"Several files end so: {_few(place.candidates)}."
        )
    path = place.path
    if path in ground.paths.files or path in ground.paths.folders:
        if ground.evidence.sparse:
            return Verdict(
                anchor, State.UNPROVABLE, "sparse_checkout", "It is tracked; this sparse checkout leaves it out."
            )
        return Verdict(
            anchor, State.STALE, Reason.FILE_MISSING.value, "It is tracked and was removed from the work tree."
        )
    if any(p == path or p.endswith("/" + path) or p.startswith(path + "/") for p in ground.evidence.removed):
        why = "It was removed; no commit says so yet."
        return Verdict(anchor, State.STALE, Reason.FILE_MISSING.value, why)
    past = _past(anchor, path, ground)
    if past is None and (inside := ground.paths.below_name(path)):
        past = _past(anchor, inside, ground)
    if past is not None:
        return past
    return _never(anchor, path, ground)


def _past(anchor: Anchor, path: str, ground: Ground) -> Verdict | None:
    """What history says of a path: renamed, deleted, or nothing."""
    history = ground.history
    if history is None:
        return None
    known = path in history.moves or path in history.deletions
    names = history.past_names.get(path.rpartition("/")[2], ())
    former = [path] if known else [n for n in names if n.endswith("/" + path)]
    for one in former:
        moved = history.renamed_to(one, ground.paths.files)
        if moved and ground.evidence.standing(moved[0]).value == "file":
            return Verdict(
                anchor, State.STALE, f"renamed_to {moved[0]}", f"Commit {moved[1][:SHA]} renamed it.", moved[0]
            )
    for one in former:
        if sha := history.deletions.get(one):
            return Verdict(anchor, State.STALE, f"deleted_in {sha[:SHA]}", f"Commit {sha[:SHA]} deleted {one}.")
    if former:
        return Verdict(
            anchor, State.STALE, Reason.FILE_MISSING.value, "It was renamed, and what it became is gone too."
        )
    if sha := history.past_folders.get(path):
        return Verdict(anchor, State.STALE, f"deleted_in {sha[:SHA]}", f"Commit {sha[:SHA]} took its last files away.")
    return None


def _never(anchor: Anchor, path: str, ground: Ground) -> Verdict | None:
    """A path that history does not know."""
    evidence = ground.evidence
    if module := next((s for s in evidence.submodules if path == s or path.startswith(s + "/")), ""):
        out = evidence.standing(f"{module}/.git") is not Standing.MISSING
        why = "It is not in the submodule that is checked out here, whose own history is not read."
        return Verdict(
            anchor, State.UNPROVABLE, "submodule", why if out else "It lies in a submodule that is not checked out."
        )
    if evidence.ignored(path) or (anchor.form == "folder" and evidence.ignored(path + "/")):
        return Verdict(anchor, State.UNPROVABLE, "ignored", "Git ignores it, and it is not here.")
    if anchor.form == "maybe":
        return None  # a branch, owner/repo, an alternation: recognisable, and no file
    if "/" not in path:
        return None  # a file name counts where the project has or had it
    if ground.history is None or not ground.history.complete or evidence.tracked is None:
        why = "The history here is not whole, so it cannot be told whether it was ever there."
        return Verdict(anchor, State.UNPROVABLE, "history_incomplete", why)
    return Verdict(anchor, State.STALE, "never_landed", "No commit ever held it.")


def check_glob(anchor: Anchor, ground: Ground) -> Verdict | None:
    """The verdict on a pattern; `None` for one of names alone (`*.pyc`) that the project neither has nor had."""
    matches = ground.paths.matching(anchor.target)
    missing = [pattern for pattern, found in matches.items() if not found]
    if not missing:
        count = sum(len(found) for found in matches.values())
        return Verdict(anchor, State.FRESH, detail=f"matches {count}", found=next(iter(matches.values()))[0])
    if ground.evidence.tracked is None or ground.evidence.sparse:
        return Verdict(anchor, State.UNPROVABLE, "listing_failed", "The tracked files could not be listed in full.")
    if any(ground.evidence.standing(folder) is Standing.OUTSIDE for p in missing if (folder := _fixed(p))):
        return Verdict(anchor, State.UNPROVABLE, "outside", "It leads out of the project, where nothing is read.")
    if "/" not in anchor.target and not any(_had(pattern, ground) for pattern in missing):
        return None
    if all(ground.evidence.ignored(p) for p in missing):
        return Verdict(anchor, State.UNPROVABLE, "ignored", f"Git ignores {_few(missing)}, and nothing of it is here.")
    return Verdict(anchor, State.STALE, Reason.FILE_MISSING.value, f"Nothing matches {_few(missing)}.")


def _fixed(pattern: str) -> str:
    """The folder in which a pattern begins to choose, `""` if that is the root."""
    return re.split(r"[*?\[]", pattern)[0].rpartition("/")[0]


def _had(pattern: str, ground: Ground) -> bool:
    """True if a file that is gone was called so."""
    gone = {path.rpartition("/")[2] for path in ground.evidence.removed}
    gone |= {path.rpartition("/")[2] for path in ground.paths.files}
    return any(fnmatchcase(name, pattern) for name in (*gone, *(ground.history.past_names if ground.history else ())))


def _few(names: tuple[str, ...] | list[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
