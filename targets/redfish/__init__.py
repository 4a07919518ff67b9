"""Redfish: the BIOS settings as requests to the controller of a server.

    Plan --lower--> Update --emit--> JSON files

A BIOS applies its settings at a restart. Redfish therefore *stages* them, by a PATCH of the settings resource. Some
services also need a job that applies them at the next start. If such a service lists the apply time `OnReset`, the
PATCH can request the job itself; otherwise the operator posts one. Doing both is an error, so the two ways have
separate bodies, and `apply.json` lists their requirements. Which ways a service has, and where, is in the plan.

The firmware judges a PATCH by its result: members of a system profile are accepted together with
`SysProfile: Custom`, and refused with any other profile. So the body carries a profile and its members only as the
plan writes them, and the members that a named profile fixes appear in the expected end state alone.

Nothing here restarts a server, and no address, user or password is in any file.
"""

from setpoint.targets._redfish.lower import lower, unsupported_reason
from setpoint.targets._shared.target import PlanTarget
from setpoint.targets.redfish.emit import artifacts, procedure

TARGET = PlanTarget(
    "redfish",
    "Redfish requests for the BIOS",
    ("firmware",),
    unsupported_reason,
    lower,
    artifacts,
    procedure,
)
