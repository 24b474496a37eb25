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


REFUSED = frozenset({
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOMEM, errno.EMFILE,
    errno.ENFILE, errno.ESTALE, errno.ETIMEDOUT,
})  # fmt: skip
"""What the system says where it takes no more (a full disk, a quota, a bound on files), gives nothing out, or has lost a disk
of another machine."""
_WRITES = frozenset({
    sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN,
})  # fmt: skip
_HELD = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_OTHERS = _HELD | {sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM}


def is_full(error: Exception) -> bool:
    """Whether the disk, or who else holds the file, and not the index, is the trouble: building anew would not help, and
    would take away what can be searched."""
    if isinstance(error, sqlite3.Error):
        # The low byte is the kind; an error that the module itself makes, and not the library, has none.
        code = getattr(error, "sqlite_errorcode", 0)
        return code in _WRITES or code & 0xFF in _OTHERS
    return isinstance(error, OSError) and error.errno in REFUSED


def refusal(error: Exception) -> str:
    """What to say where the system refuses what a refresh needs; `""` where the index, or the program, is at fault."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in _HELD:
        return "another program holds the catalog of the index, which is as it was; ask again when it is done"
    if is_full(error):
        return f"the disk is full or cannot be written ({error}), so the index is as it was; make room, then ask again"
    if isinstance(error, OSError | sqlite3.Error):
        return f"the index cannot be brought up to date ({error}); recollect doctor says more"
    return ""


def damage_kinds() -> tuple[type[Exception], ...]:
    """`DAMAGE`, and what Whoosh raises where its own files are damaged. Loads Whoosh."""
    from indexes.whoosh_toc import WHOOSH_DAMAGE

    return WHOOSH_DAMAGE
