"""The settings file and the program's own folders."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from platformdirs import PlatformDirs

from core.errors import SurroundingsError, UsageError
from core.paths import own_places, private_folder
from core.settings import Settings, load_settings


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "none.toml") == Settings()


def test_everything_is_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(
        '[roots]\nclaude = ["/a", "/b"]\ncodex = "/c"\n[app]\ntheme = "dark"\nmotion = false\nmouse = false\nresume = "exec"\n'
    )
    assert load_settings(file) == Settings({"claude": ("/a", "/b"), "codex": ("/c",)}, "dark", False, False, "exec")


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("[rots]\n", "rots", "roots"),
        ("[app]\nthem = 'dark'\n", "them", "theme"),
        ("[app]\ntheme = 'pink'\n", "pink", "dark"),
        ("[app]\nmouse = 1\n", "mouse", "true or false"),
        ("[roots]\nclaude = 3\n", "roots.claude", "/some/folder"),
        ("[roots]\nclaud = []\n", "claud", "claude"),
        ("app = 3\n", "app", "[app]"),
        ("[app\n", "cannot be read", "Mend"),
    ],
)
def test_a_mistake_is_named_with_its_remedy(tmp_path: Path, text: str, what: str, hint: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(UsageError) as problem:
        load_settings(file)
    assert what in problem.value.what
    assert hint in problem.value.hint
    assert str(file) in problem.value.what


def test_recollect_home_holds_everything(tmp_path: Path) -> None:
    places = own_places({"RECOLLECT_HOME": str(tmp_path)})
    assert {places.index.parent, places.state.parent, places.settings.parent} == {tmp_path}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the library itself is asked")
@pytest.mark.parametrize("home", ["/home/dev", "/home/dev/", "/", "relative", ""])
@pytest.mark.parametrize("chosen", [None, "", " ", "/x/cache", "/x/cache/", "relative/cache", "~/cache", " /x"])
def test_the_folders_are_those_of_the_platform(monkeypatch: pytest.MonkeyPatch, home: str, chosen: str | None) -> None:
    """What is told without the library that knows all platforms is what it says."""
    monkeypatch.setenv("HOME", home)
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        if chosen is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, chosen)
    dirs, places = PlatformDirs("recollect", appauthor=False), own_places({})
    assert places.index == Path(dirs.user_cache_dir) / "index"
    assert places.state == Path(dirs.user_data_dir)
    assert places.settings == Path(dirs.user_config_dir) / "settings.toml"


def test_own_folders_are_for_their_owner(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "a" / "b")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o755)
    assert stat.S_IMODE(private_folder(folder).stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SurroundingsError) as problem:
        private_folder(tmp_path / "file" / "below")
    assert "RECOLLECT_HOME" in problem.value.hint
