"""Runs of the role in which one request goes wrong: the scenarios, the cases, and what came of them.

A scenario is a run of a playbook against an emulated iDRAC. A run of it without faults gives its requests. Each case of
the scenario has one fault (`setpoint.compiler.twin.faults`) at one of these requests, or a job that does not succeed.
All cases of a scenario are hosts of one run of the real Ansible. Where a case failed, a second run follows with the
fault gone.

`sample` has each kind of fault and each kind of step. Their other combinations, and what differs between services,
between the readings of a step, and between a first and a second restart is left to the whole matrix.

A rollback starts where another run ended: that one is run once, and each case gets a copy of its server and of its
snapshot.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from consumers.ansible_run import play
from consumers.redfish_service import certificate
from idrac import KINDS, LEGACY_JOBS, Behaviour, Controller, Fault, Kind, controllers
from setpoint.compiler.lowering.target import identifier
from support.ansible import R740, R750, expected, role_of, through_controller
from support.claims import Snapshot, untrue
from support.machines import R740 as R740_SERVER
from support.plans import planned
from support.transitions import rules, standing

SYSTEM, BIOS, SETTINGS, JOBS = "GET System.Embedded.1", "GET Bios", "GET Settings", "GET Jobs"
PATCH, COMMIT, RESET = "PATCH Settings", "POST Jobs", "POST ComputerSystem.Reset"
CLEAR = "POST DellManager.ClearPending"
JOB, SECOND_JOB = "GET JID_000000000001", "GET JID_000000000002"
ROOT, SYSTEMS = "GET ", "GET Systems"
READ = (ROOT, SYSTEMS, SYSTEM, BIOS, SETTINGS, JOBS)
AGAIN = (BIOS, SETTINGS, JOBS)
WAIT = (JOB, SYSTEM, JOB, SYSTEM, *AGAIN)
DIFFERENT = {"ProcTurboMode": "Enabled", "ProcCStates": "Enabled"}
BALANCED = f"policy balanced {{ {R740_SERVER.facts}; goal balanced; }}"
LOCKED = "The BIOS attribute is locked."
NO_PROCESSOR = "The processor was not compared: the BMC shows no family and model of it"
"""What is said of servers whose service shows how many processors there are, and nothing else of them."""
TIMEOUT, TOO_LATE = 2, 2.5
"""How long a client waits where an answer is slow, and how long that takes, in seconds."""

HOSTS = 30
"""How many cases one play is for."""

OLD = Behaviour({}, model="PowerEdge R740", processors=1, apply_times=(), reset_time=False, jobs=LEGACY_JOBS)
NEW = Behaviour({})


class Scenario(NamedTuple):
    """A run of a playbook that meets no fault.

    Attributes:
        policy: The policy of the role.
        behaviour: The controller, without the values of the server.
        differs: Attributes that the server has otherwise than the policy.
        requests: The requests of the run.
        book: The playbook.
        boots: How often the server restarts.
        rejects: An attribute that a case has the job reject; "" where no job is made.
        first: What is staged before the first of two restarts.
        after: For a rollback: the number of the request from which on site.yml had no answer; None if it ended well.
    """

    policy: str
    behaviour: Behaviour
    differs: Mapping[str, str]
    requests: tuple[str, ...]
    book: str = "site.yml"
    boots: int = 1
    rejects: str = "ProcCStates"
    first: Mapping[str, str] = {}
    after: int | None = None

    @property
    def role(self) -> str:
        """The name of the role."""
        return f"setpoint_{identifier(planned(self.policy).policy)}"

    @property
    def before(self) -> dict[str, Any]:
        """The attributes of the server before the role has changed any, with one that the policy does not speak of."""
        if self.policy == BALANCED:
            return {**standing(R740_SERVER, "goal balanced"), **self.differs}
        return {**expected(self.policy), **self.differs, "BootMode": "Bios"}

    @property
    def goal(self) -> dict[str, Any]:
        """The attributes that the run brings about."""
        return self.before if self.book == "rollback.yml" else expected(self.policy)


JOB_OF_CLIENT = (PATCH, *AGAIN, COMMIT, *AGAIN)
SCENARIOS = {
    "r740": Scenario(
        R740,
        OLD,
        DIFFERENT,
        (*READ, *JOB_OF_CLIENT, *READ, RESET, *WAIT, *READ),
    ),
    "r750": Scenario(
        R750,
        NEW,
        DIFFERENT,
        (*READ, PATCH, *AGAIN, *READ, RESET, *WAIT, *READ),
    ),
    "restarts": Scenario(
        BALANCED,
        replace(OLD, rules=rules(R740_SERVER)),
        {"MonitorMwait": "Disabled"},
        (
            *(*READ, *JOB_OF_CLIENT, *READ, RESET, *WAIT),
            *(*READ, *JOB_OF_CLIENT, *READ, RESET, SECOND_JOB, SYSTEM, SECOND_JOB, SYSTEM, *AGAIN, *READ),
        ),
        boots=2,
        rejects="MonitorMwait",
        first={"SysProfile": "Custom", "MonitorMwait": "Enabled"},
    ),
    "rollback": Scenario(
        R750,
        NEW,
        DIFFERENT,
        (*READ, PATCH, *AGAIN, *READ, RESET, *WAIT, *READ),
        book="rollback.yml",
    ),
    "rollback-staged": Scenario(
        BALANCED,
        replace(OLD, rules=rules(R740_SERVER), keeps_staged=True),
        {"MonitorMwait": "Disabled"},
        (*READ, CLEAR, *AGAIN, *READ),
        book="rollback.yml",
        boots=0,
        rejects="",
        after=10,
    ),
    "verify": Scenario(R740, OLD, {}, READ, book="verify.yml", boots=0, rejects=""),
}
"""A service that leaves the job to its client, and one that makes it; two restarts; a rollback after a whole run, and
one after a run that was interrupted before its job was made; verification."""

SAMPLED = ("r740", "r750", "rollback-staged")
"""The scenarios of the sample. They have every kind of step that the others consist of."""


class Case(NamedTuple):
    """A run in which one thing goes wrong: a request, by its number, or the job."""

    scenario: str
    request: int | None
    kind: Kind | Literal["rejects", "fails"]

    def __str__(self) -> str:
        where = "job" if self.request is None else f"{self.request:02d}-{self.asked.replace(' ', '-')}"
        return f"{self.scenario}-{where}-{self.kind}"

    @property
    def asked(self) -> str:
        """The request that goes wrong; "" if it is the job."""
        return "" if self.request is None else SCENARIOS[self.scenario].requests[self.request]

    @property
    def step(self) -> str:
        """The kind of step that its request belongs to: a request for a change, or readings before or after one."""
        if self.request is None:
            return "job"
        if not self.asked.startswith("GET"):
            return self.asked
        before = SCENARIOS[self.scenario].requests[: self.request]
        changes = [request for request in before if not request.startswith("GET")]
        if not changes:
            return "read"
        return "wait and compare" if changes[-1] == RESET else "read back"

    def behaviour(self, given: Behaviour) -> Behaviour:
        """Its controller, made of that of the scenario."""
        if self.kind == "rejects":
            return replace(given, rejects=(SCENARIOS[self.scenario].rejects,))
        return replace(given, fails=True) if self.kind == "fails" else given

    @property
    def fault(self) -> Fault | None:
        """What its request meets."""
        if self.request is None or self.kind not in KINDS:
            return None
        return Fault(self.request, self.kind, TOO_LATE)


READING: tuple[Kind, ...] = ("busy", "away", "error", "dropped", "slow")


def every(name: str) -> list[Case]:
    """All cases of a scenario."""
    scenario = SCENARIOS[name]
    jobs = [Case(name, None, "rejects"), Case(name, None, "fails")] if scenario.rejects else []
    return jobs + [
        Case(name, number, kind)
        for number, request in enumerate(scenario.requests)
        for kind in (READING if request.startswith("GET") else KINDS)
    ]


def sample() -> list[Case]:
    """Cases that have each kind of fault, and each kind of step, at least once.

    Each next one has most that those before have not, and is of the scenario whose cases are the fewest requests so
    far.
    """
    left = {value for name in SAMPLED for case in every(name) for value in (case.step, case.kind)}
    taken: Counter[str] = Counter()
    cases: list[Case] = []
    while left:
        case = min(
            (case for name in SAMPLED for case in every(name)),
            key=lambda case: (-len(left & {case.step, case.kind}), taken[case.scenario]),
        )
        cases.append(case)
        left -= {case.step, case.kind}
        taken[case.scenario] += len(SCENARIOS[case.scenario].requests)
    return cases


class Told(NamedTuple):
    """What a run said of a case: with what it failed ("" if it did not), and what of that was untrue."""

    failed: str
    untrue: list[str]


class Ran(NamedTuple):
    """What came of a case: the first run; the second, if there was one; how often the server restarted."""

    first: Told
    second: Told | None
    boots: int


class Faults(NamedTuple):
    """What came of each case, and for each scenario the requests of a run that met no fault."""

    ran: dict[Case, Ran]
    clean: dict[str, tuple[str, ...]]


def run_cases(cases: Iterable[Case], folder: Path, *, in_process: bool, all_again: bool) -> Faults:
    """Run these cases.

    Args:
        cases: The cases.
        folder: Where their files go.
        in_process: Run them in Ansible's own process, and not with its workers.
        all_again: Run all again that failed, and not only one from each state that the servers of a scenario are left
            in: what a second run meets is the server, and no more fault.
    """
    chosen, faults = list(cases), Faults({}, {})
    for name in dict.fromkeys(case.scenario for case in chosen):
        of_scenario = [case for case in chosen if case.scenario == name]
        for start in range(0, len(of_scenario), HOSTS):
            place = folder / f"{name}-{start}"
            place.mkdir()
            hosts = of_scenario[start : start + HOSTS]
            _run(name, hosts, faults, place, in_process=in_process, all_again=all_again)
    return faults


def _run(
    name: str, chosen: list[Case], faults: Faults, folder: Path, *, in_process: bool, all_again: bool
) -> None:
    scenario = SCENARIOS[name]
    ansible = role_of(scenario.policy, folder)
    start = _prepared(scenario, ansible, [str(case) for case in chosen], folder)
    behaviours = {"clean": start, **{str(case): case.behaviour(start) for case in chosen}}
    with controllers(behaviours, *certificate(folder)) as bmcs:
        hosts = {host: account(bmc, scenario.role) for host, bmc in bmcs.items()}
        for case in chosen:
            bmcs[str(case)].fault = case.fault
            if case.kind == "slow":
                hosts[str(case)][f"{scenario.role}_bmc_timeout"] = TIMEOUT

        def run(cases: Iterable[Case], *others: str) -> dict[Case, Told]:
            started = {case: Snapshot.of(bmcs[str(case)].machine) for case in cases}
            names = [*map(str, started), *others]
            book, home = ansible / scenario.book, folder / "home"
            given = {name: hosts[name] for name in names}
            played = play(book, given, home, "--tags", "firmware", in_process=in_process)
            return {
                case: Told(
                    played.failed(str(case)),
                    untrue(played, str(case), bmcs[str(case)], before, scenario.goal, scenario.first),
                )
                for case, before in started.items()
            }

        before = Snapshot.of(bmcs["clean"].machine)
        first = run(chosen, "clean")
        faults.clean[name] = tuple(f"{r.method} {r.path.rpartition('/')[2]}" for r in bmcs["clean"].requests)
        states, failed = [(bmcs["clean"].machine.setup, before)], list[Case]()
        for case in chosen:
            bmc = bmcs[str(case)]
            bmc.fault = None
            state = (bmc.machine.setup, Snapshot.of(bmc.machine)._replace(boots=0))
            if first[case].failed and (all_again or state not in states):
                failed.append(case)
                states.append(state)
        second = run(failed) if failed else {}
        for case in chosen:
            faults.ran[case] = Ran(first[case], second.get(case), bmcs[str(case)].machine.boots)


def _prepared(scenario: Scenario, ansible: Path, names: Iterable[str], folder: Path) -> Behaviour:
    """The controller at the start of the scenario; for a rollback, each host gets the snapshot of the run before it."""
    given = replace(scenario.behaviour, current=scenario.before, message=LOCKED)
    if scenario.book != "rollback.yml":
        return given
    with controllers({"prepared": given}, *certificate(folder)) as bmcs:
        bmc = bmcs["prepared"]
        bmc.fault = None if scenario.after is None else Fault(scenario.after, "away")
        hosts = {"prepared": account(bmc, scenario.role)}
        played = play(ansible / "site.yml", hosts, folder / "home", "--tags", "firmware", in_process=True)
        assert bool(played.failed("prepared")) == (scenario.after is not None), played.said
        assert bool(bmc.machine.staged) == (scenario.after is not None), bmc.writes
        assert not bmc.machine.open_jobs
        for name in ("clean", *names):
            shutil.copytree(ansible / "snapshots/prepared", ansible / "snapshots" / name)
        return replace(given, current=bmc.machine.current, staged=bmc.machine.staged)


def account(bmc: Controller, role: str) -> dict[str, object]:
    """The variables of a host whose iDRAC this is."""
    retries = {f"{role}_read_retries": 2, f"{role}_job_retries": 3}
    return {**through_controller(bmc, role, setpoint_reboot=True), **retries}
