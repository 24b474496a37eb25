"""The command `recollect`: reads the command line, runs one command, and is the last boundary for what went wrong.

Nothing heavy is imported before a command needs it: `--help` costs argparse, `search` costs the index, only the app
costs Textual (measured: 230 ms of CPU to import).
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from core.errors import RecollectError

if TYPE_CHECKING:
    import argparse

VERSION = "0.1.0"
CRASHED = 70
INTERRUPTED = 130
_interrupts: list[float] = []
"""When a person has interrupted this process."""
_AT_ONCE = 1.0
"""Seconds after ctrl+c in which what breaks is taken to break by it: a library in C that is interrupted while it is loaded tells
that it cannot be loaded, or whatever else it makes of it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; the return value is its exit code (design/interface.md)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _dispatch(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except RecollectError as problem:
        _say(problem)
        return problem.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`recollect list | head`): keep Python from complaining again while it shuts down.
        from tui.output import silence_stdout

        silence_stdout()
        return 0
    except Exception as problem:  # noqa: BLE001 - the crash boundary of the command line
        if _interrupts and time.monotonic() - _interrupts[-1] < _AT_ONCE:
            return INTERRUPTED
        _crashed(problem)
        return CRASHED


def run() -> None:
    """The console script. A command's memory is the system's to take back, at once: an interpreter that takes itself apart
    value by value costs 0.01 s after a search, 0.05 s after a list. Threads that still work are waited for."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where whoever began this ignores it
        signal.signal(signal.SIGINT, _interrupted)
    code = main()
    gc.freeze()  # what is left is not looked through for cycles on the way out: 0.1 s after a check of a large soul
    if threading.active_count() == 1 and not _left_over():
        os._exit(code)
    sys.exit(code)


def _interrupted(_number: int, _frame: object) -> None:
    _interrupts.append(time.monotonic())
    raise KeyboardInterrupt


def _left_over() -> bool:
    """True if something was left to do on the way out, by what writes or by who asked for it."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return True  # the interpreter says so, in its way
    return bool(getattr(atexit, "_ncallbacks", int)())


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        from tui.verbs.opening import AppLine, open_app

        return open_app(AppLine())  # the parser of options costs 6 ms
    from tui.parser import COMMANDS, app_parser, build_parser

    if arguments[0] in COMMANDS:
        return _command(arguments)
    if arguments[:1] in (["--help"], ["-h"], ["help"]):
        build_parser(options=False).print_help()
        return 0
    if arguments[:1] == ["--version"]:
        from tui.output import write_out

        write_out(f"recollect {VERSION}")
        return 0
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
        options = app_parser().parse_args(["--", *arguments])
    else:
        if not arguments[0].startswith("-"):
            from tui.slips import check_first

            check_first(arguments, COMMANDS)
        options = app_parser().parse_args(arguments)
    from tui.verbs.opening import app_line, open_app

    return open_app(app_line(options))


_VERBS = {
    "recall": "recalling.recall",
    "show": "records.show", "list": "records.list_records", "resume": "records.resume", "export": "records.export",
    "status": "upkeep.status", "doctor": "upkeep.doctor", "index": "upkeep.index",
    "settings": "settings.settings", "memory": "memory.memory", "curate": "curate.curate", "soul": "soul.soul",
    **dict.fromkeys(("delegate", "debrief", "delegations", "calibration", "where"), "delegate.delegation"),
    "demo": "opening.open_demo", "mcp": "agents.mcp", "completion": "agents.completion", "schema": "schemas.schema",
}  # fmt: skip
"""The function of `tui.verbs` that carries out each command but `search`; its module is loaded when it is asked for."""


def _command(arguments: list[str]) -> int:
    from tui.parser import build_parser

    options = build_parser(arguments[0]).parse_args(arguments)
    if options.command == "search":
        return _search(options)
    module, function = _VERBS[options.command].split(".")
    verb: Callable[[argparse.Namespace], int] = getattr(import_module(f"tui.verbs.{module}"), function)
    return verb(options)


def _search(options: argparse.Namespace) -> int:
    begun = None
    if options.scan:
        from tui.foresight import foreseen  # before all else: what it begins works beside the rest of the loading

        begun = foreseen(options.query, options.root, os.environ)
    from tui.verbs import recalling

    return recalling.search(options, begun)


def _say(problem: RecollectError) -> None:
    from core.text import shown
    from tui.output import write_err

    write_err(f"recollect: {shown(problem.what)}")
    if problem.hint:
        write_err(f"hint: {shown(problem.hint)}")


def _crashed(problem: Exception) -> None:
    """Say where the program broke, without any text of a session: neither the message nor a value is printed."""
    import traceback

    from tui.output import write_err

    write_err(f"recollect: the program broke ({type(problem).__name__}). No session text is in this report:")
    for frame in traceback.extract_tb(problem.__traceback__)[-6:]:
        write_err(f"  {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}")
    write_err("hint: run recollect doctor; if it finds nothing, report these lines.")


if __name__ == "__main__":
    run()
