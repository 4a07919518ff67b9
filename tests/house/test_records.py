"""Records of different kinds are never equal, whatever they contain."""

import importlib
import pickle
from collections.abc import Callable
from itertools import permutations
from typing import Any, NamedTuple

import pytest

from setpoint.compiler.diagnostics import Label
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import Citation
from setpoint.compiler.language.syntax import Name, Origin
from setpoint.compiler.record import NamedTuple as Record
from setpoint.compiler.record import Record as AnyRecord
from setpoint.compiler.record import RecordBeside
from support.command import ROOT


def records() -> list[type[Any]]:
    """The classes of all records, those of private names included."""
    found: dict[type[Any], None] = {}
    for path in (*(ROOT / "compiler").rglob("*.py"), *(ROOT / "targets").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "__main__" or "action_plugins" in parts:  # those are Ansible's to import
            continue
        module = importlib.import_module(".".join(("setpoint", *parts)).removesuffix(".__init__"))
        for each in vars(module).values():
            if isinstance(each, type) and issubclass(each, tuple) and hasattr(each, "_fields"):
                found[each] = None
    return list(found)


RECORDS = records()


def filled(kind: type[Any]) -> Any:
    """A record of a kind; all kinds with as many fields get the same content."""
    return kind._make(f"field {number}" for number in range(len(kind._fields)))


def test_all_records_are_found() -> None:
    assert len(RECORDS) > 150
    assert {Citation, Label, Name, Origin} <= set(RECORDS)


def test_records_are_cheap_to_declare() -> None:
    """Those of `typing` are not."""
    assert [kind.__name__ for kind in RECORDS if not issubclass(kind, AnyRecord)] == []


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")
def test_a_record_equals_only_records_of_its_own_kind(kind: type[Any]) -> None:
    record = filled(kind)
    assert record == filled(kind)
    assert (record != filled(kind)) is False
    assert hash(record) == hash(filled(kind))
    assert record != tuple(record) and tuple(record) != record
    for other in RECORDS:
        if other is not kind:
            assert record != filled(other) and filled(other) != record, other


PLACED = [kind for kind in RECORDS if issubclass(kind, RecordBeside)]


@pytest.mark.parametrize("kind", PLACED, ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")
def test_a_place_has_no_part_in_what_a_record_equals(kind: type[Any]) -> None:
    here = filled(kind)
    there = here._replace(span="elsewhere")
    assert kind._fields[-1] == "span" and kind.__match_args__ == kind._fields[:-1]
    assert here == there and (here != there) is False and hash(here) == hash(there)
    for field in kind.__match_args__:
        other = there._replace(**{field: "something else"})
        assert here != other and (here == other) is False, field


def test_a_place_is_given_by_its_name() -> None:
    assert Name("a", span=NOWHERE) == Name(text="a", span=NOWHERE._replace(line=1))
    with pytest.raises(TypeError):
        Name("a", NOWHERE)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Name("a")  # type: ignore[call-arg]


def test_a_place_survives_what_is_made_of_a_record() -> None:
    name = Name("a", span=NOWHERE)
    for made in (name._replace(text="b"), Name._make(name), pickle.loads(pickle.dumps(name))):
        assert made.span == NOWHERE


class Ours(Record):
    """Something to compare."""

    name: str
    size: int = 3
    parts: "tuple[str, ...]" = ()

    @property
    def twice(self) -> int:
        return 2 * self.size


class OfTyping(NamedTuple):
    """Something to compare."""

    name: str
    size: int = 3
    parts: "tuple[str, ...]" = ()

    @property
    def twice(self) -> int:
        return 2 * self.size


@pytest.mark.parametrize(
    "answer",
    [
        lambda kind: kind("a"),
        lambda kind: kind("a", parts=("b",)).parts,
        lambda kind: kind(size=1, name="a"),
        lambda kind: kind(),  # too few
        lambda kind: kind("a", 1, (), 2),  # too many
        lambda kind: kind("a", name="b"),
        lambda kind: kind("a", colour="b"),
        lambda kind: kind("a")._replace(size=4),
        lambda kind: kind("a")._replace(colour="b"),
        lambda kind: kind("a")._asdict(),
        lambda kind: kind._make(("a", 1, ())),
        lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__, kind("a").twice),
        lambda kind: {kind("a"): 1}[kind("a")],
        lambda kind: [pickle.loads(pickle.dumps(kind("a"), protocol)) for protocol in (2, 5)],
        lambda kind: setattr(kind("a"), "name", "b"),
        lambda kind: setattr(kind("a"), "colour", "b"),
    ],
)
def test_a_record_is_as_typing_makes_it(answer: Callable[[Any], object]) -> None:
    def answered(kind: type[Any]) -> tuple[object, str]:
        try:
            found = answer(kind)
        except (TypeError, ValueError, AttributeError) as error:
            return type(error), ""
        return found if isinstance(found, tuple) and type(found) is tuple else (), repr(found)

    ours, theirs = answered(Ours), answered(OfTyping)
    assert (ours[0], ours[1].replace("Ours", "OfTyping")) == theirs


def test_records_of_several_kinds_in_one_collection_stay_apart() -> None:
    """As they lie in sets and dictionaries, where equal hashes are followed by a comparison."""
    for one, other in permutations([Citation("a", "b"), Origin("a", "b"), Label("a", "b")], 2):  # type: ignore[arg-type]
        assert len({one, other}) == len({one: 1, other: 2}) == 2
        assert [one].count(other) == 0
    assert {Name("a", span=NOWHERE), Name("a", span=NOWHERE)} == {Name("a", span=NOWHERE)}
