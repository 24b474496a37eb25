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

from core.frozen import dataclass, methods_later


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


def made(later: bool, **options: bool) -> tuple[type, type]:
    """A class of the standard library and one that inherits from it, their methods compiled at once or later."""

    def define() -> tuple[type, type]:
        @dataclasses.dataclass(**options)
        class Base:
            name: str
            count: int = 3
            parts: list[str] = field(default_factory=list, compare=False)

            @property
            def doubled(self) -> int:
                return self.count * 2

        @dataclasses.dataclass(**options)
        class Sub(Base):
            extra: str = "x"

            def __post_init__(self) -> None:
                object.__setattr__(self, "extra", self.extra.upper())

        return Base, Sub

    if not later:
        return define()
    with methods_later():
        return define()


@pytest.mark.parametrize(
    "options",
    [{}, {"frozen": True}, {"order": True}, {"eq": False}, {"unsafe_hash": True}, {"frozen": True, "order": True},
     {"repr": False}, {"init": True, "match_args": False}, {"frozen": True, "slots": True}],
    ids=str,
)  # fmt: skip
def test_a_class_whose_methods_are_compiled_later_does_the_same(options: dict[str, bool]) -> None:
    for theirs, ours in zip(made(False, **options), made(True, **options), strict=True):
        assert dataclasses.fields(ours) is not None
        one, same, other = ours("a"), ours("a"), ours("b", 4, ["p"])
        plain = theirs("a"), theirs("a"), theirs("b", 4, ["p"])
        assert (one == same, one != other) == (plain[0] == plain[1], plain[0] != plain[2])
        if options.get("repr", True):
            assert [repr(each) for each in (one, other)] == [repr(each) for each in (plain[0], plain[2])]
        assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
        assert ours.__doc__ == theirs.__doc__
        assert (ours.__hash__ is None) == (theirs.__hash__ is None)
        if ours.__hash__ is not None and options.get("eq", True):
            assert hash(one) == hash(plain[0])
        if options.get("order"):
            assert (one < other, one >= same, sorted([other, one])[0] == one) == (True, True, True)
        if options.get("frozen"):
            with pytest.raises(FrozenInstanceError):
                one.name = "c"
            with pytest.raises(FrozenInstanceError):
                del one.name
        assert dataclasses.replace(other, name="z").name == "z"
        assert dataclasses.asdict(other) == dataclasses.asdict(plain[2])
        assert vars(ours).get("__match_args__") == vars(theirs).get("__match_args__")
        assert ours.__init__.__qualname__ == theirs.__init__.__qualname__
        with pytest.raises(TypeError):
            ours()
        assert other.doubled == 8


def test_a_class_defined_afterwards_is_compiled_at_once() -> None:
    made(True)
    base, _ = made(False)
    assert inspect.isfunction(vars(base)["__init__"])


def test_a_value_that_holds_itself_is_shown_once() -> None:
    base, _ = made(True)
    one = base("a")
    one.parts.append(one)
    assert repr(one).count("...") == 1
