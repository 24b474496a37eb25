"""The names of content filters that configuration defines, read from its files: no process is started for them.

Comparing a file with the index may run its clean filter; each is switched off by name (core/repository.py).
"""

from __future__ import annotations

import os
import re

from core.repositories.places import Place

MAX_CONFIG = 4 * 1024 * 1024
"""Bytes of a configuration file that are read; a larger one is left to git."""
_SECTION = re.compile(r'\[\s*filter(?:\s+"((?:[^"\\]|\\.)*)"|\.([^\]\s]+))\s*\]', re.IGNORECASE)
_INCLUDE = re.compile(r"\[\s*include", re.IGNORECASE)
_USUAL = frozenset(("lfs",))
"""Filters that programs define for the whole machine."""


def filters_named(place: Place) -> set[str] | None:
    """Every filter that the repository's, the person's or the machine's configuration names.

    `None` where the repository's own configuration includes other files or cannot be read: git must be asked.
    """
    names = set(_USUAL)
    for path in (os.path.join(place.common_dir, "config"), os.path.join(place.git_dir, "config.worktree")):
        text = _text(path)
        if text is None or _INCLUDE.search(text):
            return None
        names |= _sections(text)
    home = os.path.expanduser("~")
    shared = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    given = os.environ.get("GIT_CONFIG_GLOBAL")
    own = [given] if given else [os.path.join(home, ".gitconfig"), os.path.join(shared, "git", "config")]
    for path in (*own, "/etc/gitconfig"):
        names |= _sections(_text(path) or "")
    return names


def _sections(text: str) -> set[str]:
    found = (quoted or dotted for quoted, dotted in _SECTION.findall(text))
    return {re.sub(r"\\(.)", r"\1", name) for name in found if name}


def _text(path: str) -> str | None:
    """A file's text, `""` if there is none, `None` if it cannot be read whole."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_CONFIG + 1)
    except FileNotFoundError:
        return ""
    except OSError:
        return None
    return None if len(data) > MAX_CONFIG else data.decode("utf-8", "surrogateescape")
