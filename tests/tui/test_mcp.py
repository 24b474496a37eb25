"""`recollect mcp`: every key of a schema is one that the command takes, answers are bounded, writing is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import UsageError
from tests.few import write_few
from tui.background import own_command
from tui.mcp import server
from tui.mcp.bounds import LEFT_OUT, bounded
from tui.mcp.tools import TOOLS, Tool, command_of, keys_of, schema_of, tool_named
from tui.mcp.wire import INVALID_REQUEST, PARSE_ERROR, heard_out, refusal
from tui.parser import build_parser

NAMES = [
    "recall", "search", "show", "soul_check", "soul_read", "curate_check", "memorize", "memory_list", "delegate", "debrief",
]  # fmt: skip


def example(schema: dict[str, Any]) -> object:
    if "enum" in schema:
        return schema["enum"][0]
    kinds = {"string": "x", "integer": 3, "boolean": True, "array": ["x", "-y"], "object": {"a": 1}}
    return kinds[schema["type"]]


def test_the_tools_are_those_of_the_contract() -> None:
    assert [tool.name for tool in TOOLS] == NAMES


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@pytest.mark.parametrize("write", [True, False])
def test_a_schema_lists_every_key_that_its_handler_accepts(tool: Tool, write: bool) -> None:
    if tool.writes and not write:
        with pytest.raises(UsageError, match="only reads"):
            command_of(tool, {"text": "x"}, write=False)
        return
    schema = schema_of(tool, write=write)
    assert set(schema["properties"]) == set(keys_of(tool, write=write))
    arguments = {key: example(value) for key, value in schema["properties"].items()}
    words, given = command_of(tool, arguments, write=write)
    for key, value in schema["properties"].items():
        alone = {needed: arguments[needed] for needed in schema["required"]} | {key: example(value)}
        assert command_of(tool, alone, write=write)
    assert (b"x" in given or b"a" in given) == bool(tool.stdin)
    assert not tool.dry or ("--dry-run" in words) is not write
    with pytest.raises(UsageError, match="takes no"):
        command_of(tool, {**arguments, "nonsense": "x"}, write=write)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_command_is_read_as_it_was_meant(tool: Tool) -> None:
    schema = schema_of(tool, write=True)
    exclusive = {"range", "diff", "touched", "touched_none", "session"}
    keys = [k for k in schema["properties"] if k not in exclusive]
    words, _ = command_of(tool, {key: example(schema["properties"][key]) for key in keys}, write=True)
    parsed = build_parser(tool.words[0]).parse_args(words)
    for key in keys:
        value = getattr(parsed, key)
        wanted = "-" if key == tool.stdin else example(schema["properties"][key])
        assert value in (wanted, [wanted]), key


def test_memorize_takes_the_source_of_a_pruned_claim() -> None:
    words, given = command_of(tool_named("memorize"), {"text": "kept", "soul_source": "docs/PATHOS.md#Now"}, write=True)
    assert "--soul-source=docs/PATHOS.md#Now" in words
    assert given == b"kept"


def test_values_that_cannot_be_are_refused_in_words() -> None:
    for arguments, words in (
        ({"query": ["x"]}, "a text or a number"),
        ({"query": "x", "scan": "yes"}, "true or false"),
        ({"query": "a\0b"}, "a text or a number"),
        ({"query": "x", "root": "here"}, "a list"),
        ({"qeury": "x"}, "takes no"),
        ({"query": "x" * 200_000}, "100,000 at most"),
        ({"query": "-"}, "has no stdin"),
        ({"query": "x", "limit": "many"}, "a whole number"),
        ({"query": "x", "limit": 7.5}, "a whole number"),
        ({"query": "x", "limit": float("inf")}, "a whole number"),
        ({"query": "x", "limit": True}, "a whole number"),
    ):
        with pytest.raises(UsageError) as refused:
            command_of(tool_named("search"), arguments, write=False)
        assert words in f"{refused.value.what} {refused.value.hint}"
    with pytest.raises(UsageError, match="task is a text"):
        command_of(tool_named("delegate"), {"task": 7}, write=False)
    with pytest.raises(UsageError, match="no tool"):
        tool_named("serach")
    with pytest.raises(UsageError, match="needs 'cue'"):
        command_of(tool_named("recall"), {}, write=False)


def test_a_whole_number_is_taken_as_json_may_write_it() -> None:
    for limit in (7, 7.0, "7"):
        words, _ = command_of(tool_named("search"), {"query": "x", "limit": limit}, write=False)
        assert "--limit=7" in words


def test_a_workers_last_message_is_a_text_of_any_length() -> None:
    keys = {"id": "dlg_1", "grader": "ana", "outcome": "success"}
    words, given = command_of(tool_named("debrief"), {**keys, "report": "[recollect dlg_1]\n" * 20_000}, write=False)
    assert ("--report=-" in words, len(given)) == (True, 360_000)
    assert "report" not in schema_of(tool_named("debrief"), write=False)["required"]
    assert schema_of(tool_named("memorize"), write=True)["required"] == ["text"]
    assert "stdin" not in json.dumps([schema_of(tool, write=True) for tool in TOOLS])


def test_a_large_answer_is_cut_and_says_by_how_much() -> None:
    document = {"schema": "x", "items": [{"n": n, "text": "y" * 100} for n in range(5000)], "few": [1, 2]}
    kept = bounded(document, 20_000)
    assert len(json.dumps(kept)) <= 20_000
    assert kept[LEFT_OUT] == {"items": 5000 - len(kept["items"])}
    assert kept["items"] == document["items"][: len(kept["items"])]
    assert kept["few"] == [1, 2]
    assert bounded({"a": 1}) == {"a": 1}
    assert "too large" in bounded({"schema": "x", "n": list(range(9))}, 20)["error"]


def test_what_is_cut_lies_deep_where_only_that_is_too_large() -> None:
    story = [{"text": "y" * 100} for _ in range(500)]
    document = {
        "schema": "x",
        "rounds": [{"kind": "present", "story": story}],
        "mission": {"task": "z" * 9000, "agent": "a"},
    }
    kept = bounded(document, 10_000)
    (told,) = kept["rounds"]
    assert kept[LEFT_OUT]["rounds.0.story"] == 500 - len(told["story"])
    assert told["story"] == story[: len(told["story"])] != []
    assert len(kept["mission"]["task"]) + kept[LEFT_OUT].get("mission.task", 0) == 9000
    assert len(document["mission"]["task"]) == 9000  # type: ignore[arg-type]


async def test_an_agent_speaks_to_it_over_stdio(tmp_path: Path) -> None:
    from mcp import ClientSession
    from mcp.client.stdio import StdioServerParameters, stdio_client

    write_few(tmp_path / "home")
    env = {"HOME": str(tmp_path / "home"), "RECOLLECT_HOME": str(tmp_path / "own"), "PATH": "/usr/bin:/bin"}
    command, *words = own_command("mcp", "--write")
    started = StdioServerParameters(command=command, args=words, env=env, cwd=str(tmp_path))
    async with stdio_client(started) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
        await session.initialize()
        assert [tool.name for tool in (await session.list_tools()).tools] == NAMES
        found = await session.call_tool("search", {"query": "storm siren", "limit": 2})
        hit = (found.structured_content or {})["hits"][0]
        assert "storm" in hit["gist"]
        shown = await session.call_tool("show", {"record": f"{hit['path']}:{hit['line']}", "context": 1})
        assert not shown.is_error
        kept = await session.call_tool("memorize", {"text": "The siren plays once.", "soul_source": "docs/P.md#Now"})
        assert not kept.is_error, kept.content
        claims = await session.call_tool("memory_list", {})
        assert "The siren plays once." in json.dumps(claims.structured_content)
        refused = await session.call_tool("search", {"qeury": "x"})
        assert refused.is_error
        assert "Did you mean 'query'?" in str(refused.content)


def read_line(line: str) -> Any:
    """What the library makes of a line: a message or the error."""
    from mcp_types import jsonrpc_message_adapter
    from pydantic import ValidationError

    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as problem:
        return problem


@pytest.mark.parametrize(
    ("line", "code", "id_"),
    [
        ("{nope", PARSE_ERROR, None),
        ('{"jsonrpc": "2.0", "id": 1', PARSE_ERROR, None),
        ("[]", INVALID_REQUEST, None),
        ("3", INVALID_REQUEST, None),
        ('{"id": 5}', INVALID_REQUEST, 5),
        ('{"id": true}', INVALID_REQUEST, None),
        ('{"jsonrpc": "1.0", "id": "nine", "method": "x"}', INVALID_REQUEST, "nine"),
        ('{"jsonrpc": "2.0", "id": 7, "method": 1}', INVALID_REQUEST, 7),
    ],
)
def test_a_line_that_is_no_request_is_answered(line: str, code: int, id_: object) -> None:
    reply = refusal(read_line(line))
    assert reply is not None
    document = json.loads(reply.message.model_dump_json(by_alias=True, exclude_unset=True))
    assert (document["id"], document["error"]["code"]) == (id_, code)
    assert refusal(read_line(" \n")) is None  # an empty line asks nothing


async def relayed(lines: list[str], answered: list[int], seconds: float) -> list[dict[str, Any]]:
    """What a client gets that sends lines and says no more; the server answers some ids once it has all of them."""
    import anyio
    from mcp.shared.message import SessionMessage
    from mcp_types import JSONRPCRequest, JSONRPCResponse

    to_relay, incoming = anyio.create_memory_object_stream[Any](99)
    outgoing, client = anyio.create_memory_object_stream[Any](99)
    for line in lines:
        item = read_line(line)
        to_relay.send_nowait(item if isinstance(item, Exception) else SessionMessage(item))
    to_relay.close()
    asked = {json.loads(line)["id"] for line in lines if '"method": "go"' in line}
    with anyio.fail_after(20):
        async with heard_out(incoming, outgoing, seconds) as (asked_of, answers), answers:
            seen: set[Any] = set()
            async for item in asked_of:
                seen |= {item.message.id} if isinstance(item.message, JSONRPCRequest) else set()
                if seen == asked:
                    for id_ in answered:
                        reply = JSONRPCResponse(jsonrpc="2.0", id=id_, result={})
                        await answers.send(SessionMessage(reply))
                    seen = set()
        return [json.loads(item.message.model_dump_json(by_alias=True)) async for item in client]


def go(id_: int) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id_, "method": "go"})


async def test_a_client_that_says_no_more_still_gets_every_answer() -> None:
    got = await relayed([go(1), "{nope", go(2)], [2, 1], 15)
    assert [(one["id"], "error" in one) for one in got] == [(None, True), (2, False), (1, False)]


async def test_what_is_never_answered_is_not_waited_for_without_end() -> None:
    cancel = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
    assert [one["id"] for one in await relayed([cancel, go(1), go(2), cancel], [1], 15)] == [1]
    assert [one["id"] for one in await relayed([go(1), go(2)], [1], 0.01)] == [1]


def test_requests_that_were_piped_in_are_answered(tmp_path: Path) -> None:
    import subprocess

    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory_list", "arguments": {}}},
    ]  # fmt: skip
    given = "\n".join(json.dumps(line) for line in lines).encode()
    env = {"HOME": str(tmp_path / "home"), "RECOLLECT_HOME": str(tmp_path / "own"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(own_command("mcp"), input=given, env=env, capture_output=True, timeout=120, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["count"] == 0
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_client_that_reads_no_more_ends_the_server_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(_: bool) -> None:
        raise ExceptionGroup("two tasks", [BrokenPipeError()])

    silenced: list[bool] = []
    monkeypatch.setattr(server, "_serve", gone)
    monkeypatch.setattr("tui.output.silence_stdout", lambda: silenced.append(True))  # it would end what pytest captures
    assert server.serve(write=False) == 0
    assert silenced == [True]
