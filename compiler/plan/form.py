"""What the JSON of a record is: a table of its fields, from which it is written, read, checked and described.

A field has a key, a kind and what the record calls it. It is left out where it has its default, so that a plan shows
what is particular. `fields.py` has the tables; `document.py` makes pydantic's models of them, which check foreign input
and are the JSON Schema. Writing needs no model, since they are slow to load and `plan` is run in loops.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Protocol, get_args, get_origin

from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.record import NamedTuple

Data = dict[str, Any]
"""An object of JSON, by its keys."""

REQUIRED: Any = object()
"""In place of a default: the field is always there."""

OF_RECORD: Any = object()
"""In place of a kind or a default: that of the record's field."""

EMPTY: Any = object()
"""In place of a default: what the JSON of nothing is."""


class Judgement(NamedTuple):
    """What a plan's JSON has that is found by judging it: the state of each hazard, and all findings, and which of them
    and of the waivers are of a day."""

    states: Mapping[str, str] = {}
    findings: tuple[Any, ...] = ()
    expired: frozenset[str] = frozenset()
    judged: frozenset[Any] = frozenset()


UNJUDGED = Judgement()
"""Of what is no part of a plan."""


class JsonKind(Protocol):
    """What the JSON of a field is."""

    def write(self, value: Any, judgement: Judgement, /) -> Any:
        """The JSON of a value of a record."""

    def read(self, data: Any) -> Any:
        """The value of a record that JSON has, once it is checked."""


class Plain(NamedTuple):
    """A text, a number or a truth: the same in both. `type` is that of Python.

    A number is at least `least`. A text is one of `texts` if there are any, and matches `pattern`; `format` is what the
    schema says of it.
    """

    type: Any
    texts: tuple[str, ...] = ()
    least: int | None = None
    pattern: str | None = None
    format: str | None = None

    def write(self, value: Any, _: Judgement) -> Any:
        return value

    def read(self, data: Any) -> Any:
        return data


class Nullable(NamedTuple):
    """A value that is null in JSON where the record has `none`."""

    kind: JsonKind
    none: Any = ""

    def write(self, value: Any, judgement: Judgement) -> Any:
        return None if value == self.none else self.kind.write(value, judgement)

    def read(self, data: Any) -> Any:
        return self.none if data is None else self.kind.read(data)


class Opposite(NamedTuple):
    """A truth of which the record has the opposite."""

    def write(self, value: bool, _: Judgement) -> bool:
        return not value

    def read(self, data: bool) -> bool:
        return not data


class Each(NamedTuple):
    """A list; `least` is how many it has at least."""

    kind: JsonKind
    least: int | None = None

    def write(self, value: Any, judgement: Judgement) -> list[Any]:
        return [self.kind.write(entry, judgement) for entry in value]

    def read(self, data: Any) -> tuple[Any, ...]:
        return tuple(self.kind.read(entry) for entry in data)


class Pairs(NamedTuple):
    """An object of plain values; the record has pairs."""

    type: Any

    def write(self, value: Any, _: Judgement) -> Data:
        return dict(value)

    def read(self, data: Data) -> tuple[tuple[str, Any], ...]:
        return tuple(data.items())


class Named(NamedTuple):
    """An object of parts; each record begins with the name that is its key."""

    part: "Part"

    def write(self, value: Any, judgement: Judgement) -> Data:
        return {record[0]: self.part.write(record, judgement) for record in value}

    def read(self, data: Data) -> tuple[Any, ...]:
        return tuple(self.part.read(entry, name) for name, entry in data.items())


class JsonField(NamedTuple):
    """A field: its key, and what the record calls it if that is another (`citation.at`); `get` finds what the record
    does not have itself.

    Kind and default are those of the record's field if none are given; texts as a kind are the words of which it is
    one, and a type of Python is its kind. `about` is the description in the schema. The field is left out where it
    equals its default, unless it `stays`, and where it equals the record's field `like`. What `follows` from other
    fields is not read.
    """

    key: str
    about: str = ""
    kind: Any = OF_RECORD
    of: str = ""
    default: Any = OF_RECORD
    get: Callable[[Any, Judgement], Any] | None = None
    stays: bool = False
    follows: bool = False
    like: str = ""

    @property
    def path(self) -> tuple[str, str]:
        """The record's field, and which field of what it has there; "" for all of that."""
        name, _, inner = (self.of or self.key).partition(".")
        return name, inner


class Part:
    """The table of a kind of record: its fields in the order of the JSON, by name alone if nothing else is to be said.

    The fields of the record that no row names follow in their order, so a field that is added to a record is written,
    read, checked and in the schema. JSON lacks its places in files, and the fields that it is `without`. If records are
    `named`, the first field is a key of the object that has them all. `make` makes a record of what is read, if its
    class does not.
    """

    def __init__(
        self,
        name: str,
        about: str,
        record: Any,
        *rows: str | JsonField,
        named: bool = False,
        without: tuple[str, ...] = (),
        make: Callable[..., Any] | None = None,
    ) -> None:
        self.name = name
        self.about = about
        self.named = named
        self.make = make or record
        self.record = record
        given = [row if isinstance(row, JsonField) else JsonField(row) for row in rows]
        told = {*without, *(row.path[0] for row in given), *record._fields[:named]}
        rest = [field for field in record._fields if field not in told]
        self._places = [field for field in rest if record.__annotations__[field] is Span]
        rest = [field for field in rest if field not in self._places]
        self.fields = tuple(_whole(row, record) for row in (*given, *map(JsonField, rest)))
        default = [REQUIRED if row.stays else row.default for row in self.fields]
        of = [attrgetter(row.of or row.key) for row in self.fields]
        self._rows = [(f.key, of[n], f.get, f.kind.write, default[n]) for n, f in enumerate(self.fields)]
        PARTS[record] = self

    def write(self, record: Any, judgement: Judgement = UNJUDGED) -> Data:
        """The JSON of a record."""
        data: Data = {}
        for key, of, get, write, default in self._rows:
            written = write(of(record) if get is None else get(record, judgement), judgement)
            if written != default:
                data[key] = written
        return data

    def read(self, data: Data, *name: str) -> Any:
        """The record that checked data, with all defaults, is of; `name` is its key where it has one."""
        arguments: Data = {
            **dict(zip(self.record._fields, name, strict=False)),
            **dict.fromkeys(self._places, NOWHERE),
        }
        spread: dict[str, Data] = {}
        for row in self.fields:
            if not row.follows:
                (field, inner), value = row.path, row.kind.read(data[row.key])
                into, at = (spread.setdefault(field, {}), inner) if inner else (arguments, field)
                into[at] = arguments[row.like] if row.like and value is None else value
        for field, values in spread.items():
            arguments[field] = SPREAD[_class(self.record.__annotations__[field])](**values)
        return self.make(**arguments)


PARTS: dict[type, Part] = {}
"""The table of each kind of record."""


def _whole(row: JsonField, record: Any) -> JsonField:
    """A row with the kind and the default that the record's field has, where it says no other."""
    name, inner = row.path
    annotation, default = record.__annotations__.get(name), record._field_defaults.get(name, OF_RECORD)
    if inner:
        annotation, default = _class(annotation).__annotations__[inner], OF_RECORD
    kind: Any = annotation if row.kind is OF_RECORD else row.kind
    kind = one_of(kind) if isinstance(kind, str) else kind if hasattr(kind, "write") else _kind(kind)
    if row.like:
        same = attrgetter(name), attrgetter(row.like)
        get = lambda entry, _: None if same[0](entry) == same[1](entry) else same[0](entry)  # noqa: E731
        return row._replace(kind=Nullable(kind, None), default=None, get=get)
    if row.default is EMPTY:
        empty: Any = {Opposite: False, Each: [], Pairs: {}}
        return row._replace(
            kind=kind, default=kind.type() if isinstance(kind, Plain) else empty.get(type(kind))
        )
    if row.default is not OF_RECORD:
        return row._replace(kind=kind)
    return row._replace(
        kind=kind, default=REQUIRED if default is OF_RECORD else kind.write(default, UNJUDGED)
    )


def _kind(annotation: Any) -> JsonKind:
    """What the JSON of a field is, by its type in the record."""
    if annotation in (str, int, bool):
        return Plain(annotation)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is not tuple:
        return Nullable(_kind(inner[0]), None) if inner else PARTS[annotation]
    if get_origin(inner[0]) is tuple:
        return Pairs(get_args(inner[0])[1])
    kind = _kind(inner[0])
    return Named(kind) if isinstance(kind, Part) and kind.named else Each(kind)


def _class(annotation: Any) -> Any:
    """The class of a field that may be None."""
    return next(iter(get_args(annotation)), annotation)


def _citation(source: str | None, at: str) -> Citation | None:
    return None if source is None else Citation(source, at)


def _span(file: str, line: int, column: int = 0, end_line: int = -1, end_column: int = -1) -> Span:
    return Span(
        file, line, column, line if end_line < 0 else end_line, column if end_column < 0 else end_column
    )


SPREAD: dict[type, Callable[..., Any]] = {Citation: _citation, Span: _span}
"""The records whose fields are those of the object that they are in, and what makes them."""


def optional(key: str, about: str = "", **rest: Any) -> JsonField:
    """A field that is left out where it is empty: a text without characters, an empty list, null, 0 or false."""
    return JsonField(key, about, default=EMPTY, **rest)


def one_of(words: str) -> Plain:
    """One of some texts."""
    return Plain(str, tuple(words.split()))


TEXT = Plain(str)
