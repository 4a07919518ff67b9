"""Faults of a server, each with the setting that it is about and the layer that is to blame, typed from the sources of
`reference/observe.md`.

A fault changes a register, a file or the boot line of a capture, on all processors or on one. What it means is stated
here, and not taken from the knowledge base: the bit of a register, the argument of the kernel, the word of a file.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from setpoint.compiler.captures.model import Capture, Reading, number_list, numbers
from verification.hosts import with_places

FIRMWARE, LINE, SYSTEM = "firmware", "boot line", "operating system"

LAYERS = {FIRMWARE: "firmware", LINE: "boot", SYSTEM: "os"}


class Fault(NamedTuple):
    """A changed capture: what was changed, the setting that is no longer as planned, and what decided the value."""

    what: str
    capture: Capture
    setting: str
    blamed: str


ARGUMENTS = {
    "intel_idle.max_cstate=0": "intel-idle",
    "processor.max_cstate=1": "acpi-idle-limit",
    "idle=poll": "idle-poll",
    "skew_tick=1": "skew-tick",
    "tsc=nowatchdog": "tsc-checks",
    "nosmt": "kernel-smt",
    "mitigations=off": "mitigations",
    "clocksource=hpet": "clock-source",
    "isolcpus=2-3": "isolated-cpus",
    "nohz_full=2-3": "tickless-cpus",
    "rcu_nocbs=2-3": "rcu-offloaded-cpus",
    "irqaffinity=0-1": "interrupt-cpus",
    "pcie_aspm=off": "kernel-aspm",
    "iommu=pt": "iommu-passthrough",
    "intel_iommu=on": "intel-iommu",
    "mce=ignore_ce": "machine-checks",
    "nosoftlockup": "soft-lockup-detector",
    "default_hugepagesz=1G": "huge-page-size",
    "cpuidle.governor=teo": "idle-governor",
    "intel_pstate=passive": "intel-pstate",
    "amd_pstate=passive": "amd-pstate",
}
"""Arguments of the kernel (admin-guide/kernel-parameters), each with its setting."""

BITS = (
    ("msr 0x1fc", 19, "energy-efficient-turbo"),
    ("msr 0x1a4", 0, "hardware-prefetcher"),
    ("msr 0x1a4", 1, "adjacent-cache-line-prefetch"),
    ("msr 0x1a4", 2, "dcu-streamer-prefetcher"),
    ("msr 0x1a4", 3, "dcu-ip-prefetcher"),
)
"""Bits of registers that firmware alone sets (msr-index.h; PerfSpect's PrefetcherDefinitions)."""

FLAGS = {
    "nx": "execute-disable",
    "aes": "aes-instructions",
    "monitor": "monitor-mwait",
    "vmx": "virtualization",
}
"""Flags that are not there if firmware has switched the feature off (feat_ctl.c, cpufeatures.h)."""

WORDS = (
    ("/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor", "powersave", "performance", "governor"),
    (
        "/sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference",
        "power",
        "performance",
        "energy-performance-preference",
    ),
    ("/sys/devices/system/cpu/cpu*/power/energy_perf_bias", "15", "0", "energy-perf-bias"),
    ("/sys/devices/system/cpu/cpu*/power/pm_qos_resume_latency_us", "1", "0", "force-latency"),
)
"""Files of every processor: a text, another one, and the setting."""

SYSCTLS = (
    ("vm/swappiness", "60", "swappiness"),
    ("kernel/numa_balancing", "1", "numa-balancing"),
    ("kernel/nmi_watchdog", "1", "nmi-watchdog"),
    ("vm/dirty_ratio", "41", "dirty-ratio"),
    ("vm/dirty_background_ratio", "13", "dirty-background-ratio"),
    ("vm/stat_interval", "99", "vm-statistics-interval"),
    ("net/ipv4/tcp_fastopen", "1", "tcp-fast-open"),
)
"""Sysctls with a value that the plan does not have."""


def faults(capture: Capture, settings: frozenset[str]) -> Iterator[Fault]:
    """The faults that a host can have, of settings that its plan has."""
    for make in (_arguments, _bits, _fields, _flags, _words, _files):
        yield from (each for each in make(capture) if each.setting in settings)


def _arguments(capture: Capture) -> Iterator[Fault]:
    line = _text(capture, "/proc/cmdline")
    for argument, setting in ARGUMENTS.items():
        places = {"/proc/cmdline": f"{line} {argument}"}
        yield Fault(argument, with_places(capture, places), setting, LINE)


def _bits(capture: Capture) -> Iterator[Fault]:
    for place, bit, setting in BITS:
        yield from _flipped(capture, place, 1 << bit, setting)


def _flipped(capture: Capture, place: str, mask: int, setting: str) -> Iterator[Fault]:
    """The bits flipped on all processors, and on the last one."""
    if readings := _at(capture, place):
        flip: Callable[[str], str] = lambda text: hex(int(text, 16) ^ mask)  # noqa: E731
        every = {flip(each.text): each.where for each in readings}
        yield Fault(f"{place} ^ {mask:#x}", with_places(capture, {place: every}), setting, FIRMWARE)
        yield from _on_one(capture, place, flip, setting, FIRMWARE)


def _on_one(
    capture: Capture, place: str, change: Callable[[str], str], setting: str, blamed: str
) -> Iterator[Fault]:
    readings = _at(capture, place)
    last = readings[-1]
    cpus = list(numbers(last.where))
    if len(cpus) < 2:
        return
    found = {each.text: each.where for each in readings[:-1]}
    found[last.text] = number_list(cpus[:-1])
    new = change(last.text)
    found[new] = number_list([*numbers(found[new]), cpus[-1]]) if new in found else str(cpus[-1])
    yield Fault(f"{place} on CPU {cpus[-1]}", with_places(capture, {place: found}), setting, blamed)


def _fields(capture: Capture) -> Iterator[Fault]:
    """Fields of registers with several bits, of which others count where firmware owns the bias."""
    yield from _flipped(
        capture, "msr 0xe2", 0b111 if _is(capture, "msr 0xe2", 0b111, 0) else 0b010, "package-c-state-limit"
    )
    yield from _flipped(capture, "msr 0xe2", (1 << 26) | (1 << 28), "c1-auto-demotion")
    if all(int(each.text, 16) >> 34 & 1 for each in _at(capture, "msr 0x1fc")):
        yield from _flipped(capture, "msr 0xa01", 0b1111 << 3, "energy-performance-bias")


def _flags(capture: Capture) -> Iterator[Fault]:
    info = _text(capture, "/proc/cpuinfo")
    for flag, setting in FLAGS.items():
        if f" {flag} " in info or f" {flag}\n" in info:
            changed = info.replace(f" {flag} ", " ").replace(f" {flag}\n", "\n")
            yield Fault(
                f"no flag {flag}", with_places(capture, {"/proc/cpuinfo": changed}), setting, FIRMWARE
            )


def _words(capture: Capture) -> Iterator[Fault]:
    for place, text, other, setting in WORDS:
        readings = _at(capture, place)
        if not readings:
            continue
        new = other if readings[-1].text == text else text
        cpus = [number for each in readings for number in numbers(each.where)]
        yield Fault(
            f"{place} {new}", with_places(capture, {place: {new: number_list(cpus)}}), setting, SYSTEM
        )
        yield from _on_one(capture, place, lambda _, new=new: new, setting, SYSTEM)  # type: ignore[misc]


def _files(capture: Capture) -> Iterator[Fault]:
    for name, text, setting in SYSCTLS:
        yield Fault(name, with_places(capture, {f"/proc/sys/{name}": text}), setting, SYSTEM)
    for place, setting in (("/sys/devices/system/cpu/intel_pstate/min_perf_pct", "min-perf-pct"),):
        if _at(capture, place):
            yield Fault(place, with_places(capture, {place: "77"}), setting, SYSTEM)
    yield Fault(
        "always", with_places(capture, {THP: "[always] madvise never"}), "transparent-hugepages", SYSTEM
    )


THP = "/sys/kernel/mm/transparent_hugepage/enabled"


def _at(capture: Capture, place: str) -> tuple[Reading, ...]:
    assert capture.host is not None
    return capture.host.read.get(place, ())


def _text(capture: Capture, place: str) -> str:
    return _at(capture, place)[0].text


def _is(capture: Capture, place: str, mask: int, value: int) -> bool:
    return any(int(each.text, 16) & mask == value for each in _at(capture, place))
