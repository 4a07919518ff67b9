"""The decisions on all settings of a server, with their reasons, from nothing: what of them a plan needs, and how they
come about.

The same can be put together of parts that are known (`memory`); `resolve` chooses between the two.
"""

from collections.abc import Callable, Collection, Mapping
from itertools import chain

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.model import IN_SCOPE, TEST_FIRST, UNSTATED, Knowledge
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.plan.server import Identity
from setpoint.compiler.plan.waivers import FIRMWARE
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.cascade import Choice
from setpoint.compiler.resolution.decisions import explain_decisions
from setpoint.compiler.resolution.ground import Problem, ground
from setpoint.compiler.resolution.identity import identity
from setpoint.compiler.resolution.solution import Solution, attempt
from setpoint.compiler.resolution.supported import unsupported


class ApartError(Exception):
    """A server cannot be decided by parts."""


class DecidedSettings(NamedTuple):
    """What is decided of each setting that a server has, both in the order of decision.

    `bits` has every fact and setting with its value, as sets of one. `without` finds the value that a setting would
    have without its `set`; "" if that is undecided. `here` is the knowledge base with the hazards and services of such
    servers, and no others that would have to be read. `about` are the facts that the advice on firmware is about,
    `cited` the sources of all advice, `noted` the decisions that a warning may be about, and `reports` what a server
    must report.
    """

    choices: Mapping[str, Choice]
    settings: tuple[Decision, ...]
    bits: Mapping[str, int]
    without: Callable[[Set], str]
    here: Knowledge
    about: frozenset[str]
    cited: frozenset[str]
    noted: tuple[Decision, ...]
    reports: tuple[Identity, ...]


def decided_from_nothing(knowledge: Knowledge, context: Context) -> DecidedSettings:
    """Decide all settings at once. Raises SetpointError (E03xx, E05xx)."""
    solution = solve(knowledge, context)
    here = knowledge.near(context.bits(knowledge))
    settings = explain_decisions(here, context, solution)
    return DecidedSettings(
        solution.choices,
        settings,
        {**context.bits(knowledge), **{name: choice.bit for name, choice in solution.choices.items()}},
        lambda statement: value_without(knowledge, context, solution.problem, statement),
        here,
        about(knowledge, solution.choices),
        cited(settings),
        tuple(filter(may_be_warned_of, settings)),
        identity(here, context),
    )


def cited(settings: Collection[Decision]) -> frozenset[str]:
    """The sources that decisions cite, for winners and losers."""
    causes = (cause.source for decision in settings for cause in decision.because)
    losers = (
        lost.citation.source for decision in settings for lost in decision.beat if lost.citation is not None
    )
    return frozenset(filter(None, chain(causes, losers)))


def about(knowledge: Knowledge, choices: Mapping[str, Choice]) -> frozenset[str]:
    """The facts that advice on firmware is about, whether it wins, agrees, loses or is withheld.

    A rule is about the facts that it names, unless with `not`, and, in scope, about those that the scope of its source
    names.
    """
    facts: set[str] = set()
    for name, choice in choices.items():
        if knowledge.settings[name].layer == FIRMWARE:
            for proposal in (*choice.winners, *(lost.proposal for lost in choice.losers)):
                rule = proposal.rule
                facts.update(fact for fact, mask in rule.when if not mask & UNSTATED)
                if proposal.steps == IN_SCOPE:
                    facts.update(fact for fact, _ in knowledge.sources[rule.citation.source].scope)
    return frozenset(facts)


def may_be_warned_of(decision: Decision) -> bool:
    """Whether a warning may be about a decision (`advisories`). About most there is none, whatever their plan is."""
    deciding = decision.because[0]
    return (
        decision.origin == "set"
        or decision.unwritten == "unknown"
        or deciding.steps != IN_SCOPE
        or TEST_FIRST in (deciding.claimed, deciding.strength)
    )


def solve(knowledge: Knowledge, context: Context) -> Solution:
    """Narrow and cascade. Raises SetpointError (E03xx, E05xx)."""
    problem = ground(knowledge, context)
    if lacking := tuple(unsupported(knowledge, context, problem)):
        raise SetpointError(*lacking)
    solution = attempt(knowledge, context, problem)
    if solution is None:
        from setpoint.compiler.resolution.conflict import conflict  # only needed on the error path

        findings = (_with_limits(context, finding) for finding in conflict(knowledge, context, problem))
        raise SetpointError(*findings, *context.findings)
    return solution


def _with_limits(context: Context, conflict: Diagnostic) -> Diagnostic:
    """A conflict, with what the server's registry says of the settings that it names."""
    limited = context.registry.limited if context.registry else ()
    told = (context.says(limit.setting) for limit in limited if f"`{limit.setting}" in conflict.message)
    return conflict._replace(notes=(*conflict.notes, *told))


def value_without(knowledge: Knowledge, context: Context, problem: Problem, statement: Set) -> str:
    """The value that a setting would have without its `set`; "" if that is undecided."""
    left = context._replace(sets=tuple(s for s in context.sets if s is not statement))
    try:
        other = attempt(knowledge, left, problem)
    except SetpointError:
        return ""
    return other.values(knowledge, left)[statement.setting.text] if other is not None else ""
