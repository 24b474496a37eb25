"""What git's NUL-separated answers mean: no output that is made for people is read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.repositories.model import Commit, FileChange, Listing, Ref

COMMIT_FORMAT = "%H%x00%P%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B%x00"
"""One commit for `git log -z`: nine fields, each ended by a NUL, which no field can hold."""
REF_FORMAT = "%00".join(
    ("%(refname)", "%(objecttype)", "%(objectname)", "%(*objectname)", "%(creatordate:unix)", "%(taggername)",
     "%(committername)", "%(contents:subject)", "")
)  # fmt: skip
"""One ref for `git for-each-ref`: eight fields, each ended by a NUL."""
_FIELDS = 9
_STATUS = re.compile(r"[ACDMRTUXB]\d{0,3}")


def words(raw: bytes) -> str:
    """Bytes of a name or a message as text; what is no UTF-8 is kept as lone surrogates."""
    return raw.decode("utf-8", "surrogateescape")


def commits(raw: bytes) -> Iterator[Commit]:
    """The commits of `git log -z --format=COMMIT_FORMAT`, with `--name-status` or without.

    After a commit's fields come its files, a status and one or two names each. A name follows a status and nothing
    else, so a file called like a commit is not taken for one.
    """
    parts = raw.split(b"\0")
    at = 0
    while at + _FIELDS <= len(parts):
        while at < len(parts) and not parts[at].strip(b"\n"):
            at += 1
        if at + _FIELDS > len(parts):
            return
        fields = [words(part) for part in parts[at : at + _FIELDS]]
        at += _FIELDS
        files: list[FileChange] = []
        while at < len(parts):
            status = words(parts[at].strip(b"\n"))
            if not status:
                at += 1
            elif _STATUS.fullmatch(status) and at + 1 < len(parts):
                change, at = _change(status, parts, at + 1)
                files.append(change)
            else:
                break
        yield _commit(fields, tuple(files))


def changes(raw: bytes) -> Iterator[FileChange]:
    """The files of `git diff --name-status -z`: a status, then one name, or two where a file was renamed or copied."""
    parts = raw.split(b"\0")
    at = 0
    while at + 1 < len(parts):
        status = words(parts[at].strip(b"\n"))
        if not _STATUS.fullmatch(status):
            at += 1
            continue
        change, at = _change(status, parts, at + 1)
        yield change


def _change(status: str, parts: list[bytes], at: int) -> tuple[FileChange, int]:
    if status[0] in "RC" and at + 1 < len(parts):
        return FileChange(status[0], words(parts[at + 1]), words(parts[at])), at + 2
    return FileChange(status[0], words(parts[at])), at + 1


def _commit(fields: list[str], files: tuple[FileChange, ...]) -> Commit:
    sha, parents, author, author_email, authored, committer, committer_email, committed, message = fields
    return Commit(
        sha.strip("\n"), tuple(parents.split()), author, author_email, _seconds(authored) or 0.0, committer,
        committer_email, _seconds(committed) or 0.0, message.strip("\n"), files,
    )  # fmt: skip


def refs(raw: bytes) -> Iterator[Ref]:
    """The refs of `git for-each-ref --format=REF_FORMAT`; those that lead to no commit are passed over."""
    parts = raw.split(b"\0")
    for at in range(0, len(parts) - 8, 8):
        name, kind, sha, peeled, date, tagger, committer, subject = (words(p).strip("\n") for p in parts[at : at + 8])
        if kind in ("commit", "tag"):
            person = tagger if kind == "tag" else committer
            yield Ref(name, peeled or sha, _seconds(date), person, subject, annotated=kind == "tag")


_LISTED = re.compile(rb"(.) (\d+) [0-9a-f]+ (\d)\t([^\0]+)\0", re.DOTALL)
"""Tag, mode, object, stage, path."""


def listing(raw: bytes) -> Listing:
    """The files of `git ls-files -z -v --stage`. A tag other than `H` stands for a file that git does not look at or that
    is not merged."""
    rows = _LISTED.findall(raw)
    paths = tuple(dict.fromkeys([words(path) for _, _, _, path in rows]))
    odd = [words(path) for tag, mode, stage, path in rows if tag != b"H" or mode[:3] != b"100" or stage != b"0"]
    return Listing(paths, frozenset(odd))


def statuses(raw: bytes) -> Iterator[FileChange]:
    """The files of `git status --porcelain=v1 -z`: two letters, a space, a name; a renamed one's old name follows."""
    parts = iter(raw.split(b"\0"))
    for part in parts:
        if len(part) > 3:
            letters, name = words(part[:2]), words(part[3:])
            old = words(next(parts, b"")) if "R" in letters or "C" in letters else ""
            yield FileChange(letters.strip()[:1] or "M", name, old)


def _seconds(text: str) -> float | None:
    try:
        return float(int(text))
    except ValueError:
        return None  # a commit without a date that can be read
