"""Plans of tuned: the program compares live values, and puts back the profile and the files that it has found, wherever
a run ends.

A stand-in answers for tuned-adm and tuned's daemon, in a folder that stands for the server; it writes the files that
tuned writes. Faults happen at each call of a program that changes something, as in `test_kernel_args_rollback`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from consumers.faults import KINDS, Faults
from consumers.tuned_machine import WESTMERE, build
from consumers.tuned_run import session
from setpoint.compiler.plan.model import Plan
from setpoint.targets.tuned import TARGET
from support.effort import calls, is_complete
from support.host import PROGRAM, arguments_for, plan_of
from support.plans import planned
from support.shell import Ran, shellcheck

PLAN = planned("goal latency; cpu westmere; workload comm-bound; os debian 12")
ON_ORACLE = planned(
    "goal latency; cpu westmere; workload comm-bound; os debian 12;"
    'set base-profile oracle because "as our databases"'
)
OURS = "setpoint-policy"
CHANGING = ("cp", "mv", "rm", "mkdir", "chmod", "sync", "cksum", "tuned-adm")
SHELLS = ("dash", "bash", "busybox sh")
CPU = "sys/devices/system/cpu"
LIVE = {
    "proc/sys/net/core/busy_read": "50",
    "proc/sys/net/core/busy_poll": "50",
    "proc/sys/vm/dirty_background_ratio": "3",
    "proc/sys/vm/dirty_ratio": "10",
    "proc/sys/vm/swappiness": "10",
    "proc/sys/kernel/numa_balancing": "0",
    "proc/sys/net/ipv4/tcp_fastopen": "3",
    "sys/kernel/mm/transparent_hugepage/enabled": "always madvise [never]",
    f"{CPU}/cpu0/power/energy_perf_bias": "0",
    f"{CPU}/cpu0/cpufreq/scaling_governor": "performance",
    f"{CPU}/cpu1/cpufreq/scaling_governor": "performance",
    f"{CPU}/cpu0/cpuidle/state1/latency": "3",
}
TUNED_ADM = """#!/bin/sh
# tuned-adm with a daemon that keeps to itself what is active.
set -eu
case "$*" in
    active)
        read -r active <{daemon}/active || :
        if [ -n "$active" ]; then echo "Current active profile: $active"; else echo 'No current active profile.'; exit 1; fi
        ;;
    'profile '*)
        shift
        if [ "$*" = setpoint-policy ]; then cat {etc}/setpoint-policy/tuned.conf >/dev/null; fi
        echo "$*" >{daemon}/active
        echo "$*" >{etc}/active_profile
        echo manual >{etc}/profile_mode
        ;;
    auto_profile)
        echo balanced >{daemon}/active
        echo balanced >{etc}/active_profile
        echo auto >{etc}/profile_mode
        ;;
    off) : >{daemon}/active; : >{etc}/active_profile; echo manual >{etc}/profile_mode ;;
    *) exit 2 ;;
esac
"""


class Server:
    """A server with tuned, on which a profile is active, and all live values are as the plan has them."""

    def __init__(
        self, folder: Path, active: str = "balanced", mode: str = "manual", plan: Plan = PLAN
    ) -> None:
        self.root, self.state = folder / "root", folder / "state"
        self.etc, self.daemon = self.root / "etc/tuned", folder / "daemon"
        self.daemon.mkdir()
        line = f"{active}\n" if active else ""
        (self.daemon / "active").write_text(line)
        files = {"etc/tuned/active_profile": line, "etc/tuned/profile_mode": f"{mode}\n"}
        for path, text in (files | {path: f"{text}\n" for path, text in LIVE.items()}).items():
            self.put(path, text)
        self.put("dev/cpu_dma_latency", (3).to_bytes(4, "little"))
        real = folder / "real-programs"
        real.mkdir()
        for name, text in {
            "tuned-adm": TUNED_ADM.format(daemon=self.daemon, etc=self.etc),
            "sync": "#!/bin/sh\n",
        }.items():
            (real / name).write_text(text)
            (real / name).chmod(0o755)
        self.faults = Faults(folder, CHANGING, real, SETPOINT_ROOT=str(self.root), SETPOINT_HOST="c042")
        self.script = PROGRAM
        self.faults.environment["SETPOINT_PLAN"] = plan_of(TARGET.emit(plan).artifacts)

    def put(self, path: str, content: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def run(self, *arguments: str, kind: str = "fails", at: int = 0) -> Ran:
        ran = self.faults.run(
            self.script,
            *arguments_for(arguments),
            "--state",
            str(self.state),
            kind=kind,
            at=at,
            shell=SHELLS[at % 3],
        )
        self.faults.left(self.state / "tuned.lock")
        return ran

    def results(self) -> tuple[int, dict[str, dict[str, Any]]]:
        done = self.run("verify", "--json")
        document = json.loads(done.said)
        assert {each["layer"] for each in document["results"]} == {"os"}
        return done.status, {each["setting"]: each for each in document["results"]}

    @property
    def is_active(self) -> bool:
        return (self.daemon / "active").read_text().strip() == OURS

    def picture(self) -> dict[str, bytes]:
        """The files of /etc/tuned, and what the daemon has active."""
        files = [*self.etc.rglob("*"), self.daemon / "active"]
        return {str(path): path.read_bytes() for path in files if path.is_file()}

    @property
    def kept(self) -> set[str]:
        return {path.name for path in self.state.glob("*")}


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def test_the_script_is_clean(server: Server) -> None:
    assert shellcheck(server.script) == ""


@pytest.mark.parametrize(
    ("active", "mode"),
    [("balanced", "manual"), ("balanced", "auto"), ("", "manual"), ("balanced powersave", "manual")],
)
def test_the_profile_before_it_comes_back_with_the_files(tmp_path: Path, active: str, mode: str) -> None:
    server = Server(tmp_path, active, mode)
    before = server.picture()
    dry = server.run("try")
    assert (dry.status, f"would run: tuned-adm profile {OURS}" in dry.said) == (3, True)
    assert (server.picture(), server.kept) == (before, set())
    done = server.run()
    assert (done.status, server.is_active) == (0, True), done.said
    assert (server.etc / OURS).stat().st_mode & 0o777 == 0o755
    again = server.run()
    assert (again.status, again.said) == (0, "nothing to change\n")
    back = server.run("undo")
    assert (back.status, server.picture()) == (0, before), back.said
    assert not (server.etc / OURS).exists()
    assert server.kept == {"tuned.lock", "tuned.rolled-back"}


def test_what_has_drifted_is_set_again_and_is_no_state_to_go_back_to(server: Server) -> None:
    """A value that tuned cannot set would else leave a snapshot with every run, each of what the one before has set."""
    before = server.picture()
    assert server.run().status == 0
    server.put("proc/sys/vm/swappiness", "60")
    for _ in range(2):
        again = server.run()
        assert (again.status, f"activated again: {OURS}" in again.said) == (3, True), again.said
    assert server.kept == {"tuned.lock", "tuned.rollback.1"}
    assert server.run("undo").status == 0
    assert server.picture() == before


def test_the_profile_of_an_earlier_policy_by_that_name_comes_back(server: Server) -> None:
    server.put(f"etc/tuned/{OURS}/tuned.conf", "[vm]\n")
    (server.daemon / "active").write_text(f"{OURS}\n")
    server.put("etc/tuned/active_profile", f"{OURS}\n")
    before = server.picture()
    assert server.run().status == 0
    assert server.picture() != before
    assert server.run("undo").status == 0
    assert server.picture() == before


def test_newer_releases_of_tuned_have_a_folder_for_profiles(server: Server) -> None:
    (server.etc / "profiles").mkdir()
    server.put(f"etc/tuned/{OURS}/tuned.conf", "")
    assert server.run().status == 0
    assert (server.etc / "profiles" / OURS / "tuned.conf").read_text().startswith("# Policy policy")


@pytest.mark.parametrize(
    "folder", ["usr/lib/tuned/oracle", "usr/lib/tuned/profiles/oracle", "etc/tuned/oracle"]
)
def test_a_profile_that_tuned_lacks_is_nothing_to_build_on(tmp_path: Path, folder: str) -> None:
    server = Server(tmp_path, plan=ON_ORACLE)
    before = server.picture()
    for arguments in ((), ("try",)):
        done = server.run(*arguments)
        assert (done.status, "tuned has no profile oracle here" in done.said) == (4, True), done.said
    assert server.picture() == before
    server.put(f"{folder}/tuned.conf", "[sysctl]\n")
    assert server.run().status == 0
    assert server.is_active


def test_json_has_every_setting_of_the_profile(server: Server) -> None:
    assert server.run().status == 0
    status, found = server.results()
    assert {name for name, each in found.items() if each["state"] == "ok"} == set(found)
    assert set(found) == TARGET.emit(PLAN).expressed
    assert (status, found["force-latency"]["found"], found["busy-poll"]["found"]) == (0, "3 us", "50")


@pytest.mark.parametrize(
    ("path", "content", "setting", "state", "found"),
    [
        ("proc/sys/net/core/busy_poll", "0", "busy-poll", "differs", "50, 0"),
        ("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never", "transparent-hugepages", "differs", "always"),
        (f"{CPU}/cpu1/cpufreq/scaling_governor", "powersave", "governor", "differs", "performance, powersave"),
        (f"{CPU}/cpu0/power/energy_perf_bias", "6", "energy-perf-bias", "differs", "6"),
        ("dev/cpu_dma_latency", (2000000000).to_bytes(4, "little"), "force-latency", "differs", "2000000000 us"),
        ("dev/cpu_dma_latency", b"", "force-latency", "unreadable", None),
        (f"{CPU}/cpu0/power/energy_perf_bias", None, "energy-perf-bias", "not-applicable", None),
        ("proc/sys/vm/swappiness", "6\udcff0", "swappiness", "differs", "6\ufffd0"),
    ],
)  # fmt: skip
def test_json_tells_what_drifted(
    server: Server, path: str, content: str | bytes | None, setting: str, state: str, found: str | None
) -> None:
    assert server.run().status == 0
    if content is None:
        (server.root / path).unlink()
    else:
        server.put(path, content if isinstance(content, bytes) else content.encode(errors="surrogateescape"))
    status, results = server.results()
    assert (results[setting]["state"], results[setting]["found"]) == (state, found)
    assert status == {"differs": 3, "unreadable": 4}.get(state, 0)
    assert [name for name, each in results.items() if each["state"] != "ok"] == [setting]
    assert server.run("verify").status == status


def test_without_tuned_nothing_can_be_told(server: Server) -> None:
    """The programs of this machine, which may have tuned, are not the server's."""
    assert server.run().status == 0
    for folder in (server.faults.programs, server.faults.real):
        (folder / "tuned-adm").unlink()
    server.script = server.script.replace(":/sbin:/usr/sbin", "")
    done = server.run("verify", "--json")
    document, _ = json.JSONDecoder().raw_decode(done.said)
    assert (done.status, frozenset(each["setting"] for each in document["results"])) == (
        4,
        TARGET.emit(PLAN).expressed,
    )
    assert {(each["state"], each["reason"]) for each in document["results"]} == {
        ("unreadable", "tuned is not installed")
    }
    done = server.run("verify")
    assert (done.status, "tuned is not installed" in done.said) == (4, True)


def test_values_that_are_right_by_chance_are_not_the_profiles(server: Server) -> None:
    status, found = server.results()
    assert (status, {each["state"] for each in found.values()}) == (3, {"differs"})
    assert "tuned's active profile is balanced" in found["swappiness"]["reason"]


SESSION = """
export SETPOINT_IGNORE="product processor sockets system distribution kernel"
cd /fake/bundle/tuned
sh ../host/setpoint-host verify tuned.plan >/dev/null 2>&1
echo "verify $?"
sh ../host/setpoint-host apply tuned.plan >/dev/null
echo "apply $?"
tuned-adm active
sh ../host/setpoint-host apply tuned.plan | tail -n 1
sh ../host/setpoint-host verify tuned.plan --json
echo "verify $?"
sh ../host/setpoint-host undo tuned.plan
echo "rollback $?"
tuned-adm active
cat /proc/sys/vm/swappiness
"""


def test_the_real_tuned_is_given_the_profile_and_then_the_one_before(tmp_path: Path) -> None:
    root = tmp_path / "root"
    build(root, WESTMERE)
    for artifact in TARGET.emit(PLAN).artifacts:
        place = root / "fake/bundle" / artifact.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(artifact.text)
    kept = {"active_profile": "balanced\n", "profile_mode": "manual\n"}
    for name, text in kept.items():
        (root / "etc/tuned" / name).write_text(text)
    done = session(root, SESSION)
    first, _, rest = done.stdout.partition('{"schema"')
    assert first.splitlines() == [
        "verify 3",
        "apply 0",
        f"Current active profile: {OURS}",
        "nothing to change",
    ], done
    document, end = json.JSONDecoder().raw_decode('{"schema"' + rest)
    states = {each["setting"]: each["state"] for each in document["results"]}
    # This kernel shows no bias, which tuned sets with a tool.
    assert states == {
        **dict.fromkeys(TARGET.emit(PLAN).expressed, "ok"),
        "energy-perf-bias": "not-applicable",
    }
    last = ('{"schema"' + rest)[end:].split("\n")
    assert (last[1], last[-3:]) == ("verify 0", ["rollback 0", "Current active profile: balanced", "60"]), (
        last
    )
    for name, text in kept.items():
        assert (root / "etc/tuned" / name).read_text() == text
    assert not (root / "etc/tuned" / OURS).exists()


TURNS = len(KINDS) if is_complete() else 1
"""How many of the kinds of faults a call has, in turns."""


@pytest.mark.parametrize("turn", range(TURNS))
def test_a_fault_at_any_call_leaves_nothing_half_changed(server: Server, turn: int) -> None:
    before = server.picture()
    assert server.run().status == 0
    last = server.faults.calls
    assert server.run("undo").status == 0
    assert last > 10
    for case, at in enumerate(calls(last, 5), turn):
        kind = KINDS[case % len(KINDS)]
        run = server.run(kind=kind, at=at)
        if run.status == 0:
            assert server.is_active, run.said
        elif run.status == 4:
            assert "nothing was changed" in run.said or "as it was before" in run.said, run.said
            assert server.picture() == before, run.said
        elif run.status == -15:  # before it catches signals, it has done nothing
            assert (kind[:7], server.picture()) == ("signals", before), run
        else:
            assert run.status in (6, -9), run
            assert run.status == -9 or "NOT" in run.said or "what was set stays set" in run.said
        if server.kept & {"tuned.journal", "tuned.rollback.1"}:
            back = server.run("undo")
            assert back.status == 0, back.said
        assert server.picture() == before, (at, kind, run.said)


def test_a_fault_at_any_call_of_a_rollback_leaves_it_to_be_continued(server: Server) -> None:
    before = server.picture()
    assert server.run().status == 0
    assert server.run("undo").status == 0
    for case, at in enumerate(calls(server.faults.calls, 5)):
        assert server.run().status == 0
        run = server.run("undo", kind=KINDS[case % len(KINDS)], at=at)
        assert run.status in (0, 4, 6, -9, -15)
        if server.kept & {"tuned.journal", "tuned.rollback.1"}:
            back = server.run("undo")
            assert back.status == 0, back.said
        assert server.picture() == before, (at, run.said)


NO_DAEMON = """#!/bin/sh
case $1 in
    active)
        if [ -s {etc}/active_profile ]; then
            echo 'It seems that tuned daemon is not running, preset profile is not activated.'
            echo "Preset profile: $(cat {etc}/active_profile)"
        else
            echo 'No current active profile.'
        fi
        ;;
    profile)
        echo "$2" >{etc}/active_profile
        echo manual >{etc}/profile_mode
        echo 'Trying to (re)start tuned...'
        echo 'TuneD (re)start failed, you need to (re)start TuneD by hand for changes to apply.'
        ;;
    off)
        echo 'Not supported in no_daemon mode.'
        exit 1
        ;;
esac
"""
"""tuned-adm without a daemon, as tuned/admin/admin.py of tuned 2.20 has it: it writes down what would be active, and
tries to start the daemon. Of no daemon it says nothing where nothing is written down (`_action_active`)."""


@pytest.mark.parametrize("preset", ["balanced\n", ""])
def test_what_no_daemon_has_activated_is_put_back_without_it(server: Server, preset: str) -> None:
    program = server.faults.real / "tuned-adm"
    program.write_text(NO_DAEMON.format(etc=server.etc))
    (server.etc / "active_profile").write_text(preset)
    before = server.picture()
    for _ in range(2):
        done = server.run()
        assert (done.status, "tuned's daemon does not run" in done.said) == (4, True), done.said
        assert "all is as it was before this run" in done.said
        assert server.picture() == before
        assert server.kept <= {"tuned.lock"}
