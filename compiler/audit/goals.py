"""Which goal the files serve, and what is missing for it: their values beside the plan for each goal.

Only layers that the files are about are compared. A recommendation that needs no entry, such as the vendor's default,
is not missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from setpoint.compiler.audit.model import Stated, source_note
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.resolve import decide

RECOMMENDED = ("rule", "preset")
"""The origins of values that somebody recommends."""


class Fit(NamedTuple):
    """How values serve an intent: what agrees, what differs, what is missing, and its own `hazards`."""

    intent: str
    agrees: tuple[tuple[Stated, Decision], ...]
    differs: tuple[tuple[Stated, Decision], ...]
    missing: tuple[Decision, ...]
    hazards: tuple[str, ...]

    @property
    def score(self) -> tuple[int, int]:
        """The better one is greater: what agrees less what differs or is hazardous, then what agrees."""
        return len(self.agrees) - len(self.differs) - len(self.hazards), len(self.agrees)


def fit(
    intent: str,
    decisions: Sequence[Decision],
    stated: Sequence[Stated],
    layers: set[str],
    hazards: Sequence[str],
) -> Fit:
    """How values serve an intent, for which these are the decisions."""
    values = {value.setting: value for value in stated}
    advised = [d for d in decisions if d.origin in RECOMMENDED and d.layer in layers]
    both = [(values[d.setting], d) for d in advised if d.setting in values]
    return Fit(
        intent,
        tuple((value, d) for value, d in both if value.value == d.value),
        tuple((value, d) for value, d in both if value.value != d.value),
        tuple(d for d in advised if d.setting not in values and not _is_there_anyway(d)),
        tuple(hazards),
    )


class Goals:
    """The values beside what is decided for each intent without them, found on demand."""

    def __init__(
        self,
        knowledge: Knowledge,
        contexts: Mapping[str, Context],
        stated: Sequence[Stated],
        layers: set[str],
        hazards: Mapping[str, Sequence[str]],
    ) -> None:
        self._knowledge = knowledge
        self._contexts = contexts
        self._stated = stated
        self._layers = layers
        self._hazards = hazards

    @cached_property
    def fits(self) -> tuple[Fit, ...]:
        """How the values serve each intent that has a plan."""
        return tuple(
            fit(intent, decisions, self._stated, self._layers, self._hazards[intent])
            for intent, context in self._contexts.items()
            if (decisions := _decisions(self._knowledge, context)) is not None
        )


def _decisions(knowledge: Knowledge, context: Context) -> tuple[Decision, ...] | None:
    """What is decided for a context, without the files; None if it has no plan."""
    try:
        return decide(knowledge, context).settings
    except SetpointError:
        return None


def _is_there_anyway(decision: Decision) -> bool:
    """Whether a value needs no entry: it is the default, or what it is written as must not be there."""
    spelled = decision.spelled
    return decision.value == decision.default or (bool(spelled) and all(value.is_absent for value in spelled))


def best(fits: Sequence[Fit]) -> tuple[Fit, ...]:
    """Those that are served best, several if they are served alike; none if nothing agrees with any."""
    top = max((candidate.score for candidate in fits), default=(0, 0))
    return tuple(candidate for candidate in fits if candidate.score == top) if top[1] else ()


def differing(nearest: Fit) -> list[Diagnostic]:
    """The values that differ from what is recommended for a stated intent (W0909)."""
    return [
        Diagnostic(
            "W0909",
            f"`{stated.entry.written}` differs from what is recommended for {nearest.intent}: `{stated.setting} {decision.value}`",
            stated.entry.span,
            f"{stated.setting} {stated.value}",
            notes=tuple(_why(decision)),
            help=("keep it only for a reason that you can give",),
        )
        for stated, decision in nearest.differs
    ]


def _why(decision: Decision) -> Iterator[str]:
    """Why a value is recommended, how strong that is, and where it is written."""
    cause = decision.cause
    if cause.because:
        yield cause.because
    if cause.citation is not None:
        yield f"{source_note(cause.citation)} ({cause.weight})"
