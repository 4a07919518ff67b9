"""Ratios that are counted from the tables of dmidecode, as dmidecode 3.3 prints them, and 2.12 did before."""

import pytest

from setpoint.compiler.verification.derived import derived
from setpoint.compiler.verification.host import Host
from verification.worlds import host

MODULE = "Memory Device\n\tSize: 32 GB\n\tSpeed: {} MT/s\n\tConfigured Memory Speed: {} MT/s\n"
OLD_MODULE = "Memory Device\n\tSize: 8192 MB\n\tSpeed: {} MHz\n\tConfigured Clock Speed: {} MHz\n"
EMPTY = "Memory Device\n\tSize: No Module Installed\n\tSpeed: Unknown\n\tConfigured Memory Speed: Unknown\n"
PROCESSOR = (
    "Processor Information\n\tMax Speed: 4000 MHz\n\tCore Count: {}\n\tCore Enabled: {}\n\tThread Count: 72\n"
)
NO_PROCESSOR = "Processor Information\n\tMax Speed: 4000 MHz\n\tStatus: Unpopulated\n"


def counted(name: str, table: str) -> str | None:
    """What is counted if dmidecode prints this."""
    place = "run dmidecode -t 4" if name == "enabled-cores-per-core" else "run dmidecode -t 17"
    readings = host({place: f"# dmidecode 3.3\nGetting SMBIOS data from sysfs.\n\n{table}"}).host
    assert readings is not None
    return derived(Host(readings), name)


@pytest.mark.parametrize(
    ("table", "ratio"),
    [
        ([MODULE.format(3200, 3200), MODULE.format(3200, 3200)], "1"),
        ([MODULE.format(3200, 3200), MODULE.format(3200, 2400)], "3/4"),  # the slowest counts
        ([MODULE.format(3200, 3200), EMPTY], "1"),
        ([OLD_MODULE.format(1333, 1333)], "1"),
        (
            [MODULE.format(3200, 3200), MODULE.format(3200, "Unknown").replace("Unknown MT/s", "Unknown")],
            None,
        ),
        ([EMPTY], None),
        ([], None),
    ],
)
def test_the_clock_of_memory_is_that_of_its_slowest_module(table: list[str], ratio: str | None) -> None:
    assert counted("memory-clock-per-rated", "\n".join(table)) == ratio


@pytest.mark.parametrize(
    ("table", "ratio"),
    [
        ([PROCESSOR.format(36, 36), PROCESSOR.format(36, 36)], "1"),
        ([PROCESSOR.format(36, 36), PROCESSOR.format(36, 18)], "1/2"),
        ([PROCESSOR.format(36, 36), NO_PROCESSOR], "1"),
        ([NO_PROCESSOR], None),
    ],
)
def test_cores_are_enabled_by_all_that_the_processors_have(table: list[str], ratio: str | None) -> None:
    assert counted("enabled-cores-per-core", "\n".join(table)) == ratio


def test_what_was_not_read_is_no_ratio() -> None:
    readings = host({}).host
    assert readings is not None
    assert derived(Host(readings), "memory-clock-per-rated") is None
