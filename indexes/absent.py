"""Names that no record can be found by, told without numpy and without any table.

A name of letters and digits (a hash, an id, a token) stands in the index as it was typed, and is nobody's slip of the finger.
Where its bytes are nowhere in the files of the index, no record holds it, and what ranks need not be loaded: a quarter of a
second's work is a hundredth then. All that is read is checked as a search checks it; whatever is not plain is left to that.
"""

from __future__ import annotations

import re
import zlib

from core.ports import Query, TermKind
from indexes import toc
from indexes.catalog import Catalog
from indexes.damage import DAMAGE
from indexes.home import SESSIONS, SESSIONS_MARK, IndexHome, has_meanings
from indexes.sealed import unsealed

_NAME = re.compile(r"(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{7,64}")
"""Too long for a date ("2023rd"); with a digit, so that it has no stem, no other form and no other spelling."""
_BEGINS = 7
"""Of a long hexadecimal number, the digits that are a term of their own."""


def is_absent(home: IndexHome, query: Query) -> bool:
    """True if no record can be a candidate, because none holds any word of the query; False if it takes a search to tell."""
    names = [term.text for term in query.terms]
    plain = all(map(_NAME.fullmatch, names)) and all(term.kind is not TermKind.PREFIX for term in query.terms)
    if not names or not plain or query.windows or (query.deep and has_meanings(home)):
        return False
    try:
        return _stand_nowhere([_sought(name) for name in names], home)
    except DAMAGE:
        return False  # a search says what is wrong


def _sought(name: str) -> bytes:
    """What stands in the index wherever a term of the name does."""
    return (name[:_BEGINS] if set(name) <= set("0123456789abcdef") else name).encode("ascii")


def _stand_nowhere(names: list[bytes], home: IndexHome) -> bool:
    """True if none of these is anywhere in the index. Raises one of `DAMAGE` for files that do not fit each other."""
    with Catalog(home.path) as catalog:
        meta = catalog.meta()
    generation = meta["generation"]
    place = home.segments / toc.file_name(toc.INDEX_NAME, generation)
    listed = place.read_bytes()
    if toc.newest(home.segments, toc.INDEX_NAME) != generation or zlib.crc32(listed) != meta["checksum"]:
        return False  # another process is writing
    titles = home.kept(SESSIONS, meta["version"])
    unsealed(SESSIONS_MARK, titles)
    if any(name in titles for name in names):
        return False
    for segment in toc.read(place):
        data = (home.segments / toc.segment_file(segment["segid"])).read_bytes()
        if len(data) != segment["size"] or zlib.crc32(data) != segment["checksum"]:
            return False
        if any(name in data for name in names):
            return False
    return True
