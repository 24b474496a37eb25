"""`recollect completion SHELL`: what a shell is told beyond the commands, and that every word of it is one that is taken."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from core.settings_file import SettingsFile
from core.settings_table import SETTINGS, Kind
from tui.cli import main
from tui.shell_completion import SHELLS, script, setting_names, setting_values


def test_every_setting_is_told_and_every_answer_is_taken(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "config.toml", {})
    names = setting_names()
    assert {row.name for row in SETTINGS if row.key != "*"} < set(names)
    assert "keys.resume" in names
    values = setting_values()
    assert set(values) == {row.name for row in SETTINGS if row.kind in (Kind.CHOICE, Kind.FLAG)}
    for name, answers in values.items():
        assert name in names
        for answer in answers:
            file.checked(name, [answer])


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_holds_settings_and_their_answers(shell: str) -> None:
    text = script(shell)
    for words in ("app.theme app.motion", "auto dark light contrast ansi", "recollect-search-v1"):
        assert words in text
    assert re.search(r"(case app\.theme$|app\.theme\))", text, re.M)
    assert not re.search(r"[^ -~\n\t“”–…—→]", text)


def test_bash_completes_settings_by_name_and_value(tmp_path: Path) -> None:
    """Run where there is a bash, which every machine of ours has: the words that stand so far, and what they may become."""
    bash = shutil.which("bash")
    assert bash
    asked = {
        "settings set app.t": "app.theme",
        "settings set app.theme d": "dark",
        "settings set --json app.motion f": "false",
        "settings unset keys.resu": "keys.resume",
        "completion z": "zsh",
        "schema recollect-sear": "recollect-search-v1",
        "export --output kept": "kept.md",
        "recal": "recall",
        "memory add --kind dec": "decision",
        "memory change 3f2a --tier cano": "canonical",
    }
    (tmp_path / "kept.md").touch()
    lines = [script("bash"), "shopt -u progcomp"]
    for words in asked:
        lines.append(f"COMP_WORDS=(recollect {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); COMPREPLY=()")
        lines.append('_shtab_recollect 2>/dev/null; echo "${COMPREPLY[*]}"')
    done = subprocess.run(
        [bash, "--norc"], input="\n".join(lines), cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert dict(zip(asked, done.stdout.splitlines(), strict=True)) == asked


@pytest.mark.parametrize("shell", SHELLS)
def test_the_help_says_where_each_shell_looks(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["completion", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert {"bash": "bash-completion/completions", "zsh": "$fpath", "fish": "fish/completions"}[shell] in told


def test_another_shell_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "csh"]) == 2
    assert "one of bash, zsh, fish" in capsys.readouterr().err
