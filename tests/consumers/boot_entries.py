"""The real kernel-install, which makes entries of the Boot Loader Specification, and the real bootctl, which reads them
as systemd-boot does.

Both work on the folders of a system that lies in a folder: kernel-install gets them in variables, and bootctl a file
system of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from consumers.requirement import require
from support.limits import PATIENCE

MACHINE = "0123456789abcdef0123456789abcdef"
PLUGIN = "/usr/lib/kernel/install.d/90-loaderentry.install"

LOADER_INFO = "sys/firmware/efi/efivars/LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
"""Where the kernel shows the variable in which systemd-boot says who it is, in UTF-16 behind four bytes."""

READ = """\
mount -t tmpfs tmpfs "$1" && cp -a "$2/." "$1" && exec bootctl --esp-path="$1" list --json=short
"""


def systemd_boot(root: Path) -> None:
    """Have systemd-boot be the loader of the system in `root`."""
    file = root / LOADER_INFO
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"\x06\0\0\0" + "systemd-boot 252.39\0".encode("utf-16-le"))


def install(root: Path, version: str, partition: str = "efi") -> Path:
    """Install a kernel, for which etc/kernel/cmdline has the command line; the entry that comes of it."""
    (root / partition / MACHINE).mkdir(parents=True, exist_ok=True)
    (root / "vmlinuz").write_text("a kernel\n", encoding="utf-8")
    variables = {
        "BOOT_ROOT": str(root / partition),
        "KERNEL_INSTALL_CONF_ROOT": str(root / "etc/kernel"),
        "KERNEL_INSTALL_PLUGINS": PLUGIN,
        "MACHINE_ID": MACHINE,
    }
    subprocess.run(
        [str(require("kernel-install")), "add", version, str(root / "vmlinuz")],
        env={"PATH": os.environ["PATH"], **variables},
        check=True,
        timeout=PATIENCE,
    )
    return root / partition / f"loader/entries/{MACHINE}-{version}.conf"


def listed(root: Path, folder: Path, partition: str = "efi") -> dict[str, str]:
    """The command line of each entry, as bootctl reads it; `folder` is empty."""
    relaxed = {"SYSTEMD_RELAX_ESP_CHECKS": "1", "SYSTEMD_RELAX_XBOOTLDR_CHECKS": "1"}
    require("bootctl")
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    done = subprocess.run(
        [
            str(require("unshare")),
            *as_root,
            "--mount",
            "sh",
            "-c",
            READ,
            "sh",
            str(folder),
            str(root / partition),
        ],
        env={"PATH": os.environ["PATH"], **relaxed},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    decoder, text, found = json.JSONDecoder(), done.stdout.strip(), {}
    while text:
        entry, end = decoder.raw_decode(text)
        for each in entry if isinstance(entry, list) else [entry]:
            found[each["id"]] = each["options"]
        text = text[end:].strip()
    return found
