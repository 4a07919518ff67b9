"""Servers as scripts see them: folders with what a system reports of itself."""

from __future__ import annotations

import shutil
from pathlib import Path

OS_RELEASE = {
    "debian 12": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n',
    "rhel 8.10": 'NAME="Red Hat Enterprise Linux"\nVERSION="8.10 (Ootpa)"\nID="rhel"\nID_LIKE="fedora"\nVERSION_ID="8.10"\n',
    "rocky 8.9": 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.9"\n',
    "sles 12.5": 'NAME="SLES"\nVERSION="12-SP5"\nVERSION_ID="12.5"\nID="sles"\n',
    "sles 15": 'NAME="SLES"\nVERSION="15"\nVERSION_ID="15"\nID="sles"\n',
    "sles 15.1": 'NAME="SLES"\nVERSION="15-SP1"\nVERSION_ID="15.1"\nID="sles"\n',
    "sles 15.2": 'NAME="SLES"\nVERSION="15-SP2"\nVERSION_ID="15.2"\nID="sles"\n',
    "sles 15.3": 'NAME="SLES"\nVERSION="15-SP3"\nVERSION_ID="15.3"\nID="sles"\n',
    "ubuntu 20.04": 'NAME="Ubuntu"\nVERSION="20.04.6 LTS (Focal Fossa)"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID="20.04"\n',
    "arch": 'NAME="Arch Linux"\nID=arch\nBUILD_ID=rolling\n',
}
"""os-release files by the value that they report."""

PROCESSORS = {
    "PowerEdge R710": "GenuineIntel 6 44 2",
    "PowerEdge R320": "GenuineIntel 6 45 7",
    "PowerEdge R620": "GenuineIntel 6 45 7",
    "PowerEdge R720": "GenuineIntel 6 62 4",
    "PowerEdge R730": "GenuineIntel 6 63 2",
    "PowerEdge R650": "GenuineIntel 6 106 6",
    "PowerEdge R750": "GenuineIntel 6 106 6",
    "PowerEdge R7615": "AuthenticAMD 25 17 1",
}
"""What the processor of a server may be; those of the others here are of Skylake."""


def server(
    folder: Path,
    product: str = "PowerEdge R740",
    sockets: int = 2,
    release: str = "debian 12",
    kernel: str = "6.1.0-18-amd64",
    system: str = "Linux",
    processor: str | None = None,
) -> Path:
    """A system that reports all this; "" or 0 for what it does not report. `release` can be a line of
    redhat-release; `processor` is vendor, family, model and stepping, and further flags: one that fits the product, if
    not stated."""
    files = {
        "sys/class/dmi/id/product_name": product,
        "proc/sys/kernel/ostype": system,
        "proc/sys/kernel/osrelease": kernel,
    }
    for stale in ("etc/os-release", "etc/redhat-release"):
        (folder / stale).unlink(missing_ok=True)
    shutil.rmtree(folder / "sys/devices/system/cpu", ignore_errors=True)
    for cpu in range(4 * sockets):
        files[f"sys/devices/system/cpu/cpu{cpu}/topology/physical_package_id"] = str(cpu % sockets)
    if release in OS_RELEASE:
        files["etc/os-release"] = OS_RELEASE[release]
    else:
        files["etc/redhat-release"] = release
    if processor is None:
        processor = PROCESSORS.get(product, "GenuineIntel 6 85 4")
    if processor:
        files["proc/cpuinfo"] = cpuinfo(processor)
    for name, text in files.items():
        if text:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(f"{text.rstrip()}\n", encoding="utf-8")
    return folder


def cpuinfo(processor: str) -> str:
    """What arch/x86/kernel/cpu/proc.c prints of two CPUs of a processor: vendor, family, model, stepping, and flags."""
    vendor, family, model, stepping, *flags = processor.split()
    return "\n".join(
        f"processor\t: {cpu}\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\n"
        f"model name\t: A processor\nstepping\t: {stepping}\nmicrocode\t: 0x2006906\n"
        f"flags\t\t: fpu vme {' '.join(flags)}\nbogomips\t: 4800.00\n"
        for cpu in range(2)
    )
