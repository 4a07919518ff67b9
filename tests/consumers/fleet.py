"""A fleet to roll out to: each server has an emulated iDRAC, and a Debian made of folders that its Ansible connection
leads to.

What a restart through the BMC does to the operating system happens in `started`, between the commands of a test: the
kernel then has the line that the boot loader has for it.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from consumers.ansible_run import HERE, System, programs, settings
from consumers.redfish_service import certificate
from idrac import PASSWORD, USER, Behaviour, Controller, controllers

LIVE = {
    "/proc/sys/net/core/busy_read": "0",
    "/proc/sys/net/core/busy_poll": "0",
    "/proc/sys/vm/dirty_background_ratio": "10",
    "/proc/sys/vm/dirty_ratio": "20",
    "/proc/sys/vm/swappiness": "60",
    "/proc/sys/kernel/numa_balancing": "1",
    "/sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never",
}
"""What a Debian has before anybody tunes it, as far as the kernel of a virtual server shows it."""


class Server(NamedTuple):
    """A server: its iDRAC, and its operating system."""

    bmc: Controller
    system: System

    def snapshot(self) -> dict[str, object]:
        """What a rollback has to bring back: the BIOS, the kernel's line, the files of /etc, and live values."""
        kept = ("etc/", "proc/sys/vm/", "proc/sys/net/", "sys/kernel/mm/")
        files = {path: text for path, text in self.system.files().items() if path.startswith(kept)}
        return {"bios": dict(self.bmc.machine.current), "line": self.system.read("/proc/cmdline"), **files}


class Fleet(NamedTuple):
    """The servers by name."""

    servers: dict[str, Server]
    boots: dict[str, int]

    def started(self) -> None:
        """Have the operating systems of servers that were restarted since the last call start anew."""
        for name, (bmc, system) in self.servers.items():
            if bmc.machine.boots > self.boots[name]:
                self.boots[name] = bmc.machine.boots
                line = next(
                    each for each in system.read("/boot/grub/grub.cfg").splitlines() if "\tlinux\t" in each
                )
                system.put("/proc/cmdline", f"BOOT_IMAGE={line.split(None, 1)[1]}\n")
                system.put("/proc/sys/kernel/random/boot_id", f"boot-{bmc.machine.boots}\n")


@contextmanager
def fleet(folder: Path, behaviours: Mapping[str, Behaviour]) -> Iterator[Fleet]:
    """Run the fleet."""
    programs()
    folder.mkdir(parents=True, exist_ok=True)
    with controllers(behaviours, *certificate(folder)) as bmcs:
        servers = {name: Server(bmc, _debian(folder / name, behaviours[name])) for name, bmc in bmcs.items()}
        yield Fleet(servers, dict.fromkeys(servers, 0))


def _debian(folder: Path, behaviour: Behaviour) -> System:
    system = System(folder)
    system.report(behaviour.model, "debian 12", "6.1.0-18-amd64", sockets=behaviour.processors)
    for path, text in LIVE.items():
        system.put(path, f"{text}\n")
    system.put("/etc/tuned/active_profile", "")
    system.put("/etc/default/grub", "GRUB_CMDLINE_LINUX_DEFAULT=quiet\n")
    system.put("/proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz-6.1 root=/dev/sda1 ro  quiet\n")
    (system.root / "run/systemd/system").mkdir(parents=True)
    system.program("systemctl", "systemctl_stand_in")
    system.program("tuned-adm", "tuned_adm_stand_in", TUNED_ADM=str(system.root / "state"))
    system.program("update-grub", "update_grub_stand_in", GRUB_CFG="/boot/grub/grub.cfg")
    system.put(
        "/boot/grub/grub.cfg",
        "menuentry 'Debian GNU/Linux' {\n\tlinux\t/boot/vmlinuz-6.1 root=/dev/sda1 ro  quiet\n}\n",
    )
    lines = (f"{name}={value}" for name, value in system.environment.items())
    system.put("/environment", "\n".join(lines) + "\n")
    return system


def inventory_of(found: Fleet, folder: Path, role: str) -> None:
    """Beside an inventory in `folder`: where its servers are here, and how they are reached."""
    common = {
        "setpoint_bmc_user": USER,
        "setpoint_bmc_password": PASSWORD,
        "ansible_become": False,
        f"{role}_job_delay": 0,
        f"{role}_read_delay": 0,
    }
    _write(folder / "group_vars/all.json", common)
    _write(folder / "host_vars/localhost.json", {"ansible_python_interpreter": str(HERE / "module_client")})
    for name, (bmc, system) in found.servers.items():
        here = {
            "setpoint_bmc_host": bmc.address,
            "setpoint_bmc_ca": str(bmc.ca),
            "setpoint_check_server": False,
            "ansible_connection": "stand_in",
            "stand_in_system": str(system.root),
        }
        _write(folder / f"host_vars/{name}.json", here)


def _write(path: Path, variables: Mapping[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(variables), encoding="utf-8")


def ansible_playbook(folder: Path) -> str:
    """A script that is ansible-playbook for these inventories, with its own files in `folder`."""
    words = [f"{name}={shlex.quote(value)}" for name, value in settings(folder).items()]
    python = shlex.quote(str(programs() / "python"))
    parts = [
        f"{python} {HERE}/module_server.py",
        '"$folder/socket"',
        f"{python} {HERE}/ansible_in_process.py",
    ]
    return (
        "#!/bin/sh\nfolder=$(mktemp -d)\ntrap 'rm -rf \"$folder\"' EXIT\n"
        f"export {' '.join(words)} PATH={shlex.quote(str(programs()))}{os.pathsep}$PATH\n"
        f'{" ".join(parts)} "$@"\n'
    )
