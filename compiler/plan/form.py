"""What the JSON of a record is: a table of its fields, from which it is written, read, checked and described.

A field has a key, a kind and what the record calls it. It is left out where it has its default, so that a plan shows what is
particular. `fields.py` has the tables; `document.py` makes pydantic's models of them, which check foreign input and are the
JSON Schema. Writing needs no model, since they are slow to load and `plan` is run in loops.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Protocol

from setpoint.compiler.record import NamedTuple, distinct

Data = dict[str, Any]
"""An object of JSON, by its keys."""

REQUIRED: Any = object()
"""In place of a default: the field is always there."""


@distinct
class Judgement(NamedTuple):
    """What a plan's JSON has that is found by judging it: the state of each hazard, and which waivers and findings are of a day."""

    states: Mapping[str, str] = {}
    expired: frozenset[str] = frozenset()
    judged: frozenset[Any] = frozenset()


UNJUDGED = Judgement()
"""Of what is no part of a plan."""


class JsonKind(Protocol):
    """What the JSON of a field is; `empty` is what it is of nothing."""

    @property
    def empty(self) -> Any: ...

    def write(self, value: Any, judgement: Judgement) -> Any:
        """The JSON of a value of a record."""

    def read(self, data: Any) -> Any:
        """The value of a record that JSON has, once it is checked."""


@distinct
class Plain(NamedTuple):
    """A text, a number or a truth: the same in both. `type` is that of Python.

    A number is at least `least`. A text is one of `texts` if there are any, and matches `pattern`; `format` is what the schema says of it.
    """

    type: Any
    texts: tuple[str, ...] = ()
    least: int | None = None
    pattern: str | None = None
    format: str | None = None

    @property
    def empty(self) -> Any:
        return self.type()

    def write(self, value: Any, _: Judgement) -> Any:
        return value

    def read(self, data: Any) -> Any:
        return data


@distinct
class Nullable(NamedTuple):
    """A value that is null in JSON where the record has `none`."""

    kind: JsonKind
    none: Any = ""

    @property
    def empty(self) -> Any:
        return None

    def write(self, value: Any, judgement: Judgement) -> Any:
        return None if value == self.none else self.kind.write(value, judgement)

    def read(self, data: Any) -> Any:
        return self.none if data is None else self.kind.read(data)


@distinct
class Opposite(NamedTuple):
    """A truth of which the record has the opposite."""

    @property
    def empty(self) -> Any:
        return False

    def write(self, value: bool, _: Judgement) -> bool:
        return not value

    def read(self, data: bool) -> bool:
        return not data


@distinct
class Each(NamedTuple):
    """A list; `least` is how many it has at least."""

    kind: JsonKind
    least: int | None = None

    @property
    def empty(self) -> Any:
        return []

    def write(self, value: Any, judgement: Judgement) -> list[Any]:
        return [self.kind.write(each, judgement) for each in value]

    def read(self, data: Any) -> tuple[Any, ...]:
        return tuple(self.kind.read(each) for each in data)


@distinct
class Pairs(NamedTuple):
    """An object of plain values; the record has pairs."""

    type: Any

    @property
    def empty(self) -> Any:
        return {}

    def write(self, value: Any, _: Judgement) -> Data:
        return dict(value)

    def read(self, data: Data) -> tuple[tuple[str, Any], ...]:
        return tuple(data.items())


@distinct
class JsonField(NamedTuple):
    """A field: its key, and what the record calls it if that is another (`citation.at`); `get` finds what the record does not have itself.

    `about` is its description in the schema. It is left out where it equals its `default`, unless it `stays`. What `follows`
    from other fields is not read.
    """

    key: str
    kind: JsonKind
    about: str = ""
    of: str = ""
    default: Any = REQUIRED
    get: Callable[[Any, Judgement], Any] | None = None
    stays: bool = False
    follows: bool = False

    @property
    def name(self) -> str:
        """What its value is called where a record is made."""
        return (self.of or self.key).rpartition(".")[2]


class Part:
    """The table of a kind of record. `make` makes one of the values that are read, by the names that the record has for them."""

    def __init__(self, name: str, about: str, make: Callable[..., Any], *fields: JsonField) -> None:
        self.name = name
        self.about = about
        self.make = make
        self.fields = fields
        self._rows = [
            (
                each.key,
                attrgetter(each.of or each.key),
                each.get,
                each.kind.write,
                REQUIRED if each.stays else each.default,
            )
            for each in fields
        ]

    @property
    def empty(self) -> Any:
        return {}

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
        read = {each.name: each.kind.read(data[each.key]) for each in self.fields if not each.follows}
        return self.make(*name, **read)


@distinct
class Named(NamedTuple):
    """An object of parts; each record begins with the name that is its key."""

    part: Part

    @property
    def empty(self) -> Any:
        return {}

    def write(self, value: Any, judgement: Judgement) -> Data:
        return {each[0]: self.part.write(each, judgement) for each in value}

    def read(self, data: Data) -> tuple[Any, ...]:
        return tuple(self.part.read(each, name) for name, each in data.items())


def optional(key: str, kind: JsonKind, about: str = "", **rest: Any) -> JsonField:
    """A field that is left out where it is empty: a text without characters, an empty list, null, 0 or false."""
    return JsonField(key, kind, about, default=kind.empty, **rest)


def one_of(*texts: str) -> Plain:
    """One of some texts."""
    return Plain(str, texts)


TEXT = Plain(str)
NUMBER = Plain(int)
COUNT = Plain(int, least=0)
TRUTH = Plain(bool)
TEXTS = Each(TEXT)
