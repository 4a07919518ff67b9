"""The decisions on the settings of one layer, for many servers and uses: what pages compare.

As many plans would take half a minute. Here only one layer is decided, and values that no statement about it tells apart
share their decisions. Hazards, advisories and everything else of a plan are left out.

INVARIANT: each decision is that of the plan with the same facts, as long as no statement ties the layer to another.
"""

from collections.abc import Iterable, Iterator
from itertools import product

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import subjects
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Box, Knowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.resolution.decided import solve
from setpoint.compiler.resolution.decisions import explain_decisions


@distinct
class FactColumn(NamedTuple):
    """A fact, and those of its values that are compared."""

    fact: str
    values: tuple[str, ...]


Combination = tuple[str, ...]
"""A value of each fact that is compared, in the order of the facts."""


ToldApart = tuple[tuple[str, tuple[bool, ...]], ...]
"""Contexts with the same are told apart by no statement."""


def decided_across(
    knowledge: Knowledge, layer: str, server: FactColumn, others: tuple[FactColumn, ...]
) -> Iterator[tuple[Combination, tuple[Decision, ...]]]:
    """The decisions on a layer for each value of the server's fact with each combination of values of the others.

    Raises SetpointError (E02xx, E03xx) if there is no plan for one of them.
    """
    for value in server.values:
        yield from _of_server(knowledge, layer, FactColumn(server.fact, (value,)), others)


def _of_server(
    knowledge: Knowledge, layer: str, server: FactColumn, others: tuple[FactColumn, ...]
) -> Iterator[tuple[Combination, tuple[Decision, ...]]]:
    columns = (server, *others)
    facts = [column.fact for column in columns]
    contexts = {
        values: _context(knowledge, zip(facts, values, strict=True))
        for values in product(*(column.values for column in columns))
    }
    all_bits: dict[str, int] = {}
    for context in contexts.values():
        for name, bits in context.bits(knowledge).items():
            all_bits[name] = all_bits.get(name, 0) | bits
    here = knowledge.near(all_bits)
    here = here._replace(
        offers={name: each for name, each in here.offers.items() if here.settings[name].layer == layer}
    )
    masks = _masks(here)
    known: dict[ToldApart, tuple[Decision, ...]] = {}
    for values, context in contexts.items():
        told_apart = _told_apart(masks, context.bits(knowledge))
        if told_apart not in known:
            known[told_apart] = explain_decisions(here, context, solve(here, context))
        yield values, known[told_apart]


def values_across(knowledge: Knowledge, contexts: Iterable[Context]) -> Iterator[dict[str, str] | None]:
    """The value of each setting in each of some contexts, in all layers; None where there is no plan."""
    contexts = list(contexts)
    all_bits: dict[str, int] = {}
    for context in contexts:
        for name, bits in context.bits(knowledge).items():
            all_bits[name] = all_bits.get(name, 0) | bits
    here = knowledge.near(all_bits)
    masks = _masks(here)
    known: dict[ToldApart, dict[str, str] | None] = {}
    for context in contexts:
        told_apart = _told_apart(masks, context.bits(knowledge))
        if told_apart not in known:
            try:
                known[told_apart] = solve(here, context).values(here, context)
            except SetpointError:
                known[told_apart] = None
        yield known[told_apart]


def _told_apart(masks: dict[str, tuple[int, ...]], bits: dict[str, int]) -> ToldApart:
    """What statements tell of a context from others: which of their sets of values it is in."""
    return tuple(
        (name, tuple(bool(value & mask) for mask in masks.get(name, ())))
        for name, value in sorted(bits.items())
    )


def _context(knowledge: Knowledge, facts: Iterable[tuple[str, str]]) -> Context:
    program = program_of_text(" ".join(f"{name} {value};" for name, value in facts))
    (subject,) = subjects(program.body, program.stem, knowledge.required)
    return bind(subject, knowledge)


def _masks(knowledge: Knowledge) -> dict[str, tuple[int, ...]]:
    """The sets of values by which statements tell contexts apart, by fact."""
    found: dict[str, dict[int, None]] = {}
    for box in _boxes(knowledge):
        for name, mask in box:
            if name in knowledge.kinds:
                found.setdefault(name, {})[mask] = None
    return {name: tuple(masks) for name, masks in found.items()}


def _boxes(knowledge: Knowledge) -> Iterator[Box]:
    """The conditions of all statements that decisions on the offered settings depend on."""
    for offers in knowledge.offers.values():
        yield from (offer.when for offer in offers)
    for name in knowledge.offers:
        yield from (spelling.when for spelling in knowledge.spellings.get(name, ()))
    for rule in knowledge.rules:
        if rule.setting in knowledge.offers:
            yield from (each.when for each in rule.applicabilities)
    for constraint in knowledge.constraints:
        yield constraint.when
        if constraint.require is not None:
            yield (constraint.require,)
    yield from (preset.when for preset in knowledge.presets)
