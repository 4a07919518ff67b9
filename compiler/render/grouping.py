"""The settings of a plan in groups, as all its forms show them: what is set, and what nothing is done about, and
why."""

from collections import Counter
from collections.abc import Iterable

from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.words import (
    DEFAULT,
    FIXED_HERE,
    LAYER_TITLES,
    LEFT_TO_SYSTEM,
    TAKEN_BACK,
    UNKNOWN_DEFAULT,
    assumption_notes,
    count,
)


class Grouped(NamedTuple):
    """The decisions of a layer in groups.

    `listed` are written or set by the policy, `locked` fixed by a profile, `defaulted` left at the vendor's default,
    `unknown` left alone without one. `fixed` are those for which the server takes no other value, and `to_system` those
    of which nothing is set, without a value of their own.
    """

    listed: list[Decision]
    locked: list[Decision]
    defaulted: list[Decision]
    unknown: list[Decision]
    fixed: list[Decision]
    to_system: list[Decision]


def is_listed(decision: Decision) -> bool:
    """Whether a decision has a row of its own: it is written, or set by the policy."""
    return decision.written or decision.origin == "set"


def grouped(decisions: list[Decision]) -> Grouped:
    """The decisions of a layer in groups."""
    listed = [d for d in decisions if is_listed(d)]
    locked = [d for d in decisions if d.is_set_by_profile and d.origin != "set"]
    defaulted = [d for d in decisions if d.unwritten == "default" and d.default]
    fixed = [d for d in decisions if d.unwritten == "fixed" and not is_listed(d)]
    placed = {d.setting for d in (*listed, *locked, *defaulted, *fixed)}
    to_system: list[Decision] = []
    unknown: list[Decision] = []
    for d in (decision for decision in decisions if decision.setting not in placed):
        is_to_system = d.spelled and all(spelled.is_absent and not spelled.text for spelled in d.spelled)
        (to_system if is_to_system else unknown).append(d)
    return Grouped(listed, locked, defaulted, unknown, fixed, to_system)


def by_layer(plan: Plan) -> dict[str, Grouped]:
    """The decisions of each layer in groups."""
    return {layer: grouped([d for d in plan.settings if d.layer == layer]) for layer in LAYER_TITLES}


def is_taken_back(decision: Decision) -> bool:
    """Whether a setting at its default is removed from the kernel's command line, where an earlier policy put it."""
    return decision.unwritten == "default" and any(
        spelled.is_absent for spelled in decision.spelled_in("argument")
    )


def left_alone(layers: Iterable[Grouped]) -> list[tuple[str, list[Decision]]]:
    """The settings of all layers that get no value, after the note on each kind of them."""
    groups = tuple(layers)
    kinds = (
        (FIXED_HERE, [d for layer in groups for d in layer.fixed]),
        (DEFAULT, [d for layer in groups for d in layer.defaulted if not is_taken_back(d)]),
        (TAKEN_BACK, [d for layer in groups for d in layer.defaulted if is_taken_back(d)]),
        (UNKNOWN_DEFAULT, [d for layer in groups for d in layer.unknown]),
        (LEFT_TO_SYSTEM, [d for layer in groups for d in layer.to_system]),
    )
    return [(title, decisions) for title, decisions in kinds if decisions]


def to_mind(judged: Judged) -> str:
    """How much there is to mind: `2 warnings, 1 assumed fact`; "" for nothing."""
    by_severity = Counter(diagnostic.severity for diagnostic in judged.diagnostics)
    parts = [
        count(by_severity[severity], severity) for severity in ("error", "warning") if by_severity[severity]
    ]
    if assumed := len(assumption_notes(judged.plan)):
        parts.append(count(assumed, "assumed fact"))
    return ", ".join(parts)
