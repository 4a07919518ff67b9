"""The role on servers that stand where another policy left them: what it stages before which restart, and says in
advance.

`test_transitions` tries all pairs of policies without Ansible. Here are those that need most, each a host with an
emulated iDRAC (`tests/idrac`) that obeys the registry of a captured server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from consumers.ansible_run import Run, play, programs
from consumers.redfish_service import certificate
from idrac import LEGACY_JOBS, Behaviour, Controller, Rules, controllers
from setpoint.compiler.plan.model import Plan
from support.ansible import bundle, through_controller
from support.machines import R630, R740, R750, Machine, changed
from support.transitions import expected, rules, standing

ROLE = "setpoint_policy"
BALANCED, DENSITY = "goal balanced", "goal density"
RIGHT_BEFORE = {"SysProfile": "Custom", "MonitorMwait": "Enabled"}
RESTARTED = ["PATCH Settings", "POST Jobs", "POST ComputerSystem.Reset"]


class Bench(NamedTuple):
    """Controllers by the names of their hosts, and how to run a playbook for some of these."""

    folder: Path
    bmcs: dict[str, Controller]

    def run(self, book: str, names: str, **more: object) -> Run:
        """Run a playbook of the bundle in the folder."""
        retries = {f"{ROLE}_job_retries": 3}
        hosts = {
            name: {**through_controller(bmc, ROLE, setpoint_reboot=name != "unattended"), **retries, **more}
            for name, bmc in self.bmcs.items()
            if name in names.split()
        }
        return play(self.folder / "ansible" / book, hosts, self.folder / "home", "--tags", "firmware")


@contextmanager
def bench(
    folder: Path,
    machine: Machine,
    policy: str | Plan,
    states: Mapping[str, Mapping[str, Any]],
    obeyed: Rules | None = None,
) -> Iterator[Bench]:
    """Servers of one model in these states, and the role of a policy for them."""
    programs()
    bundle(machine.plan(policy) if isinstance(policy, str) else policy, folder)
    plain = Behaviour(
        {},
        model=f"PowerEdge {machine.capture.rpartition('-')[2]}",
        processors=int(machine.facts.rpartition(" ")[2]),
        apply_times=(),
        jobs=LEGACY_JOBS,
        rules=obeyed or rules(machine),
    )
    behaviours = {name: replace(plain, current=current) for name, current in states.items()}
    with controllers(behaviours, *certificate(folder)) as bmcs:
        yield Bench(folder, bmcs)


class Balanced(NamedTuple):
    """Servers on their way to the balanced profile of the R740. `unattended` is restarted by hand after the first
    run."""

    bmcs: dict[str, Controller]
    first: Run
    second: Run
    verified: Run


@pytest.fixture(scope="module")
def balanced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Balanced]:
    latency, there = standing(R740, "goal latency"), standing(R740, BALANCED)
    states = {
        "latency": latency,
        "unattended": latency,
        "left": {**there, "MonitorMwait": "Disabled"},
        "other": {**there, "ProcCStates": "Disabled"},
        "there": there,
    }
    with bench(tmp_path_factory.mktemp("r740"), R740, BALANCED, states) as servers:
        first = servers.run("site.yml", "latency unattended left other there")
        machine = servers.bmcs["unattended"].machine
        machine.reset("GracefulRestart")
        while machine.open_jobs:
            machine.tick()
        verified = servers.run("verify.yml", "unattended other left")
        yield Balanced(servers.bmcs, first, servers.run("site.yml", "unattended"), verified)


def test_what_a_profile_keeps_is_set_before_the_profile_in_one_run(balanced: Balanced) -> None:
    """Two restarts: Monitor/Mwait under Custom, then the profile, and with it the members that it sets."""
    assert balanced.first.failed("latency") == ""
    bmc = balanced.bmcs["latency"]
    assert bmc.writes == [*RESTARTED, *RESTARTED]
    assert bmc.patches[0] == {"Attributes": {"MonitorMwait": "Enabled"}}
    assert bmc.patches[1]["Attributes"]["SysProfile"] == "PerfPerWattOptimizedDapc"
    assert not bmc.patches[1]["Attributes"].keys() & {"MonitorMwait", "ProcCStates"}
    assert bmc.machine.current.items() >= expected(R740, BALANCED).items()
    said = balanced.first.told("latency", "Report on the BIOS")
    assert "Two restarts are needed: the rest of the policy locks MonitorMwait, " in said


def test_a_server_under_the_profile_is_taken_out_of_it_and_back(balanced: Balanced) -> None:
    """Comparing what is written alone, a run found nothing to do here, and verify.yml failed for ever."""
    assert balanced.first.failed("left") == ""
    bmc = balanced.bmcs["left"]
    assert bmc.patches == [
        {"Attributes": RIGHT_BEFORE},
        {"Attributes": {"SysProfile": "PerfPerWattOptimizedDapc"}},
    ]
    assert bmc.resets == ["GracefulRestart"] * 2
    assert bmc.machine.current.items() >= expected(R740, BALANCED).items()
    assert balanced.verified.failed("left") == ""


def test_without_permission_to_restart_the_second_run_does_the_rest(balanced: Balanced) -> None:
    assert balanced.first.failed("unattended") == ""
    bmc = balanced.bmcs["unattended"]
    assert bmc.writes == RESTARTED[:2] * 2
    assert "Restart and run this again" in balanced.first.told("unattended", "Report on the BIOS")
    assert "SysProfile: Custom, wanted PerfPerWattOptimizedDapc" in balanced.verified.failed("unattended")
    assert balanced.second.failed("unattended") == ""
    assert bmc.machine.staged["SysProfile"] == "PerfPerWattOptimizedDapc"


def test_what_a_profile_sets_otherwise_is_said_and_nothing_is_changed(balanced: Balanced) -> None:
    said = "ProcCStates: Disabled, wanted Enabled, set by SysProfile"
    assert balanced.first.failed("other").startswith("Stage the attributes: Nothing was changed: ")
    assert said in balanced.first.failed("other")
    assert said in balanced.verified.failed("other")
    assert balanced.bmcs["other"].writes == []


def test_a_server_that_is_there_is_left_alone(balanced: Balanced) -> None:
    assert (balanced.first.failed("there"), balanced.first.changed("there")) == ("", [])
    assert balanced.bmcs["there"].writes == []


def test_what_the_policy_leaves_alone_is_told_where_it_is_otherwise(balanced: Balanced) -> None:
    """The policy for latency has switched Correctable ECC SMI off; this one rests on the default, and does not set
    it."""
    name = "Report on the BIOS"
    assert "CorrEccSmi: Disabled, assumed Enabled" in balanced.first.told("latency", name)
    assert "CorrEccSmi" not in balanced.first.told("left", name)


def test_a_profile_that_decides_otherwise_is_not_tried_again(tmp_path: Path) -> None:
    """The registry of the R630 has Dense Configuration set two values. This BIOS takes the one that is not planned."""
    stubborn = rules(R630)._replace(several="last")
    chosen = {**standing(R630, DENSITY), "ProcPwrPerf": "OsDbpm"}
    states = {"latency": standing(R630, "goal latency"), "chosen": chosen}
    with bench(tmp_path, R630, DENSITY, states, stubborn) as servers:
        run = servers.run("site.yml", "latency chosen")
        said = "ProcPwrPerf: OsDbpm, wanted SysDbpm, set by SysProfile"
        assert servers.bmcs["latency"].patches[0] == {"Attributes": {"ProcPwrPerf": "SysDbpm"}}
        assert servers.bmcs["latency"].resets == ["GracefulRestart"] * 2
        assert said in run.failed("latency")
        assert servers.bmcs["chosen"].writes == []
        assert said in run.failed("chosen")


def test_what_is_locked_and_not_unlocked_by_the_policy_is_said_in_advance(tmp_path: Path) -> None:
    """As if no source stated the default profile, so that the policy cannot write it: Logical Processor Idling cannot
    be written under another.
    """
    policy = f'{DENSITY}; set logical-processor-idling off because "LAB-9"'
    plan = changed(R750.plan(policy), "system-profile", unwritten="default")
    idling = {**standing(R750, "goal performance"), "DynamicCoreAllocation": "Enabled"}
    with bench(tmp_path, R750, plan, {"idling": idling}) as servers:
        run = servers.run("site.yml", "idling")
        assert servers.bmcs["idling"].writes == []
        said = run.failed("idling")
        assert (
            "Nothing was changed: DynamicCoreAllocation can be written only while ProcPwrPerf is not MaxPerf."
            in said
        )
        failed, *_ = (task for task in run.tasks["idling"] if task.failed)
        told = " ".join(failed.result["told"])
        assert "SysProfile: PerfOptimized, assumed PerfPerWattOptimizedDapc" in told


def test_what_opens_a_lock_is_written_with_what_it_locks(tmp_path: Path) -> None:
    """The profile is the vendor's default, and nobody asks for it but Logical Processor Idling."""
    policy = f'{DENSITY}; set logical-processor-idling on because "LAB-9"'
    with bench(tmp_path, R750, policy, {"busy": standing(R750, "goal performance")}) as servers:
        run = servers.run("site.yml", "busy")
        assert run.failed("busy") == ""
        bmc = servers.bmcs["busy"]
        assert bmc.patches[-1]["Attributes"]["SysProfile"] == "PerfPerWattOptimizedDapc"
        assert bmc.machine.current.items() >= expected(R750, policy).items()
