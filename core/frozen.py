"""`dataclass` as the standard library's, but a frozen one with slots is defined at a fifth of the cost.

Every command defines some hundred frozen dataclasses before it does anything, and the standard library compiles six
methods for each: half of what importing the core took (Python 3.11). Here only `__init__` is compiled, when the first
value is made; the others are the same few functions for every class. What is made is a dataclass for `dataclasses.fields`, `replace`, `asdict` and
`is_dataclass`, for pickles and for orjson. Options other than `frozen=True, slots=True` go to the standard library, and
type checkers see nothing but its own decorator. `methods_later` does as much for the dataclasses of a library while it is loaded.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, FrozenInstanceError, field
from operator import attrgetter
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar

_Kind = TypeVar("_Kind", bound=type)
_PLAIN = {"frozen": True, "slots": True}
_NOT_OWN = ("__dict__", "__weakref__")
"""What Python puts into the namespace of a class that has no slots."""
_set = object.__setattr__


@dataclasses.dataclass(frozen=True, slots=True)
class _Sample:
    """One of the standard library's own, for the marks by which it knows its classes and their fields."""

    value: int = 0


_FIELD_KIND: Any = vars(_Sample)["__dataclass_fields__"]["value"]._field_type
_PARAMS: Any = vars(_Sample)["__dataclass_params__"]

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """`dataclasses.dataclass`, where `frozen=True, slots=True` is made here."""
        if cls is None:
            return _frozen if options == _PLAIN else dataclasses.dataclass(**options)
        return dataclasses.dataclass(cls, **options)


def _frozen(cls: _Kind) -> _Kind:
    """The class with slots, and the methods of a frozen dataclass. It is made anew, for slots cannot be added."""
    body = {name: value for name, value in vars(cls).items() if name not in _NOT_OWN}
    inherited: dict[str, Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        inherited |= vars(base).get("__dataclass_fields__", {})
    own = {
        n: _field(n, t, body.pop(n, MISSING)) for n, t in body.get("__annotations__", {}).items() if not _of_class(t)
    }
    fields = inherited | own
    compared = tuple(f.name for f in fields.values() if f.compare)
    shown = tuple(f.name for f in fields.values() if f.repr)
    made = {
        **_comparing(compared),
        **_showing(shown),
        **_state(tuple(fields)),
        "__match_args__": tuple(fields),
        **body,
        "__slots__": tuple(name for name in own if name not in inherited),
        "__dataclass_fields__": fields,
        "__dataclass_params__": _PARAMS,
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
        "__init__": _Later(fields, hasattr(cls, "__post_init__")),
    }
    new: _Kind = type(cls)(cls.__name__, cls.__bases__, made)
    new.__qualname__ = cls.__qualname__
    return new


def _of_class(annotation: object) -> bool:
    """True for what belongs to the class; annotations are strings here."""
    return str(annotation).startswith(("ClassVar", "typing.ClassVar"))


def _field(name: str, annotation: object, given: Any) -> Field[Any]:
    """The description of a field, as the standard library keeps it."""
    if str(annotation).startswith(("InitVar", "KW_ONLY")) or getattr(given, "kw_only", MISSING) not in (MISSING, False):
        raise TypeError(f"field {name!r}: use the dataclass of the standard library for what is given by name only")
    made: Any = given if isinstance(given, Field) else field(default=given)
    if made.default.__class__.__hash__ is None:
        raise ValueError(f"field {name!r}: a default that can change needs a default_factory")
    made.name, made.type, made.kw_only, made._field_type = name, annotation, False, _FIELD_KIND
    return made  # type: ignore[no-any-return]


class _Later:
    """`__init__` until it is first asked for: most commands make values of few of the classes that they load."""

    __slots__ = ("_fields", "_more")

    def __init__(self, fields: Mapping[str, Field[Any]], more: bool) -> None:
        self._fields, self._more = fields, more

    def __get__(self, one: object, kind: type) -> Callable[..., None]:
        owner = next(one for one in kind.__mro__ if vars(one).get("__init__") is self)
        method = _init(owner, self._fields, self._more)
        type.__setattr__(owner, "__init__", method)
        return method if one is None else MethodType(method, one)


def _init(owner: type, fields: Mapping[str, Field[Any]], more: bool) -> Callable[..., None]:
    """The one method that is compiled, for it runs for every turn that is read. It sets each slot by the slot's own
    method, in two thirds of the time that `object.__setattr__` takes to find it."""
    names: dict[str, Any] = {"_made": MISSING}
    parameters, lines = ["self"], []
    for name, one in fields.items():
        value = name
        if one.default_factory is not MISSING:
            names[f"_make_{name}"] = one.default_factory
            value = f"_make_{name}() if {name} is _made else {name}"
            parameters.append(f"{name}=_made")
        elif one.default is not MISSING:
            names[f"_default_{name}"] = one.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        names[f"_set_{name}"] = getattr(owner, name).__set__
        lines.append(f"_set_{name}(self, {value})")
    lines += ["self.__post_init__()"] if more else []
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]), names)  # noqa: S102 - our fields
    method: Callable[..., None] = names["__init__"]
    method.__annotations__ = {**{name: one.type for name, one in fields.items()}, "return": None}
    return method


def _comparing(names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    """How two values are compared: as tuples of these fields."""
    values: Callable[[Any], Any] = (
        attrgetter(*names) if len(names) > 1 else lambda one: tuple([getattr(one, name) for name in names])
    )

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}


def _showing(names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    """How a value is written."""

    def written(self: object) -> str:
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return {"__repr__": written}


def _state(names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    """What pickles keep; without it a value that cannot be set could not be restored."""

    def kept(self: object) -> list[Any]:
        return [getattr(self, name) for name in names]

    def restore(self: object, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            _set(self, name, value)

    return {"__getstate__": kept, "__setstate__": restore}


def _refuse_to_set(self: object, name: str, value: object) -> None:  # noqa: ARG001 - Python's signature
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


class _MethodLater:
    """A method that is compiled when it is first asked for, and takes this one's place then."""

    def __init__(self, name: str, make: Callable[[], Callable[..., Any]]) -> None:
        self.__name__ = name
        self._make = make
        self._made: Callable[..., Any] | None = None

    def __get__(self, one: object, kind: type) -> Callable[..., Any]:
        method = self._method()
        for owner in kind.__mro__:
            if vars(owner).get(self.__name__) is self:
                method.__qualname__ = f"{owner.__qualname__}.{self.__name__}"
                type.__setattr__(owner, self.__name__, method)
        return method if one is None else MethodType(method, one)

    def __call__(self, *given: object) -> Any:
        """Called by what the standard library wraps around it."""
        return self._method()(*given)

    def _method(self) -> Callable[..., Any]:
        if self._made is None:
            self._made = self._make()
        return self._made


@contextmanager
def methods_later() -> Iterator[None]:
    """Let dataclasses that are defined meanwhile have their methods compiled when they are first called: the six of a class
    take half a millisecond, and of most classes none is called. Python 3.13 compiles a class's methods at once, and is let
    be."""
    known = vars(dataclasses)
    create = known.get("_create_fn")
    if create is None:
        yield
        return

    def later(name: str, *given: Any, **named: Any) -> _MethodLater:
        return _MethodLater(name, lambda: create(name, *given, **named))

    known["_create_fn"] = later
    try:
        yield
    finally:
        known["_create_fn"] = create
