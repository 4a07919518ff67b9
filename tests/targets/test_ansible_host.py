"""The role's layers on the host: what Ansible does to a system made of folders, with stand-ins for what it calls there.

Three systems: an Enterprise Linux 6 on a server of the 11th generation, whose Python is too old for any module; and, for a
policy that names no Linux, one that has grubby and one that has update-grub.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.ansible_run import RESTARTABLE, Run, System, play, programs
from consumers.syscfg import STAND_IN, eleventh_generation
from setpoint.compiler.lowering.target import identifier
from support.ansible import R710, R750, role_of

pytestmark = pytest.mark.xdist_group("ansible-host")

ROLE_EL6 = f"setpoint_{identifier('r710.EL6')}"

SETUP_PASSWORD = "set up $HOME'\" \\"
EL6_FUNCTIONS = 'process() { "$1"; exit $?; }\n'
EL6_GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
EL6_HUGEPAGES = "/sys/kernel/mm/redhat_transparent_hugepage/enabled"

TUNED_ADM = """\
#!/bin/sh
# tuned-adm without the daemon: `profile` notes the profile, and has it in effect as far as the tests look, unless it is `deaf`.
set -eu
state=$SYSTEM/state
case "$*" in
    active) if [ -s "$state/active" ]; then echo "Current active profile: $(cat "$state/active")"; else
        [ ! -e /etc/tune-profiles ] || { echo 'Current active profile: off'; exit; }
        echo 'No current active profile.'; exit 1; fi ;;
    off) echo "$*" >>"$state/calls"; : >"$state/active"; printf '\0\224\065\167' >/dev/cpu_dma_latency ;;
    'profile '*)
        for folder in /etc/tuned /etc/tuned/profiles /etc/tune-profiles; do
            [ -e "$folder/$2/tuned.conf" ] || continue
            echo "$*" >>"$state/calls"
            echo "$2" >"$state/active"
            [ -e "$state/deaf" ] || printf '\3\0\0\0' >/dev/cpu_dma_latency
            [ ! -x "$folder/$2/ktune.sh" ] || {
                echo performance >/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
                echo 'always madvise [never]' >/sys/kernel/mm/redhat_transparent_hugepage/enabled
            }
            exit 0
        done
        echo "Requested profile '$2' doesn't exist." >&2; exit 1 ;;
    *) exit 2 ;;
esac
"""

SYSTEMCTL = """\
#!/bin/sh
# systemctl with one unit, that is enabled and started by a file each.
set -eu
cd "$SYSTEM/state"
case "$*" in
    'is-enabled tuned') [ -e enabled ] || { echo disabled; exit 1; }; echo enabled ;;
    'is-active tuned') [ -e running ] || { echo inactive; exit 3; }; echo active ;;
    'enable tuned') : >enabled; echo "systemctl $*" >>calls ;;
    'start tuned') : >running; echo "systemctl $*" >>calls ;;
    'disable tuned') rm enabled; echo "systemctl $*" >>calls ;;
    'stop tuned') rm running; echo "systemctl $*" >>calls ;;
    *) echo "systemctl: $*" >&2; exit 2 ;;
esac
"""

UPDATE_GRUB = """\
#!/bin/sh
# update-grub with two kernels, of which the second is for rescue; `deaf` makes it write what it wrote before.
set -eu
echo update-grub >>"$SYSTEM/state/calls"
[ ! -e "$SYSTEM/state/deaf" ] || exit 0
GRUB_CMDLINE_LINUX='' GRUB_CMDLINE_LINUX_DEFAULT=''
for file in /etc/default/grub /etc/default/grub.d/*.cfg; do [ ! -e "$file" ] || . "$file"; done
cat >/boot/grub/grub.cfg <<END
menuentry 'Linux' {
	linux	/boot/vmlinuz-6.1 root=/dev/sda1 ro $GRUB_CMDLINE_LINUX $GRUB_CMDLINE_LINUX_DEFAULT
}
menuentry 'Linux (recovery mode)' {
	linux	/boot/vmlinuz-6.1 root=/dev/sda1 ro single $GRUB_CMDLINE_LINUX
}
menuentry 'Memory test' {
	linux	/boot/memtest86+x64.bin
}
END
"""


class Book(NamedTuple):
    """A role on a system: run it as often as a test asks."""

    ansible: Path
    system: System
    variables: Mapping[str, object]

    def run(self, *options: str, book: str = "site.yml", **more: object) -> Run:
        hosts = {"host": {**self.variables, **more}}
        return play(
            self.ansible / book, hosts, self.system.root.parent / "home", *options, system=self.system
        )

    def calls(self) -> list[str]:
        return self.system.read("/state/calls").splitlines()


# ------------------------------------------------------------------------------------------------- Enterprise Linux 6


@pytest.fixture
def el6(tmp_path: Path) -> Book:
    programs()
    system = System(tmp_path / "system")
    system.report(
        "PowerEdge R710", "Red Hat Enterprise Linux Server release 6.5 (Santiago)", "2.6.32-431.el6.x86_64"
    )
    server = eleventh_generation(tmp_path / "server", password=SETUP_PASSWORD)
    state = system.root / "state"
    calls = str(state / "calls")
    system.environment["SYSCFG_STATE"] = str(server.state)
    system.put("/state/kernels", "ro root=/dev/sda1 quiet\nro root=/dev/sda1 rescue\n")
    grubby = {"GRUBBY_KERNELS": str(state / "kernels"), "GRUBBY_CALLS": calls, "GRUBBY_DIALECT": "c"}
    system.program("grubby", "grubby_stand_in", **grubby)
    system.put("/state/cpuspeed/levels", "1\n")
    for name in ("chkconfig", "service"):
        system.program(name, "cpuspeed_stand_in", CPUSPEED=str(state / "cpuspeed"))
    system.program("tuned-adm", TUNED_ADM)
    system.put("/etc/tune-profiles/functions", EL6_FUNCTIONS)
    system.put(EL6_GOVERNOR, "ondemand\n")
    system.put(EL6_HUGEPAGES, "[always] madvise never\n")
    system.put("/proc/sys/vm/swappiness", "60\n")
    variables = {
        "ansible_python_interpreter": "/nowhere/python2.6",
        f"{ROLE_EL6}_syscfg": str(STAND_IN),
        "setpoint_setup_password": SETUP_PASSWORD,
    }
    return Book(role_of(R710, tmp_path), system, variables)


def test_a_host_whose_python_is_too_old_is_brought_to_the_policy(el6: Book, tmp_path: Path) -> None:
    before = el6.system.files()
    checked = el6.run("--check")
    assert checked.failed("host") == ""
    assert checked.changed("host") == [
        "Set the BIOS",
        "Set the boot loader's entries",
        "Set the cpuspeed service",
        "Set the tuned profile",
    ]
    assert "would set cstates: enable -> disable" in checked.told("host", "Show how the BIOS changed")
    shown = checked.told("host", "Show how the boot loader's entries changed")
    assert "intel_idle.max_cstate=0 is to be there, found: nothing" in shown
    assert "would run: tuned-adm profile" in checked.told("host", "Show how the tuned profile changed")
    assert el6.system.files() == before
    assert el6.calls() == ["--info=ALL"]

    first = el6.run()
    assert first.failed("host") == ""
    assert "set cstates: enable -> disable" in first.told("host", "Show how the BIOS changed")
    assert el6.system.read("/state/kernels").count("intel_idle.max_cstate=0") == 2
    assert el6.system.read("/state/cpuspeed/levels") == "12345\n"
    assert el6.system.read("/state/active") == "setpoint-r710.EL6\n"
    role = el6.ansible / "roles" / ROLE_EL6 / "files" / "r710.EL6/tuned" / "setpoint-r710.EL6"
    for file in sorted(role.iterdir()):
        copied = el6.system.root / "etc" / "tune-profiles" / role.name / file.name
        assert copied.read_bytes() == file.read_bytes()
        assert copied.stat().st_mode == file.stat().st_mode
    assert "BIOS, kernel arguments" in first.told("host", "Tell what waits for a restart")

    again = el6.run()
    assert (again.failed("host"), again.changed("host")) == ("", [])
    assert "pending" in el6.run(book="verify.yml").failed("host")

    _restart(el6.system, tmp_path / "server")
    assert el6.run(book="verify.yml").failed("host") == ""

    el6.system.put(EL6_GOVERNOR, "ondemand\n")
    drifted = el6.run("--tags", "os", "--check")
    assert (drifted.failed("host"), drifted.changed("host")) == ("", ["Show what would change"])
    assert "performance is wanted, found: ondemand" in drifted.told("host", "Show what would change")
    assert el6.run("--tags", "os").failed("host") == ""
    assert el6.system.read(EL6_GOVERNOR) == "performance\n"
    assert all(SETUP_PASSWORD[:9] not in run.said for run in (checked, first, again))


def _restart(system: System, server: Path) -> None:
    """What a restart of the server makes of what was set."""
    for pending in (server / "state" / "pending").iterdir():
        pending.replace(server / "state" / "current" / pending.name)
    system.put("/proc/sys/kernel/random/boot_id", "second\n")
    system.put("/proc/cmdline", system.read("/state/kernels").splitlines()[0] + "\n")


def test_without_the_setup_password_nothing_is_set_and_the_run_fails(el6: Book) -> None:
    run = el6.run("--tags", "firmware", setpoint_setup_password="wrong")
    assert "the setup password is set, and was not given or is not right" in run.failed("host")
    assert "all settings are as they were before this run" in run.failed("host")


def test_a_profile_that_is_not_in_force_fails(el6: Book) -> None:
    el6.system.put("/etc/tune-profiles/functions", 'process() { echo "swappiness drifted"; exit 3; }\n')
    run = el6.run("--tags", "os")
    assert run.failed("host").startswith("Show how the tuned profile changed")
    assert "swappiness drifted" in run.said


# ------------------------------------------------------------------------------------------- a Linux that is not named


def _modern(folder: Path) -> Book:
    programs()
    system = System(folder / "system")
    system.program("tuned-adm", TUNED_ADM)
    system.program("systemctl", SYSTEMCTL)
    system.put("/etc/tuned/active_profile", "")
    (system.root / "run/systemd/system").mkdir(parents=True)
    return Book(role_of(R750, folder), system, {})


@pytest.fixture
def fedora(tmp_path: Path) -> Book:
    """A system that has grubby, and a tuned that keeps profiles in a folder of their own."""
    book = _modern(tmp_path)
    state = book.system.root / "state"
    (book.system.root / "etc" / "tuned" / "profiles").mkdir()
    grubby = {
        "GRUBBY_KERNELS": str(state / "kernels"),
        "GRUBBY_CALLS": str(state / "calls"),
        "GRUBBY_DIALECT": "bls",
    }
    book.system.program("grubby", "grubby_stand_in", **grubby)
    book.system.put("/state/kernels", "ro root=/dev/sda1 intel_idle.max_cstate=9\n")
    return book


@pytest.fixture
def debian(tmp_path: Path) -> Book:
    """A system that has update-grub."""
    book = _modern(tmp_path)
    book.system.program("update-grub", UPDATE_GRUB)
    book.system.put("/etc/default/grub", 'GRUB_CMDLINE_LINUX_DEFAULT="quiet intel_idle.max_cstate=9"\n')
    book.system.put("/boot/grub/grub.cfg", "\tlinux\t/boot/vmlinuz-6.1 root=/dev/sda1 ro quiet\n")
    return book


HOST = ("--tags", "boot,os")
DRIFT = "Set the tuned profile"


def test_where_there_is_grubby_the_role_uses_it(fedora: Book) -> None:
    before = fedora.system.files()
    checked = fedora.run("--check", "--diff", *HOST)
    assert checked.failed("host") == ""
    assert checked.changed("host") == ["Set the boot loader's entries", "Set the tuned profile"]
    assert fedora.system.files() == before

    first = fedora.run(*HOST)
    assert first.failed("host") == ""
    assert fedora.system.read("/state/kernels").split() == ["ro", "root=/dev/sda1", *_words(fedora)]
    assert fedora.system.read("/etc/tuned/profiles/setpoint-r750-any/tuned.conf").startswith(
        "# Policy r750-any"
    )
    assert fedora.calls()[-3:] == [
        "systemctl enable tuned",
        "systemctl start tuned",
        "profile setpoint-r750-any",
    ]

    again = fedora.run(*HOST)
    assert (again.failed("host"), again.changed("host")) == ("", [])


def test_where_there_is_update_grub_the_role_puts_a_drop_in(debian: Book) -> None:
    before = debian.system.files()
    checked = debian.run("--tags", "boot", "--check")
    assert checked.failed("host") == ""
    assert checked.changed("host") == ["Set the boot loader's entries"]
    assert "would run: update-grub" in checked.told("host", "Show how the boot loader's entries changed")
    assert (debian.system.files(), debian.calls()) == (before, [])

    first = debian.run("--tags", "boot")
    assert first.failed("host") == ""
    lines = [line for line in debian.system.read("/boot/grub/grub.cfg").splitlines() if "root=" in line]
    assert [line.split()[3:] for line in lines] == [
        ["ro", *_words(debian), "quiet"],
        ["ro", "single", *_words(debian)],
    ]
    again = debian.run("--tags", "boot")
    assert (again.failed("host"), again.changed("host")) == ("", [])
    assert debian.calls() == ["update-grub"]


def _words(book: Book) -> list[str]:
    """The arguments of the policy."""
    script = book.ansible / "roles" / "setpoint_r750_any" / "files" / "r750-any/kernel-args/grubby.sh"
    line = next(one for one in script.read_text(encoding="utf-8").splitlines() if one.startswith("wanted='"))
    return line.removeprefix("wanted='").removesuffix("'").split()


def test_an_update_grub_that_does_nothing_is_found_out(debian: Book) -> None:
    debian.system.put("/state/deaf", "")
    run = debian.run("--tags", "boot")
    assert "update-grub reported success, but" in run.failed("host")
    assert "all is as it was before this run" in run.failed("host")


def test_a_later_drop_in_that_says_otherwise_is_found_out(debian: Book) -> None:
    """The kernel takes the last of a name, and GRUB_CMDLINE_LINUX_DEFAULT comes last."""
    debian.system.put(
        "/etc/default/grub.d/99-local.cfg", "GRUB_CMDLINE_LINUX_DEFAULT='intel_idle.max_cstate=9'\n"
    )
    failed = debian.run("--tags", "boot").failed("host")
    assert "update-grub reported success, but" in failed
    assert "found: intel_idle.max_cstate=9" in failed


def test_a_tuned_that_cannot_keep_the_profile_is_found_out(debian: Book) -> None:
    debian.system.put("/state/deaf", "")
    failed = debian.run("--tags", "os").failed("host")
    assert failed.startswith("Show how the tuned profile changed") and "nobody asks for 3 us" in failed


def test_a_profile_that_something_else_has_changed_is_activated_again(fedora: Book) -> None:
    """It is active, and what it sets is not in force."""
    assert fedora.run("--tags", "os").failed("host") == ""
    fedora.system.hold_latency(2000000000)
    before = fedora.system.files()
    checked = fedora.run("--tags", "os", "--check")
    assert (checked.failed("host"), checked.changed("host")) == ("", [DRIFT])
    assert "nobody asks for 3 us" in checked.told("host", "Show how the tuned profile changed")
    assert (fedora.system.files(), fedora.calls().count("profile setpoint-r750-any")) == (before, 1)

    mended = fedora.run("--tags", "os")
    assert mended.failed("host") == ""
    assert fedora.calls().count("profile setpoint-r750-any") == 2
    assert fedora.run("--tags", "os").changed("host") == []


def test_a_host_that_runs_from_an_image_is_left_alone(fedora: Book) -> None:
    fedora.system.put("/run/ostree-booted", "")
    run = fedora.run("--tags", "boot")
    assert "put kernel-args/kargs.d/50-setpoint.toml of the bundle into the image" in run.failed("host")
    assert fedora.calls() == []
    fedora.system.put("/proc/cmdline", f"ro {' '.join(_words(fedora))}\n")
    assert fedora.run("--tags", "boot").failed("host") == ""


def test_a_layer_that_is_not_asked_for_asks_for_nothing(fedora: Book) -> None:
    """The iDRAC's account is needed for the BIOS alone; without one that fails before anything is asked."""
    run = fedora.run("--tags", "firmware")
    assert "setpoint_bmc_host, setpoint_bmc_user and setpoint_bmc_password" in run.failed("host")


def test_a_restart_for_one_layer_asks_nothing_of_the_others(fedora: Book) -> None:
    """Neither before it nor after it: not of the iDRAC, to which there is no account, and not of tuned."""
    chosen = {"--tags": "boot", "--skip-tags": "firmware,os"}
    for option, layers in chosen.items():
        for without in ("/state/kernels", "/proc/cmdline"):
            fedora.system.put(without, "ro root=/dev/sda1 quiet\n")
        run = fedora.run(option, layers, setpoint_reboot=True, **RESTARTABLE)
        assert run.failed("host") == ""
        done = [task.name for task in run.tasks["host"]]
        restarted = done.index("Restart through the operating system")
        assert [name for name in done[restarted + 1 :] if name.startswith("Compare")] == [
            "Compare the running kernel with the policy"
        ]
        assert fedora.calls().count("shutdown -r") == list(chosen).index(option) + 1
        assert "tuned-adm" not in run.said
