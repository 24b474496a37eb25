"""Every part of Whoosh that the index builds on, by name, some of them private. `whoosh3` is pinned for that reason.

Whoosh is typed in parts only, so its classes are `Any` here; `whoosh_codec` and `whoosh_toc` wrap them in typed
ones, and nothing else imports from this module.
"""

from __future__ import annotations

from typing import Any

from whoosh import columns, fields, formats, index, reading
from whoosh.analysis import acore, tokenizers
from whoosh.codec import base, whoosh3
from whoosh.filedb import filestore, filetables
from whoosh.matching import mcore

Token: Any = acore.Token
Tokenizer: Any = tokenizers.Tokenizer
NumericColumn: Any = columns.NumericColumn
Column: Any = fields.COLUMN
FieldType: Any = fields.FieldType
Schema: Any = fields.Schema
Existence: Any = formats.Existence
ListMatcher: Any = mcore.ListMatcher
TermInfo: Any = reading.TermInfo
TermNotFound: Any = reading.TermNotFound
FieldCursor: Any = base.FieldCursor
TermsReader: Any = base.TermsReader
W3Codec: Any = whoosh3.W3Codec
W3PerDocReader: Any = whoosh3.W3PerDocReader
W3Segment: Any = whoosh3.W3Segment
FileStorage: Any = filestore.FileStorage
Toc: Any = index.TOC

ERRORS: tuple[type[Exception], ...] = (
    reading.CorruptIndexError,
    index.IndexError,
    filestore.StorageError,
    filetables.FileFormatError,
)
"""Whoosh's own errors about an index that it cannot read."""
