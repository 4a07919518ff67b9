"""Verdicts on settings of the firmware: what the controller shows, what the host shows, and both together."""

import pytest

from setpoint.compiler.captures.model import Capture
from verification.hosts import with_controller
from verification.worlds import asked, host, verdict

TURBO = 'set turbo off because "a test"; set system-profile custom because "a test";'
BY_REGISTER = 'turbo on "0", off "1" in "msr 0x1a0" bit 38 at "Table 1";'
BY_BOTH = (
    BY_REGISTER
    + 'turbo on "0", off "1" in "/sys/devices/system/cpu/intel_pstate/no_turbo" overwritten by "the switch of cpufreq" at "Table 2";'
)
OFF, ON = "0x4000850089", "0x850089"
NO_TURBO = "/sys/devices/system/cpu/intel_pstate/no_turbo"
NOTHING = Capture("c042", None, None)


def both(registers: dict[str, str], current: str, staged: str = "") -> Capture:
    return with_controller(
        host({"msr 0x1a0": dict(registers)}),
        {"ProcTurboMode": current},
        {"ProcTurboMode": staged} if staged else {},
    )


@pytest.mark.parametrize(
    ("registers", "current", "staged", "state", "decided"),
    [
        ({OFF: "0-3"}, "Disabled", "", "ok", "firmware"),
        ({ON: "0-3"}, "Enabled", "", "differs", "firmware"),
        ({ON: "0-3"}, "Enabled", "Disabled", "pending", "firmware"),
        ({OFF: "0-3"}, "Disabled", "Enabled", "differs", "firmware"),  # the next restart turns it on
        ({ON: "0-3"}, "Disabled", "", "differs", "firmware"),  # configured, and not in effect
        ({OFF: "0-3"}, "Enabled", "", "differs", "firmware"),  # in effect by chance
        ({OFF: "0-2", ON: "3"}, "Disabled", "", "inconsistent", "firmware"),
    ],
)
def test_controller_and_host_both_have_to_be_right(
    registers: dict[str, str], current: str, staged: str, state: str, decided: str
) -> None:
    seen = verdict("turbo", asked(TURBO, BY_REGISTER), both(registers, current, staged))
    assert (seen.state, seen.decided) == (state, decided)


def test_a_verdict_names_each_reading_and_its_kind() -> None:
    seen = verdict("turbo", asked(TURBO, BY_REGISTER), both({ON: "0-3"}, "Enabled", "Disabled"))
    assert [(each.kind, each.place, each.text) for each in seen.readings] == [
        ("configured", "/redfish/v1/Systems/1/Bios ProcTurboMode", "Enabled"),
        ("pending", "/redfish/v1/Systems/1/Bios/Settings ProcTurboMode", "Disabled"),
        ("in effect", "msr 0x1a0 bit 38", "0 (on)"),
    ]
    assert (seen.found, seen.pending, seen.wanted) == ("Enabled", "Disabled", "Disabled")


def test_what_came_after_the_firmware_is_blamed() -> None:
    plan = asked(TURBO, BY_BOTH)
    seen = verdict("turbo", plan, host({"msr 0x1a0": {OFF: "0-3"}, NO_TURBO: "0"}))
    assert (seen.state, seen.decided) == ("overridden", "the switch of cpufreq")


def test_nobody_is_blamed_alone_where_nothing_shows_what_the_firmware_has() -> None:
    seen = verdict("turbo", asked(TURBO, BY_BOTH), host({NO_TURBO: "0"}))
    assert (seen.state, seen.decided) == ("differs", "firmware, or the switch of cpufreq")


def test_nobody_else_is_blamed_where_the_register_shows_it_as_well() -> None:
    seen = verdict("turbo", asked(TURBO, BY_BOTH), host({"msr 0x1a0": {ON: "0-3"}, NO_TURBO: "0"}))
    assert (seen.state, seen.decided) == ("differs", "firmware")


@pytest.mark.parametrize(
    ("reason", "change"),
    [("no permission", "collect as root"), ("lockdown", "capture the controller as well")],
)
def test_a_register_that_could_not_be_read_says_nothing(reason: str, change: str) -> None:
    seen = verdict("turbo", asked(TURBO, BY_REGISTER), host({}, {"msr 0x1a0": reason}))
    assert (seen.state, seen.found, seen.change) == ("unreadable", None, change)


def test_the_controller_counts_where_the_host_says_nothing() -> None:
    capture = with_controller(host({}, {"msr 0x1a0": "no permission"}), {"ProcTurboMode": "Disabled"})
    seen = verdict("turbo", asked(TURBO, BY_REGISTER), capture)
    assert (seen.state, [each.kind for each in seen.readings]) == ("ok", ["configured"])


def test_a_setting_that_no_host_shows_needs_the_controller() -> None:
    plan = asked(TURBO, 'turbo nowhere because "no source has a register" at "Table 3";')
    alone = verdict("turbo", plan, host({"/proc/cmdline": "ro"}))
    assert (alone.state, alone.change) == ("controller-only", "capture the controller as well")
    seen = verdict("turbo", plan, with_controller(host({}), {"ProcTurboMode": "Disabled"}))
    assert (seen.state, seen.reason) == ("ok", "no source has a register")


def test_a_guard_that_does_not_hold_makes_a_reading_void() -> None:
    guarded = 'c1e on "1", off "0" in "msr 0x1fc" bit 1 while "/sys/devices/system/cpu/cpuidle/current_driver" not "intel_idle" at "T";'
    plan = asked('set c1e off because "a test"; set system-profile custom because "a test";', guarded)
    driver = "/sys/devices/system/cpu/cpuidle/current_driver"
    cleared = host({"msr 0x1fc": {"0x24005d": "0-3"}, driver: "intel_idle"})  # bit 1 is 0: the driver's doing
    seen = verdict("c1e", plan, cleared)
    assert seen.state == "unresolved"
    assert "current_driver" in seen.reason
    real = host({"msr 0x1fc": {"0x24005d": "0-3"}, driver: "acpi_idle"})
    assert verdict("c1e", plan, real).state == "ok"


def test_a_guard_holds_on_some_cpus_only() -> None:
    guarded = 'turbo on "0", off "1" in "msr 0x1a0" bit 38 while "msr 0x1fc" bit 34 "0" at "T";'
    places = {
        "msr 0x1a0": {OFF: "0-1", ON: "2-3"},
        "msr 0x1fc": {"0x0": "0-1", "0x400000000": "2-3"},  # CPUs 2 and 3 do not count
    }
    assert verdict("turbo", asked(TURBO, guarded), host(places)).state == "ok"


def test_a_virtual_machine_shows_no_firmware() -> None:
    info = "processor\t: 0\nflags\t\t: fpu vme hypervisor\n"
    seen = verdict("turbo", asked(TURBO, BY_REGISTER), host({"/proc/cpuinfo": info, "msr 0x1a0": {OFF: "0"}}))
    assert seen.state == "not-applicable"


def test_a_locked_attribute_says_what_locks_it() -> None:
    current = {"ProcTurboMode": "Enabled", "SysProfile": "PerfOptimized"}
    seen = verdict("turbo", asked(TURBO), with_controller(NOTHING, current))
    assert (seen.state, seen.decided) == ("locked", "system-profile")
    assert seen.change.startswith("set system-profile first: write ProcTurboMode=Disabled")


@pytest.mark.parametrize(
    ("nodes", "state"),
    [
        ({"0-31": "0", "32-63": "1"}, "ok"),
        ({"0-31": "0", "32-63": "1", "": "2"}, "ok"),  # a node of memory alone does not count
        ({"0-15": "0", "16-31": "1", "32-47": "2", "48-63": "3"}, "unresolved"),  # no value stands for two
    ],
)
def test_nodes_are_counted_with_their_cpus(nodes: dict[str, str], state: str) -> None:
    plan = asked(
        'set node-interleaving off because "a test";',
        'node-interleaving on "1/2", off "1" in "derived nodes-per-package" at "T";',
    )
    places = {
        "/sys/devices/system/node/node*/cpulist": nodes,
        "/sys/devices/system/cpu/cpu*/topology/physical_package_id": {"0": "0-31", "1": "32-63"},
    }
    assert verdict("node-interleaving", plan, host(places)).state == state
