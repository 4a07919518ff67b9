"""What a block may list as values of a setting or an effect, and what is declared twice."""

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import FREE, Variable
from setpoint.compiler.knowledge.quantity import Scale
from setpoint.compiler.knowledge.words import ANY
from setpoint.compiler.language.syntax import Block, Name

Key = TypeVar("Key", bound=Hashable)


def reserved(listed: Iterable[Name]) -> Iterator[Diagnostic]:
    """Values with a name that means something else in a preset."""
    for value in listed:
        if value.text == FREE:
            message = f"`{FREE}` cannot be a value: in a preset it says that a profile does not lock a member"
            yield Diagnostic("K07", message, value.span, "reserved")


OF_A_SETTING = ("about", "within")
"""The fields that a value of a setting may have."""


def not_of_a_setting(value: Block) -> Iterator[Diagnostic]:
    """The fields of a setting's value that only values of facts have."""
    for field in value.fields:
        if field.key not in OF_A_SETTING:
            message = f"a value of a setting has no field `{field.key}`"
            yield Diagnostic("K07", message, field.span, "only of facts")


def called_any(name: str, values: Iterable[Name]) -> Iterator[Diagnostic]:
    """Values that conditions could not name, since the word stands for every value."""
    for value in values:
        if value.text == ANY:
            message = f"a value of `{name}` cannot be called `{ANY}`"
            yield Diagnostic("K07", message, value.span, "stands for every value")


def quantities(name: str, scale: Scale, listed: Iterable[Name]) -> Iterator[Diagnostic]:
    """Values that a setting lists, and takes as numbers or lists of CPUs anyway."""
    taken = Variable(name, (), scale=scale)
    for value in listed:
        if taken.is_quantity(value.text):
            message = f"`{name}` takes `{value.text}` without naming it"
            yield Diagnostic("K07", message, value.span, "not a named value")


def repeated(keyed: Iterable[tuple[Key, Span]]) -> Iterable[tuple[Key, Span, Span]]:
    """Each repeated key, with its place and the place of its previous occurrence."""
    seen: dict[Key, Span] = {}
    for key, span in keyed:
        if key in seen:
            yield key, span, seen[key]
        seen[key] = span
