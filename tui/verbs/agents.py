"""`recollect mcp` and `recollect completion SHELL`: what other programs start."""

from __future__ import annotations

import argparse

from core.errors import SurroundingsError, UsageError
from tui.output import write_text


def mcp(parsed: argparse.Namespace) -> int:
    """Serve the tools over stdin and stdout until the client goes away."""
    try:
        from tui.mcp.server import serve
    except ImportError as problem:
        raise SurroundingsError(
            f"The MCP library cannot be loaded: {problem}.", "Run: make run, which installs everything."
        ) from problem
    return serve(write=parsed.write)


def completion(parsed: argparse.Namespace) -> int:
    """Print the script that completes commands and options."""
    from tui.shell_completion import SHELLS, script

    if parsed.shell not in SHELLS:
        raise UsageError(f"There is no completion for {parsed.shell!r}.", f"It is one of {', '.join(SHELLS)}.")
    write_text(script(parsed.shell) + "\n")
    return 0
