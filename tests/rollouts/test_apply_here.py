"""`setpoint apply` by --local, --ssh and --firmware-by with real changes: the real grub-mkconfig writes the boot menu,
racadm and syscfg set the BIOS.

The boot loader is that of a server that is made up (`consumers.grub`), in a mount namespace of its own. The iDRAC is
made of files, of a captured server, with a stand-in for racadm, and so is the server of the 11th generation with one
for syscfg. Both stand-ins are written from Dell's documents (`consumers.racadm`, `consumers.syscfg`).
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from consumers.grub import grub_cfg, session
from consumers.racadm import Idrac, from_registry
from consumers.requirement import require
from consumers.syscfg import eleventh_generation
from support.command import ROOT, Ran
from support.machines import R750
from support.rehearsed import compiled
from support.shell import EVERY_CHECK

PASSED_OVER = [f"--pass-over={name}" for name in EVERY_CHECK.split()]
BOOT = "policy web { goal latency; platform r750; sockets 2; os debian 12; }"
GRUB = 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"\n'


OVER_SSH = """
import os, subprocess, sys
from pathlib import Path
from consumers.ssh_server import ssh_server
with ssh_server(Path(sys.argv[1]), {"PATH": os.environ["PATH"]}) as host:
    words = " ".join(f"--ssh-option {one}" for one in host.options)
    subprocess.run(["sh", sys.argv[2]], env={**os.environ, "WAY": f"--ssh root@127.0.0.1 {words}"}, check=True)
"""
"""Run steps where they reach the server by a real sshd, which is on it."""


def on_a_server(folder: Path, way: str, *steps: str) -> list[str]:
    """What a shell prints, of these steps on a server with Debian's boot loader: `apply` is the command with the
    bundle."""
    bundle = compiled(folder / "bundle", BOOT, "kernel-args")
    grub_cfg(folder / "server", {"grub": GRUB, "grub.d/10-site.cfg": ""})
    words = ["-m", "setpoint.compiler", "apply", str(bundle), *PASSED_OVER]
    script = f'apply() {{ {sys.executable} {shlex.join(words)} $WAY "$@" 2>&1; echo "status $?"; }}\n'
    script += "menu() { grep -o 'skew_tick=1' /boot/grub/grub.cfg | sort -u; ls /etc/default/grub.d; }\n"
    (folder / "steps").write_text(script + "\n".join(steps) + "\n", encoding="utf-8")
    go = "mount -t tmpfs none /var/lib\n"  # where the program keeps what it has found
    go += f"cd {ROOT}\nexport PYTHONPATH={shlex.quote(os.pathsep.join((f'{ROOT}/.dev', f'{ROOT}/tests')))}\n"
    here = ["env", "WAY=--local", "sh", str(folder / "steps")]
    there = [sys.executable, "-c", OVER_SSH, str(folder / "ssh"), str(folder / "steps")]
    go += shlex.join(here if way == "local" else there)
    (folder / "go").write_text(f"{go}\n", encoding="utf-8")
    return session(folder / "server", folder / "go").splitlines()


@pytest.mark.parametrize("way", ["local", "ssh"])
def test_the_boot_menu_of_a_server_is_written_and_put_back(way: str, tmp_path: Path) -> None:
    """In a question that nobody can answer nothing is changed."""
    look = "md5sum </boot/grub/grub.cfg"
    before, *said, after = on_a_server(
        tmp_path,
        way,
        look,
        "apply",
        "menu",
        "apply --yes",
        "menu",
        "apply --yes",
        "apply --yes --undo",
        "menu",
        look,
    )
    text = "\n".join(said)
    refused, first, second, undone, _ = text.split("status ")
    assert "there is no terminal to ask on before something is changed" in refused
    assert first.startswith("2\n10-site.cfg\n"), "the menu is as it was"
    assert "kernel-args: would run: update-grub" in first
    assert first.rstrip().endswith("1 ok, 32 not-compared, 3 pending")
    assert second.startswith("3\nskew_tick=1\n10-site.cfg\n50-setpoint.cfg\n")
    assert "would" not in second, "what only waits for a restart is not done again"
    assert undone.rstrip().endswith("3 rolled-back, 1 ok, 32 not-compared")
    assert text.endswith("status 0\n10-site.cfg")
    assert after == before


# ---------------------------------------------------------------------------------------------------------- racadm


@pytest.fixture
def idrac(tmp_path: Path) -> Idrac:
    """The iDRAC of a captured server."""
    made = from_registry(tmp_path / "idrac", R750.capture, R750.registry(), ignore_lockdown=R750.lockdown)
    made.write("calls", "0")
    return made


def by_racadm(idrac: Idrac, *words: str) -> Ran:
    """Run the command on the server of this iDRAC."""
    return on_the_host("racadm", idrac.folder, {"RACADM_STATE": str(idrac.state)}, *words)


def on_the_host(
    tool: str, folder: Path, environment: Mapping[str, str], *words: str, binds: Mapping[Path, str] = {}
) -> Ran:
    """Run the command by a tool that stands in `bin` of a folder, which also has what the command keeps. `binds` are
    files in the place of others."""
    kept = folder / "var"
    kept.mkdir(exist_ok=True)
    bundle = str(folder.parent / "bundle")
    choice = ["--local", "--firmware-by", tool, *PASSED_OVER]
    command = [sys.executable, "-m", "setpoint.compiler", "apply", bundle, *choice, *words]
    mounts = [
        f"mount --bind {shlex.quote(str(one))} {there}" for one, there in {kept: "/var/lib", **binds}.items()
    ]
    script = " && ".join(["mount --make-rprivate /", *mounts, f"exec {shlex.join(command)}"])
    path = os.pathsep.join([str(folder / "bin"), "/usr/sbin:/usr/bin:/sbin:/bin"])
    mapped = [] if os.geteuid() == 0 else ["--map-root-user"]
    done = subprocess.run(
        [str(require("unshare")), *mapped, "--mount", "sh", "-c", script],
        env={**os.environ, "PATH": path, **environment, "SETPOINT_PATIENCE": "0"},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def firmware(ran: Ran) -> dict[str, int]:
    """How many settings of the firmware have which state."""
    (report,) = json.loads(ran.out)["servers"]
    states = [one["state"] for one in report["results"] if one["layer"] == "firmware"]
    return {state: states.count(state) for state in dict.fromkeys(sorted(states))}


def test_the_firmware_is_set_by_racadm_on_the_host_and_put_back(idrac: Idrac, tmp_path: Path) -> None:
    """What is staged waits for a restart of the operator, on the way there and on the way back."""
    compiled(tmp_path / "bundle", BOOT, "racadm")
    before = idrac.current()
    assert by_racadm(idrac, "--check").status == 3
    assert (idrac.pending(), idrac.jobs()) == ({}, [])
    ran = by_racadm(idrac, "--yes", "--format", "json")
    assert (ran.status, ran.err, firmware(ran)) == (3, "", {"not-compared": 1, "ok": 7, "pending": 13})
    assert (len(idrac.pending()), len(idrac.jobs())) == (13, 1)
    assert "LogicalProc" in idrac.pending()
    idrac.restart()
    ran = by_racadm(idrac, "--yes", "--format", "json")
    assert (ran.status, ran.err, firmware(ran)) == (0, "", {"not-compared": 1, "ok": 20})
    ran = by_racadm(idrac, "--yes", "--undo", "--format", "json")
    assert (ran.status, ran.err, firmware(ran)) == (3, "", {"not-compared": 1, "ok": 17, "pending": 3})
    assert idrac.current() != before
    idrac.restart()
    assert idrac.current() == before
    again = by_racadm(idrac, "--yes", "--undo")
    assert (again.status, again.err) == (0, "")
    assert "nothing to put back: no old values of racadm are kept in /var/lib/setpoint" in " ".join(
        again.out.split()
    )


def test_an_undo_that_failed_has_put_nothing_back(idrac: Idrac, tmp_path: Path) -> None:
    compiled(tmp_path / "bundle", BOOT, "racadm")
    assert by_racadm(idrac, "--yes").status == 3
    idrac.restart()
    idrac.accept("LogicalProc", "Disabled")
    ran = by_racadm(idrac, "--yes", "--undo", "--format", "json")
    assert (ran.status, firmware(ran)) == (4, {"not-compared": 1, "ok": 20})
    assert "could not stage LogicalProc=Enabled" in " ".join(ran.err.split())
    assert "left with: racadm: failed; nothing of it is changed" in ran.err


# ---------------------------------------------------------------------------------------------------------- syscfg

ELEVENTH = (
    "policy web { goal latency; platform r710; cpu westmere; workload comm-bound; sockets 2; os debian 12; }"
)


class Host:
    """A server of the 11th generation, which has no service, with a kernel that knows when it was started."""

    def __init__(self, folder: Path) -> None:
        self.server = eleventh_generation(folder / "server")
        self.boot_id = folder / "boot_id"
        self.boot_id.write_text("boot-1\n", encoding="utf-8")
        compiled(folder / "bundle", ELEVENTH, "syscfg")

    def apply(self, *words: str, **faults: str) -> Ran:
        """Run the command on it."""
        environment = {**self.server.environment, "SYSCFG_FAIL_AT": "", "SYSCFG_LOSE_AT": "", **faults}
        environment.pop("PATH")
        binds = {self.boot_id: "/proc/sys/kernel/random/boot_id"}
        return on_the_host("syscfg", self.server.folder, environment, *words, binds=binds)

    def restart(self, start: str) -> None:
        """Let what was set take effect, with this start."""
        self.server.reboot()
        self.boot_id.write_text(f"{start}\n", encoding="utf-8")


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A server at the defaults of the paper."""
    return Host(tmp_path)


def test_the_firmware_is_set_by_syscfg_on_the_host_and_put_back(host: Host) -> None:
    """syscfg shows a value at once as it was set, though it is in effect only after a restart: no report takes one for
    the other."""
    before = host.server.current()
    assert (host.apply("--check").status, host.server.writes()) == (3, 0)
    ran = host.apply("--yes", "--format", "json")
    assert (ran.status, ran.err, firmware(ran)) == (3, "", {"not-compared": 4, "ok": 2, "pending": 3})
    assert host.server.pending() == {"cstates": "disable", "logicproc": "disable", "power": "maxperformance"}
    host.restart("boot-2")
    ran = host.apply("--yes", "--format", "json")
    assert (ran.status, ran.err, firmware(ran)) == (0, "", {"not-compared": 4, "ok": 5})
    ran = host.apply("--yes", "--undo", "--format", "json")
    assert (ran.status, ran.err, firmware(ran)) == (3, "", {"not-compared": 4, "ok": 2, "pending": 3})
    assert host.server.current() != before
    host.restart("boot-3")
    assert host.server.current() == before
    again = host.apply("--yes", "--undo")
    assert (again.status, again.err) == (0, "")
    assert "nothing to put back: that was done" in again.out


def test_a_write_that_syscfg_refuses_leaves_the_firmware_as_it_was(host: Host) -> None:
    before = host.server.staged()
    ran = host.apply("--yes", SYSCFG_FAIL_AT="2")
    assert ran.status == 4
    assert "could not set logicproc to disable" in ran.err
    assert "left with: syscfg: failed; nothing of it is changed" in ran.err
    assert host.server.staged() == before
    assert host.apply("--yes").status == 3
    host.restart("boot-2")
    assert host.apply("--check").status == 0
