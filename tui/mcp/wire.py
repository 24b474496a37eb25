"""The wire between a client and the server: what cannot be read is answered too, and a client that says no more is heard out.

The library drops a line that is no message without a word, and gives up what still runs when its client closes stdin. Both
are told here, in between: JSON-RPC 2.0, section 5.1, names the codes; the specification of MCP has a client close stdin first
and wait for the server to end.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.shared.message import SessionMessage

PARSE_ERROR = -32700
"""The line is no JSON."""
INVALID_REQUEST = -32600
"""It is JSON, but no message of JSON-RPC."""


class Relay:
    """Hands messages on in both directions, and knows which requests are not answered yet."""

    def __init__(self, outgoing: WriteStream[SessionMessage], seconds: float) -> None:
        """`seconds` is how long answers are waited for after the client said its last."""
        import anyio

        self._outgoing = outgoing
        self._seconds = seconds
        self._open: set[str | int] = set()
        self._none_open = anyio.Event()
        self._no_more = False

    async def inwards(
        self,
        incoming: ReadStream[SessionMessage | Exception],
        server: MemoryObjectSendStream[SessionMessage | Exception],
    ) -> None:
        """Hand on what the client sends, until it says no more and has been answered, or the time is up."""
        import anyio

        async with server:
            async for item in incoming:
                if isinstance(item, Exception):
                    reply = refusal(item)
                    if reply is not None:
                        await self._outgoing.send(reply)
                    continue
                self._note_request(item)
                await server.send(item)
            self._no_more = True
            if self._open:
                with anyio.move_on_after(self._seconds):
                    await self._none_open.wait()

    async def outwards(self, server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Hand on what the server answers."""
        async with server, self._outgoing:
            async for item in server:
                await self._outgoing.send(item)
                self._note_answer(item)

    def _note_request(self, item: SessionMessage) -> None:
        from mcp_types import JSONRPCNotification, JSONRPCRequest

        message = item.message
        if isinstance(message, JSONRPCRequest):
            self._open.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._close((message.params or {}).get("requestId"))

    def _note_answer(self, item: SessionMessage) -> None:
        from mcp_types import JSONRPCError, JSONRPCResponse

        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._close(item.message.id)

    def _close(self, id_: object) -> None:
        if isinstance(id_, str | int):
            self._open.discard(id_)
        if self._no_more and not self._open:
            self._none_open.set()


@asynccontextmanager
async def heard_out(
    incoming: ReadStream[SessionMessage | Exception], outgoing: WriteStream[SessionMessage], seconds: float
) -> AsyncIterator[tuple[Any, Any]]:
    """The streams for a server between which and the client a `Relay` stands."""
    import anyio

    to_server, from_client = anyio.create_memory_object_stream[Any](0)
    to_client, from_server = anyio.create_memory_object_stream[Any](0)
    relay = Relay(outgoing, seconds)
    async with anyio.create_task_group() as group:
        group.start_soon(relay.inwards, incoming, to_server)
        group.start_soon(relay.outwards, from_server)
        yield from_client, to_client


def refusal(problem: Exception) -> SessionMessage | None:
    """The answer to a line that could not be read; `None` for an empty one, which asks nothing."""
    from mcp.shared.message import SessionMessage
    from mcp_types import ErrorData, JSONRPCError
    from pydantic import ValidationError

    found = problem.errors(include_url=False) if isinstance(problem, ValidationError) else []
    if any(error["type"] == "json_invalid" for error in found):
        if not str(found[0]["input"]).strip():
            return None
        code, words = PARSE_ERROR, "Parse error: the line is no JSON. One message stands on one line."
    else:
        code, words = (
            INVALID_REQUEST,
            'Invalid Request: a message has "jsonrpc": "2.0" and a "method", and names in "params".',
        )
    whole = (error["input"] for error in found if error["type"] == "missing" and isinstance(error["input"], dict))
    id_ = next((one["id"] for one in whole if _is_id(one.get("id"))), None)
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=id_, error=ErrorData(code=code, message=words)))


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
