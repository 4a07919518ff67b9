"""What the hosts of a fleet are exposed to: which waivers have an effect on which hosts, and which hazards nobody has waived there.

A waiver is a statement, and the same for all hosts of its scope; whether its hazard occurs depends on the server. So a list of waivers
alone does not say on how many hosts a risk is taken, nor that one has no effect on any.
"""

from collections.abc import Iterable, Mapping

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.fleet.summary import named_hosts
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.table import paragraph


@distinct
class OpenHazard(NamedTuple):
    """A hazard that occurs and is not waived: it `warns` or `stops` the build. `until` is when its waiver expired, "" for none."""

    name: str
    state: str
    until: str
    what: str


@distinct
class ExposedHosts(NamedTuple):
    """The hosts on which each waiver has an effect, by its place and name, and those on which each open hazard occurs; sorted."""

    waived: Mapping[tuple[Span, str], tuple[str, ...]]
    hazards: Mapping[OpenHazard, tuple[str, ...]]


def exposed(plans: Iterable[tuple[Judged, tuple[str, ...]]]) -> ExposedHosts:
    """The hosts with waivers and hazards, of plans with their hosts."""
    waived: dict[tuple[Span, str], set[str]] = {}
    hazards: dict[OpenHazard, set[str]] = {}
    for judged, hosts in plans:
        for waiver in judged.plan.waivers:
            if waiver.stands:
                waived.setdefault((waiver.span, waiver.name), set()).update(hosts)
        for name, each in judged.hazards.items():
            if each.state in ("stops", "warns"):
                hazards.setdefault(OpenHazard(name, each.state, each.until, each.what), set()).update(hosts)
    ordered = sorted(hazards, key=lambda each: (each.state, -len(hazards[each]), each))
    return ExposedHosts(
        {key: tuple(sorted(its)) for key, its in waived.items()},
        {each: tuple(sorted(hazards[each])) for each in ordered},
    )


def hazards_text(hazards: Mapping[OpenHazard, tuple[str, ...]], width: int) -> str:
    """The open hazards with their hosts, for a terminal."""
    text = ""
    for each, hosts in hazards.items():
        says = "stops the build" if each.state == "stops" else "warns"
        says += f", waived until {each.until}, which is over" if each.until else ", not waived"
        text += paragraph(f"hazard {each.name} {says}: {named_hosts(list(hosts))}", width, 0)
        text += paragraph(each.what, width, 2)
    return text
