"""A machine of files for the files of target `systemd`: with the real sysctl, udevadm and `systemctl enable`, in
namespaces of its own (`session`), or looked at through SETPOINT_ROOT.

Only what needs systemd as the first process is a stand-in (`systemd_systemctl_stand_in`, `systemd_udevadm_stand_in`).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from consumers.requirement import require
from consumers.tuned_machine import SKYLAKE, build
from consumers.tuned_run import isolated

HERE = Path(__file__).resolve().parent
SESSION = HERE / "systemd_session"
CPU = "sys/devices/system/cpu"

VALUES = {
    **{f"{CPU}/cpu{number}/power/energy_perf_bias": "6" for number in range(2)},
    **{f"{CPU}/cpu{number}/power/pm_qos_resume_latency_us": "0" for number in range(2)},
    **{
        f"{CPU}/cpu{number}/cpufreq/energy_performance_preference": "balance_performance"
        for number in range(2)
    },
}
"""Files that tuned has other ways to, and their first values."""


def systemd_machine(root: Path) -> None:
    """Make the root folder of a Skylake server with systemd and two disks."""
    build(root, SKYLAKE)
    for name, text in VALUES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{text}\n", encoding="utf-8")
    for folder in ("run/systemd/system", "etc/systemd/system", "etc/udev/rules.d", "fake/usr-local"):
        (root / folder).mkdir(parents=True)
    for program in ("systemctl", "udevadm"):
        place = root / "fake/bin" / program
        place.unlink(missing_ok=True)
        shutil.copy(HERE / f"systemd_{program}_stand_in", place)


def session(root: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script on a machine that is built in `root`."""
    for program in ("systemctl", "udevadm", "sysctl"):
        require(program)
    return isolated(SESSION, root, script)
