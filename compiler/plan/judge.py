"""Judge a plan: what stops the build on a given day, and what its reader should know.

    Plan --judge, on a day--> Judged

A plan does not depend on the date, but whether it may be carried out does, since a waiver can expire. So a plan
contains its hazards and waivers as data, and the consequences are found here. A hazard stops the build until the policy
is changed or waives it; if its source does not cover this platform or use, it only warns.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import IN_SCOPE
from setpoint.compiler.plan.model import ArisingHazard, Decision, Plan, PolicyPlaces, Waiver
from setpoint.compiler.plan.waivers import DIFFERENCE, HAZARD, TO_WAIVE, way_to_waive
from setpoint.compiler.record import NamedTuple

UNNEEDED = "W0403"
"""The code of the warning about a waiver of what does not occur."""


class HazardState(NamedTuple):
    """The status of a hazard: it `warns` or `stops` the build, or is `accepted`; `unused` if its waiver has no effect,
    since it does not occur; `absent` if there is neither.

    `until` is the end of the waiver ("" for none) and `because` its reason; a hazard that warns or stops and has an end
    is one whose waiver has expired. `what` describes the hazard, `source` says where that is from, and `help` what to
    do; both are "" for one that does not occur.
    """

    state: str
    until: str
    because: str
    what: str
    source: str = ""
    help: str = ""


class Judged(NamedTuple):
    """A plan as judged on a day.

    `expired` names the waivers that have expired by then. `diagnostics` is complete: with an error among them,
    the build stops.
    """

    plan: Plan
    expired: frozenset[str]
    diagnostics: Diagnostics

    @property
    def is_stopped(self) -> bool:
        """Whether nothing may be compiled from the plan."""
        return bool(self.diagnostics.errors)

    @property
    def hazards(self) -> dict[str, HazardState]:
        """The status of each hazard that occurs or is waived, by name; the waived ones first."""
        states = {
            w.name: HazardState("accepted" if w.stands else "unused", w.until, w.because, w.what)
            for w in self.plan.waivers
            if w.kind == HAZARD
        }
        for arising in self.plan.hazards:
            was = states.get(arising.hazard, HazardState("absent", "", "", ""))
            is_open = was.state == "absent" or arising.hazard in self.expired
            state = ("stops" if arising.stops else "warns") if is_open else was.state
            cited = f"{arising.citation.source}, {arising.citation.at}"
            states[arising.hazard] = HazardState(
                state, was.until, was.because, was.what or arising.what, cited, arising.help
            )
        return states


def judge(plan: Plan, today: str = "") -> Judged:
    """Judge a plan on a day (ISO); "" for no day, on which no waiver has expired.

    The subject of each diagnostic of a hazard (E0401, W0401, W0402, W0403) is the hazard's name.
    """
    places = plan.places
    expired = frozenset(waiver.name for waiver in plan.waivers if waiver.is_expired(today))
    waivers = {waiver.name: waiver for waiver in plan.waivers if waiver.kind == HAZARD}
    unwaived = (
        _unwaived(arising, waivers.get(arising.hazard), places)
        for arising in plan.hazards
        if arising.hazard not in waivers or arising.hazard in expired
    )
    back = (_no_longer_waived(finding, w) for w in plan.waivers if w.name in expired for finding in w.covers)
    over = (
        _difference_is_back(w, places.of("accept", w.name))
        for w in plan.waivers
        if w.name in expired and w.stands and w.kind == DIFFERENCE
    )
    unneeded = (_unneeded(w, places.of("accept", w.name)) for w in plan.waivers if not w.stands)
    maybe_locked = (
        _maybe_locked(d, places.of("set", d.setting))
        for d in plan.settings
        if d.origin == "set" and d.unwritten == "unknown"
    )
    findings = (*plan.advisories, *unwaived, *back, *over, *unneeded, *maybe_locked)
    return Judged(plan, expired, Diagnostics.of(findings))


class WaivedFinding(NamedTuple):
    """A finding that a valid waiver keeps back on some hosts: the waiver's name, last day ("" for none) and reason."""

    finding: Diagnostic
    waiver: str
    until: str
    because: str
    hosts: tuple[str, ...]


def kept_back(judged: Judged) -> Iterator[tuple[Waiver, Diagnostic]]:
    """The findings that valid waivers keep back, each with its waiver and without help."""
    arising = {hazard.hazard: hazard for hazard in judged.plan.hazards}
    for waiver in judged.plan.waivers:
        if waiver.name in judged.expired:
            continue
        hazard = arising.get(waiver.name) if waiver.kind == HAZARD else None
        for finding in (_unwaived(hazard, None, judged.plan.places),) if hazard else waiver.covers:
            yield waiver, finding._replace(help=(), fixes=())


def without_waived(judged: Judged, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Findings of later stages, without those whose subject is a valid waiver of the plan."""
    waivers = {waiver.name: waiver for waiver in judged.plan.waivers}
    diagnostics = []
    for finding in findings:
        waiver = waivers.get(finding.subject)
        if waiver is None:
            diagnostics.append(finding)
        elif waiver.name in judged.expired:
            diagnostics.append(_no_longer_waived(finding, waiver))
    return tuple(diagnostics)


def _no_longer_waived(warning: Diagnostic, waiver: Waiver) -> Diagnostic:
    """A warning whose waiver has expired."""
    return warning._replace(
        notes=(*warning.notes, f"its waiver expired on {waiver.until}"),
        help=(
            *(text for text in warning.help if not text.startswith(TO_WAIVE)),
            f"if the reason still holds, extend the date of `accept {waiver.name}`",
        ),
    )


def _unwaived(hazard: ArisingHazard, waiver: Waiver | None, places: PolicyPlaces) -> Diagnostic:
    """A hazard without a valid waiver (E0401, W0401; W0402 if it would stop the build in scope)."""
    notes = [f"source: {hazard.citation.source}, {hazard.citation.at}", f"condition: {hazard.condition}"]
    code = "E0401" if hazard.stops else "W0401"
    if hazard.steps != IN_SCOPE:
        is_error = hazard.graded == "error"
        code = "W0402" if is_error else code
        notes.append(
            f"out of scope: its source does not cover this platform or use{', so it is only a warning' if is_error else ''}"
        )
    help_ = [hazard.help] if hazard.help else []
    if waiver is not None and waiver.until:
        notes.append(f"its waiver expired on {waiver.until}")
        help_.append(f"if the reason still holds, extend the date of `accept {hazard.hazard}`")
    else:
        help_.append(way_to_waive(hazard.hazard))
    at, *others = places.about(hazard) or (Label(places.whole, ""),)
    return Diagnostic(
        code,
        f"hazard `{hazard.hazard}`: {hazard.what}",
        at.span,
        at.text,
        tuple(others),
        tuple(notes),
        tuple(help_),
        hazard.hazard,
    )


def _unneeded(waiver: Waiver, at: Span) -> Diagnostic:
    """A waiver of what does not occur (W0403). Another policy, group or host may need one of a wider level."""
    what, why = "warnings", "the warnings do not occur in this plan"
    if waiver.kind == HAZARD:
        what, why = "hazard", "the hazard does not occur in this plan"
    elif waiver.kind == DIFFERENCE:
        what, why = "difference", f"this plan has no `{waiver.setting}`"
    way_out = f"drop the line, so that it cannot hide the {what} later"
    if waiver.inherited:
        way_out = "move the line to the policy, group or host that needs it; if none does, drop it"
    return Diagnostic(
        UNNEEDED,
        f"waiver for `{waiver.name}` has no effect: {why}",
        at,
        "no effect",
        help=(way_out,),
        subject=waiver.name,
    )


def _difference_is_back(waiver: Waiver, at: Span) -> Diagnostic:
    """A waiver of a difference that has expired (W0912): no plan shows the difference, so this does."""
    return Diagnostic(
        "W0912",
        f"waiver for `{waiver.name}` expired on {waiver.until}: `setpoint verify` counts the difference again",
        at,
        "expired",
        help=(
            "drop the line if servers are as planned by now",
            f"if the reason still holds, extend the date of `accept {waiver.name}`",
        ),
        subject=waiver.name,
    )


def _maybe_locked(decision: Decision, at: Span) -> Diagnostic:
    """A `set` of a value that cannot be written, since a profile may lock it (E0505)."""
    return Diagnostic(
        "E0505",
        f"`{decision.setting} {decision.value}` may be locked, so no artifact can set it",
        at,
        "requested here",
        notes=tuple(note.text for note in decision.notes if note.kind == "unknown"),
        help=(
            "state in the `preset` what the profile does to it: a value, or `free`",
            "or set the profile to one for which this is known",
        ),
    )
