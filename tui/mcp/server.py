"""The server: lists the tools, runs a command of this very program for each call, and answers with its document.

A call is a process of its own: it can be stopped, it cannot take the server with it, and what it answers is what
`recollect … --json` prints. Nothing listens: the client starts the server and speaks to it over its stdin and stdout.
"""

from __future__ import annotations

import errno
import json
from typing import TYPE_CHECKING, Any

from core.errors import RecollectError, SurroundingsError, UsageError
from core.text import shown
from tui.background import own_command
from tui.mcp.bounds import bounded
from tui.mcp.tools import TOOLS, command_of, schema_of, tool_named
from tui.mcp.wire import heard_out

if TYPE_CHECKING:
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

SECONDS = 300.0
"""How long one call may take."""
HEARD_OUT = SECONDS + 10
"""Seconds for which a client that closed stdin is still answered: a call that came last may take its own time."""
_ANSWERED = frozenset((0, 1, 3, 75))
"""Exit codes that may come with a document: found, nothing, something is missing around (`needs_ingest`), kept in the spool."""
_ABOUT = (
    "Recollect recalls past sessions of coding agents on this machine, checks the project's handoff document, and keeps what "
    "was settled. Search and recall first, open what they name with show, and cite path and line. Nothing leaves this machine."
)


def serve(*, write: bool) -> int:
    """Serve until the client goes away; one that no longer reads has gone, and there is nobody to tell."""
    import anyio

    try:
        anyio.run(_serve, write)
    except* BrokenPipeError:
        from tui.output import silence_stdout

        silence_stdout()
    return 0


async def _serve(write: bool) -> None:
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

    from tui.cli import VERSION

    async def listed(_: object, __: PaginatedRequestParams | None) -> ListToolsResult:
        return list_tools(write=write)

    async def called(_: object, params: CallToolRequestParams) -> CallToolResult:
        return await call_tool(params.name, params.arguments or {}, write=write)

    server: Any = Server("recollect", version=VERSION, instructions=_ABOUT, on_list_tools=listed, on_call_tool=called)
    async with stdio_server() as ends, heard_out(ends[0], ends[1], HEARD_OUT) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def list_tools(*, write: bool) -> ListToolsResult:
    """Every tool that this server runs; those that cannot work without writing only where it may write."""
    from mcp_types import ListToolsResult, Tool, ToolAnnotations

    return ListToolsResult(
        tools=[
            Tool(
                name=tool.name,
                description=tool.about,
                input_schema=schema_of(tool, write=write),
                annotations=ToolAnnotations(
                    read_only_hint=not write or not (tool.writes or tool.writing or tool.dry),
                    destructive_hint=False,
                    open_world_hint=False,
                ),
            )
            for tool in TOOLS
            if write or not tool.writes
        ]
    )


async def call_tool(name: str, arguments: dict[str, Any], *, write: bool) -> CallToolResult:
    """Run a tool; what went wrong is an answer too, in words and with what to do next."""
    try:
        argv, given = command_of(tool_named(name), arguments, write=write)
        code, out, err = await _run(argv, given)
    except RecollectError as problem:
        return _refused(problem.what, problem.hint)
    try:
        document = json.loads(out) if code in _ANSWERED and out.strip() else None
    except ValueError:
        document = None
    if not isinstance(document, dict):
        return _refused(shown(err.decode("utf-8", "replace")).strip() or f"The command ended with {code}.", "")
    return _answer(bounded(document))


async def _run(argv: list[str], given: bytes) -> tuple[int, bytes, bytes]:
    """Run the command. Raises `SurroundingsError` where it cannot be started or takes too long."""
    import anyio

    try:
        with anyio.fail_after(SECONDS):
            done = await anyio.run_process(own_command(*argv), input=given, check=False)
    except TimeoutError as problem:
        raise SurroundingsError(
            f"It took longer than {SECONDS:g} seconds and was stopped.", "Run `recollect index` once, then ask again."
        ) from problem
    except OSError as problem:
        if problem.errno == errno.E2BIG:
            raise UsageError("The values are too long together.", "Give less of them.") from problem
        raise SurroundingsError(
            f"The command could not be started: {problem.strerror or problem}.", "Try again."
        ) from problem
    return done.returncode, done.stdout, done.stderr


def _answer(document: dict[str, Any]) -> CallToolResult:
    from mcp_types import CallToolResult, TextContent

    text = json.dumps(document, ensure_ascii=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=document)


def _refused(what: str, hint: str) -> CallToolResult:
    from mcp_types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(text=f"{what}\nhint: {hint}" if hint else what)], is_error=True)
