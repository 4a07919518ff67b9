"""What an idle core does under Linux: the driver that decides, and how deep it lets a core sleep, thought through
again.

The manual pages say it in prose (admin-guide/pm/cpuidle and intel_idle), and so it is written here, as one would
explain it: first which driver is in use, then what that driver does. The library says it in cases. Both are compared
wherever the firmware, the kernel's command line and the limit on latency can differ, on every system.

- `idle=poll` "disables the acpi_idle and intel_idle drivers altogether"; the loop sleeps nowhere.
- intel_idle "refuses to work with processors in which the support for the MWAIT instruction has been disabled", and
  `intel_idle.max_cstate=0` "disables the intel_idle driver and allows acpi_idle to be used". 2.6.18 has no intel_idle.
- acpi_idle uses what the firmware lists. With C-states off there, that is C1. `processor.max_cstate=1` discards the
  rest.
- Governors "should never select any idle states with exit latency beyond" the limit on latency.
- C1E: where the firmware has it on, the processor promotes C1 to it. From 3.10 on (that of Enterprise Linux 7),
  `disable_promotion_to_c1e` in the tables from nehalem to icx makes intel_idle clear the promotion when it loads; C1E
  is then a state of its own, deeper than C1, and enabled whatever the firmware lists.
"""

from itertools import product
from typing import NamedTuple

import pytest

from setpoint.compiler.knowledge.model import Effect, Knowledge
from support.ask import cites, decision

WITHOUT_INTEL_IDLE = ("rhel-5", "slc-5")
CLEARS_PROMOTION = ("rhel-7", "rhel-8", "sles-12", "sles-15-sp1", "sles-15-sp2", "sles-15-sp3", "ubuntu-20.04", "rhel-9", "rhel-10", "debian-11", "debian-12", "debian-13", "ubuntu-22.04", "ubuntu-24.04", "ubuntu-26.04", "modern-linux")  # fmt: skip
SYSTEMS = (*WITHOUT_INTEL_IDLE, *CLEARS_PROMOTION, "rhel-6", "sles-11", "linux")


class Machine(NamedTuple):
    """What is set on a machine that has all of these settings."""

    os: str
    c_states: str
    c1e: str
    monitor_mwait: str
    intel_idle: str
    acpi_idle_limit: str
    idle_poll: str
    force_latency: str


MACHINES = [
    Machine(*values)
    for values in product(
        SYSTEMS,
        ("on", "off", "autonomous"),
        ("on", "off"),
        ("on", "off"),
        ("on", "off"),
        ("none", "c1"),
        ("off", "on"),
        ("none", "c1"),
    )
    # Without the driver, the argument does not exist.
    if values[0] not in WITHOUT_INTEL_IDLE or values[4] == "off"
]


def driver(machine: Machine) -> str:
    """The idle driver in use."""
    if machine.idle_poll == "on":
        return "none"
    usable = machine.monitor_mwait == "on" and machine.os not in WITHOUT_INTEL_IDLE
    return "intel_idle" if machine.intel_idle == "on" and usable else "acpi_idle"


def sleeps_deeper_than_c1(machine: Machine) -> bool:
    """Whether idle cores use states deeper than C1."""
    if driver(machine) == "none" or machine.force_latency == "c1":
        return False
    if driver(machine) == "intel_idle":
        return True
    return machine.c_states != "off" and machine.acpi_idle_limit == "none"


def sleeps_in_c1e(machine: Machine) -> bool:
    """Whether idle cores use C1E."""
    if driver(machine) == "none":
        return False
    if driver(machine) == "intel_idle" and machine.os in CLEARS_PROMOTION:
        return machine.force_latency == "none"
    return machine.c1e == "on"


def value(effect: Effect, machine: Machine, knowledge: Knowledge) -> str:
    """What the library makes of a machine."""
    bits = {
        name.replace("_", "-"): knowledge.variables[name.replace("_", "-")].bit(setting)
        for name, setting in machine._asdict().items()
    }
    if machine.os in WITHOUT_INTEL_IDLE:
        del bits["intel-idle"]
    for outcome, when in effect.cases:
        if all(bits.get(name, 1) & allowed for name, allowed in when):
            return outcome
    return effect.otherwise


EFFECTS = {
    "idle-states": (
        sleeps_deeper_than_c1,
        "Idle states deeper than C1 that Linux asks for",
        "linux-cpuidle",
        "Idle States Control Via Kernel Command Line; Power Management Quality of Service for CPUs",
    ),
    "c1e-use": (
        sleeps_in_c1e,
        "Idle cores in C1E, at the lowest clock and voltage",
        "linux-intel-idle",
        "disable_promotion_to_c1e: idle_cpu_nehalem to idle_cpu_icx",
    ),
}


@pytest.mark.parametrize("name", EFFECTS)
def test_the_combined_effects_are_right(name: str, knowledge: Knowledge) -> None:
    sleeps, title, *cited = EFFECTS[name]
    effect = knowledge.effects[name]
    assert (effect.title, effect.values, list(effect.citation)) == (title, ("used", "unused"), cited)
    for machine in MACHINES:
        expected = "used" if sleeps(machine) else "unused"
        assert value(effect, machine, knowledge) == expected, machine


def test_no_other_effect_is_known(knowledge: Knowledge) -> None:
    assert knowledge.effects.keys() == {
        *EFFECTS,
        "huge-page-pools",
        "cpu-lists",
        "domain-isolation",
        "device-translation",
        "interrupt-targets",
    }


def test_advice_for_an_unnamed_kernel_is_test_first(knowledge: Knowledge) -> None:
    """A source's statements about its own kernels are vendor advice; for an unnamed kernel there are none."""
    sources = ("redhat-202743", "redhat-60365", "redhat-el10-c-states", "ibm-h207000", "linux-intel-idle", "linux-intel-idle-before-5.6", "linux-cpuidle")  # fmt: skip
    strengths = {rule.name: rule.strength for rule in knowledge.rules if rule.citation.source in sources}
    assert strengths == {
        "acpi-idle-c1": "vendor",
        "acpi-idle-c1-after-intel-idle": "vendor",
        "acpi-idle-c1-el10": "vendor",
        "acpi-idle-c1-el5": "vendor",
        "intel-idle-off-before-5-6": "vendor",
        "intel-idle-off-before-el8": "vendor",
        "intel-idle-off-el10": "vendor",
        "intel-idle-off-el8": "vendor",
        "intel-idle-off-modern": "vendor",
        "intel-idle-off-nehalem-hangs": "test-first",
        "intel-idle-off-sles-11": "vendor",
        "intel-idle-off-unnamed-linux": "test-first",
    }


@pytest.mark.parametrize(
    ("facts", "setting", "value", "source"),
    [
        ("cpu westmere; os sles 11", "intel-idle", "off", "ibm-h207000"),
        ("cpu skylake; os sles 12", "intel-idle", "off", "linux-intel-idle-before-5.6"),
        ("cpu skylake; os ubuntu 20.04", "intel-idle", "off", "linux-intel-idle-before-5.6"),
        ("cpu skylake; os rhel 10", "intel-idle", "off", "redhat-el10-c-states"),
        ("cpu skylake; os rhel 10", "acpi-idle-limit", "c1", "redhat-el10-c-states"),
    ],
)
def test_where_the_firmware_has_c_states_off_linux_follows(
    facts: str, setting: str, value: str, source: str
) -> None:
    """As the maker of the system says, if it does."""
    decided = decision(f"goal latency; {facts}", setting)
    assert decided.value == value
    assert cites(decided.because, source, "")
