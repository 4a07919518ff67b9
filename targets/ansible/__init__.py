"""Ansible: a role that sets, reads back and asserts, and the playbooks that call it.

    Fleet --other targets' emissions, by name--> Role --emit--> ansible/roles/setpoint_<policy>/

The role carries what other targets spell: the attributes of `redfish`, and the plans of `syscfg`, `kernel-args`,
`cpuspeed`, `tuned` and `systemd` for the program for hosts. It adds what a fleet needs: the difference shown in check
mode, a tag for each layer, reading back, and a restart only where it is told to.

The BIOS is set by a module that the role carries (`_client`), not by a vendor's. Those modules were tried, and report
success for what did not happen: community.general.redfish_config (11.4.2) drops attributes that the server does not
have, with a warning; dellemc.openmanage.idrac_bios (9.12.3) drops values that it holds for invalid, without one. Both
compare with the values in effect only, so that each run before the restart stages everything again: the first is
refused, since a job waits, and the second deletes that job. The first has no check mode, the second shows no difference
in it, and knows only the job queue of newer iDRACs. That module sends the requests itself, and believes nothing but
what it reads afterwards.

Ansible runs its modules with the host's Python, and Enterprise Linux 5 and 6 have none that is new enough
(`hosts.toml`). There the role uses `raw` and `script` alone, which need a shell only.

What a user wrote is in comments and in the README, and nowhere else: no such text is ever a value, so none can be
Jinja.
"""

from setpoint.targets._shared.target import ListedFleetTarget
from setpoint.targets.ansible.emit import artifacts, procedure
from setpoint.targets.ansible.hosts import listings
from setpoint.targets.ansible.lower import lower, role_of, unsupported_reason

TARGET = ListedFleetTarget(
    "ansible",
    "Ansible role",
    ("firmware", "boot", "os"),
    unsupported_reason,
    lower,
    role_of,
    artifacts,
    listings,
    procedure,
)
