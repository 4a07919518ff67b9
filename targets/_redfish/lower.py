"""From a plan to Redfish requests."""

from typing import Literal, cast

import setpoint.targets._redfish as package
from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.lowering.target import one_line
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.render.words import reason_of
from setpoint.targets._bios.attributes import (
    FIRST,
    THEN,
    AttributeLine,
    WriteCondition,
    has_attributes,
    spell,
)
from setpoint.targets._redfish.model import (
    Apply,
    ApplyTime,
    ApplyWay,
    AttributeReason,
    Body,
    Expected,
    First,
    Identify,
    Job,
    Need,
    Reasons,
    Request,
    Update,
)
from setpoint.targets._shared.data import data
from setpoint.targets._shared.forms import Lowered
from setpoint.targets._shared.identity import identification

SYSTEM = "/redfish/v1/Systems/System.Embedded.1"
BIOS = f"{SYSTEM}/Bios"
SETTINGS = f"{BIOS}/Settings"
CLEAR_PENDING = f"{SETTINGS}/Actions/Oem/DellManager.ClearPending"


def unsupported_reason(plan: Plan) -> str:
    """Why there is no Redfish service, in a sentence; "" if there is one."""
    platform = plan.lineage("platform")
    if not platform:
        return "the policy states no platform, and Redfish attributes differ between generations"
    for name in platform:
        if reason := _services().get(name, {}).get("unsupported"):
            return reason
    if not has_attributes(plan):
        return f"the BIOS attributes of {platform[0]} are not known"
    return "" if _service(plan) else f"the Redfish service of {platform[0]} is not known"


def lower(plan: Plan) -> Lowered[Update]:
    """The requests that apply the plan to a server. Needs a plan without an `unsupported_reason`."""
    spelling = spell(plan)
    first, then = spelling.at(FIRST), spelling.at(THEN)
    if not first and not then:
        return Lowered(None, spelling.expressed, spelling.left_out)
    service = _service(plan)
    seen = service.get("on-reset", "")
    update = Update(
        first=Body(attributes=_opens(first) | _attributes(first)) if first else None,
        settings=Body(attributes=_attributes(then)),
        on_reset=Body(attributes=_attributes(then), apply_time=ApplyTime()) if seen else None,
        job=Job(target=SETTINGS),
        expected=Body(attributes=_attributes(spelling.lines)),
        apply=Apply(
            service=service["service"],
            identify=Identify(uri=SYSTEM, expects=_expects(plan)),
            first=_first(first, service["jobs"]) if first else None,
            ways=_ways(seen, service["jobs"]),
            verify=Request(method="GET", uri=BIOS, file="expected.json"),
            cancel=Request(method="POST", uri=CLEAR_PENDING),
            writable={
                line.attribute: tuple(map(_need, line.conditions))
                for line in spelling.lines
                if line.conditions
            },
            along={line.attribute: line.set_by for line in spelling.lines if line.set_by},
            assumed=spelling.assumed,
        ),
        reasons=_reasons(plan, spelling.lines),
    )
    return Lowered(update, spelling.expressed, spelling.left_out)


def _expects(plan: Plan) -> tuple[Expected, ...]:
    """The properties of the system to compare, as far as the plan has an identity."""
    expects = []
    for check in identification(plan).checks:
        since = f"the policy {check.verb} {check.fact} {check.value}"
        if check.kind == "product":
            expects.append(Expected(property="Model", accepts=check.names, since=since))
        elif check.kind == "sockets":
            counts = tuple(int(name) for name in check.names)
            expects.append(Expected(property="ProcessorSummary.Count", accepts=counts, since=since))
    return tuple(expects)


def _attributes(lines: tuple[AttributeLine, ...]) -> dict[str, TypedValue]:
    return {line.attribute: line.value for line in lines}


def _opens(lines: tuple[AttributeLine, ...]) -> dict[str, TypedValue]:
    return {name: value for line in lines for name, value in line.opened_by.items()}


def _need(condition: WriteCondition) -> Need:
    if condition.equal:
        return Need(attribute=condition.attribute, be=condition.value)
    return Need(attribute=condition.attribute, be_not=condition.value)


def _staged(file: str, jobs: str) -> tuple[Request, ...]:
    return (
        Request(method="PATCH", uri=SETTINGS, file=file),
        Request(method="POST", uri=jobs, file="job.json"),
    )


def _first(lines: tuple[AttributeLine, ...], jobs: str) -> First:
    names = tuple(line.attribute for line in lines)
    need = f"only where {' or '.join(names)} differs: it must be right, after a restart, before the rest is staged"
    if sure := [line for line in lines if line.set_by]:
        need += f"; {' and '.join(line.attribute for line in sure)} not where "
        need += " and ".join(sorted({name for line in sure for name in line.set_by})) + " is right already"
    return First(
        needs=need,
        differs=names,
        opens={line.attribute: line.opened_by for line in lines if line.opened_by},
        requests=_staged("settings-first.json", jobs),
    )


def _ways(seen: str, jobs: str) -> tuple[ApplyWay, ...]:
    job = ApplyWay(name="job", needs="", requests=_staged("settings.json", jobs))
    if not seen:
        return (job,)
    need = f"a service that lists OnReset in SupportedApplyTimes of Bios (seen at {seen})"
    request = Request(method="PATCH", uri=SETTINGS, file="settings-on-reset.json")
    return (ApplyWay(name="on-reset", needs=need, requests=(request,)), job)


def _reasons(plan: Plan, lines: tuple[AttributeLine, ...]) -> Reasons:
    reasons = {}
    for line in lines:
        decision = plan.setting(line.setting)
        because = reason_of(decision.because[0]) if decision else ""
        reasons[line.attribute] = AttributeReason(
            setting=line.setting,
            value=plan.value(line.setting),
            role=cast(Literal["ahead", "write", "fixed"], line.role),
            step=cast(Literal["first", "then", "along"], line.step),
            cause=line.cause,
            because=one_line(because),
            racadm=line.racadm or None,
        )
    return Reasons(policy=plan.policy, attributes=reasons)


def _service(plan: Plan) -> dict[str, str]:
    """What the platform's service offers; empty if it is not known."""
    services = _services()
    return next((services[name] for name in plan.lineage("platform") if name in services), {})


def _services() -> dict[str, dict[str, str]]:
    return data(package, "services.toml")
