"""Puppet: whole stories on one server, from the first run to the rollback, with the real `puppet apply`.

What was there before Setpoint is known byte by byte: the files of the system, the live values, cpuspeed, and the BIOS
as it is set. Where a run is killed, `kill -9` ends a script and what it has called, before the call has done its work
or after.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.puppet import Ran
from consumers.puppet_machine import Machine
from setpoint.compiler.render.verification import Report
from support.plans import planned
from support.puppet import DEBIAN, EL6, changes, put

STATUS = ("sh", "/var/lib/setpoint/puppet/status.sh")
OWN = (
    "/var/lib/setpoint/",
    "/modules/",
    "/state/real/",
    "/state/kill",
    "/programs/",
    "/opt/",
    "/etc/facter/",
    "/state/server/",
    "/var/run/",
)
"""What is Setpoint's own or the test's; the BIOS is compared by itself."""


Picture = dict[str, bytes | str]


def picture(machine: Machine) -> Picture:
    """A server as it is: its files, and what the BIOS is set to."""
    files = {path: text for path, text in machine.files().items() if not path.startswith(OWN)}
    return {**files, **{f"BIOS {name}": value for name, value in machine.firmware.staged().items()}}


def changed(machine: Machine, before: Picture) -> dict[str, tuple[bytes | str | None, bytes | str | None]]:
    """What is not as it was, with what it was and is."""
    now = picture(machine)
    return {
        name: (before.get(name), now.get(name))
        for name in sorted(before.keys() | now.keys())
        if before.get(name) != now.get(name)
    }


def debian(folder: Path) -> Machine:
    """A server with Debian 12, with its module."""
    machine = Machine(folder, "Debian", "12")
    machine.put("/etc/default/grub", 'GRUB_CMDLINE_LINUX_DEFAULT="quiet skew_tick=0"\n')
    machine.run("update-grub")
    put(planned(DEBIAN), machine.root / "modules")
    return machine


def el6(folder: Path) -> Machine:
    """A server with Enterprise Linux 6, with its module, on which a profile of the site's is active."""
    machine = Machine(folder, "RedHat", "6")
    machine.begin("site")
    put(planned(EL6.policy("latency")), machine.root / "modules")
    return machine


CLASSES = {
    debian: "class {{ 'setpoint_debian': ensure => {} }}",
    el6: "class {{ 'setpoint_el6_latency': ensure => {} }}",
}


def roll_out(machine: Machine, *options: str) -> Ran:
    """A run with the policy in force."""
    return machine.apply(_class(machine).format("present"), *options)


def roll_back(machine: Machine, *options: str) -> Ran:
    """A run that rolls it back."""
    return machine.apply(_class(machine).format("absent"), *options)


def _class(machine: Machine) -> str:
    return CLASSES[debian if (machine.root / "etc/os-release").exists() else el6]


def states(machine: Machine) -> dict[str, str]:
    """The states of all settings, as status.sh reports them."""
    said = machine.run(*STATUS, "--json").said
    report = Report.model_validate(json.JSONDecoder().raw_decode(said)[0])
    return {each.setting: each.state for each in report.results}


def restart(machine: Machine) -> None:
    """Start the server again: the BIOS takes what is set, and the kernel its arguments."""
    machine.firmware.reboot()


class RolledOut(NamedTuple):
    """A server after the first run, and the picture of it before."""

    server: Machine
    before: Picture

    def copy(self, folder: Path) -> RolledOut:
        """The same server, for a test of its own."""
        return RolledOut(self.server.copy(folder), self.before)


def _rolled_out(server: Machine) -> RolledOut:
    before = picture(server)
    first = roll_out(server)
    assert first.status == 2, first.said
    return RolledOut(server, before)


@pytest.fixture(scope="module")
def el6_rolled_out(tmp_path_factory: pytest.TempPathFactory) -> RolledOut:
    """The older release, with the policy in force."""
    server = el6(tmp_path_factory.mktemp("el6"))
    server.put("/state/cpuspeed/levels", "345\n")
    return _rolled_out(server)


def test_a_goal_that_changes_is_rolled_back_to_what_was_there_before_setpoint(tmp_path: Path) -> None:
    server = debian(tmp_path)
    before = picture(server)
    dry = roll_out(server, "--noop")
    assert (dry.status, changed(server, before)) == (0, {}), dry.said
    assert changes(dry.said) >= {
        "Exec[setpoint: kernel arguments]",
        "Exec[setpoint: tuned profile]",
        "Exec[setpoint: BIOS settings]",
    }
    first = roll_out(server)
    assert first.status == 2, first.said
    assert set(states(server).values()) == {"ok", "pending", "not-applicable", "not-compared"}
    restart(server)

    # Another goal. A dry run cannot ask the new scripts, and says that they would be asked.
    put(planned(DEBIAN.replace("goal latency", "goal performance")), server.root / "modules")
    as_before = picture(server)
    dry = roll_out(server, "--noop")
    for part in ("kernel arguments", "tuned profile", "BIOS settings"):
        assert f"Exec[setpoint: {part}]: Would have triggered 'refresh'" in dry.said, dry.said
    assert changed(server, as_before) == {}
    second = roll_out(server)
    assert second.status == 2, second.said
    assert "intel_idle.max_cstate" not in server.read("/boot/grub/grub.cfg")
    assert server.firmware.staged()["cstates"] == "enable"
    again = roll_out(server)
    assert (again.status, changes(again.said)) == (0, set()), again.said

    # A value drifts, and is set again.
    (setting, value) = ("/state/proc-sys/vm/swappiness", server.read("/state/proc-sys/vm/swappiness"))
    server.put(setting, "99\n")
    assert "differs" in states(server).values()
    repaired = roll_out(server)
    assert changes(repaired.said) == {"Exec[setpoint: tuned profile]"}, repaired.said
    assert server.read(setting) == value
    restart(server)

    dry = roll_back(server, "--noop")
    assert changes(dry.said) >= {"Exec[setpoint: roll back tuned profile]"}, dry.said
    back = roll_back(server)
    assert back.status == 2, back.said
    assert "syscfg: a restart is pending" in back.said
    assert changed(server, before) == {}
    again = roll_back(server)
    assert (again.status, changes(again.said)) == (0, set()), again.said
    assert changed(server, before) == {}
    status = server.run(*STATUS)
    assert status.status == 0, status.said
    for part in ("kernel-args", "tuned", "syscfg"):
        assert f"{part}: rolled back\n" in status.said
    assert set(states(server).values()) == {"rolled-back", "not-compared"}


def test_services_and_profiles_of_an_older_release_come_back(
    tmp_path: Path, el6_rolled_out: RolledOut
) -> None:
    server, before = el6_rolled_out.copy(tmp_path)
    assert server.read("/state/cpuspeed/levels") == "1\n"
    assert server.read("/etc/tune-profiles/active-profile") == "setpoint-el6-latency"
    back = roll_back(server)
    assert back.status == 2, back.said
    assert changed(server, before) == {}
    again = roll_back(server)
    assert (again.status, changes(again.said)) == (0, set()), again.said
    assert changed(server, before) == {}
    assert server.run(*STATUS).status == 0


KILLED = ("update-grub", "tuned-adm profile setpoint-debian", "syscfg --logicproc=")
"""Calls in the middle of the change, one in each layer."""


@pytest.mark.parametrize("when", [pytest.param("before", marks=pytest.mark.repeated), "after"])
def test_what_a_killed_run_has_left_is_rolled_back(tmp_path: Path, when: str) -> None:
    server = debian(tmp_path)
    before = picture(server)
    server.interrupt("programs/update-grub", "programs/tuned-adm", "opt/dell/toolkit/bin/syscfg")
    server.put("/state/kill", "\n".join((when, *KILLED, "")))
    killed = roll_out(server)
    assert killed.status in (4, 6), killed.said
    for layer in ("kernel-args", "tuned", "syscfg"):
        assert (server.root / f"var/lib/setpoint/{layer}.journal").exists(), killed.said
    assert changed(server, before)

    (server.root / "state/kill").unlink()
    back = roll_back(server)
    assert back.status == 2, back.said
    assert changed(server, before) == {}
    again = roll_back(server)
    assert (again.status, changes(again.said)) == (0, set()), again.said


@pytest.mark.repeated  # by Debian, above, and by the script for services: test_cpuspeed
@pytest.mark.parametrize("when", ["before", "after"])
def test_what_a_killed_run_has_left_of_services_is_rolled_back(tmp_path: Path, when: str) -> None:
    server = el6(tmp_path)
    before = picture(server)
    server.interrupt("programs/grubby", "programs/tuned-adm", "programs/chkconfig")
    calls = ("grubby --update-kernel", "tuned-adm profile setpoint-", "chkconfig cpuspeed off")
    server.put("/state/kill", "\n".join((when, *calls, "")))
    killed = roll_out(server)
    assert killed.status in (4, 6), killed.said
    for layer in ("kernel-args", "tuned", "cpuspeed"):
        assert (server.root / f"var/lib/setpoint/{layer}.journal").exists(), killed.said
    assert "cpuspeed: not as planned\n" in server.run(*STATUS).said

    (server.root / "state/kill").unlink()
    completed = roll_out(server)
    assert completed.status == 2, completed.said
    assert roll_out(server).status == 0
    back = roll_back(server)
    assert (back.status, changed(server, before)) == (2, {}), back.said
    again = roll_back(server)
    assert (again.status, changes(again.said)) == (0, set()), again.said


@pytest.mark.repeated
def test_another_plan_for_tuned_of_an_older_release_is_rolled_back_to_before_the_first(
    tmp_path: Path, el6_rolled_out: RolledOut
) -> None:
    server, before = el6_rolled_out.copy(tmp_path)
    other = EL6.policy("latency").replace("goal latency", "goal throughput")
    put(planned(other), server.root / "modules")
    second = roll_out(server)
    assert "Exec[setpoint: tuned profile]" in changes(second.said), second.said
    assert (server.root / "var/lib/setpoint/tuned.rollback.2").exists()
    server.put("/etc/ktune.d/site.conf", "vm.swappiness = 10\n")
    back = roll_back(server)
    assert back.status == 2, back.said
    assert changed(server, before) == {"/etc/ktune.d/site.conf": (None, b"vm.swappiness = 10\n")}


DRIFT = "class { 'setpoint_el6_latency': tuned_correct_drift => false }"


def test_without_the_correction_of_drift_a_profile_is_still_kept_in_force(tmp_path: Path) -> None:
    server = el6(tmp_path)
    assert server.apply(DRIFT).status == 2
    pages = "/sys/kernel/mm/redhat_transparent_hugepage/enabled"
    server.put(pages, "[always] madvise never\n")
    left = server.apply(DRIFT)
    assert (left.status, changes(left.said)) == (0, set()), left.said
    server.run("service", "ktune", "stop")
    again = server.apply(DRIFT)
    assert (again.status, changes(again.said)) == (2, {"Exec[setpoint: tuned profile]"}), again.said
    assert "[never]" in server.read(pages)


@pytest.mark.repeated  # by a run that is killed, and by the scripts on their own
def test_a_rollback_that_is_killed_is_completed_by_the_next_run(tmp_path: Path) -> None:
    server = debian(tmp_path)
    before = picture(server)
    assert roll_out(server).status == 2
    server.interrupt("programs/tuned-adm", "opt/dell/toolkit/bin/syscfg")
    server.put("/state/kill", "after\ntuned-adm profile site\nsyscfg --logicproc=\n")
    killed = roll_back(server)
    assert killed.status in (4, 6), killed.said
    said = server.run(*STATUS).said
    for part, stands in {
        "kernel-args": "rolled back",
        "tuned": "not rolled back",
        "syscfg": "not rolled back",
    }.items():
        assert f"{part}: {stands}\n" in said
    (server.root / "state/kill").unlink()
    back = roll_back(server)
    assert (back.status, changed(server, before)) == (2, {}), back.said
    assert server.run(*STATUS).status == 0


@pytest.mark.repeated
def test_a_run_after_a_killed_one_brings_the_server_to_the_plan(tmp_path: Path) -> None:
    """Though the killed script had done all of its changes, what it has found is not yet kept as the way back."""
    server = debian(tmp_path)
    before = picture(server)
    server.interrupt("programs/update-grub", "programs/tuned-adm")
    server.put("/state/kill", "\n".join(("after", *KILLED[:2], "")))
    assert roll_out(server).status in (4, 6)
    (server.root / "state/kill").unlink()
    completed = roll_out(server)
    assert completed.status == 2, completed.said
    assert {"Exec[setpoint: kernel arguments]", "Exec[setpoint: tuned profile]"} <= changes(completed.said)
    assert set(states(server).values()) == {"ok", "pending", "not-applicable", "not-compared"}
    assert roll_out(server).status == 0
    assert (roll_back(server).status, changed(server, before)) == (2, {})


def test_a_server_that_is_as_planned_already_has_nothing_to_roll_back(tmp_path: Path) -> None:
    server = debian(tmp_path)
    before = picture(server)
    back = roll_back(server)
    assert not {each for each in changes(back.said) if each.startswith("Exec[setpoint")}, back.said
    assert changed(server, before) == {}
