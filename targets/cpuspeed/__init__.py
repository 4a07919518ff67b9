"""cpuspeed: the service that governs the frequency on Enterprise Linux 5 and 6, switched on or off.

It is a separate target, because Enterprise Linux 5 has the service and no tuned. It does not touch
/etc/sysconfig/cpuspeed: tuned sets the governor.

The script changes only what differs, and reads back what it changed: if the firmware controls the frequency, the
service starts silently and does nothing.
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
        """The script; none if the plan does not write the service."""
        return lower(plan).emission(lambda service: (artifact(service),))


TARGET = Cpuspeed()
