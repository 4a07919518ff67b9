"""From a plan to Redfish requests."""

from functools import lru_cache
from typing import Literal, cast

from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.knowledge.redfish import BIOS, CLEAR, JOB, JOBS, ON_RESET, SETTINGS, SYSTEM, TARGET
from setpoint.compiler.lowering.target import OF_A_PLAN, one_line
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.plan.server import RedfishService
from setpoint.compiler.render.words import reason_of
from setpoint.targets._bios.attributes import has_attributes, spell
from setpoint.targets._bios.forms import ALONG, FIRST, THEN, AttributeLine, WriteCondition
from setpoint.targets._redfish.model import (
    Apply,
    ApplyTime,
    ApplyWay,
    Body,
    EndState,
    Expected,
    ExpectedAttribute,
    First,
    Identify,
    Members,
    Need,
    Property,
    Request,
    Update,
    Writable,
)
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import Kind, identification

PROPERTIES: dict[Kind, Property] = {
    "product": "Model",
    "processor": "ProcessorId",
    "sockets": "ProcessorSummary.Count",
}
"""What a service shows of a server, by the kind of report."""


def unsupported_reason(plan: Plan) -> str:
    """Why there is no Redfish service, in a sentence; "" if there is one."""
    platform = plan.lineage("platform")
    if not platform:
        return "the policy states no platform, and Redfish attributes differ between generations"
    if plan.service is not None and plan.service.because:
        return plan.service.because
    if not has_attributes(plan):
        return f"the BIOS attributes of {platform[0]} are not known; `setpoint kb import` reads those of a server from its registry"
    if plan.service is None:
        return f"the Redfish service of {platform[0]} is not known"
    if plan.service.seen(JOB) is not None and not _target(plan.service):
        return f"how the Redfish service of {platform[0]} is asked for a job is not known"
    return ""


@lru_cache(maxsize=OF_A_PLAN)
def lower(plan: Plan) -> Lowered[Update]:
    """The requests that apply the plan to a server. Needs a plan without an `unsupported_reason`. They are kept for who
    carries them."""
    spelling = spell(plan)
    first, then = spelling.at(FIRST), spelling.at(THEN)
    if all(line.step == ALONG for line in spelling.lines):
        return Lowered(None, spelling.expressed, spelling.left_out)
    service = plan.service
    assert service is not None
    ways = service.ways if first or then else ()
    update = Update(
        first=Body(attributes=_opens(first) | _attributes(first)) if first else None,
        settings=Body(attributes=_attributes(then)) if ways else None,
        job={_target(service): service.address(SETTINGS)} if JOB in dict(ways) else None,
        expected=_end_state(plan, spelling.lines),
        apply=Apply(
            service=service.title,
            firmware=plan.registry.firmware if plan.registry else None,
            identify=Identify(uri=service.address(SYSTEM), expects=_expects(plan)),
            first=_first(first, service) if first else None,
            ways=tuple(_way(way, seen, service) for way, seen in ways),
            verify=Request(method="GET", uri=service.address(BIOS), file="expected.json"),
            cancel=Request(method="POST", uri=clear) if (clear := service.address(CLEAR)) else None,
            reported=dict(service.reported) or None,
            writable=_writable(spelling.lines),
            along={line.attribute: line.set_by for line in spelling.lines if line.set_by},
            assumed=spelling.assumed,
        ),
        in_place=service.address(SETTINGS) == service.address(BIOS),
    )
    return Lowered(update, spelling.expressed, spelling.left_out)


def _target(service: RedfishService) -> str:
    """The property of a request for a job that has the address of the settings; "" if it is not known."""
    return next((word for word, meaning in service.reported if meaning == TARGET), "")


def _expects(plan: Plan) -> tuple[Expected, ...]:
    """The properties to compare, as far as the plan has an identity."""
    expects = []
    for check in identification(plan, firmware=True).checks:
        if check.kind not in PROPERTIES:
            continue
        expects.append(
            Expected(
                property=PROPERTIES[check.kind],
                accepts=tuple(map(int, check.names)) if check.kind == "sockets" else check.names,
                verb=check.verb,
                fact=check.fact,
                value=check.value,
            )
        )
    return tuple(expects)


def _attributes(lines: tuple[AttributeLine, ...]) -> dict[str, TypedValue]:
    return {line.attribute: line.value for line in lines}


def _opens(lines: tuple[AttributeLine, ...]) -> dict[str, TypedValue]:
    return {name: value for line in lines for name, value in line.opened_by.items()}


def _writable(lines: tuple[AttributeLine, ...]) -> tuple[Writable, ...]:
    """A record for each condition, with the attributes that it is for."""
    by_condition: dict[tuple[type, WriteCondition], list[str]] = {}  # with the type, as True is equal to 1
    for line in lines:
        for condition in line.conditions:
            by_condition.setdefault((type(condition.value), condition), []).append(line.attribute)
    return tuple(
        Writable(needs=_need(condition), attributes=tuple(names))
        for (_, condition), names in by_condition.items()
    )


def _need(condition: WriteCondition) -> Need:
    if condition.equal:
        return Need(attribute=condition.attribute, be=condition.value)
    return Need(attribute=condition.attribute, be_not=condition.value)


def _staged(file: str, service: RedfishService) -> tuple[Request, ...]:
    """The requests that stage a body, and have it applied at the next restart."""
    stage = Request(method="PATCH", uri=service.address(SETTINGS), file=file)
    if service.seen(JOB) is None:
        return (stage,)
    return (stage, Request(method="POST", uri=service.address(JOBS), file="job.json"))


def _first(lines: tuple[AttributeLine, ...], service: RedfishService) -> First:
    names = tuple(line.attribute for line in lines)
    need = f"only where {' or '.join(names)} differs: it must be right, after a restart, before the rest is staged"
    if sure := [line for line in lines if line.set_by]:
        need += f"; {' and '.join(line.attribute for line in sure)} not where "
        need += " and ".join(sorted({name for line in sure for name in line.set_by})) + " is right already"
    return First(
        needs=need,
        differs=names,
        opens={line.attribute: line.opened_by for line in lines if line.opened_by},
        requests=_staged("settings-first.json", service),
    )


def _way(way: str, seen: str, service: RedfishService) -> ApplyWay:
    if way == ON_RESET:
        need = "a service that lists OnReset in SupportedApplyTimes of Bios"
        need += f" (seen at {seen})" if seen else ""
        added = Members(apply_time=ApplyTime())
        request = Request(method="PATCH", uri=service.address(SETTINGS), file="settings.json", adds=added)
        return ApplyWay(name="on-reset", needs=need, requests=(request,))
    return ApplyWay(
        name=cast(Literal["job", "restart"], way), needs="", requests=_staged("settings.json", service)
    )


def _end_state(plan: Plan, lines: tuple[AttributeLine, ...]) -> EndState:
    attributes = {}
    for line in lines:
        decision = plan.setting(line.setting)
        because = reason_of(decision.because[0]) if decision else ""
        attributes[line.attribute] = ExpectedAttribute(
            wanted=line.value,
            setting=line.setting,
            value=plan.value(line.setting),
            role=cast(Literal["ahead", "write", "fixed"], line.role),
            step=cast(Literal["first", "then", "along"], line.step),
            cause=line.cause,
            because=one_line(because),
            racadm=line.racadm or None,
        )
    return EndState(policy=plan.policy, attributes=attributes)
