"""The tree of the values of a fact or a setting: which value lies within which.

A value with a block of its own states what it lies `within`. An *open* value of a fact lists its values instead: it is
one of these, which one is open, and nothing else lies within it.

Errors are reported, and the tree is cut there, so that every walk up the tree terminates.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.chains import MOST_LEVELS, cycles, too_deep
from setpoint.compiler.knowledge.fields import FieldsOfBlocks
from setpoint.compiler.knowledge.model import Variable
from setpoint.compiler.knowledge.words import unknown_value
from setpoint.compiler.language.syntax import Block, Name
from setpoint.compiler.record import NamedTuple


class Tree(NamedTuple):
    """Each value with the one that it lies within, or "", and the open values, each with its own."""

    parents: dict[str, str]
    open_values: tuple[tuple[str, tuple[str, ...]], ...]


def tree_of(
    name: str,
    listed: Iterable[str],
    added: Iterable[Block],
    fields: FieldsOfBlocks,
    findings: list[Diagnostic],
) -> Tree:
    """The values of a fact or a setting by name: those listed in its own block, then those with their own."""
    entries = sorted(added, key=lambda block: block.name.text)
    parents = dict.fromkeys(listed, "")
    spans = {}
    for entry in entries:
        within = fields[entry].name("within")
        parents[entry.name.text] = within.text if within else ""
        spans[entry.name.text] = entry.name.span
    for entry in entries:
        within = fields[entry].name("within")
        if within is not None and within.text not in parents:
            findings.append(unknown_value(_variable(name, parents), within))
            parents[entry.name.text] = ""
    open_values = [entry for entry in entries if fields[entry].has("values")]
    findings += _in_two_places(open_values, entries, fields)
    findings += _not_of_an_open_value(open_values)
    for entry in open_values:
        for member in _one_of(entry, fields):
            if member.text not in parents:
                findings.append(unknown_value(_variable(name, parents), member))
            elif not parents[member.text]:
                parents[member.text] = entry.name.text
                spans[member.text] = member.span
    findings += _cut(parents, spans)
    lists = {
        entry.name.text: tuple(v for v, at in parents.items() if at == entry.name.text)
        for entry in open_values
    }
    return Tree(parents, tuple((value, members) for value, members in lists.items() if members))


def _cut(parents: dict[str, str], spans: dict[str, Span]) -> Iterator[Diagnostic]:
    """Cut a tree where it goes around or is too deep, and report that."""
    for value in list(cycles(parents)):
        yield Diagnostic("K07", f"`{value}` lies within itself", spans[value], "cycle")
        parents[value] = ""
    if deep := dict.fromkeys(too_deep(parents)):
        first = next(value for value in deep if parents[value] not in deep)
        message = f"`{first}` lies within others, more than {MOST_LEVELS} levels deep"
        yield Diagnostic("K07", message, spans[first], "too deep")
        parents.update(dict.fromkeys(deep, ""))


def _in_two_places(
    open_values: list[Block], entries: list[Block], fields: FieldsOfBlocks
) -> Iterator[Diagnostic]:
    """Values that two lists have, or that a list has although they state their parents; and those that a list lacks."""
    listed: dict[str, Name] = {}
    for entry in open_values:
        for member in _one_of(entry, fields):
            if member.text in listed:
                other = Label(listed[member.text].span, "the other")
                yield Diagnostic(
                    "K07", f"`{member.text}` is listed twice", member.span, "again here", (other,)
                )
            listed.setdefault(member.text, member)
    wide = {entry.name.text for entry in open_values}
    for entry in entries:
        within = fields[entry].name("within")
        if within is not None and entry.name.text in listed:
            message = f"`{entry.name.text}` states what it lies within, and is listed as well"
            at = Label(listed[entry.name.text].span, "listed here")
            yield Diagnostic(
                "K07", message, within.span, "in two places", (at,), help=("leave out one of them",)
            )
        elif within is not None and within.text in wide:
            message = f"`{within.text}` lists the values within it, and `{entry.name.text}` is none of them"
            help_ = "add it to that list instead"
            yield Diagnostic("K07", message, within.span, "not in the list", help=(help_,))


OF_AN_OPEN_VALUE = ("about", "title", "values", "within")
"""The fields of an open value. All else follows from its values."""


def _not_of_an_open_value(open_values: list[Block]) -> Iterator[Diagnostic]:
    """The fields of open values that only a value by itself can have."""
    for entry in open_values:
        for field in entry.fields:
            if field.key not in OF_AN_OPEN_VALUE:
                message = f"`{entry.name.text}` lists values, and so has no field `{field.key}`"
                help_ = "state it of each of the values that it lists"
                yield Diagnostic("K07", message, field.span, "follows from these", help=(help_,))


def _one_of(entry: Block, fields: FieldsOfBlocks) -> list[Name]:
    return [name for field in fields[entry].all("values") for name in field.names]


def _variable(name: str, parents: dict[str, str]) -> Variable:
    return Variable(name, tuple(parents), tuple(parents.values()))
