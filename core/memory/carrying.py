"""How a question reaches an owner: a call in this process for the embedded one, HTTP for one that a team shares."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Mapping
from dataclasses import field
from typing import Protocol
from urllib.parse import urlencode, urlsplit

from core.errors import UsageError
from core.frozen import dataclass
from core.memory.routes import Answer, answer
from core.memory.store import SqlStore
from core.memory.trouble import OwnerTrouble

SECONDS = 10.0
"""How long a question may take altogether, connecting and reading included."""
MAX_ANSWER = 64 << 20
"""Bytes of an answer that are read."""
_CHUNK = 1 << 16


class Carrier(Protocol):
    """Carries questions to one owner."""

    @property
    def kind(self) -> str:
        """`embedded` or `http`."""
        ...

    @property
    def place(self) -> str:
        """Where the owner is, for people."""
        ...

    def ask(self, method: str, path: str, query: Mapping[str, str] | None = None, body: bytes = b"") -> Answer:
        """Ask, and return the whole answer. Raises `OwnerTrouble` where there is none, or it was cut short."""
        ...


@dataclass(frozen=True, slots=True)
class Embedded:
    """The owner in this process."""

    store: SqlStore
    place: str
    kind: str = "embedded"

    def ask(self, method: str, path: str, query: Mapping[str, str] | None = None, body: bytes = b"") -> Answer:
        """Answer from the store."""
        return answer(self.store, method, path, query or {}, body)


@dataclass(frozen=True, slots=True)
class OverHttp:
    """An owner behind HTTP. A connection per question; every wait is bounded, and a body that is not as long as it was
    announced is no answer."""

    place: str
    """Its address, `http://` or `https://`, with a path in front of the routes if it has one."""
    token: str = field(default="", repr=False)
    seconds: float = SECONDS
    kind: str = "http"

    def ask(self, method: str, path: str, query: Mapping[str, str] | None = None, body: bytes = b"") -> Answer:
        """Ask over HTTP; redirects and proxies are not followed, so that the token goes nowhere else."""
        parts = urlsplit(self.place)
        connection = _connection(parts.scheme, parts.hostname or "", parts.port, self.seconds)
        headers = {"Accept": "application/json", "Connection": "close"}
        if body:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        target = parts.path.rstrip("/") + path + (f"?{urlencode(query)}" if query else "")
        until = time.monotonic() + self.seconds
        try:
            connection.request(method, target, body or None, headers)
            return self._answer(connection, until)
        except TimeoutError as problem:
            raise self._away(f"did not answer within {self.seconds:g} s") from problem
        except http.client.HTTPException as problem:
            raise self._away(f"broke off its answer ({type(problem).__name__})") from problem
        except (OSError, ValueError) as problem:
            raise self._away(f"cannot be reached: {getattr(problem, 'strerror', None) or problem}") from problem
        finally:
            connection.close()

    def _answer(self, connection: http.client.HTTPConnection, until: float) -> Answer:
        response = connection.getresponse()
        announced = response.getheader("Content-Length")
        parts: list[bytes] = []
        size = 0
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if connection.sock is not None:
                connection.sock.settimeout(left)
            chunk = response.read1(_CHUNK)
            if not chunk:
                break
            parts.append(chunk)
            size += len(chunk)
            if size > MAX_ANSWER:
                raise self._away(f"answered with more than {MAX_ANSWER >> 20} MB")
        length = int(announced) if announced and announced.isascii() and announced.isdigit() else None
        if length is None and response.getheader("Transfer-Encoding", "").lower() != "chunked":
            raise self._away("did not say how long its answer is, so it cannot be known to be whole")
        if length is not None and length != size:
            raise self._away(f"announced {length:,} bytes and sent {size:,}")
        return Answer(response.status, b"".join(parts), length)

    def _away(self, what: str) -> OwnerTrouble:
        return OwnerTrouble(f"The memory at {self.place} {what}.", "Is it running? recollect memory status says more.")


def checked_address(address: str, source: str) -> str:
    """An owner's address. Raises `UsageError` naming where it was set; a password in it belongs into the token's file."""
    try:
        parts = urlsplit(address)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        fits = False
    if not fits or parts.query or parts.fragment or any(c.isspace() or ord(c) < 0x20 for c in address):
        raise UsageError(f"{source} cannot be “{address}”.", "Write the owner's address: http://127.0.0.1:8377")
    if parts.username or parts.password:
        raise UsageError(
            f"{source} must not hold a name or a password.", "Put the token into a file: memory.token_file."
        )
    return address.rstrip("/")


def _connection(scheme: str, host: str, port: int | None, seconds: float) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port, timeout=seconds)
