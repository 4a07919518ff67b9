"""The role when one request of a run goes wrong: what it reports is so, and the next run reaches the end state.

A run without faults gives the requests. Then each of them meets each fault (`idrac.faults`), one fault in a run; and a job
ends otherwise than in success. All these runs are one run of the real Ansible, with a host for each case. A second run, with
the fault gone, has to reach the policy, without a restart that is not needed.

By default each reading meets one of the faults, in turn, and each request that changes something meets those which leave open
what became of it. With `--complete` all requests meet all faults, on a service of each kind, with Ansible's own workers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from consumers.ansible_run import Run, play, programs
from consumers.redfish_service import certificate
from idrac import Behaviour, Controller, Fault, controllers
from idrac.faults import KINDS, Kind
from idrac.machine import LEGACY_JOBS
from idrac.service import PASSWORD, USER
from setpoint.compiler.lowering.target import identifier
from support.ansible import R740, R750, expected, role_of
from support.claims import Snapshot, untrue
from support.plans import planned

pytestmark = pytest.mark.xdist_group("ansible-faults")

SYSTEM, BIOS, SETTINGS, JOBS = "GET System.Embedded.1", "GET Bios", "GET Settings", "GET Jobs"
PATCH, COMMIT, RESET = "PATCH Settings", "POST Jobs", "POST ComputerSystem.Reset"
JOB = "GET JID_000000000001"
READ = (BIOS, SETTINGS, JOBS)
DIFFERENT = {"ProcTurboMode": "Enabled", "ProcCStates": "Enabled"}
LOCKED = "BIOS attribute ProcCStates is locked."
TIMEOUT, TOO_LATE = 2, 2.5
"""How long a client waits where an answer is slow, and how long that takes, in seconds."""

HOSTS = 30
"""How many cases one play is for."""


class Service(NamedTuple):
    """A kind of service, the policy for its server, and the requests of a run that meets no fault."""

    policy: str
    behaviour: Behaviour
    requests: tuple[str, ...]

    @property
    def role(self) -> str:
        """The name of the role."""
        return f"setpoint_{identifier(planned(self.policy).policy)}"

    @property
    def goal(self) -> dict[str, str]:
        """The attributes of the policy's end state."""
        return expected(self.policy)

    @property
    def before(self) -> dict[str, str]:
        """The attributes of a server that has two of them otherwise, and one that the policy does not speak of."""
        return {**self.goal, **DIFFERENT, "BootMode": "Bios"}


SERVICES = {
    "r740": Service(
        R740,
        Behaviour(
            {}, model="PowerEdge R740", processors=1, apply_times=(), reset_time=False, jobs=LEGACY_JOBS
        ),
        (SYSTEM, *READ, SYSTEM, PATCH, *READ, COMMIT, JOBS, SYSTEM, RESET, JOB, JOB, SYSTEM, *READ),
    ),
    "r750": Service(
        R750,
        Behaviour({}),
        (SYSTEM, *READ, SYSTEM, PATCH, *READ, SYSTEM, RESET, JOB, JOB, SYSTEM, *READ),
    ),
}
"""A service that leaves the job to its client, and one that makes it: the others do the one or the other."""


class Case(NamedTuple):
    """A run in which one thing goes wrong: a request, by its number, or the job."""

    service: str
    request: int | None
    kind: Kind | Literal["rejects", "fails"]

    def __str__(self) -> str:
        where = "job" if self.request is None else f"{self.request:02d}-{self._name}"
        return f"{self.service}-{where}-{self.kind}"

    @property
    def _name(self) -> str:
        return SERVICES[self.service].requests[self.request or 0].replace(" ", "-")

    @property
    def behaviour(self) -> Behaviour:
        """Its controller."""
        service = SERVICES[self.service]
        given = replace(service.behaviour, current=service.before, message=LOCKED)
        if self.kind == "rejects":
            return replace(given, rejects=("ProcCStates",))
        return replace(given, fails=True) if self.kind == "fails" else given

    @property
    def fault(self) -> Fault | None:
        """What its request meets."""
        if self.request is None or self.kind not in KINDS:
            return None
        return Fault(self.request, self.kind, TOO_LATE)


def cases(complete: bool) -> list[Case]:
    """The cases of the default run, or all."""
    made = []
    for name, service in SERVICES.items() if complete else [("r740", SERVICES["r740"])]:
        made += [Case(name, None, "rejects"), Case(name, None, "fails")]
        for number, request in enumerate(service.requests):
            made += [Case(name, number, kind) for kind in kinds(request, number, complete)]
    return made


def kinds(request: str, number: int, complete: bool) -> tuple[Kind, ...]:
    """The faults that a request meets."""
    reading: tuple[Kind, ...] = ("busy", "away", "error", "dropped", "slow")
    if request.startswith("GET"):
        return reading if complete else (reading[number % len(reading)],)
    return KINDS if complete else ("error", "dropped", "lost")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each case, with the case as its name."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases(metafunc.config.getoption("complete")), ids=str)


class Ran(NamedTuple):
    """What came of a case: the first run and the second, what was untrue in their reports, and how often the server restarted."""

    said: str
    untrue: list[str]
    said_again: str
    untrue_again: list[str]
    boots: int


class Faults(NamedTuple):
    """What came of each case, and for each service the requests of a run that met no fault."""

    ran: dict[Case, Ran]
    clean: dict[str, tuple[str, ...]]


@pytest.fixture(scope="module")
def faults(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Faults:
    programs()
    complete = bool(request.config.getoption("complete"))
    found = Faults({}, {})
    for name in dict.fromkeys(case.service for case in cases(complete)):
        chosen = [case for case in cases(complete) if case.service == name]
        for start in range(0, len(chosen), HOSTS):
            part, folder = chosen[start : start + HOSTS], tmp_path_factory.mktemp(name)
            _run(name, part, found, folder, in_process=not complete)
    return found


def _run(name: str, chosen: list[Case], found: Faults, folder: Path, *, in_process: bool) -> None:
    service = SERVICES[name]
    before, goal = service.before, service.goal
    book = role_of(service.policy, folder) / "site.yml"
    behaviours = {"clean": replace(service.behaviour, current=before)}
    behaviours |= {str(case): case.behaviour for case in chosen}
    with controllers(behaviours, *certificate(folder)) as bmcs:
        hosts = {host: account(bmc, service.role) for host, bmc in bmcs.items()}
        for case in chosen:
            bmcs[str(case)].fault = case.fault
            if case.kind == "slow":
                hosts[str(case)][f"{service.role}_bmc_timeout"] = TIMEOUT

        def run(names: Iterable[str]) -> Run:
            again = {host: hosts[host] for host in names}
            return play(book, again, folder / "home", "--tags", "firmware", in_process=in_process)

        def belied(played: Run, host: str, start: Snapshot) -> list[str]:
            return untrue(played, host, bmcs[host], start, goal)

        started = {host: Snapshot.of(bmc.machine) for host, bmc in bmcs.items()}
        first = run(bmcs)
        found.clean[name] = tuple(f"{r.method} {r.path.rpartition('/')[2]}" for r in bmcs["clean"].requests)
        said = {case: first.failed(str(case)) for case in chosen}
        wrong = {case: belied(first, str(case), started[str(case)]) for case in chosen}
        started = {host: Snapshot.of(bmc.machine) for host, bmc in bmcs.items()}
        for bmc in bmcs.values():
            bmc.fault = None
        failed = [str(case) for case in chosen if said[case]]
        second = run(failed)
        for case in chosen:
            host = str(case)
            more = (second.failed(host), belied(second, host, started[host])) if said[case] else ("", [])
            found.ran[case] = Ran(said[case], wrong[case], *more, bmcs[host].machine.boots)


def account(bmc: Controller, role: str) -> dict[str, object]:
    """The variables of a host whose iDRAC this is."""
    return {
        "setpoint_bmc_host": bmc.address,
        "setpoint_bmc_user": USER,
        "setpoint_bmc_password": PASSWORD,
        "setpoint_bmc_ca": str(bmc.ca),
        "setpoint_reboot": True,
        "setpoint_reboot_through": "bmc",
        f"{role}_read_retries": 2,
        f"{role}_read_delay": 0,
        f"{role}_job_retries": 3,
        f"{role}_job_delay": 0,
    }


def test_the_cases_are_of_all_requests_of_a_run(faults: Faults) -> None:
    """Where this fails, `SERVICES` has to have the requests that the role makes now."""
    assert faults.clean == {name: SERVICES[name].requests for name in faults.clean}
    assert {case.request for case in faults.ran} >= {
        number for name in faults.clean for number in range(len(SERVICES[name].requests))
    }


def test_what_a_run_reports_is_so(faults: Faults, case: Case) -> None:
    ran = faults.ran[case]
    assert ran.untrue == [], ran.said


def test_the_next_run_reaches_the_policy_or_says_why_not(faults: Faults, case: Case) -> None:
    ran = faults.ran[case]
    assert ran.untrue_again == [], ran.said_again
    if case.request is None:
        assert LOCKED in ran.said_again
    else:
        assert ran.said_again == ""
        assert ran.boots == 1, "a restart that was not needed, or none"
