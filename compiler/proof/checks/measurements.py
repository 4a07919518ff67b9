"""Figures of machines that cannot exist (K09): their facts contradict each other, or a named setting is absent.

Often the wrong machine is named, or the wrong setting.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge, Measurement, offering
from setpoint.compiler.proof.checks.possible import PossibleFacts


def impossible_measurements(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The measurements whose facts contradict each other, or that name a setting which such servers lack (K09)."""
    possible = PossibleFacts(knowledge)
    for figure in knowledge.measurements:
        if knowledge.is_from_library(figure.span):
            continue
        if why := possible.why_not(figure.box):
            message, label = f"has impossible conditions: {why}", "contradicts itself"
            yield _finding(figure, message, label, "correct its conditions")
            continue
        for setting in dict.fromkeys(_named(figure)):
            if setting in knowledge.settings and _is_lacking(knowledge, possible, figure, setting):
                message = f"names `{setting}`, which no such server has"
                help_ = f"correct its conditions, or name another setting than `{setting}`"
                yield _finding(figure, message, "nothing offers it there", help_)


def _is_lacking(knowledge: Knowledge, possible: PossibleFacts, figure: Measurement, setting: str) -> bool:
    """Whether nothing offers a setting where it was measured.

    The figure must name a fact that decides it: papers also measure machines that are none of those known here.
    """
    offers = offering(knowledge, setting)
    deciding = (
        frozenset[str]().union(*(dict(o.when) for o in offers)).intersection(*(dict(o.when) for o in offers))
    )
    named = {name for name, _ in figure.box}
    return bool(deciding & named) and all(possible.why_not(figure.box, offer.when) for offer in offers)


def _named(figure: Measurement) -> Iterator[str]:
    """The facts and settings that a figure names."""
    if figure.varied:
        yield figure.varied[0]
    yield from (name for name, _ in (*figure.when, *figure.held))


def _finding(figure: Measurement, message: str, label: str, advice: str) -> Diagnostic:
    return Diagnostic("K09", f"measurement `{figure.name}` {message}", figure.span, label, help=(advice,))
