"""A system of this machine's systemd and a few programs, started as the first process of Debian's kernel in QEMU.

What needs systemd itself can be tried nowhere else: that units are started and stopped, with their sandbox, and that
the system reads its files when it starts. A boot takes some ten to thirty seconds of emulation, and three without
systemd: what needs only the kernel and its drivers is done by a shell as the first process (`alone`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from consumers.kernel import emulate
from consumers.kernel_image import require_module
from consumers.requirement import require, unmet
from support.limits import PATIENCE

PROGRAMS = [
    "systemctl",
    "udevadm",
    "sysctl",
    "dash",
    "cat",
    "sed",
    "grep",
    "mkdir",
    "rm",
    "mv",
    "cp",
    "chmod",
    "cmp",
    "tr",
    "date",
    "od",
    "sync",
    "cksum",
    "readlink",
    "rmdir",
    "sleep",
    "head",
    "sort",
    "ls",
    "ln",
    "mktemp",
    "uname",
    "flock",
    "cut",
    "awk",
    "tail",
    "ethtool",
    "busybox",
]
DAEMONS = ("systemd", "systemd-udevd", "systemd-sysctl", "systemd-executor")
FOLDERS = [
    "proc",
    "sys",
    "dev",
    "run",
    "tmp",
    "etc/systemd/system",
    "var/lib",
    "root",
    "usr/bin",
    "usr/sbin",
    "usr/lib/systemd",
    "usr/local/sbin",
]
TARGET = "[Unit]\nRequires=basic.target tried.service\nAfter=basic.target\nAllowIsolate=yes\n"
SERVICE = "[Unit]\nAfter=basic.target\n[Service]\nType=oneshot\nExecStart=/bin/sh /tried\n"
END = "== end"
ALONE = """#!/bin/sh
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
busybox mount -t devtmpfs dev /dev
exec >/dev/console 2>&1
echo
{script}
echo '{end}'
busybox poweroff -f
"""


def started(
    folder: Path,
    files: Mapping[str, tuple[str, int]],
    script: str,
    cards: Sequence[str] = (),
    words: str = "",
) -> list[str]:
    """Start such a system with files (their text and mode, by their paths) and run a script on it. The lines that it
    prints.

    `cards` are models of network cards, whose drivers the script loads: `busybox insmod /e1000e.ko`; `words` are more
    arguments of the kernel.
    """
    root = _system(folder / "root")
    (root / "etc/systemd/system/default.target").symlink_to("/usr/lib/systemd/system/tried.target")
    (root / "init").symlink_to("usr/lib/systemd/systemd")
    everything = {
        **files,
        "/usr/lib/systemd/system/tried.target": (TARGET, 0o644),
        "/usr/lib/systemd/system/tried.service": (SERVICE, 0o644),
        "/tried": (f"exec >/dev/console 2>&1\necho\n{script}\necho '{END}'\nsystemctl poweroff -ff\n", 0o644),
    }
    return _run(folder, root, everything, cards, words)


def alone(
    folder: Path, files: Mapping[str, tuple[str, int]], script: str, cards: Sequence[str] = ()
) -> list[str]:
    """The same without systemd: the script is the first process."""
    root = _programs(folder / "root")
    return _run(folder, root, {**files, "/init": (ALONE.format(script=script, end=END), 0o755)}, cards)


def _run(
    folder: Path, root: Path, files: Mapping[str, tuple[str, int]], cards: Sequence[str], words: str = ""
) -> list[str]:
    for model in cards:
        shutil.copy(require_module(model), root / f"{model}.ko")
    for path, (text, mode) in files.items():
        place = root / path[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        place.chmod(mode)
    names = "".join(f"{path.relative_to(root)}\n" for path in sorted(root.rglob("*")))
    archive = folder / "initramfs.cpio"
    with archive.open("wb") as file:
        subprocess.run(
            [str(require("cpio")), "--create", "--format=newc", "--quiet"],
            cwd=root,
            input=names.encode(),
            stdout=file,
            timeout=PATIENCE,
            check=True,
        )
    line = f"console=ttyS0 panic=-1 quiet systemd.log_target=null systemd.show_status=0 rdinit=/init {words}"
    devices = [word for model in cards for word in ("-device", model)]
    machine = ["-smp", "2", "-m", "1024", "-initrd", str(archive), *devices]
    output = emulate(machine, line, PATIENCE, cpu="Skylake-Server")
    lines = output.splitlines()
    assert END in lines, output[-3000:]
    return lines[: lines.index(END)]


def _system(root: Path) -> Path:
    """The root folder: systemd with its units, the programs, and the libraries that they load."""
    units = Path("/usr/lib/systemd/system")
    if not units.is_dir():
        unmet("this system has no systemd")
    _programs(root)
    shutil.copytree(units, root / "usr/lib/systemd/system", symlinks=True)
    for program in (path for name in DAEMONS if (path := units.parent / name).exists()):
        _install(program, root)
    return root


def _programs(root: Path) -> Path:
    """A root folder with the programs, and the libraries that they load."""
    for name in FOLDERS:
        (root / name).mkdir(parents=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / "usr" / name).mkdir(exist_ok=True)
        (root / name).symlink_to(f"usr/{name}")
    for name in PROGRAMS:
        _install(require(name), root)
    (root / "usr/bin/sh").symlink_to("dash")
    for name, text in {
        "passwd": "root:x:0:0::/root:/bin/sh\n",
        "group": "root:x:0:\n",
        "machine-id": "",
    }.items():
        (root / "etc" / name).write_text(text, encoding="utf-8")
    (root / "etc/os-release").write_text("ID=debian\nVERSION_ID=12\n", encoding="utf-8")
    return root


def _install(program: Path, root: Path) -> None:
    """Copy a program by its name, with its libraries."""
    linked = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout
    libraries = [word for word in linked.split() if word.startswith("/")]
    for path in [str(program), *libraries]:
        place = root / (path[1:] if path.startswith("/usr/") else f"usr{path}")
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.realpath(path), place)
