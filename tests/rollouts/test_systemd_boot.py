"""systemd itself, as the first process of Linux in QEMU: it reads the files when it starts, and starts and stops the
unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumers.systemd_boot import started
from setpoint.targets.systemd import TARGET
from support.host import PROGRAM
from support.plans import planned

PLAN = planned(
    "policy web { goal latency; cpu skylake; os debian 12; tuned unused; workload comm-bound;"
    'set huge-pages-2m 4 because "a test"; set same-page-merging on because "a test"; set service-cpus 0 because "a test";'
    'set service-open-files 600000 because "a test"; set service-locked-memory unlimited because "a test";'
    'set isolated-partition 1 because "a test"; set tcp-receive-buffer-maximum 8388608 because "a test"; }'
)
FILES = {a.path.removeprefix("systemd"): (a.text, a.mode) for a in TARGET.emit(PLAN).artifacts}
PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"
BUFFERS = "/proc/sys/net/ipv4/tcp_rmem"
GROUP = "/sys/fs/cgroup/isolated.slice"
LIMITS = """
systemctl show --property=DefaultLimitNOFILE,DefaultLimitNOFILESoft,DefaultLimitMEMLOCK --value | tr '\\n' ' '; echo
"""
IGNORE = 'export SETPOINT_IGNORE="product processor sockets system distribution kernel"'
APPLIED = f"""
{IGNORE}
{LIMITS}
sh /setpoint-host apply /systemd.plan >/dev/null; echo "apply $?"
systemctl is-active setpoint_web.service; systemctl is-enabled setpoint_web.service
sh /setpoint-host apply /systemd.plan; sh /setpoint-host verify /systemd.plan >/dev/null; echo "verify $?"
echo "pages $(cat {PAGES})"
first=$(cut -f 3 {BUFFERS}); echo "buffers $(tr '\t' ' ' <{BUFFERS})"
{LIMITS}
echo "partition $(cat {GROUP}/cpuset.cpus) $(cat {GROUP}/cpuset.cpus.partition), others $(cat /sys/fs/cgroup/cpuset.cpus.effective)"
echo "isolated at boot: [$(cat /sys/devices/system/cpu/isolated)]"  # what irqbalance leaves alone by itself
systemctl stop setpoint_web.service; echo "stopped $(cat {PAGES})"
systemctl start setpoint_web.service
sh /setpoint-host undo /systemd.plan >/dev/null; echo "rollback $?"
echo "back $(cat {PAGES}) $(cat /proc/sys/vm/swappiness) $(cat /sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us)"
echo "all $(cat /sys/fs/cgroup/cpuset.cpus.effective)"
{LIMITS}
[ "$(cut -f 3 {BUFFERS})" = "$first" ] || echo "buffers as before"
ls /etc/sysctl.d /usr/local/sbin | grep setpoint
"""
STARTED = f"""
{IGNORE}
sh /setpoint-host verify /systemd.plan >/dev/null; echo "verify $?"
systemctl is-active setpoint_web.service
echo "buffers $(tr '\t' ' ' <{BUFFERS})"{LIMITS}
echo "swappiness $(cat /proc/sys/vm/swappiness) pages $(cat {PAGES}) $(cat {GROUP}/cpuset.cpus.partition)"
"""


def put(prefix: str) -> dict[str, tuple[str, int]]:
    """The files of the bundle: the program with its plan, and with a prefix the others in their places."""
    script = {"/setpoint-host": (PROGRAM, 0o755), "/systemd.plan": FILES["/systemd.plan"]}
    return script | {
        path.removeprefix(prefix): each for path, each in FILES.items() if prefix and path.startswith(prefix)
    }


@pytest.mark.repeated  # by the same steps on a machine of files
def test_what_apply_sets_is_in_force_and_comes_back(tmp_path: Path) -> None:
    assert started(tmp_path, put(""), APPLIED)[-17:] == [
        "524288 1024 8388608 ",
        "apply 0",
        "active",
        "enabled",
        "nothing to change",
        "verify 0",
        "pages always madvise [never]",
        "buffers 4096 131072 8388608",
        "600000 1024 infinity ",
        "partition 1 isolated, others 0",
        "isolated at boot: []",
        "stopped [always] madvise never",
        "rollback 0",
        "back [always] madvise never 60 0",
        "all 0-1",
        "524288 1024 8388608 ",
        "buffers as before",
    ]


@pytest.mark.repeated
def test_a_system_that_starts_with_the_files_has_their_values(tmp_path: Path) -> None:
    files = put("/files")
    files["/etc/systemd/system/basic.target.d/wants.conf"] = ("[Unit]\nWants=setpoint_web.service\n", 0o644)
    assert started(tmp_path, files, STARTED)[-5:] == [
        "verify 3",  # the unit is not enabled, but wanted by a drop-in
        "active",
        "buffers 4096 131072 8388608",
        "600000 1024 infinity ",
        "swappiness 10 pages always madvise [never] isolated",
    ]
