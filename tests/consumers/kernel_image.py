"""The kernel and the initramfs that `consumers.kernel` boots: found or made once, then kept.

The image comes from Debian (`tests/install-consumers`). It is unpacked to the plain ELF file, which QEMU starts without
the seconds that its own decompression takes under emulation.
"""

from __future__ import annotations

import functools
import lzma
import os
import re
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

from consumers.elf import is_static
from consumers.requirement import require, unmet
from support.limits import PATIENCE

INIT = """\
#!/bin/busybox sh
# Tell what became of the arguments, one "path:value" a line, write what /writes says, then turn the machine off.
/bin/busybox mkdir -p /proc /sys /dev
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
exec >/dev/console 2>/dev/null
echo
echo '== facts'
/bin/busybox grep -s '' /proc/cmdline /proc/sys/kernel/numa_balancing /proc/sys/kernel/watchdog \\
    /sys/devices/system/cpu/* /sys/devices/system/cpu/smt/* /sys/devices/system/cpu/cpuidle/* \\
    /sys/devices/system/cpu/vulnerabilities/* /sys/module/*/parameters/* \\
    /sys/kernel/mm/transparent_hugepage/enabled
echo '== writes'
while read -r path value; do
    if [ ! -e "$path" ]; then
        echo "$path missing"
    elif echo "$value" >"$path"; then
        echo "$path $(/bin/busybox cat "$path")"
    else
        echo "$path refused"
    fi
done </writes
echo '== log'
/bin/busybox dmesg
echo '== end'
/bin/busybox poweroff -f
"""


def cache() -> Path:
    """The folder that keeps what is worth keeping between runs."""
    top = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(top) / "setpoint-tests"


@functools.cache
def require_kernel() -> Path:
    """The newest kernel there is, as an ELF file if it could be unpacked; or else the test is skipped."""
    images = [path for path in (cache() / "kernel").glob("vmlinuz-*") if path.stat().st_size]
    if not images:
        unmet(f"no kernel image in {cache() / 'kernel'} (tests/install-consumers)")
    image = max(images, key=lambda path: [int(number) for number in re.findall(r"\d+", path.name)])
    plain = image.with_name(image.name.replace("vmlinuz", "vmlinux"))
    if plain.exists():
        return plain
    unpacked = unpack(image.read_bytes())
    if unpacked is None:
        return image
    _keep(plain, unpacked)
    return plain


def require_module(name: str) -> Path:
    """A module of that kernel; or else the test is skipped."""
    kernel = require_kernel()
    path = kernel.with_name(kernel.name.split("-", 1)[1]) / f"{name}.ko"
    if not path.exists():
        unmet(f"no module {path} (tests/install-consumers)")
    return path


def unpack(image: bytes) -> bytes | None:
    """The ELF file inside of a bzImage; None where it is packed in a way that Python 3.11 cannot unpack (LZ4, zstd)."""
    # Documentation/arch/x86/boot.rst: setup_sects at 0x1f1, payload_offset and payload_length at 0x248.
    start = (image[0x1F1] + 1) * 512
    offset, length = struct.unpack_from("<II", image, 0x248)
    payload = image[start + offset : start + offset + length]
    if payload.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMADecompressor(format=lzma.FORMAT_XZ).decompress(payload)
    if payload.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(wbits=31).decompress(payload)
    return None


@functools.cache
def require_initramfs() -> Path:
    """An initramfs with busybox and `INIT`."""
    busybox = require("busybox")
    if not is_static(busybox):
        unmet(f"{busybox} needs libraries, which an initramfs does not have (tests/install-consumers)")
    cpio = require("cpio")
    made = cache() / f"initramfs-{zlib.crc32(INIT.encode() + busybox.read_bytes()):08x}.cpio"
    if made.exists():
        return made
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch)
        (tree / "bin").mkdir()
        shutil.copy(busybox, tree / "bin" / "busybox")
        (tree / "init").write_text(INIT, encoding="utf-8")
        (tree / "init").chmod(0o755)
        _keep(made, _archive(cpio, tree, "bin", "bin/busybox", "init"))
    return made


def with_file(initramfs: Path, name: str, text: str, folder: Path) -> Path:
    """An initramfs with one file more, in a folder: Linux unpacks archives that follow each other."""
    (folder / name).write_text(text, encoding="utf-8")
    return with_files(initramfs, folder, name)


def with_files(initramfs: Path, folder: Path, *names: str) -> Path:
    """An initramfs with these files of a folder more, in that folder."""
    made = folder / "initramfs.cpio"
    made.write_bytes(initramfs.read_bytes() + _archive(require("cpio"), folder, *names))
    return made


def _archive(cpio: Path, tree: Path, *names: str) -> bytes:
    """Files of a folder as an archive that Linux unpacks."""
    return subprocess.run(
        [str(cpio), "--create", "--format=newc", "--quiet", "--reproducible"],
        cwd=tree,
        input="".join(f"{name}\n" for name in names).encode(),
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    ).stdout


def _keep(path: Path, content: bytes) -> None:
    """Write `path` whole or not at all: another session may be looking."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)
