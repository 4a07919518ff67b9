"""The decisions on the settings of one layer, for many servers and uses: what pages compare.

As many plans would take half a minute. Here only one layer is decided, and values that no statement about it tells apart
share their decisions. Hazards, advisories and everything else of a plan are left out.

INVARIANT: each decision is that of the plan with the same facts, as long as no statement ties the layer to another.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import TypeVar

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


Found = TypeVar("Found")


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
        values: context_of(knowledge, zip(facts, values, strict=True))
        for values in product(*(column.values for column in columns))
    }
    here = _near(knowledge, list(contexts.values()))
    here = here._replace(
        offers={name: each for name, each in here.offers.items() if here.settings[name].layer == layer}
    )

    def decide(context: Context) -> tuple[Decision, ...]:
        return explain_decisions(here, context, solve(here, context))

    yield from zip(contexts, _once_each(here, contexts.values(), decide), strict=True)


def values_across(knowledge: Knowledge, contexts: Sequence[Context]) -> Iterator[dict[str, str] | None]:
    """The value of each setting in each of some contexts, in all layers; None where there is no plan."""
    here = _near(knowledge, contexts)

    def decide(context: Context) -> dict[str, str] | None:
        try:
            return solve(here, context).values(here, context)
        except SetpointError:
            return None

    return _once_each(here, contexts, decide)


def context_of(knowledge: Knowledge, facts: Iterable[tuple[str, str]]) -> Context:
    """The context of facts. Raises SetpointError (E02xx) if they contradict each other."""
    program = program_of_text(" ".join(f"{name} {value};" for name, value in facts))
    (subject,) = subjects(program.body, program.stem, knowledge.required)
    return bind(subject, knowledge)


def _near(knowledge: Knowledge, contexts: Iterable[Context]) -> Knowledge:
    """The knowledge base without statements that hold in none of these contexts."""
    all_bits: dict[str, int] = {}
    for context in contexts:
        for name, bits in context.bits(knowledge).items():
            all_bits[name] = all_bits.get(name, 0) | bits
    return knowledge.near(all_bits)


def _once_each(
    here: Knowledge, contexts: Iterable[Context], decide: Callable[[Context], Found]
) -> Iterator[Found]:
    """What is decided for each context, once for all that no statement tells apart: those that are in the same of its sets of values."""
    masks = _masks(here)
    known: dict[tuple[tuple[str, tuple[bool, ...]], ...], Found] = {}
    for context in contexts:
        told_apart = tuple(
            (name, tuple(bool(bits & mask) for mask in masks.get(name, ())))
            for name, bits in sorted(context.bits(here).items())
        )
        if told_apart not in known:
            known[told_apart] = decide(context)
        yield known[told_apart]


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
