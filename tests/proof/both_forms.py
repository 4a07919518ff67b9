"""The two forms of resolution side by side: one policy at a time, and all situations at once."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import complete
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.model import Box, Knowledge, Variable
from setpoint.compiler.language.syntax import Name, Reason, Set
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.proof.analysis import Analyses, Component
from setpoint.compiler.proof.sets.cascade import cascade
from setpoint.compiler.proof.sets.space import Space
from setpoint.compiler.resolution.decided import solve


class Result(NamedTuple):
    """The value of every available setting; or the code of the error."""

    code: str
    values: dict[str, str]


def context(knowledge: Knowledge, facts: dict[str, str], sets: dict[str, str]) -> Context | None:
    """The context of a policy; None where its facts contradict each other."""
    entries = {name: FactEntry(name, value, value, "stated", "") for name, value in facts.items()}
    completed = complete(knowledge, entries)
    if completed.errors:
        return None
    return Context("p", completed.facts, statements(sets), (), False, ())


def statements(sets: Mapping[str, str]) -> tuple[Set, ...]:
    """The `set`s of a policy as statements, a line each."""
    return tuple(
        Set(
            Name(name, span=NOWHERE),
            Name(value, span=NOWHERE),
            Reason("why", span=NOWHERE),
            span=NOWHERE._replace(line=number),
        )
        for number, (name, value) in enumerate(sorted(sets.items()), 1)
    )


def single(knowledge: Knowledge, one: Context) -> Result:
    """By the single form, which plans policies."""
    try:
        found = solve(knowledge, one).values(knowledge, one)
    except SetpointError as error:
        return Result(error.diagnostics[0].code, {})
    return Result("", {name: of_domain(knowledge.variables[name], value) for name, value in found.items()})


def of_domain(variable: Variable, value: str) -> str:
    """The value of the domain that stands for a value: a number's cell."""
    return variable.name_of(variable.bit(value))


def set_valued(analyses: Analyses, one: Context) -> Result:
    """By the set-valued form, looked up for this context."""
    knowledge = analyses.knowledge
    sets = {s.setting.text: knowledge.variables[s.setting.text].bit(s.value.text) for s in one.sets}
    codes, values = set(), {}
    for component in analyses.components:
        analysis = analyses.of(component)
        for number, together in numbers_of(analyses, component, one).items():
            bit = 1 << number
            asked = tuple(sorted((name, mask) for name, mask in sets.items() if name in together))
            if any(not analysis.problem.domains[name].get(mask, 0) & bit for name, mask in asked):
                codes.add("E05")
                continue
            if asked:
                supposed = analysis.restricted_to(asked)
                left = supposed.left
                outcome = cascade(analysis.problem, analysis.index, supposed.domains, left)
            else:  # of most components no policy sets anything
                left, outcome = analysis.feasible, analysis.outcome
            if not left & bit or outcome.impossible & bit:
                codes.add("E0301")
            elif outcome.tied & bit:
                codes.add("E0303")
            else:
                for name in together & set(component.own):
                    found = [b for b, where in outcome.choices[name].values.items() if where & bit]
                    for b in found:
                        values[name] = knowledge.variables[name].name_of(b)
                    assert len(found) == bool(analysis.problem.present[name] & bit)
    first = next((code for code in ("E05", "E0301", "E0303") if code in codes), "")
    return Result(first, {} if first else values)


def numbers_of(analyses: Analyses, component: Component, one: Context) -> dict[int, frozenset[str]]:
    """The situations of a context, one for each group of settings that are analysed together, with these settings.

    It is the one in which the same conditions are true: those on the region, and those that can hold for the settings
    there.
    """
    analysis, bits = analyses.of(component), one.bits(analyses.knowledge)
    space = analysis.space
    found: dict[int, frozenset[str]] = {}
    for name in component.own:
        where = space.scope((name,))
        for region in analyses.regions:
            where = _agreeing(space, where, region.conditions, bits)
        together = frozenset(other for other in analysis.settings if space.scope((other,)) & where)
        asked = [box for box in space.situations_by_condition if space.where(box) & where]
        where = _agreeing(space, where, asked, bits)
        assert where and where & (where - 1) == 0, "a context is in exactly one situation"
        found[where.bit_length() - 1] = together
    return found


def _agreeing(space: Space, where: int, boxes: Iterable[Box], bits: dict[str, int]) -> int:
    for box in boxes:
        mask = space.where(box)
        where &= mask if holds(box, bits) else ~mask
    return where
