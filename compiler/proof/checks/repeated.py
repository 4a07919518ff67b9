"""Statements of a site that the library has already (K09).

A site's statements are added to the library's. One that says the very same changes no plan today, and the day the
library's is corrected it brings the old one back. A rule that the library overrides somewhere may be repeated: as
the site's own it comes first.
"""

from collections.abc import Hashable, Iterable, Iterator

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import (
    STRENGTHS,
    Constraint,
    Hazard,
    Knowledge,
    Rule,
    meet,
    narrower,
)


def repeated_statements(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The rules, constraints and hazards of a site that repeat one of the library (K09)."""
    rules = ((_of_rule(rule), rule) for rule in knowledge.rules if not _is_overridden(knowledge, rule))
    yield from _repeated(knowledge, "rule", rules)
    yield from _repeated(knowledge, "constraint", (((c.when, c.require), c) for c in knowledge.constraints))
    yield from _repeated(knowledge, "hazard", (((h.when, h.severity), h) for h in knowledge.hazards.values()))


def _of_rule(rule: Rule) -> Hashable:
    """What a rule says; a site that has measured what the library takes from the vendor says more."""
    return rule.setting, rule.value, rule.when, STRENGTHS.index(rule.strength)


def _is_overridden(knowledge: Knowledge, rule: Rule) -> bool:
    """Whether a rule of the library outranks this one, which is the library's too, and wants something else."""
    return knowledge.is_given(rule.span) and any(
        knowledge.is_given(other.span) and other.value != rule.value and _outranks(other, rule)
        for other in knowledge.rules
        if other.setting == rule.setting and meet(other.when, rule.when) is not None
    )


def _outranks(other: Rule, rule: Rule) -> bool:
    ahead = STRENGTHS.index(other.strength) - STRENGTHS.index(rule.strength)
    return rule.name in other.withdraws or ahead > 0 or (not ahead and narrower(other, rule))


def _repeated(
    knowledge: Knowledge, kind: str, said: Iterable[tuple[Hashable, Rule | Constraint | Hazard]]
) -> Iterator[Diagnostic]:
    statements = list(said)
    given = {what: one for what, one in statements if knowledge.is_given(one.span)}
    for what, one in statements:
        first = given.get(what)
        if first is not None and not knowledge.is_given(one.span):
            yield Diagnostic(
                "K09",
                f"{kind} `{one.name}` repeats `{first.name}` of the library",
                one.span,
                "says the same under the same conditions",
                (Label(first.span, f"says it already: {first.citation.source}, {first.citation.at}"),),
                (),
                ("drop it: the library already contains it",),
            )
