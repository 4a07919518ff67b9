"""Knowledge without effect: dead rules (K04), and redundant constraints, values, offers and facts (K09).

A rule is dead if no policy cites it: neither without a `set`, nor with one, nor with what the rule reads. Rules of
superseded sources are expected to be dead and are kept for the history. A constraint is redundant if the others forbid
everything that it forbids. A value is unused if it is offered but can never be chosen.

What a site adds may leave parts of the library without effect. That is its purpose and not an error; `overridden` names
these rules.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from setpoint.compiler.binding.facts import complete
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import (
    CITED,
    Box,
    Constraint,
    Knowledge,
    Offer,
    Rule,
    meet,
    statements_of,
)
from setpoint.compiler.proof.analysis import Analysis, Component
from setpoint.compiler.proof.checks.undecided import minimal_core
from setpoint.compiler.proof.combinations import fact_entries
from setpoint.compiler.proof.example import note, policy, settable
from setpoint.compiler.proof.reachable import Group
from setpoint.compiler.proof.sets.cascade import applies, effective
from setpoint.compiler.proof.sets.ground import ScopedClause, ScopedProposal, SituationDomains
from setpoint.compiler.proof.sets.masks import any_left, union
from setpoint.compiler.proof.sets.narrow import SituationClauses, restricted
from setpoint.compiler.proof.sets.space import facts_of

MOST_SHOWN = 3
"""The maximum number of statements of a kind that a finding shows."""


def dead_rules(analysis: Analysis, component: Component, cited: frozenset[str]) -> Iterator[Diagnostic]:
    """The rules of a component that no policy cites, each with the reason (K04)."""
    for rule in _never_cited(analysis.knowledge, component, cited):
        if not analysis.knowledge.is_from_library(rule.span):
            yield dead_rule(analysis, rule)


def overridden(knowledge: Knowledge, component: Component, cited: frozenset[str]) -> Iterator[str]:
    """The names of the library's rules of a component that no policy cites because of a site's statements."""
    for rule in _never_cited(knowledge, component, cited):
        if knowledge.is_from_library(rule.span):
            yield rule.name


def _never_cited(knowledge: Knowledge, component: Component, cited: frozenset[str]) -> Iterator[Rule]:
    retired = retired_sources(knowledge)
    for rule in knowledge.rules:
        if rule.setting in component.own and rule.name not in cited and rule.citation.source not in retired:
            yield rule


def retired_sources(knowledge: Knowledge) -> frozenset[str]:
    """The superseded sources, whose rules are kept for the history."""
    return frozenset(source.supersedes for source in knowledge.sources.values())


def dead_rule(analysis: Analysis, rule: Rule) -> Diagnostic:
    """The finding for a rule that no policy cites, with the reason.

    It needs the rules for the same setting, and for a profile that the setting is a member of; and no others.
    """
    knowledge = analysis.knowledge
    variable = knowledge.variables[rule.setting]
    proposals = analysis.problem.proposals[rule.setting]
    own = [w for w in proposals if w.proposal.rule.name == rule.name and not w.proposal.preset]
    where = 0
    for weighed in own:
        where |= weighed.where
    if not where:
        return Diagnostic(
            "K04",
            f"`{rule.name}` never applies: no policy meets its conditions where `{rule.setting}` is offered",
            rule.span,
            "never applies",
            notes=(f"condition: {knowledge.box_text(rule.when)}",),
            help=("correct its conditions, or drop it",),
        )
    offered = analysis.domains[rule.setting].get(variable.bit(rule.value), 0)
    if not where & offered:
        labels = _constraints(analysis, rule.setting, where)
        return _impossible(analysis, rule, where, "where it applies", labels)
    written = where & _as_written(analysis, rule)
    if written and not written & offered:
        labels = (*_constraints(analysis, rule.setting, written), *_offers(analysis, rule.setting, written))
        return _impossible(analysis, rule, written, "under its conditions", labels)
    return _shadowed(analysis, rule, own, where & offered)


def _impossible(
    analysis: Analysis, rule: Rule, where: int, what: str, labels: tuple[Label, ...]
) -> Diagnostic:
    """The finding for a rule whose value is not offered in these situations."""
    return Diagnostic(
        "K04",
        f"`{rule.name}` is unreachable: `{rule.setting}` cannot be {rule.value} {what}",
        rule.span,
        "cannot be",
        labels,
        (note(policy(analysis.knowledge, analysis.space.simplest(where).stated)),),
        ("correct its value or its conditions, or drop it",),
    )


def _shadowed(analysis: Analysis, rule: Rule, own: Iterable[ScopedProposal], where: int) -> Diagnostic:
    """The finding for a rule that others override in all situations in which it applies and its value is offered."""
    proposals = analysis.problem.proposals[rule.setting]
    shadows: Counter[tuple[Rule, str]] = Counter()
    contexts = 0
    for weighed in own:
        supposed = analysis.restricted_to(weighed.proposal.reads)
        true = [applies(w, supposed.domains, analysis.problem) for w in proposals]
        effective_in = effective(proposals, true)
        here = weighed.where & supposed.left & where
        contexts += analysis.space.contexts(here)
        for other, applied, in_effect in zip(proposals, true, effective_in, strict=True):
            p = other.proposal
            if p.withdraws(weighed.proposal):
                shadows[p.rule, "withdraws it"] += analysis.space.contexts(here & applied)
            elif p.beats(weighed.proposal) and p.value != rule.value:
                shadows[p.rule, "takes precedence"] += analysis.space.contexts(here & in_effect)
    most = [pair for pair, number in shadows.most_common(3) if number]
    return Diagnostic(
        "K04",
        f"`{rule.name}` is unreachable: {_shadow_text(most, shadows, contexts)}",
        rule.span,
        f"{rule.setting} {rule.value} is never chosen for this",
        tuple(Label(other.span, how) for other, how in most),
        (note(policy(analysis.knowledge, analysis.space.simplest(where).stated)),),
        (
            f"if it should win: `exception to {most[0][0].name};` in `{rule.name}`"
            if most
            else "correct its conditions",
            "else drop it, or declare its source superseded",
        ),
    )


def _as_written(analysis: Analysis, rule: Rule) -> int:
    """The situations in which a rule applies by its own conditions, not to hardware that follows the named one."""
    own = [
        applicability.when
        for applicability in rule.applicabilities
        if meet(applicability.when, rule.when) == tuple(sorted(applicability.when))
    ]
    return union(analysis.space.where(facts_of(analysis.knowledge, box)) for box in own)


def _offers(analysis: Analysis, setting: str, where: int) -> tuple[Label, ...]:
    """Labels for the offers of a setting that apply there."""
    there = [offer for offer, here in analysis.problem.offers if offer.setting == setting and here & where]
    return tuple(
        Label(offer.span, f"offers {offer.text}" if offer.values else "absent here")
        for offer in there[:MOST_SHOWN]
    )


def _shadow_text(most: list[tuple[Rule, str]], shadows: Counter[tuple[Rule, str]], contexts: int) -> str:
    """What prevents a rule from being used, in a few words; `contexts`: how many there are where it would apply."""
    if most and shadows[most[0]] == contexts:
        rule, how = most[0]
        return f"always {'withdrawn' if how == 'withdraws it' else 'overridden'} by `{rule.name}`"
    return "always overridden by others" if most else "its value is never possible where it applies"


def _constraints(analysis: Analysis, setting: str, where: int) -> tuple[Label, ...]:
    clauses = [live.clause for live in analysis.index.of.get(setting, ()) if live.where & where]
    spans = dict.fromkeys(clause.span for clause in clauses)
    return tuple(Label(span, "forbids it") for span in list(spans)[:3])


def idle_constraints(analysis: Analysis, component: Component) -> Iterator[Diagnostic]:
    """The constraints of a component that say nothing beyond the others (K09).

    One that says what the firmware locks says more than it forbids. Of an effect that is required, some cases are of
    other servers.
    """
    locking = {constraint.name for constraint in analysis.knowledge.constraints if constraint.lock}
    lives = analysis.problem.clauses
    for live in lives:
        constraint, names = live.clause.statement, [name for name, _ in live.clause.literals]
        if not isinstance(constraint, Constraint) or not set(names) <= set(component.own):
            continue
        if analysis.knowledge.is_from_library(constraint.span) or constraint.effect:
            continue
        if not live.where:
            yield _idle(live, "never applies: no policy meets its conditions", "never applies", ())
        elif live.clause.name not in locking and not forbids_alone(analysis, live):
            message = "is redundant: other constraints forbid the same"
            yield _idle(live, message, "adds nothing", _equivalent_clauses(analysis, live))


def _idle(live: ScopedClause, message: str, label: str, others: tuple[Label, ...]) -> Diagnostic:
    return Diagnostic(
        "K09",
        f"constraint `{live.clause.name}` {message}",
        live.clause.span,
        label,
        others,
        help=("drop it, or correct its conditions",),
    )


def forbids_alone(analysis: Analysis, live: ScopedClause) -> int:
    """The situations in which only this clause forbids something."""
    return SituationClauses(other for other in analysis.problem.clauses if other is not live).possible(
        *_violations(analysis, live)
    )


def _violations(analysis: Analysis, live: ScopedClause) -> tuple[SituationDomains, int]:
    """The domains in which a clause does not hold, and the situations in which there are any."""
    domains = restricted(analysis.problem.domains, live.where)
    there = live.where
    for name, mask in live.clause.literals:
        if name in domains:  # else it is absent, as it may be
            domains[name] = {bit: left for bit, left in domains[name].items() if not bit & mask}
            there &= any_left(domains[name]) | ~analysis.problem.present[name]
    return domains, there


def _equivalent_clauses(analysis: Analysis, live: ScopedClause) -> tuple[Label, ...]:
    """Labels for a smallest set of other clauses that forbids the same; constraints are preferred to profiles."""
    others = [other for other in analysis.problem.clauses if other is not live and other.where & live.where]
    others.sort(key=lambda other: other.clause.kind == "constraint")
    core = minimal_core(tuple(others), *_violations(analysis, live))
    return tuple(Label(span, "forbids the same") for span in dict.fromkeys(o.clause.span for o in core))


def idle_values(
    analysis: Analysis, component: Component, possible: dict[tuple[str, int], int]
) -> Iterator[Diagnostic]:
    """Offered values that can never be chosen, and offers that never apply (K09).

    `possible` has the situations in which a policy can set each value.
    """
    knowledge = analysis.knowledge
    for offer, where in analysis.problem.offers:
        if offer.setting not in component.own or knowledge.is_from_library(offer.span):
            continue
        if not where:
            yield Diagnostic(
                "K09",
                f"this offer of `{offer.setting}` is unreachable",
                offer.span,
                "no policy meets its conditions, or a narrower offer always does",
                help=("correct its conditions, or drop it",),
            )
            continue
        variable = knowledge.variables[offer.setting]
        for value in variable.names(variable.offered(offer.values)):
            bit = variable.bit(value)
            here = where & ~analysis.unsatisfiable
            if here and not possible.get((offer.setting, bit), 0) & here:
                yield _unreachable_value(analysis, offer, value, here)


def _unreachable_value(analysis: Analysis, offer: Offer, value: str, where: int) -> Diagnostic:
    """The finding for an offered value that can never be chosen, with the statements that exclude it in a situation."""
    knowledge = analysis.knowledge
    situation = analysis.space.simplest(where)
    here = 1 << analysis.space.situations.index(situation)
    variable = knowledge.variables[offer.setting]
    bit = variable.bit(value)
    domains = {**analysis.problem.domains, offer.setting: {bit: here}}
    clauses = sorted(analysis.problem.clauses, key=lambda live: live.clause.kind == "constraint")
    core = minimal_core(tuple(clauses), domains, here)
    return Diagnostic(
        "K09",
        f"`{offer.setting}` is offered {value} here, and can never be {value}",
        offer.span,
        "offers it",
        tuple(Label(span, "excludes it") for span in dict.fromkeys(live.clause.span for live in core)),
        (
            *dict.fromkeys(f"{live.clause.name}: {live.clause.because}" for live in core),
            note(
                policy(
                    knowledge, situation.stated, ((offer.setting, settable(knowledge, offer.setting, value)),)
                )
            ),
        ),
        (f"do not offer {value}, or correct one of the statements that exclude it",),
    )


def unused_settings(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """Settings and values that nothing offers (K09)."""
    for setting in knowledge.settings.values():
        if knowledge.is_from_library(setting.span):
            continue
        variable = knowledge.variables[setting.name]
        offers = knowledge.offers.get(setting.name, ())
        offered = {v for offer in offers for v in variable.names(variable.offered(offer.values))}
        if not offered:
            yield _unused_word(f"no platform offers `{setting.name}`", setting.span)
            continue
        for value in variable.words:
            if value not in offered:
                yield _unused_word(f"no platform offers `{setting.name}` {value}", setting.span)


def impossible_values(knowledge: Knowledge, groups: tuple[Group, ...]) -> Iterator[Diagnostic]:
    """Values of facts that no policy can state (K09)."""
    for fact, values in knowledge.values.items():
        group = next(group for group in groups if fact in group.facts)
        known = set[str]().union(*(variant.values_of(fact) for variant in group.variants.values()))
        alike = (names for names in group.classes[fact] if known.intersection(names))
        possible_values = {name for names in alike for name in names}
        for entry in values.values():
            if entry.name not in possible_values and not knowledge.is_from_library(entry.span):
                errors = complete(knowledge, fact_entries(((fact, entry.name),))).errors
                message = f"no policy can state `{fact} {entry.name}`: it contradicts itself"
                yield _unused_word(
                    message, entry.span, tuple(text for error in errors for text in error.notes)
                )


def unread_facts(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The facts of a site that no statement reads (K09).

    A fact is read if a condition or an `allows` names it, if it implies something, or if a figure was measured on it. A
    library by itself may declare facts for its sites to use.
    """
    read = set(knowledge.required)
    stated = (statement for field in CITED for statement in statements_of(knowledge, field))
    conditioned: tuple[Iterable[Box], ...] = (
        (getattr(statement, "when", ()) for statement in stated),
        (assumption.when for assumption in knowledge.assumptions),
        (box for effect in knowledge.effects.values() for _, box in effect.cases),
        (source.scope for source in knowledge.sources.values()),
        (source.related.when for source in knowledge.sources.values() if source.related),
        (figure.box for figure in knowledge.measurements),
    )
    read |= {name for boxes in conditioned for box in boxes for name, _ in box}
    for fact, values in knowledge.values.items():
        for value in values.values():
            read |= {name for name, _ in value.allows} | ({fact} if value.implies or value.allows else set())
    for fact, kind in knowledge.kinds.items():
        if fact not in read and knowledge.site and not knowledge.is_from_library(kind.span):
            yield Diagnostic(
                "K09",
                f"no statement reads `{fact}`",
                kind.span,
                "unused: stating it changes nothing",
                help=("drop it, or name it in the conditions that it was meant for",),
            )


def _unused_word(message: str, span: Span, notes: tuple[str, ...] = ()) -> Diagnostic:
    help_ = "drop it, or correct what it implies or allows" if notes else "drop it, or offer it somewhere"
    return Diagnostic("K09", message, span, "unused", notes=notes, help=(help_,))
