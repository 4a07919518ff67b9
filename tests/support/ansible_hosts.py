"""Hosts that the role sets all layers of: systems made of folders, with stand-ins for what the scripts call there.

    el6(folder)       Enterprise Linux 6 on a server of the 11th generation, whose Python is too old for any module
    fedora(folder)    a system that has grubby, for a policy that names no Linux
    debian(folder)    one that has update-grub
    sles(folder)      SLES 15, with pbl, for a policy that names it
    ubuntu(folder)    Ubuntu 24.04, with update-grub, for a policy that names it

Each is a `Book`: the role of a policy with its playbooks, and the system to run them on.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from consumers import el6_machine
from consumers.ansible_run import Run, System, play, programs
from consumers.syscfg import STAND_IN, eleventh_generation
from setpoint.compiler.lowering.target import identifier
from support.ansible import R710, R750, role_of
from support.shell import stand_in

ROLE_EL6 = f"setpoint_{identifier('r710.EL6')}"
SETUP_PASSWORD = "set up $HOME'\" \\"

EL6_KERNELS = "ro root=/dev/sda1 quiet\nro root=/dev/sda1 rescue\n"
CPUSPEED = Path(el6_machine.__file__).with_name("cpuspeed_stand_in")

TUNED_ADM = """\
#!/bin/sh
# tuned-adm without the daemon: `profile` notes the profile, and has it in effect as far as the tests look, unless it is `deaf`.
set -eu
state=$SYSTEM/state
case "$*" in
    active) if [ -s "$state/active" ]; then echo "Current active profile: $(cat "$state/active")"; else
        echo 'No current active profile.'; exit 1; fi ;;
    off) echo "$*" >>"$state/calls"; : >"$state/active"; printf '\0\224\065\167' >/dev/cpu_dma_latency ;;
    'profile '*)
        for folder in /etc/tuned /etc/tuned/profiles; do
            [ -e "$folder/$2/tuned.conf" ] || continue
            echo "$*" >>"$state/calls"
            echo "$2" >"$state/active"
            [ -e "$state/deaf" ] || printf '\3\0\0\0' >/dev/cpu_dma_latency
            exit 0
        done
        echo "Requested profile '$2' doesn't exist." >&2; exit 1 ;;
    *) exit 2 ;;
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


def el6(folder: Path) -> Book:
    """Enterprise Linux 6 on an R710: syscfg, grubby, cpuspeed, tuned 0.2 with a profile of the site's active."""
    programs()
    system = System(folder / "system")
    system.report(
        "PowerEdge R710", "Red Hat Enterprise Linux Server release 6.5 (Santiago)", "2.6.32-431.el6.x86_64"
    )
    server = eleventh_generation(folder / "server", password=SETUP_PASSWORD)
    state = system.root / "state"
    system.environment |= {
        "SYSCFG_STATE": str(server.state),
        # The scripts look at the folder itself: part of what they change is where the sandbox has this machine's files.
        "SETPOINT_ROOT": str(system.root),
        "CPUSPEED": str(state / "cpuspeed"),
    }
    system.put("/state/kernels", EL6_KERNELS)
    grubby = {"GRUBBY_KERNELS": str(state / "kernels"), "GRUBBY_CALLS": str(state / "calls")}
    system.program("grubby", "grubby_stand_in", GRUBBY_DIALECT="c", **grubby)
    system.put("/state/cpuspeed/levels", "1\n")
    stand_in(state / "programs/cpuspeed", CPUSPEED, "chkconfig", "service")
    stand_in(state / "programs/others", el6_machine.STAND_IN, "chkconfig", "service")
    for name in ("chkconfig", "service"):
        system.program(name, el6_machine.BY_SERVICE.format(folder=state / "programs", name=name))
    system.program("tuned-adm", "el6_stand_in")
    el6_machine.build(system.root)
    path = os.pathsep.join([str(system.root / "programs"), "/usr/bin", "/bin"])
    for command in el6_machine.begin("site"):
        subprocess.run(
            ["/bin/sh", "-c", command],
            env={"PATH": path, **system.environment},
            capture_output=True,
            check=True,
        )
    variables = {
        "ansible_python_interpreter": "/nowhere/python2.6",
        f"{ROLE_EL6}_syscfg": str(STAND_IN),
        "setpoint_setup_password": SETUP_PASSWORD,
    }
    return Book(role_of(R710, folder), system, variables)


def restart_el6(book: Book) -> None:
    """Restart it: what was set in the BIOS and for the kernel is in effect."""
    state = Path(book.system.environment["SYSCFG_STATE"])
    for pending in (state / "pending").iterdir():
        pending.replace(state / "current" / pending.name)
    boot = book.system.read("/proc/sys/kernel/random/boot_id").strip()
    book.system.put("/proc/sys/kernel/random/boot_id", f"{boot}-and-another\n")
    book.system.put("/proc/cmdline", book.system.read("/state/kernels").splitlines()[0] + "\n")


def _modern(folder: Path, policy: str = R750) -> Book:
    programs()
    system = System(folder / "system")
    system.program("tuned-adm", TUNED_ADM)
    system.program("systemctl", "systemctl_stand_in")
    system.put("/etc/tuned/active_profile", "")
    (system.root / "run/systemd/system").mkdir(parents=True)
    return Book(role_of(policy, folder), system, {})


def fedora(folder: Path) -> Book:
    """A system that has grubby, and a tuned that keeps profiles in a folder of their own."""
    book = _modern(folder)
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


def debian(folder: Path) -> Book:
    """A system that has update-grub."""
    return _with_update_grub(_modern(folder))


def _with_update_grub(book: Book) -> Book:
    book.system.program("update-grub", UPDATE_GRUB)
    book.system.put("/etc/default/grub", 'GRUB_CMDLINE_LINUX_DEFAULT="quiet intel_idle.max_cstate=9"\n')
    book.system.put("/boot/grub/grub.cfg", "\tlinux\t/boot/vmlinuz-6.1 root=/dev/sda1 ro quiet\n")
    return book


SLES = "policy sles { goal latency; platform r750; sockets 2; os sles 15; }"
UBUNTU = "policy ubuntu { goal latency; platform r750; sockets 2; os ubuntu 24.04; }"


def sles(folder: Path) -> Book:
    """SLES 15: pbl changes the defaults of GRUB, and makes grub.cfg of them, with two kernels."""
    book = _modern(folder, SLES)
    book.system.report("PowerEdge R750", "sles 15.6", "6.4.0-150600.21-default")
    book.system.program("pbl", "pbl_stand_in")
    book.system.put("/etc/sysconfig/bootloader", "grub2-efi\n")
    book.system.put("/etc/default/grub", 'GRUB_CMDLINE_LINUX_DEFAULT="quiet intel_idle.max_cstate=9"\n')
    kernel = "\tlinux\t/boot/vmlinuz-{} root=/dev/sda1  quiet intel_idle.max_cstate=9\n"
    book.system.put("/boot/grub2/grub.cfg", kernel.format("6.4") + kernel.format("5.14"), 0o600)
    return book


def ubuntu(folder: Path) -> Book:
    """Ubuntu 24.04, whose cloud images have a drop-in of their own behind the defaults."""
    book = _with_update_grub(_modern(folder, UBUNTU))
    book.system.report("PowerEdge R750", "ubuntu 24.04", "6.8.0-45-generic")
    book.system.put("/etc/default/grub.d/50-cloudimg-settings.cfg", "GRUB_TIMEOUT=0\n")
    return book
