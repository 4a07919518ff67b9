"""What a capture reads: the list of places, made from the knowledge base.

Knowledge says where settings are written (spellings) and seen (observations). Every capture also has what says which
server this is, how it was and will be started, and who else may have written a setting: settings without a place of
their own are judged by that, and a later release may know what it means.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from setpoint.compiler.knowledge.model import Knowledge, Spelling

IDENTITY = (
    "/etc/os-release",
    "/proc/cpuinfo",
    "/sys/class/dmi/id/bios_date",
    "/sys/class/dmi/id/bios_release",
    "/sys/class/dmi/id/bios_vendor",
    "/sys/class/dmi/id/bios_version",
    "/sys/class/dmi/id/board_name",
    "/sys/class/dmi/id/board_vendor",
    "/sys/class/dmi/id/board_version",
    "/sys/class/dmi/id/product_family",
    "/sys/class/dmi/id/product_name",
    "/sys/class/dmi/id/product_sku",
    "/sys/class/dmi/id/product_uuid",
    "/sys/class/dmi/id/product_version",
    "/sys/class/dmi/id/sys_vendor",
    "run systemd-detect-virt",
    "run uname -m",
    "run uname -r",
)
"""Which server, processor and system this is."""

STARTED = (
    "/boot/grub/grub.cfg",
    "/boot/grub/grubenv",
    "/boot/grub2/grub.cfg",
    "/boot/grub2/grubenv",
    "/boot/loader/entries/*.conf",
    "/etc/default/grub",
    "/etc/kernel/cmdline",
    "/proc/cmdline",
    "/sys/kernel/security/lockdown",
    "run grubby --info=DEFAULT",
)
"""How the system was started, and how it will be the next time."""

OWNERS = (
    "/etc/sysctl.conf",
    "/etc/sysctl.d/*.conf",
    "/etc/systemd/system.conf",
    "/etc/systemd/system.conf.d/*.conf",
    "/etc/tuned/*/tuned.conf",
    "/etc/tuned/active_profile",
    "/etc/tuned/profile_mode",
    "/etc/tuned/profiles/*/tuned.conf",
    "/proc/1/status",
    "/run/sysctl.d/*.conf",
    "/usr/lib/sysctl.d/*.conf",
    "/usr/local/lib/sysctl.d/*.conf",
    "run tuned --version",
)
"""Who may have written a setting."""

COUNTED = (
    "/proc/meminfo",
    "/sys/bus/pci/devices/*/link/l1_aspm",
    "/sys/devices/system/cpu/cpu*/cache/index*/level",
    "/sys/devices/system/cpu/cpu*/cache/index*/shared_cpu_list",
    "/sys/devices/system/cpu/cpu*/cpufreq/base_frequency",
    "/sys/devices/system/cpu/cpu*/cpufreq/cpuinfo_max_freq",
    "/sys/devices/system/cpu/cpu*/cpufreq/cpuinfo_min_freq",
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_available_governors",
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_driver",
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_max_freq",
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_min_freq",
    "/sys/devices/system/cpu/cpu*/cpuidle/state*/disable",
    "/sys/devices/system/cpu/cpu*/cpuidle/state*/latency",
    "/sys/devices/system/cpu/cpu*/cpuidle/state*/name",
    "/sys/devices/system/cpu/cpu*/microcode/version",
    "/sys/devices/system/cpu/cpu*/topology/core_id",
    "/sys/devices/system/cpu/cpu*/topology/die_id",
    "/sys/devices/system/cpu/cpu*/topology/physical_package_id",
    "/sys/devices/system/cpu/cpu*/topology/thread_siblings_list",
    "/sys/devices/system/cpu/cpufreq/boost",
    "/sys/devices/system/cpu/cpuidle/current_driver",
    "/sys/devices/system/cpu/cpuidle/current_governor",
    "/sys/devices/system/cpu/cpuidle/current_governor_ro",
    "/sys/devices/system/cpu/intel_uncore_frequency/*/initial_max_freq_khz",
    "/sys/devices/system/cpu/intel_uncore_frequency/*/initial_min_freq_khz",
    "/sys/devices/system/cpu/isolated",
    "/sys/devices/system/cpu/nohz_full",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/devices/system/cpu/present",
    "/sys/devices/system/cpu/smt/active",
    "/sys/devices/system/cpu/smt/control",
    "/sys/devices/system/cpu/vulnerabilities/*",
    "/sys/devices/system/node/has_cpu",
    "/sys/devices/system/node/has_memory",
    "/sys/devices/system/node/node*/cpulist",
    "/sys/devices/system/node/node*/distance",
    "/sys/devices/system/node/online",
    "/sys/kernel/iommu_groups/*/type",
    "list /sys/class/iommu",
    "run dmidecode -t 4",
    "run dmidecode -t 17",
)
"""CPUs, nodes, idle states and links: what numbers such as nodes for each package are counted from."""

DERIVED = "derived "
"""The beginning of a place that is counted from COUNTED."""

LIMIT = re.compile("(Default)?Limit")
"""How options of systemd begin that are two numbers, of which `systemctl show` has each under a name of its own."""

CARDS = {"channels": "-l", "coalesce": "-c", "ring": "-g"}
"""The options of ethtool that print what a name of that interface begins with."""


def wanted(knowledge: Knowledge) -> tuple[str, ...]:
    """All places that a capture reads, sorted; in patterns, a star stands for what differs."""
    spelled = (spelling for spellings in knowledge.spellings.values() for spelling in spellings)
    observed = chain.from_iterable(knowledge.observations.values())
    places = {
        *(*IDENTITY, *STARTED, *OWNERS, *COUNTED),
        *(place for spelling in spelled for place in spelling_places(spelling)),
        *(
            place
            for observation in observed
            for place in (observation.place, *(guard.place for guard in observation.guards))
        ),
    }
    return tuple(sorted(place for place in places if not place.startswith(DERIVED)))


def spelling_places(spelling: Spelling) -> Iterator[str]:
    """Where a system shows what a spelling has set: its own files, and those that knowledge compares."""
    yield from (shown.file for shown in spelling.shown)
    yield from interface_places(spelling.interface, spelling.names)


def interface_places(interface: str, names: Iterable[str]) -> Iterator[str]:
    """The places where names of an interface are read; none for those of firmware."""
    for name in names:
        match interface:
            case "sysctl":
                yield f"/proc/sys/{name.replace('.', '/')}"
            case "sysfs":
                yield name
            case "unit":
                yield f"run systemctl show -p LoadState -p ActiveState -p UnitFileState {name}"
            case "drop-in":
                unit, _, option = name.split()
                option = option.partition("=")[0]
                both = f"{option} -p {option}Soft" if LIMIT.match(option) else option
                prefix = f"run systemctl show -p {both}"
                yield prefix if unit.endswith(".conf") else f"{prefix} {unit}"
            case "ethtool":
                yield f"run ethtool {CARDS[name.partition(' ')[0]]} *"
