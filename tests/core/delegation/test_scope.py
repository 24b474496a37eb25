"""Scopes are compared by whole segments, and lead out of no project."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.delegation.scope import canonical, covers
from core.errors import UsageError


@pytest.mark.parametrize(
    ("entry", "path", "held"),
    [
        ("x.py", "x.py", True), ("x.py", "pkg/x.py", False), ("pkg/x.py", "x.py", False), ("a/config.py", "b/a/config.py", False),
        ("pay/", "pay/client.py", True), ("pay/", "pay/deep/er.py", True), ("pay/", "payments/client.py", False),
        ("pay/", "old/pay/client.py", False), ("*.py", "x.py", True), ("*.py", "pay/x.py", False), ("**/*.py", "pay/x.py", True),
        ("**/*.py", "x.py", True), ("pay/**", "pay/a/b.py", True), ("pay/?.py", "pay/a.py", True), ("pay/?.py", "pay/ab.py", False),
        ("pay/[ab].py", "pay/b.py", True), ("pay/[!ab].py", "pay/b.py", False), ("[z-a].py", "[z-a].py", True),
        ("app/[id]/page.tsx", "app/[id]/page.tsx", True), ("**", "any/thing", True), ("pay/*/", "pay/a/b/c.py", True),
    ],
)  # fmt: skip
def test_an_entry_holds_a_path(entry: str, path: str, held: bool) -> None:
    assert covers(entry, path) is held


def test_paths_are_made_canonical(tmp_path: Path) -> None:
    (tmp_path / "pay").mkdir()
    (tmp_path / "pay" / "x.py").touch()
    (tmp_path / "link").symlink_to("pay")
    root = str(tmp_path)
    assert canonical("./pay//x.py", root) == "pay/x.py"
    assert canonical("pay", root) == "pay/"
    assert canonical("pay/../pay/x.py", root) == "pay/x.py"
    assert canonical("x.py", root, str(tmp_path / "pay")) == "pay/x.py"
    assert canonical("link/x.py", root) == "pay/x.py"
    assert canonical("new/file.py", root) == "new/file.py"
    assert canonical(".", root) == "**"
    assert canonical(root, root) == "**"
    assert canonical("pay/*.py", root) == "pay/*.py"


@pytest.mark.parametrize("bad", ["../x", "/etc/passwd", "pay/../../x", "", "  ", "a\nb", "out/x"])
def test_what_leads_out_is_refused(tmp_path: Path, bad: str) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "out").symlink_to("/tmp")
    with pytest.raises(UsageError):
        canonical(bad, str(tmp_path / "root"))
