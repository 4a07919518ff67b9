"""The compiler's records: named tuples that are cheap to declare, and equal only to their own kind.

A command declares more than a hundred kinds of records before it does anything, and uses a few dozen of them.
`typing.NamedTuple` generates and compiles a constructor for each, which took a quarter of the time of a plan.
`NamedTuple` of this module generates it when the first record of a kind is made. In every other respect, and for type
checkers, it is the one of `typing`.

The records are tuples (docs/decisions/0006), and a tuple equals every other tuple of the same content: a citation would
equal a note with the same two texts, and a set or a dictionary would keep only one of them. Records compare their
classes as well. Hashing and ordering stay those of the tuple: equal records still have equal hashes, and records of one
kind can still be sorted.

A base that is `Beside` declares a field once for all kinds of records that have it. It stands beside what they say: two
of them are equal if they say the same, whatever it is (docs/decisions/0114). It is their last field, and is given by
its name, so that the others can have defaults. Of records that say the same, it decides the order.
"""

from collections import _tuplegetter  # type: ignore[attr-defined]  # the fields of its named tuples
from collections.abc import Iterable, Mapping
from functools import cache
from types import CodeType, FunctionType

from setpoint.compiler.hints import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform


class Record(tuple[Any, ...]):
    """What all records have: the methods of a named tuple."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]]
    _field_defaults: ClassVar[dict[str, Any]]

    def __new__(cls, *args: Any, **fields: Any) -> Any:
        """The first record of a kind; the others are made by the constructor that this leaves with the kind."""
        kind: Any = next(base for base in cls.__mro__ if "_fields" in base.__dict__)
        kind.__new__ = _constructor(kind)
        return kind.__new__(cls, *args, **fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return type(self) is not type(other) or tuple.__ne__(self, other)

    __hash__ = tuple.__hash__

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Self:
        record = tuple.__new__(cls, values)
        if len(record) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(record)}")
        return record

    def _replace(self, **fields: Any) -> Self:
        changed = tuple.__new__(type(self), map(fields.pop, self._fields, self))
        if fields:
            raise ValueError(f"Got unexpected field names: {list(fields)!r}")
        return changed

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        """How to pickle it: to be made without its constructor, which halves the time to read the knowledge base."""
        return tuple.__new__, (type(self), tuple(self))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({fields})"


def beside(*, kw_only: bool) -> Any:
    """What tells type checkers that a field is declared once for several kinds, and given by its name."""


@dataclass_transform(frozen_default=True, field_specifiers=(beside,))
class RecordBeside(Record):
    """A record that equals those that say the same, whatever is in its last field."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self[:-1] == other[:-1]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])


def _constructor(kind: Any) -> Any:
    """The `__new__` of a kind of record, with its fields as parameters."""
    fields = kind._fields
    code = _code(len(fields), issubclass(kind, RecordBeside)).replace(
        co_varnames=("_class", *fields), co_name="__new__", co_qualname=f"{kind.__qualname__}.__new__"
    )
    return FunctionType(code, {"_new": tuple.__new__}, "__new__", tuple(kind._field_defaults.values()))


@cache
def _code(count: int, is_last_named: bool) -> CodeType:
    """The code of a constructor with so many parameters. Kinds differ in the names, and to compile a code takes as long
    as to rename fifty."""
    names = [f"_{number}, " for number in range(count)]
    parameters = [*names[:-1], "*, ", names[-1]] if is_last_named else names
    code: CodeType = eval(f"lambda _class, {''.join(parameters)}: _new(_class, ({''.join(names)}))").__code__
    return code


def _annotations(body: Mapping[str, Any]) -> dict[str, Any]:
    """The annotated names of the body of a class."""
    annotations: dict[str, Any] | None = body.get("__annotations__")
    if annotations is None:  # from Python 3.14 on, the class has a function that makes them
        annotate = body.get("__annotate__") or body.get("__annotate_func__")
        annotations = annotate(1) if annotate else {}
    return annotations


class _Declaration(type):
    """Makes a class with `NamedTuple` as its base a kind of record, and one with `Beside` such a base."""

    beside: tuple[str, ...] = ()

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        if not bases:
            return type.__new__(cls, name, bases, body)
        base: Any = bases[0]
        body["__match_args__"] = said = tuple(_annotations(body))
        if base is Beside:
            return type.__new__(cls, name, (), {**body, "beside": said})
        body["_fields"] = fields = (*said, *base.beside)
        body["_field_defaults"] = {field: body[field] for field in said if field in body}
        body.update((field, _tuplegetter(number, "")) for number, field in enumerate(fields))
        body["__slots__"] = ()
        record = RecordBeside if base.beside else Record
        return type(name, (record, *bases[1:]), body)  # behind it, `Generic`


@dataclass_transform(kw_only_default=True, frozen_default=True)
class NamedFields:
    """The base of a record that is no tuple, so that some of its fields can be read when somebody asks for them."""

    _fields: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        cls._fields = getattr(cls, "_fields", None) or tuple(_annotations(cls.__dict__))

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)
        if lacking := [name for name in self._fields if not hasattr(self, name)]:
            raise TypeError(f"{type(self).__name__} lacks {', '.join(lacking)}")

    def _replace(self, **fields: Any) -> Self:
        kind: Any = next(base for base in type(self).__mro__ if NamedFields in base.__bases__)
        record: Self = kind(**{n: getattr(self, n) for n in self._fields if n not in fields}, **fields)
        return record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedFields) and all(
            getattr(self, name) == getattr(other, name) for name in self._fields
        )

    __hash__ = None  # type: ignore[assignment]


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple

    Beside = RecordBeside
else:

    class NamedTuple(metaclass=_Declaration):
        """The base of the declaration of a record."""

    class Beside(metaclass=_Declaration):
        """The base of what declares a field that stands beside what records say."""
