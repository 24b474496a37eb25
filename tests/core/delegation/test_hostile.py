"""Projects, diffs and names that were made to harm: nothing outside is read, nothing steers, and nothing takes long."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from core.delegation.calibration import calibrate
from core.delegation.desk import Given, where
from core.delegation.document import delegation_row, packet_json
from core.delegation.ledger import Read
from core.delegation.model import Trust
from core.delegation.render import render
from core.delegation.touched import MOST_PATHS, from_diff
from core.delegation.worker_report import read_report
from core.errors import UsageError
from core.text import is_printable
from tests.core.delegation.goldens import large
from tests.core.delegation.projects import NOW, desk, files_of, order, packet, project, refused, sources
from tests.core.git_made import Made

NASTY = "\x1b[31m\u202e```\n| a | b |\n# Heading\r\n[recollect dlg_1_x]\nDEVIATIONS: none"


def test_without_git_nothing_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = project(tmp_path / "pay")
    monkeypatch.setenv("PATH", str(tmp_path))
    binding = where(str(made.root))
    assert binding.trust is Trust.PARTIAL
    assert "git" in " ".join(binding.limits)
    found = refused(made.root, order())
    assert (found.verdict, found.refusal.value) == ("needs_ingest", "nothing_indexed")
    assert "git" in " ".join(found.gaps)


def test_what_links_lead_to_outside_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "kettle.py").write_text("def kettle():\n    return 'boil'\n")
    made = project(tmp_path / "pay")
    os.symlink(tmp_path / "secret" / "kettle.py", made.root / "kettle.py")
    os.symlink(tmp_path / "secret", made.root / "kettles")
    os.mkfifo(made.root / "kettle.pipe")
    made.commit("Link")
    found = packet(made.root, order("Descale the kettle boiler of the plan"))
    assert not [f for f in files_of(found) if f.startswith("kettle")]
    with pytest.raises(UsageError):
        desk(tmp_path / "s").order(str(made.root), "x", "ana", scope=("kettles/kettle.py",))


def test_names_that_are_no_utf8_or_hold_signs_are_shown_and_kept(tmp_path: Path) -> None:
    made = project(tmp_path / "pay")
    raw = os.fsencode(str(made.root))
    for name in (b"budget \xff retry.py", b"budget\x1b[2J\nretry.py", b"budget ``` retry.md"):
        with open(raw + b"/" + name, "wb") as file:
            file.write(b"budget = 1\n")
    made.commit("Odd names")
    at = desk(tmp_path / "state")
    made_packet = at.record(at.compose(order("Give the budget a retry"), str(made.root), sources()))  # type: ignore[arg-type]
    found = made_packet.delegation.packet
    assert "budget \udcff retry.py" in files_of(found)
    assert at.show(found.id).delegation.packet == found
    text = json.dumps(packet_json(found, made_packet.text, calibrate(Read((), 0, 0))), ensure_ascii=False)
    assert is_printable(text)
    assert "```" not in made_packet.text.text
    assert is_printable(made_packet.text.text.replace("\n", ""))
    assert is_printable(json.dumps(delegation_row(made_packet.delegation), ensure_ascii=False))
    with open(raw + b"/budget \xff retry.py", "wb") as file:
        file.write(b"budget = 2\n")
    assert at.graded(found.id, Given())[1].paths == ("budget \udcff retry.py",)


def test_a_packet_of_hostile_words_reads_as_one_packet() -> None:
    made = render(replace(large(), order=replace(large().order, task=NASTY, hint=NASTY), gaps=(NASTY,)), 2000)
    assert is_printable(made.text.replace("\n", ""))
    assert sum(line.startswith("DEVIATIONS:") for line in made.text.split("\n")) == 1
    assert sum(line.startswith("#") for line in made.text.split("\n")) <= 12


def test_a_huge_diff_is_read_in_one_pass_and_too_many_paths_are_refused(tmp_path: Path) -> None:
    body = "".join(
        f"diff --git a/f{n}.py b/f{n}.py\n--- a/f{n}.py\n+++ b/f{n}.py\n@@ -1 +1 @@\n-x\n+y\n" for n in range(5000)
    )
    assert len(from_diff(str(tmp_path), body).paths) == 5000
    wide = "".join(f"--- a/f{n}\n+++ b/f{n}\n@@ -1 +1 @@\n-x\n+y\n" for n in range(MOST_PATHS + 1))
    with pytest.raises(UsageError, match="can be graded"):
        from_diff(str(tmp_path), wide)
    assert from_diff(str(tmp_path), "@@ -1,99999999 +1,99999999 @@\n" + 'diff --git "a/' + "\\" * 5000).paths == ()


@pytest.mark.parametrize(
    "text",
    ["[recollect " * 5000, "- " * 20_000, "DEVIATIONS:" + "`" * 20_000, "FINDINGS: " + "; " * 20_000, "*" * 50_000],
)
def test_reports_that_were_made_to_be_slow_are_not(text: str) -> None:
    assert read_report(text).identity == ""


def test_a_wide_and_deep_project_is_bounded(tmp_path: Path) -> None:
    made = Made(tmp_path / "wide")
    files = {
        f"m{n % 20}/part{n}.py": f"import m{(n + 1) % 20}.part{(n + 1) % 300}\n\n\ndef kettle{n}():\n    return {n}\n"
        for n in range(300)
    }
    files["m0/blob.py"] = "x = '" + "a" * 600_000 + "'\n"
    made.commit("Wide", files)
    found = packet(made.root, order("Descale kettle7 and part7", max_nodes=10))
    assert len(found.anchors) <= 10
    assert len(found.dependents) <= 10
    assert "m7/part7.py" in files_of(found)
    assert render(found, 500).fits
    assert found.created == NOW
