"""What lies inside a boundary: a folder is no beginning of a name, and roles name those who speak."""

from __future__ import annotations

import pytest

from core.ports import Entry, Filters
from core.recall.boundary import folder, passes, speaks
from core.records.model import Origin, Source, Spine


def inside(cwd: str, *projects: str) -> bool:
    source = Source("claude", "/home/me/.claude", "/home/me/.claude/projects/p/s.jsonl", "s", 1, 1)
    return passes(Entry(source, Spine("s", cwds=(cwd,), project=cwd)), Filters(projects=projects))


@pytest.mark.parametrize(
    ("cwd", "fits"),
    [
        ("/home/me/pay", True), ("/home/me/pay/src", True), ("/HOME/me/Pay", True), ("/home/me/payments", False),
        ("/mnt/home/me/pay", False), ("/home/me", False),
    ],
)  # fmt: skip
def test_a_folder_is_it_and_what_lies_below(cwd: str, fits: bool) -> None:
    assert inside(cwd, folder("/home/me/pay")) is fits
    assert inside(cwd, folder("/home/me/pay/")) is fits
    assert inside(cwd, "-" + folder("/home/me/pay")) is not fits


def test_a_part_of_a_path_is_a_part_and_a_drive_is_a_root() -> None:
    assert inside("/home/me/payments", "pay")
    assert inside("/home/me/pay/src", "pay/")
    assert not inside("/home/me/payments", "pay/")
    assert inside("C:\\work\\pay\\src", folder("C:\\work\\pay"))
    assert not inside("D:\\c:\\work\\pay", folder("C:\\work\\pay"))
    assert inside("/anywhere", folder("/"))


@pytest.mark.parametrize(
    ("roles", "heard"),
    [
        ((), {Origin.PERSON, Origin.ASSISTANT, Origin.EXTERNAL}), (("person",), {Origin.PERSON}),
        (("-assistant",), {Origin.PERSON, Origin.EXTERNAL}), (("person", "assistant"), {Origin.PERSON, Origin.ASSISTANT}),
        (("nobody",), set()),
    ],
)  # fmt: skip
def test_roles_name_who_is_heard(roles: tuple[str, ...], heard: set[Origin]) -> None:
    assert {one for one in (Origin.PERSON, Origin.ASSISTANT, Origin.EXTERNAL) if speaks(one, roles)} == heard
