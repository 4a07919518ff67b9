"""Real tuned on good and bad profiles: what it would have passed over is seen, and nothing reaches this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumers.tuned_lint import Lint, lint
from consumers.tuned_machine import SKYLAKE, WESTMERE, Machine
from consumers.tuned_run import OneShot, apply_once

GOOD = """\
[main]
summary=A test
include=latency-performance

[cpu]
governor=performance|userspace

[vm]
transparent_hugepages=never

[sysctl]
kernel.numa_balancing=0

[bootloader]
cmdline_test=+intel_idle.max_cstate=0 processor.max_cstate=1
"""


def profile(folder: Path, text: str, name: str = "mine") -> Path:
    """A profile folder with `text` for its tuned.conf."""
    path = folder / "profiles" / name
    path.mkdir(parents=True)
    (path / "tuned.conf").write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, text: str) -> tuple[str, ...]:
    """What `lint` finds in `text`."""
    return lint(profile(folder, text)).problems


def run(folder: Path, text: str, machine: Machine = WESTMERE) -> OneShot:
    """What tuned does with `text`."""
    return apply_once(profile(folder, text), folder / "machine", machine)


def test_a_good_profile_is_merged_with_what_it_includes(tmp_path: Path) -> None:
    found: Lint = lint(profile(tmp_path, GOOD))
    assert found.problems == ()
    assert found.main["summary"] == "A test"
    assert found.options("cpu")["force_latency"] == "cstate.id_no_zero:1|3"
    assert found.options("cpu")["governor"] == "performance|userspace"
    assert found.options("sysctl")["vm.swappiness"] == "10"
    assert found.options("nothing") == {}


def test_a_profile_can_include_one_beside_it(tmp_path: Path) -> None:
    profile(tmp_path, "[variables]\nlevel=7\n[sysctl]\nvm.swappiness=${level}\n", "base")
    assert lint(profile(tmp_path, "[main]\ninclude=base\n")).options("sysctl") == {"vm.swappiness": "7"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[main]\nsumary=x\n", "[main] sumary: not an option"),
        ("[noplugin]\na=1\n", "[noplugin]: no plugin 'noplugin'"),
        ("[fast]\ntype=cqu\n", "[fast]: no plugin 'cqu'"),
        ("[cpu]\ngoverner=performance\n", "[cpu] governer: not an option of 'cpu'"),
        ("[bootloader]\ncmdlin=a\n", "[bootloader] cmdlin: not an option of 'bootloader'"),
        ("[scheduler]\nsched_nr_migrat=1\n", "[scheduler] sched_nr_migrat: not an option of 'scheduler'"),
        ("[sysfs]\nkernel/mm=1\n", "[sysfs] kernel/mm: not a path in /sys"),
        ("[sysctl]\nvm.a=1\nvm.a=2\n", "option 'vm.a' in section 'sysctl' already exists"),
        ("[cpu]\n[vm]\n[cpu]\n", "section 'cpu' already exists"),
    ],
)
def test_what_tuned_passes_over_is_a_problem(tmp_path: Path, text: str, problem: str) -> None:
    assert problems(tmp_path, text) == (problem,)


@pytest.mark.parametrize("text", ["[main]\ninclude=no-such\n", "governor=performance\n", "[cpu\n"])
def test_what_tuned_cannot_load_is_a_problem(tmp_path: Path, text: str) -> None:
    (problem,) = problems(tmp_path, text)
    assert problem.startswith("Cannot ")


def test_open_names_are_no_problem(tmp_path: Path) -> None:
    text = (
        "[sysctl]\nanything.at.all=1\n[scheduler]\ngroup.x=0:f:1:*:^x\nruntime=0\n"
        "[bootloader]\ncmdline_site=a\n[cpu]\npriority=5\n[sysfs]\n/sys/a/*/b=1\n"
    )
    assert problems(tmp_path, text) == ()


def test_a_profile_applied_to_a_westmere(tmp_path: Path) -> None:
    done = run(tmp_path, GOOD)
    assert done.complaints == ()
    assert done.latency_us == 3
    assert done.sysctls == {
        "kernel.numa_balancing": "0",
        "vm.dirty_background_ratio": "3",
        "vm.dirty_ratio": "10",
        "vm.swappiness": "10",
    }
    for cpu in ("cpu0", "cpu1"):
        assert done.written[f"/sys/devices/system/cpu/{cpu}/cpufreq/scaling_governor"] == "performance"
    assert done.written["/sys/kernel/mm/transparent_hugepage/enabled"] == "never"
    assert done.boot_arguments == "intel_idle.max_cstate=0 processor.max_cstate=1"
    assert done.calls == tuple(f"x86_energy_perf_policy -c {cpu} performance" for cpu in (0, 1))


def test_a_profile_applied_to_a_skylake(tmp_path: Path) -> None:
    done = run(tmp_path, "[cpu]\nmin_perf_pct=100\nno_turbo=1\nforce_latency=cstate.name:C1E\n", SKYLAKE)
    assert done.complaints == ()
    assert done.latency_us == 10
    assert done.written["/sys/devices/system/cpu/intel_pstate/min_perf_pct"] == "100"
    assert done.written["/sys/devices/system/cpu/intel_pstate/no_turbo"] == "1"


def test_what_tuned_complains_of_when_it_applies(tmp_path: Path) -> None:
    bad = (
        "[noplugin]\n[cpu]\ngoverner=x\ngovernor=warp\nforce_latency=soon\n"
        "[vm]\ntransparent_hugepages=perhaps\n[sysctl]\nvm.swapiness=1\n"
    )
    done = run(tmp_path, bad)
    complaints = "\n".join(done.complaints)
    for part in (
        "failed to initialize plugin noplugin",
        "Unknown option 'governer' for plugin 'CPULatencyPlugin'.",
        "None of the scaling governors is supported: warp",
        "unable to evaluate latency value",
        "Incorrect 'transparent_hugepages' value",
        "swapiness",
    ):
        assert part in complaints
    assert done.latency_us is None
    assert done.written == {}


def test_a_profile_that_is_not_there_is_a_complaint(tmp_path: Path) -> None:
    done = run(tmp_path, "[main]\ninclude=no-such\n")
    assert len(done.complaints) == 1
    assert "Cannot find profile 'no-such'" in done.complaints[0]


def test_this_machine_is_left_alone(tmp_path: Path) -> None:
    swappiness = Path("/proc/sys/vm/swappiness")
    before = swappiness.read_text(encoding="utf-8")
    done = run(tmp_path, f"[sysctl]\nvm.swappiness={int(before) + 1}\n")
    assert done.sysctls == {"vm.swappiness": str(int(before) + 1)}
    assert swappiness.read_text(encoding="utf-8") == before
