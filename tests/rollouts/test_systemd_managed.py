"""Ansible and Puppet put the files for servers without tuned in their places, find nothing more to do, and take them
back."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumers.ansible_run import System, programs
from consumers.puppet_machine import Machine
from consumers.systemd_machine import HERE
from setpoint.compiler.lowering.target import identifier
from support.ansible import role_of
from support.ansible_hosts import Book
from support.plans import planned
from support.puppet import changes, put

POLICY = (
    "policy web { goal latency; cpu skylake; os debian 12; tuned unused; workload comm-bound;"
    'set skew-tick off because "no restart"; }'
)
NAME = f"setpoint_{identifier('web')}"
UDEVADM = "#!/bin/sh\n# udevadm, for a plan without rules.\n"
GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
VALUES = {
    GOVERNOR: "powersave",
    GOVERNOR.replace("scaling_governor", "scaling_available_governors"): "powersave performance",
    "/sys/kernel/mm/transparent_hugepage/enabled": "always",
}
SYSCTLS = {"vm/swappiness": "60", "vm/dirty_ratio": "20", "vm/dirty_background_ratio": "10"}
SYSTEMCTL = (HERE / "systemd_systemctl_stand_in").read_text(encoding="utf-8")


def test_ansible_sets_them_once_verifies_and_takes_them_back(tmp_path: Path) -> None:
    programs()
    system = System(tmp_path / "system")
    system.program("systemctl", SYSTEMCTL)
    system.program("udevadm", UDEVADM)
    (system.root / "run/systemd/system").mkdir(parents=True)
    for path, text in {**VALUES, **{f"/proc/sys/{name}": text for name, text in SYSCTLS.items()}}.items():
        system.put(path, f"{text}\n")
    checks = {
        f"setpoint_check_{kind}": False for kind in ("product", "sockets", "system", "kernel", "distribution")
    }
    book = Book(role_of(POLICY, tmp_path), system, checks)
    before = system.files()

    first = book.run("--tags", "os")
    assert (first.failed("host"), first.changed("host")) == ("", ["Set the files for systemd"])
    assert system.read(GOVERNOR) == "performance\n"
    assert system.read("/proc/sys/vm/swappiness") == "10\n"
    again = book.run("--tags", "os")
    assert (again.failed("host"), again.changed("host")) == ("", [])
    assert book.run("--tags", "os", book="verify.yml").failed("host") == ""
    back = book.run("--tags", "os", book="rollback.yml")
    assert back.failed("host") == ""
    after = {path: content for path, content in system.files().items() if not path.startswith("/var/lib")}
    assert {path: content for path, content in before.items() if after.get(path) != content} == {}


@pytest.mark.repeated  # by what Puppet does with the script of tuned
def test_puppet_sets_them_once_and_takes_them_back(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "Debian", "12")
    machine.hide("programs/tuned-adm")
    machine.put("/programs/systemctl", SYSTEMCTL, mode=0o755)
    machine.put("/programs/udevadm", UDEVADM, mode=0o755)
    (machine.root / "run/systemd/system").mkdir(parents=True)
    for path, text in {
        **VALUES,
        **{f"/state/proc-sys/{name}": text for name, text in SYSCTLS.items()},
    }.items():
        machine.put(path, f"{text}\n")
    put(planned(POLICY), machine.root / "modules")

    first = machine.apply(f"class {{ '{NAME}': check_product => false, kernel_arguments_by => 'by-hand' }}")
    assert (first.status, "Exec[setpoint: files for systemd]" in changes(first.said)) == (2, True), first.said
    assert machine.read(GOVERNOR) == "performance\n"
    assert machine.read("/state/proc-sys/vm/swappiness") == "10\n"
    again = machine.apply(f"class {{ '{NAME}': check_product => false, kernel_arguments_by => 'by-hand' }}")
    assert (again.status, changes(again.said)) == (0, set()), again.said
    back = machine.apply(f"class {{ '{NAME}': ensure => 'absent', kernel_arguments_by => 'by-hand' }}")
    assert back.status == 2, back.said
    assert (machine.read(GOVERNOR), machine.read("/state/proc-sys/vm/swappiness")) == ("powersave\n", "60\n")
    assert machine.read(f"/etc/sysctl.d/90-{NAME}.conf") == ""
