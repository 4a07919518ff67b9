"""The compiler's results for a policy, in the form of `plan.py`: the other side of the comparison.

The stages are called one by one, so that work that depends on the facts alone is done once for many policies, and no
time is spent on explanations of errors. Another test shows that `resolve` does the same.
"""

from typing import NamedTuple

from meaning.plan import Decision, Policy, Result, refused
from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import complete
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import STRENGTHS, Knowledge, absent
from setpoint.compiler.language.syntax import Accept, Evidence, Name, Reason, Set
from setpoint.compiler.plan.judge import Judged, judge
from setpoint.compiler.plan.model import Decision as Decided
from setpoint.compiler.plan.model import FactEntry, Plan, PolicyPlaces
from setpoint.compiler.resolution.decisions import explain_decisions
from setpoint.compiler.resolution.ground import Problem, ground
from setpoint.compiler.resolution.hazards import effects_of, hazards_of, waivers_of
from setpoint.compiler.resolution.solution import attempt

HAZARDS = ("E0401", "W0401", "W0402")


class Prepared(NamedTuple):
    """What the compiler knows once the facts are complete."""

    facts: dict[str, FactEntry]
    problem: Problem


def prepare(knowledge: Knowledge, stated: dict[str, str]) -> Prepared | str:
    """Bind and ground; or the code of the error."""
    entries = {name: FactEntry(name, value, value, "stated", "") for name, value in stated.items()}
    completed = complete(knowledge, entries)
    if completed.errors:
        return completed.errors[0].finding(PolicyPlaces()).code
    try:
        return Prepared(completed.facts, ground(knowledge, Context("", completed.facts, (), (), False, ())))
    except SetpointError as error:
        return error.diagnostics[0].code


def context_of(prepared: Prepared, policy: Policy) -> Context:
    """The context of a policy, as binding makes it."""
    sets = tuple(
        Set(
            Name(name, span=NOWHERE),
            Name(value, span=NOWHERE),
            Reason("why", span=NOWHERE),
            span=NOWHERE._replace(line=number),
        )
        for number, (name, value) in enumerate(sorted(policy.sets.items()), 1)
    )
    accepts = tuple(
        Accept(Name(name, span=NOWHERE), None, None, Reason("why", span=NOWHERE), None, span=NOWHERE)
        for name in sorted(policy.accepts)
    )
    evidence = Evidence(Name(policy.required, span=NOWHERE), Reason("why", span=NOWHERE), span=NOWHERE)
    return Context("", prepared.facts, sets, accepts, policy.manage, (), evidence=evidence)


def _missing(knowledge: Knowledge, context: Context, setting: str) -> str:
    return "E0501" if absent(knowledge, setting, context.bits(knowledge)) else "E0508"


def decide(knowledge: Knowledge, prepared: Prepared, policy: Policy) -> Result:
    """Resolve one policy."""
    offers = prepared.problem.offers
    context = context_of(prepared, policy)
    wrong = {
        "E0502" if name in offers else _missing(knowledge, context, name)
        for name, value in policy.sets.items()
        if name not in offers or not knowledge.variables[name].listed(offers[name].values, value)
    }
    if wrong:
        return refused(*wrong)
    try:
        is_any = policy.required == STRENGTHS[0]
        solution = attempt(knowledge, context, prepared.problem if is_any else ground(knowledge, context))
        if solution is None:
            return refused("E0301")
        bits = solution.bits(knowledge, context)
        effects = effects_of(knowledge, bits)
        hazards = hazards_of(knowledge, context, solution.choices, bits, effects)
        settings = explain_decisions(knowledge, context, solution)
    except SetpointError as error:
        return refused(*(d.code for d in error.diagnostics))
    waivers = waivers_of(knowledge, context, hazards, settings)
    judged = judge(Plan("", (), settings, effects, hazards, waivers, (), ()))
    return Result(
        frozenset(d.code for d in judged.diagnostics.errors),
        {name: (entry.value, entry.origin) for name, entry in prepared.facts.items()},
        {d.setting: converted(d) for d in settings},
        {effect.name: effect.value for effect in effects},
        hazards_in(judged),
    )


def hazards_in(judged: Judged) -> dict[str, str]:
    """The hazards that are reported, each with its code."""
    return {d.subject: d.code for d in judged.diagnostics if d.code in HAZARDS}


def converted(decision: Decided) -> Decision:
    """A decision in the form of this package."""
    advice = [cause.name for cause in decision.because if cause.strength]
    return Decision(
        decision.value,
        decision.origin,
        decision.unwritten,
        frozenset(advice[:1]) if decision.origin != "set" else frozenset(),
        frozenset(advice),
    )
