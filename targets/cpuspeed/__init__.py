"""cpuspeed: the service that governs the frequency on Enterprise Linux 5 and 6, switched on or off.

It is a separate target, because Enterprise Linux 5 has the service and no tuned. It does not touch
/etc/sysconfig/cpuspeed: tuned sets the governor.

The script changes only what differs, and reads back what it changed: if the firmware controls the frequency, the
service starts silently and does nothing.
"""

from setpoint.targets._shared.target import PlanTarget, by_plan
from setpoint.targets.cpuspeed.lower import artifacts, lower, unsupported_reason

TARGET = PlanTarget(
    "cpuspeed",
    "cpuspeed service",
    ("os",),
    unsupported_reason,
    lower,
    artifacts,
    by_plan("cpuspeed/cpuspeed.plan", stand_ins=("`chkconfig` and `service`",)),
)
