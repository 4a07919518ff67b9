"""The role on Enterprise Linux 6, on a server of the 11th generation: every layer, through scripts, without Python.

The BIOS is set with syscfg, the kernel's arguments with grubby, the frequency with cpuspeed, and the rest with tuned
0.2.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from consumers import el6_machine
from setpoint.compiler.lowering.target import emission_of
from support import ansible_hosts
from support.ansible import R710
from support.ansible_hosts import EL6_KERNELS, SETUP_PASSWORD, Book, restart_el6
from support.host import with_profile
from support.plans import planned

RESTARTED = ("proc/cmdline", "proc/sys/kernel/random/boot_id")
EL6_GOVERNOR = f"/{el6_machine.GOVERNOR}"


@pytest.fixture
def el6(tmp_path: Path) -> Book:
    return ansible_hosts.el6(tmp_path)


def test_a_host_whose_python_is_too_old_is_brought_to_the_policy(el6: Book) -> None:
    before = el6.system.files()
    checked = el6.run("--check")
    assert checked.failed("host") == ""
    assert checked.changed("host") == [
        "Set the BIOS",
        "Set the boot loader's entries",
        "Set the cpuspeed service",
        "Set the tuned profile",
    ]
    assert "would set cstates: enable -> disable" in checked.told("host", "Set the BIOS")
    shown = checked.told("host", "Set the boot loader's entries")
    assert "intel_idle.max_cstate=0 is to be there, found: nothing" in shown
    assert "would run: tuned-adm profile" in checked.told("host", "Set the tuned profile")
    assert el6.system.files() == before
    assert el6.calls() == ["--info=ALL"]

    first = el6.run()
    assert first.failed("host") == ""
    assert "set cstates: enable -> disable" in first.told("host", "Set the BIOS")
    assert el6.system.read("/state/kernels").count("intel_idle.max_cstate=0") == 2
    assert el6.system.read("/state/cpuspeed/levels") == "12345\n"
    assert el6.system.read("/etc/tune-profiles/active-profile") == "setpoint-r710.EL6"
    emission = emission_of("tuned", planned(R710))
    assert emission is not None
    for artifact in with_profile(emission.artifacts):
        if artifact.path.count("/") == 2:
            put = el6.system.root / "etc/tune-profiles" / artifact.path.removeprefix("tuned/")
            assert (put.read_text(encoding="utf-8"), put.stat().st_mode & 0o777) == (
                artifact.text,
                artifact.mode,
            )
    assert "BIOS, kernel arguments" in first.told("host", "Report what waits for a restart")

    again = el6.run()
    assert (again.failed("host"), again.changed("host")) == ("", [])
    assert "pending" in el6.run(book="verify.yml").failed("host")

    restart_el6(el6)
    assert el6.run(book="verify.yml").failed("host") == ""

    el6.system.put(EL6_GOVERNOR, "ondemand\n")
    drifted = el6.run("--tags", "os", "--check")
    assert (drifted.failed("host"), drifted.changed("host")) == ("", ["Set the tuned profile"])
    shown = drifted.told("host", "Set the tuned profile")
    assert "governor: ondemand, wanted performance" in shown
    assert el6.run("--tags", "os").failed("host") == ""
    assert el6.system.read(EL6_GOVERNOR) == "performance\n"
    assert all(SETUP_PASSWORD[:9] not in run.said for run in (checked, first, again))


def test_without_the_setup_password_nothing_is_set_and_the_run_fails(el6: Book) -> None:
    run = el6.run("--tags", "firmware", setpoint_setup_password="wrong")
    assert "the setup password is set, and was not given or is not right" in run.failed("host")
    assert "all settings are as they were before this run" in run.failed("host")


def test_a_profile_that_is_not_in_force_fails(el6: Book) -> None:
    """The functions that tuned brings for ktune.sh are not those that it calls."""
    el6.system.put("/etc/tune-profiles/functions", "process() { exit 3; }\n")
    run = el6.run("--tags", "os")
    failed = run.failed("host")
    assert failed.startswith("Set the tuned profile")
    assert "governor: powersave, wanted performance" in failed


def test_a_rollback_brings_back_every_layer(el6: Book) -> None:
    before = _picture(el6)
    bios = Path(el6.system.environment["SYSCFG_STATE"])
    was = (bios / "current/cstates").read_text()
    assert el6.run().failed("host") == ""
    restart_el6(el6)
    planned_for = _picture(el6)
    assert planned_for != before

    checked = el6.run("--check", book="rollback.yml")
    assert checked.failed("host") == ""
    assert "would put back" in checked.told("host", "Restore the tuned profile")
    assert (_picture(el6), (bios / "pending").exists() and list((bios / "pending").iterdir())) == (
        planned_for,
        [],
    )

    back = el6.run(book="rollback.yml")
    assert back.failed("host") == ""
    assert (
        back.changed("host")
        == checked.changed("host")
        == [
            f"Restore {layer}"
            for layer in (
                "the BIOS",
                "the boot loader's entries",
                "the cpuspeed service",
                "the tuned profile",
            )
        ]
    )
    assert (bios / "pending/cstates").read_text() == was
    assert el6.system.read("/state/kernels") == EL6_KERNELS
    assert el6.system.read("/state/cpuspeed/levels") == "1\n"
    assert _picture(el6) == before

    for options in (("--check",), ()):
        again = el6.run(*options, book="rollback.yml")
        assert (again.failed("host"), again.changed("host")) == ("", [])
    assert _picture(el6) == before


def _picture(book: Book) -> dict[str, object]:
    """The server, but for what a restart changes."""
    found = el6_machine.picture(book.system.root)
    return {name: what for name, what in found.items() if name not in RESTARTED}
