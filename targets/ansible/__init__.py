"""Ansible: a role that sets, reads back and asserts, and the playbooks that call it.

    Fleet --other targets' emissions, by name--> Role --emit--> ansible/roles/setpoint_<policy>/

The role carries what other targets spell: the attributes of `redfish`, the scripts of `syscfg`, `kernel-args` and
`cpuspeed`, the profile of `tuned`, the files of `systemd`. It adds what a fleet needs: the difference shown in check mode, a tag for each layer,
reading back, and a restart only where it is told to.

The BIOS is set through `ansible.builtin.uri`, not through a vendor's module. Those modules were tried, and report success
for what did not happen: community.general.redfish_config (11.4.2) drops attributes that the server does not have, with a
warning; dellemc.openmanage.idrac_bios (9.12.3) drops values that it holds for invalid, without one. Both compare with the
values in effect only, so that each run before the restart stages everything again: the first is refused, since a job
waits, and the second deletes that job. The first has no check mode, the second shows no difference in it, and knows only
the job queue of newer iDRACs. The role sends the requests itself, and believes nothing but what it reads afterwards.

Ansible runs its modules with the host's Python, and Enterprise Linux 5 and 6 have none that is new enough (`hosts.toml`).
There the role uses `raw` and `script` alone, which need a shell only.

What a user wrote is in comments and in the README, and nowhere else: no such text is ever a value, so none can be Jinja.
"""

from collections.abc import Iterator

from setpoint.compiler.lowering.target import (
    Artifact,
    Emission,
    Fleet,
    Hosts,
    Listing,
    PlanCoverage,
    Variant,
)
from setpoint.compiler.plan.model import Plan
from setpoint.targets.ansible.emit import artifacts
from setpoint.targets.ansible.hosts import listings
from setpoint.targets.ansible.lower import lower, role_of, unsupported_reason


class Ansible:
    """The target. See `setpoint.compiler.lowering.target.FleetTarget`."""

    name = "ansible"
    title = "Ansible role"
    layers: tuple[str, ...] = ("firmware", "boot", "os")

    def unsupported_reason(self, plan: Plan) -> str:
        """Why no layer of the plan can be set through Ansible; "" if one can."""
        return unsupported_reason(plan)

    def emit(self, plan: Plan) -> Emission:
        """The role and two playbooks; nothing where the plan sets nothing that a role could carry."""
        _, expressed, left_out = lower(plan)
        return Emission(self.emit_fleet(Fleet(plan.policy, (Variant(plan),))), expressed, left_out)

    def coverage(self, plan: Plan) -> PlanCoverage:
        """What the role sets of a plan."""
        return lower(plan).coverage

    def emit_fleet(self, fleet: Fleet) -> tuple[Artifact, ...]:
        """One role for all plans of a policy: a server has the one of its group, or its own."""
        role = role_of(fleet)
        return artifacts(role) if role else ()

    def list_hosts(self, fleet: Fleet, hosts: Hosts) -> Iterator[Listing]:
        """An inventory with the hosts of each plan."""
        return listings(fleet, hosts)


TARGET = Ansible()
