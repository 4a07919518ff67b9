"""Recommendations that follow from a value which nobody chose (K24).

Some rules complete on one layer what was decided on another: idle states that are off in the firmware are to be off in
the kernel as well. Such a rule is for any goal, since it follows what the other layer was decided for. Where that other
value is a default, nothing was decided, and the rule would spread a default against the goal: so it must name the goals
for which it holds there, or not apply. A rule that recommends what is the default anyway spreads nothing.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import Knowledge, Rule
from setpoint.compiler.knowledge.words import ANY
from setpoint.compiler.proof.analysis import Analysis
from setpoint.compiler.proof.example import extent, note, policy


def rules_after_defaults(analysis: Analysis, setting: str) -> Iterator[Diagnostic]:
    """The rules for any goal that decide a setting where the settings that they read have their defaults (K24)."""
    choice, knowledge = analysis.outcome.choices[setting], analysis.knowledge
    for weighed, top in zip(choice.proposals, choice.top, strict=True):
        rule = weighed.proposal.rule
        read = _read(knowledge, rule)
        if read and not weighed.proposal.preset and not knowledge.is_from_library(rule.span):
            where = analysis.feasible & choice.how["rule"] & top
            for name in read:
                where &= ~analysis.outcome.choices[name].deliberate
            for offer, there in analysis.problem.offers:
                if offer.setting == setting and offer.default == rule.value:
                    where &= ~there
            if where:
                yield _finding(analysis, rule, read, where)


def _read(knowledge: Knowledge, rule: Rule) -> list[str]:
    """The settings that a rule for any value of a required fact reads; none of other rules."""
    if not knowledge.required & set(rule.regardless):
        return []
    return [name for name, _ in rule.when if name in knowledge.settings]


def _finding(analysis: Analysis, rule: Rule, read: list[str], where: int) -> Diagnostic:
    knowledge = analysis.knowledge
    (goal, *_) = sorted(knowledge.required & set(rule.regardless))
    situation = analysis.space.simplest(where)
    here = 1 << analysis.space.situations.index(situation)
    return Diagnostic(
        "K24",
        f"`{rule.name}` follows a default: nobody chose the {' and '.join(f'`{name}`' for name in read)} that it reads",
        rule.span,
        f"decides `{rule.setting} {rule.value}`, whatever the {goal}",
        tuple(
            Label(offer.span, "has this default")
            for offer, there in analysis.problem.offers
            if offer.setting in read and there & here
        ),
        (extent(analysis.space, where), note(policy(knowledge, situation.stated))),
        (
            f"name each `{goal}` that it is for, in place of `{goal} {ANY}`, or the servers on which the default is not this",
        ),
    )
