"""Statements of a site that repeat the library (K09).

A site's statements are added to the library's. A repeated one changes no plan today, and preserves the old content when
the library's statement is corrected. A rule that the library overrides somewhere may be repeated, since the site's own
rule takes precedence.
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
    """The content of a rule. The same rule with a higher strength is not a repetition."""
    return rule.setting, rule.value, rule.when, STRENGTHS.index(rule.strength)


def _is_overridden(knowledge: Knowledge, rule: Rule) -> bool:
    """Whether another rule of the library takes precedence over this one, also the library's, with another value."""
    return knowledge.is_from_library(rule.span) and any(
        knowledge.is_from_library(other.span) and other.value != rule.value and _outranks(other, rule)
        for other in knowledge.rules
        if other.setting == rule.setting and meet(other.when, rule.when) is not None
    )


def _outranks(other: Rule, rule: Rule) -> bool:
    ahead = STRENGTHS.index(other.strength) - STRENGTHS.index(rule.strength)
    return rule.name in other.withdraws or ahead > 0 or (not ahead and narrower(other, rule))


def _repeated(
    knowledge: Knowledge,
    kind: str,
    statements_with_content: Iterable[tuple[Hashable, Rule | Constraint | Hazard]],
) -> Iterator[Diagnostic]:
    statements = list(statements_with_content)
    library_statements = {
        what: statement for what, statement in statements if knowledge.is_from_library(statement.span)
    }
    for what, statement in statements:
        first = library_statements.get(what)
        if first is not None and not knowledge.is_from_library(statement.span):
            yield Diagnostic(
                "K09",
                f"{kind} `{statement.name}` repeats `{first.name}` of the library",
                statement.span,
                "says the same under the same conditions",
                (Label(first.span, f"says it already: {first.citation.source}, {first.citation.at}"),),
                (),
                ("drop it: the library already contains it",),
            )
