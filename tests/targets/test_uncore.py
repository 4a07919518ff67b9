"""The uncore of Intel's processors: tuned and the program of a systemd unit write to each die."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from audit import audited, values

from consumers.systemd_machine import systemd_machine
from consumers.tuned_machine import SKYLAKE, UNCORE
from consumers.tuned_run import apply_once
from setpoint.targets.systemd import TARGET as SYSTEMD
from setpoint.targets.tuned import TARGET as TUNED
from support.ask import outcome
from support.host import with_profile
from support.plans import planned

ASKED = (
    "goal throughput; cpu granite-rapids; os debian 13;"
    'set uncore-minimum-frequency 1500MHz because "a test"; set uncore-maximum-frequency 2200MHz because "a test";'
    'set uncore-idle-frequency 1600MHz because "a test"; set uncore-low-load 0 because "a test";'
    'set uncore-high-load 80 because "a test";'
)
WANTED = {
    "min_freq_khz": "1500000",
    "max_freq_khz": "2200000",
    "elc_floor_freq_khz": "1600000",
    "elc_low_threshold_percent": "0",
    "elc_high_threshold_percent": "80",
    "elc_high_threshold_enable": "1",
}
FOLDER = "/sys/devices/system/cpu/intel_uncore_frequency"


def read(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text(encoding="utf-8").strip() for name in UNCORE}


def after(wanted: dict[str, str]) -> dict[str, str]:
    return {name: wanted.get(Path(name).name, text) for name, text in UNCORE.items()}


def test_tuned_sets_every_die(tmp_path: Path) -> None:
    for artifact in with_profile(TUNED.emit(planned(ASKED)).artifacts):
        path = tmp_path / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    done = apply_once(tmp_path / "tuned/setpoint-policy", tmp_path / "machine", SKYLAKE)
    assert done.complaints == ()
    assert {path[1:]: text for path, text in done.written.items() if path.startswith(FOLDER)} == after(WANTED)


def test_the_unit_sets_every_die_and_puts_it_back(tmp_path: Path) -> None:
    root = tmp_path / "root"
    systemd_machine(root)
    made = {a.path: a.text for a in SYSTEMD.emit(planned(ASKED + "tuned unused")).artifacts}
    program = tmp_path / "program"
    program.write_text(made["systemd/files/usr/local/sbin/setpoint_policy"], encoding="utf-8")
    environment = {"SETPOINT_ROOT": str(root), "PATH": "/usr/bin:/bin"}
    for order, expected in (("start", after(WANTED)), ("stop", UNCORE)):
        subprocess.run(["/bin/sh", str(program), order], env=environment, check=True)
        assert read(root) == expected


@pytest.mark.parametrize(
    ("server", "offered"),
    [
        ("cpu skylake; os debian 12", ["uncore-minimum-frequency"]),
        ("cpu granite-rapids; os debian 13", ["uncore-minimum-frequency", "uncore-low-load"]),
        ("cpu granite-rapids; os debian 12", []),
        ("cpu epyc-genoa; os debian 13", []),
        ("cpu skylake; os rhel 9", []),
    ],
)
def test_what_is_offered_depends_on_the_processor_and_the_kernel(server: str, offered: list[str]) -> None:
    for setting, value in (("uncore-minimum-frequency", "1500MHz"), ("uncore-low-load", "10")):
        done = outcome(f'goal throughput; {server}; set {setting} {value} because "a test"')
        assert done.is_stopped == (setting not in offered)


def test_the_high_threshold_can_be_off() -> None:
    plan = planned(
        'goal throughput; cpu sierra-forest; os debian 13; set uncore-high-load off because "a test"'
    )
    (text,) = (a.text for a in with_profile(TUNED.emit(plan).artifacts) if a.path.endswith("tuned.conf"))
    assert [line for line in text.splitlines() if line.startswith(FOLDER)] == [
        f"{FOLDER}/uncore*/elc_high_threshold_enable=0"
    ]


def test_an_audit_reads_kilohertz() -> None:
    found = audited(
        f"[sysfs]\n{FOLDER}/package_*_die_*/min_freq_khz=1500000\n", server="cpu skylake; os debian 12"
    )
    assert values(found) == {"uncore-minimum-frequency": "1500MHz"}
