"""Which owner a person chose, where its spool lies, and what this memory is called."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from core.errors import SurroundingsError, UsageError
from core.memory.carrying import Carrier, Embedded, OverHttp, checked_address
from core.memory.spool import Spool
from core.memory.sqlite_store import sqlite_store
from core.paths import Places, private_folder
from core.settings import Settings

URL = "RECOLLECT_MEMORY_URL"
TOKEN = "RECOLLECT_MEMORY_TOKEN"  # noqa: S105 - the variable's name
FILE = "memory.db"
OWNERS = "owners"
NAME = "name"
MAX_TOKEN = 4096


def carrier_of(places: Places, settings: Settings, env: Mapping[str, str]) -> Carrier:
    """The way to the owner: the variable's address, else the settings', else the file in the data folder.

    Raises `UsageError` naming the variable, the setting or the token's file that cannot be.
    """
    if address := env.get(URL, "").strip():
        return OverHttp(checked_address(address, URL), _token(settings, env))
    if settings.memory_url:
        return OverHttp(checked_address(settings.memory_url, "memory.url"), _token(settings, env))
    file = places.memory / FILE
    return Embedded(sqlite_store(file), str(file))


def folder_of(base: Path, carrier: Carrier) -> Path:
    """Where an owner's spool and copy lie: what waits for one owner never goes to another."""
    if carrier.kind == "embedded":
        return base
    host = re.sub(r"[^a-z0-9]+", "-", (urlsplit(carrier.place).hostname or "").lower()).strip("-")[:40] or "owner"
    digest = hashlib.blake2b(carrier.place.encode(), digest_size=6).hexdigest()
    return base / OWNERS / f"{host}-{digest}"


def folders(base: Path) -> tuple[Path, ...]:
    """The folders of every owner that this program ever wrote to."""
    try:
        others = sorted(p for p in (base / OWNERS).iterdir() if p.is_dir())
    except OSError:
        others = []  # none was ever used
    return (base, *others)


def waiting_elsewhere(base: Path, here: Path) -> int:
    """Deltas that wait for owners other than the one in force."""
    return sum(len(Spool(folder / "spool").names()) for folder in folders(base) if folder != here)


def own_name(base: Path) -> str:
    """What this memory is called where a claim says where it was born; made at the first claim, and random."""
    file = private_folder(base) / NAME
    try:
        if name := file.read_text(encoding="ascii").strip():
            return name
        file.unlink(missing_ok=True)  # empty: power failed while it was made, before any claim bore it
    except FileNotFoundError:
        name = ""  # it is made now
    except (OSError, UnicodeDecodeError) as problem:
        raise SurroundingsError(f"{file} cannot be read: {problem}.", "Mend it or move it away.") from problem
    name = f"mem_{secrets.token_hex(6)}"
    temporary = base / f".{NAME}.{secrets.token_hex(6)}"
    try:
        temporary.touch(0o600)
        temporary.write_text(name + "\n", encoding="ascii")
        try:
            os.link(temporary, file)
        except FileExistsError:
            name = file.read_text(encoding="ascii").strip()  # another process made it first
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as problem:
        raise SurroundingsError(
            f"The memory's folder {base} cannot be written: {problem.strerror or problem}.",
            "Make room, or set RECOLLECT_HOME to a folder you may write to.",
        ) from problem
    return name


def _token(settings: Settings, env: Mapping[str, str]) -> str:
    if token := env.get(TOKEN, "").strip():
        return _checked(token, TOKEN)
    if not settings.memory_token_file:
        return ""
    return read_token(settings.memory_token_file, "memory.token_file")


def read_token(path: str, source: str) -> str:
    """The token in a file. Raises `UsageError` where it cannot be read or is none, never telling what it holds."""
    file = Path(os.path.expanduser(path))
    try:
        raw = file.read_bytes()[: MAX_TOKEN + 2]
    except OSError as problem:
        raise UsageError(
            f"{source}: {file} cannot be read: {problem.strerror or problem}.", "Write the token into that file."
        ) from problem
    return _checked(raw.decode("ascii", "replace").strip(), source)


def _checked(token: str, source: str) -> str:
    if not token or len(token) > MAX_TOKEN or not all("!" <= c <= "~" for c in token):
        raise UsageError(f"{source} holds no token.", "A token is one word of ASCII characters, up to 4096.")
    return token
