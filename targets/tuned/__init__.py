"""tuned: the OS layer as a profile of its own.

The profile includes none of those that tuned ships, though their values are where many of its own
come from. An include would bring values that nobody decided here (TCP options, watchdogs, free
memory), and they change with the package: between 2.20 and 2.28 network-latency gained a watchdog
setting and boot arguments, and latency-performance took another way to limit dirty pages. A plan
that is compiled once and reviewed must not change when a package is updated. So the profile states
each value, with its reason, and what the plan does not decide it does not touch.

A site may run a shipped profile all the same, and have that supported by its vendor. A policy that sets `base-profile`
builds on it: the include is in the reviewed text, the plan says which of its values it changes, and only those are
lines of its own. Where the shipped profile limits something under another name (dirty pages in bytes and in percent, in
two sections), that option is dropped, since which of two lines is applied last depends on their order.

Two lines may be there that the plan did not ask for, since a section is not neutral where tuned's dynamic
tuning is on, as in Debian. With a [cpu] section tuned then asks the kernel for 100 or 1000 µs depending on
the load, and 100 keeps a Skylake out of C6 (133 µs): a plan in which idle states have no limit has to say
`force_latency=none`. With a [disk] section it puts idle disks to sleep: `dynamic=0` keeps it from that.

Network cards are set by a script of the profile. tuned's own section for them refuses to set delays of interrupts if
ethtool prints a line that it does not know, as ethtool has since 5.15 (decision 0041).

Boot arguments are not in it: target kernel-args has them. Enterprise Linux 6 has tuned 0.2, whose
profiles are scripts and sysctl files: layout `ktune`. Enterprise Linux 5 has no tuned.

Which CPUs are siblings is known on the server only, and tuned has no word for the placement of jobs:
`smt-placement` is left out, with how to do it by hand.
"""

from setpoint.targets._shared.target import PlanTarget
from setpoint.targets._tuned.lower import lower, unsupported_reason
from setpoint.targets.tuned.emit import artifacts, procedure

TARGET = PlanTarget("tuned", "tuned profile", ("os",), unsupported_reason, lower, artifacts, procedure)
