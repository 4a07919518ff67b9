"""cpuspeed: the service that governs the frequency on Enterprise Linux 5 and 6, switched on or off.

It is a target of its own, and no part of tuned's, because Enterprise Linux 5 has the service and no
tuned. It does not touch /etc/sysconfig/cpuspeed: the governor is tuned's business.

The script changes only what differs, and reads back what it changed: where the firmware keeps the
frequency to itself the service starts without a word and does nothing.
"""

from setpoint.compiler.plan import Plan
from setpoint.compiler.target import Artifact, Emission
from setpoint.targets._linux import render
from setpoint.targets.cpuspeed.lower import has_cpuspeed, left_out, lower


class Cpuspeed:
    """The target `cpuspeed`."""

    name = "cpuspeed"
    title = "cpuspeed service"
    layers: tuple[str, ...] = ("os",)

    def lacks(self, plan: Plan) -> str:
        if has_cpuspeed(plan):
            return ""
        os = plan.fact("os")
        if not os:
            return "the plan names no operating system"
        return f"cpuspeed is a service of Enterprise Linux 5 and 6, and the plan is for `{os}`"

    def emit(self, plan: Plan) -> Emission:
        model = lower(plan)
        if model is None:
            return Emission((), frozenset(), left_out(plan))
        text = render(next(iter(__path__)), "cpuspeed.sh.j2", m=model)
        script = Artifact("cpuspeed/cpuspeed.sh", text, 0o755)
        return Emission((script,), frozenset({"cpuspeed-service"}), left_out(plan))


TARGET = Cpuspeed()
