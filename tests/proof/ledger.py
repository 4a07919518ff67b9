"""Everything that a knowledge base decides, to compare two of them completely.

For each setting: its values with who decides them and the losing advice, in how many contexts; for each hazard: in how
many contexts a policy can cause it; for each constraint: in how many it forbids what no other one forbids.
"""

from collections import Counter
from collections.abc import Iterator

from setpoint.compiler.knowledge.model import Hazard
from setpoint.compiler.proof.analysis import Analyses, Analysis
from setpoint.compiler.proof.checks.unused import forbids_alone
from setpoint.compiler.proof.difference import deciders
from setpoint.compiler.proof.extract import settings_named
from setpoint.compiler.proof.sets.space import facts_of


def ledger(analyses: Analyses) -> frozenset[str]:
    """The complete record, in lines."""
    lines: set[str] = set()
    for component in analyses.components:
        analysis = analyses.of(component)
        for name in component.own:
            lines |= {f"{name} {line}" for line in _decided(analysis, name)}
        for live in analysis.problem.clauses:
            number = analysis.space.contexts(forbids_alone(analysis, live))
            lines.add(f"{live.clause.name} {live.clause.literals} forbids {number}")
    lines |= {f"{hazard.name} {_arises(analyses, hazard)}" for hazard in analyses.knowledge.hazards.values()}
    return frozenset(lines)


def _decided(analysis: Analysis, name: str) -> Iterator[str]:
    choice = analysis.outcome.choices[name]
    for bit, where in choice.values.items():
        value = analysis.knowledge.variables[name].name_of(bit)
        for by, there in deciders(choice, value, where):
            yield f"{value} by {by} in {analysis.space.contexts(there)}"
    advised: Counter[tuple[str, ...]] = Counter()
    for weighed, counts in zip(choice.proposals, choice.effective, strict=True):
        p = weighed.proposal
        advised[p.rule.name, p.value, p.strength, str(p.reads)] += analysis.space.contexts(counts)
    yield from (f"advised {key} in {number}" for key, number in advised.items())


def _arises(analyses: Analyses, hazard: Hazard) -> str:
    """In how many contexts a hazard can arise, within its source's scope and beyond."""
    knowledge = analyses.knowledge
    boxes = [applicability.when for applicability in hazard.applicabilities]
    numbers: Counter[bool] = Counter()
    for analysis in analyses.without_rules(settings_named(knowledge, boxes), (), boxes):
        for applicability in hazard.applicabilities:
            asked = tuple((n, m) for n, m in applicability.when if n in knowledge.settings)
            supposed = analysis.restricted_to(asked)
            where = supposed.left & analysis.space.where(facts_of(knowledge, applicability.when))
            numbers[applicability.steps < 0] += analysis.space.contexts(where)
    settings = [tuple((n, m) for n, m in box if n not in knowledge.kinds) for box in boxes][-1:]
    return f"{hazard.severity} {numbers[True]} {numbers[False]} {settings}"
