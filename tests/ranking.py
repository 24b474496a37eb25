"""How well the ranking does on archives with known answers, and how its weights were fitted. Run by hand.

    python -m tests.ranking --home DIR --cues FILE            hit@k, and rounds until a person has the right session
    python -m tests.ranking --home DIR --cues FILE --fit      the fusion's weights, five-fold cross-validated

A line of FILE is `{"cue": …, "expected": [paths below DIR]}`; `--limit N` takes N of them, spread evenly. The index is built
in a temporary folder, which takes some minutes for its meanings. Nothing is asserted. `make bench` prints the first of the
two where RECOLLECT_BENCH_DATA names a folder with `home/` and `cues.jsonl`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.library import Library
from core.ports import Progress
from core.recall.cue import read_cue
from core.recall.model import Holding, Scope, Utterance
from core.recall.thread import Thread
from core.records.archive import Archive
from indexes import weights
from indexes.deep import Deep
from indexes.encoder import Encoder
from indexes.whoosh_index import WhooshIndex

ROUNDS = 12
"""Rounds after which the simulated person gives up."""
FOLDS = 5
GRID: Mapping[str, Sequence[float]] = {
    "MEANING": (0.5, 0.8, 1.1), "MEANING_OPENING": (0.2, 0.4, 0.6), "MEANING_MARATHON": (0.0, 0.025, 0.05),
}  # fmt: skip


def asked(home: Path, cues: Path) -> list[tuple[str, frozenset[str]]]:
    """Each cue and the real paths of the records that answer it."""
    rows = [json.loads(line) for line in cues.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [(row["cue"], frozenset(os.path.realpath(home / path) for path in row["expected"])) for row in rows]


def rounds_until_found(library: Library, cue: str, expected: frozenset[str]) -> int:
    """The round in which a person who says "not that one" until it is right has it; 0 if never."""
    scope = Scope()
    advance = library.start(cue, scope)
    for number in range(1, ROUNDS + 1):
        shown = advance.round.recognizable if advance.round else None
        if shown and expected & {os.path.realpath(member.locator.path) for member in shown.members}:
            return number
        if not isinstance(advance.outcome, Holding):
            return 0
        advance = library.say(advance.context, Utterance("not that one"), scope)
    return 0


def simulate(library: Library, cues: Sequence[tuple[str, frozenset[str]]]) -> dict[str, Any]:
    """Hit@k, mean rounds over the cues found, and the share of all cues found within three."""
    rounds = [rounds_until_found(library, cue, expected) for cue, expected in cues]
    found = [r for r in rounds if r]
    return {
        **_figures([_place(library, cue, expected) for cue, expected in cues]),
        "cues": len(cues),
        "found": len(found),
        "mean_rounds": round(statistics.mean(found), 2) if found else None,
        "within_3": round(sum(r <= 3 for r in found) / max(len(cues), 1), 3),
    }


def usefulness(place: int) -> float:
    """What the fit maximises: the reciprocal of the right record's place, and its being among the three shown first."""
    return 1 / (1 + place) + 0.5 * (place < 3)


def fit(library: Library, cues: Sequence[tuple[str, frozenset[str]]]) -> dict[str, Any]:
    """Every setting of the grid on every cue; each fold is read with the setting that is best on the others."""
    settings = [dict(zip(GRID, values, strict=True)) for values in itertools.product(*GRID.values())]
    places = []
    for number, setting in enumerate(settings, 1):
        print(f"setting {number} of {len(settings)}", file=sys.stderr)
        with _weights(setting):
            places.append([_place(library, cue, expected) for cue, expected in cues])
    held: list[int] = []
    chosen = []
    for fold in range(FOLDS):
        inside = [n for n in range(len(cues)) if n % FOLDS != fold]
        best = max(range(len(settings)), key=lambda s: (sum(usefulness(places[s][n]) for n in inside), -s))
        chosen.append(settings[best])
        held += [places[best][n] for n in range(len(cues)) if n % FOLDS == fold]
    whole = max(range(len(settings)), key=lambda s: (sum(map(usefulness, places[s])), -s))
    return {
        "as_shipped": _figures([_place(library, cue, expected) for cue, expected in cues]),
        "cross_validated": _figures(held), "chosen_per_fold": chosen, "best_on_all": settings[whole],
    }  # fmt: skip


def _place(library: Library, cue: str, expected: frozenset[str]) -> int:
    query = replace(read_cue(Thread(cue_texts=(cue,)), library.clock.now(), Scope()).query, limit=20, deep=True)
    paths = [os.path.realpath(hit.entry.source.path) for hit in library.index.search(query)]
    return next((n for n, path in enumerate(paths) if path in expected), 10**6)


def _figures(places: Sequence[int]) -> dict[str, float]:
    hits = {f"hit@{k}": round(sum(p < k for p in places) / len(places), 3) for k in (1, 3, 5, 10)}
    return hits | {"mrr": round(sum(1 / (1 + p) for p in places) / len(places), 3)}


@contextmanager
def _weights(setting: Mapping[str, float]) -> Iterator[None]:
    """The constants of `indexes.weights` set for a while."""
    before = {name: getattr(weights, name) for name in setting}
    try:
        for name, value in setting.items():
            setattr(weights, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(weights, name, value)


class Remembering(Encoder):
    """The encoder, which reads each cue once however many settings are tried."""

    def __init__(self) -> None:
        super().__init__()
        self._read: dict[str, Any] = {}

    def encode(self, texts: Sequence[str]) -> Any:
        if len(texts) != 1:
            return super().encode(texts)
        if texts[0] not in self._read:
            self._read[texts[0]] = super().encode(texts)
        return self._read[texts[0]]


@contextmanager
def built(home: Path) -> Iterator[Library]:
    """An archive with an index and all its meanings, in a temporary folder."""
    archive = Archive.from_environment({}, str(home))
    with tempfile.TemporaryDirectory() as folder:
        index = WhooshIndex(Path(folder) / "index", archive)
        library = Library(archive, index, str(home))
        library.refresh()
        index._meanings = Deep(index._home, Remembering())
        library.deepen(progress=_told)
        yield library


def _told(progress: Progress) -> bool:
    print(f"meanings: {progress.records} of {progress.records_total} records", file=sys.stderr)
    return True


def main() -> None:
    """Build, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--cues", type=Path, required=True)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    home = options.home.resolve()
    with built(home) as library:
        cues = asked(home, options.cues)
        if options.limit:
            cues = cues[:: max(1, len(cues) // options.limit)][: options.limit]
        print(json.dumps(fit(library, cues) if options.fit else simulate(library, cues), indent=1))


if __name__ == "__main__":
    main()
