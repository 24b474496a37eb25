"""Owners, disks, clocks and texts that mean harm: nothing crashes, nothing acknowledged is lost, nothing waits for ever."""

from __future__ import annotations

import asyncio
import errno
import http.client
import json
import os
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path
from unittest.mock import MagicMock
from urllib.parse import urlsplit

import pytest
from uvicorn.server import ServerState

from core.errors import SurroundingsError, UsageError
from core.memory import ids
from core.memory.claim import Claim, new_claim
from core.memory.exchange import from_markdown, to_markdown
from core.memory.local_copy import claims_of_copy
from core.memory.routes import MERGE, SYNC, Answer
from core.memory.service import BoundedProtocol, server_of
from core.memory.spool import MAX_CLAIM, Spool
from core.memory.sqlite_store import sqlite_store
from core.memory.trouble import OwnerTrouble
from core.memory.view import Standing
from core.memory.wire import Malformed, claim_of, document_of, seconds_of
from tests.core.memory.memories import NOW, Faulty, memory, served


def _said(text: str) -> Claim:
    return new_claim(text, created_at=NOW)


def _with(**changes: object) -> Callable[[str, str, Answer], Answer]:
    """An owner that answers every read with these keys changed, as raw JSON."""

    def wrong(method: str, path: str, got: Answer) -> Answer:
        rows = {**json.loads(got.body), **{key: f"@{key}@" for key in changes}}
        body = json.dumps(rows)
        for key, raw in changes.items():
            body = body.replace(f'"@{key}@"', str(raw))
        return got if method == "POST" else Answer(got.status, body.encode())

    return wrong


@pytest.mark.parametrize(
    "changes",
    [
        {"nodes": '[{"id": "x", "salience": NaN}]'},
        {"nodes": '[{"id": "x", "salience": 1e999}]'},
        {"nodes": '[{"id": "01a22da5-2a2c-7000-9e7d-0b7646051879", "kind": "fact", "salience": 1' + "0" * 400 + "}]"},
        {"nodes": '[{"id": "01a22da5-2a2c-7000-9e7d-0b7646051879", "created_at": "0001-01-01T00:00:00+23:59"}]'},
        {"nodes": '[null, 3, [], {"id": null}, {"id": {}}]'},
        {"nodes": "[" * 900 + "]" * 900},
        {"nodes": '[{"id": "x", "deep": ' + "[" * 985 + "]" * 985 + "}]"},
        {"nodes": '[{"id": "x", "deep": ' + "[" * 100_000 + "]" * 100_000 + "}]"},
        {"nodes": "1" * 5000},
        {"edges": '[{"from": 3}]'},
        {"cursor": "[]", "more": "true"},
        {"store": '"../../../escaped"'},
    ],
    ids=["nan", "infinity", "huge number", "no year", "no claims", "deep", "deep as can be", "too deep", "long number", "no edge", "no cursor", "no name"],
)  # fmt: skip
def test_what_an_owner_answers_is_never_trusted_and_never_breaks_anything(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    store = sqlite_store(tmp_path / "owner.db")
    liar = Faulty(store, _with(**changes))
    held = memory(tmp_path / "here", liar)
    done = held.keep([_said("one claim")])
    assert [h.claim.text for h in held.claims()] in (["one claim"], [])
    held.status()
    liar.wrong = None
    held.drain()
    assert held.spool.names() == ()
    assert [h.claim.id for h in held.claims()] == list(done.ids)
    assert {p.name for p in tmp_path.iterdir()} == {"owner.db", "here"}


@pytest.mark.parametrize("named", ["5", '"x"', "{}", "[3, null]"])
def test_a_refusal_that_names_its_ids_wrongly_is_a_refusal(tmp_path: Path, named: str) -> None:
    raw = f'{{"error": "conflict", "what": "no", "ids": {named}}}'
    held = memory(tmp_path / "here", Faulty(sqlite_store(tmp_path / "o.db"), lambda *_: Answer(409, raw.encode())))
    assert held.keep([_said("one")]).error == "write_rejected"


def test_an_owner_with_another_name_in_every_answer_ends_the_copy(tmp_path: Path) -> None:
    names = iter(range(10_000))

    def wrong(method: str, path: str, got: Answer) -> Answer:
        if path != SYNC:
            return got
        page = json.loads(got.body)
        page |= {"store": f"../n{next(names)}", "cursor": f"{next(names)}.0", "more": True}
        return Answer(200, json.dumps(page).encode())

    held = memory(tmp_path / "here", Faulty(sqlite_store(tmp_path / "o.db"), wrong))
    held.keep([_said("one")])
    assert "names another store" in held.drain().trouble
    assert next(names) < 200
    assert all(p.parent == tmp_path / "here" for p in tmp_path.rglob("claims.jsonl*"))


def test_an_owner_that_always_has_another_page_with_nothing_new_is_left(tmp_path: Path) -> None:
    cursors = iter(range(1, 10_000))

    def wrong(method: str, path: str, got: Answer) -> Answer:
        if path != SYNC:
            return got
        return Answer(200, json.dumps({**json.loads(got.body), "cursor": f"{next(cursors)}.0", "more": True}).encode())

    held = memory(tmp_path / "here", Faulty(sqlite_store(tmp_path / "o.db"), wrong))
    assert held.keep([_said("one")]).persisted  # it was read back; only what else there is cannot be known
    with pytest.raises(OwnerTrouble, match="again and again"):
        list(held.owner.news())
    assert next(cursors) < 400


def test_a_delta_that_no_body_takes_is_set_aside_and_holds_nothing_up(tmp_path: Path) -> None:
    def wrong(method: str, path: str, got: Answer) -> Answer:
        return Answer(413, b'{"error": "too_large", "what": "A body may have 10 bytes."}') if large[0] else got

    large = [True]
    held = memory(tmp_path / "here", Faulty(sqlite_store(tmp_path / "o.db"), wrong))
    assert held.keep([_said("one")]).error == "write_rejected"
    large[0] = False
    assert held.keep([_said("two")]).persisted


def test_a_claim_that_no_owner_takes_is_refused_before_anything_is_kept(tmp_path: Path) -> None:
    held = memory(tmp_path)
    huge = new_claim("one", evidence=[f"file:{'ж' * 3900}{n}" for n in range(120)])
    with pytest.raises(UsageError, match=f"{MAX_CLAIM:,}"):
        held.keep([_said("fine"), huge])
    assert held.spool.names() == ()
    assert held.claims() == ()


def test_a_page_ends_before_it_is_too_large_to_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.memory.store.PAGE_BYTES", 900)
    monkeypatch.setattr("core.memory.owner.READ_BACK", 900)
    store = sqlite_store(tmp_path / "o.db")
    carrier = Faulty(store)
    held = memory(tmp_path / "here", carrier)
    done = held.keep([_said(f"claim {n}") for n in range(9)])
    assert done.persisted
    assert len(list(held.owner.news())) > 3
    assert [h.claim.id for h in reversed(held.claims())] == list(done.ids)
    after: str | None = "0"
    pages = []
    while after is not None:
        page = carrier.ask("GET", "/api/nodes", {"after": after}).document()
        pages += [node["id"] for node in page["nodes"]]
        after = page["next"]
    assert pages == list(done.ids)


# Disks


def test_a_full_disk_keeps_all_claims_of_a_write_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.memory.spool.MAX_DELTA", 600)
    spool = Spool(tmp_path / "spool")
    synced = []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(SurroundingsError, match="No space left"):
            spool.stage([_said(f"claim {n}") for n in range(5)])
    assert len(synced) == 3
    assert os.listdir(spool.folder) == []  # what is not kept is not found by a later drain either
    assert len(spool.stage([_said(f"claim {n}") for n in range(5)])) == 5


def test_a_spool_that_cannot_be_looked_into_is_not_called_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = memory(tmp_path)
    held.spool.stage([_said("waits")])

    def refused(folder: Path) -> list[str]:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as disk:
        disk.setattr(os, "listdir", refused)
        with pytest.raises(SurroundingsError, match="cannot be read"):
            held.status()
    assert len(held.spool.names()) == 1


@pytest.mark.parametrize("spoilt", [b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_database_that_is_spoilt_queues_and_what_waits_arrives_when_it_is_mended(
    tmp_path: Path, spoilt: bytes
) -> None:
    held = memory(tmp_path)
    first = held.keep([_said("first")]).ids[0]
    whole = (tmp_path / "memory.db").read_bytes()
    (tmp_path / "memory.db").write_bytes(spoilt)
    done = held.keep([_said("second")])
    assert (done.persisted, done.queued) == (False, 1)
    assert {h.claim.text for h in held.claims()} == {"first", "second"}  # from the copy, and from the spool
    assert "recollect memory import" in held.status().hint
    (tmp_path / "memory.db").write_bytes(whole)
    assert held.drain().persisted == 1
    assert {h.claim.id for h in held.claims()} == {first, *done.ids}


@pytest.mark.parametrize("emptied", [True, False])
def test_a_database_that_is_gone_is_missed_and_its_claims_come_back_from_the_copy(
    tmp_path: Path, *, emptied: bool
) -> None:
    """A file that somebody emptied or deleted is no new memory: nothing is lost without a word."""
    held = memory(tmp_path)
    first = held.keep([_said("first"), _said("never mind")]).ids
    held.forget(first[1], "not true", "ana")
    (tmp_path / "memory.db").unlink()
    if emptied:
        (tmp_path / "memory.db").touch()
    done = held.keep([_said("second")])
    assert (done.persisted, done.queued) == (False, 1)
    assert "gone or empty" in done.why
    assert [h.claim.text for h in held.claims()] == ["second", "first"]
    state = held.status()
    assert (state.reachable, state.spooled) == (False, 1)
    assert f"mv {held.copy} {held.copy}.before && recollect memory import {held.copy}.before" in state.hint
    os.rename(held.copy, f"{held.copy}.before")
    assert held.keep(claims_of_copy(Path(f"{held.copy}.before"))).persisted
    assert [h.claim.text for h in held.claims()] == ["second", "first"]
    assert held.claim(first[1]).standing is Standing.FORGOTTEN
    assert held.status().reachable


def test_a_database_that_another_holds_queues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.memory.sqlite_store.BUSY_SECONDS", 0.01)
    held = memory(tmp_path)
    held.keep([_said("first")])
    other = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    done = held.keep([_said("second")])
    other.close()
    assert (done.persisted, done.error) == (False, "write_not_persisted")
    assert held.drain().persisted == 1


# Clocks


def test_a_mark_made_by_a_clock_that_ran_ahead_can_be_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock stood in another year forgets a claim; set right, it can show the claim again."""
    held = memory(tmp_path)
    claim = held.keep([_said("one")]).ids[0]
    ahead = ids._Clock()
    with monkeypatch.context() as wrong:
        wrong.setattr(ids, "_clock", lambda: ahead)
        wrong.setattr(ids.time, "time_ns", lambda: 4_000_000_000 * 10**9)
        held.forget(claim, "by mistake", "ana")
    held.restore(claim, "", "ana")
    assert held.claim(claim).standing is Standing.CURRENT
    held.forget(claim, "on purpose", "ana")
    assert held.claim(claim).standing is Standing.FORGOTTEN
    changed = held.change(claim, text="other words").ids[0]
    assert held.claim(claim).standing is Standing.SUPERSEDED
    assert held.claim(changed).standing is Standing.CURRENT
    assert (ids.time_of(held.keep([_said("unrelated")]).ids[0]) or 0) < 4_000_000_000


def test_the_last_id_there_is_can_be_answered() -> None:
    made = ids.new_id("ffffffff-ffff-7fff-bfff-ffffffffffff")
    assert ids.SHAPE.fullmatch(made)


@pytest.mark.parametrize("written", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_outside_of_the_years_is_none(written: str) -> None:
    with pytest.raises(Malformed, match="1 to 9999"):
        seconds_of(written)


# Texts

_WILD = [
    "\x00\x07\x1b]0;x\x07 bell", "\u202e\u2066right to left\u2069", "\ud800 half", "a\r\nb\rc\u2028d\x85e", "---\n---\n", "\ufeff",
    "日本語 👩‍👩‍👧 é", "x" * 99_999, "[red]markup[/] $(rm) `x` \\u0000",
]  # fmt: skip


@pytest.mark.parametrize("text", _WILD, ids=range(len(_WILD)))
def test_any_text_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    held = memory(tmp_path)
    done = held.keep([new_claim(f"{text}!", created_at=NOW, tags=["a"])])
    assert done.persisted
    claim = held.claim(done.ids[0]).claim
    assert claim.text == f"{text}!"
    assert claim_of(json.loads(json.dumps(document_of(claim)))) == claim
    assert from_markdown(to_markdown(claim).encode(), "x.md") == claim


def test_a_body_that_arrives_drop_by_drop_gives_its_place_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.memory.service._SECONDS_BODY", 0.1)
    with served(sqlite_store(tmp_path / "o.db"), "") as carrier:
        parts = urlsplit(carrier.place)
        line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        line.putrequest("POST", MERGE)
        line.putheader("Content-Type", "application/json")
        line.putheader("Content-Length", "1000")
        line.endheaders(b"{")
        got = line.getresponse()
        assert (got.status, json.loads(got.read())["error"]) == (408, "too_slow")
        assert got.getheader("Connection") == "close"
        line.close()
        assert memory(tmp_path / "here", carrier).keep([_said("another caller")]).persisted


async def test_a_connection_that_sends_no_whole_request_gives_its_place_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silence, half a head, a head letter by letter after an answered request: each ends by itself."""
    monkeypatch.setattr("core.memory.service._SECONDS_IDLE", 0.15)
    opened = socket.create_server(("127.0.0.1", 0))
    port = opened.getsockname()[1]
    server = server_of(sqlite_store(tmp_path / "o.db"), "")
    running = asyncio.create_task(server.serve(sockets=[opened]))
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try:
        for sent in (b"", b"GET /hea", whole, whole + b"GET /h"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            got = await asyncio.wait_for(reader.read(), 20)  # to the end, which the owner makes
            assert got.startswith(b"HTTP/1.1 200") is sent.startswith(whole)
            writer.close()
    finally:
        server.should_exit = True
        await asyncio.wait_for(running, 20)


def test_a_caller_that_reads_no_answer_is_given_up() -> None:
    """The bound stands while the answer waits to be read, and falls when it goes on."""
    loop, transport = MagicMock(), MagicMock()
    config = server_of(MagicMock(), "").config
    config.load()
    line = BoundedProtocol(config, ServerState(), {}, loop)
    line.connection_made(transport)
    line.pause_writing()
    (_, act), _ = loop.call_later.call_args
    act()
    transport.abort.assert_called_once_with()
    line.resume_writing()
    assert loop.call_later.return_value.cancel.called
