"""Fingerprints of prompts, to know again the one that a record tells twice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def hasher() -> Callable[..., Any]:
    """`hashlib.blake2b`, without OpenSSL where Python is built as usual: `hashlib` takes 5 ms to load, and a microsecond to be
    asked for by an `import`."""
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return blake2b


def digest(text: str) -> str:
    """A short fingerprint of a prompt, white space at its ends not counted."""
    return str(hasher()(text.strip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest())
