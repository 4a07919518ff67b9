"""The role against Redfish services with the BIOS of real servers: what it changes, and what it does not put up with.

Each run of the real Ansible does several hosts at once, each with a service of its own that behaves as its name says.
"""

from __future__ import annotations

import base64
import json
import ssl
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from consumers.ansible_run import Run, module, play, programs
from consumers.redfish_service import PASSWORD, USER, Service, service
from setpoint.compiler.lowering.target import emission_of
from support.ansible import R740, R750, account, plan_for, role_of
from support.limits import PATIENCE
from support.machines import R740 as R740_SERVER
from support.machines import R750 as R750_SERVER
from support.plans import planned
from support.transitions import end_state

SETTINGS = "/redfish/v1/Systems/System.Embedded.1/Bios/Settings"
STAGED = f"PATCH {SETTINGS} 202"
RESTART = "POST /redfish/v1/Systems/System.Embedded.1/Actions/ComputerSystem.Reset 204"
THROUGH_BMC = {"setpoint_reboot": True, "setpoint_reboot_through": "bmc", "setpoint_r750_any_job_delay": 0}


def document(policy: str, name: str) -> dict[str, Any]:
    """The attributes of one of the Redfish files of a policy, with their values."""
    emission = emission_of("redfish", planned(policy))
    assert emission is not None
    text = next(a.text for a in emission.artifacts if a.path == f"redfish/{name}.json")
    read = json.loads(text)
    attributes: dict[str, Any] = read["Attributes"] if "Attributes" in read else end_state(read)
    return attributes


WANTED = document(R750, "settings")


def differing() -> dict[str, str]:
    """What of it the captured server does not have."""
    current = R750_SERVER.registry().current
    return {name: value for name, value in WANTED.items() if current[name] != value}


def request(bmc: Service, method: str, uri: str, body: object) -> None:
    """What somebody else asks of a service."""
    token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    headers = {"Authorization": f"Basic {token}", "Content-Type": "application/json"}
    asked = urllib.request.Request(
        f"https://{bmc.address}{uri}", json.dumps(body).encode(), headers, method=method
    )
    trust = ssl.create_default_context(cafile=str(bmc.ca))
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust)
    )
    opener.open(asked, timeout=PATIENCE).close()


class Runs(NamedTuple):
    """The services, and what came of the runs: in check mode, the first, the second, of verify.yml.

    `busy` is a run in check mode for the host of the same name, which wants more than the job that waits has.
    """

    services: dict[str, Service]
    checked: Run
    requests_when_checked: list[str]
    first: Run
    again: Run
    busy: Run
    verified: Run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    programs()
    folder = tmp_path_factory.mktemp("r750")
    ansible = role_of(R750, folder)
    capture = R750_SERVER.capture
    idling = {"DynamicCoreAllocation": "Enabled"}
    with ExitStack() as stack:
        services = {
            name: stack.enter_context(service(folder / name, capture, lockdown=True, current=current))
            for name, current in {
                "plain": {}, "idling": idling, "dropping": {}, "losing": {}, "orphaned": {}, "idle": {},
                "starting": {}, "gone": {}, "waiting": {}, "stuck": {}, "failing": idling,
            }.items()
        }  # fmt: skip
        services["dropping"].fault(drop=["ProcTurboMode"])
        services["losing"].fault(lose_job=True)
        services["starting"].fault(away=4)
        services["gone"].fault(away=99)
        services["waiting"].fault(no_end=True)
        services["stuck"].fault(no_reset=True)
        services["failing"].fault(fail_job=True)
        request(services["orphaned"], "PATCH", SETTINGS, {"Attributes": differing()})
        hosts = {name: account(bmc) for name, bmc in services.items() if name != "idle"}
        for name in ("idling", "starting", "gone", "waiting", "stuck", "failing"):
            hosts[name] |= THROUGH_BMC
        for name in ("gone", "waiting"):
            hosts[name] |= {"setpoint_r750_any_job_retries": 2}
        hosts["refused"] = account(services["idle"])
        plan_for(ansible, "refused", ProcTurboMode="Turbo9000")
        hosts["foreign"] = account(services["idle"])
        plan_for(ansible, "foreign", NoSuchAttribute="Enabled")
        hosts["stranger"] = account(services["idle"], setpoint_bmc_password="not the password")
        hosts["nameless"] = account(services["idle"], setpoint_bmc_host="")
        hosts["distrusted"] = {**account(services["idle"]), "setpoint_bmc_ca": "/etc/hostname"}
        changed_mind = account(services["plain"])
        plan_for(ansible, "busy", LogicalProc="Enabled", ProcCores="2")

        def run(book: str, names: str, *options: str) -> Run:
            chosen = {name: hosts[name] for name in names.split()}
            return play(ansible / book, chosen, folder / "ansible-home", "--tags", "firmware", *options)

        checked = run("site.yml", "plain orphaned foreign", "--check")
        requests = [one for bmc in services.values() for one in bmc.state()["requests"]]
        names = "plain idling dropping losing orphaned refused foreign stranger nameless distrusted "
        names += "starting gone waiting stuck failing"
        first = run("site.yml", names)
        hosts["busy"] = changed_mind
        again = run("site.yml", "plain idling busy", "-vvvv")
        busy = run("site.yml", "busy", "--check")
        verified = run("verify.yml", "plain idling foreign")
        yield Runs(services, checked, requests, first, again, busy, verified)


def test_check_mode_shows_the_difference_and_changes_nothing(runs: Runs) -> None:
    assert runs.checked.changed("plain") == ["Stage the attributes"]
    shown = runs.checked.told("plain", "Report on the BIOS")
    current = R750_SERVER.registry().current
    assert shown.endswith(
        " ".join(f"{name}: {current[name]} -> {value}" for name, value in differing().items())
    )
    assert runs.requests_when_checked == [f"PATCH {SETTINGS} 200"], "which the test itself had sent"


def test_the_first_run_stages_in_one_request_and_restarts_nothing(runs: Runs) -> None:
    assert runs.first.changed("plain") == ["Stage the attributes"]
    assert runs.services["plain"].state()["requests"][0] == STAGED
    state = runs.services["plain"].state()
    assert {**state["current"], **state["staged"]}.items() >= WANTED.items()
    assert [job["JobState"] for job in state["jobs"]] == ["Scheduled"]
    assert state["restarts"] == 0
    assert "the next start" in runs.first.told("plain", "Report what waits for a restart")


def test_the_second_run_changes_nothing(runs: Runs) -> None:
    assert (runs.again.failed("plain"), runs.again.changed("plain")) == ("", [])
    assert runs.services["plain"].state()["requests"] == [STAGED], "`busy`, on the same server, sent nothing"
    assert (runs.again.failed("idling"), runs.again.changed("idling")) == ("", [])


def test_what_is_staged_is_not_yet_in_force(runs: Runs) -> None:
    failed = runs.verified.failed("plain")
    assert (
        "Staged, and in effect only when a job has carried it out at a restart: SysProfile = Custom, "
        in failed
    )
    assert "BIOS jobs that are open: JID_000000000001 is Scheduled" in failed
    assert runs.verified.failed("idling") == ""
    assert "NoSuchAttribute: not there, wanted Enabled" in runs.verified.failed("foreign")


def test_what_must_be_in_effect_first_gets_a_restart_of_its_own(runs: Runs) -> None:
    """Maximum Performance locks Logical Processor Idling, which this server has on."""
    assert runs.first.failed("idling") == ""
    state = runs.services["idling"].state()
    assert state["requests"] == [STAGED, RESTART, STAGED, RESTART]
    assert state["current"].items() >= {**document(R750, "expected")}.items()


def test_a_reading_that_fails_after_the_restart_is_not_the_end_of_the_job(runs: Runs) -> None:
    """A service that starts hangs up, or answers that it is busy."""
    assert runs.first.failed("starting") == ""
    said = runs.first.told("starting", "Report what was found")
    assert said.startswith("Settings in effect as the policy has them: ")


def test_a_service_that_does_not_come_back_is_asked_so_often_and_no_more(runs: Runs) -> None:
    said = runs.first.failed("gone")
    assert "The BMC accepted GracefulRestart, and nothing shows that the server restarted." in said
    assert "The BMC does not show its power state (" in said


def test_a_job_that_does_not_end_is_named(runs: Runs) -> None:
    said = runs.first.failed("waiting")
    assert (
        "The server restarted, but its BIOS job was still open after 2 more readings, 0 seconds apart."
        in said
    )
    assert "JID_000000000001 is Scheduled" in said


def test_nothing_is_staged_where_the_role_is_to_restart_and_finds_no_way(runs: Runs) -> None:
    said = runs.first.failed("stuck")
    assert said.startswith("Stage the attributes: Nothing was changed: ")
    assert "the BMC offers no restart that is known here. Restart the server yourself" in said
    assert runs.services["stuck"].state()["requests"] == []


def test_a_restart_that_was_in_vain_is_not_followed_by_another(runs: Runs) -> None:
    """What must be in effect first is not, since its job has failed."""
    said = runs.first.failed("failing")
    assert said.startswith("Have the BIOS apply what is staged: The BIOS job did not succeed. ")
    assert "JID_000000000001 is Failed: Job failed. " in said
    assert "DynamicCoreAllocation: Enabled, wanted Disabled" in said
    assert runs.services["failing"].state()["requests"] == [STAGED, RESTART]


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("refused", "Nothing was staged: the BMC refused the attributes (HTTP 400): "),
        (
            "foreign",
            "Stage the attributes: Nothing was changed: this server's BIOS has no NoSuch",
        ),
        (
            "dropping",
            "Stage the attributes: The BMC reported success and dropped ProcTurboMode:",
        ),
        ("losing", "Staged, but no job waits to carry it out: SysProfile, ProcPwrPerf, ProcTurboMode"),
        ("nameless", "Stage the attributes: setpoint_bmc_host, "),
        (
            "stranger",
            "Stage the attributes: Nothing was changed: the BMC does not show /redfish/v1/Systems (HTTP 401): ",
        ),
        (
            "distrusted",
            "Stage the attributes: Nothing was changed: the BMC does not show /redfish/v1/ (no answer): ",
        ),
    ],
)
def test_what_does_not_happen_fails_loudly(runs: Runs, host: str, said: str) -> None:
    assert runs.first.status != 0
    assert said in runs.first.failed(host)


def test_a_refusal_is_told_in_the_services_own_words(runs: Runs) -> None:
    assert "'Turbo9000'" in runs.first.failed("refused")
    assert runs.services["idle"].state()["requests"] == [f"PATCH {SETTINGS} 400"], "the others sent nothing"
    assert runs.services["idle"].state()["staged"] == {}


def test_while_another_job_waits_nothing_more_is_staged(runs: Runs) -> None:
    for run in (runs.again, runs.busy):
        assert (
            "Nothing was changed: a BIOS job is open, and nothing shows that it is for this policy. JID_"
            in (run.failed("busy"))
        )
    assert runs.again.changed("busy") == []


def test_what_somebody_has_staged_without_a_job_gets_one(runs: Runs) -> None:
    assert runs.checked.changed("orphaned") == ["Stage the attributes"]
    assert runs.first.changed("orphaned") == ["Stage the attributes"]
    assert "A job would be made for the staged values: " in runs.checked.told(
        "orphaned", "Report on the BIOS"
    )
    assert len(runs.services["orphaned"].state()["jobs"]) == 1


def test_the_password_is_never_shown(runs: Runs) -> None:
    for run in (runs.checked, runs.first, runs.again, runs.verified):
        assert PASSWORD not in run.said
        assert json.dumps(PASSWORD)[1:-1] not in run.said
    assert "setpoint_bmc_user" not in runs.again.failed("plain")


def test_the_vendors_modules_find_the_server_as_the_role_left_it(runs: Runs, tmp_path: Path) -> None:
    """They read the service in their own way: a second opinion."""
    bmc = runs.services["idling"]
    redfish: dict[str, object] = {
        "category": "Systems",
        "command": ["SetBiosAttributes"],
        "baseuri": bmc.address,
        "username": USER,
    }
    redfish |= {
        "password": PASSWORD,
        "ca_path": str(bmc.ca),
        "validate_certs": True,
        "bios_attributes": WANTED,
    }
    answer = module("community.general.redfish_config", tmp_path, **redfish)
    assert answer["msg"] == "BIOS attributes already set", answer
    answer = dell(tmp_path, bmc, WANTED)
    assert answer["status_msg"] == "No changes found to be applied."


def test_why_the_role_does_without_them(runs: Runs, tmp_path: Path) -> None:
    """A value that no server takes is no failure to them."""
    answer = dell(tmp_path, runs.services["idling"], {"ProcTurboMode": "Turbo9000"})
    assert (answer.get("failed", False), answer["status_msg"]) == (False, "No changes found to be applied.")


def dell(folder: Path, bmc: Service, attributes: dict[str, str]) -> dict[str, object]:
    """What dellemc.openmanage.idrac_bios answers."""
    given = {"idrac_ip": "127.0.0.1", "idrac_port": bmc.port, "idrac_user": USER, "idrac_password": PASSWORD}
    given |= {"ca_path": str(bmc.ca), "attributes": attributes, "apply_time": "OnReset", "job_wait": False}
    return module("dellemc.openmanage.idrac_bios", folder, **given)


class Older(NamedTuple):
    """A service that lists no apply times and makes no job by itself, and what came of the runs, all with a restart.

    In the first the BIOS fails the job at the restart; in the last two, of verify.yml and in check mode, the service
    expands no lists, and the policy wants something else.
    """

    bmc: Service
    failing: Run
    second: Run
    blind: Run
    unstaged: Run


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Older]:
    programs()
    folder = tmp_path_factory.mktemp("r740")
    ansible = role_of(R740, folder)
    with service(folder / "bmc", R740_SERVER.capture) as bmc:
        given = account(bmc, setpoint_reboot=True, setpoint_reboot_through="bmc", setpoint_r740_job_delay=0)

        def run(book: str, *options: str, **more: object) -> Run:
            home = folder / "ansible-home"
            return play(ansible / book, {"server": {**given, **more}}, home, "--tags", "firmware", *options)

        bmc.fault(fail_job=True)
        failing = run("site.yml")
        bmc.fault()
        second = run("site.yml")
        bmc.fault(no_expand=True)
        plan_for(ansible, "server", LogicalProc="Enabled")
        blind = run("verify.yml")
        unstaged = run("site.yml", "--check")
        yield Older(bmc, failing, second, blind, unstaged)


def test_a_job_that_fails_at_the_restart_fails_the_run(older: Older) -> None:
    """Whether the server restarted is not known: this service does not show when it last did."""
    said = older.failing.failed("server")
    assert "nothing shows that the server restarted" in said
    assert "JID_000000000001 is Failed: Job failed." in said


def test_an_older_service_has_its_job_posted_and_is_restarted_where_told(older: Older) -> None:
    assert older.second.failed("server") == ""
    jobs = "/redfish/v1/Managers/iDRAC.Embedded.1/Jobs"
    once = [f"PATCH {SETTINGS} 200", f"POST {jobs} 200", RESTART]
    assert older.bmc.state()["requests"] == [*once, *once]
    expected = document(R740, "expected")
    assert older.bmc.state()["current"].items() >= expected.items()
    said = older.second.told("server", "Report what was found")
    assert said.startswith(f"Settings in effect as the policy has them: {len(expected)}. not-compared: ")


def test_a_service_whose_jobs_cannot_be_seen_is_not_trusted(older: Older) -> None:
    for run in (older.blind, older.unstaged):
        assert "does not expand its list of jobs" in run.failed("server")
