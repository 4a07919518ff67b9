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


def server(
    folder: Path,
    product: str = "PowerEdge R740",
    sockets: int = 2,
    release: str = "debian 12",
    kernel: str = "6.1.0-18-amd64",
    system: str = "Linux",
) -> Path:
    """A system that reports all this; "" or 0 for what it does not report. `release` can be a line of
    redhat-release."""
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
    for name, text in files.items():
        if text:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(f"{text.rstrip()}\n", encoding="utf-8")
    return folder
