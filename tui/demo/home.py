"""The demo's home folder: sessions, a project, a memory; and an environment in which nothing of the person's is seen."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import SurroundingsError
from tui.demo.archive import write_archive
from tui.demo.talks import talks

PREFIX = "recollect-demo-"
"""How the temporary folder of a demo's home is called."""
_RUNNING = "running"
"""A file beside the home that is locked while the demo runs."""
CODE = "code"
"""The folder of the home in which the projects lie."""
_KEPT = frozenset(
    """
    PATH TERM COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION LANG LANGUAGE TZ NO_COLOR FORCE_COLOR NO_MOTION EDITOR VISUAL SHELL
    TMPDIR DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR TMUX STY SSH_TTY SSH_CONNECTION COLUMNS LINES PYTHONPATH PYTHONDONTWRITEBYTECODE
    VIRTUAL_ENV SYSTEMROOT WSL_DISTRO_NAME
    """.split()  # noqa: SIM905
)
"""What of the environment the demo needs: the terminal, the language, the editor, the clipboard."""


def write_home(home: Path) -> tuple[tuple[Path, ...], Path]:
    """Write sessions and project below `home`; return the records and the project's root.

    Raises `SurroundingsError` where git cannot be run, which the project needs.
    """
    records = write_archive(home, str(home / CODE))
    for project in {talk.project for talk in talks()}:
        (home / CODE / project).mkdir(parents=True, exist_ok=True)
    try:
        from tui.demo.repository import write_repository

        return records, write_repository(home / CODE)
    except (ImportError, OSError) as problem:
        raise SurroundingsError(
            f"The demo's project could not be made: {problem}.", "Install git; it is what the demo's project lies in."
        ) from problem


@contextmanager
def surroundings(home: Path) -> Iterator[None]:
    """The environment with `home` for a home: no root, no setting, no memory and no git configuration of the person's."""
    before, folder = dict(os.environ), os.getcwd()
    kept = {k: v for k, v in before.items() if k in _KEPT or k.startswith(("LC_", "TEXTUAL"))}
    os.environ.clear()
    os.environ.update(
        kept, HOME=str(home), USER="sam", LOGNAME="sam", GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1"
    )
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        os.chdir(folder)


@contextmanager
def demo_home() -> Iterator[Path]:
    """A temporary home with everything in it, entered: the folder one stands in is its project. Removed afterwards; so is
    what a demo left that was killed."""
    _sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        home = Path(os.path.realpath(folder)) / "sam"
        home.mkdir()
        begun = home.parent / "begun"
        with open(begun, "wb") as running, surroundings(home):
            fcntl.flock(running, fcntl.LOCK_EX)
            begun.rename(home.parent / _RUNNING)  # locked before anybody looks for it
            os.chdir(fill(home))
            yield home


def _sweep(folder: Path) -> None:
    """Remove the homes of the person's own demos that do not run any more. What `--print-home` made has no lock and stays."""
    for left in folder.glob(f"{PREFIX}*/{_RUNNING}"):
        with suppress(OSError):  # somebody else's, or gone since
            if left.parent.is_symlink() or left.parent.stat().st_uid != os.getuid():
                continue
            with open(left, "rb") as running:
                fcntl.flock(running, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left.parent, ignore_errors=True)


def fill(home: Path) -> Path:
    """Write everything into `home`, which the environment must name for a home; return the project's root."""
    from tui.demo.claims import keep_claims

    records, root = write_home(home)
    keep_claims(records, [talk.name for talk in talks()])
    return root
