"""What an earlier fleet wrote to hosts, and a later one leaves at its default: it is set back, as `compile --since`
does for a bundle.

Hosts of one class can have had different plans. So a class whose hosts keep different settings of an earlier fleet is
divided, and each part is planned again, with what it has to set back. A class that has nothing to set back stays as it
is, with its name; what its plan writes anyway does not count. So the classes of a run with `--since` are those of one
without, except where something is undone.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from setpoint.compiler.comparison.earlier import Wrote, not_set_back
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.fleet.classes import CHECK_SUM, HostClass
from setpoint.compiler.pipeline import Planned
from setpoint.compiler.record import NamedTuple

WroteToHosts = Mapping[str, Wrote]
"""What an earlier fleet wrote to each host."""


class ClassPart(NamedTuple):
    """Hosts of a class that have the same to set back, and their plan."""

    of: HostClass
    hosts: Sequence[str]
    planned: Planned


def parts(
    class_: HostClass,
    hosts: Sequence[str],
    planned: Planned,
    wrote: WroteToHosts,
    plan_again: Callable[[HostClass, Wrote], Planned],
) -> Iterator[ClassPart]:
    """The parts of a class by what they have to set back. What cannot be is among the findings (W0502)."""
    if planned.plan is None or planned.is_stopped:
        yield ClassPart(class_, hosts, planned)
        return
    writes = {decision.setting for decision in planned.plan.written}
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for host in hosts:
        layers = wrote.get(host, {})
        alike.setdefault(tuple(sorted(pair for pair in layers.items() if pair[0] not in writes)), []).append(
            host
        )
    for kept, names in alike.items():
        part = ClassPart(class_, tuple(names), planned)
        if kept:
            apart = class_._replace(name=_name(class_, kept))
            done = plan_again(apart, dict(kept))
            if done.plan is None or {d.setting for d in done.plan.written} != writes:
                part = part._replace(of=apart, planned=done)
            if part.planned.plan is not None:
                part = part._replace(planned=_with(part.planned, not_set_back(part.planned.plan, dict(kept))))
        yield part


def _with(planned: Planned, findings: tuple[Diagnostic, ...]) -> Planned:
    return planned._replace(findings=Diagnostics.of((*planned.findings, *findings)))


def _name(class_: HostClass, kept: tuple[tuple[str, str], ...]) -> str:
    """The name of a class that sets something back: it differs from that of the class that has nothing to."""
    check_sum = hashlib.sha256(repr((class_.name, kept)).encode()).hexdigest()
    return f"{class_.name[:-CHECK_SUM]}{check_sum[:CHECK_SUM]}"
