"""The demo's home folder: sessions, a project, a memory; and an environment in which nothing of the person's is seen."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import SurroundingsError
from tui.demo.archive import write_archive
from tui.demo.talks import talks

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
    """A temporary home with everything in it, entered: the folder one stands in is its project. Removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="recollect-demo-", ignore_cleanup_errors=True) as folder:
        home = Path(os.path.realpath(folder)) / "sam"
        home.mkdir()
        with surroundings(home):
            os.chdir(fill(home))
            yield home


def fill(home: Path) -> Path:
    """Write everything into `home`, which the environment must name for a home; return the project's root."""
    from tui.demo.claims import keep_claims

    records, root = write_home(home)
    keep_claims(records, [talk.name for talk in talks()])
    return root
