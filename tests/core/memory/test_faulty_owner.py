"""An owner that refuses, hangs, truncates, lies or duplicates: what is queued is never said to be persisted."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.memory.carrying import OverHttp
from core.memory.claim import new_claim
from core.memory.routes import MERGE, NODES, Answer, answer
from core.memory.sqlite_store import sqlite_store
from core.memory.store import SqlStore
from core.memory.trouble import OwnerTrouble
from tests.core.memory.memories import NOW, Faulty, memory

Sends = Callable[[str, str, Answer], list[bytes] | None]
"""What to send for a question with this honest answer; `None`: nothing, and keep the line open."""


def honest(method: str, path: str, got: Answer) -> list[bytes]:
    head = f"HTTP/1.1 {got.status} x\r\nContent-Length: {len(got.body)}\r\nConnection: close\r\n\r\n"
    return [head.encode(), got.body]


@contextmanager
def owner(store: SqlStore, sends: Sends, seconds: float = 20) -> Iterator[OverHttp]:
    """An owner on a real socket that sends what it is told to."""
    listening = socket.create_server(("127.0.0.1", 0))
    kept: list[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                line, _ = listening.accept()
            except OSError:
                return
            raw = b""
            while b"\r\n\r\n" not in raw:
                raw += line.recv(65536)
            head, _, body = raw.partition(b"\r\n\r\n")
            method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
            length = next(
                (int(h.split(b":")[1]) for h in head.split(b"\r\n") if h.lower().startswith(b"content-length")), 0
            )
            while len(body) < length:
                body += line.recv(65536)
            parts = urlsplit(target)
            got = answer(store, method, parts.path, dict(parse_qsl(parts.query)), body)
            pieces = sends(method, parts.path, got)
            if pieces is None:
                kept.append(line)
                continue
            for piece in pieces:
                line.sendall(piece)
            line.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield OverHttp(f"http://127.0.0.1:{listening.getsockname()[1]}", seconds=seconds)
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(10)
        for line in kept:
            line.close()


def on(route: str, sends: Sends) -> Sends:
    return lambda method, path, got: sends(method, path, got) if path == route else honest(method, path, got)


def hangs(method: str, path: str, got: Answer) -> None:
    return None


def half(method: str, path: str, got: Answer) -> list[bytes]:
    head, body = honest(method, path, got)
    return [head, body[: len(body) // 2]]


def short_head(method: str, path: str, got: Answer) -> list[bytes]:
    return [b"HTTP/1.1 200 OK\r\nContent-Le"]


def without_length(method: str, path: str, got: Answer) -> list[bytes]:
    return [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", got.body]


def nothing(method: str, path: str, got: Answer) -> list[bytes]:
    return []


def a_page(method: str, path: str, got: Answer) -> list[bytes]:
    return honest(method, path, Answer(200, b"<html>a proxy says hello</html>"))


def twice(method: str, path: str, got: Answer) -> list[bytes]:
    document = got.document()
    if isinstance(document.get("nodes"), list):
        document["nodes"] *= 2
    return honest(method, path, Answer(got.status, json.dumps(document).encode()))


def other_words(method: str, path: str, got: Answer) -> list[bytes]:
    return honest(method, path, Answer(got.status, got.body.replace(b"one claim", b"two clams")))


@pytest.mark.parametrize("route", [MERGE, NODES])
@pytest.mark.parametrize(
    "sends", [hangs, half, short_head, without_length, nothing, a_page, twice, other_words], ids=lambda f: f.__name__
)
def test_a_fault_queues_and_the_next_drain_arrives_once(tmp_path: Path, route: str, sends: Sends) -> None:
    store = sqlite_store(tmp_path / "owner.db")
    harmless = route == MERGE and sends in (twice, other_words)  # the answer to a merge says nothing that is believed
    with owner(store, on(route, sends), 0.4 if sends is hangs else 20) as carrier:
        held = memory(tmp_path / "here", carrier)
        done = held.keep([new_claim("one claim", created_at=NOW)])
    assert done.persisted is harmless
    if not harmless:
        assert done.error == "write_not_persisted"
        assert done.why
        assert len(held.spool.names()) == 1
        assert [h.queued or not held.spool.names() for h in held.claims()] == [True]
    with owner(store, honest) as carrier:
        again = memory(tmp_path / "here", carrier)
        again.drain()
        assert again.spool.names() == ()
        assert [h.claim.id for h in again.claims()] == list(done.ids)
    assert store.counts() == (1, 0)


def test_an_owner_that_is_not_there(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    held = memory(tmp_path, OverHttp(f"http://127.0.0.1:{port}", seconds=5))
    done = held.keep([new_claim("waits", created_at=NOW)])
    assert (done.persisted, done.error, done.queued) == (False, "write_not_persisted", 1)
    state = held.status()
    assert (state.reachable, state.spooled, state.rejected) == (False, 1, 0)
    assert "cannot be reached" in state.trouble
    assert [h.queued for h in held.claims()] == [True]


def test_an_owner_that_takes_and_does_not_keep(tmp_path: Path) -> None:
    """It answers 200 to a merge and forgets it: only the read-back can tell."""
    empty = sqlite_store(tmp_path / "empty.db")

    def lies(method: str, path: str, got: Answer) -> Answer:
        return got if method == "POST" else answer(empty, method, path, {"ids": ""} if path == NODES else {})

    held = memory(tmp_path / "here", Faulty(sqlite_store(tmp_path / "real.db"), lies))
    done = held.keep([new_claim("gone", created_at=NOW)])
    assert (done.persisted, done.error) == (False, "write_not_persisted")
    assert "read back" in done.why
    assert len(held.spool.names()) == 1


def test_an_owner_that_merges_twice_holds_it_once(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path / "owner.db")
    held = memory(tmp_path / "here", Faulty(store))
    one = held.keep([new_claim("once", created_at=NOW)]).ids[0]
    held.spool.stage([held.claim(one).claim])
    held.spool.stage([held.claim(one).claim])
    assert held.drain().persisted == 2
    assert store.counts() == (1, 0)


def test_what_an_owner_refuses_for_good_is_set_aside_and_the_rest_goes_on(tmp_path: Path) -> None:
    held = memory(tmp_path)
    kept = held.claim(held.keep([new_claim("first words", created_at=NOW)]).ids[0]).claim
    from dataclasses import replace

    held.spool.stage([new_claim("fine", created_at=NOW)])
    held.spool.stage([replace(kept, text="other words under the same id")])
    held.spool.stage([new_claim("fine too", created_at=NOW)])
    done = held.drain()
    assert (done.persisted, len(done.rejected), done.left) == (2, 1, 0)
    assert kept.id in held.spool.rejected()[0].why
    assert {h.claim.text for h in held.claims()} == {"first words", "fine", "fine too"}
    refused = held.keep([replace(kept, text="and again")])
    assert (refused.persisted, refused.error) == (False, "write_rejected")
    assert kept.id in refused.why


def test_a_busy_owner_keeps_the_order(tmp_path: Path) -> None:
    """Nothing passes what waits: after the first trouble the drain stops, and later goes on in order."""
    store = sqlite_store(tmp_path / "owner.db")
    busy = Faulty(store, lambda method, path, got: Answer(503, b'{"error":"unavailable","what":"busy"}'))
    held = memory(tmp_path / "here", busy)
    ids = [held.keep([new_claim(f"claim {n}", created_at=NOW)]).ids[0] for n in range(5)]
    assert [path for path in busy.asked if "load-merge" in path] == ["POST /api/load-merge"] * 5
    busy.wrong = None
    assert held.drain().persisted == 5
    page = store.page((0, 0), 100)
    assert [json.loads(body)["id"] for body in page.nodes] == ids


def test_a_slow_trickle_is_bounded_as_a_whole(tmp_path: Path) -> None:
    """Every byte comes in time; the whole does not."""
    stop = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        line, _ = listening.accept()
        line.recv(65536)
        line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        try:
            while not stop.wait(0.05):
                line.sendall(b" ")
        except OSError:
            return  # the caller gave up
        finally:
            line.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with pytest.raises(OwnerTrouble, match=r"within 0\.3 s"):
        OverHttp(f"http://127.0.0.1:{listening.getsockname()[1]}", seconds=0.3).ask("GET", "/health")
    stop.set()
    thread.join(10)
    listening.close()
