"""Puppet: a module with one class, which brings the servers of a policy to their plans and keeps them there.

    Fleet --lower--> Module --emit--> puppet/setpoint_<policy>/

The module spells nothing by itself. It carries what other targets make of the plan: the script or the drop-in file of
kernel-args, the profile of tuned, the script of syscfg; and switches cpuspeed, which is a service like any other.

What shapes it:

* Puppet runs every half hour, so that what it asks must be cheap and what it does must settle. Each `exec` asks first:
  the boot loader's lines, not those of the running kernel, which are right only after a restart; the BIOS as it is set,
  not as it is in effect. A second run changes nothing, restart or no restart.
* A file that is right and a program that has not read it is the silent failure of `refreshonly`: if the program fails
  once, it is never called again. Here it is called until it has succeeded with the file as it is; a copy of what it has
  read tells.
* Scripts are carried as they are, in `files/`, never as templates: words that a user wrote are in their comments, and
  in a template they could be code. For the same reason they reach a catalog only as a name and a source.
* Two classes that set the same things would compete on a server. So the policy's plans for groups and hosts are data of one
  module, a file each, and the class picks one of them. It picks in Puppet's language, not by the levels of Hiera: levels
  mix key by key, which would give a host settings that no plan has, and cannot say that a host is in no group.
* Hiera has what a site may change: paths, ways, switches, and the options of the profile. Firmware settings and kernel
  arguments hang together, and are compiled as a whole: to change one, change the policy.
* A plan is for one system. On a release that it was not compiled for the class fails, and changes nothing.

Nothing here restarts a server. What waits for a restart is said once, by the run that brought it about, and by
`status.sh --restart` at any time.
"""

from setpoint.compiler.lowering.target import Artifact, Emission, Fleet, PlanCoverage, Variant
from setpoint.compiler.plan.model import Plan
from setpoint.targets.puppet.emit import artifacts
from setpoint.targets.puppet.lower import lower, lower_fleet, unsupported_reason


class Puppet:
    """The target. See `setpoint.compiler.lowering.target.FleetTarget`."""

    name = "puppet"
    title = "A Puppet module"
    layers: tuple[str, ...] = ("firmware", "boot", "os")

    def unsupported_reason(self, plan: Plan) -> str:
        """Why there is no module for the plan's operating system; "" if there is."""
        return unsupported_reason(plan)

    def emit(self, plan: Plan) -> Emission:
        """The module; none where the plan has nothing for Puppet to do."""
        _, expressed, left_out = lower(plan)
        return Emission(self.emit_fleet(Fleet(plan.policy, (Variant(plan),))), expressed, left_out)

    def coverage(self, plan: Plan) -> PlanCoverage:
        """What the module sets of a plan."""
        return lower(plan).coverage

    def emit_fleet(self, fleet: Fleet) -> tuple[Artifact, ...]:
        """The module for all plans of a policy."""
        module = lower_fleet(fleet)
        return artifacts(module) if module else ()


TARGET = Puppet()
