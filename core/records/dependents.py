"""Records that lie beside the sessions: found only through the projects that sessions name.

For each project: its git history (`history_files`), its notes (`note_places`), the memory that Claude Code keeps for it,
and its SpecStory exports. Nothing is looked for anywhere else, and nothing where the folder is gone, but for history
that was read while it was there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from core.frozen import dataclass
from core.records.history_files import HistoryFiles, HistoryState
from core.records.history_lines import TAG, places
from core.records.model import ReadProblem, Root, Source
from core.records.note_places import memory_notes, notes_of
from core.records.recordfile import named
from core.repositories.places import Place, find_place

MAX_PROJECTS = 3000
"""Projects that are looked at."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What the projects hold."""

    sources: tuple[Source, ...]
    problems: tuple[ReadProblem, ...]
    roots: frozenset[str]
    """Roots that were listed completely."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """Which repository a folder is a checkout of."""

    common_dir: str
    remotes: tuple[str, ...] = ()

    def same(self, other: Checkout) -> str:
        """What two checkouts share, in words; `""` if nothing."""
        if self.common_dir == other.common_dir:
            return "worktrees of one repository"
        both = [name for name in self.remotes if name in other.remotes]
        return f"checkouts of {both[0]}" if both else ""


@dataclass(frozen=True, slots=True)
class RecordChanges:
    """The changes of a file, oldest first, by the paths of the commits' records."""

    records: tuple[str, ...]
    whole: bool
    """False where more changes lie before the oldest."""


@dataclass(frozen=True, slots=True)
class Dependents:
    """Finds the records of projects. Holds no open file."""

    history: HistoryFiles
    home: str
    claude_roots: tuple[str, ...] = ()
    """Roots of Claude Code, which keep memories by project."""
    notes: bool = True
    """False: no notes are read."""

    def catch_up(self, projects: Sequence[str], deadline: float | None = None) -> tuple[ReadProblem, ...]:
        """Bring the history of the projects up to date; git is started only for a repository that moved."""
        return self.history.bring_up_to_date(_repositories(projects), deadline)

    def moved(self, projects: Sequence[str]) -> bool:
        """True if a repository of the projects stands otherwise than when its history was read. Starts nothing."""
        return self.history.any_moved(_repositories(projects))

    def discover(self, projects: Sequence[str], taken: frozenset[str] = frozenset()) -> Listing:
        """Every record of these projects. `taken` are paths of roots that are listed already: they are no projects."""
        sources: dict[str, Source] = {}
        problems: list[ReadProblem] = []
        roots: set[str] = set()
        wanted = [p for p in _distinct(projects) if p not in taken]
        states = list(self.history.states()) if self.history.limit else []
        for file, state in states:
            if _named(state, wanted):
                roots.add(state.common_dir)
                if state.trouble:
                    problems.append(ReadProblem(state.roots[0], None, state.trouble, state.hint))
                from core.records.history import sources_of

                for source in sources_of(file, state.common_dir):
                    sources.setdefault(source.path, source)
        told: dict[tuple[str, str], Source] = {}
        # The main checkout before its worktrees, whose `.git` is a file: of equal notes its own is told.
        for project in sorted(_there(wanted), key=lambda folder: os.path.isfile(os.path.join(folder, ".git"))):
            for source in self._notes_of(project, roots) if self.notes else ():
                twin = told.setdefault((source.meta or source.root, source.session_id), source)
                if twin is source or not _same_text(twin, source):
                    sources.setdefault(source.path, source)
            for found in _exports_of(project, roots):
                if isinstance(found, ReadProblem):
                    problems.append(found)
                else:
                    sources.setdefault(found.path, found)
        return Listing(tuple(sources.values()), tuple(problems), frozenset(roots))

    def left_out(self) -> dict[str, int]:
        """By repository: commits that are older than those that are read."""
        return {state.common_dir: state.more for _, state in self.history.states() if state.more}

    def checkouts(self) -> dict[str, Checkout]:
        """Every working folder whose history was read, with its repository."""
        found: dict[str, Checkout] = {}
        for _, state in self.history.states():
            for root in state.roots:
                found[root] = Checkout(state.common_dir, state.remotes)
        return found

    def changes_of(self, folder: str, name: str, first: int, last: int) -> RecordChanges | ReadProblem | None:
        """See `Archive.changes_of`."""
        if not self.history.limit or find_place(folder) is None:
            return None
        from core.records.changes import FileChanges, changes_of  # git is read only where a cue names a file

        found = changes_of(folder, name, first, last)
        if isinstance(found, FileChanges):
            file = self.history.file_of(found.common_dir)
            return RecordChanges(tuple(named(file, sha) for sha in found.shas), found.whole)
        if found is None or found.kind == "not_found":
            return None
        return ReadProblem(folder, None, found.what, found.hint)

    def tag_times(self) -> tuple[tuple[str, float], ...]:
        """Every tag of the histories that were read, with its time, by name and time."""
        found = {
            (place.part.removeprefix(TAG), float(place.at))
            for file, _ in self.history.states()
            for place in places(file).values()
            if place.part.startswith(TAG) and place.at > 0
        }
        return tuple(sorted(found))

    def _notes_of(self, project: str, roots: set[str]) -> Iterator[Source]:
        """The notes of a project and of the repository it lies in, and Claude Code's memory of it."""
        place = find_place(project)
        top = place.root if place is not None and place.root else project
        file = self.history.file_of(place.common_dir) if place is not None else ""
        for folder in dict.fromkeys((project, top)):
            if folder != os.path.realpath(self.home) or folder == project:
                roots.add(folder)
                for note in notes_of(folder):
                    from core.records.notes import source_of  # reads notes, of which most folders hold none

                    yield source_of(note, folder, file)
        bucket = re.sub(r"[^A-Za-z0-9]", "-", project)
        for root in self.claude_roots:
            folder = os.path.join(root, "projects", bucket, "memory")
            if os.path.isdir(folder):
                roots.add(folder)
                for note in memory_notes(folder):
                    from core.records.notes import source_of

                    yield source_of(note, folder)


def root_of(folder: str, roots: Iterable[str]) -> str:
    """The innermost of these working folders that `folder` is, or lies in; `""` if none."""
    inside = [root for root in roots if folder == root or folder.startswith(root.rstrip("/") + "/")]
    return max(inside, key=len, default="")


def _repositories(projects: Sequence[str]) -> list[tuple[Place, Sequence[str]]]:
    """The repositories that the projects lie in, each once, with the working folders that were named."""
    found: dict[str, tuple[Place, list[str]]] = {}
    for project in _there(_distinct(projects)):
        place = find_place(project)
        if place is not None:
            _, roots = found.setdefault(place.common_dir, (place, []))
            root = place.root or place.git_dir
            if root not in roots:
                roots.append(root)
    return list(found.values())


def _there(projects: Iterable[str]) -> Iterator[str]:
    """Those that are folders. Where the folder around one is not there, nothing in it is asked after: worktrees and machines
    come and go, and sessions name them for good."""
    around: dict[str, bool] = {}
    for project in projects:
        parent = os.path.dirname(project)
        if parent not in around:
            around[parent] = os.path.isdir(parent)
        if around[parent] and os.path.isdir(project):
            yield project


def _distinct(projects: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(p for p in projects[:MAX_PROJECTS] if p.startswith("/")))


def _named(state: HistoryState, projects: Sequence[str]) -> bool:
    """True if a session named a working folder of the repository, or one inside it."""
    return any(p == root or p.startswith(root.rstrip("/") + "/") for root in state.roots for p in projects)


def _same_text(one: Source, other: Source) -> bool:
    """True if a note in two checkouts of one repository is the same: it is told once."""
    if one.path == other.path or one.size != other.size:
        return False
    import filecmp

    try:
        return filecmp.cmp(one.path, other.path, shallow=False)
    except OSError:
        return False  # it went away meanwhile: its own reading says so


def _exports_of(project: str, roots: set[str]) -> Iterator[Source | ReadProblem]:
    folder = os.path.join(project, ".specstory", "history")
    if os.path.isdir(folder):
        from core.records.specstory import RUNTIME, SpecStoryAdapter

        complete = True
        for found in SpecStoryAdapter().discover(Root(RUNTIME, folder, "project")):
            complete = complete and not isinstance(found, ReadProblem)
            yield found
        if complete:
            roots.add(folder)
