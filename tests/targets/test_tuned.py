"""tuned: the real one loads every profile without a complaint, and writes what the plan says."""

from __future__ import annotations

import configparser
import os
import struct
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.requirement import require
from consumers.tuned_lint import lint, require_tuned
from consumers.tuned_machine import SKYLAKE, WESTMERE, Machine, build
from consumers.tuned_run import SANDBOX, apply_once
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets.tuned import TARGET
from support.host import with_profile, words_of
from support.limits import PATIENCE
from support.plans import HOSTILE, because, planned
from support.shell import Ran, code, run, shellcheck

GOALS = ("latency", "performance", "throughput", "balanced", "efficiency", "density")
SERVERS = (("westmere", WESTMERE), ("skylake", SKYLAKE))

LATENCY = "goal latency; cpu westmere; workload comm-bound"
EL6 = (
    "goal latency; cpu westmere; os rhel 6.4; manage all;"
    'set governor performance because "a test"; set cpuspeed-service on because "a test";'
    'accept os-control-without-cpuspeed because "a test"'
)


def files(plan: Plan) -> dict[str, str]:
    """The text of each file of the profile, by its name."""
    return {
        artifact.path.rpartition("/")[2]: artifact.text
        for artifact in with_profile(TARGET.emit(plan).artifacts)
    }


def decision(plan: Plan, setting: str) -> Decision:
    """The plan's decision on a setting that it has."""
    found = plan.setting(setting)
    assert found is not None
    return found


def written(plan: Plan, folder: Path) -> Path:
    """The profile's folder, as a user would have it after unpacking the bundle."""
    profile = folder / "bundle"
    for artifact in with_profile(TARGET.emit(plan).artifacts):
        path = folder / "bundle" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
        profile = path.parent
    return profile


def options(text: str) -> dict[str, dict[str, str]]:
    """A tuned.conf, read as tuned reads it (profiles/loader.py)."""
    parser = configparser.ConfigParser(delimiters="=", inline_comment_prefixes="#", strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return {section: dict(parser.items(section, raw=True)) for section in parser.sections()}


# ---------------------------------------------------------------------------------------------------- the real tuned


@pytest.mark.alike
@pytest.mark.parametrize("manage", [pytest.param("", marks=pytest.mark.repeated), "manage all"])
@pytest.mark.parametrize("workload", ["", "workload hpc;", "workload comm-bound;", "workload latency-bound;"])
@pytest.mark.parametrize("goal", GOALS)
def test_tuned_knows_every_plugin_and_option(tmp_path: Path, goal: str, workload: str, manage: str) -> None:
    for cpu, _ in SERVERS:
        plan = planned(f"goal {goal}; cpu {cpu}; {workload} {manage}")
        if TARGET.emit(plan).artifacts:
            assert lint(written(plan, tmp_path / cpu)).problems == ()


SYSCTLS = {
    "swappiness": ["vm.swappiness"],
    "minimum-free-memory": ["vm.min_free_kbytes"],
    "numa-balancing": ["kernel.numa_balancing"],
    "busy-poll": ["net.core.busy_read", "net.core.busy_poll"],
    "dirty-ratio": ["vm.dirty_ratio"],
    "dirty-background-ratio": ["vm.dirty_background_ratio"],
    "zone-reclaim": ["vm.zone_reclaim_mode"],
    "listen-backlog": ["net.core.somaxconn"],
    "memory-overcommit": ["vm.overcommit_memory"],
    "neighbour-table-maximum": ["net.ipv4.neigh.default.gc_thresh3"],
    "neighbour-table-minimum": ["net.ipv4.neigh.default.gc_thresh1"],
    "neighbour-table-threshold": ["net.ipv4.neigh.default.gc_thresh2"],
    "shared-memory-segments": ["kernel.shmmni"],
    "local-ports": ["net.ipv4.ip_local_port_range"],
    "real-time-runtime": ["kernel.sched_rt_runtime_us"],
    "tcp-fast-open": ["net.ipv4.tcp_fastopen"],
    "tcp-keepalive-interval": ["net.ipv4.tcp_keepalive_intvl"],
    "tcp-keepalive-probes": ["net.ipv4.tcp_keepalive_probes"],
    "tcp-keepalive-time": ["net.ipv4.tcp_keepalive_time"],
    "tcp-retransmissions": ["net.ipv4.tcp_retries2"],
    "tcp-slow-start-after-idle": ["net.ipv4.tcp_slow_start_after_idle"],
    "tcp-timestamps": ["net.ipv4.tcp_timestamps"],
    "tcp-unsent-limit": ["net.ipv4.tcp_notsent_lowat"],
    "vm-statistics-interval": ["vm.stat_interval"],
}


@pytest.mark.alike
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize(("cpu", "machine"), SERVERS)
def test_tuned_writes_what_the_plan_says(tmp_path: Path, goal: str, cpu: str, machine: Machine) -> None:
    plan = planned(f"goal {goal}; cpu {cpu}; workload hpc; manage all")
    done = apply_once(written(plan, tmp_path), tmp_path / "machine", machine)
    assert done.complaints == ()
    assert done.sysctls == {name: d.label for d in plan.written for name in SYSCTLS.get(d.setting, ())}
    assert done.boot_arguments is None

    # Of the alternatives of a label the first that the driver offers counts; schedutil is not among those of the
    # machines.
    governor = next((g for g in decision(plan, "governor").label.split("|") if g in machine.governors), "")
    assert governor
    for number in range(machine.cpus):
        path = f"/sys/devices/system/cpu/cpu{number}/cpufreq/scaling_governor"
        assert done.written.get(path, machine.governors[0]) == governor

    pages = "/sys/kernel/mm/transparent_hugepage/enabled"
    assert done.written[pages] == plan.value("transparent-hugepages")
    assert done.latency_us == (machine.cstates["C1"] if plan.value("force-latency") == "c1" else None)

    floor = plan.setting("min-perf-pct")
    assert (floor is not None) is machine.pstate
    written_floor = done.written.get("/sys/devices/system/cpu/intel_pstate/min_perf_pct")
    assert written_floor == (floor.label if floor and floor.written else None)

    # `>4096` raises the one disk that is below, and leaves the other alone.
    ahead = {path: value for path, value in done.written.items() if path.endswith("/queue/read_ahead_kb")}
    raised = {"/sys/devices/scsi-sda/block/sda/queue/read_ahead_kb": "4096"}
    assert ahead == (raised if plan.value("readahead") == "4096" else {})

    bias = plan.setting("energy-perf-bias")
    first = bias.label.split("|")[0] if bias else ""
    assert done.calls == (
        tuple(f"x86_energy_perf_policy -c {n} {first}" for n in range(machine.cpus)) if bias else ()
    )


def test_a_disk_section_says_that_it_does_nothing_else() -> None:
    """tuned's dynamic tuning changes power management and spindown of the disks of any [disk] section
    (plugin_disk.py)."""
    conf = options(files(planned("goal throughput; cpu skylake"))["tuned.conf"])
    assert conf["disk"] == {"readahead": ">4096", "dynamic": "0"}
    assert "disk" not in options(files(planned("goal latency; cpu skylake"))["tuned.conf"])


def test_a_read_ahead_that_is_left_alone_is_left_out_by_name() -> None:
    plan = planned('goal throughput; cpu skylake; set readahead unmanaged because "a test"')
    emission = TARGET.emit(plan)
    assert "take the line out" in emission.left_out["readahead"]
    assert "disk" not in options(files(plan)["tuned.conf"])


def test_an_older_tuned_gets_its_own_words(tmp_path: Path) -> None:
    """2.11 takes microseconds only; it writes an option that the real one here takes too."""
    plan = planned("goal latency; cpu skylake; os rhel 7")
    assert options(files(plan)["tuned.conf"])["cpu"]["force_latency"] == "1"
    assert lint(written(plan, tmp_path / "c1")).problems == ()
    plan = planned(
        "goal latency; cpu skylake; os rhel 7; manage all; " + 'set force-latency none because "a test"'
    )
    cpu = options(files(plan)["tuned.conf"])["cpu"]
    assert (cpu["latency_low"], cpu["latency_high"], "force_latency" in cpu) == (
        "2000000000",
        "2000000000",
        False,
    )
    assert lint(written(plan, tmp_path / "none")).problems == ()


def latency_asked_for(conf: str, folder: Path, seconds: float) -> int | None:
    """What tuned asks of /dev/cpu_dma_latency within some seconds, running as a daemon with dynamic tuning on, as on
    Debian."""
    require_tuned()
    root = folder / "root"
    build(root, SKYLAKE)
    (root / "etc/tuned/tuned-main.conf").write_text(
        "daemon = 1\ndynamic_tuning = 1\nsleep_interval = 1\nupdate_interval = 1\nreapply_sysctl = 0\n",
        encoding="utf-8",
    )
    profile = root / "etc/tuned/mine"
    if Path("/usr/lib/tuned/profiles").is_dir():
        profile = root / "etc/tuned/profiles/mine"
    profile.mkdir(parents=True)
    (profile / "tuned.conf").write_text(conf, encoding="utf-8")
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    isolated = ["--mount", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child"]
    device = root / "dev/cpu_dma_latency"
    said = folder / "log"
    with said.open("w", encoding="utf-8") as log:
        daemon = subprocess.Popen(
            [str(require("unshare")), *as_root, *isolated, str(SANDBOX), str(root), "mine"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            until = time.monotonic() + PATIENCE
            while "static tuning from profile 'mine' applied" not in said.read_text(encoding="utf-8"):
                assert time.monotonic() < until, said.read_text(encoding="utf-8")
                assert daemon.poll() is None, said.read_text(encoding="utf-8")
                time.sleep(0.1)
            until = time.monotonic() + seconds
            while time.monotonic() < until and not device.read_bytes():
                time.sleep(0.1)
        finally:
            daemon.kill()
            daemon.wait()
    asked = device.read_bytes()
    return struct.unpack("<i", asked[:4])[0] if asked else None


def test_a_plan_without_a_limit_gets_none_from_dynamic_tuning(tmp_path: Path) -> None:
    """Why `force_latency=none` stands in a profile whose plan left idle states alone: without it tuned limits them."""
    plan = planned("goal balanced; cpu skylake")
    assert not decision(plan, "force-latency").written
    conf = files(plan)["tuned.conf"]
    assert latency_asked_for(conf, tmp_path / "with", 3) is None
    assert latency_asked_for(conf.replace("force_latency=none\n", ""), tmp_path / "without", PATIENCE) in (
        100,
        1000,
    )


# --------------------------------------------------------------------------------------------------------- the profile


def test_a_profile_states_every_value_and_includes_nothing() -> None:
    assert options(files(planned(LATENCY))["tuned.conf"]) == {
        "main": {"summary": "Setpoint policy policy: goal latency, workload comm-bound"},
        "cpu": {
            "energy_perf_bias": "performance",
            "force_latency": "cstate.id_no_zero:1|3",
            "governor": "performance",
        },
        "sysctl": {
            "kernel.numa_balancing": "0",
            "net.core.busy_poll": "50",
            "net.core.busy_read": "50",
            "net.ipv4.tcp_fastopen": "3",
            "vm.dirty_background_ratio": "3",
            "vm.dirty_ratio": "10",
            "vm.swappiness": "10",
        },
        "vm": {"transparent_hugepages": "never"},
    }


def test_each_value_carries_its_reason() -> None:
    text = files(planned(LATENCY))["tuned.conf"]
    assert (
        "# CPU frequency governor: performance (tuned-profiles, latency-performance, [cpu] governor)\ngovernor="
        in text
    )
    text = files(planned(LATENCY + '; set swappiness 60 because "OOM on 2 nodes, OPS-7"'))["tuned.conf"]
    assert "# Swappiness: 60 (set: OOM on 2 nodes, OPS-7)\nvm.swappiness=60\n" in text


def test_a_profile_never_hides_one_that_tuned_ships() -> None:
    """A profile in /etc named as a shipped one would take its place: a policy may be called `balanced`."""
    emission = TARGET.emit(planned(f"policy balanced {{ {LATENCY} }}"))
    assert [artifact.path for artifact in with_profile(emission.artifacts)] == [
        "host/setpoint-host",
        "tuned/tuned.plan",
        "tuned/setpoint-balanced/tuned.conf",
    ]


def test_what_tuned_cannot_say_is_left_out_with_a_way_to_do_it() -> None:
    for value, part in (
        ("smt", "all CPUs of each line"),
        ("strict-no-smt", "the first CPU"),
        ("loose-no-smt", "fill the first"),
    ):
        plan = planned(
            f'goal throughput; cpu nehalem; set smt-placement {value} because "a test"; set smt on because "a test"'
        )
        emission = TARGET.emit(plan)
        assert part in emission.left_out["smt-placement"]
        assert "smt-placement" not in emission.expressed


def test_a_plan_that_decides_nothing_here_gets_no_profile() -> None:
    assert TARGET.emit(planned("goal density; cpu skylake")).artifacts == ()


UNKNOWN_TUNED = (
    "which tuned this system has is not known here; target systemd is for a plan that says `tuned unused`"
)


@pytest.mark.parametrize(
    ("os", "reason"),
    [
        ("rhel 5", "Enterprise Linux 5 has no tuned"),
        ("slc 5", "Enterprise Linux 5 has no tuned"),
        ("sles 11", "SUSE Linux Enterprise Server 11 has no tuned"),
        ("sles 12", UNKNOWN_TUNED),
        ("sles 15.3", UNKNOWN_TUNED),
        ("ubuntu 20.04", UNKNOWN_TUNED),
        ("linux 5.3", UNKNOWN_TUNED),
        ("linux", ""),
        (
            'own; os own { title "Linux of our own"; within linux; }',
            "which tuned this Linux has is not known here",
        ),
        ("ubuntu 24.04; tuned unused", "the policy states that tuned is not used"),
        ("sles 15.4", ""),
        ("windows-server-2012", "`windows-server-2012` has no tuned"),
        ("rhel 6", ""),
        ("rhel 7", ""),
        ("rhel 10", ""),
    ],
)
def test_which_systems_have_tuned(os: str, reason: str) -> None:
    cpu = "haswell" if os == "rhel 10" else "sandy-bridge"
    assert TARGET.unsupported_reason(planned(f"goal latency; cpu {cpu}; os {os}")) == reason


# ----------------------------------------------------------------------------------------------------------- tuned 0.2

FUNCTIONS = """\
note() { printf '%s\\n' "$*" >>"$root/calls"; }
set_cpu_governor() { note set_cpu_governor "$@"; }
set_transparent_hugepages() { note set_transparent_hugepages "$@"; }
restore_cpu_governor() { note restore_cpu_governor; }
restore_transparent_hugepages() { note restore_transparent_hugepages; }
status() { return 0; }
process() {
    case $1 in start | stop | status) "$1" ;; *) exit 2 ;; esac
    exit $?
}
"""
"""Stand-ins for the functions that tuned 0.2 brings."""

LOAD_SYSCTL = """\
while read line; do
    case $line in "#"* | ";"* | "") continue ;; esac
    echo "$line"
done <"$FILE"
"""
"""How ktune of tuned 0.2 reads its sysctl file: a backslash at the end of a line joins the next one to it."""

PMQOS = """\
#!/bin/sh
# What pmqos-static.py of tuned 0.2 does, but for the daemon: it notes its call, and who would hold the request.
root=${0%/usr/libexec/tuned/*}
echo "pmqos-static.py $*" >>"$root/calls"
"""


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """The root folder of a server with Enterprise Linux 6: what tuned 0.2 brings for a profile."""
    contents = {
        "etc/tune-profiles/functions": FUNCTIONS,
        "usr/libexec/tuned/pmqos-static.py": PMQOS,
    }
    for path, content in contents.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    (tmp_path / "usr/libexec/tuned/pmqos-static.py").chmod(0o755)
    return tmp_path


def ktune(server: Path, action: str, plan: Plan | None = None) -> Ran:
    return run(files(plan or planned(EL6))["ktune.sh"], action, SETPOINT_ROOT=str(server))


def calls(server: Path) -> list[str]:
    return (server / "calls").read_text(encoding="utf-8").splitlines()


def test_el6_gets_the_four_files_of_its_tuned_and_a_script() -> None:
    emission = TARGET.emit(planned(EL6))
    assert {a.path: a.mode for a in with_profile(emission.artifacts)} == {
        "host/setpoint-host": 0o755,
        "tuned/tuned.plan": 0o644,
        "tuned/setpoint-policy/tuned.conf": 0o644,
        "tuned/setpoint-policy/ktune.sh": 0o755,
        "tuned/setpoint-policy/ktune.sysconfig": 0o644,
        "tuned/setpoint-policy/sysctl.ktune": 0o644,
    }
    assert emission.expressed == {
        "dirty-background-ratio",
        "dirty-ratio",
        "force-latency",
        "governor",
        "swappiness",
        "transparent-hugepages",
    }
    assert emission.left_out.keys() == {"cpuspeed-service"}


def test_el6_start_and_stop_call_what_tuned_brings(server: Path) -> None:
    assert ktune(server, "start").status == 0
    started = [
        "pmqos-static.py cpu_dma_latency=1",
        "set_cpu_governor performance",
        "set_transparent_hugepages never",
    ]
    assert calls(server) == started
    assert ktune(server, "stop").status == 0
    assert calls(server)[3:] == [
        "restore_transparent_hugepages",
        "restore_cpu_governor",
        "pmqos-static.py disable",
    ]


def test_el6_without_a_limit_ends_the_request_of_an_earlier_profile(server: Path) -> None:
    plan = planned(EL6 + '; set force-latency none because "a test"')
    assert ktune(server, "start", plan).status == 0
    assert "pmqos-static.py disable" in calls(server)


def test_el6_does_not_start_a_service_that_the_plan_keeps_stopped(server: Path) -> None:
    """tuned 0.2 sets the governor by restarting cpuspeed."""
    plan = planned("goal latency; cpu westmere; os rhel 6.4; manage all")
    assert plan.value("cpuspeed-service") == "off"
    assert decision(plan, "governor").written
    assert "restarting the cpuspeed service" in TARGET.emit(plan).left_out["governor"]
    ktune(server, "start", plan)
    assert calls(server) == ["pmqos-static.py cpu_dma_latency=1", "set_transparent_hugepages never"]


def test_el6_tuned_itself_tunes_nothing() -> None:
    read = options(files(planned(EL6))["tuned.conf"])
    assert all(section == {"enabled": "False"} for name, section in read.items() if name != "main")
    assert len(read) == 7


def test_el6_scripts_are_clean() -> None:
    emitted = files(planned(EL6))
    assert shellcheck(emitted["ktune.sh"]) == ""
    assert code(emitted["ktune.sysconfig"]) == ["", "KTUNE_REVERT_SYSCTL=1", "", 'USE_KTUNE_D="yes"', ""]
    assert run("set -eu\n" + emitted["ktune.sysconfig"] + 'echo "$USE_KTUNE_D"').said == "yes\n"


# ----------------------------------------------------------------------------------------------- what users may write


@given(st.one_of(st.sampled_from(HOSTILE), st.text()), st.sampled_from(("set", "rule")))
def test_a_reason_never_changes_what_is_parsed(text: str, kind: str) -> None:
    for policy in (LATENCY, "goal balanced; cpu skylake"):
        before, after = (
            files(p)["tuned.conf"] for p in (planned(policy), because(planned(policy), text, kind))
        )
        assert options(before) == options(after)
        assert after.isascii()
    plain, other = files(planned(EL6)), files(because(planned(EL6), text, kind))
    for name, text in plain.items():
        read = words_of if name.endswith(".plan") else code
        assert read(text) == read(other[name])


PAGES_OF_TCP = """
source lab { title "Bench notes"; publisher "Example Ltd"; }
setting pages-of-tcp { title "Pages of TCP"; layer os; values few, many; }
options of lab when os linux { pages-of-tcp few, many default few at "Run 1"; }
spelling sysctl of lab when os linux { pages-of-tcp few "188 250 376", many "1880 2500 3760" in "net.ipv4.tcp_mem" at "Run 1"; }
"""


@pytest.mark.parametrize(("os", "file"), [("rhel 6.4", "sysctl.ktune"), ("debian 12", "tuned.conf")])
def test_a_sysctl_can_have_several_numbers(os: str, file: str) -> None:
    plan = planned(
        f'{PAGES_OF_TCP} goal latency; cpu westmere; os {os}; set pages-of-tcp many because "a test"'
    )
    (line,) = (line for line in files(plan)[file].splitlines() if line.startswith("net.ipv4.tcp_mem"))
    assert line == "net.ipv4.tcp_mem=1880 2500 3760"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reason_never_changes_what_tuned_does(tmp_path: Path, text: str) -> None:
    plan = planned(LATENCY)
    found = [lint(written(p, tmp_path / name)) for name, p in (("a", plan), ("b", because(plan, text)))]
    assert found[0].units == found[1].units
    assert found[1].problems == ()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reason_never_changes_what_ktune_does(server: Path, text: str) -> None:
    plan = because(planned(EL6), text)
    assert ktune(server, "start", plan) == (0, "")
    assert calls(server) == [
        "pmqos-static.py cpu_dma_latency=1",
        "set_cpu_governor performance",
        "set_transparent_hugepages never",
    ]
    (server / "sysctl.ktune").write_text(files(plan)["sysctl.ktune"], encoding="utf-8")
    assert run(LOAD_SYSCTL, FILE=str(server / "sysctl.ktune")) == (
        0,
        "vm.dirty_background_ratio=10\nvm.dirty_ratio=20\nvm.swappiness=60\n",
    )
    assert not Path("/tmp/owned").exists()
