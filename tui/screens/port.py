"""What the screens ask of the program behind them. `core.library.Library` fulfils it; tests bring a fake."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from core.ports import IndexState, ProgressCall
from core.recall.model import Advance, Context, Handle, Scope, Searched, Utterance
from core.records.model import Locator, ReadProblem, Turn

if TYPE_CHECKING:
    from core.candidates import Candidate, Candidates


def never() -> bool:
    """A `cancelled` that is never true."""
    return False


class RecollectPort(Protocol):
    """The dialogue, the records and the index. Called from worker threads, one call per thread at a time."""

    def candidates(self, text: str, scope: Scope, limit: int = 50) -> Candidates:
        """The rows for a cue that is being typed, within milliseconds; with an empty text the newest records."""
        ...

    def newest(self) -> tuple[Candidate, ...]:
        """The newest sessions that the index holds as it is, sooner than `candidates`; none where that cannot be told."""
        ...

    def start(
        self,
        cue: str,
        scope: Scope,
        *,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Advance:
        """Open a dialogue with a cue."""
        ...

    def say(
        self,
        context: Context,
        utterance: Utterance,
        scope: Scope,
        *,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Advance:
        """Go on with a dialogue."""
        ...

    def find(self, path: str, line: int) -> tuple[Locator, int] | None:
        """The record that a cited file and line are of, and the byte at which the line begins; `None` if none is read there."""
        ...

    def window(
        self, locator: Locator, line: int, start: int, before: int, after: int
    ) -> tuple[Turn, ...] | ReadProblem:
        """The turns of the line at byte `start` and of its neighbours, in file order."""
        ...

    def raw_line(self, path: str, line: int, start: int) -> str:
        """The raw JSON of one line, bounded in length, made printable and masked."""
        ...

    def handle(self, locator: Locator) -> Handle:
        """How to go on with a session in its own runtime."""
        ...

    def export(self, locator: Locator, form: str) -> str:
        """The record as text; `form` is `md` or `json`."""
        ...

    def state(self) -> IndexState:
        """What the index holds."""
        ...

    def reload(self) -> None:
        """Look at the archive and the index afresh: another process changed them."""
        ...

    def roots(self) -> tuple[Searched, ...]:
        """Every place sessions are looked for, with the number of records in it."""
        ...


class LaterPort:
    """A port that is opened by the first call, on that call's worker thread: the first frame does not wait for it."""

    def __init__(
        self, opener: Callable[[], RecollectPort], begun: Callable[[], tuple[Candidate, ...] | None] = lambda: None
    ) -> None:
        """`begun` gives the newest sessions where somebody reads them already, `None` where nobody does."""
        self._opener = opener
        self._begun = begun
        self._opened: RecollectPort | None = None
        self._lock = threading.Lock()

    def _port(self) -> RecollectPort:
        with self._lock:
            if self._opened is None:
                self._opened = self._opener()
            return self._opened

    def candidates(self, text: str, scope: Scope, limit: int = 50) -> Candidates:
        """See `RecollectPort`."""
        return self._port().candidates(text, scope, limit)

    def newest(self) -> tuple[Candidate, ...]:
        """See `RecollectPort`."""
        begun = self._begun()
        return self._port().newest() if begun is None else begun

    def start(
        self,
        cue: str,
        scope: Scope,
        *,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Advance:
        """See `RecollectPort`."""
        return self._port().start(cue, scope, progress=progress, cancelled=cancelled)

    def say(
        self,
        context: Context,
        utterance: Utterance,
        scope: Scope,
        *,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Advance:
        """See `RecollectPort`."""
        return self._port().say(context, utterance, scope, progress=progress, cancelled=cancelled)

    def find(self, path: str, line: int) -> tuple[Locator, int] | None:
        """See `RecollectPort`."""
        return self._port().find(path, line)

    def window(
        self, locator: Locator, line: int, start: int, before: int, after: int
    ) -> tuple[Turn, ...] | ReadProblem:
        """See `RecollectPort`."""
        return self._port().window(locator, line, start, before, after)

    def raw_line(self, path: str, line: int, start: int) -> str:
        """See `RecollectPort`."""
        return self._port().raw_line(path, line, start)

    def handle(self, locator: Locator) -> Handle:
        """See `RecollectPort`."""
        return self._port().handle(locator)

    def export(self, locator: Locator, form: str) -> str:
        """See `RecollectPort`."""
        return self._port().export(locator, form)

    def state(self) -> IndexState:
        """See `RecollectPort`."""
        return self._port().state()

    def reload(self) -> None:
        """See `RecollectPort`."""
        self._port().reload()

    def roots(self) -> tuple[Searched, ...]:
        """See `RecollectPort`."""
        return self._port().roots()
