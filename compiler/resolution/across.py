"""The values of the settings in many contexts at once, for what compares plans.

As many plans would take half a minute. Values of facts that no statement tells apart share their decisions, and
hazards, advisories and everything else of a plan are left out.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import subjects
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Box, Knowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.resolution.decided import solve

Found = TypeVar("Found")
"""What is decided in a context."""


def values_across(knowledge: Knowledge, contexts: Sequence[Context]) -> Iterator[dict[str, str] | None]:
    """The value of each setting in each of some contexts, in all layers; None where there is no plan."""
    here = near(knowledge, contexts)

    def decide(context: Context) -> dict[str, str] | None:
        try:
            return solve(here, context).values(here, context)
        except SetpointError:
            return None

    return once_each(here, contexts, decide)


def context_of(knowledge: Knowledge, facts: Iterable[tuple[str, str]]) -> Context:
    """The context of facts. Raises SetpointError (E02xx) if they contradict each other."""
    program = program_of_text(" ".join(f"{name} {value};" for name, value in facts))
    (subject,) = subjects(program.body, program.stem, knowledge.required)
    return bind(subject, knowledge)


def near(knowledge: Knowledge, contexts: Iterable[Context]) -> Knowledge:
    """The knowledge base without statements that hold in none of these contexts."""
    all_bits: dict[str, int] = {}
    for context in contexts:
        for name, bits in context.bits(knowledge).items():
            all_bits[name] = all_bits.get(name, 0) | bits
    return knowledge.near(all_bits)


def once_each(
    here: Knowledge, contexts: Iterable[Context], decide: Callable[[Context], Found]
) -> Iterator[Found]:
    """What is decided for each context, once for all contexts that are in the same of its sets of values."""
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
    by_fact: dict[str, dict[int, None]] = {}
    for box in _boxes(knowledge):
        for name, mask in box:
            if name in knowledge.kinds:
                by_fact.setdefault(name, {})[mask] = None
    return {name: tuple(masks) for name, masks in by_fact.items()}


def _boxes(knowledge: Knowledge) -> Iterator[Box]:
    """The conditions of all statements that decisions on the offered settings depend on."""
    for offers in knowledge.offers.values():
        yield from (offer.when for offer in offers)
    for name in knowledge.offers:
        yield from (spelling.when for spelling in knowledge.spellings.get(name, ()))
    for rule in knowledge.rules:
        if rule.setting in knowledge.offers:
            yield from (applicability.when for applicability in rule.applicabilities)
    for constraint in knowledge.constraints:
        yield constraint.when
        if constraint.require is not None:
            yield (constraint.require,)
    yield from (preset.when for preset in knowledge.presets)
