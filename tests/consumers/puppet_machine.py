"""A system made of files that the real `puppet apply` runs on: every path is the module's own, and none is the host's.

The folder is the root of the file system (`puppet_sandbox`); /usr is the host's, read-only, and brings Puppet. What a
server has and the host has not is a stand-in: grubby, tuned-adm, update-grub, chkconfig, service, syscfg and racadm.
The facts of the system are stated, so that a policy for Enterprise Linux 6 is applied to one.

To load Puppet is most of what `puppet apply` costs. So it is forked from a process that has loaded it
(`consumers.puppet.applying`); with `--complete` it is started each time.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from consumers import el6_machine
from consumers.puppet import PATH, Ran, applying, system
from consumers.racadm import STAND_IN as RACADM
from consumers.racadm import Idrac, from_registry
from consumers.registry import Registry
from consumers.requirement import require, unmet
from consumers.syscfg import Server, eleventh_generation
from support.limits import PATIENCE

HERE = Path(__file__).resolve().parent

LINKS = ("bin", "lib", "lib64")
"""What is a link into /usr. /sbin is not: Puppet looks for chkconfig and service there."""

FOLDERS = (
    "dev", "etc/alternatives", "etc/default", "etc/facter/facts.d", "etc/puppet/code", "modules", "opt/dell/toolkit/bin",
    "opt/dell/srvadmin/sbin", "programs", "proc", "root", "run", "sbin", "state/cpuspeed", "state/proc-sys", "state/tuned", "sys/block", "tmp", "usr",
    "var/lib/puppet", "var/log",
)  # fmt: skip

IDRAC = "state/idrac"
"""Where the iDRAC of `Machine.idrac` is."""

LOGS = ("state/server/state/log", "state/grubby", "state/tuned/calls", "state/cpuspeed/calls", IDRAC)
"""Where the stand-ins note how they were called."""

STARTED = "PUPPET_STARTED"
"""The variable that says `all` if each `puppet apply` is to be started, and not forked (`--complete`)."""

ENVIRONMENT = {
    "GRUBBY_KERNELS": "/state/kernels",
    "GRUBBY_CALLS": "/state/grubby",
    "GRUBBY_DIALECT": "c",
    "TUNED_ADM": "/state/tuned",
    "GRUB_CFG": "/boot/grub/grub.cfg",
    "CPUSPEED": "/state/cpuspeed",
    "SETPOINT_ROOT": "",
    "SYSCFG_STATE": "/state/server/state",
    "RACADM_STATE": f"/{IDRAC}/state",
}
"""What tells the stand-ins where they keep their state."""

SYSCTLS = {
    "kernel/numa_balancing": "1",
    "kernel/ostype": "Linux",
    "kernel/random/boot_id": "9a1f1d2c-6d0e-4b3c-8f53-2f3f1c1b7a55",
    "vm/dirty_background_ratio": "10",
    "vm/swappiness": "60",
}
"""What /proc/sys has: some of what profiles set, with Linux's usual values, and what scripts read."""

BLOCKED = (
    "EC2", "GCE", "Xen", "augeas", "az_metadata", "disks", "file system", "hypervisors", "legacy", "load_average",
    "memory", "networking", "selinux", "ssh", "uptime", "virtualization",
)  # fmt: skip
"""Groups of facts that no module asks for, and that take Facter long."""

NOISE = re.compile(r"^Error: Facter: .*(?:\n(?!\w+: ).*)*\n?", re.MULTILINE)
"""What Facter says of a system that has no disk and whose facts were stated."""


class Machine:
    """A server with a system of some family, in `folder`; its firmware is that of the 11th generation."""

    def __init__(self, folder: Path, family: str, release: str, product: str = "PowerEdge R710") -> None:
        require("puppet")
        self.root = folder.resolve() / "root"
        for name in FOLDERS:
            (self.root / name).mkdir(parents=True, exist_ok=True)
        for name in LINKS:
            (self.root / name).symlink_to(f"usr/{name}")
        for device in ("null", "urandom", "zero"):
            (self.root / "dev" / device).touch()
        self.put("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n")
        self.put("/etc/group", "root:x:0:\n")
        facts = system(family, release, product)
        # Providers of services are chosen by the facts of older Facters.
        older = {"osfamily": family, "operatingsystem": family, "operatingsystemmajrelease": release}
        self.put("/etc/facter/facts.d/os.json", json.dumps({**facts, **older}))
        self.put("/etc/facter/facter.conf", f"facts : {{ blocklist : {json.dumps(BLOCKED)} }}\n")
        self.put("/state/no-os-release", "")
        for cpu in range(2):
            self.put(f"/sys/devices/system/cpu/cpu{cpu}/topology/physical_package_id", f"{cpu}\n")
        self.put("/sys/class/dmi/id/product_name", f"{product}\n")
        if family == "RedHat":
            line = f"Red Hat Enterprise Linux Server release {release}.4 (Santiago)\n"
            self.put("/etc/redhat-release", line)
            self._tuned_of_el6()
        else:
            self.put("/etc/os-release", f"ID={family.lower()}\nVERSION_ID={release}\n")
            self._tuned()
        live = {
            "kernel/osrelease": facts["kernelrelease"],
            "vm/dirty_ratio": "20" if family == "RedHat" else "30",
        }
        for name, value in {**SYSCTLS, **live}.items():
            self.put(f"/state/proc-sys/{name}", f"{value}\n")
        self._programs(family)
        (self.root / "boot/grub").mkdir(parents=True)
        self.put("/state/kernels", "ro root=/dev/sda1 quiet\nro root=/dev/sda1 rescue\n")
        self.put("/state/cpuspeed/levels", "12345\n")
        self.put("/state/cpuspeed/running", "")
        self.firmware: Server = eleventh_generation(self.root / "state" / "server")

    def _tuned(self) -> None:
        """tuned 2 with a profile of the site's, and a kernel that shows what it sets."""
        self.put("/etc/tuned/site/tuned.conf", "[sysctl]\nvm.dirty_ratio=30\n")
        self.put("/etc/tuned/active_profile", "site\n")
        self.put("/etc/tuned/profile_mode", "manual\n")
        self.put("/state/tuned/active", "site\n")
        self.put("/state/tuned/loaded", "[sysctl]\nvm.dirty_ratio=30\n")
        self.put("/state/tuned/saved", "/proc/sys/vm/dirty_ratio  32 30 0a\n")
        self.put("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n")
        (self.root / "dev/cpu_dma_latency").write_bytes((2000000000).to_bytes(4, "little"))

    def _tuned_of_el6(self) -> None:
        """tuned 0.2 with a profile of the site's, which is not active."""
        el6_machine.build(self.root)
        link = self.root / "etc/tuned.conf"
        link.unlink()
        link.symlink_to("/etc/tune-profiles/default/tuned.conf")

    def begin(self, active: str) -> None:
        """Activate a profile of tuned 0.2, or none ("")."""
        self.run("sh", "-c", "; ".join(el6_machine.begin(active)))

    def copy(self, folder: Path) -> Machine:
        """The same server in the same state, in another folder."""
        other = object.__new__(Machine)
        other.root = folder.resolve() / "root"
        shutil.copytree(self.root, other.root, symlinks=True)
        other.firmware = Server(other.root / "state" / "server")
        return other

    def idrac(self, capture: str, registry: Registry, **current: str) -> Idrac:
        """Give it the iDRAC of a captured server, and a local racadm."""
        shutil.copy(RACADM, self.root / "opt/dell/srvadmin/sbin/racadm")
        idrac = from_registry(self.root / IDRAC, capture, registry, ignore_lockdown=True, **current)
        idrac.write("calls", "0")
        return idrac

    def _programs(self, family: str) -> None:
        """The stand-ins, each where the server has the program."""
        is_el6 = family == "RedHat"
        for place, source in {
            "programs/grubby": "grubby_stand_in",
            "programs/tuned-adm": "el6_stand_in" if is_el6 else "tuned_adm_stand_in",
            "programs/update-grub": "update_grub_stand_in",
            "opt/dell/toolkit/bin/syscfg": "syscfg_stand_in",
        }.items():
            shutil.copy(HERE / source, self.root / place)
        for name in ("chkconfig", "service") if is_el6 else ():
            for folder, source in (("cpuspeed", "cpuspeed_stand_in"), ("others", "el6_stand_in")):
                self.put(f"/state/services/{folder}/{name}", (HERE / source).read_text("utf-8"), mode=0o755)
            by_service = el6_machine.BY_SERVICE.format(folder="/state/services", name=name)
            self.put(f"/programs/{name}", by_service, mode=0o755)
        for name in ("reboot", "shutdown", "poweroff", "halt", "init", "telinit"):
            self.put(f"/programs/{name}", '#!/bin/sh\necho "$0" >>/state/restarts\n', mode=0o755)

    def put(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file of the system."""
        place = self.root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        place.chmod(mode)

    def interrupt(self, *programs: str) -> None:
        """Have `kill -9` end whatever calls a program with words of `/state/kill`: before the program runs, or after.

        The file has `before` or `after` on its first line, and on each other one the words that a call begins with.
        """
        for program in programs:
            name = program.rsplit("/", 1)[-1]
            self.put(f"/state/real/{name}", self.read(f"/{program}"), mode=0o755)
            shutil.copy(HERE / "kill_at", self.root / program)

    def hide(self, program: str) -> None:
        """Take a program away."""
        (self.root / program).unlink()

    def read(self, path: str) -> str:
        """The text of a file of the system; "" where there is none."""
        place = self.root / path.lstrip("/")
        return place.read_text(encoding="utf-8") if place.exists() else ""

    def files(self) -> dict[str, bytes]:
        """The files and links of the system that a run of Puppet may be about: not what Puppet keeps for itself."""
        own = ("var/lib/puppet", "var/cache/puppet", "var/log", "run", "root", *LOGS)
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if name.startswith(own):
                continue
            if path.is_symlink():
                found["/" + name] = f"-> {path.readlink()}".encode()
            elif path.is_file():
                found["/" + name] = path.read_bytes()
        return found

    def apply(self, code: str, *options: str, started: bool | None = None) -> Ran:
        """`puppet apply`: exit status 0 where nothing was to change, 2 where something was changed, 4 or 6 on failure.

        It is started or forked; by default forked, unless all of each matrix is wanted (`--complete`).
        """
        fixed = ("--modulepath", "/modules", "--detailed-exitcodes", "--color", "false")
        arguments = ["apply", *fixed, *options, "-e", code]
        if os.environ.get(STARTED) == "all" if started is None else started:
            return self.run("puppet", *arguments)
        environment = {"PATH": PATH, "LC_ALL": "C.UTF-8", "HOME": "/root", **ENVIRONMENT}
        answer = applying().ask({"root": str(self.root), "environment": environment, "arguments": arguments})
        return _ran(answer["status"], answer["said"])

    def hiera(self, **data: str) -> None:
        """Write the Hiera of the environment."""
        place = "/etc/puppet/code/environments/production"
        self.put(f"{place}/hiera.yaml", "version: 5\nhierarchy:\n  - name: site\n    path: site.yaml\n")
        self.put(f"{place}/data/site.yaml", json.dumps(data))

    def run(self, *command: str) -> Ran:
        """Run a command on the system. The test is skipped where this host allows no namespace."""
        as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
        isolated = ["--mount", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child"]
        done = subprocess.run(
            [
                str(require("unshare")),
                *as_root,
                *isolated,
                str(HERE / "puppet_sandbox"),
                str(self.root),
                *(f"{name}={value}" for name, value in ENVIRONMENT.items()),
                *command,
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return _ran(done.returncode, done.stdout + done.stderr)


def _ran(status: int, said: str) -> Ran:
    if re.search(r"^(?:unshare|mount|chroot): ", said, re.MULTILINE):
        unmet(f"this system allows no namespace to run Puppet in: {said.strip()}")
    return Ran(status, NOISE.sub("", said))
