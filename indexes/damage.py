"""What a damaged index can raise, in one place."""

from __future__ import annotations

import errno
import pickle
import sqlite3
import struct
import zlib


class IndexDamaged(Exception):
    """The index's files contradict each other or themselves; it has to be built anew."""


DAMAGE: tuple[type[Exception], ...] = (
    IndexDamaged,
    OSError,  # a file that is gone, cannot be read, or is a directory
    sqlite3.Error,  # a catalog page that is zeroed, cut or of another format
    pickle.UnpicklingError,
    struct.error,
    zlib.error,
    EOFError,
    ValueError,  # includes UnicodeDecodeError, JSON errors and `PostingsDamaged`
    LookupError,
    TypeError,
    AttributeError,  # a pickle that names what is not there
    ImportError,
    AssertionError,  # Whoosh asserts the generation it reads
    OverflowError,
    MemoryError,  # a garbled length
)
"""Every exception that opening or reading damaged Whoosh files or a damaged catalog was seen to raise
(`tests/indexes/test_damage.py`), and their kin. Whoosh's own errors are added where Whoosh is imported."""


def is_full(error: Exception) -> bool:
    """Whether the disk, and not the index, is the trouble: building anew would not help."""
    if isinstance(error, sqlite3.Error):
        # The low byte is the kind; an error that the module itself makes, and not the library, has none.
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES)


def damage_kinds() -> tuple[type[Exception], ...]:
    """`DAMAGE`, and what Whoosh raises where its own files are damaged. Loads Whoosh."""
    from indexes.whoosh_toc import WHOOSH_DAMAGE

    return WHOOSH_DAMAGE
