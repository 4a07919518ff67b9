"""The machine that `consumers.tuned_run` lets tuned loose on: a root folder with what tuned reads and writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SYSCTLS: Mapping[str, str] = {
    "fs.aio-max-nr": "65536",
    "fs.file-max": "9223372036854775807",
    "fs.inotify.max_user_instances": "128",
    "fs.inotify.max_user_watches": "65536",
    "kernel.hung_task_timeout_secs": "120",
    "kernel.nmi_watchdog": "1",
    "kernel.numa_balancing": "1",
    "kernel.panic": "0",
    "kernel.panic_on_oops": "0",
    "kernel.pid_max": "32768",
    "kernel.sched_autogroup_enabled": "1",
    "kernel.sched_rt_runtime_us": "950000",
    "kernel.sem": "32000\t1024000000\t500\t32000",
    "kernel.shmall": "18446744073692774399",
    "kernel.shmmax": "18446744073692774399",
    "kernel.shmmni": "4096",
    "kernel.timer_migration": "1",
    "kernel.watchdog": "1",
    "net.core.busy_poll": "0",
    "net.core.busy_read": "0",
    "net.core.netdev_max_backlog": "1000",
    "net.core.rmem_default": "212992",
    "net.core.rmem_max": "212992",
    "net.core.somaxconn": "128",
    "net.core.wmem_default": "212992",
    "net.core.wmem_max": "212992",
    "net.ipv4.ip_local_port_range": "32768\t60999",
    "net.ipv4.neigh.default.gc_thresh1": "128",
    "net.ipv4.neigh.default.gc_thresh2": "512",
    "net.ipv4.neigh.default.gc_thresh3": "1024",
    "net.ipv4.tcp_fastopen": "1",
    "net.ipv4.tcp_keepalive_intvl": "75",
    "net.ipv4.tcp_keepalive_probes": "9",
    "net.ipv4.tcp_keepalive_time": "7200",
    "net.ipv4.tcp_low_latency": "0",
    "net.ipv4.tcp_max_syn_backlog": "512",
    "net.ipv4.tcp_notsent_lowat": "4294967295",
    "net.ipv4.tcp_retries2": "15",
    "net.ipv4.tcp_rmem": "4096\t131072\t6291456",
    "net.ipv4.tcp_sack": "1",
    "net.ipv4.tcp_slow_start_after_idle": "1",
    "net.ipv4.tcp_timestamps": "1",
    "net.ipv4.tcp_wmem": "4096\t16384\t4194304",
    "net.ipv4.udp_mem": "95277\t127037\t190554",
    "vm.dirty_background_bytes": "0",
    "vm.dirty_background_ratio": "10",
    "vm.dirty_bytes": "0",
    "vm.dirty_expire_centisecs": "3000",
    "vm.dirty_ratio": "20",
    "vm.dirty_writeback_centisecs": "500",
    "vm.laptop_mode": "0",
    "vm.max_map_count": "65530",
    "vm.min_free_kbytes": "67584",
    "vm.nr_hugepages": "0",
    "vm.overcommit_memory": "0",
    "vm.stat_interval": "1",
    "vm.swappiness": "60",
    "vm.vfs_cache_pressure": "100",
    "vm.zone_reclaim_mode": "0",
}
"""The sysctls that there are, with Linux's usual defaults: those that tuned's own profiles set, and their neighbours.
tuned reports one that the machine does not have."""

UNCORE: Mapping[str, str] = {
    f"sys/devices/system/cpu/intel_uncore_frequency/{place}/{name}": text
    for places, files in (
        (
            ("package_00_die_00", "package_01_die_00"),
            {"min_freq_khz": "800000", "max_freq_khz": "2500000"},
        ),
        (
            ("uncore00", "uncore01"),
            {
                "elc_floor_freq_khz": "1200000",
                "elc_low_threshold_percent": "11",
                "elc_high_threshold_percent": "95",
                "elc_high_threshold_enable": "0",
            },
        ),
    )
    for place in places
    for name, text in files.items()
}
"""The files of the uncore's frequency, with what Intel shows of a Granite Rapids, but that the high threshold is
off."""

GRUB_CFG = """\
### BEGIN /etc/grub.d/00_header ###
set default="0"
### END /etc/grub.d/00_header ###

### BEGIN /etc/grub.d/10_linux ###
menuentry 'Linux' {
\tlinux\t/boot/vmlinuz-6.1.0-0-amd64 root=/dev/sda1 ro quiet
\tinitrd\t/boot/initrd.img-6.1.0-0-amd64
}
### END /etc/grub.d/10_linux ###
"""
"""With the markers of grub-mkconfig: without them tuned adds a reference to its arguments and loses the arguments."""

ENERGY_TOOL = """\
#!/bin/sh
# A call with -r reads, and must answer something; any other is a write, which is kept.
case " $* " in
    *" -r "*) echo "cpu0: EPB 6" ;;
    *) echo "x86_energy_perf_policy $*" >>/fake/calls ;;
esac
"""

SYSTEMCTL = """\
#!/bin/sh
# Restarts nothing.
exit 0
"""

HDPARM = """\
#!/bin/sh
# A disk without power management: tuned leaves it alone. A call that would write is kept.
case $1 in
    -C) exit 1 ;;
    *) echo "hdparm $*" >>/fake/calls ;;
esac
"""

FOLDERS = (
    "boot/grub", "dev", "etc/default", "etc/grub.d", "etc/modprobe.d", "etc/systemd", "etc/tuned", "fake/bin",
    "proc", "run/tuned", "sys/bus/cpu/devices", "sys/class", "sys/kernel/mm/transparent_hugepage", "tmp", "usr",
    "var/lib/tuned", "var/log/tuned",
)  # fmt: skip


@dataclass(frozen=True)
class Machine:
    """What tuned may find.

    Attributes:
        cpus: How many processors.
        vendor: As in /proc/cpuinfo.
        governors: What cpufreq offers; the first is in use. None at all: no cpufreq.
        cstates: Idle states and their exit latencies in µs, the shallowest first.
        pstate: Whether the intel_pstate driver is there.
        disks: Disks, and their read-ahead in KiB.
        sysctls: What there is below /proc/sys.
        cmdline: What the kernel was booted with.
    """

    cpus: int = 2
    vendor: str = "GenuineIntel"
    governors: tuple[str, ...] = ()
    cstates: Mapping[str, int] = field(default_factory=dict)
    pstate: bool = False
    disks: Mapping[str, int] = field(default_factory=lambda: {"sda": 128, "sdb": 8192})
    sysctls: Mapping[str, str] = field(default_factory=lambda: SYSCTLS)
    cmdline: str = "root=/dev/sda1 ro quiet"


WESTMERE = Machine(
    governors=("ondemand", "conservative", "powersave", "userspace", "performance"),
    # drivers/idle/intel_idle.c, nehalem_cstates.
    cstates={"POLL": 0, "C1": 3, "C1E": 10, "C3": 20, "C6": 200},
)
SKYLAKE = Machine(
    governors=("powersave", "performance"),
    # drivers/idle/intel_idle.c, skx_cstates.
    cstates={"POLL": 0, "C1": 2, "C1E": 10, "C6": 133},
    pstate=True,
)


def build(root: Path, machine: Machine) -> None:
    """Make the root folder of `machine`."""
    root.mkdir(parents=True)
    for name in FOLDERS:
        (root / name).mkdir(parents=True, exist_ok=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        if (Path("/usr") / name).exists():
            (root / name).symlink_to(f"usr/{name}")
    for device in ("cpu_dma_latency", "null", "urandom", "zero"):
        (root / "dev" / device).touch()
    files = {
        "boot/grub/grub.cfg": GRUB_CFG,
        "etc/default/grub": 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"\n',
        "etc/grub.d/00_tuned": "",
        # tuned takes the bootloader plugin for unsupported unless its own template is there.
        "etc/tuned/bootcmdline": "TUNED_BOOT_CMDLINE=\n",
        "etc/tuned/tuned-main.conf": "daemon = 0\ndynamic_tuning = 0\nreapply_sysctl = 0\n",
        "fake/bin/x86_energy_perf_policy": ENERGY_TOOL,
        "fake/cmdline": machine.cmdline + "\n",
        "fake/cpuinfo": "".join(_cpuinfo(cpu, machine.vendor) for cpu in range(machine.cpus)),
        "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
        "sys/kernel/mm/transparent_hugepage/defrag": "always defer defer+madvise [madvise] never\n",
    }
    files |= {
        f"fake/proc-sys/{name.replace('.', '/')}": f"{value}\n" for name, value in machine.sysctls.items()
    }
    files["fake/bin/hdparm"] = HDPARM
    files["fake/bin/systemctl"] = SYSTEMCTL
    files["etc/default/irqbalance"] = files["etc/sysconfig/irqbalance"] = "# A test\n"
    files["etc/systemd/system.conf"] = "[Manager]\n"
    files["sys/kernel/mm/ksm/run"] = "0\n"
    files |= {name: f"{text}\n" for name, text in UNCORE.items()}
    for size in ("2048kB", "1048576kB"):
        pool = f"hugepages/hugepages-{size}/nr_hugepages"
        for place in ("kernel/mm", "devices/system/node/node0", "devices/system/node/node1"):
            files[f"sys/{place}/{pool}"] = "0\n"
    for name, text in {**files, **_processors(machine), **_disks(machine)}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for tool in ("x86_energy_perf_policy", "hdparm", "systemctl"):
        (root / "fake/bin" / tool).chmod(0o755)
    for disk in machine.disks:
        own = root / _disk(disk)
        _link(own / "subsystem", root / "sys/class/block")
        _link(own.parents[1] / "subsystem", root / "sys/bus/scsi")
        _link(root / "sys/class/block" / disk, own)
        _link(root / "sys/block" / disk, own)
    for cpu in range(machine.cpus):
        (root / f"sys/devices/system/cpu/cpu{cpu}/subsystem").symlink_to("../../../../bus/cpu")
        (root / f"sys/bus/cpu/devices/cpu{cpu}").symlink_to(f"../../../devices/system/cpu/cpu{cpu}")


def _link(link: Path, to: Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(os.path.relpath(to, link.parent))


def _cpuinfo(cpu: int, vendor: str) -> str:
    return f"processor\t: {cpu}\nvendor_id\t: {vendor}\nmodel name\t: a test\nflags\t\t: fpu\n\n"


def _processors(machine: Machine) -> dict[str, str]:
    """The files of /sys/devices/system/cpu."""
    top = "sys/devices/system/cpu"
    every = f"0-{machine.cpus - 1}\n"
    files = {f"{top}/{name}": every for name in ("online", "possible", "present")}
    if machine.pstate:
        for name, value in (("min_perf_pct", "0"), ("max_perf_pct", "100"), ("no_turbo", "0")):
            files[f"{top}/intel_pstate/{name}"] = f"{value}\n"
    for cpu in range(machine.cpus):
        own = f"{top}/cpu{cpu}"
        files[f"{own}/uevent"] = "DRIVER=processor\n"
        files[f"{own}/online"] = "1\n"
        if machine.governors:
            files[f"{own}/cpufreq/scaling_available_governors"] = " ".join(machine.governors) + "\n"
            files[f"{own}/cpufreq/scaling_governor"] = f"{machine.governors[0]}\n"
        if machine.pstate:
            files[f"{top}/cpufreq/policy{cpu}/energy_performance_preference"] = "balance_performance\n"
            files[f"{top}/cpufreq/policy{cpu}/energy_performance_available_preferences"] = (
                "default performance balance_performance balance_power power\n"
            )
        for index, (name, latency) in enumerate(machine.cstates.items()):
            state = f"{own}/cpuidle/state{index}"
            files |= {f"{state}/name": f"{name}\n", f"{state}/latency": f"{latency}\n"}
    return files


def _disk(name: str) -> str:
    """The folder of a disk, on a SCSI device of its own."""
    return f"sys/devices/scsi-{name}/block/{name}"


def _disks(machine: Machine) -> dict[str, str]:
    """The files of each disk and of the device that it is on."""
    files: dict[str, str] = {}
    for name, readahead in machine.disks.items():
        own = _disk(name)
        files |= {
            f"sys/devices/scsi-{name}/uevent": "DEVTYPE=scsi_device\n",
            f"{own}/uevent": f"DEVNAME={name}\nDEVTYPE=disk\n",
            f"{own}/removable": "0\n",
            f"{own}/queue/read_ahead_kb": f"{readahead}\n",
            f"{own}/queue/nomerges": "0\n",
            f"{own}/queue/scheduler": "[mq-deadline] kyber bfq none\n",
        }
    return files
