"""Begins to look through files for what a command will look for, before what reads them is loaded.

`search --scan` spends half of its time on loading itself and on looking whether anything changed. Which files there were when
somebody last looked is kept, and what a few plain words will be looked for as is known: `grep` can begin at once. Nothing is
taken from it that does not hold when the records are listed (`core.records.sieve.Foreseen`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.records.sieve import Foreseen

_PLAIN = re.compile(r"[A-Za-z0-9_]+(?: [A-Za-z0-9_]+)*")
"""Words that no cue reads anything else from than themselves, mostly; of others nothing is foreseen."""


def foreseen(query: Sequence[str], roots: Sequence[str], env: Mapping[str, str]) -> Foreseen | None:
    """What was begun for a query of the archive; `None` where nothing can be foreseen: words that are not plain, roots that
    were named, no look that is kept."""
    text = " ".join(query)
    if roots or not _PLAIN.fullmatch(text):
        return None
    from core.paths import own_places
    from core.ports import Query, Term
    from core.recall.needles import needles_of
    from core.records.looks import Look, NoLook
    from core.records.needles import needles_for
    from core.records.sieve import Foreseen
    from indexes.home import LOOK, IndexHome

    groups = needles_of(Query(tuple(Term(word) for word in text.split(" "))))
    if not groups:
        return None
    home = IndexHome(own_places(env).index)
    try:
        home.check()
        stamps = Look(home.last_kept(LOOK)).stamps()
    except (OSError, NoLook):
        return None
    return Foreseen.of(stamps, needles_for(groups[0]))
