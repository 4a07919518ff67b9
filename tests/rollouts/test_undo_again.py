"""Apply, undo, a change by hand, apply, undo: the second way back leads to what was there before the second apply.

What somebody has set between an undo and the next apply is theirs, and is what that apply replaces. Each way of
carrying out a plan keeps the old values in a place of its own, so each is tried: the program for hosts by its parts,
the client, the role, Puppet, and `setpoint apply` by racadm and syscfg.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from controllers import HPE, bare_controllers, server
from rollouts import test_kernel_args_rollback as kernel_args
from rollouts import test_puppet_rollback as puppet
from rollouts import test_tuned_apply as tuned
from rollouts.test_apply_here import BOOT, Host, by_racadm
from rollouts.test_client import AT_FIRST, KINDS, WANTED, Bench, bench, states
from rollouts.test_client_profiles import RULES, before
from rollouts.test_systemd_apply import EVERY_KIND, put

from consumers.ansible_run import play
from consumers.racadm import from_registry
from consumers.redfish_service import certificate
from consumers.systemd_machine import CPU, systemd_machine
from consumers.systemd_machine import session as systemd_session
from idrac import Behaviour
from registries.test_importing import A42
from registries.test_profiles_of_hpe import PLATFORMS
from setpoint.compiler.twin.dialects import dialects
from setpoint.compiler.twin.machine import Setup
from support import ansible_hosts
from support.ansible import role_of, through_controller
from support.machines import R750
from support.rehearsed import compiled

BY_HAND = {"Smt": "Enabled", "Turbo": "ByHand", "Other": "x"}
"""What somebody has set after the first undo."""

SERVERS: Mapping[str, Setup | Behaviour] = {**KINDS, "cisco": server(dialects()["cisco-cimc"], AT_FIRST)}

# ----------------------------------------------------------------------------------------------------- the client


def there(one: Bench, **more: Any) -> None:
    """Apply, with a restart if anything waits for one."""
    one.more["back"] = False
    came = one.ask("staged", **more)
    if came.get("waits"):
        came = one.ask("restarted")
    assert not came.get("failed"), came
    assert set(states(one.ask("compared")).values()) == {"ok"}


def back(one: Bench, **more: Any) -> None:
    """Undo, with a restart unless told otherwise."""
    one.more["back"] = True
    came = one.ask("staged", **more) if more else one.whole()
    assert not came.get("failed"), came


def restart(one: Bench) -> None:
    """Restart the server by hand, and let it start."""
    one.bmc.machine.reset("ForceRestart")
    for _ in range(3):
        one.bmc.machine.tick()


@pytest.mark.parametrize("name", SERVERS)
def test_the_client(name: str, tmp_path: Path) -> None:
    with bench(SERVERS[name], tmp_path) as one:
        there(one)
        back(one)
        one.bmc.machine.current.update(BY_HAND)
        there(one)
        assert one.ask("staged")["changed"] is False
        back(one)
        assert one.bmc.machine.current == BY_HAND


@pytest.mark.parametrize("name", SERVERS)
def test_the_client_by_restarts_of_ones_own(name: str, tmp_path: Path) -> None:
    """After such an undo no run of the client has seen the old values in effect."""
    with bench(SERVERS[name], tmp_path) as one:
        there(one)
        back(one, reboot=False)
        restart(one)
        assert one.bmc.machine.current == AT_FIRST
        one.bmc.machine.current.update(BY_HAND)
        there(one, restarted=name == "cisco")  # which shows neither what is staged nor that it restarted
        back(one)
        assert one.bmc.machine.current == BY_HAND


@pytest.mark.parametrize("name", SERVERS)
def test_the_client_where_what_an_undo_has_staged_still_waits(name: str, tmp_path: Path) -> None:
    """The second apply replaces what the restart would have brought, and not what is still in effect. Nobody else has
    staged that; but a job, which does not say what it is for, is left to run."""
    with bench(SERVERS[name], tmp_path) as one:
        there(one)
        back(one, reboot=False)
        one.more["back"] = False
        if name == "idrac":
            assert (
                "a BIOS job is open, and nothing shows that it is for this policy" in one.ask("staged")["msg"]
            )
            restart(one)
        there(one)
        assert one.bmc.machine.current == {**AT_FIRST, **WANTED}
        back(one)
        assert one.bmc.machine.current == AT_FIRST


def test_what_a_restart_has_refused_to_put_back_is_still_to_be_put_back(tmp_path: Path) -> None:
    """The service of HPE accepts every value, and the BIOS refuses some in its self-test."""
    with bench(server(HPE, AT_FIRST), tmp_path) as one:
        there(one)
        back(one, reboot=False)
        one.bmc.machine.staged.pop("Turbo")
        restart(one)
        assert one.bmc.machine.current == {**AT_FIRST, "Turbo": WANTED["Turbo"]}
        there(one)
        back(one)
        assert one.bmc.machine.current == AT_FIRST


def test_the_role_by_the_controller(tmp_path: Path) -> None:
    """Somebody chooses another profile, which sets values of its own."""
    policy = f'policy web {{ goal latency; platform {PLATFORMS[A42]}; set workload-profile low-latency because "a test"; }}'
    playbooks = role_of(policy, tmp_path)
    setup = server(HPE, before("Custom"), "ProLiant DL385 Gen10 Plus v2", rules=RULES)
    with bare_controllers({"one": setup}, *certificate(tmp_path)) as bmcs:
        host = through_controller(
            bmcs["one"], "setpoint_web", setpoint_reboot=True, setpoint_check_sockets=False
        )
        hosts = {"one": {**host, "setpoint_web_job_retries": 4}}
        machine = bmcs["one"].machine

        def run(book: str) -> None:
            done = play(playbooks / book, hosts, tmp_path / "home", "--tags", "firmware")
            assert done.failed("one") == ""

        run("site.yml")
        run("rollback.yml")
        assert machine.current == before("Custom")
        machine.current.update(before("MissionCritical"))
        run("site.yml")
        assert machine.current != before("MissionCritical")
        run("rollback.yml")
        assert machine.current == before("MissionCritical")


# ------------------------------------------------------------------------------------------- the program for hosts


@pytest.mark.parametrize("way", kernel_args.SERVERS)
def test_kernel_arguments(way: str, tmp_path: Path) -> None:
    one = kernel_args.SERVERS[way](tmp_path)
    first = one.files()
    assert (one.run().status, one.run("undo").status, one.files() == first) == (0, 0, True)
    for path, (text, _) in first.items():
        if b"quiet" in text:
            one.put(path, text.decode().replace("quiet", "quiet by_hand=1"), first[path][1] & 0o777)
    by_hand = one.files()
    assert by_hand != first
    assert (one.run().status, one.is_planned) == (0, True)
    assert one.run().status == 0
    assert (one.run("undo").status, one.files()) == (0, by_hand)


def test_the_profile_of_tuned(tmp_path: Path) -> None:
    one = tuned.Server(tmp_path)
    assert (one.run().status, one.run("undo").status) == (0, 0)
    (one.daemon / "active").write_text("powersave\n")
    one.put("etc/tuned/active_profile", "powersave\n")
    by_hand = one.picture()
    assert (one.run().status, one.is_active) == (0, True)
    assert (one.run("undo").status, one.picture()) == (0, by_hand)


VALUES = {
    "fake/proc-sys/vm/swappiness": "33",
    "fake/proc-sys/net/core/busy_poll": "7",
    f"{CPU}/cpu1/cpufreq/energy_performance_preference": "balance_power",
    f"{CPU}/cpu0/power/energy_perf_bias": "8",
}
"""Values that somebody sets, a sysctl and files of the kernel."""

TWICE = """
export SETPOINT_IGNORE="product processor sockets system distribution kernel"
cd /fake/bundle/systemd
sh ../host/setpoint-host apply systemd.plan >/dev/null && sh ../host/setpoint-host undo systemd.plan >/dev/null || echo first
{changes}
sh ../host/setpoint-host apply systemd.plan >/dev/null || echo second
cat {files}
sh ../host/setpoint-host undo systemd.plan >/dev/null || echo back
"""


def test_live_values_without_tuned(tmp_path: Path) -> None:
    root = tmp_path / "root"
    systemd_machine(root)
    put(EVERY_KIND, root / "fake/bundle")
    changes = "\n".join(f"echo {text} >/{path}" for path, text in VALUES.items())
    done = systemd_session(root, TWICE.format(changes=changes, files=" ".join(f"/{path}" for path in VALUES)))
    assert done.stdout.split() == ["10", "50", "performance", "0"], done
    assert {path: (root / path).read_text().strip() for path in VALUES} == VALUES


# ------------------------------------------------------------------------------------------------ what runs the program


def test_the_role_on_a_host(tmp_path: Path) -> None:
    book = ansible_hosts.debian(tmp_path)
    grub = "/etc/default/grub"

    def run(name: str) -> None:
        done = book.run("--tags", "boot,os", book=name)
        assert done.failed("host") == ""

    run("site.yml")
    run("rollback.yml")
    for path in (grub, "/boot/grub/grub.cfg"):
        book.system.put(path, book.system.read(path).replace("quiet", "quiet by_hand=1"))
    book.system.put("/state/active", "by-hand\n")
    book.system.put("/etc/tuned/active_profile", "by-hand\n")
    (book.system.root / "etc/tuned/by-hand").mkdir()
    book.system.put("/etc/tuned/by-hand/tuned.conf", "[main]\n")
    run("site.yml")
    assert book.system.read("/state/active") != "by-hand\n"
    run("rollback.yml")
    assert book.system.read("/state/active") == "by-hand\n"
    assert "by_hand=1" in book.system.read("/boot/grub/grub.cfg")
    assert "skew_tick" not in book.system.read("/boot/grub/grub.cfg")


def test_puppet(tmp_path: Path) -> None:
    machine = puppet.debian(tmp_path)
    for run in (puppet.roll_out, puppet.roll_back):
        assert run(machine).status == 2
    machine.put("/etc/default/grub", 'GRUB_CMDLINE_LINUX_DEFAULT="quiet skew_tick=0 by_hand=1"\n')
    machine.run("update-grub")
    by_hand = puppet.picture(machine)
    assert puppet.roll_out(machine).status == 2
    assert puppet.roll_out(machine).status == 0
    assert puppet.roll_back(machine).status == 2
    assert puppet.changed(machine, by_hand) == {}


# ------------------------------------------------------------------------------------------------- tools of the maker


def test_racadm_on_the_host(tmp_path: Path) -> None:
    """Somebody sets one value as the plan has it: the second apply does not set it, and the undo leaves it."""
    idrac = from_registry(tmp_path / "idrac", R750.capture, R750.registry(), ignore_lockdown=R750.lockdown)
    idrac.write("calls", "0")
    compiled(tmp_path / "bundle", BOOT, "racadm")

    def run(*words: str) -> None:
        for _ in range(3):
            ran = by_racadm(idrac, "--yes", *words)
            assert ran.status in (0, 3), ran.err
            idrac.restart()

    first = idrac.current()
    run()
    run("--undo")
    assert idrac.current() == first
    idrac.stage(LogicalProc="Disabled")
    idrac.write("jobs", *idrac.lines("jobs"), "JID_1|Scheduled|by hand")
    idrac.restart()
    by_hand = idrac.current()
    assert by_hand == {**first, "LogicalProc": "Disabled"}
    run()
    assert idrac.current() != by_hand
    run("--undo")
    assert idrac.current() == by_hand


def test_syscfg_on_the_host(tmp_path: Path) -> None:
    one = Host(tmp_path)

    def run(start: str, *words: str) -> None:
        ran = one.apply("--yes", *words)
        assert ran.status in (0, 3), ran.err
        one.restart(start)

    first = one.server.current()
    run("boot-2")
    run("boot-3", "--undo")
    assert one.server.current() == first
    assert one.server.syscfg("--logicproc=disable").status == 0
    one.restart("boot-4")
    by_hand = one.server.current()
    assert by_hand == {**first, "logicproc": "disable"}
    run("boot-5")
    assert one.server.current() != by_hand
    run("boot-6", "--undo")
    assert one.server.current() == by_hand
