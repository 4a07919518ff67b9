"""Spellings that leave a plan without words, or with two for one thing (K21).

A value that is offered where its setting is spelt, and has no text there, would silently become a manual step. A text
for a value that nothing offers there is a mistake in one of the two. Of two values with one text, nobody who reads it
back knows which it is. Two spellings whose conditions meet, neither being narrower, stop every policy that meets both,
and so would two settings that get the same name, unless a constraint leaves it to one of them.

These checks compare conditions alone. They may report a case that no policy can state; narrower conditions then say so.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.knowledge.model import (
    UNSTATED,
    Box,
    Knowledge,
    Offer,
    Spelling,
    Variable,
    covers,
    meet,
    narrower,
    offering,
)
from setpoint.compiler.knowledge.quantity import Numbers

_Written = tuple[tuple[str, bool], ...]
"""The texts of a value, and whether each is absent."""


def doubtful_spellings(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """All findings on spellings, except those on the library's own that a site has extended."""
    for name, spellings in knowledge.spellings.items():
        offers = offering(knowledge, name)
        yield from _conflicts(knowledge, offers, spellings)
        yield from _values_without_text(knowledge, offers, spellings)
        yield from _texts_without_value(knowledge, offers, spellings)
        yield from _same_texts(knowledge, offers, spellings)
    yield from _shared_names(knowledge)


def _conflicts(
    knowledge: Knowledge, offers: Sequence[Offer], spellings: Sequence[Spelling]
) -> Iterator[Diagnostic]:
    for a, b in combinations(spellings, 2):
        if a.interface != b.interface or a.when == b.when or narrower(a, b) or narrower(b, a):
            continue
        both = meet(a.closed, b.closed)
        if both is None or _is_overridden(both, spellings, a.interface):
            continue
        if any(meet(both, offer.closed) for offer in offers):
            message = (
                f"conflicting spellings of `{a.setting}` ({a.interface}): two apply, and neither is narrower"
            )
            yield _finding(
                message, b, "another", (Label(a.span, "one of them"),), "narrow the conditions of one"
            )


def _is_overridden(box: Box, spellings: Sequence[Spelling], interface: str) -> bool:
    """Whether everywhere in a box a spelling applies that is narrower than others there."""
    return any(
        covers(spelling.when, box) and any(narrower(spelling, other) for other in spellings)
        for spelling in spellings
        if spelling.interface == interface
    )


def _values_without_text(
    knowledge: Knowledge, offers: Sequence[Offer], spellings: Sequence[Spelling]
) -> Iterator[Diagnostic]:
    for offer in offers:
        reported: set[str] = set()
        for spelling in () if knowledge.is_from_library(offer.span) else spellings:
            both = meet(offer.closed, spelling.closed)
            there = _in_force(both, spellings) if both is not None else []
            for value in offer.values if there else ():
                if value not in reported and not any(spelling.text_of(value) for spelling in there):
                    reported.add(value)
                    yield Diagnostic(
                        "K21",
                        f"`{offer.setting} {value}` is offered, and has no text where `{offer.setting}` is spelt",
                        offer.span,
                        "offered here",
                        tuple(Label(spelling.span, "spelt here") for spelling in there),
                        help=(
                            f"add `{value}` with its text, or `{value} absent` if the name must not be there",
                        ),
                    )


def _in_force(box: Box, spellings: Sequence[Spelling]) -> list[Spelling]:
    """The spellings that are used everywhere in a box."""
    applying = [spelling for spelling in spellings if covers(spelling.when, box)]
    return [
        spelling
        for spelling in applying
        if not any(other.interface == spelling.interface and narrower(other, spelling) for other in applying)
    ]


def _texts_without_value(
    knowledge: Knowledge, offers: Sequence[Offer], spellings: Sequence[Spelling]
) -> Iterator[Diagnostic]:
    for spelling in spellings:
        if knowledge.is_from_library(spelling.span):
            continue
        there = [offer for offer in offers if meet(offer.closed, spelling.closed) is not None]
        if not there:
            yield _finding(
                f"`{spelling.setting}` is spelt where nothing offers it", spelling, "no offer", (), "drop it"
            )
        variable = knowledge.variables[spelling.setting]
        for text in spelling.texts if there else ():
            if text.value != ANY and not any(variable.listed(o.values, text.value) for o in there):
                message = f"`{spelling.setting} {text.value}` has a text where nothing offers it"
                yield _finding(message, spelling, "not offered", (), "drop it, or offer the value")


def _same_texts(
    knowledge: Knowledge, offers: Sequence[Offer], spellings: Sequence[Spelling]
) -> Iterator[Diagnostic]:
    """Values with one text: who reads it back cannot know which of them was written.

    Spellings with the same conditions belong together, so it is enough if one of them tells two values apart. Of values
    with which a name is absent nothing is written, and nothing read back.
    """
    together: dict[tuple[str, Box], list[Spelling]] = {}
    for spelling in spellings:
        if INTERFACES[spelling.interface].has_texts and not knowledge.is_from_library(spelling.span):
            together.setdefault((spelling.interface, spelling.when), []).append(spelling)
    for group in together.values():
        first, variable = group[0], knowledge.variables[group[0].setting]
        there = [offer for offer in offers if meet(offer.closed, first.closed) is not None]
        known: dict[_Written, str] = {}
        for value in dict.fromkeys(_readable(variable, group)):
            written = _written(variable, group, value)
            is_written = any(not is_absent for _, is_absent in written)
            other = known.setdefault(written, value) if is_written else value
            if other != value and any(
                variable.listed(offer.values, value) and variable.listed(offer.values, other)
                for offer in there
            ):
                text = " and ".join("absent" if is_absent else f'"{said}"' for said, is_absent in written)
                yield _finding(
                    f"`{first.setting}` {other} and {value} have one text in {first.interface}: {text}",
                    first,
                    "cannot be read back",
                    (),
                    f"correct a text; if the interface cannot tell them apart, say `{value} absent` or `{value} unknown`",
                )
                break


def _written(variable: Variable, spellings: Sequence[Spelling], value: str) -> _Written:
    """What spellings that belong together write for a value; () if one of them has no text for it."""
    texts = [spelling.text_of(value, variable.bare(value)) for spelling in spellings]
    return () if None in texts else tuple((t.text, t.is_absent) for t in texts if t and t.text is not None)


def _readable(variable: Variable, spellings: Sequence[Spelling]) -> Iterator[str]:
    """The values whose texts may be the same: those that are named, and the numbers that the texts of others are."""
    yield from variable.named
    for text in (text.text for spelling in spellings for text in spelling.texts):
        if isinstance(variable.scale, Numbers) and variable.is_quantity(f"{text}{variable.scale.unit}"):
            yield variable.canonical(f"{text}{variable.scale.unit}")


def _shared_names(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """Names that two settings get in one interface."""
    named: dict[tuple[str, str], list[Spelling]] = {}
    for spellings in knowledge.spellings.values():
        for spelling in spellings:
            for name in spelling.names:
                named.setdefault((spelling.interface, name), []).append(spelling)
    for (interface, name), namesakes in sorted(named.items()):
        for a, b in combinations(namesakes, 2):
            if a.setting == b.setting or meet(a.closed, b.closed) is None:
                continue
            if not (_leaves_it_to_one(knowledge, a, b) or _leaves_it_to_one(knowledge, b, a)):
                message = f"`{a.setting}` and `{b.setting}` are both {interface} `{name}`"
                labels = (Label(a.span, "one of them"),)
                yield _finding(
                    message, b, "another", labels, "drop one, or give one of them another condition"
                )


def _leaves_it_to_one(knowledge: Knowledge, a: Spelling, b: Spelling) -> bool:
    """Whether a constraint requires that `b` has no name wherever `a` has it."""
    with_name = knowledge.variables[a.setting].everything & ~(_absent(knowledge, a) | UNSTATED)
    without = _absent(knowledge, b) | UNSTATED
    return any(
        constraint.require is not None
        and constraint.require[0] == b.setting
        and not constraint.require[1] & ~without
        and [name for name, _ in constraint.when] == [a.setting]
        and not with_name & ~constraint.when[0][1]
        for constraint in knowledge.constraints
    )


def _absent(knowledge: Knowledge, spelling: Spelling) -> int:
    """The values with which a setting's names are not there, as a set."""
    variable = knowledge.variables[spelling.setting]
    return sum({variable.bit(text.value) for text in spelling.texts if text.is_absent and not text.text})


def _finding(message: str, at: Spelling, label: str, others: tuple[Label, ...], advice: str) -> Diagnostic:
    return Diagnostic("K21", message, at.span, label, others, help=(advice,))
