"""Loads numpy as this program needs it."""

from __future__ import annotations

import os
import sys

_THREADS = "OPENBLAS_NUM_THREADS"


def load_numpy() -> None:
    """Load numpy, its linear algebra on one thread: the products here are small, and starting threads for them takes
    0.04 s of CPU in every command. A number that the person set is kept, and processes started later see none of ours."""
    if "numpy" in sys.modules or _THREADS in os.environ:
        return
    os.environ[_THREADS] = "1"
    try:
        import numpy  # noqa: F401 - for its effect
    finally:
        del os.environ[_THREADS]
