"""Take the facts of real hosts from the emulation data of intel/pepc, a git directory of which is the argument: prints
`hosts.json`.

    python tests/verification/take_hosts.py GITDIR > tests/verification/hosts.json

The data (tests/emul-data at 5be6011, BSD-3-Clause, Intel Corporation) has some files of /proc and /sys and some
registers of each host. Facts of what a capture can have are kept, in the form of captures: no serial numbers, addresses
or names, no counters, and of the boot line nothing that tells where the host is.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator

COMMIT = "5be60112f7954df552ea25916f694c9286468694"
DATA = "tests/emul-data"

HOSTS = (
    "bdwde0 bdwep0 bdwex0-nocpuidle bdwup0 clx2s0 clx4s0 clxap1 cpx0 cwf0 dnv0 emr0 emr9 genoa0 gnr0 gnr3 gnrd0 hswep0 hswex0 "
    "icx2s0 icx2s3 icxd0 ivbep1 knl0 knm0-n0 mhl0 milan0 rome0 skld0 sklep0 snr0 spr-nomwait spr1 srf2 srf8 turin0"
)
"""The servers among them; the others are clients."""

KEPT = re.compile(
    r"/sys/devices/system/(cpu/(online|present|cpuidle/current_(driver|governor_ro|governor)|intel_pstate/(status|no_turbo|min_perf_pct)"
    r"|amd_pstate/status|cpufreq/boost|smt/(active|control)|cpu\d+/(power/(energy_perf_bias|pm_qos_resume_latency_us)"
    r"|cpuidle/state\d+/(name|desc|latency|disable|default_status))"
    r"|intel_uncore_frequency/[^/]+/(initial_)?(min|max)_freq_khz|intel_uncore_frequency/[^/]+/elc_[a-z_]+)|node/(online|node\d+/cpulist))"
    r"|/sys/module/pcie_aspm/parameters/policy"
)
"""The files of which a capture has the text."""

OF_POLICIES = re.compile(
    r"/sys/devices/system/cpu/cpufreq/policy(\d+)/(scaling_(driver|governor|available_governors)|energy_performance_preference"
    r"|scaling_available_frequencies)"
)
"""Those that each processor has a link to."""

FLAGS = "aes cpb cppc epb est hle ht hwp hypervisor ida monitor nx rtm sgx sme smx svm tme vmx x2apic"
"""The flags by which settings can be told; the others are left out."""

OF_THE_KERNEL = re.compile(
    r"(intel_idle|processor|intel_pstate|amd_pstate|idle|nosmt|mitigations|msr\.allow_writes)\b.*"
)


def main(git: str) -> None:
    """Print the facts of all hosts."""
    hosts = {name: _host(git, name) for name in HOSTS.split()}
    print("{")
    print(
        ",\n".join(
            f"{json.dumps(name)}: {json.dumps(facts, sort_keys=True)}" for name, facts in hosts.items()
        )
    )
    print("}")


def _show(git: str, path: str) -> str:
    done = subprocess.run(
        ["git", "-C", git, "show", f"{COMMIT}:{path}"], capture_output=True, text=True, check=False
    )
    return done.stdout


def _host(git: str, name: str) -> dict[str, object]:
    folder = f"{DATA}/{name}"
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    read: dict[str, object] = {}
    for place, text in _files(_show(git, f"{folder}/sys/inlinefiles.txt")):
        numbered = re.match(r"(/sys/devices/system/(?:cpu/cpu|node/node))(\d+)(/.*)", place)
        if policy := OF_POLICIES.fullmatch(place):
            found[f"/sys/devices/system/cpu/cpu*/cpufreq/{policy[2]}"][text].append(int(policy[1]))
        elif not KEPT.fullmatch(place):
            continue
        elif numbered:
            found[f"{numbered[1]}*{numbered[3]}"][text].append(int(numbered[2]))
        elif named := re.match(r"(.*/intel_uncore_frequency/)([^/]+)(/.*)", place):
            found_at = read.setdefault(f"{named[1]}*{named[3]}", {})
            assert isinstance(found_at, dict)
            found_at[text] = f"{found_at[text]} {named[2]}" if text in found_at else named[2]
        else:
            read[place] = text
    for place, cpu, value in _registers(_show(git, f"{folder}/msr/msr.txt")):
        found[place][value].append(cpu)
    for place, texts in found.items():
        read[place] = {text: _list(numbers) for text, numbers in texts.items()}
    info = _show(git, f"{folder}/proc/cpuinfo")
    line = " ".join(
        word for word in _show(git, f"{folder}/proc/cmdline").split() if OF_THE_KERNEL.fullmatch(word)
    )
    kernel = re.match(r"Linux version (\S+)", _show(git, f"{folder}/proc/version"))
    return {
        "cpuinfo": _processor(info),
        "cmdline": line,
        "kernel": kernel[1].partition("-")[0] if kernel else "",
        "read": read,
    }


def _files(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        parts = line.split("|", 2)
        if len(parts) == 3 and parts[0] in ("ro", "rw"):
            yield parts[1], parts[2].strip()


def _registers(text: str) -> Iterator[tuple[str, int, str]]:
    for line in text.splitlines():
        address, colon, values = line.partition(":")
        if not colon or line.startswith("#"):
            continue
        for each in values.split():
            cpu, _, value = each.partition("|")
            yield f"msr 0x{address}", int(cpu), f"0x{value}"


def _processor(info: str) -> dict[str, str]:
    """The identity of the first processor, and how many there are."""
    fields: dict[str, str] = {}
    for line in info.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip(), value.strip())
    kept = ("vendor_id", "cpu family", "model", "model name", "stepping", "siblings", "cpu cores")
    packages = {
        line.partition(":")[2].strip() for line in info.splitlines() if line.startswith("physical id")
    }
    flags = " ".join(sorted(set(FLAGS.split()) & set(fields.get("flags", "").split())))
    return {
        **{key: fields[key] for key in kept if key in fields},
        "packages": str(len(packages)),
        "flags": flags,
    }


def _list(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for each in sorted(set(numbers)):
        if runs and runs[-1][1] == each - 1:
            runs[-1][1] = each
        else:
            runs.append([each, each])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


if __name__ == "__main__":
    main(sys.argv[1])
