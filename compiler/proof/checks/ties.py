"""Conflicting recommendations: without an order (K01), or ordered by strength only (K05).

K01 checks pairs of recommendations, not plans. That no plan ties today would prove little, since a `set` or a
constraint can remove the recommendation that decided. In a tie, two unbeaten recommendations want different values, so
both apply and both values are possible. If all such pairs are ordered, no policy can tie.

K05 is the price of comparing strength before narrowness: a broad strong rule beats a narrow weak one. That is often
right, but the author must have considered it: `exception to` lets the narrow rule win, `yields to` accepts that it does
not. A `yields to` that is not true is a finding as well.
"""

from collections.abc import Iterator, Sequence

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import IN_SCOPE, Rule, covers, meet
from setpoint.compiler.proof.analysis import Analysis
from setpoint.compiler.proof.example import confirmed, extent, note, policy, sets_for, settable
from setpoint.compiler.proof.sets.ground import ScopedProposal, withdrawn
from setpoint.compiler.proof.sets.narrow import overlapping_pairs
from setpoint.compiler.resolution.ground import Proposal


def ties(analysis: Analysis, setting: str) -> Iterator[Diagnostic]:
    """The pairs of recommendations for a setting without an order (K01)."""
    proposals = analysis.problem.proposals[setting]
    seen: set[tuple[str, str]] = set()
    for first, second in sorted(overlapping_pairs([weighed.where for weighed in proposals])):
        a, b = proposals[first], proposals[second]
        names = (a.proposal.rule.name, b.proposal.rule.name)
        where = _conflict(analysis, setting, a, b)
        if where and names not in seen and not _ordered(a.proposal, b.proposal):
            where &= ~_resolved_by_third(proposals, a, b)
            if where:
                seen.add(names)
                yield _tie(analysis, setting, a.proposal, b.proposal, where)


def outranked_by_strength(analysis: Analysis, setting: str, cited: frozenset[str]) -> Iterator[Diagnostic]:
    """The narrow recommendations, cited by some policy, that a broader one beats by its strength only (K05)."""
    proposals = analysis.problem.proposals[setting]
    seen: set[tuple[str, str]] = set()
    for first, second in sorted(_ordered_pairs(proposals)):
        strong, weak = proposals[first], proposals[second]
        a, b = strong.proposal, weak.proposal
        names = (a.rule.name, b.rule.name)
        if (
            a.grade > b.grade
            and a.rule.layer == b.rule.layer
            and b.steps == IN_SCOPE
            and not b.preset
            and b.rule.name in cited
            and names not in seen
            and a.rule.name not in b.rule.yields
            and _is_narrower(weak, strong)
            and _conflict(analysis, setting, strong, weak)
        ):
            seen.add(names)
            yield _strength_finding(analysis, a, b, weak.where)
    yield from _false_yields(proposals)


def _ordered_pairs(proposals: Sequence[ScopedProposal]) -> Iterator[tuple[int, int]]:
    for first, second in overlapping_pairs([weighed.where for weighed in proposals]):
        yield first, second
        yield second, first


def _false_yields(proposals: tuple[ScopedProposal, ...]) -> Iterator[Diagnostic]:
    """The findings for rules that yield to a rule that does not take precedence over them."""
    own = [weighed for weighed in proposals if not weighed.proposal.preset]
    outranked = {
        (b.proposal.rule.name, a.proposal.rule.name)
        for a, b in ((own[i], own[j]) for i, j in _ordered_pairs(own))
        if b.proposal.rule.yields and a.where & b.where and a.proposal.beats(b.proposal)
    }
    for rule in dict.fromkeys(weighed.proposal.rule for weighed in own):
        for name in rule.yields:
            if (rule.name, name) not in outranked:
                other = next((w.proposal.rule.span for w in own if w.proposal.rule.name == name), None)
                yield Diagnostic(
                    "K05",
                    f"`{rule.name}` yields to `{name}`, which does not outrank it",
                    rule.span,
                    "states that it yields",
                    (Label(other, "does not take precedence"),) if other else (),
                    (),
                    (f"drop `yields to {name};`, or let it win: `exception to {rule.name};` in `{name}`",),
                )


def _conflict(analysis: Analysis, setting: str, a: ScopedProposal, b: ScopedProposal) -> int:
    """The situations in which two recommendations want different possible values, and neither withdraws the other."""
    first, second = a.proposal, b.proposal
    if first.value == second.value or meet(first.reads, second.reads) is None:
        return 0
    if first.withdraws(second) or second.withdraws(first):
        return 0
    variable = analysis.knowledge.variables[setting]
    masks = analysis.domains[setting]
    where = a.where & b.where & analysis.feasible
    return where & masks.get(variable.bit(first.value), 0) & masks.get(variable.bit(second.value), 0)


def _ordered(a: Proposal, b: Proposal) -> bool:
    return a.beats(b) or b.beats(a)


def _resolved_by_third(proposals: tuple[ScopedProposal, ...], a: ScopedProposal, b: ScopedProposal) -> int:
    """The situations in which a third recommendation, which applies whenever both do, defeats at least one of them.

    Either it withdraws one of them. Or it beats one of them, is not withdrawn itself, and wants one of the two values,
    which is then possible wherever both are.
    """
    first, second = a.proposal, b.proposal
    both = meet(first.reads, second.reads) or ()
    settled = 0
    for third in proposals:
        p = third.proposal
        if not covers(p.reads, both):
            continue
        if p.withdraws(first) or p.withdraws(second):
            settled |= third.where
        elif p.value in (first.value, second.value) and (p.beats(first) or p.beats(second)):
            settled |= third.where & ~withdrawn(proposals, (w.where for w in proposals), p)
    return settled


def _is_narrower(narrow: ScopedProposal, broad: ScopedProposal) -> bool:
    """Whether one applies only where the other does, and not everywhere there."""
    inside = covers(broad.proposal.reads, narrow.proposal.reads)
    less = broad.where & ~narrow.where or narrow.proposal.reads != broad.proposal.reads
    return inside and not narrow.where & ~broad.where and bool(less)


def _tie(analysis: Analysis, setting: str, a: Proposal, b: Proposal, where: int) -> Diagnostic:
    example = _example(analysis, setting, a, b, where)
    return Diagnostic(
        "K01",
        f"`{a.rule.name}` and `{b.rule.name}` conflict on `{setting}`: neither takes precedence",
        a.rule.span,
        _advice_text(a),
        (Label(b.rule.span, _advice_text(b)),),
        (
            f"both {a.strength}" + ("; neither condition is narrower" if a.rule.when != b.rule.when else ""),
            f"both can apply {extent(analysis.space, where)}",
            *((note(example),) if example else ("only several `set` statements together cause it",)),
        ),
        (
            f"state which one wins: `exception to {b.rule.name};` in `{a.rule.name}`, or the other way round",
            "or state in each the goal, workload or hardware that it was measured with",
        ),
    )


def _advice_text(proposal: Proposal) -> str:
    by = f", by way of {proposal.preset}" if proposal.preset else ""
    return f"says {proposal.setting} {proposal.value}{by}"


def _example(analysis: Analysis, setting: str, a: Proposal, b: Proposal, where: int) -> str:
    """A policy that ties: with facts only, else with what the two rules read, else with one more `set`."""
    knowledge = analysis.knowledge
    stated = analysis.space.simplest(where).stated
    reads = sets_for(knowledge, meet(a.reads, b.reads) or ())
    candidates = [policy(knowledge, stated), policy(knowledge, stated, reads)]
    for other in analysis.problem.settings:
        if other != setting and other not in dict(reads):
            candidates += [
                policy(knowledge, stated, (*reads, (other, settable(knowledge, other, value))))
                for value in knowledge.variables[other].values
            ]
    return confirmed(analysis.whole, candidates, "E0303")


def _strength_finding(analysis: Analysis, strong: Proposal, weak: Proposal, where: int) -> Diagnostic:
    knowledge = analysis.knowledge
    return Diagnostic(
        "K05",
        f"`{strong.rule.name}` beats the narrower `{weak.rule.name}` by strength alone",
        weak.rule.span,
        f"{_advice_text(weak)}, as {weak.strength}",
        (Label(strong.rule.span, f"{_advice_text(strong)}, as {strong.strength}"),),
        (
            f"`{weak.rule.name}` is about: {_conditions_text(analysis, weak.rule)}",
            f"`{strong.rule.name}` is about: {_conditions_text(analysis, strong.rule)}",
            note(policy(knowledge, analysis.space.simplest(where).stated, sets_for(knowledge, weak.reads))),
        ),
        (
            f"if the narrower should win: `exception to {strong.rule.name};` in `{weak.rule.name}`",
            f"if it should not: `yields to {strong.rule.name};` in `{weak.rule.name}`",
        ),
    )


def _conditions_text(analysis: Analysis, rule: Rule) -> str:
    return analysis.knowledge.box_text(rule.when) or "everything"
