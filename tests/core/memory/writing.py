"""Several writers at once, forked from one process image: `python -m tests.core.memory.writing FOLDER WRITERS CLAIMS`.

Each keeps its claims one by one through the sink; prints one JSON object with the ids that were said to be persisted.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from core.memory.claim import new_claim
from tests.core.memory.memories import NOW, memory


def main(folder: Path, writers: int, claims: int) -> None:
    """Fork the writers and gather what they were told."""
    pipes = []
    for writer in range(writers):
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(reading)
            held = memory(folder)
            for number in range(claims):
                done = held.keep([new_claim(f"claim {number} of writer {writer}", created_at=NOW)])
                os.write(writing, f"{'=' if done.persisted else '?'}{done.ids[0]}\n".encode())
            os._exit(0)
        os.close(writing)
        pipes.append(reading)
    told: dict[str, list[str]] = {"persisted": [], "queued": []}
    for reading in pipes:
        with os.fdopen(reading, "rb") as pipe:
            for line in pipe.read().decode().splitlines():
                told["persisted" if line[0] == "=" else "queued"].append(line[1:])
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
