"""Plan to service."""

from typing import Any

import setpoint.targets.cpuspeed as package
from setpoint.compiler.plan import Plan
from setpoint.targets._linux import nearest, reason, spelling
from setpoint.targets.cpuspeed.model import Service

SETTING = "cpuspeed-service"


def _data() -> dict[str, Any]:
    return spelling(next(iter(package.__path__)))


def has_cpuspeed(plan: Plan) -> bool:
    """Whether the plan's OS has the service."""
    return nearest(_data()["has"], plan.lineage("os")) or False


def lower(plan: Plan) -> Service | None:
    """The service of a plan that writes it."""
    decision = plan.setting(SETTING)
    if decision is None or not decision.written:
        return None
    return Service(policy=plan.policy, on=decision.value == "on", reason=reason(plan, decision))


def left_out(plan: Plan) -> dict[str, str]:
    """The other OS settings, and that a service is no place for them."""
    reasons = _data()["left-out"]
    others = [d.setting for d in plan.written if d.layer == "os" and d.setting != SETTING]
    return {name: reasons.get(name, reasons["other"]) for name in others}
