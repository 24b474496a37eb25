"""Our `dataclass` makes what the standard library's makes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar

import orjson
import pytest

from core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Ours:
    """A value of ours."""

    name: str
    count: int = 3
    parts: tuple[str, ...] = ()
    extra: dict[str, int] = field(default_factory=dict, compare=False)
    secret: str = field(default="", repr=False)
    limit: ClassVar[int] = 9


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    """The same value, made by the standard library."""

    name: str
    count: int = 3
    parts: tuple[str, ...] = ()
    extra: dict[str, int] = field(default_factory=dict, compare=False)
    secret: str = field(default="", repr=False)
    limit: ClassVar[int] = 9


@dataclass(frozen=True, slots=True)
class Child(Ours):
    """One with a field more, checked when it is made."""

    more: float = 0.5

    def __post_init__(self) -> None:
        if self.more < 0:
            raise ValueError("less than nothing")


ARGUMENTS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    (("a",), {}),
    (("a", 4, ("x", "y")), {"extra": {"k": 1}}),
    ((), {"name": "b", "secret": "s"}),
)


@pytest.mark.parametrize(("given", "named"), ARGUMENTS)
def test_the_same_values_words_order_and_json(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Fields, text, hash, comparison, copies and JSON are those of the standard library."""
    ours, theirs = Ours(*given, **named), Theirs(*given, **named)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert hash(ours) == hash(theirs)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert json.loads(orjson.dumps(ours)) == json.loads(orjson.dumps(theirs))
    assert ours == Ours(*given, **named) == pickle.loads(pickle.dumps(ours)) == copy.deepcopy(ours)
    assert ours != dataclasses.replace(ours, name="other")
    other: Any = theirs
    assert ours != other
    assert dataclasses.replace(ours, count=1).count == 1


def test_the_class_is_described_as_by_the_standard_library() -> None:
    """Fields in order with their defaults, positions for patterns, slots, and a signature that tools can read."""
    described = [[(f.name, f.type, f.default, f.init) for f in dataclasses.fields(kind)] for kind in (Ours, Theirs)]
    assert described[0] == described[1]
    assert vars(Ours)["__match_args__"] == vars(Theirs)["__match_args__"]
    assert vars(Ours)["__slots__"] == vars(Theirs)["__slots__"]
    assert not hasattr(Ours("a"), "__dict__")
    assert Ours.limit == 9
    assert list(inspect.signature(Ours).parameters) == list(inspect.signature(Theirs).parameters)
    assert Ours.__qualname__ == "Ours"
    assert Ours.__doc__ == "A value of ours."


def test_nothing_can_be_set_or_deleted_and_values_are_never_shared() -> None:
    """Frozen means frozen, and a factory makes a new value each time."""
    one = Ours("a")
    with pytest.raises(FrozenInstanceError):
        one.name = "b"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.name
    assert Ours("a").extra is not one.extra
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]


def test_a_child_has_the_fields_of_both_and_its_check_runs() -> None:
    """Inheritance and `__post_init__`."""
    assert [f.name for f in dataclasses.fields(Child)][-2:] == ["secret", "more"]
    assert Child("a", more=2.0) != Child("a")
    assert vars(Child)["__slots__"] == ("more",)
    with pytest.raises(ValueError, match="less than nothing"):
        dataclasses.replace(Child("a"), more=-1.0)


def test_what_a_class_says_itself_is_kept() -> None:
    """A class may compare in a way of its own."""

    @dataclass(frozen=True, slots=True)
    class Loose:
        """Equal to everything."""

        value: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert Loose(1) == Loose(2)
    assert hash(Loose(1)) == 7


def test_a_default_that_can_change_is_refused_and_other_options_go_to_the_standard_library() -> None:
    """A list as a default would be shared by all; a class that is not frozen can be set."""
    with pytest.raises(ValueError, match="default"):

        @dataclass(frozen=True, slots=True)
        class _Wrong:
            """Shares a list."""

            values: list[int] = []  # noqa: RUF012

    @dataclass(slots=True)
    class Open:
        """May be set."""

        value: int = 0

    one = Open()
    one.value = 2
    assert one == Open(2)
