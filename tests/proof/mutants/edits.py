"""Edits, and how they are put together: of a word, of a condition, of one item in a tuple, of one part of a form.

An edit has a kind, a name, and the form as it is after it. Edits of a part become edits of the whole by `part` and
`items`, which put the changed part back in its place.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Condition, Name


class Edit(NamedTuple):
    """One change: its kind, its name, and what is then in the place; None where nothing is."""

    kind: str
    name: str
    changed: Any


Edits = Iterator[Edit]


def part(whole: Any, attribute: str, edits: Iterable[Edit]) -> Edits:
    """Edits of one attribute of a form as edits of the form."""
    for kind, name, changed in edits:
        yield Edit(kind, name, whole._replace(**{attribute: changed}))


def item(whole: tuple[Any, ...], i: int, edits: Iterable[Edit]) -> Edits:
    """Edits of one item of a tuple as edits of the tuple; an item that becomes None is dropped."""
    for kind, name, changed in edits:
        instead = () if changed is None else (changed,)
        yield Edit(kind, name, (*whole[:i], *instead, *whole[i + 1 :]))


def items(whole: tuple[Any, ...], edits: Callable[[Any], Iterable[Edit]]) -> Edits:
    """The edits of each item of a tuple."""
    for i, each in enumerate(whole):
        yield from item(whole, i, edits(each))


# ------------------------------------------------------------------------------------------------------------ words


def misspelt(kind: str, what: str, word: Name | None) -> Edits:
    """A text without its last letter."""
    if word is not None:
        text = word.text[:-1] or "x"
        yield Edit(kind, f"{what} is {text}", word._replace(text=text))


def numbers(kind: str, what: str, word: Name | None) -> Edits:
    """A text with another digit at the end of one of its numbers."""
    if word is not None:
        for found in re.finditer(r"\d+(?:\.\d+)?", word.text):
            number = _bumped(found[0])
            text = word.text[: found.start()] + number + word.text[found.end() :]
            yield Edit(kind, f"{what} says {number} for {found[0]}", word._replace(text=text))


def figure(kind: str, what: str, word: Name) -> Edits:
    """Another number instead of a number."""
    text = _bumped(word.text)
    yield Edit(kind, f"{what} is {text}", word._replace(text=text))


def locator(what: str, at: Name | None) -> Edits:
    """A locator with another number, or misspelt if it has none."""
    if at is not None:
        found = list(numbers("locator", f"{what} at", at))
        yield from found or misspelt("locator", f"{what} at", at)


def replaced(kind: str, what: str, word: Name, values: Iterable[str]) -> Edits:
    """The next of these values instead of the word."""
    if (other := following(word.text, values)) is not None:
        yield Edit(kind, f"{what} is {other}", word._replace(text=other))


def following(text: str, values: Iterable[str]) -> str | None:
    """The value after this one, the first after the last; None if there is no other."""
    ring = list(dict.fromkeys(values))
    if text not in ring:
        return ring[0] if ring else None
    return ring[(ring.index(text) + 1) % len(ring)] if len(ring) > 1 else None


def _bumped(number: str) -> str:
    return number[:-1] + str((int(number[-1]) + 1) % 10)


# ------------------------------------------------------------------------------------------------------- conditions


def conditions(
    what: str, conditions: tuple[Condition, ...], knowledge: Knowledge, kind: str = "", least: int = 1
) -> Edits:
    """Edits of conditions: one is dropped (if `least` are left), or changed in itself."""
    prefix = f"{kind} " if kind else ""
    if len(conditions) > least:
        yield from items(
            conditions, lambda c: [Edit(f"{prefix}widen", f"{what} without {c.name.text}", None)]
        )
    yield from items(conditions, lambda c: condition(what, c, knowledge, prefix))


def condition(what: str, asked: Condition, knowledge: Knowledge, prefix: str = "") -> Edits:
    """Edits of one condition: a value less, another value, `not` added or dropped."""
    name = asked.name.text
    if len(asked.values) > 1:
        yield Edit(f"{prefix}narrow", f"{what} with less of {name}", asked._replace(values=asked.values[:-1]))
    taken = {value.text for value in asked.values}
    first, *others = asked.values
    free = [value for value in values_of(name, knowledge) if value not in taken or value == first.text]
    for edit in replaced(f"{prefix}condition", f"{what} with {name}", first, free):
        yield edit._replace(changed=asked._replace(values=(edit.changed, *others)))
    if prefix in NEVER_NEGATED:
        return
    turned = asked._replace(negated=not asked.negated)
    yield Edit(f"{prefix}negate", f"{what} with {name} turned round", turned)


NEVER_NEGATED = ("measured ", "hold ", "figures ")
"""The hardware of a measurement is never stated with `not`: nobody writes that by mistake."""


def values_of(name: str, knowledge: Knowledge) -> tuple[str, ...]:
    """The values of a fact, a setting or an effect; none for other names."""
    variable = knowledge.variables.get(name)
    return variable.named if variable else ()
