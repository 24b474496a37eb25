"""One value of the settings file changed: comments and order stay, the file is whole or as it was, and undo brings it back."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.errors import SurroundingsError, UsageError
from core.settings import load_settings, standings
from core.settings_file import SettingsFile, edited
from core.settings_table import SETTINGS, Kind, as_text, checked, from_environment, read_text, setting_named

OLD = '# mine\n[app]\ntheme = "dark"   # at night\n# the mouse\nmouse = true\n\n[roots]\nclaude = ["/a"] # backup\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "own" / "settings.toml"


def test_a_value_is_set_and_everything_else_stays() -> None:
    new = edited(OLD, "app", "theme", "light")
    assert new == OLD.replace('"dark"', '"light"')
    new = edited(OLD, "roots", "claude", ("/b", "~/c"))
    assert new == OLD.replace('["/a"]', '["/b", "~/c"]')
    new = edited(OLD, "records", "commits", 5)
    assert new == OLD + "\n[records]\ncommits = 5\n"
    assert edited(new, "records", "commits", None) == OLD


@pytest.mark.parametrize(
    "text",
    ["", '[app]\r\ntheme = "dark"\r\n', 'app.theme = "dark"\n', 'app = {theme = "dark"}', '[app]\ntheme = "dark"'],
)
def test_a_file_written_in_any_way_can_be_changed(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_bytes(text.encode())
    SettingsFile(path, {}).set("app.mouse", ["no"])
    assert load_settings(path).mouse is False
    assert load_settings(path).theme == ("dark" if text else "auto")


def test_the_difference_is_told_and_undone(path: Path) -> None:
    file = SettingsFile(path, {})
    change = file.set("app.theme", ["dark"])
    assert change.difference == ("+ [app]", '+ theme = "dark"')
    assert file.set("app.theme", ["dark"]).difference == (), "the same again is no change"
    change = file.set("app.theme", ["light"])
    assert change.difference == ('- theme = "dark"', '+ theme = "light"')
    assert file.unset("app.theme").difference == ("- [app]", '- theme = "light"')
    for theme in ("light", "dark", "auto"):
        assert file.undo() is not None
        assert load_settings(path).theme == theme
    assert file.undo() is None


def test_undo_does_not_write_over_what_somebody_else_wrote(path: Path) -> None:
    file = SettingsFile(path, {})
    file.set("app.theme", ["dark"])
    path.write_text("# by hand\n")
    with pytest.raises(UsageError, match="changed since"):
        file.undo()
    assert path.read_text() == "# by hand\n"


def test_the_file_is_for_its_owner_and_a_link_is_followed(path: Path, tmp_path: Path) -> None:
    SettingsFile(path, {}).set("app.mouse", ["off"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(p.name for p in path.parent.iterdir()) == ["settings.toml"], "nothing is left beside it"
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    path.chmod(0o640)
    SettingsFile(link, {}).set("app.mouse", ["on"])
    assert link.is_symlink()
    assert load_settings(path).mouse is True
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_broken_file_is_said_and_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("[app\n")
    with pytest.raises(UsageError, match="cannot be read"):
        SettingsFile(path, {}).set("app.theme", ["dark"])
    assert path.read_text() == "[app\n"


def test_a_folder_that_takes_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises((SurroundingsError, UsageError)) as problem:
        SettingsFile(tmp_path / "file" / "settings.toml", {}).set("app.theme", ["dark"])
    assert problem.value.hint


@pytest.mark.parametrize(
    ("name", "texts", "what", "hint"),
    [
        ("app.them", ["dark"], "app.them", "app.theme"),
        ("theme", ["dark"], "theme", "app.theme"),
        ("nonsense", ["x"], "nonsense", "recollect settings"),
        ("app.theme", ["pink"], "pink", "contrast"),
        ("app.motion", ["perhaps"], "perhaps", "true or false"),
        ("records.commits", ["-1"], "-1", "50,000"),
        ("records.commits", ["50001"], "50001", "50,000"),
        ("records.commits", ["9" * 5000], "999", "50,000"),
        ("keys.resume", [" , "], "names no key", "f9"),
    ],
)
def test_what_a_setting_does_not_take_is_said(path: Path, name: str, texts: list[str], what: str, hint: str) -> None:
    with pytest.raises(UsageError) as problem:
        SettingsFile(path, {}).set(name, texts)
    assert what in problem.value.what
    assert hint in problem.value.hint
    assert not path.exists()


def test_what_a_person_types_becomes_a_value() -> None:
    assert read_text(setting_named("app.motion"), ["Yes"]) is True
    assert read_text(setting_named("records.commits"), ["2,000"]) == 2000
    assert read_text(setting_named("roots.codex"), ["~/a, /b c"]) == ("~/a", "/b c")
    assert read_text(setting_named("roots.codex"), ["/a,b", "here"]) == ("/a,b", os.path.abspath("here"))
    assert read_text(setting_named("keys.resume"), ["f9,", "alt+r"]) == "f9,alt+r"


def test_keys_are_checked_by_the_face_that_knows_them(path: Path) -> None:
    seen: list[Mapping[str, str]] = []
    file = SettingsFile(path, {}, seen.append)
    file.set("keys.resume", ["f9"])
    file.set("app.theme", ["dark"])
    assert seen[-1] == {"resume": "f9"}

    def refuse(keys: Mapping[str, str]) -> None:
        raise UsageError("no")

    with pytest.raises(UsageError):
        SettingsFile(path, {}, refuse).set("keys.resume", ["f10"])
    assert load_settings(path).keys == {"resume": "f9"}


def test_every_setting_tells_where_its_value_comes_from() -> None:
    env = {"RECOLLECT_MEMORY_URL": "http://there", "RECOLLECT_MEMORY_TOKEN": "word-of-mouth", "NO_MOTION": "1"}
    values = {"app.theme": "dark", "memory.url": "http://here", "keys.resume": "f9"}
    found = {s.row.name: s for s in standings(values, env)}
    assert (found["app.theme"].value, found["app.theme"].source) == ("dark", "file")
    assert (found["app.mouse"].value, found["app.mouse"].source) == (True, "default")
    url = found["memory.url"]
    assert (url.value, url.source, url.variable) == ("http://there", "environment", "RECOLLECT_MEMORY_URL")
    assert (found["app.motion"].value, found["app.motion"].variable) == (False, "NO_MOTION")
    assert found["keys.resume"].source == "file"
    assert "word-of-mouth" not in repr(found), "a token is never told"
    assert from_environment(setting_named("app.motion"), {"TEXTUAL_ANIMATIONS": "none"}) == (
        False,
        "TEXTUAL_ANIMATIONS",
    )


@pytest.mark.parametrize("row", [row for row in SETTINGS if row.key != "*"], ids=lambda row: row.name)
def test_every_default_is_taken_and_its_text_read_back(row: object, path: Path) -> None:
    found = setting_named(row.name)  # type: ignore[attr-defined]
    assert checked(found, found.default) == found.default
    if found.kind is not Kind.FOLDERS:
        assert read_text(found, [as_text(found.default)]) == found.default
    assert found.about.endswith(".")
