"""scp: Server Configuration Profiles, which an iDRAC imports: XML, JSON, and the bodies of the Redfish actions.

    Plan --lower--> ServerProfiles --emit--> settings.xml, preview.json, import.json, README.md

A profile has one component, the BIOS, with the attributes that the plan writes, and nothing else. The iDRAC compares it
with the server and sets what differs. It resolves what depends on what within one profile, so a system profile and its
members go together, in any order. What a named profile fixes is not in it; and where some attribute must be in effect
before the profile that locks it, that is a profile of its own, to be imported first.

The root has no model, service tag or time: an export has them to say where it is from, an import needs none. So a
profile cannot check its server, and `README.md` says what to compare.

From Dell, "Server Configuration Profiles: Reference Guide" (2020): the structure (2.1 to 2.3), what a shutdown type
does (4.2), that the host is switched on at the end (4.3), and dependencies (4.4). From Dell's scripts
(dell/iDRAC-Redfish-Scripting @ e7ba763, ImportSystemConfigurationLocalREDFISH.py): an import without attributes of the
root, and its body. From the captured servers (Manager.json of R720, R630, R740 and R750): the actions, their targets
and their shutdown types.
"""

from setpoint.targets._shared.target import PlanTarget
from setpoint.targets.scp.emit import artifacts, procedure
from setpoint.targets.scp.lower import lower, unsupported_reason

TARGET = PlanTarget(
    "scp",
    "Server Configuration Profiles for an iDRAC",
    ("firmware",),
    unsupported_reason,
    lower,
    artifacts,
    procedure,
)
