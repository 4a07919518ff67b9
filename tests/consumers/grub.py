"""The real grub-mkconfig, on a server that is made up: which command lines it gives to the kernels.

It reads /etc/default/grub and the drop-in files beside it as update-grub does, and runs the scripts of /etc/grub.d,
that of tuned among them. Only grub-probe is a stand-in, since there is no disk.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from consumers.requirement import require, unmet
from support.limits import PATIENCE

HERE = Path(__file__).parent
KERNEL = "6.1.0-18-amd64"


def grub_cfg(folder: Path, default: Mapping[str, str], tuned: str = "") -> str:
    """What grub-mkconfig makes of a server.

    Args:
        folder: An empty folder, in which the server is made up; its `boot/grub/grub.cfg` has the result, too.
        default: The files of /etc/default by their names, such as `grub` and `grub.d/50-setpoint.cfg`.
        tuned: The arguments that tuned's bootloader plugin has noted in /etc/tuned/bootcmdline.
    """
    require("grub-mkconfig")
    files = {f"default/{name}": text for name, text in default.items()}
    files["tuned/bootcmdline"] = f'TUNED_BOOT_CMDLINE="{tuned}"\nTUNED_BOOT_INITRD_ADD=""\n'
    files |= {f"boot/vmlinuz-{KERNEL}": "", f"boot/initrd.img-{KERNEL}": "", "boot/grub/grub.cfg": ""}
    files["probe"] = (HERE / "grub_probe_stand_in").read_text(encoding="utf-8")
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    (folder / "probe").chmod(0o755)
    done = _isolated("grub_sandbox", folder)
    assert done.returncode == 0, done.stderr
    return (folder / "boot/grub/grub.cfg").read_text(encoding="utf-8")


def session(folder: Path, script: Path) -> str:
    """What a script prints that runs on such a server, made by `grub_cfg` in `folder`: with update-grub, and as
    root."""
    done = _isolated("grub_session", folder, str(script))
    assert done.returncode == 0, done.stderr
    return done.stdout


def _isolated(sandbox: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    done = subprocess.run(
        [str(require("unshare")), *as_root, "--mount", str(HERE / sandbox), str(folder), *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.stderr.startswith(("unshare: ", "mount: ")):
        unmet(f"this system allows no namespace to run grub-mkconfig in: {done.stderr.strip()}")
    return done
