"""cpuspeed: the service that governs the frequency on Enterprise Linux 5 and 6, switched on or off.

It is a target of its own, and no part of tuned's, because Enterprise Linux 5 has the service and no
tuned. It does not touch /etc/sysconfig/cpuspeed: the governor is tuned's business.

The script changes only what differs, and reads back what it changed: where the firmware keeps the
frequency to itself the service starts without a word and does nothing.
"""

from setpoint.compiler.lowering.target import Emission
from setpoint.compiler.plan.model import Plan
from setpoint.targets.cpuspeed.emit import artifact
from setpoint.targets.cpuspeed.lower import lower, unsupported_reason


class Cpuspeed:
    """The target. See `setpoint.compiler.lowering.target.Target`."""

    name = "cpuspeed"
    title = "cpuspeed service"
    layers: tuple[str, ...] = ("os",)

    def unsupported_reason(self, plan: Plan) -> str:
        """Why the plan's OS has no such service; "" if it has."""
        return unsupported_reason(plan)

    def emit(self, plan: Plan) -> Emission:
        """The script; none where the plan does not write the service."""
        service, expressed, left_out = lower(plan)
        return Emission((artifact(service),) if service else (), expressed, left_out)


TARGET = Cpuspeed()
