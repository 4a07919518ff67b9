"""Effects: contradictory cases (K11), and cases and values without effect (K09).

The order of the cases must not matter: two that can hold together must give the same value. A case is redundant if no
policy meets it, or if other cases with its value cover it. A value is unused if no reachable case gives it, nor the
`otherwise`.
"""

from collections.abc import Iterator
from itertools import combinations, islice, product

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Box, Effect
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.proof.bounds import answer_each
from setpoint.compiler.proof.checks.satisfiable import Satisfaction, is_satisfiable, satisfied_by
from setpoint.compiler.proof.example import codes_of, note, policy

MOST_TRIED = 50
"""The maximum number of policies that are tried before the first one is shown as it is."""


def ambiguous_effects(analyses: Analyses) -> Iterator[Diagnostic]:
    """Cases of an effect that can hold together and give different values (K11)."""
    yield from answer_each(
        analyses.knowledge, analyses.knowledge.effects.values(), lambda effect: _ambiguous(analyses, effect)
    )


def _ambiguous(analyses: Analyses, effect: Effect) -> Iterator[Diagnostic]:
    for (a, first), (b, second) in combinations(effect.cases, 2):
        if a == b:
            continue
        both = next(satisfied_by(analyses, first, second), None)
        if both:
            yield Diagnostic(
                "K11",
                f"effect `{effect.name}` is both {a} and {b}: two of its cases can be true together",
                effect.span,
                "the result must not depend on their order",
                (),
                (
                    f"{a} when {analyses.knowledge.box_text(first)}",
                    f"{b} when {analyses.knowledge.box_text(second)}",
                    note(_example(both)),
                ),
                ("narrow the conditions of a case",),
            )


def _example(both: Satisfaction) -> str:
    """A policy that meets the conditions, with `set`s that can be planned if possible."""
    analysis, knowledge = both.analysis, both.analysis.knowledge
    situation = analysis.space.simplest(both.where)
    here = 1 << analysis.space.situations.index(situation)
    choices = [
        [
            (name, knowledge.variables[name].name_of(bit))
            for bit, there in analysis.domains[name].items()
            if bit & mask and there & here
        ]
        for name, mask in both.asked
    ]
    candidates = [
        policy(knowledge, situation.stated, sets)
        for sets in islice(product(*(choice for choice in choices if choice)), MOST_TRIED)
    ]
    planned = (
        text
        for text in candidates
        if not any(code.startswith("E") for code in codes_of(analysis.whole, text))
    )
    return next(planned, candidates[0])


def idle_effects(analyses: Analyses) -> Iterator[Diagnostic]:
    """The cases and values of effects without effect (K09)."""
    knowledge = analyses.knowledge
    own = [effect for effect in knowledge.effects.values() if not knowledge.is_from_library(effect.span)]
    yield from answer_each(knowledge, own, lambda effect: _idle(analyses, effect))


def _idle(analyses: Analyses, effect: Effect) -> Iterator[Diagnostic]:
    kept: tuple[tuple[str, Box], ...] = ()
    for number in reversed(range(len(effect.cases))):
        value, box = effect.cases[number]
        same_value = [when for other, when in (*effect.cases[:number], *kept) if other == value]
        text = f"{value} when {analyses.knowledge.box_text(box)}"
        if not is_satisfiable(analyses, box):
            yield _idle_finding(
                effect,
                f"can never be {text}",
                "no policy meets this case",
                "correct its conditions, or drop it",
            )
        elif not is_satisfiable(analyses, box, but=same_value):
            yield _idle_finding(
                effect, f"has a redundant case: {text}", "other cases cover it", "drop that case"
            )
        else:
            kept = ((value, box), *kept)
    given = {value for value, _ in effect.cases}
    if is_satisfiable(analyses, but=[when for _, when in kept]):
        given.add(effect.otherwise)
    for value in effect.values:
        if value not in given:
            yield _idle_finding(
                effect, f"is never {value}", "no case gives it", "drop the value, or add its case"
            )


def _idle_finding(effect: Effect, message: str, label: str, help_: str) -> Diagnostic:
    return Diagnostic("K09", f"effect `{effect.name}` {message}", effect.span, label, help=(help_,))
