"""What every test takes for granted."""

from __future__ import annotations

import gc

gc.set_threshold(100_000, 50, 100)
"""Cycles are collected, but seldom: apps that start and end leave many small objects, and walking through all modules that
a worker has loaded for each few hundred of them takes a quarter of the suite's time."""
