"""The list of what to read covers the knowledge base."""

from itertools import chain

from setpoint.compiler.captures.script import PLACE
from setpoint.compiler.captures.wanted import DERIVED, wanted
from setpoint.compiler.knowledge.model import Knowledge


def test_every_observation_is_read(knowledge: Knowledge, places: tuple[str, ...]) -> None:
    """With the places that must show something for it to count."""
    observed = list(chain.from_iterable(knowledge.observations.values()))
    needed = {place for each in observed for place in (each.place, *(guard.place for guard in each.guards))}
    assert {place for place in needed if not place.startswith(DERIVED)} - set(places) == set()


def test_every_file_of_a_spelling_is_read(knowledge: Knowledge, places: tuple[str, ...]) -> None:
    spellings = list(chain.from_iterable(knowledge.spellings.values()))
    shown = {file.file for each in spellings for file in each.shown}
    written = {name for each in spellings if each.interface == "sysfs" for name in each.names}
    sysctls = {name for each in spellings if each.interface == "sysctl" for name in each.names}
    assert {*shown, *written, *(f"/proc/sys/{name.replace('.', '/')}" for name in sysctls)} - set(
        places
    ) == set()
    assert sysctls


def test_what_shows_the_other_interfaces_is_read(places: tuple[str, ...]) -> None:
    assert {
        "run ethtool -c *",
        "run ethtool -g *",
        "run ethtool -l *",
        "run systemctl show -p DefaultLimitNOFILE -p DefaultLimitNOFILESoft",
        "run systemctl show -p Environment irqbalance.service",
        "run systemctl show -p LoadState -p ActiveState -p UnitFileState tuned-ppd.service",
    } < set(places)


def test_what_values_are_compared_by_is_read(knowledge: Knowledge, places: tuple[str, ...]) -> None:
    """What a file is compared with that offers alternatives, or that has the microseconds of an idle state."""
    compared = {
        "first-offered": "/sys/devices/system/cpu/cpu*/cpufreq/scaling_available_governors",
        "exit-latency": "/sys/devices/system/cpu/cpu*/cpuidle/state*/latency",
        "energy-bias": "/sys/devices/system/cpu/cpu*/power/energy_perf_bias",
    }
    used = {
        file.comparison for each in chain.from_iterable(knowledge.spellings.values()) for file in each.shown
    }
    assert used <= {*compared, "", "at-least"}
    assert set(compared.values()) < set(places)


def test_each_place_is_one_that_the_script_takes(knowledge: Knowledge) -> None:
    assert [place for place in wanted(knowledge) if not PLACE.fullmatch(place)] == []
