"""`recollect recal foo` is told what was meant; a cue is never taken for a command."""

from __future__ import annotations

import pytest

from core.errors import UsageError
from tui.cli import main
from tui.compose import Options
from tui.parser import COMMANDS, app_parser, build_parser
from tui.shell_completion import _arguments
from tui.slips import check_first, meant
from tui.verbs.opening import AppLine, app_line


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("recal", "recall"), ("Recal", "recall"), ("recalll", "recall"), ("serach", "search"), ("serch", "search"), ("lsit", "list"),
        ("listt", "list"), ("shwo", "show"), ("exprt", "export"), ("delegaet", "delegate"), ("debreif", "debrief"),
        ("setings", "settings"), ("memmory", "memory"), ("dcotor", "doctor"), ("completoin", "completion"), ("suol", "soul"),
    ],
)  # fmt: skip
def test_a_slip_of_a_command_is_known(typed: str, name: str) -> None:
    assert meant(typed, COMMANDS) == name


@pytest.mark.parametrize(
    "word",
    ["last", "lost", "lists", "how", "slow", "snow", "soil", "sour", "here", "there", "were", "memo", "demos", "expert", "exports",
     "exported", "scheme", "schemas", "crate", "statue", "setting", "delegated", "resumed", "research", "indexed", "indexing", "recalls",
     "mp", "recal foo", "récall", "retries", "Doktor", "delegation"],
)  # fmt: skip
def test_a_word_of_a_cue_stays_one(word: str) -> None:
    assert meant(word, COMMANDS) == ""


def test_each_name_is_no_slip_of_another() -> None:
    """`delegations` and `delegate` are commands of their own: what is one is never told to be another."""
    check_first([], COMMANDS)
    for name in COMMANDS:
        assert meant(name, [other for other in COMMANDS if other != name]) == ""


def test_the_error_says_what_was_meant_and_how_a_cue_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recal", "that", "thing"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "There is no command “recal”." in err
    assert "hint: Did you mean: recollect recall …? As a cue: recollect -- recal …" in err
    with pytest.raises(UsageError, match="no command"):
        check_first(["recal"], COMMANDS)
    check_first(["recal that thing"], COMMANDS)  # quoted: it is a cue


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["search", "--bogus"], "recollect: search does not take --bogus.\nhint: Run: recollect search --help\n"),
        (
            ["soul", "check", "--bogus"],
            "recollect: soul check does not take --bogus.\nhint: Run: recollect soul check --help\n",
        ),
        (["list", "date:2026-02"], "recollect: list does not take date:2026-02.\nhint: Run: recollect list --help\n"),
        (["--bogus"], "recollect: this does not take --bogus.\nhint: Run: recollect --help\n"),
        (
            ["recall"],
            "recollect: recall: the following arguments are required: CUE.\nhint: Run: recollect recall --help\n",
        ),
    ],
)
def test_what_a_command_does_not_take_is_told_of_that_command(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    assert capsys.readouterr().err == said


def test_the_help_of_the_program_names_the_options_of_the_app_and_every_argument_has_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    for action in app_parser()._actions:
        for option in action.option_strings:
            assert option in told
    assert [a.dest for _, a in _arguments(build_parser(), ()) if not a.help] == []


def test_the_app_without_a_word_is_opened_as_its_parser_would_have_it() -> None:
    """Then the parser is not even loaded."""
    assert app_line(app_parser().parse_args([])) == AppLine()
    assert app_line(app_parser().parse_args(["--plain", "--exec", "a", "cue"])) == AppLine(
        Options(plain=True), "a cue", exec_on_resume=True
    )
