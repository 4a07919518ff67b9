"""What the hosts of a fleet are exposed to: which waivers have an effect on which hosts, and which hazards nobody has
waived there.

A waiver is a statement, and the same for all hosts of its scope; whether its hazard occurs depends on the server. So a
list of waivers alone does not say on how many hosts a risk is taken, nor that one has no effect on any.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.fleet.reasons import reasons_about
from setpoint.compiler.plan.judge import Judged, WaivedFinding, kept_back
from setpoint.compiler.plan.model import Waiver
from setpoint.compiler.plan.waivers import HAZARD
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.hosts import named_hosts, told
from setpoint.compiler.render.table import paragraph
from setpoint.compiler.render.visible import json_object


class OpenHazard(NamedTuple):
    """A hazard that `warns` or `stops` the build. `until` is the end of its expired waiver, "" for none."""

    name: str
    state: str
    until: str
    what: str


class StandingWaiver(NamedTuple):
    """A waiver with an effect on hosts: of a hazard, or of the warnings that it names; `what` says of what. `until` is
    its last day, "" for none."""

    name: str
    is_of_hazard: bool
    what: str
    because: str
    until: str
    is_expired: bool
    span: Span


class ExposedHosts(NamedTuple):
    """The hosts on which each waiver has an effect, and those on which each open hazard occurs; sorted."""

    waived: Mapping[StandingWaiver, tuple[str, ...]]
    hazards: Mapping[OpenHazard, tuple[str, ...]]


def exposed(plans: Iterable[tuple[Judged, Iterable[str]]]) -> ExposedHosts:
    """The hosts with waivers and hazards, of plans with their hosts."""
    waived: dict[tuple[Span, str], tuple[StandingWaiver, set[str]]] = {}
    hazards: dict[OpenHazard, set[str]] = {}
    for judged, hosts in plans:
        for waiver in judged.plan.waivers:
            if waiver.stands:
                standing = _standing(waiver, judged)
                waived.setdefault((standing.span, waiver.name), (standing, set()))[1].update(hosts)
        for name, hazard in judged.hazards.items():
            if hazard.state in ("stops", "warns"):
                hazards.setdefault(OpenHazard(name, hazard.state, hazard.until, hazard.what), set()).update(
                    hosts
                )
    ordered = sorted(hazards, key=lambda hazard: (hazard.state, -len(hazards[hazard]), hazard))
    return ExposedHosts(
        {waiver: tuple(sorted(hosts)) for waiver, hosts in sorted(waived.values(), key=_most_first)},
        {hazard: tuple(sorted(hazards[hazard])) for hazard in ordered},
    )


def _standing(waiver: Waiver, judged: Judged) -> StandingWaiver:
    is_of_hazard, is_expired = waiver.kind == HAZARD, waiver.name in judged.expired
    because = told(waiver.because, reasons_about(judged.plan, waiver.name))
    at = judged.plan.places.of("accept", waiver.name)
    return StandingWaiver(waiver.name, is_of_hazard, waiver.what, because, waiver.until, is_expired, at)


def _most_first(waived: tuple[StandingWaiver, set[str]]) -> tuple[bool, int, StandingWaiver]:
    """Hazards come first, then what most hosts have."""
    waiver, hosts = waived
    return not waiver.is_of_hazard, -len(hosts), waiver


def waived_text(waived: Mapping[StandingWaiver, tuple[str, ...]], width: int) -> str:
    """What is waived on hosts until when and why, for a terminal, without waivers that have expired."""
    text = ""
    for waiver, hosts in waived.items():
        if not waiver.is_expired:
            what = f"hazard {waiver.name}" if waiver.is_of_hazard else waiver.name
            text += paragraph(f"{what} is waived {_until(waiver)}: {named_hosts(hosts)}", width, 0)
            text += paragraph(f"because: {waiver.because}", width, 2)
    return text


def _until(waiver: StandingWaiver) -> str:
    return f"until {waiver.until}" if waiver.until else "without expiry"


def waived_findings(plans: Iterable[tuple[Judged, Iterable[str]]]) -> tuple[WaivedFinding, ...]:
    """What valid waivers keep back on hosts, of plans with their hosts, in the order of the text. Findings that differ
    in notes, which say what of the server is out of scope, are one.
    """
    by_finding: dict[tuple[Waiver, Diagnostic], set[str]] = {}
    for judged, hosts in plans:
        for waiver, finding in kept_back(judged):
            because = told(waiver.because, reasons_about(judged.plan, waiver.name))
            same = waiver._replace(covers=(), because=because), finding._replace(notes=())
            by_finding.setdefault(same, set()).update(hosts)
    by_place = sorted(by_finding, key=lambda pair: (pair[1].at, pair[1].code, pair[1].message, pair[0].name))
    return tuple(
        WaivedFinding(
            finding, waiver.name, waiver.until, waiver.because, tuple(sorted(by_finding[waiver, finding]))
        )
        for waiver, finding in by_place
    )


def waived_json(waived: Mapping[StandingWaiver, tuple[str, ...]]) -> list[dict[str, Any]]:
    """What is waived on hosts, for programs, without waivers that have expired."""
    return [
        {
            "name": waiver.name,
            "hazard": waiver.name if waiver.is_of_hazard else None,
            **json_object(waiver, "until? because file=span.file line=span.line"),
            "hosts": hosts,
        }
        for waiver, hosts in waived.items()
        if not waiver.is_expired
    ]


def hazards_json(hazards: Mapping[OpenHazard, tuple[str, ...]]) -> list[dict[str, Any]]:
    """The open hazards with their hosts, for programs."""
    return [
        {**json_object(hazard, "name state until? what"), "hosts": hosts} for hazard, hosts in hazards.items()
    ]


def hazards_text(hazards: Mapping[OpenHazard, tuple[str, ...]], width: int) -> str:
    """The open hazards with their hosts, for a terminal."""
    text = ""
    for hazard, hosts in hazards.items():
        says = "stops the build" if hazard.state == "stops" else "warns"
        says += f", waived until {hazard.until}, which is over" if hazard.until else ", not waived"
        text += paragraph(f"hazard {hazard.name} {says}: {named_hosts(hosts)}", width, 0)
        text += paragraph(hazard.what, width, 2)
    return text
