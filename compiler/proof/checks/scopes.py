"""Statements outside the scope of their own source (K14), and withdrawals without effect (K15).

The scope of a source says what it studied. If the conditions of a rule or hazard are completely out of scope, no plan
gives it the strength that it claims; either the scope or the conditions are wrong. If a source does make a statement
about something that it did not study, the author writes `beyond scope`. What a source names as related to its scope
must be servers that its rules reach, beyond the scope; else it decides nothing.

A withdrawal takes effect where both rules apply and the withdrawing one is at least as much in scope. One without
effect is misleading.
"""

from collections.abc import Collection, Iterator
from itertools import product

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import IN_SCOPE, Box, Hazard, Knowledge, Rule, Source, meet, offering
from setpoint.compiler.proof.analysis import Analyses, Analysis, Component
from setpoint.compiler.proof.checks.hazards import without_effects
from setpoint.compiler.proof.checks.possible import PossibleFacts
from setpoint.compiler.proof.checks.satisfiable import is_satisfiable
from setpoint.compiler.proof.example import extent
from setpoint.compiler.proof.sets.ground import ScopedProposal


def rules_out_of_scope(analysis: Analysis, component: Component) -> Iterator[Diagnostic]:
    """The rules of a component that apply somewhere, but nowhere in the scope of their source (K14)."""
    knowledge = analysis.knowledge
    for rule in knowledge.rules:
        if rule.setting not in component.own or knowledge.is_from_library(rule.span):
            continue
        own = _proposals_of(analysis, rule)
        inside = 0
        for weighed in own:
            inside |= weighed.where if weighed.proposal.steps == IN_SCOPE else 0
        if rule.beyond and inside:
            yield _needless_beyond(f"rule `{rule.name}`", rule.span, extent(analysis.space, inside))
        elif own and not rule.beyond and not inside:
            yield _never_in_scope(knowledge, f"rule `{rule.name}`", rule)


def idle_relations(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The sources whose `related` names no server, nothing beyond the scope, or nothing in reach of a rule (K14)."""
    possible = PossibleFacts(knowledge)
    for source in knowledge.sources.values():
        if source.related is None or knowledge.is_from_library(source.span):
            continue
        when = source.related.when
        rules = [rule for rule in knowledge.rules if rule.citation.source == source.name]
        if why := possible.why_not(when):
            yield _idle_relation(knowledge, source, f"is no server: {why}")
        elif possible.implies(when, source.scope):
            yield _idle_relation(knowledge, source, "lies within its scope")
        elif not any(_reaches(knowledge, possible, rule, when) for rule in rules):
            yield _idle_relation(knowledge, source, "is reached by no rule of it")


def _reaches(knowledge: Knowledge, possible: PossibleFacts, rule: Rule, when: Box) -> bool:
    """Whether a rule can apply under a condition, where its setting is offered."""
    return any(
        not possible.why_not(when, rule.when, offer.when) for offer in offering(knowledge, rule.setting)
    )


def _idle_relation(knowledge: Knowledge, source: Source, why: str) -> Diagnostic:
    related = knowledge.box_text(source.related.when) if source.related else ""
    return Diagnostic(
        "K14",
        f"what `{source.name}` says is related to its scope {why}",
        source.span,
        f"related {related}",
        notes=(f"scope {knowledge.box_text(source.scope)}",),
        help=("correct the conditions of `related`, or drop it",),
    )


def hazards_out_of_scope(analyses: Analyses) -> Iterator[Diagnostic]:
    """The hazards that can occur, but nowhere in the scope of their source (K14)."""
    knowledge = analyses.knowledge
    for hazard in knowledge.hazards.values():
        scope = knowledge.sources[hazard.citation.source].scope
        if knowledge.is_from_library(hazard.span) or not (scope or hazard.beyond):
            continue
        boxes = [
            applicability.when for applicability in hazard.applicabilities if applicability.steps == IN_SCOPE
        ]
        inside = any(_is_satisfiable_with_effects(analyses, box) for box in boxes)
        if hazard.beyond and inside:
            yield _needless_beyond(f"hazard `{hazard.name}`", hazard.span, "")
        elif (
            not hazard.beyond
            and not inside
            and any(
                _is_satisfiable_with_effects(analyses, applicability.when)
                for applicability in hazard.applicabilities
            )
        ):
            yield _never_in_scope(knowledge, f"hazard `{hazard.name}`", hazard)


def _is_satisfiable_with_effects(analyses: Analyses, box: Box) -> bool:
    """Whether some policy meets a condition on facts, settings and effects."""
    return any(is_satisfiable(analyses, *boxes) for boxes in without_effects(analyses.knowledge, box))


def _proposals_of(analysis: Analysis, rule: Rule) -> tuple[ScopedProposal, ...]:
    """The proposals of the rule itself, with the situations in which they apply."""
    proposals = analysis.problem.proposals.get(rule.setting, ())
    return tuple(
        weighed
        for weighed in proposals
        if weighed.where and weighed.proposal.rule.name == rule.name and not weighed.proposal.preset
    )


def _never_in_scope(knowledge: Knowledge, what: str, stated: Rule | Hazard) -> Diagnostic:
    source = knowledge.sources[stated.citation.source]
    return Diagnostic(
        "K14",
        f"{what} can never be in the scope of its source `{source.name}`",
        stated.span,
        "out of scope wherever it applies",
        (Label(source.span, f"scope {knowledge.box_text(source.scope)}"),),
        (f"condition: {knowledge.box_text(stated.when)}",),
        (
            "correct its conditions, or the scope, or cite the source that studied this",
            "if the source gives advice beyond its scope, state `beyond scope;`",
        ),
    )


def _needless_beyond(what: str, span: Span, how_much: str) -> Diagnostic:
    return Diagnostic(
        "K14",
        f"{what} says `beyond scope`, and can be in scope",
        span,
        "is in the scope of its source",
        notes=(f"in scope {how_much}",) if how_much else (),
        help=("drop `beyond scope;`, or correct its conditions or the scope",),
    )


def idle_withdrawals(analysis: Analysis, component: Component) -> Iterator[Diagnostic]:
    """The exceptions of a component's rules that withdraw nothing anywhere (K15)."""
    knowledge = analysis.knowledge
    for rule in knowledge.rules:
        if rule.setting not in component.own or knowledge.is_from_library(rule.span):
            continue
        for name in rule.exceptions:
            meant = [r for r in knowledge.rules if r.name in rule.withdraws and _is_named(r, name)]
            pairs = [
                pair
                for old in meant
                for pair in product(_proposals_of(analysis, rule), _proposals_of(analysis, old))
            ]
            if not any(_withdraws(new, old) for new, old in pairs):
                together = any(_apply_together(new, old) for new, old in pairs)
                yield _idle_exception(rule, name, meant[0].span, together)


def superseding_sources(analysis: Analysis, component: Component) -> Iterator[str]:
    """The sources that withdraw a rule of the source they supersede, somewhere and for a setting of this component."""
    knowledge = analysis.knowledge
    rules: dict[tuple[str, str], list[Rule]] = {}
    for rule in knowledge.rules:
        rules.setdefault((rule.citation.source, rule.setting), []).append(rule)
    for source in knowledge.sources.values():
        pairs = (
            pair
            for setting in component.own
            for pair in product(
                rules.get((source.name, setting), ()), rules.get((source.supersedes, setting), ())
            )
        )
        if source.supersedes and any(_withdraws_rule(analysis, new, old) for new, old in pairs):
            yield source.name


def idle_supersessions(knowledge: Knowledge, superseding: Collection[str]) -> Iterator[Diagnostic]:
    """The sources that supersede a source with rules and withdraw none of them anywhere (K15).

    `superseding` are those that withdraw one in some component.
    """
    for source in knowledge.sources.values():
        before = knowledge.sources.get(source.supersedes)
        if not before or knowledge.is_from_library(source.span):
            continue
        if before.date > source.date > "":
            yield Diagnostic(
                "K15",
                f"`{source.name}` supersedes `{before.name}`, which is later",
                source.span,
                f"of {source.date}",
                (Label(before.span, f"of {before.date}"),),
                (),
                (f"drop `supersedes {before.name};`, or declare it in `{before.name}`",),
            )
        elif source.name not in superseding and _both_have_rules(knowledge, source.name, before.name):
            yield Diagnostic(
                "K15",
                f"`{source.name}` supersedes `{before.name}`, and withdraws none of its rules",
                source.span,
                "no rule of the one applies together with a rule of the other for the same setting",
                (Label(before.span, "superseded"),),
                (),
                ("drop `supersedes`, or correct the conditions of its rules",),
            )


def _both_have_rules(knowledge: Knowledge, *sources: str) -> bool:
    return {*sources} <= {rule.citation.source for rule in knowledge.rules}


def _is_named(rule: Rule, name: str) -> bool:
    return rule.name == name or rule.name.startswith(f"{name}.")


def _withdraws_rule(analysis: Analysis, new: Rule, old: Rule) -> bool:
    return any(
        _withdraws(a, b) for a, b in product(_proposals_of(analysis, new), _proposals_of(analysis, old))
    )


def _withdraws(new: ScopedProposal, old: ScopedProposal) -> bool:
    """Whether one withdraws the other somewhere: both apply, and it is at least as much in scope."""
    return new.proposal.steps <= old.proposal.steps and _apply_together(new, old)


def _apply_together(new: ScopedProposal, old: ScopedProposal) -> bool:
    return bool(new.where & old.where) and meet(new.proposal.reads, old.proposal.reads) is not None


def _idle_exception(rule: Rule, name: str, old: Span, together: bool) -> Diagnostic:
    why = "wherever both apply, it is further out of scope" if together else "no policy meets both conditions"
    return Diagnostic(
        "K15",
        f"`{rule.name}` is an exception to `{name}` without effect",
        rule.span,
        why,
        (Label(old, "is not withdrawn anywhere"),),
        (),
        (f"drop `exception to {name};`, or correct the conditions",),
    )
