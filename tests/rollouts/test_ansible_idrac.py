"""The role against iDRACs that are not the plainest: what each receives, and what the operator is told.

One run of the real Ansible for many hosts, each with an emulated controller of its own (`tests/idrac`), which behaves
as the host's name says; then further runs for some of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.ansible_run import Run, play, programs
from consumers.redfish_service import certificate
from idrac import LEGACY_JOBS, Behaviour, Controller, controllers
from support.ansible import R740, R750, expected, role_of, through_controller

NEW, OLD = "setpoint_r750_any", "setpoint_r740"
FORCED = ("On", "ForceOff", "PowerCycle", "ForceRestart")
LOCKED = "BIOS attribute ProcCStates is locked."
DIFFERENT = {"ProcTurboMode": "Enabled", "ProcCStates": "Enabled"}


def current(policy: str) -> dict[str, str]:
    """A server that is as the policy has it but for two attributes, with another that the policy does not speak of."""
    return {**expected(policy), **DIFFERENT, "BootMode": "Bios"}


def wanted(policy: str) -> dict[str, str]:
    """What of the policy such a server does not have."""
    return {name: expected(policy)[name] for name in DIFFERENT}


def behaviours() -> dict[str, Behaviour]:
    """The controllers of the services that make their jobs themselves, by the names of their hosts."""
    is_now, done = current(R750), {**current(R750), **wanted(R750)}
    return {
        "gentle": Behaviour(is_now),
        "forced-only": Behaviour(is_now, reset_types=FORCED),
        "forced": Behaviour(is_now, reset_types=FORCED, rejects=("ProcCStates",), message=LOCKED),
        "off": Behaviour(is_now, power="Off"),
        "powered-on": Behaviour(is_now, power="Off"),
        "deaf": Behaviour(is_now, ignored=("GracefulRestart",)),
        "shared": Behaviour(is_now, staged={"BootMode": "Uefi"}),
        "shared-ok": Behaviour(is_now, staged={"BootMode": "Uefi"}),
        "shared-done": Behaviour(done, staged={"BootMode": "Uefi"}),
        "claimed": Behaviour(is_now, staged={"BootMode": "Uefi"}, committed=True, history=3, page=2),
        "busy": Behaviour(is_now, busy=1),
        "too-busy": Behaviour(is_now, busy=9),
        "failing": Behaviour(is_now, fails=True, running=0, reset_time=False, message="Unable to run the job: lid open."),
        "refusing": Behaviour(is_now, refuses="The server is in lockdown mode."),
    }  # fmt: skip


class Runs(NamedTuple):
    """The controllers, and the runs: the playbook, and verify.yml."""

    bmcs: dict[str, Controller]
    played: Run
    verified: Run


def account(bmc: Controller, role: str, **more: object) -> dict[str, object]:
    """The variables of a host whose iDRAC this is; a job that does not come is not waited for long."""
    return {**through_controller(bmc, role), f"{role}_job_retries": 2, **more}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    programs()
    folder = tmp_path_factory.mktemp("idrac")
    ansible = role_of(R750, folder)
    with controllers(behaviours(), *certificate(folder)) as bmcs:
        hosts = {name: account(bmc, NEW) for name, bmc in bmcs.items()}
        for name in ("gentle", "forced-only", "forced", "off", "powered-on", "deaf", "failing"):
            hosts[name]["setpoint_reboot"] = True
        hosts["too-busy"][f"{NEW}_read_retries"] = 1
        hosts["forced"]["setpoint_reboot_force"] = True
        hosts["powered-on"]["setpoint_reboot_power_on"] = True
        hosts["shared-ok"]["setpoint_ignore_foreign_settings"] = True
        home = folder / "home"
        again = {name: hosts[name] for name in ("shared-done", "forced")}
        del hosts["shared-done"]
        played = play(ansible / "site.yml", hosts, home, "--tags", "firmware")
        verified = play(ansible / "verify.yml", again, home, "--tags", "firmware")
        yield Runs(bmcs, played, verified)


# ------------------------------------------------------------------------------------------------------------ restarts


def test_the_gentlest_restart_is_chosen_in_whatever_order_they_are_offered(runs: Runs) -> None:
    assert runs.played.failed("gentle") == ""
    bmc = runs.bmcs["gentle"]
    assert bmc.resets == ["GracefulRestart"]
    assert bmc.patches == [
        {"Attributes": wanted(R750), "@Redfish.SettingsApplyTime": {"ApplyTime": "OnReset"}}
    ]
    assert (bmc.machine.boots, bmc.machine.staged) == (1, {})


def test_no_restart_is_forced_without_permission(runs: Runs) -> None:
    assert runs.bmcs["forced-only"].writes == []
    said = runs.played.failed("forced-only")
    assert said.startswith("Stage the attributes: Nothing was changed: the BMC offers no GracefulRestart.")
    assert "(ForceRestart, PowerCycle)" in said
    assert "setpoint_reboot_force" in said


def test_a_restart_is_forced_with_permission(runs: Runs) -> None:
    assert runs.bmcs["forced"].resets == ["ForceRestart"]
    assert runs.bmcs["forced"].machine.boots == 1


def test_a_server_that_is_off_is_not_powered_on_without_permission(runs: Runs) -> None:
    assert runs.bmcs["off"].writes == []
    said = runs.played.failed("off")
    assert "Nothing was changed: the server is off" in said
    assert "setpoint_reboot_power_on" in said
    assert runs.played.failed("powered-on") == ""
    assert runs.bmcs["powered-on"].resets == ["On"]


def test_an_accepted_restart_is_not_taken_for_a_restart(runs: Runs) -> None:
    said = runs.played.failed("deaf")
    assert "The BMC accepted GracefulRestart, and nothing shows that the server restarted." in said
    assert "Its power state is On, and its last reset was at 2026-01-05T08:00:00+00:00." in said
    assert "JID_000000000001 is Scheduled" in said
    assert runs.bmcs["deaf"].resets == ["GracefulRestart"], "and nothing was forced after it"


# ------------------------------------------------------------------------------------------------ what others have done


def test_what_somebody_else_has_staged_is_named_and_nothing_is_changed(runs: Runs) -> None:
    assert runs.bmcs["shared"].writes == []
    said = runs.played.failed("shared")
    assert "Nothing was changed: somebody else has staged BootMode = Uefi" in said
    assert "setpoint_ignore_foreign_settings" in said


def test_it_is_carried_out_together_where_that_is_wanted(runs: Runs) -> None:
    assert runs.played.failed("shared-ok") == ""
    assert runs.bmcs["shared-ok"].writes == ["PATCH Settings"]
    assert runs.bmcs["shared-ok"].machine.staged == {"BootMode": "Uefi", **wanted(R750)}


def test_a_job_of_somebody_else_is_named_and_nothing_is_changed(runs: Runs) -> None:
    """It is on the last page of the list."""
    assert runs.bmcs["claimed"].writes == []
    said = runs.played.failed("claimed")
    assert (
        "a BIOS job is open, and nothing shows that it is for this policy. JID_000000000004 is Scheduled"
        in said
    )
    assert "Staged by somebody else: BootMode = Uefi." in said
    assert "setpoint_ignore_foreign_jobs" in said


def test_nothing_is_in_effect_for_certain_while_somebody_elses_values_are_staged(runs: Runs) -> None:
    assert "Staged by somebody else: BootMode = Uefi." in runs.verified.failed("shared-done")


# ----------------------------------------------------------------------------------------------- errors and their words


def test_a_reading_is_repeated_while_the_service_is_busy(runs: Runs) -> None:
    assert runs.played.failed("busy") == ""
    assert runs.bmcs["busy"].writes == ["PATCH Settings"]
    assert runs.bmcs["too-busy"].writes == []
    said = runs.played.failed("too-busy")
    assert "/redfish/v1/ (HTTP 503): The service is temporarily unavailable.  Retry in 30 seconds." in said
    readings = [r for r in runs.bmcs["too-busy"].requests if r.path == "/redfish/v1/"]
    assert len(readings) == 4, "and again for the report"


def test_a_job_says_itself_why_it_has_not_succeeded(runs: Runs) -> None:
    """It is the job of the restart that was forced."""
    job = f"JID_000000000001 is CompletedWithErrors: {LOCKED}"
    wrong = "Not as the policy has it: ProcCStates: Enabled, wanted Disabled."
    assert f"The BIOS job did not succeed. {wrong} The last BIOS job: {job}" in runs.played.failed("forced")
    assert f"{wrong} The last BIOS job: {job}" in runs.verified.failed("forced")


def test_a_job_that_failed_is_no_trace_of_a_restart(runs: Runs) -> None:
    """It may have failed without one, and this service does not show its last reset."""
    said = runs.played.failed("failing")
    assert (
        "nothing shows that the server restarted. Its power state is On, and its last reset is not shown."
        in said
    )
    assert "JID_000000000001 is Failed: Unable to run the job: lid open." in said


def test_a_refusal_is_a_sentence_in_the_services_own_words(runs: Runs) -> None:
    said = runs.played.failed("refusing")
    assert said == (
        "Stage the attributes: Nothing was staged: the BMC refused the attributes "
        "(HTTP 400): The server is in lockdown mode."
    )


def test_no_raw_answer_is_shown(runs: Runs) -> None:
    for host in runs.played.tasks:
        for task in runs.played.tasks[host]:
            assert not (task.failed and "json" in task.result), (host, task.name)


# ------------------------------------------------------------------------------ services that make no job by themselves


class Older(NamedTuple):
    """The same for services that list no apply times; what a second run and verify.yml said, too."""

    bmcs: dict[str, Controller]
    played: Run
    again: Run
    verified: Run


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Older]:
    programs()
    folder = tmp_path_factory.mktemp("older")
    ansible = role_of(R740, folder)
    plain = Behaviour(
        current(R740),
        model="PowerEdge R740",
        processors=1,
        apply_times=(),
        reset_time=False,
        jobs=LEGACY_JOBS,
    )
    early = replace(plain, shows_pending=True)
    behaviours = {
        "early": early,
        "announced": replace(early, jobs="/redfish/v1/Elsewhere/Queue"),
        "speechless": replace(plain, lost=("PATCH", "job", "reset")),
    }
    with controllers(behaviours, *certificate(folder)) as bmcs:
        hosts = {name: account(bmc, OLD) for name, bmc in bmcs.items()}
        for name in ("announced", "speechless"):
            hosts[name]["setpoint_reboot"] = True

        def run(book: str, names: str) -> Run:
            chosen = {name: hosts[name] for name in names.split()}
            return play(ansible / book, chosen, folder / "home", "--tags", "firmware")

        played = run("site.yml", "early announced speechless")
        again = run("site.yml", "early")
        yield Older(bmcs, played, again, run("verify.yml", "early"))


def test_values_that_are_shown_early_get_their_job(older: Older) -> None:
    assert older.played.failed("early") == ""
    assert older.bmcs["early"].writes == ["PATCH Settings", "POST Jobs"]
    assert "BIOS" in older.played.told("early", "Report what waits for a restart")


def test_values_that_are_shown_early_are_pending_until_their_job_has_run(older: Older) -> None:
    assert (older.again.failed("early"), older.again.changed("early")) == ("", [])
    assert "BIOS" in older.again.told("early", "Report what waits for a restart")
    said = older.verified.failed("early")
    assert "Staged, and in effect only when a job has carried it out at a restart: " in said
    assert "ProcTurboMode = Disabled" in said
    assert "BIOS jobs that are open: JID_000000000001 is Scheduled: Task successfully scheduled." in said
    assert "Not as the policy has it" not in said


def test_the_job_queue_is_where_the_service_says(older: Older) -> None:
    """Its legacy place is 404 there."""
    assert older.played.failed("announced") == ""
    assert older.bmcs["announced"].writes == ["PATCH Settings", "POST Queue", "POST ComputerSystem.Reset"]
    assert older.bmcs["announced"].machine.current.items() >= expected(R740).items()


def test_a_request_without_an_answer_is_not_repeated_but_looked_into(older: Older) -> None:
    assert older.played.failed("speechless") == ""
    bmc = older.bmcs["speechless"]
    assert bmc.writes == ["PATCH Settings", "POST Jobs", "POST ComputerSystem.Reset"]
    assert (bmc.machine.boots, bmc.machine.current.items() >= expected(R740).items()) == (1, True)
    said = older.played.told("speechless", "Report on the BIOS")
    assert (
        "The BMC did not confirm the request to stage the attributes (no answer): it closed the connection"
        in said
    )
    assert "Read back: all of them are staged" in said
    assert "Read back: JID_000000000001 is Scheduled" in said


# ----------------------------------------------------------------------------------------------------------- an iDRAC10

R670 = "policy r670 { goal latency; platform r670; sockets 2; }"


def test_an_idrac10_gets_its_values_verified_and_back(tmp_path: Path) -> None:
    """Whose `Location` has no content: the jobs are read where the settings resource says that they are."""
    programs()
    ansible = role_of(R670, tmp_path)
    with controllers({"ten": Behaviour.idrac10(current(R670))}, *certificate(tmp_path)) as bmcs:
        bmc = bmcs["ten"]
        hosts = {"ten": {**account(bmc, "setpoint_r670"), "setpoint_reboot": True}}
        for book, state in (
            ("site.yml", wanted(R670)),
            ("verify.yml", wanted(R670)),
            ("rollback.yml", DIFFERENT),
        ):
            run = play(ansible / book, hosts, tmp_path / "home", "--tags", "firmware")
            assert run.failed("ten") == "", book
            assert bmc.machine.current.items() >= state.items(), book
    asked = {"@Redfish.SettingsApplyTime": {"ApplyTime": "OnReset"}}
    sent = [{"Attributes": {"ProcCStates": text}, **asked} for text in ("Disabled", "Enabled")]
    assert (bmc.patches, bmc.resets) == (sent, ["GracefulRestart"] * 2)
