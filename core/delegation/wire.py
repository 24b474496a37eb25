"""A packet as JSON values and back: what the registry keeps. Paths keep their exact bytes (lone surrogates are escaped)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from core.delegation.model import (
    Anchor,
    Binding,
    Dependent,
    Fence,
    Order,
    Packet,
    PastSession,
    Proof,
    Recollection,
    SoulPart,
    Staleness,
    Together,
    Trust,
)

_T = TypeVar("_T")


class Torn(ValueError):
    """A record that is no packet of ours."""


def packet_document(packet: Packet) -> dict[str, Any]:
    """A packet as JSON values."""
    return asdict(packet)


def packet_of(document: object) -> Packet:
    """The packet that `packet_document` gave. Raises `Torn`."""
    try:
        if not isinstance(document, dict):
            raise Torn("it is no object")
        data = dict(document)
        binding = dict(data["binding"])
        soul = dict(data["soul"])
        return Packet(
            **_plain(Packet, data, {
                "order": _made(Order, data["order"]),
                "binding": Binding(**{**_lists(binding), "trust": Trust(binding["trust"])}),
                "staleness": _made(Staleness, data["staleness"]),
                "anchors": _rows(Anchor, data["anchors"]),
                "sessions": _rows(PastSession, data["sessions"]),
                "memory": _rows(Recollection, data["memory"]),
                "fence": _made(Fence, data["fence"]),
                "dependents": _rows(Dependent, data["dependents"]),
                "together": _rows(Together, data["together"]),
                "proof": _rows(Proof, data["proof"]),
                "soul": SoulPart(**{**soul, "stale": tuple((str(t), int(n)) for t, n in soul["stale"])}),
                "baseline": tuple((str(p), str(d)) for p, d in data["baseline"]),
            })
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise Torn(str(problem)) from problem


def _plain(kind: type, data: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    names = {f.name for f in fields(kind)}
    return {**_lists({k: v for k, v in data.items() if k in names}), **made}


def _lists(data: Mapping[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}


def _made(kind: type[_T], data: Mapping[str, Any]) -> _T:
    return kind(**_lists(data))


def _rows(kind: type[_T], rows: list[Mapping[str, Any]]) -> tuple[_T, ...]:
    return tuple(_made(kind, row) for row in rows)
