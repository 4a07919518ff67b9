"""systemd: the real systemd-analyze and systemd-sysctl take the files, and no text of a policy becomes more than a
comment in them.

What they do on a server is in `tests/rollouts/test_systemd_apply.py`.
"""

from __future__ import annotations

import shutil
import subprocess
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.requirement import require, unmet
from setpoint.compiler.plan.model import Plan
from setpoint.targets.systemd import TARGET
from setpoint.targets.systemd.lower import below
from support.plans import HOSTILE, because, planned
from support.shell import shellcheck

WITHOUT_TUNED = "cpu skylake; os debian 12; tuned unused"
EVERY_KIND = (
    f"goal latency; {WITHOUT_TUNED}; workload comm-bound;"
    'set readahead 4096 because "a test"; set block-scheduler mq-deadline because "a test";'
    'set block-merges none because "a test"; set huge-pages-2m 512 because "a test";'
    'set irqbalance-banned-cpus 2-3 because "a test"; set service-cpus 0-1 because "a test";'
    'set isolated-partition 2-3 because "a test"; set service-open-files 600000 because "a test";'
    'set service-locked-memory unlimited because "a test";'
)
EARLIER = [
    f'goal latency; platform r740; os {os}; workload sap-hana; set service-cpus 0-1 because "a test"'
    for os in ("sles 12", "sles 15.1", "sles 15.3", "ubuntu 20.04")
]
"""Releases whose kernels are older than those of the others, and whose tuned is not known."""
NAME = "setpoint_policy"


def files(plan: Plan) -> dict[str, str]:
    """The text of each file, by its path on a server."""
    made = TARGET.emit(plan).artifacts
    return {a.path.removeprefix("systemd/files"): a.text for a in made if a.path.startswith("systemd/files/")}


def lines(text: str) -> list[str]:
    """The lines that a program reads."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def on_server(plan: Plan, root: Path) -> Path:
    """The files of a plan in the folder of a server that has the units of this machine."""
    for path, text in files(plan).items():
        (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
        (root / path[1:]).write_text(text, encoding="utf-8")
    for program in (root / "usr/local/sbin").glob("*"):
        program.chmod(0o755)
    units = next((Path(each) for each in ("/usr/lib/systemd/system",) if Path(each).is_dir()), None)
    if units is None:
        unmet("this system has no units of systemd")
    shutil.copytree(units, root / "usr/lib/systemd/system", symlinks=True)
    return root


# ------------------------------------------------------------------------------------------------- the real programs


@pytest.mark.parametrize("policy", [EVERY_KIND, *EARLIER])
def test_systemd_takes_the_unit_and_the_sysctls(tmp_path: Path, policy: str) -> None:
    root = on_server(planned(policy), tmp_path / "root")
    analyze = str(require("systemd-analyze"))
    unit = f"/etc/systemd/system/{NAME}.service"
    done = subprocess.run(
        [analyze, "verify", "--man=no", f"--root={root}", unit], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    done = subprocess.run(
        [analyze, "security", "--offline=yes", "--threshold=40", f"--root={root}", f"{NAME}.service"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # With a prefix that no name has, it reads the file and sets nothing.
    reader = Path("/usr/lib/systemd/systemd-sysctl")
    if not reader.exists():
        unmet("this system has no systemd-sysctl")
    done = subprocess.run(
        [str(reader), "--prefix=/none", str(root / f"etc/sysctl.d/90-{NAME}.conf")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.parametrize("policy", [EVERY_KIND, *EARLIER])
def test_the_scripts_are_clean(policy: str) -> None:
    made = {a.path: a.text for a in TARGET.emit(planned(policy)).artifacts}
    assert shellcheck(made[f"systemd/files/usr/local/sbin/{NAME}"]) == ""


# ---------------------------------------------------------------------------------------------------- what is in them


def test_each_kind_of_value_has_its_file() -> None:
    made = {path: lines(text) for path, text in files(planned(EVERY_KIND)).items()}
    assert made[f"/etc/sysctl.d/90-{NAME}.conf"] == [
        "net.core.busy_read = 50",
        "net.core.busy_poll = 50",
        "vm.dirty_background_ratio = 3",
        "vm.dirty_ratio = 10",
        "kernel.numa_balancing = 0",
        "vm.swappiness = 10",
        "net.ipv4.tcp_fastopen = 3",
    ]
    assert made[f"/etc/udev/rules.d/90-{NAME}.rules"][3:-1] == [
        'ATTR{queue/nomerges}=="?*", ATTR{queue/nomerges}="2"',
        # Only disks that offer it: those of device-mapper do not.
        'ATTR{queue/scheduler}=="*mq-deadline*", ATTR{queue/scheduler}="mq-deadline"',
        # A minimum: disks with more keep it.
        'ATTR{queue/read_ahead_kb}=="?|??|???|[1-3]???|40[0-8]?|409[0-5]", ATTR{queue/read_ahead_kb}="4096"',
    ]
    assert [line for line in made[f"/usr/local/sbin/{NAME}"] if line.startswith("set_") and "'" in line] == [
        "set_each '0' \"$root\"/sys/devices/system/cpu/cpu*/power/energy_perf_bias",
        "set_limit 'cstate.id_no_zero:1|3' \"$root\"/sys/devices/system/cpu/cpu*/power/pm_qos_resume_latency_us",
        "set_offered 'performance' \"$root\"/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
        "set_each '512' \"$root\"/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
        # A partition is a slice with CPUs of its own, whose control group is made isolated.
        "set_each 'isolated' \"$root\"/sys/fs/cgroup/isolated.slice/cpuset.cpus.partition",
        "set_each '100' \"$root\"/sys/devices/system/cpu/intel_pstate/min_perf_pct",
        "set_each 'never' \"$root\"/sys/kernel/mm/transparent_hugepage/enabled",
    ]
    assert made[f"/etc/systemd/system/isolated.slice.d/90-{NAME}.conf"] == ["[Slice]", "AllowedCPUs=2-3"]
    assert "Requires=isolated.slice" in made[f"/etc/systemd/system/{NAME}.service"]
    assert made[f"/etc/systemd/system.conf.d/90-{NAME}.conf"] == [
        "[Manager]",
        "CPUAffinity=0-1",
        "DefaultLimitMEMLOCK=infinity",
        "DefaultLimitNOFILE=1024:600000",
    ]
    for policy in EARLIER:
        earlier = files(planned(policy))[f"/etc/systemd/system.conf.d/90-{NAME}.conf"]
        assert lines(earlier) == ["[Manager]", "CPUAffinity=0-1"]
    banned = f"/etc/systemd/system/irqbalance.service.d/90-{NAME}.conf"
    assert made[banned] == ["[Service]", "Environment=IRQBALANCE_BANNED_CPULIST=2-3"]
    for release, known in (("debian 11", False), ("debian 13", True)):
        of_it = planned(
            f'goal latency; platform r740; os {release}; set irqbalance-banned-cpus 2-3 because "a test"'
        )
        assert (banned in files(of_it)) is known, release


def test_of_alternatives_a_disk_gets_the_first_that_it_offers() -> None:
    made = files(planned(EARLIER[0]))
    assert lines(made[f"/etc/udev/rules.d/90-{NAME}.rules"])[3:-1] == [
        'ATTR{queue/scheduler}=="*noop*", ATTR{queue/scheduler}="noop"',
        'ATTR{queue/scheduler}=="*none*", ATTR{queue/scheduler}!="*noop*", ATTR{queue/scheduler}="none"',
    ]


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_numbers_below_another_match_its_pattern(number: int, other: int) -> None:
    matches = [fnmatchcase(str(other), each) for each in below(str(number)).split("|")]
    assert any(matches) == (other < number)


@pytest.mark.parametrize("kind", ["set", "rule"])
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_code(text: str, kind: str) -> None:
    plan = planned(EVERY_KIND)
    made, hostile = files(plan), files(because(plan, text, kind))
    assert {path: lines(each) for path, each in hostile.items()} == {
        path: lines(each) for path, each in made.items()
    }
    # Neither systemd nor udev joins a comment to the next line: none ends in a backslash.
    assert not any(line.endswith("\\") for each in hostile.values() for line in each.splitlines())
    assert all(each.isascii() for each in hostile.values())


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_.+-]{0,20}", fullmatch=True))
def test_any_name_of_a_policy_is_that_of_a_unit(name: str) -> None:
    plan = planned(EVERY_KIND)._replace(policy=name)
    (unit,) = (path for path in files(plan) if path.endswith(".service"))
    assert unit.isascii()
    assert not set(unit) & set("%$+\\\"' @")


# ------------------------------------------------------------------------------------------------ which plans it is for


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ("os ubuntu 24.04; tuned unused", ""),
        ("os sles 15; tuned unused", ""),
        ("os rhel 7; tuned unused", ""),
        ("os sles 12", ""),
        ("os sles 15.1", ""),
        ("os sles 15.3", ""),
        ("os ubuntu 20.04", ""),
        ("os linux-5.3; tuned unused", ""),
        (
            "os sles 12; tuned used",
            "these files are for servers without tuned: state `tuned unused` for them",
        ),
        ("os ubuntu 24.04", "these files are for servers without tuned: state `tuned unused` for them"),
        (
            "os ubuntu 24.04; tuned used",
            "these files are for servers without tuned: state `tuned unused` for them",
        ),
        ("os rhel 6; tuned unused", "it is not known that `rhel-6` has systemd"),
        ("os linux; tuned unused", ""),
    ],
)
def test_which_servers_it_is_for(facts: str, reason: str) -> None:
    assert TARGET.unsupported_reason(planned(f"goal latency; cpu sandy-bridge; {facts}")) == reason


@pytest.mark.parametrize(
    "os",
    [
        "rhel 7",
        "rhel 8",
        "debian 12",
        "ubuntu 20.04",
        "ubuntu 22.04",
        "sles 12",
        "sles 15.2",
        "sles 15",
        "sles 16",
    ],
)
def test_every_setting_is_carried_or_left_out(os: str) -> None:
    for goal, more in product(("latency", "throughput"), ("", "workload hpc; manage all")):
        plan = planned(f"goal {goal}; cpu skylake; os {os}; tuned unused; {more}")
        emission = TARGET.emit(plan)
        assert emission.expressed | emission.left_out.keys() == {
            d.setting for d in plan.written if d.layer == "os"
        }
        assert not emission.expressed & emission.left_out.keys()


def test_a_plan_that_decides_nothing_here_gets_no_file() -> None:
    assert TARGET.emit(planned(f"goal density; {WITHOUT_TUNED}")).artifacts == ()
