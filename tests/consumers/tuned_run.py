"""The real tuned applying a profile, once, to a machine made of files.

`apply_once` builds a small root (a /sys with processors, a /proc/sys, a /boot with a grub.cfg), runs tuned in it
without daemon and without a way out (`tuned_sandbox`), and reads back what was written. tuned exits 0 whatever happens,
so what it complained about is part of the answer.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from consumers.requirement import require, unmet
from consumers.tuned_lint import require_tuned
from consumers.tuned_machine import WESTMERE, Machine, build
from support.limits import PATIENCE

SESSION = Path(__file__).resolve().with_name("tuned_session")
SANDBOX = Path(__file__).resolve().with_name("tuned_sandbox")

EXPECTED = ("Using one shot no daemon mode",)
"""What tuned warns of in every run of this kind."""

BOOKKEEPING = ("active_profile", "post_loaded_profile", "profile_mode")
"""Files in /etc/tuned that any run writes."""

_COMPLAINT = re.compile(r"^\S+ \S+ (?:WARNING|ERROR|CRITICAL) +(.*)$", re.MULTILINE)
_KEPT = ("boot", "dev/cpu_dma_latency", "etc", "fake/calls", "fake/proc-sys", "sys")
"""The parts of the root whose change is an effect of the profile."""


@dataclass(frozen=True)
class OneShot:
    """What one run of tuned did.

    Attributes:
        complaints: The warnings and errors that it logged, without those of every run.
        written: Path and content of each file that it changed or made, stripped of white space at the ends.
        latency_us: What it asked of /dev/cpu_dma_latency.
        calls: The calls of `x86_energy_perf_policy`, which would write to the processor's registers; sorted, for tuned
            takes the processors in any order.
        log: All that it said.
    """

    complaints: tuple[str, ...]
    written: Mapping[str, str]
    latency_us: int | None
    calls: tuple[str, ...]
    log: str

    @property
    def sysctls(self) -> dict[str, str]:
        """The sysctls that it changed, by their dotted names."""
        prefix = "/proc/sys/"
        return {
            path.removeprefix(prefix).replace("/", "."): value
            for path, value in self.written.items()
            if path.startswith(prefix)
        }

    @property
    def boot_arguments(self) -> str | None:
        """The argument line that the next boot gets: of grub.cfg, where it counts."""
        match = re.search(
            r'^set tuned_params="(.*)"$', self.written.get("/boot/grub/grub.cfg", ""), re.MULTILINE
        )
        return match[1] if match else None


def apply_once(profile: Path, folder: Path, machine: Machine = WESTMERE) -> OneShot:
    """Apply the profile folder `profile` (profiles beside it can be included).

    Args:
        profile: The profile.
        folder: Where to build the machine; it must not hold one.
        machine: What the machine is like.
    """
    require_tuned()
    profile = profile.resolve()
    root = folder.resolve() / "root"
    build(root, machine)
    for beside in sorted(profile.parent.iterdir()):
        if (beside / "tuned.conf").is_file():
            _install(beside, root)
    before = _read(root)
    # uid 0 is all that tuned asks for; the namespace of a plain user can give it.
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    isolated = ["--mount", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child"]
    command = [str(require("unshare")), *as_root, *isolated, str(SANDBOX), str(root), profile.name]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    log = done.stdout + done.stderr
    if re.search(r"^(?:unshare|mount|chroot): ", log, re.MULTILINE):
        unmet(f"this system allows no namespace to run tuned in: {log.strip()}")
    if "INFO     tuned.daemon" not in log:
        raise RuntimeError(f"tuned did not run:\n{log}")
    return _outcome(log, before, _read(root))


def session(root: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script on a machine that is built in `root`, beside the real tuned as a daemon, which tuned-adm reaches by
    D-Bus."""
    require_tuned()
    require("dbus-daemon")
    options = "daemon = 1\ndynamic_tuning = 0\nreapply_sysctl = 0\n"
    (root / "etc/tuned/tuned-main.conf").write_text(options, encoding="utf-8")
    return isolated(SESSION, root, script)


def isolated(sandbox: Path, root: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script by a sandbox on a machine that is built in `root`, in namespaces of its own."""
    (root / "fake/script").write_text(script, encoding="utf-8")
    (root / "fake/bin/awk").symlink_to(require("awk").resolve())
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    apart = ["--mount", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child"]
    command = [str(require("unshare")), *as_root, *apart, str(sandbox), str(root), "/fake/script"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    if re.search(r"^(?:unshare|mount|chroot): ", done.stderr, re.MULTILINE):
        unmet(f"this system allows no namespaces: {done.stderr.strip()}")
    return done


def _install(profile: Path, root: Path) -> None:
    """Put a profile where this tuned looks: in a folder of its own from 2.23 on."""
    newer = Path("/usr/lib/tuned/profiles").is_dir()
    target = root / "etc" / "tuned" / ("profiles" if newer else "") / profile.name
    shutil.copytree(profile, target)


def _read(root: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for part in _KEPT:
        top = root / part
        paths = [top] if top.is_file() else sorted(top.rglob("*"))
        for path in paths:
            if path.is_file() and not path.is_symlink():
                found["/" + str(path.relative_to(root))] = path.read_bytes()
    return found


def _outcome(log: str, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> OneShot:
    changed = {path: content for path, content in after.items() if before.get(path) != content}
    latency = changed.pop("/dev/cpu_dma_latency", None)
    calls = changed.pop("/fake/calls", b"").decode().splitlines()
    for name in BOOKKEEPING:
        changed.pop(f"/etc/tuned/{name}", None)
    written = {
        path.replace("/fake/proc-sys/", "/proc/sys/"): content.decode(errors="replace").strip()
        for path, content in changed.items()
    }
    complaints = tuple(
        message for message in _COMPLAINT.findall(log) if not any(part in message for part in EXPECTED)
    )
    return OneShot(
        complaints=complaints,
        written=written,
        latency_us=struct.unpack("<i", latency)[0] if latency else None,
        calls=tuple(sorted(calls)),
        log=log,
    )
