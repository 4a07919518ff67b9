"""Whatever a controller of Dell, HPE, Lenovo or Supermicro does, the client tells it truly, loses nothing, and a second
run reaches the plan.

Two tables, for twins of the four makers (`setpoint.compiler.twin`, whose table of controllers has the documents):

* `SERVERS`: what a server or its controller can do otherwise than the plainest one, with the words that are told, and
  what is left.
* every kind of fault that a request can meet (`twin.faults`), at every request of a run: by day at one of each step,
  with `--complete` at all.

A run is that of the role: stage, restart through the controller, compare. What it tells is compared with the twin
itself (`support.claims`), and then the fault is taken back: a second run must reach the plan, and a way back the values
from before the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from controllers import HPE, LENOVO, SUPERMICRO, server
from rollouts.test_client import AT_FIRST, WANTED, Bench, bench, plan, states

from consumers.redfish_service import certificate
from idrac import IDRAC, KINDS, Fault, Kind
from setpoint.compiler.twin.dialects import dialects
from support.claims import Server, Snapshot, belied
from support.effort import is_complete

MAKERS = {"Dell": IDRAC, "HPE": HPE, "Lenovo": LENOVO, "Supermicro": SUPERMICRO}
JOBS = ("Dell",)
"""The makers of which a job carries out what is staged."""

PHASES = ("staged", "restarted", "compared")


class Ran(NamedTuple):
    """What a run told: with what it failed, "" if it did not; which phases changed something; the states and words of
    its comparison."""

    failed: str
    changed: list[str]
    states: Mapping[str, str]
    words: str


def run(one: Bench) -> Ran:
    """What the role does, until a phase fails: it restarts a server for which something waits alone."""
    changed, waits = [], True
    for phase in PHASES:
        if phase == "restarted" and not waits:
            continue
        came = one.ask(phase, read_retries=2, job_retries=3)
        if came["changed"]:
            changed.append(phase)
        if came.get("failed"):
            return Ran(came["msg"], changed, {}, "")
        waits = came.get("waits", False)
    return Ran("", changed, states(came), came["words"])


def told_truly(one: Bench, before: Snapshot, ran: Ran) -> list[str]:
    """What of it is not so."""
    failed = ran.failed or (ran.words and f"Compared: {ran.words}")
    found = [*belied(failed, ran.changed, Server(one.bmc.machine, before, WANTED, {}))]
    known = "said what nobody knows the meaning of"
    return [each for each in found if each != known or ran.failed]


def mended(one: Bench, at_first: Mapping[str, Any]) -> None:
    """With the fault gone, the next run reaches the plan, or the one after it where a job of the first was still open;
    then all goes back."""
    ran = run(one)
    if ran.failed or ran.words:
        ran = run(one)
    assert (ran.failed, ran.words, set(ran.states.values())) == ("", "", {"ok"})
    assert one.bmc.machine.current == {**at_first, **WANTED}
    one.more["back"] = True
    back = run(one)
    assert (back.failed, set(back.states.values())) == ("", {"rolled-back"}), back
    assert one.bmc.machine.current == at_first


# -------------------------------------------------------------------------------------- what a server can do otherwise


class Case(NamedTuple):
    """A server or a controller that does something else.

    Attributes:
        makers: Of whom; all, unless it is a matter of jobs.
        setup: How the twin is set up; see `Setup` of the machine.
        told: Words that the run tells, "" if it reaches the plan nevertheless.
        phase: The last phase that is begun.
        left: What is staged then.
        options: Options of the run.
    """

    setup: Mapping[str, Any]
    told: str = ""
    left: Mapping[str, Any] = {}
    makers: tuple[str, ...] = tuple(MAKERS)
    options: Mapping[str, Any] = {}


SERVERS = {
    # what a service refuses, in its own words, and stages nothing
    "is locked down": Case({"denies": "lockdown"}, "Nothing was staged: the BMC refused the attributes (HTTP 403): "),
    "has no licence": Case({"denies": "licence"}, "Nothing was staged: the BMC refused the attributes (HTTP 403): "),
    "refuses": Case({"refuses": "No."}, "Nothing was staged: the BMC refused the attributes (HTTP 400): "),
    # what it takes and does not do
    "drops one of two": Case({"drops": ("Smt",)}, "reported success and dropped Smt: Enabled -> Disabled.", {"Turbo": "Disabled"}),
    "says what it has dropped": Case({"drops": ("Smt",), "tells": True}, "It said: Changes completed successfully, but these changes will not take"
                                     " effect until next reboot. Property Smt of the request body is not patched.", {"Turbo": "Disabled"}, ("Lenovo",)),
    "drops all": Case({"drops": ("Smt", "Turbo")}, "reported success and dropped Smt: Enabled -> Disabled; Turbo:",
                      makers=("HPE", "Lenovo", "Supermicro")),
    "does not take one value at the restart": Case({"rejects": ("Smt",), "message": "ACI"}, "Smt: Enabled, wanted Disabled"),
    "does not take one, and says nothing of it": Case({"rejects": ("Smt",), "silent": True}, "Smt: Enabled, wanted Disabled"),
    "starts twice over a value that it does not take": Case({"boots": 2, "starting": 1, "rejects": ("Smt",)}, "Smt: Enabled, wanted Disabled"),
    "does not take the version that it gave": Case({"distrusts": True}),
    "has no inventory": Case({"blind": True}, "(HTTP 400): Unable to retrieve the BIOS configuration data", makers=JOBS),
    "does not show an attribute before it has started": Case({"unseen": ("Smt",)}, "Some controllers show an attribute only when the server has started once"),
    "fails at the restart": Case({"fails": True, "message": "ACI"}, "Smt: Enabled, wanted Disabled"),
    "has a job that never runs": Case({"stuck": True, "message": "Job processing initialization failure."},
                                      "Job processing initialization failure.", WANTED, JOBS),
    "makes no job for what is staged already": Case({"jobless": True, "staged": WANTED}, makers=JOBS),
    "makes no job for what waits for one already": Case({"jobless": True, "staged": WANTED, "committed": True}, makers=JOBS),
    "has no room for a job": Case({"exhausted": True}, "Nothing was staged: the BMC refused the attributes (HTTP 400): The job queue is full.", makers=JOBS),
    "forgets a task that is over": Case({"forgets": True}, makers=JOBS),
    "shows its job late": Case({"late": 2}, makers=JOBS),
    # power and restarts
    "ignores a graceful restart": Case({"ignored": ("GracefulRestart",)}, "and nothing shows that the server restarted", WANTED),
    "is off, and may be powered on": Case({"power": "Off"}, options={"power_on": True}),
    "refuses a restart at first": Case({"hesitates": 1}, makers=("HPE",)),
    "has a last reset that is no date": Case({"timeless": True}, makers=JOBS),
    "is off": Case({"power": "Off"}, "Nothing was changed: the server is off, and it is powered on only with setpoint_reboot_power_on"),
    "starts twice, and has the values after the second start": Case({"boots": 2, "starting": 1}),
    "wants a slash at the end of each address": Case({"slashes": True}),
    # what somebody else has staged
    "has another value staged": Case({"staged": {"Other": "y"}}, "Nothing was changed: somebody else has staged Other = y", {"Other": "y"}),
    "has a job of somebody else": Case({"staged": {"Other": "y"}, "committed": True},
                                       "Nothing was changed: a BIOS job is open, and nothing shows that it is for this policy.", {"Other": "y"}, JOBS),
    # what a run has to put up with
    "is busy at first": Case({"busy": 2}),
    "loses the answer to what it stages": Case({"lost": ("PATCH",)}),
    "loses the answer to a restart": Case({"lost": ("reset",)}),
    "has many jobs, page by page": Case({"history": 30, "page": 7}, makers=JOBS),
}  # fmt: skip
"""A server that …"""


@pytest.mark.parametrize(
    ("maker", "name"), [(maker, name) for name, case in SERVERS.items() for maker in case.makers]
)
def test_what_a_server_does_otherwise_is_told(maker: str, name: str, tmp_path: Path) -> None:
    case = SERVERS[name]
    with bench(server(MAKERS[maker], AT_FIRST, **case.setup), tmp_path, **case.options) as one:
        before = Snapshot.of(one.bmc.machine)
        ran = run(one)
        assert case.told in (ran.failed or ran.words)
        assert bool(ran.failed or ran.words) == bool(case.told)
        assert one.bmc.machine.staged == case.left
        assert told_truly(one, before, ran) == []
        recovered(one)
        mended(one, {**AT_FIRST, **_applied(one)})


def recovered(one: Bench) -> None:
    """Somebody has seen to it: the server does what it is asked for, and nothing of somebody else waits."""
    machine = one.bmc.machine
    machine.setup = server(machine.dialect, AT_FIRST)
    machine.power = "On"
    for job in machine.open_jobs:
        machine.withdraw(job["Id"])
    if "Other" in machine.staged:
        machine.staged = {}


def _applied(one: Bench) -> dict[str, Any]:
    return {name: value for name, value in one.bmc.machine.current.items() if name not in WANTED}


# ----------------------------------------------------------------------------------------- what a request can meet


def requests_of_a_run(maker: str, folder: Path) -> list[str]:
    """The requests of a run that meets no fault: the methods."""
    with bench(server(MAKERS[maker], AT_FIRST), folder) as one:
        ran = run(one)
        assert (ran.failed, set(ran.states.values())) == ("", {"ok"})
        return [each.method for each in one.bmc.requests]


def steps(methods: list[str]) -> Iterator[int]:
    """Which of them meet a fault: the first, each request for a change, and the reading after it; all of them with
    `--complete`."""
    for number, method in enumerate(methods):
        is_step = number == 0 or method != "GET" or methods[number - 1] != "GET"
        if is_complete() or is_step:
            yield number


FAULTS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind != "slow")
"""An answer that is too late is waited for: `test_an_answer_that_is_too_late` has it, once for each request for a
change."""


@pytest.mark.parametrize("maker", MAKERS)
def test_what_a_request_meets_is_told_and_mended(maker: str, tmp_path: Path) -> None:
    keys = certificate(tmp_path)
    wrong: list[str] = []
    for number in steps(requests_of_a_run(maker, tmp_path)):
        for kind in FAULTS:
            folder = tmp_path / f"{number}-{kind}"
            folder.mkdir()
            for key in keys:
                (folder / key.name).symlink_to(key)
            with bench(server(MAKERS[maker], AT_FIRST), folder) as one:
                before = Snapshot.of(one.bmc.machine)
                one.bmc.fault = Fault(number, kind)
                ran = run(one)
                found = told_truly(one, before, ran)
                wrong += [f"{number} {kind}: {each} ({ran.failed or ran.words})" for each in found]
                one.bmc.fault = None
                try:
                    mended(one, AT_FIRST)
                except AssertionError as error:
                    wrong.append(f"{number} {kind}: {ran}, and then {error}")
    assert not wrong, "\n".join(wrong)


# --------------------------------------------------------------------------------------------------- of other makers

OTHERS = ("supermicro-x11", "ami-megarac", "ami-gigabyte", "openbmc", "cisco-cimc", "hpe-ilo6", "any")
"""Controllers beside those of the four makers: without a settings resource, without a link to it, with tasks, with
other errors."""


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("setup", [{}, {"rejects": ("Smt",)}, {"rejects": ("Smt",), "silent": True}])
def test_controllers_of_others(name: str, setup: Mapping[str, Any], tmp_path: Path) -> None:
    row = dialects()[name]
    with bench(server(row, AT_FIRST, **setup), tmp_path, plan=plan(settings_uri=row.target)) as one:
        before = Snapshot.of(one.bmc.machine)
        ran = run(one)
        assert ("Smt: Enabled, wanted Disabled" in ran.words) == bool(setup)
        assert told_truly(one, before, ran) == []
        recovered(one)
        mended(one, AT_FIRST)


def test_a_restart_of_which_the_task_fails(tmp_path: Path) -> None:
    """The service took it, and its task says that nothing came of it: so does the run, and does not wait any longer."""
    row = dialects()["ami-megarac"]
    with bench(server(row, AT_FIRST, stubborn=("ForceRestart",)), tmp_path, job_retries=1000) as one:
        before = Snapshot.of(one.bmc.machine)
        assert not one.ask("staged").get("failed")
        came = one.ask("restarted", job_retries=1000)
        assert (
            "The task of the restart failed: 1 is Exception: The action 'ForceRestart' is unsuccessful."
            in came["msg"]
        )
        assert (one.bmc.machine.staged, before.boots) == (WANTED, one.bmc.machine.boots)
        recovered(one)
        mended(one, AT_FIRST)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("odd", "failed: Request URI is invalid"),  # the message is an object, with its language
        ("lone", "The request failed due to an internal service error."),  # one message, and no list of it
    ],
)
def test_errors_of_other_forms_are_told(kind: Kind, words: str, tmp_path: Path) -> None:
    with bench(server(IDRAC, AT_FIRST), tmp_path) as one:
        one.bmc.fault = Fault(0, kind)
        assert words in one.ask("staged")["msg"]


@pytest.mark.parametrize("maker", MAKERS)
def test_an_answer_that_is_too_late(maker: str, tmp_path: Path) -> None:
    """The request was carried out, and a reading shows it: the run reaches the plan and says that it was not
    confirmed."""
    number = requests_of_a_run(maker, tmp_path).index("PATCH")
    with bench(server(MAKERS[maker], AT_FIRST), tmp_path, timeout=2) as one:
        one.bmc.fault = Fault(number, "slow", 3)
        came = one.ask("staged")
        assert not came.get("failed"), came
        assert "The BMC did not confirm the request to stage the attributes" in " ".join(came["told"])
        assert one.bmc.machine.staged == WANTED
        one.bmc.fault = None
        mended(one, AT_FIRST)
