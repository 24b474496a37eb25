"""`recollect memory serve` and `contract`: being the owner of a memory, and checking one."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import UsageError
from core.paths import own_places, private_folder
from core.settings import load_settings
from core.text import clip, one_line, shown
from tui.output import print_json, write_out

if TYPE_CHECKING:
    from core.memory.carrying import Carrier
    from core.memory.store import SqlStore

FOUND, NOTHING = 0, 1


def serve(parsed: argparse.Namespace) -> int:
    """Be the owner of a memory until interrupted."""
    from core.memory import service
    from core.memory.choosing import read_token

    token = read_token(parsed.token_file, "--token-file") if parsed.token_file else ""
    if not 0 <= parsed.port <= 65535:
        raise UsageError(f"--port {parsed.port} is none.", "A port is a number from 0 to 65535.")
    store, named = _store(parsed.store)

    def announce(address: str) -> None:
        if parsed.json:
            print_json(
                {"schema": "recollect-memory-serve-v1", "address": address, "store": named, "token": bool(token)}
            )
        else:
            write_out(
                f"The memory is at {address} ({named}), {'with' if token else 'without'} a token. Ctrl+C ends it."
            )

    service.serve(store, parsed.host, parsed.port, token, announce)
    return FOUND


def _store(name: str) -> tuple[SqlStore, str]:
    """The store that `--store` names, and what it is called without its password."""
    from core.memory.sqlite_store import sqlite_store

    if name.startswith(("postgresql://", "postgres://")):
        from core.memory.postgres_store import postgres_store

        return postgres_store(name), "PostgreSQL"
    if name.startswith("sqlite:"):
        file = Path(name.removeprefix("sqlite:")).expanduser().absolute()
        if not file.parent.is_dir():
            raise UsageError(f"--store: there is no folder {file.parent}.", "Make it, or name another file.")
    elif name:
        raise UsageError(f"--store cannot be {clip(shown(name), 60)}.", "It is sqlite:FILE or postgresql://…")
    else:
        file = private_folder(own_places(os.environ).memory) / "memory.db"
    return sqlite_store(file), one_line(str(file))


def contract(parsed: argparse.Namespace) -> int:
    """Check every leg of the contract on an owner."""
    from core.memory.contract import check_contract

    carrier = _carrier(parsed.url)
    legs = check_contract(carrier)
    passed = all(leg.passed for leg in legs)
    gate = "PASS" if passed else "FAIL"
    if parsed.json:
        rows = [{"name": leg.name, "passed": leg.passed, "detail": shown(leg.detail) or None} for leg in legs]
        print_json(
            {"schema": "recollect-memory-contract-v1", "place": shown(carrier.place), "legs": rows, "gate": gate}
        )
    else:
        write_out(f"{carrier.kind} · {one_line(carrier.place)}")
        for leg in legs:
            write_out(
                f"  {'ok  ' if leg.passed else 'FAIL'}  {leg.name}"
                + (f": {one_line(leg.detail)}" if leg.detail else "")
            )
        write_out(f"GATE {gate}")
    return FOUND if passed else NOTHING


def _carrier(url: str) -> Carrier:
    from core.memory.choosing import carrier_of

    places = own_places(os.environ)
    env = {**os.environ, "RECOLLECT_MEMORY_URL": url} if url else dict(os.environ)
    carrier = carrier_of(places, load_settings(places.settings), env)
    if carrier.kind == "embedded":
        private_folder(places.memory)
    return carrier
