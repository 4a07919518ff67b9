"""systemd: the OS layer for servers without tuned, as files that the system itself reads at each start.

    Plan --lower--> SystemFiles --emit--> systemd/

A policy states `tuned unused` for such servers. Each kind of value has its own idiom, and its own reader:

* sysctls are in a file of sysctl.d, which systemd-sysctl reads at boot;
* attributes of block devices are in a udev rule, since disks come and go, and each gets its values when it comes; so
  are parameters of network cards, for which the rule calls ethtool (decision 0041);
* other files of /sys (governor, huge pages, limits of idle states) are written by a program that a unit starts. The
  unit is a oneshot that remains active: stopping it puts back what the program found. tmpfiles.d could write them too,
  but neither puts back a value, nor chooses the first governor that a driver offers;
* options of systemd and of its services and slices are drop-ins. A partition of cpusets is a slice with CPUs of its
  own, whose control group the program makes isolated.

A limit of idle states is written to a file of each CPU. tuned keeps /dev/cpu_dma_latency open for that, which needs a
process.

The program for hosts puts the files in their places, has their readers read them, and compares live values afterwards.
It refuses to work beside an active profile of tuned: two owners of one value is one too many.

None of the texts of a policy reaches these files but in comments, each of one line that ends in a bracket; names and
values are words in which neither `%` of systemd nor `$` of udev can be (`model.py`).
"""

from setpoint.targets._shared.target import PlanTarget, by_plan
from setpoint.targets.systemd.emit import artifacts
from setpoint.targets.systemd.lower import lower, unsupported_reason

TARGET = PlanTarget(
    "systemd",
    "Files for sysctl.d, udev and systemd",
    ("os",),
    unsupported_reason,
    lower,
    artifacts,
    by_plan("systemd/systemd.plan"),
)
