"""A made-up archive for people without sessions: written by code, the same every time, dated relative to nothing.

Forty-one sessions of one invented team over three invented projects and six months, in Claude Code, Codex, Copilot and
Gemini form: a line of work over six sessions, a settled rule, a topic, a fork, a subagent, a compaction, a broken line,
tool output that only a wider search reaches, and one session in Japanese.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from tui.demo.claude_form import write_claude
from tui.demo.codex_form import write_codex
from tui.demo.other_forms import write_copilot, write_gemini
from tui.demo.talks import talks

CODE = "/home/sam/code"
"""Where the projects lie if nobody says otherwise."""


def write_archive(home: Path, code: str = CODE, only: Collection[str] = ()) -> tuple[Path, ...]:
    """Write the archive below `home` (`.claude`, `.codex`, `.copilot`, `.gemini`); return the records' paths.

    `code` is the folder that holds the projects, `only` the names of the sessions to write, every one without it.
    Deterministic.
    """
    writers = {"claude": write_claude, "codex": write_codex, "copilot": write_copilot, "gemini": write_gemini}
    known = {talk.name: talk for talk in talks()}
    written = []
    for talk in [t for t in known.values() if not only or t.name in only]:
        if talk.fork_of:
            written.append(write_claude(home, code, talk, known[talk.fork_of]))
        else:
            written.append(writers[talk.runtime](home, code, talk))
    return tuple(written)
