"""Runs git over GitPython's command layer: bounded in time and bytes, deaf to what a repository's configuration wants run.

A repository is foreign data. Whatever git would start on its word is switched off for every process: hooks, pager,
prompts, external diffs, text conversion, clean filters, the file system monitor, signature checks, remotes of every
kind (a partial clone fetches on reading) and auxiliary processes. `safe.directory` stays in force.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
import threading
from collections.abc import Mapping, Sequence
from subprocess import PIPE
from typing import IO, TYPE_CHECKING, Any

from core.repositories.model import RepositoryProblem, Trouble
from core.repositories.places import Place
from core.text import one_line

if TYPE_CHECKING:
    from git.cmd import Git

SECONDS = 10.0
"""How long a process may take unless said otherwise."""
MAX_BYTES = 256 * 1024 * 1024
"""Bytes of output that are read of one process."""
MAX_WORDS = 16_384
"""Bytes of git's complaints that are read."""
_CONFIG = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false", "core.pager=cat", "core.askPass=",
    "core.sshCommand=false", "credential.helper=", "color.ui=false",
    "diff.renameLimit=400", "diff.orderFile=/dev/null", "log.showSignature=false", "log.follow=false", "log.showRoot=true",
    "log.mailmap=false", "gpg.program=false", "protocol.allow=never", "submodule.recurse=false",
    "status.submoduleSummary=false", "gc.auto=0", "maintenance.auto=false",
)  # fmt: skip
"""Each overrides what the repository, the person or the machine configured, for this process alone."""
_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat", "PAGER": "cat", "GIT_OPTIONAL_LOCKS": "0", "GIT_ASKPASS": "",
    "SSH_ASKPASS": "", "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1", "GIT_SSH_COMMAND": "false", "GIT_PROTOCOL_FROM_USER": "0", "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TRACE": "0", "GIT_ATTR_NOSYSTEM": "1",
}  # fmt: skip
_INHERITED = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES",
)  # fmt: skip
"""Set where the program is started by a git hook; they would point every read at that repository."""


class GitRunner:
    """Starts git for one place and counts how often. Threads may share it."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._folder = place.root or place.git_dir
        self._git: Git | None = None
        self._argv: tuple[str, ...] = ()
        self._environment: Mapping[str, str] = {}
        self.started = 0
        """Processes started so far."""

    def run(
        self, args: Sequence[str], *, given: bytes = b"", seconds: float = SECONDS, max_bytes: int = MAX_BYTES
    ) -> bytes | RepositoryProblem:
        """The output of one git command, or why there is none. `given` is what it reads."""
        process = self.start(args, reads=bool(given))
        if isinstance(process, RepositoryProblem):
            return process
        talk = Conversation(process, seconds)
        output = talk.hear(given, max_bytes)
        status, words = talk.end()
        if talk.late:
            return self._problem(Trouble.TIMEOUT, f"git {_command(args)} took longer than {seconds:g} seconds and was stopped.",
                                 "Ask again when the disk is less busy, or for a smaller part.")  # fmt: skip
        if len(output) > max_bytes:
            return self._problem(Trouble.TOO_LARGE, f"git {_command(args)} answered more than {max_bytes:,} bytes.",
                                 "Ask for a smaller part.")  # fmt: skip
        return output if status == 0 else self._failed(_command(args), status, words)

    def start(self, args: Sequence[str], *, reads: bool) -> Any | RepositoryProblem:
        """Start a process and return it (`Popen`, by GitPython's wrapper), for talks that go to and fro."""
        ready = self._ready()
        if ready is not None:
            return ready
        assert self._git is not None
        from git.exc import GitCommandNotFound

        try:
            process = self._git.execute(
                [*self._argv, *args], istream=PIPE if reads else None, as_process=True, shell=False,
                env=self._environment,
            )  # fmt: skip
        except (GitCommandNotFound, OSError) as error:
            return self._problem(Trouble.GIT_MISSING, f"git could not be started: {one_line(str(error), 200)}.",
                                 "Check that git is installed and that you may run it.")  # fmt: skip
        self.started += 1
        return process

    def _ready(self) -> RepositoryProblem | None:
        """Prepare the command once. GitPython is loaded here: most runs read no git."""
        if self._git is not None:
            return None
        program = shutil.which("git")
        if program is None:
            return self._problem(
                Trouble.GIT_MISSING, "git is not installed, so the history of projects cannot be read.", "Install git."
            )
        explicit = self._environment_of()
        if isinstance(explicit, RepositoryProblem):
            return explicit
        try:
            command = _command_layer()
        except ImportError as error:  # GitPython runs `git version` when it is loaded, and raises where that fails
            return self._problem(Trouble.GIT_MISSING, f"git cannot be run: {one_line(str(error), 200)}.",
                                 "Check that the git on your PATH works.")  # fmt: skip
        options = [part for setting in _CONFIG for part in ("-c", setting)]
        self._argv = (os.path.abspath(program), "--no-pager", *options)
        self._environment = {**_ENVIRONMENT, **explicit}
        self._git = command(self._folder)
        return None

    def _environment_of(self) -> dict[str, str] | RepositoryProblem:
        """The variables that name the repository. Of one that is ours every folder is named, so that neither what is
        inherited nor `core.worktree` leads elsewhere; of another user's git must decide itself whether to trust it."""
        place = self._place
        try:
            ours = os.stat(place.git_dir).st_uid == os.getuid()
        except OSError:
            return self._problem(Trouble.NOT_A_REPOSITORY, "The repository went away.", "Check that its folder exists.")
        if not ours:
            if any(os.environ.get(name) for name in _INHERITED[:3]):
                return self._problem(Trouble.FOREIGN, "Another user owns the repository, and GIT_DIR is set.",
                                     "Start the program without GIT_DIR.")  # fmt: skip
            return {}
        named = {
            "GIT_DIR": place.git_dir, "GIT_COMMON_DIR": place.common_dir,
            "GIT_INDEX_FILE": os.path.join(place.git_dir, "index"),
            "GIT_OBJECT_DIRECTORY": os.path.join(place.common_dir, "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": "", "GIT_NAMESPACE": "",
        }  # fmt: skip
        if place.root:
            named["GIT_WORK_TREE"] = place.root
        return named

    def _failed(self, command: str, status: int, words: str) -> RepositoryProblem:
        """Why git ended with an error. Its words are asked for in English; what they do not say is told as they are."""
        low = words.lower()
        first = one_line(words.strip().partition("\n")[0].removeprefix("fatal: ").removeprefix("error: "), 200)
        if "dubious ownership" in low or "unsafe repository" in low:
            return self._problem(Trouble.FOREIGN, "Another user owns the repository, so git does not read it.",
                                 "If you trust it: git config --global --add safe.directory and the folder.")  # fmt: skip
        if ".lock" in low and ("exists" in low or "unable to create" in low):
            return self._problem(Trouble.LOCKED, f"Another git process holds the repository: {first}.",
                                 "Ask again when it has ended.")  # fmt: skip
        if any(sign in low for sign in _BROKEN):
            return self._problem(Trouble.CORRUPT, f"The repository is damaged: {first}.", "Run: git fsck, in it.")
        if "not a git repository" in low:
            return self._problem(Trouble.NOT_A_REPOSITORY, "There is no git repository here.", "")
        if any(sign in low for sign in _NOWHERE):
            return self._problem(Trouble.NOT_FOUND, f"git {command} found nothing: {first}.", "Check the name.")
        return self._problem(Trouble.FAILED, f"git {command} ended with {status}: {first or 'no words'}.", "")

    def _problem(self, kind: Trouble, what: str, hint: str) -> RepositoryProblem:
        return RepositoryProblem(kind, self._folder, what, hint)


_LOADING = threading.Lock()


def _command_layer() -> type[Git]:
    """GitPython's command layer without the rest of the package (objects, index, remotes, configuration), which takes
    twice the time of the layer to load and is not asked for here. Whoever imports `git` later gets all of it."""
    with _LOADING:
        spec = importlib.util.find_spec("git") if "git" not in sys.modules else None
        if spec is not None:
            sys.modules["git"] = importlib.util.module_from_spec(spec)
            try:
                importlib.import_module("git.cmd")
            except (ImportError, AttributeError):
                sys.modules.pop("git.cmd", None)  # it asks its package for something: all of it is loaded
            finally:
                sys.modules.pop("git", None)
        loaded = sys.modules.get("git.cmd") or importlib.import_module("git.cmd")
        layer: type[Git] = loaded.Git
    return layer


_BROKEN = (
    "corrupt", "bad object", "index file smaller", "bad signature", "loose object", "unable to read tree",
    "could not read", "broken", "missing blob", "missing tree", "unable to read", "bad config", "bad tree", "bad index",
)  # fmt: skip
_NOWHERE = (
    "unknown revision",
    "bad revision",
    "no such path",
    "has only",
    "invalid object name",
    "does not exist",
    "ambiguous",
    "there is no path",
)


class Conversation:
    """Reads and feeds a process until it ends or its time is over."""

    def __init__(self, process: Any, seconds: float) -> None:
        self._process = process
        self.late = False
        self._words: list[bytes] = []
        self._listener = threading.Thread(target=self._hear_words, daemon=True)
        self._listener.start()
        self._alarm = threading.Timer(seconds, self._stop)
        self._alarm.daemon = True
        self._alarm.start()

    def _stop(self) -> None:
        self.late = True
        self._process.proc.kill()

    def _hear_words(self) -> None:
        """Drain what git complains, so that it never waits for a reader."""
        stream: IO[bytes] = self._process.stderr
        kept = 0
        while chunk := stream.read(4096):
            if kept < MAX_WORDS:
                self._words.append(chunk)
                kept += len(chunk)

    def hear(self, given: bytes, max_bytes: int) -> bytes:
        """Give the process its input and read its output up to one byte more than the bound."""
        feeder = None
        if given:
            feeder = threading.Thread(target=self._feed, args=(given,), daemon=True)
            feeder.start()
        output = bytes(self._process.stdout.read(max_bytes + 1))
        if len(output) > max_bytes:
            self._process.proc.kill()
        if feeder is not None:
            feeder.join()
        return output

    def _feed(self, given: bytes) -> None:
        try:
            self._process.stdin.write(given)
            self._process.stdin.close()
        except (BrokenPipeError, ValueError):
            self.refused = True  # it ended before it had read everything: its status says why

    refused = False

    def end(self) -> tuple[int, str]:
        """Wait for the end; the status and git's words."""
        status = int(self._process.proc.wait())
        self._alarm.cancel()
        self._listener.join()
        for stream in (self._process.stdout, self._process.stderr):
            stream.close()
        return status, b"".join(self._words)[:MAX_WORDS].decode("utf-8", "replace")


def _command(args: Sequence[str]) -> str:
    """Which of git's commands it was: the first word that is no setting."""
    at = 0
    while at + 2 < len(args) and args[at] == "-c":
        at += 2
    return args[at]
