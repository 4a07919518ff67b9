"""Puppet: a module with one class, which applies a policy to its servers and keeps it in force.

    Fleet --lower--> Module --emit--> puppet/setpoint_<policy>/

The module contains no spellings, and compares nothing itself. It has the program for hosts and the plans of other
targets (kernel-args, tuned, systemd, cpuspeed, racadm, syscfg).

These considerations determine its form:

* Each part is an `exec` of the program, not a `file` with a `refreshonly` exec. The program saves what it finds, reads
  back what it changes, and can complete or undo a run that was killed. The price is that a dry run names the part that
  would change, and not what would change in it; `setpoint-host try` does.
* Puppet runs every half hour, so checks must be cheap and runs must converge. Each exec asks the program first: for the
  boot loader's entries, not the running kernel, which is right only after a restart; for the BIOS as it is set, not as
  it is in effect. A second run changes nothing, whether the server was restarted or not.
* The report of a server is the program's, too: the class writes a plan of parts, which names the plans beside it and
  every setting with its part. A setting that no managed part has is in the report as not compared. See decision 0091.
* `ensure => absent` restores what was there before the first change by Setpoint. It does not stop at the previous plan:
  a plan is a version of this module, so a site returns to one by installing it, and the result does not depend on how
  many runs there were. See decision 0019.
* The program and its plans are those of the bundle, which a moved module needs in `files/`. They are not templates:
  their comments contain text that a user wrote, which could be code in a template. For the same reason only their names
  and sources are in its catalogs.
* Two classes that set the same things would compete on a server. So the policy's plans for groups and hosts are data of
  one module, a file each, and the class selects one of them. It does so in Puppet's language, not by the levels of
  Hiera: these merge key by key, which would give a host settings that no plan has, and cannot report that a host is in
  no group.
* Settings are not parameters. They depend on each other and are compiled as a whole, the program compares the server
  with the compiled values, and an override in Hiera would be reported as drift. To change one, change the policy.
* A plan is for one system. On a release that it was not compiled for, the class fails and changes nothing.

Nothing here restarts a server. The run that causes a pending restart warns of it, and `status.sh --restart` reports it
at any time.
"""

from setpoint.targets._shared.target import ListedFleetTarget
from setpoint.targets.puppet.emit import artifacts, procedure
from setpoint.targets.puppet.hosts import listings
from setpoint.targets.puppet.lower import lower, lower_fleet, unsupported_reason

TARGET = ListedFleetTarget(
    "puppet",
    "A Puppet module",
    ("firmware", "boot", "os"),
    unsupported_reason,
    lower,
    lower_fleet,
    artifacts,
    listings,
    procedure,
)
