"""Runs a command because a person asked, and keeps its result as a receipt."""

from __future__ import annotations

import shlex
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from core.errors import UsageError
from core.soul.evidence import Receipt
from core.soul.git_evidence import GitEvidence, open_project
from core.soul.receipts import add_receipt, counts_in

KEPT_OUTPUT = 1 << 20
"""Characters of output, the last, in which counts are looked for."""


UNBOUND = "changed while it ran"
"""Stands for the state of a project that a command changed: no state is called so, and the receipt proves nothing."""


def run_for_receipt(argv: Sequence[str], evidence: GitEvidence, state: Path, out: TextIO) -> Receipt:
    """Run `argv` in the folder the person stands in, its output passed on to `out`, and store what came of it.

    The receipt holds the project as it stood when the command ended; if the project changed meanwhile, the receipt is
    bound to no state and proves nothing. Raises `UsageError` if the command cannot be started.
    """
    head, before = evidence.head, evidence.dirty_hash
    began = time.time()
    try:
        process = subprocess.Popen(
            list(argv), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
        )
    except OSError as problem:
        raise UsageError(
            f"“{argv[0]}” cannot be started: {problem.strerror or problem}.",
            "Name a program and its arguments after --.",
        ) from problem
    kept = ""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            out.write(line)
            out.flush()
            kept = (kept + line)[-KEPT_OUTPUT:]
    code = process.wait()
    ended = time.time()
    after = open_project(evidence.root, None)
    try:
        same = after.head == head and after.dirty_hash == before
    finally:
        after.close()
    bound = before if same else UNBOUND
    receipt = Receipt(shlex.join(argv), code, head, bound, ended, ended - began, counts_in(kept))
    add_receipt(state, evidence.root, receipt)
    return receipt
