"""Makes archives for tests, of files and links, and reports as their collectors lay them out."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

TOP = "sosreport-web1-2026-11-29-abcdefg/"

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"

SOS = {
    "sos_commands/host/hostname": "web1.example.org\n",
    "sos_commands/kernel/sysctl_-a": "kernel.numa_balancing = 1\nnet.ipv4.conf.eth0/100.rp_filter = 2\n",
    "sos_commands/processor/lscpu": f"Architecture:  x86_64\nModel name:  {GOLD}\nSocket(s):  2\n",
    "sos_commands/systemd/systemctl_show_-p_ActiveState_irqbalance.service": "ActiveState=active\n",
    "proc/cmdline": "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet\n",
    "usr/lib/os-release": 'ID="rhel"\nVERSION_ID="9.4"\n',
    "sys/devices/virtual/dmi/id/product_name": "PowerEdge R740\n",
    "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "performance\n",
    "sys/devices/system/cpu/cpufreq/policy1/scaling_governor": "performance\n",
    "sys/devices/system/cpu/cpufreq/policy2/scaling_governor": "powersave\n",
    "sys/devices/system/cpu/cpu0/cpuidle/state1/disable": "0\n",
    "sys/devices/system/cpu/cpu1/cpuidle/state1/disable": "0\n",
    "sys/devices/system/cpu/cpuidle/current_driver": "intel_idle\n",
    "sys/block/sda/queue/scheduler": "[mq-deadline] none\n",
    "var/log/messages": "not of interest\n",
}
"""A report of sos: what it copies, and what programs printed, called as `_mangle_command` does."""

SOS_LINKS = {
    "etc/os-release": "../usr/lib/os-release",
    "sys/class/dmi/id": "../../devices/virtual/dmi/id",
    **{f"sys/devices/system/cpu/cpu{n}/cpufreq": f"../cpufreq/policy{n}" for n in range(3)},
}
"""Its links, as in /sys."""

SUPPORTCONFIG = {
    "basic-environment.txt": """\
#==[ Command ]======================================#
# /usr/bin/uname -a
Linux db1 6.4.0-150600.23-default #1 SMP x86_64 GNU/Linux

#==[ Configuration File ]===========================#
# /etc/os-release
ID="sles"
VERSION_ID="15.6"

""",
    "hardware.txt": f"""\
#==[ Command ]======================================#
# /usr/bin/lscpu
Architecture:  x86_64
Model name:  {GOLD}
Socket(s):  2

#==[ Command ]======================================#
# cpupower frequency-info
ERROR: Command not found or not executable

#==[ Configuration File ]===========================#
# /proc/cmdline
BOOT_IMAGE=/boot/vmlinuz root=UUID=1 quiet

""",
    "basic-health-check.txt": """\
#==[ Command ]======================================#
# /usr/bin/grep -H . /sys/devices/system/cpu/vulnerabilities/*
/sys/devices/system/cpu/vulnerabilities/meltdown:Not affected
/sys/devices/system/cpu/vulnerabilities/mds:Mitigation: Clear CPU buffers; SMT vulnerable

""",
    "env.txt": """\
#==[ Configuration File ]===========================#
# /etc/sysctl.conf - File not found

#==[ Command ]======================================#
# /sbin/sysctl -a
kernel.numa_balancing = 0
vm.swappiness = 10

""",
    "messages.txt": "not of interest\n",
}
"""A report of supportconfig, with the sections of `log_cmd` and `conf_files`."""


def pack(path: Path, files: Mapping[str, str], links: Mapping[str, str] | None = None, top: str = TOP) -> str:
    """Write an archive, packed as its name says; its path."""
    ending = path.suffix[1:]
    form = {
        "xz": "w:xz",
        "txz": "w:xz",
        "gz": "w:gz",
        "tgz": "w:gz",
        "bz2": "w:bz2",
        "tbz": "w:bz2",
        "tar": "w:",
    }[ending]
    with tarfile.open(path, form) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            content = text.encode()
            member = tarfile.TarInfo(top + name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for name, target in (links or {}).items():
            member = tarfile.TarInfo(top + name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
    return str(path)


def unpack(folder: Path, files: Mapping[str, str], links: Mapping[str, str] | None = None) -> str:
    """Write the files and links into a folder; its path."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, target in (links or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(target)
    return str(folder)
