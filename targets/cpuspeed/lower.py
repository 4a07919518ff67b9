"""From the plan to the service: its state, and the plan that brings a server to it."""

import setpoint.targets.cpuspeed as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.plan.model import Plan
from setpoint.targets._host import columns, plan_text, program
from setpoint.targets._linux import reason
from setpoint.targets._shared.data import data, nearest
from setpoint.targets._shared.forms import Form, Lowered, Reason
from setpoint.targets._shared.identity import Identification, identification


class Service(Form):
    """On or off, both now and at the next start."""

    policy: str
    identification: Identification = Identification()
    on: bool
    reason: Reason


SETTING = "cpuspeed-service"


def unsupported_reason(plan: Plan) -> str:
    """Why the plan's OS has no such service, in a sentence; "" if it has."""
    if nearest(data(package)["has"], plan.lineage("os")):
        return ""
    os = plan.fact("os")
    if not os:
        return "the plan names no operating system"
    return f"cpuspeed is a service of Enterprise Linux 5 and 6, and the plan is for `{os}`"


def lower(plan: Plan) -> Lowered[Service]:
    """The service, if the plan writes it."""
    decision = plan.setting(SETTING)
    if decision is None or not decision.written:
        return Lowered(None, frozenset(), _left_out(plan))
    service = Service(
        policy=plan.policy,
        on=decision.value == "on",
        reason=reason(plan, decision),
        identification=identification(plan),
    )
    return Lowered(service, frozenset({SETTING}), _left_out(plan))


def _left_out(plan: Plan) -> dict[str, str]:
    """The other OS settings, which this service cannot set."""
    reasons = data(package)["left-out"]
    others = [d.setting for d in plan.written if d.layer == "os" and d.setting != SETTING]
    return {name: reasons.get(name, reasons["other"]) for name in others}


def artifacts(service: Service) -> tuple[Artifact, ...]:
    """The program for hosts, and its plan."""
    lines = columns([("service", SETTING, "cpuspeed", "on" if service.on else "off", service.reason)])
    plan = plan_text("cpuspeed", service.policy, "The cpuspeed service", service.identification, lines)
    return (program(), Artifact("cpuspeed/cpuspeed.plan", plan))
