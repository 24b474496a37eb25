"""Every owner that can run here keeps the contract; owners that break it are caught, leg by leg."""

from __future__ import annotations

import http.client
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from core.errors import UsageError
from core.memory import postgres_store, sqlite_store
from core.memory.carrying import Carrier, OverHttp
from core.memory.choosing import carrier_of, folder_of
from core.memory.claim import new_claim
from core.memory.contract import check_contract
from core.memory.ids import new_id
from core.memory.routes import HEALTH, MAX_BODY, MERGE, NODES, SYNC, Answer, answer
from core.memory.service import checked_host, is_loopback
from core.memory.store import Node, SqlStore
from core.memory.trouble import OwnerTrouble
from core.memory.wire import Edge, bodies, canonical, document_of
from core.paths import Places
from core.settings import Settings
from tests.core.memory.memories import NOW, TOKEN, Faulty, embedded, hashes, memory, postgres, postgres_programs, served

OWNERS = ["embedded", "http over sqlite", *(["http over postgresql"] if postgres_programs() else [])]
"""PostgreSQL where it is installed. Where it is not, its statements are still held to the embedded store's below."""


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """A real PostgreSQL, started once."""
    with postgres() as address:
        yield address


@pytest.fixture
def owner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Carrier]:
    if request.param == "embedded":
        yield embedded(tmp_path)
        return
    store = (
        sqlite_store.sqlite_store(tmp_path / "memory.db")
        if request.param == "http over sqlite"
        else postgres_store.postgres_store(request.getfixturevalue("database"))
    )
    with served(store) as carrier:
        yield carrier


def test_postgresql_is_among_the_owners_wherever_it_is_installed() -> None:
    assert ("http over postgresql" in OWNERS) == bool(postgres_programs())


@pytest.mark.parametrize("owner", OWNERS, indirect=True)
def test_the_contract_is_kept(owner: Carrier) -> None:
    """Twice: the second time over what the first left, and with real claims beside its probes."""
    legs = check_contract(owner)
    assert [leg for leg in legs if not leg.passed] == []
    assert len(legs) == 10
    kept = [new_claim(f"claim {n} ☃ \ud800 \x00", created_at=NOW) for n in range(3)]
    body = canonical({"nodes": [document_of(c) for c in kept], "edges": []}).encode()
    assert owner.ask("POST", MERGE, None, body).status == 200
    assert [leg for leg in check_contract(owner) if not leg.passed] == []
    news = owner.ask("GET", SYNC, {"since": "0"}).document()
    assert {n["id"] for n in news["nodes"]} >= {c.id for c in kept}
    assert all(n["kind"] != "probe" for n in news["nodes"])
    assert [canonical(owner.ask("GET", f"{NODES}/{c.id}").document()["node"]) for c in kept] == list(
        bodies(kept).values()
    )


@pytest.mark.parametrize("owner", OWNERS, indirect=True)
def test_only_plumbing_is_pruned_and_by_count(owner: Carrier) -> None:
    start = owner.ask("GET", HEALTH).document()["nodes"]
    kept = [new_claim(f"claim {n}", created_at=NOW) for n in range(12)]
    plumbing = [replace(new_claim(f"start {n}"), kind="telemetry") for n in range(12)]
    for claim in (*kept, *plumbing):
        tie = Edge(claim.id, kept[0].id, "depends_on").document()
        body = canonical({"nodes": [document_of(claim)], "edges": [tie]}).encode()
        assert owner.ask("POST", MERGE, None, body).status == 200
    held = {i for c in (*kept, *plumbing) if owner.ask("GET", f"{NODES}/{(i := c.id)}").status == 200}
    assert held == {c.id for c in (*kept, *plumbing[2:])}
    assert owner.ask("GET", HEALTH).document()["nodes"] == start + 22
    sources = {e["from"] for e in owner.ask("GET", f"{NODES}/{kept[0].id}").document()["edges"]}
    assert sources == held


@pytest.mark.parametrize("owner", OWNERS, indirect=True)
def test_a_memory_over_any_owner(owner: Carrier, tmp_path: Path) -> None:
    held = memory(tmp_path / "here", owner)
    one = held.keep([new_claim("we retry three times", created_at=NOW)])
    assert one.persisted, one
    two = held.change(one.ids[0], text="we retry five times")
    assert held.forget(two.ids[0], "never shipped", "ana").persisted
    assert [h.claim.id for h in held.claims() if h.claim.id in (*one.ids, *two.ids)] == []
    assert held.restore(two.ids[0], "it was", "ben").persisted
    assert [h.claim.id for h in held.claims() if h.claim.id in (*one.ids, *two.ids)] == list(two.ids)
    assert [e.what for e in held.history(one.ids[0])][:2] == ["restored", "forgotten"]
    other = memory(tmp_path / "there", owner)
    other.spool.folder.mkdir(parents=True)
    other.drain()
    assert other.copy.read_bytes().count(b'"kind":"fact"') >= 2, "what others kept arrives here"


def test_both_stores_ask_the_same(tmp_path: Path) -> None:
    """The statements differ in how a database writes a parameter and a list of ids, and in nothing else."""
    for name in postgres_store._STATEMENTS.__dataclass_fields__:
        there, here = getattr(postgres_store._STATEMENTS, name), getattr(sqlite_store._STATEMENTS, name)
        assert there.replace("= ANY(%s)", "IN (SELECT value FROM json_each(?))").replace("%s", "?") == here
    tables = [
        re.findall(r"CREATE TABLE (\w+)", " ".join(m))
        for m in (sqlite_store.MIGRATIONS[0], postgres_store.MIGRATIONS[0])
    ]
    assert tables[0] == tables[1] == ["nodes", "edges", "identity"]
    kinds = [
        re.search(r"NOT IN \(([^)]*)\)", " ".join(m))
        for m in (sqlite_store.MIGRATIONS[0], postgres_store.MIGRATIONS[0])
    ]
    assert kinds[0] is not None
    assert kinds[1] is not None
    from core.memory.claim import TRANSIENT

    assert kinds[0][1] == kinds[1][1] == ", ".join(f"'{kind}'" for kind in TRANSIENT)


STATEMENTS = [
    "UPDATE nodes SET body = '{}'", "UPDATE nodes SET kind = 'probe'", "DELETE FROM nodes", "DELETE FROM edges",
    "UPDATE edges SET target = source",
]  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_database_itself_refuses_a_change(tmp_path: Path, statement: str) -> None:
    held = memory(tmp_path)
    one = held.keep([new_claim("stays", created_at=NOW)]).ids[0]
    held.forget(one, "x", "")
    before = held.view().nodes
    db = sqlite3.connect(tmp_path / "memory.db")
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        db.execute(statement)
    db.close()
    assert held.view().nodes == before


@pytest.mark.parametrize("owner", [o for o in OWNERS if "postgresql" in o], indirect=True)
def test_postgresql_refuses_a_change_too(owner: Carrier, database: str) -> None:
    import psycopg

    kept = new_claim("stays there", created_at=NOW)
    tie = Edge(kept.id, kept.id, "depends_on").document()
    body = canonical({"nodes": [document_of(kept)], "edges": [tie]}).encode()
    assert owner.ask("POST", MERGE, None, body).status == 200
    for statement in (*STATEMENTS, "TRUNCATE nodes", "TRUNCATE edges"):
        with psycopg.connect(database) as db, pytest.raises(psycopg.Error, match=r"never|foreign key"):
            db.execute(statement.encode())
    assert owner.ask("GET", f"{NODES}/{kept.id}").status == 200


@pytest.mark.parametrize("owner", OWNERS, indirect=True)
def test_reading_routes_leave_every_byte_as_it_is(owner: Carrier, tmp_path: Path) -> None:
    held = memory(tmp_path / "here", owner)
    one = held.keep([new_claim("read me", created_at=NOW)]).ids[0]
    before, names = hashes(tmp_path), sorted(p.name for p in tmp_path.rglob("*"))
    ways = [(HEALTH, {}), (NODES, {}), (NODES, {"ids": one}), (f"{NODES}/{one}", {}), ("/api/edges", {}), (SYNC, {"since": "0"}),
            ("/api/edges", {"from": one}), ("/none", {}), (MERGE, {}), (NODES, {"after": "x"}), (f"{NODES}/../x", {})]  # fmt: skip
    for path, query in ways:
        assert owner.ask("GET", path, query).status in (200, 400, 404, 405)
    for reading in (held.claims, held.forks, held.status, lambda: held.history(one), lambda: held.search("read")):
        reading()
    assert hashes(tmp_path) == before
    assert sorted(p.name for p in tmp_path.rglob("*")) == names


def test_reading_a_memory_that_is_not_there_makes_nothing(tmp_path: Path) -> None:
    held = memory(tmp_path / "none")
    assert held.claims() == ()
    assert held.status().reachable
    assert held.search("x") == ()
    assert not (tmp_path / "none").exists()


# -- owners that break the contract


def _as(document: object, status: int = 200) -> Answer:
    raw = json.dumps(document).encode()
    return Answer(status, raw, len(raw))


def no_sync(method: str, path: str, got: Answer) -> Answer:
    return _as({"error": "x"}, 404) if path == SYNC else got


def takes_updates(method: str, path: str, got: Answer) -> Answer:
    return _as({"merged": {}}) if got.status == 409 else got


def changes_words(method: str, path: str, got: Answer) -> Answer:
    if path.startswith(NODES + "/") and got.status == 200:
        document = got.document()
        document["node"]["text"] += "."
        return _as(document)
    return got


def lies_about_length(method: str, path: str, got: Answer) -> Answer:
    return replace(got, length=len(got.body) + 1) if path == NODES else got


def takes_rubbish(method: str, path: str, got: Answer) -> Answer:
    return _as({"merged": {}}) if got.status == 400 and method == "POST" else got


def drops_edges(method: str, path: str, got: Answer) -> Answer:
    return _as({**got.document(), "edges": []}) if got.status == 200 and "edges" in got.document() else got


def repeats_a_page(method: str, path: str, got: Answer) -> Answer:
    if path == NODES and got.document().get("next"):
        document = got.document()
        return _as({**document, "nodes": document["nodes"] + document["nodes"][-1:]})
    return got


@pytest.mark.parametrize(
    ("wrong", "leg"),
    [
        (no_sync, "every route is there"), (takes_updates, "an update keeps the original"),
        (changes_words, "a merge is held as it was sent"), (lies_about_length, "every length is that of its body"),
        (takes_rubbish, "what is malformed is refused whole"), (drops_edges, "a forget keeps the original"),
        (repeats_a_page, "a cursor passes over nothing"),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)  # fmt: skip
def test_a_broken_owner_is_caught(tmp_path: Path, wrong: Callable[[str, str, Answer], Answer], leg: str) -> None:
    legs = check_contract(Faulty(sqlite_store.sqlite_store(tmp_path / "m.db"), wrong))
    assert leg in {one.name for one in legs if not one.passed}


def test_an_owner_that_writes_when_read_is_caught(tmp_path: Path) -> None:
    store = sqlite_store.sqlite_store(tmp_path / "m.db")

    def counts(method: str, path: str, got: Answer) -> Answer:
        if method == "GET" and path == SYNC:
            node = document_of(new_claim("somebody read"))
            store.merge([Node(node["id"], "fact", canonical(node))], [])
        return got

    failed = {one.name for one in check_contract(Faulty(store, counts)) if not one.passed}
    assert {"reads change nothing", "a retried merge changes nothing"} <= failed


# -- over HTTP


def raw(carrier: OverHttp, method: str, path: str, body: bytes = b"", **headers: str) -> int:
    parts = urlsplit(carrier.place)
    line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    line.request(method, path, body or None, {k.replace("_", "-"): v for k, v in headers.items()})
    status = line.getresponse().status
    line.close()
    return status


def test_the_token_is_needed_on_every_route(tmp_path: Path) -> None:
    with served(sqlite_store.sqlite_store(tmp_path / "m.db")) as carrier:
        for method, path in (
            ("GET", HEALTH),
            ("GET", NODES),
            ("GET", SYNC),
            ("POST", MERGE),
            ("GET", "/none"),
            ("PUT", NODES),
        ):
            for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}):
                assert raw(carrier, method, path, **given) == 401
        assert raw(carrier, "GET", HEALTH, Authorization=f"Bearer {TOKEN}") == 200
        assert not (tmp_path / "m.db").exists()
        held = memory(tmp_path / "here", OverHttp(carrier.place, "another"))
        done = held.keep([new_claim("x", created_at=NOW)])
        assert (done.persisted, done.error) == (False, "write_not_persisted")
        assert "RECOLLECT_MEMORY_TOKEN" in done.hint


def test_a_web_page_cannot_write_to_an_owner_without_a_token(tmp_path: Path) -> None:
    body = canonical({"nodes": [document_of(new_claim("forged"))], "edges": []}).encode()
    with served(sqlite_store.sqlite_store(tmp_path / "m.db"), "") as carrier:
        assert raw(carrier, "POST", MERGE, body, Content_Type="text/plain") == 415
        assert raw(carrier, "POST", MERGE, body) == 415
        assert raw(carrier, "POST", MERGE, body, Content_Type="application/json", Host="evil.example") == 403
        assert raw(carrier, "GET", NODES, Host="evil.example:80") == 403
        assert raw(carrier, "POST", MERGE, body, Content_Type="application/json") == 200


def test_bodies_are_bounded(tmp_path: Path) -> None:
    store = sqlite_store.sqlite_store(tmp_path / "m.db")
    with served(store, "") as carrier:
        big = b" " * (MAX_BODY + 1)
        assert raw(carrier, "POST", MERGE, big, Content_Type="application/json") == 413
        chunked = {"Content_Type": "application/json", "Transfer_Encoding": "chunked"}
        sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(big), big)
        assert raw(carrier, "POST", MERGE, sent, **chunked) == 413
    assert answer(store, "POST", MERGE, {}, big).status == 413
    assert store.counts() == (0, 0)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org", ""])
def test_no_owner_is_open_to_others_without_a_token(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(UsageError, match="token"):
        checked_host(host, "")
    checked_host(host, "a-token")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.9.9.9"])
def test_loopback_needs_none(host: str) -> None:
    checked_host(host, "")


# -- choosing


def places(base: Path) -> Places:
    return Places(base / "i", base / "s", base / "settings.toml", base / "h", base / "memory")


def test_the_variable_wins_over_the_settings_and_a_file_is_the_default(tmp_path: Path) -> None:
    there = Settings(memory_url="https://memory.example/team")
    assert carrier_of(places(tmp_path), Settings(), {}).kind == "embedded"
    assert carrier_of(places(tmp_path), there, {}).place == "https://memory.example/team"
    chosen = carrier_of(places(tmp_path), there, {"RECOLLECT_MEMORY_URL": "http://[::1]:8377/"})
    assert chosen.place == "http://[::1]:8377"
    folders = {folder_of(tmp_path, carrier_of(places(tmp_path), s, {})) for s in (Settings(), there)}
    assert len(folders) == 2, "what waits for one owner never goes to another"


@pytest.mark.parametrize(
    "address", ["ftp://x", "memory.example", "http://", "http://a b", "http://x:99999", "http://u:p@x", "http://x/?q=1"]
)
def test_an_address_that_is_none_is_named(tmp_path: Path, address: str) -> None:
    with pytest.raises(UsageError, match="RECOLLECT_MEMORY_URL"):
        carrier_of(places(tmp_path), Settings(), {"RECOLLECT_MEMORY_URL": address})


def test_a_token_is_never_shown(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("sesame-1234\n")
    chosen = carrier_of(places(tmp_path), Settings(memory_url="http://x", memory_token_file=str(file)), {})
    assert isinstance(chosen, OverHttp)
    assert chosen.token == "sesame-1234"
    assert "sesame" not in repr(chosen)
    file.write_text("two words")
    with pytest.raises(UsageError) as problem:
        carrier_of(places(tmp_path), Settings(memory_url="http://x", memory_token_file=str(file)), {})
    assert "two words" not in problem.value.what


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    held = memory(tmp_path)
    held.keep([new_claim("x", created_at=NOW)])
    db = sqlite3.connect(tmp_path / "memory.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = (tmp_path / "memory.db").read_bytes()
    done = held.keep([new_claim("y", created_at=NOW)])
    assert (done.persisted, done.error) == (False, "write_not_persisted")
    assert "newer version" in done.why
    assert (tmp_path / "memory.db").read_bytes() == before


def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"not a database at all" * 400)
    held = memory(tmp_path)
    state = held.status()
    assert not state.reachable
    assert "cannot be used" in state.trouble
    assert held.keep([new_claim("y", created_at=NOW)]).error == "write_not_persisted"


def test_an_edge_from_nowhere_takes_its_node_back(tmp_path: Path) -> None:
    store: SqlStore = sqlite_store.sqlite_store(tmp_path / "m.db")
    node = document_of(new_claim("x"))
    with pytest.raises(OwnerTrouble):
        store.merge([Node(node["id"], "fact", canonical(node))], [Edge(new_id(), node["id"], "depends_on")])
    assert store.counts() == (0, 0)
