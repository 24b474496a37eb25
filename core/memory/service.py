"""The owner over HTTP: the routes of `core.memory.routes` behind Starlette and uvicorn, for a memory that a team shares.

Every route needs the bearer token, where one is set; without one only this machine is served, and only to programs: a
web page that a person has open may send requests here too, so a merge must say that it is JSON, and every request must
name this machine as its host.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import socket
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from core.errors import SurroundingsError, UsageError
from core.memory.routes import EDGES, HEALTH, MAX_BODY, MERGE, NODES, SYNC, answer
from core.memory.store import SqlStore

_SECONDS_IDLE = 15
"""How long a connection may stand without a whole request: before the first one, between two, and while one begins."""
_SECONDS_BODY = 10.0
"""How long a body may take to arrive: a caller that sends it drop by drop does not keep a place from others."""
_AT_ONCE = 64
"""Requests that are worked on at once; more are told to come again."""


def is_loopback(host: str) -> bool:
    """True if a host's name or address means this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def checked_host(host: str, token: str) -> None:
    """Raise `UsageError` where an owner would be open to others without a token."""
    if not token and not is_loopback(host):
        raise UsageError(
            f"--host {host} is open to other machines, so a token is needed.",
            "Write a long random word into a file and name it with --token-file.",
        )


def application(store: SqlStore, token: str = "") -> Starlette:
    """The owner of a store as an application of the web. `token`: what a caller must bring; `""`: this machine only."""

    async def take(request: Request) -> Response:
        if refusal := _refusal(request, token):
            return refusal
        body = b""
        if request.method == "POST":
            try:
                async with asyncio.timeout(_SECONDS_BODY):
                    body = await _bounded(request)
            except TimeoutError:
                return _error(408, "too_slow", "The body did not arrive in time.", {"Connection": "close"})
            except _TooLarge:
                return _error(413, "too_large", f"A body may have {MAX_BODY} bytes at most.")
            except ClientDisconnect:
                return _error(400, "incomplete", "The body broke off.")  # nobody reads it; nothing was merged
        query = dict(request.query_params)
        got = await run_in_threadpool(answer, store, request.method, request.url.path, query, body)
        return Response(got.body, got.status, media_type="application/json")

    paths = (MERGE, NODES, NODES + "/{id}", EDGES, SYNC, HEALTH, "/{rest:path}")
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return Starlette(routes=[Route(path, take, methods=methods) for path in paths])


def serve(store: SqlStore, host: str, port: int, token: str, announce: Callable[[str], None]) -> None:
    """Serve until interrupted. `announce` hears the address once the port is open (`port` 0: any that is free).

    Raises `UsageError` for a host that needs a token, `SurroundingsError` where the port cannot be had or the store
    cannot be used.
    """
    checked_host(host, token)
    opened = _listening(host, port)
    store.counts()  # a store that cannot be reached is said now, not at the first claim
    name = f"[{host}]" if ":" in host else host
    announce(f"http://{name}:{opened.getsockname()[1]}")
    try:
        server_of(store, token).run(sockets=[opened])
    finally:
        opened.close()


def server_of(store: SqlStore, token: str) -> uvicorn.Server:
    """The server of a store, not listening yet; what it waits for is bounded."""
    config = uvicorn.Config(
        application(store, token), log_level="warning", access_log=False, server_header=False, lifespan="off",
        limit_concurrency=_AT_ONCE, timeout_keep_alive=_SECONDS_IDLE, timeout_graceful_shutdown=_SECONDS_IDLE,
        log_config=None, ws="none", loop="asyncio", http=BoundedProtocol,
    )  # fmt: skip
    return uvicorn.Server(config)


class BoundedProtocol(H11Protocol):
    """A connection that does not wait for its caller without end: uvicorn's own bound counts only after a response, and
    any byte ends it, so that a caller who says nothing, or a letter an hour, would keep one of the places."""

    _waits: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Wait for a request, not for ever."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take bytes in; what is no whole request yet has the time that was left to it."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._waits = self._end(self._waits)
        else:
            self._wait()

    def pause_writing(self) -> None:
        """The caller reads no further: it is given up after the same time."""
        super().pause_writing()
        self._end(self._stuck)
        self._stuck = self.loop.call_later(_SECONDS_IDLE, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads on."""
        super().resume_writing()
        self._stuck = self._end(self._stuck)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._waits, self._stuck = self._end(self._waits), self._end(self._stuck)
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._waits is None:
            self._waits = self.loop.call_later(_SECONDS_IDLE, self.transport.close)

    @staticmethod
    def _end(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
        """End a timer; what stands for none afterwards."""
        if timer is not None:
            timer.cancel()
        return None


class _TooLarge(Exception):
    """A body above the bound."""


async def _bounded(request: Request) -> bytes:
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > MAX_BODY:
        raise _TooLarge
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_BODY:
            raise _TooLarge
        parts.append(part)
    return b"".join(parts)


def _refusal(request: Request, token: str) -> Response | None:
    if token:
        given = request.headers.get("authorization", "").encode("latin-1", "replace")
        if not hmac.compare_digest(given, f"Bearer {token}".encode()):
            return _error(401, "unauthorized", "This memory needs its token.", {"WWW-Authenticate": "Bearer"})
    elif not is_loopback(_host_of(request.headers.get("host", ""))):
        return _error(403, "forbidden", "Without a token, this memory answers to this machine alone.")
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if request.method == "POST" and kind != "application/json":
        return _error(415, "not_json", "A body must say that it is application/json.")
    return None


def _host_of(header: str) -> str:
    """The host in a `Host` header, without its port."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0]


def _error(status: int, error: str, what: str, headers: dict[str, str] | None = None) -> Response:
    body = json.dumps({"error": error, "what": what, "ids": []})
    return Response(body, status, headers, media_type="application/json")


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.socket(family, kind, protocol)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(128)
    except (OSError, OverflowError) as problem:
        raise SurroundingsError(
            f"The memory cannot listen at {host}:{port}: {getattr(problem, 'strerror', None) or problem}.",
            "Name another place with --host and --port.",
        ) from problem
    return opened
