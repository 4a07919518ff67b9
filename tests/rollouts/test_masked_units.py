"""Units that a plan masks: by plans of tuned and of target `systemd`, and by systemd itself in QEMU."""

from __future__ import annotations

from pathlib import Path

import pytest
from rollouts.test_systemd_apply import Server as WithoutTuned
from rollouts.test_tuned_apply import Server as WithTuned

from consumers.faults import KINDS
from consumers.systemd_boot import started
from setpoint.targets.systemd import TARGET as SYSTEMD
from setpoint.targets.tuned import TARGET as TUNED
from support.effort import calls
from support.host import PROGRAM, plan_of, words_of
from support.plans import HOSTILE, because, planned

TIMER = "fwupd-refresh.timer"
ASKED = 'set firmware-refresh-timer off because "a test"; set power-profiles-service off because "a test"'
PLAN = planned(f"goal latency; cpu westmere; workload comm-bound; os debian 12; {ASKED}")
UNUSED = planned(f"goal latency; cpu skylake; workload comm-bound; os ubuntu 24.04; tuned unused; {ASKED}")
SYSTEMCTL = """#!/bin/sh
# systemctl with one unit of its own, which runs while its file in run/active is there.
case "$1 ${{2-}}" in
    "is-active {timer}") [ -e "$SETPOINT_ROOT/run/active/$2" ] ;;
    "start {timer}") : >"$SETPOINT_ROOT/run/active/$2" ;;
    "stop {timer}") rm "$SETPOINT_ROOT/run/active/$2" ;;
    "is-active tuned-ppd.service") exit 3 ;;
    "daemon-reload ") ;;
    *) {others} ;;
esac
"""
SHOWN = [
    f"ok             firmware-refresh-timer: off, wanted off ({TIMER} is masked)",
    "ok             power-profiles-service: off, wanted off (tuned-ppd.service is masked)",
]


@pytest.fixture(params=["tuned", "systemd"])
def server(tmp_path: Path, request: pytest.FixtureRequest) -> WithTuned | WithoutTuned:
    """A server on which the timer runs."""
    made: WithTuned | WithoutTuned
    if request.param == "tuned":
        made, others = WithTuned(tmp_path, plan=PLAN), "exit 2"
    else:
        made, others = WithoutTuned(tmp_path, UNUSED), f'exec sh {tmp_path}/real-programs/others "$@"'
        (tmp_path / "real-programs/systemctl").rename(tmp_path / "real-programs/others")
    place = tmp_path / "real-programs/systemctl"
    place.write_text(SYSTEMCTL.format(timer=TIMER, others=others))
    place.chmod(0o755)
    for folder in ("run/active", "etc/systemd/system"):
        (made.root / folder).mkdir(parents=True, exist_ok=True)
    (made.root / "run/active" / TIMER).touch()
    return made


def units(server: WithTuned | WithoutTuned) -> tuple[dict[str, str], bool]:
    """The links that mask units, and whether the timer runs."""
    links = [path for path in (server.root / "etc/systemd/system").iterdir() if path.is_symlink()]
    return {path.name: str(path.readlink()) for path in links}, (server.root / "run/active" / TIMER).exists()


MASKED = ({TIMER: "/dev/null", "tuned-ppd.service": "/dev/null"}, False)


def test_units_are_masked_and_run_again_after_the_rollback(server: WithTuned | WithoutTuned) -> None:
    dry = server.run("try")
    assert [line for line in dry.said.splitlines() if line.startswith("would mask")] == [
        f"would mask {TIMER}",
        "would mask tuned-ppd.service",
    ]
    assert units(server) == ({}, True)
    done = server.run()
    assert (done.status, units(server)) == (0, MASKED), done.said
    assert server.run().said == "nothing to change\n"
    assert [line for line in server.run("verify").said.splitlines() if "masked" in line] == SHOWN
    back = server.run("undo")
    assert (back.status, units(server)) == (0, ({}, True)), back.said


def test_what_was_masked_before_stays_masked(server: WithTuned | WithoutTuned) -> None:
    (server.root / "etc/systemd/system" / TIMER).symlink_to("/dev/null")
    (server.root / "run/active" / TIMER).unlink()
    assert (server.run().status, units(server)) == (0, MASKED)
    assert (server.run("undo").status, units(server)) == (0, ({TIMER: "/dev/null"}, False))


@pytest.mark.parametrize("runs", [False, True])
def test_what_is_unmasked_since_is_seen_and_masked_again(
    server: WithTuned | WithoutTuned, runs: bool
) -> None:
    assert server.run().status == 0
    if runs:
        (server.root / "run/active" / TIMER).touch()
    else:
        (server.root / "etc/systemd/system" / TIMER).unlink()
    seen = server.run("verify")
    why = f"{TIMER} is masked, and still runs" if runs else f"{TIMER} is not masked"
    assert f"differs        firmware-refresh-timer: nothing found, wanted off ({why})" in seen.said
    assert seen.status == 3
    assert (server.run().status, units(server)) == (0, MASKED)


def test_a_unit_that_somebody_wrote_is_kept(server: WithTuned | WithoutTuned) -> None:
    own = server.root / "etc/systemd/system" / TIMER
    own.write_text("[Timer]\nOnCalendar=weekly\n")
    done = server.run()
    assert (done.status, f"cannot mask {TIMER}: " in done.said) == (4, True), done.said
    assert own.read_text() == "[Timer]\nOnCalendar=weekly\n"
    assert units(server) == ({}, True)


def test_a_fault_at_any_call_leaves_nothing_half_masked(server: WithTuned | WithoutTuned) -> None:
    assert server.run().status == 0
    last = server.faults.calls
    assert server.run("undo").status == 0
    for case, at in enumerate(calls(last, 3)):
        done = server.run(kind=KINDS[case % len(KINDS)], at=at)
        if done.status == 4:
            assert units(server) == ({}, True), done.said
        if {path.removeprefix("tuned.").removeprefix("systemd.") for path in server.kept} & {
            "journal",
            "rollback.1",
        }:
            assert server.run("undo").status == 0
        assert units(server) == ({}, True), (case, at, done.said)


def test_no_reason_is_read() -> None:
    for target, plan in ((TUNED, PLAN), (SYSTEMD, UNUSED)):
        for hostile in HOSTILE:
            made, changed = (plan_of(target.emit(each).artifacts) for each in (plan, because(plan, hostile)))
            assert words_of(changed) == words_of(made)


BOOTED = planned(f"policy web {{ goal latency; cpu skylake; os debian 12; tuned unused; {ASKED}; }}")
SCRIPT = f"""
export SETPOINT_IGNORE="product processor sockets system distribution kernel"
show() {{ echo "$1 $(systemctl is-enabled {TIMER}) $(systemctl is-active {TIMER})"; }}
systemctl start {TIMER}
show before
sh /setpoint-host apply /systemd.plan >/dev/null; echo "apply $?"
show applied
systemctl start {TIMER} 2>/dev/null || echo refused
sh /setpoint-host apply /systemd.plan
sh /setpoint-host verify /systemd.plan | grep masked
sh /setpoint-host undo /systemd.plan >/dev/null; echo "rollback $?"
show back
"""


@pytest.mark.repeated  # by the same steps on a machine of files
def test_systemd_starts_no_masked_unit(tmp_path: Path) -> None:
    files = {a.path.removeprefix("systemd"): (a.text, a.mode) for a in SYSTEMD.emit(BOOTED).artifacts}
    place = f"/usr/lib/systemd/system/{TIMER}"
    timer = "[Timer]\nOnCalendar=daily\nUnit=tried.service\n[Install]\nWantedBy=timers.target\n"
    lines = started(
        tmp_path,
        {"/setpoint-host": (PROGRAM, 0o755), "/systemd.plan": files["/systemd.plan"], place: (timer, 0o644)},
        SCRIPT,
    )
    assert lines[lines.index("before disabled active") :] == [
        "before disabled active",
        "apply 0",
        "applied masked inactive",
        "refused",
        "nothing to change",
        *SHOWN,
        "rollback 0",
        "back disabled active",
    ]
