"""Reads captures that are cut short or spoiled, and compares them with a policy: `verify`, and `plan --against`."""

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from fuzz import corpus, spoil
from fuzz.property import command

POLICY = "goal latency; platform r750; os rhel 9.4;\n"

CPU = "/sys/devices/system/cpu"
BIOS = "/redfish/v1/Systems/1/Bios"

CAPTURE: dict[str, Any] = {
    "schema": "setpoint.capture/1",
    "host": {
        "read": {
            "/proc/cmdline": 'ro skew_tick=1 "a b"=c isolcpus=2-3',
            "/proc/cpuinfo": "processor\t: 0\nphysical id\t: 0\nsiblings\t: 4\ncpu cores\t: 2\nflags\t\t: fpu nx vmx\n",
            "/proc/sys/vm/swappiness": "60",
            "/etc/os-release": "ID=rhel\nVERSION_ID=9.4\n",
            "/etc/sysctl.d/*.conf": {"vm.swappiness=10": "90-a", "vm.swappiness=60": "99-b"},
            "/etc/tuned/active_profile": "hpc",
            "/etc/tuned/*/tuned.conf": {"[sysctl]\nvm.swappiness=60\n": "hpc"},
            "/sys/class/dmi/id/product_name": "PowerEdge R750",
            "run uname -r": "5.14.0-503.el9.x86_64",
            "run grubby --info=DEFAULT": 'args="ro skew_tick=1"\nroot="/dev/sda1"\n',
            f"{CPU}/online": "0-3",
            f"{CPU}/present": "0-5",
            f"{CPU}/smt/control": "notsupported",
            f"{CPU}/cpuidle/current_driver": "acpi_idle",
            f"{CPU}/cpu*/cpufreq/scaling_governor": {"performance": "0-2", "powersave": "3"},
            f"{CPU}/cpu*/cpufreq/scaling_available_governors": {"performance powersave": "0-3"},
            f"{CPU}/cpu*/cpuidle/state1/latency": {"2": "0-3"},
            f"{CPU}/cpu*/cpuidle/state1/name": {"C1": "0-3"},
            f"{CPU}/cpu*/power/pm_qos_resume_latency_us": {"2": "0-3"},
            f"{CPU}/cpu*/topology/physical_package_id": {"0": "0-1", "1": "2-3"},
            f"{CPU}/cpu*/topology/core_id": {"0": "0-1", "1": "2-3"},
            f"{CPU}/intel_uncore_frequency/package_*_die_*/initial_min_freq_khz": {"800000": "00_die_00"},
            f"{CPU}/intel_uncore_frequency/package_*_die_*/initial_max_freq_khz": {"2400000": "00_die_00"},
            "/sys/devices/system/node/node*/cpulist": {"0-1": "0", "2-3": "1", "": "2"},
            "msr 0x1a0": {"0x850089": "0-3"},
            "msr 0x1fc": {"0x24005d": "0-2", "0x40024005d": "3"},
            "msr 0xe2": {"0x8403": "0-3"},
        },
        "unread": {"msr 0x1b0": "no permission", f"{CPU}/cpu*/power/energy_perf_bias": "absent"},
    },
    "controller": {
        "read": {
            "/redfish/v1": {"Systems": {"@odata.id": "/redfish/v1/Systems"}},
            "/redfish/v1/Systems": {"Members": [{"@odata.id": "/redfish/v1/Systems/1"}]},
            "/redfish/v1/Systems/1": {"Bios": {"@odata.id": BIOS}, "Model": "PowerEdge R750"},
            BIOS: {
                "@odata.id": BIOS,
                "Attributes": {"ProcTurboMode": "Enabled", "SysProfile": "Custom", "LogicalProc": "Disabled"},
                "@Redfish.Settings": {"SettingsObject": {"@odata.id": f"{BIOS}/Settings"}},
            },
            f"{BIOS}/Settings": {
                "@odata.id": f"{BIOS}/Settings",
                "Attributes": {"ProcTurboMode": "Disabled"},
            },
        }
    },
}
"""A capture of both sides, with each kind of place that verification reads."""

VERBS = (
    "verify web.tune --against captures",
    "verify web.tune --against captures --format json",
    "verify web.tune --against captures --format junit",
    "verify web.tune --against captures --format html",
    "verify web.tune --against captures --format oscal --collected 2027-03-01T12:00:00Z",
    "verify web.tune --against captures/a.json --all",
    "plan web.tune --against captures/a.json",
    "plan web.tune --against captures/b.json --format json",
)


def once(random: Random, folder: Path) -> None:
    """Spoil captures, and compare them."""
    files = {"web.tune": POLICY.encode()}
    for name in ("a", "b"):
        whole = deepcopy(CAPTURE)
        if random.random() < 0.5:
            files[f"captures/{name}.json"] = spoil.json_text(random, whole)
        else:
            files[f"captures/{name}.json"] = json.dumps(_with_texts(random, whole)).encode()
    corpus.put(files, folder)
    command(*random.choice(VERBS).split(), folder=folder)


def _with_texts(random: Random, capture: dict[str, Any]) -> dict[str, Any]:
    """The capture in its form, with spoiled texts: what a collector could have read."""
    read = capture["host"]["read"]
    for place in random.sample(sorted(read), 6):
        found = read[place]
        spoiled = {text: spoil.data(random, text.encode()).decode(errors="replace") for text in _texts(found)}
        read[place] = (
            spoiled[found]
            if isinstance(found, str)
            else {spoiled[text]: where for text, where in found.items()}
        )
    return capture


def _texts(found: str | dict[str, str]) -> list[str]:
    return [found] if isinstance(found, str) else list(found)
