"""The files for servers without tuned, put in their places, read by those whom they are for, and taken back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from consumers.faults import KINDS, Faults
from consumers.systemd_machine import CPU, HERE, systemd_machine
from consumers.systemd_machine import session as session_of
from setpoint.compiler.plan.model import Plan
from setpoint.targets.systemd import TARGET
from support.effort import calls, is_complete
from support.host import PROGRAM, arguments_for, plan_of
from support.plans import planned
from support.shell import Ran

FACTS = "cpu skylake; os debian 12; tuned unused"
EVERY_KIND = planned(
    f"goal latency; {FACTS}; workload comm-bound;"
    'set energy-performance-preference performance because "a test"; set readahead 4096 because "a test";'
    'set block-scheduler none because "a test"; set dirty-bytes 536870912 because "a test";'
    'set tcp-receive-buffer-maximum 16777216 because "a test"; set service-open-files 600000 because "a test";'
    'set service-locked-memory unlimited because "a test";'
    'set irqbalance-banned-cpus 2-3 because "a test"; set service-cpus 0 because "a test";'
)
DISK = "sys/devices/scsi-{}/block/{}/queue"
SYSCTL = "fake/proc-sys"
AFTER = {
    f"{SYSCTL}/vm/swappiness": "10",
    f"{SYSCTL}/vm/dirty_bytes": "536870912",
    f"{SYSCTL}/net/core/busy_poll": "50",
    f"{SYSCTL}/net/ipv4/tcp_rmem": "4096 131072 16777216",
    f"{CPU}/cpu1/cpufreq/scaling_governor": "performance",
    f"{CPU}/cpu1/cpufreq/energy_performance_preference": "performance",
    f"{CPU}/cpu0/power/energy_perf_bias": "0",
    # The exit latency of C1 in the driver's table for Skylake.
    f"{CPU}/cpu1/power/pm_qos_resume_latency_us": "2",
    f"{CPU}/intel_pstate/min_perf_pct": "100",
    "sys/kernel/mm/transparent_hugepage/enabled": "never",
    f"{DISK.format('sda', 'sda')}/scheduler": "none",
    f"{DISK.format('sda', 'sda')}/read_ahead_kb": "4096",
    # 4096 is a minimum, and sdb has more.
    f"{DISK.format('sdb', 'sdb')}/read_ahead_kb": "8192",
}
"""What files have once the plan is in force."""

SCRIPT = """
export SETPOINT_IGNORE="product processor sockets system distribution kernel"
cd /fake/bundle/systemd
sh ../host/setpoint-host verify systemd.plan >/dev/null 2>&1
echo "verify $?"
sh ../host/setpoint-host apply systemd.plan
echo "apply $?"
sh ../host/setpoint-host apply systemd.plan
mkdir /fake/after
cp -r --parents /sys /fake/proc-sys /etc /fake/after
sh ../host/setpoint-host verify systemd.plan --json
echo "verify $?"
sh ../host/setpoint-host undo systemd.plan >/dev/null
echo "rollback $?"
"""


def put(plan: Plan, folder: Path) -> None:
    """The bundle of a plan in a folder."""
    for artifact in TARGET.emit(plan).artifacts:
        place = folder / artifact.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(artifact.text, encoding="utf-8")


def picture(root: Path) -> dict[str, str]:
    """The files of a machine that a plan can change. What a real kernel shows in brackets, these files have alone;
    between numbers it shows tabs, whatever was written.
    """
    tops = [root / name for name in ("sys", "etc", SYSCTL, "fake/usr-local")]
    return {
        str(path.relative_to(root)): path.read_text(errors="replace").strip().replace("\t", " ")
        for top in tops
        for path in top.rglob("*")
        if path.is_file()
    }


def test_real_programs_read_the_files_and_find_the_old_values_again(tmp_path: Path) -> None:
    root = tmp_path / "root"
    systemd_machine(root)
    put(EVERY_KIND, root / "fake/bundle")
    before = picture(root)
    done = session_of(root, SCRIPT)
    first, _, rest = done.stdout.partition('{"schema"')
    assert first.splitlines()[0] == "verify 3", done
    assert "apply 0" in first.splitlines(), done
    assert first.splitlines()[-1] == "nothing to change", done
    document, end = json.JSONDecoder().raw_decode('{"schema"' + rest)
    states = {each["setting"]: each["state"] for each in document["results"]}
    # PID 1 is not of this system, and was not started with the drop-in. A percentage that gives way to bytes has no
    # line to compare.
    expected = dict.fromkeys(TARGET.emit(EVERY_KIND).expressed - {"dirty-ratio"}, "ok")
    assert states == {**expected, "service-cpus": "pending"}
    assert ('{"schema"' + rest)[end:].split("\n")[1:3] == ["verify 3", "rollback 0"]
    after = picture(root / "fake/after")
    assert {name: after[name] for name in AFTER} == AFTER
    assert (root / "fake/after/etc/systemd/system/basic.target.wants/setpoint_policy.service").is_symlink()
    now = picture(root)
    # The kernel shows 0 for the limit that is not in use, and takes no such value: the other one is written.
    now.pop(f"{SYSCTL}/vm/dirty_bytes")
    before.pop(f"{SYSCTL}/vm/dirty_bytes")
    bracketed = {name: text for name, text in before.items() if "[" in text}
    assert {name: text for name, text in now.items() if name not in bracketed} == {
        name: text for name, text in before.items() if name not in bracketed
    }
    for name, text in bracketed.items():
        assert now[name] in (text, text.partition("[")[2].partition("]")[0])


def test_each_disk_gets_the_first_scheduler_that_it_offers(tmp_path: Path) -> None:
    """The kernel of SLES 12 has disks with one queue, and disks with many; it has no file for the energy bias."""
    root = tmp_path / "root"
    systemd_machine(root)
    for disk, offered in (("sda", "noop deadline [cfq]"), ("sdb", "[mq-deadline] kyber none")):
        (root / DISK.format(disk, disk) / "scheduler").write_text(f"{offered}\n", encoding="utf-8")
    plan = planned("goal performance; platform r740; os sles 12; workload sap-hana")
    put(plan, root / "fake/bundle")
    done = session_of(root, SCRIPT)
    assert "apply 0" in done.stdout.splitlines(), done
    after = picture(root / "fake/after")
    chosen = {disk: after[f"{DISK.format(disk, disk)}/scheduler"] for disk in ("sda", "sdb")}
    assert chosen == {"sda": "noop", "sdb": "none"}
    assert TARGET.emit(plan).left_out.keys() == {"energy-perf-bias"}


# ------------------------------------------------------------------------------------------------------ one by one

SMALL = planned(f"goal latency; {FACTS}; workload comm-bound")
CHANGING = ("cp", "mv", "rm", "mkdir", "chmod", "sync", "cksum", "systemctl", "udevadm", "sysctl")
SHELLS = ("dash", "bash")
"""Not the shell of busybox: its own sysctl goes before the stand-in, and would reach this machine."""

SYSCTL_STAND_IN = """#!/bin/sh
# sysctl on the files of $SETPOINT_ROOT, where no namespace lies over /proc/sys.
sed -n 's/^\\([a-z].*\\) = /\\1 /p' "$4" | while read -r name value; do
    echo "$value" >"$SETPOINT_ROOT/proc/sys/$(echo "$name" | tr . /)"
done
"""


class Server:
    """A machine that is looked at from outside, with programs of which one can fail."""

    def __init__(self, folder: Path, plan: Plan = SMALL) -> None:
        self.root, self.state, self.folder = folder / "root", folder / "state", folder
        systemd_machine(self.root)
        (self.root / "proc").rmdir()
        (self.root / "proc").mkdir()
        (self.root / "fake/proc-sys").rename(self.root / "proc/sys")
        (self.root / "fake/proc-sys").symlink_to("../proc/sys")
        real = folder / "real-programs"
        real.mkdir()
        shutil.copy(HERE / "systemd_systemctl_stand_in", real / "systemctl")
        for name, text in {
            "sysctl": SYSCTL_STAND_IN,
            "udevadm": "#!/bin/sh\n",
            "sync": "#!/bin/sh\n",
        }.items():
            (real / name).write_text(text)
            (real / name).chmod(0o755)
        self.real = real
        self.faults = Faults(folder, CHANGING, real, SETPOINT_ROOT=str(self.root), SETPOINT_HOST="c042")
        self.plan = plan

    def run(self, *arguments: str, kind: str = "fails", at: int = 0) -> Ran:
        self.faults.environment["SETPOINT_PLAN"] = plan_of(TARGET.emit(self.plan).artifacts)
        ran = self.faults.run(
            PROGRAM.replace(":/sbin:/usr/sbin", ""),
            *arguments_for(arguments),
            "--state",
            str(self.state),
            kind=kind,
            at=at,
            shell=SHELLS[at % 2],
        )
        self.faults.left(self.state / "systemd.lock")
        return ran

    def results(self) -> tuple[int, dict[str, Any]]:
        done = self.run("verify", "--json")
        return done.status, {each["setting"]: each for each in json.loads(done.said)["results"]}

    def picture(self) -> dict[str, str]:
        """What a file has in brackets is what it has: plain files keep the one word that was written to them. Without
        the limit of dirty memory that is not in use, for which the other one is written."""
        tops = [self.root / name for name in ("sys", "etc", "proc/sys", "usr/local", "run/active")]
        paths = [path for top in tops for path in top.rglob("*")]
        texts = {str(p): p.read_text().strip() for p in paths if p.is_file() and p.name != "dirty_bytes"}
        texts = {p: text.replace("\t", " ") for p, text in texts.items()}
        texts |= {str(p): str(p.readlink()) for p in paths if p.is_symlink()}
        return {p: text.partition("[")[2].partition("]")[0] or text for p, text in texts.items()}

    @property
    def kept(self) -> set[str]:
        return {path.name for path in self.state.glob("*")}


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def test_it_is_set_once_and_taken_back(server: Server) -> None:
    before = server.picture()
    dry = server.run("try")
    assert (dry.status, "would write /etc/sysctl.d/90-setpoint_policy.conf" in dry.said) == (3, True)
    assert (server.picture(), server.kept) == (before, set())
    done = server.run()
    assert done.status == 0, done.said
    again = server.run()
    assert (again.status, again.said) == (0, "nothing to change\n")
    status, found = server.results()
    assert (status, {each["state"] for each in found.values()}) == (0, {"ok"})
    back = server.run("undo")
    assert (back.status, server.picture()) == (0, before), back.said
    assert server.kept == {"systemd.lock", "systemd.rolled-back"}


def test_what_has_drifted_is_set_again_and_is_no_state_to_go_back_to(server: Server) -> None:
    before = server.picture()
    assert server.run().status == 0
    (server.root / CPU / "cpu1/cpufreq/scaling_governor").write_text("powersave\n")
    status, found = server.results()
    assert (status, found["governor"]["found"]) == (3, "performance, powersave")
    again = server.run()
    assert (again.status, again.said.splitlines()[-1]) == (0, "set again")
    assert server.kept == {"systemd.lock", "systemd.rollback.1"}
    assert server.run("undo").status == 0
    assert server.picture() == before


def test_what_an_earlier_plan_of_the_policy_had_goes(server: Server) -> None:
    """Its unit is stopped, so that what it had set comes back; its drop-ins and rules are removed."""
    before = server.picture()
    server.plan = EVERY_KIND
    assert server.run().status == 3  # nothing triggers the rules of disks here
    server.plan = planned(
        f'goal efficiency; {FACTS}; set swappiness 1 because "a test"; require strength measured because "a test"'
    )
    assert server.run().status == 0
    left = {path: text for path, text in server.picture().items() if before.get(path) != text}
    names = {path.removeprefix(f"{server.root}/") for path in left}
    assert {name for name in names if name.startswith("etc/")} == {"etc/sysctl.d/90-setpoint_policy.conf"}
    assert not any(name.startswith("sys/") for name in names), names
    assert server.run("undo", "--all").status == 0
    assert server.picture() == before


def test_limits_of_dirty_memory_come_back_in_the_form_that_they_had(tmp_path: Path) -> None:
    server = Server(tmp_path, EVERY_KIND)
    assert server.run().status == 3  # nothing triggers the rules of disks here
    # The kernel forgets the percentage when the bytes are written, and the reverse.
    (server.root / "proc/sys/vm/dirty_ratio").write_text("0\n")
    assert server.run("undo").status == 0
    assert (server.root / "proc/sys/vm/dirty_ratio").read_text() == "20\n"


def test_a_limit_that_a_later_file_overrides_is_not_in_force(server: Server) -> None:
    """systemd says what limits services get: those of the last drop-in that has the option."""
    server.plan = EVERY_KIND
    server.run()
    assert server.results()[1]["service-open-files"]["state"] == "ok"
    (server.root / "etc/systemd/system.conf.d/95-site.conf").write_text(
        "[Manager]\nDefaultLimitNOFILE=2048\n"
    )
    result = server.results()[1]["service-open-files"]
    assert (result["state"], result["found"]) == ("pending", "2048")


def test_an_active_profile_of_tuned_is_not_competed_with(server: Server) -> None:
    before = server.picture()
    (server.real / "tuned-adm").write_text("#!/bin/sh\necho 'Current active profile: balanced'\n")
    (server.real / "tuned-adm").chmod(0o755)
    done = server.run()
    assert (done.status, "the profile balanced of tuned is active" in done.said) == (4, True)
    assert server.picture() == before


def test_without_systemd_nothing_can_be_told(server: Server) -> None:
    (server.root / "run/systemd/system").rmdir()
    done = server.run("verify", "--json")
    document, _ = json.JSONDecoder().raw_decode(done.said)
    assert {each["setting"] for each in document["results"]} == TARGET.emit(SMALL).expressed
    assert (done.status, {each["state"] for each in document["results"]}) == (4, {"unreadable"})


TURNS = len(KINDS) if is_complete() else 1
"""How many of the kinds of faults a call has, in turns."""


@pytest.mark.repeated  # by the faults of plans of tuned, for which the program has the same parts
@pytest.mark.parametrize("turn", range(TURNS))
def test_a_fault_at_any_call_leaves_nothing_half_changed(server: Server, turn: int) -> None:
    before = server.picture()
    assert server.run().status == 0
    last = server.faults.calls
    assert server.run("undo").status == 0
    assert last > 10
    for case, at in enumerate(calls(last, 3), turn):
        kind = KINDS[case % len(KINDS)]
        run = server.run(kind=kind, at=at)
        if run.status == 4:
            assert "nothing was changed" in run.said or "as it was before" in run.said, run.said
            assert server.picture() == before, run.said
        elif run.status == -15:  # before it catches signals, it has done nothing
            assert (kind[:7], server.picture()) == ("signals", before), run
        else:
            unanswered = run.status == 3 and "does not say" in run.said  # asked for the comparison at the end
            assert unanswered or run.status in (0, 6, -9), (at, kind, run)
        if server.kept & {"systemd.journal", "systemd.rollback.1"}:
            back = server.run("undo")
            assert back.status == 0, back.said
        assert server.picture() == before, (at, kind, run.said)


@pytest.mark.repeated
def test_a_fault_at_any_call_of_a_rollback_leaves_it_to_be_continued(server: Server) -> None:
    before = server.picture()
    assert server.run().status == 0
    assert server.run("undo").status == 0
    for case, at in enumerate(calls(server.faults.calls, 2)):
        assert server.run().status == 0
        run = server.run("undo", kind=KINDS[case % len(KINDS)], at=at)
        assert run.status in (0, 4, 6, -9, -15)
        if server.kept & {"systemd.journal", "systemd.rollback.1"}:
            back = server.run("undo")
            assert back.status == 0, back.said
        assert server.picture() == before, (at, run.said)
