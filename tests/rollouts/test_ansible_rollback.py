"""Rolling back a role: the BIOS has again what it had, or the role says what is in the way."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.ansible_run import Run, play, programs
from consumers.redfish_service import Service, certificate, service
from idrac import Controller, Fault, controllers
from support import fault_matrix
from support.ansible import R740, account, expected, role_of
from support.machines import R750

POLICY = "policy web { goal performance; platform r750; sockets 2; }"
BMC = {"setpoint_reboot": True, "setpoint_reboot_through": "bmc", "setpoint_web_job_delay": 0}


class Runs(NamedTuple):
    """The services with what they had before, and the runs: of site.yml, of rollback.yml in check mode, and of
    rollback.yml."""

    services: dict[str, Service]
    before: Mapping[str, object]
    folder: Path
    first: Run
    after: dict[str, dict[str, str]]
    checked: Run
    back: Run
    again: Run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    programs()
    folder = tmp_path_factory.mktemp("rollback")
    ansible = role_of(POLICY, folder)
    with ExitStack() as stack:
        services = {
            name: stack.enter_context(service(folder / name, R750.capture, lockdown=True))
            for name in ("whole", "interrupted", "untouched")
        }
        right = expected(POLICY)
        services["right"] = stack.enter_context(
            service(folder / "right", R750.capture, lockdown=True, current=right)
        )
        before = services["whole"].state()["current"]
        hosts = {name: account(bmc, **BMC) for name, bmc in services.items()}

        def run(book: str, names: str, *options: str) -> Run:
            chosen = {name: hosts[name] for name in names.split()}
            return play(ansible / book, chosen, folder / "home", "--tags", "firmware", *options)

        services["interrupted"].fault(lose_job=True)
        first = run("site.yml", "whole interrupted right")
        services["interrupted"].fault()
        after = {name: {**bmc.state()["current"], **bmc.state()["staged"]} for name, bmc in services.items()}
        everyone = "whole interrupted untouched right"
        yield Runs(
            services,
            before,
            folder,
            first,
            after,
            run("rollback.yml", everyone, "--check"),
            run("rollback.yml", everyone),
            run("rollback.yml", "whole"),
        )


def test_what_was_there_is_kept_before_it_is_changed(runs: Runs) -> None:
    for host in ("whole", "interrupted"):
        text = (runs.folder / f"ansible/snapshots/{host}/setpoint_web-bios.json").read_text(encoding="utf-8")
        kept = json.loads(text)
        assert kept["attributes"].items() <= runs.before.items()
        changes = {name for name, value in kept["changes"].items() if runs.before[name] != value}
        assert kept["attributes"].keys() == changes
        assert runs.after[host].items() >= {("SysProfile", "PerfOptimized")}


def test_a_dry_run_of_a_rollback_shows_what_it_would_set(runs: Runs) -> None:
    assert runs.checked.failed("whole") == ""
    assert runs.checked.changed("whole") == ["Stage the attributes"]


def test_a_rollback_restores_exactly_what_was_there(runs: Runs) -> None:
    assert runs.back.failed("whole") == ""
    state = runs.services["whole"].state()
    assert (state["current"], state["staged"]) == (runs.before, {})


def test_what_an_interrupted_run_has_staged_is_cleared(runs: Runs) -> None:
    """This service ignores a value that is in effect: only its action clears what is staged."""
    assert runs.checked.changed("interrupted") == ["Stage the attributes"]
    told = runs.checked.told("interrupted", "Report on the BIOS")
    assert "Clear the values that are staged without a job: SysProfile = PerfOptimized" in told
    assert runs.back.failed("interrupted") == ""
    assert runs.back.changed("interrupted") == ["Stage the attributes"]
    state = runs.services["interrupted"].state()
    assert (state["current"], state["staged"], state["restarts"]) == (runs.before, {}, 0)


def test_a_second_rollback_changes_nothing(runs: Runs) -> None:
    assert (runs.again.failed("whole"), runs.again.changed("whole")) == ("", [])


def test_a_server_that_the_role_has_not_changed_is_left_alone(runs: Runs) -> None:
    assert "the role has not been rolled out to this server" in runs.back.failed("untouched")
    assert runs.services["untouched"].state()["requests"] == []


def test_where_nothing_differed_there_is_nothing_to_roll_back(runs: Runs) -> None:
    """The snapshot is there, and has no values."""
    text = (runs.folder / "ansible/snapshots/right/setpoint_web-bios.json").read_text(encoding="utf-8")
    assert json.loads(text)["attributes"] == {}
    assert (runs.first.failed("right"), runs.first.changed("right")) == ("", [])
    for run in (runs.checked, runs.back):
        assert (run.failed("right"), run.changed("right")) == ("", [])
        said = run.told("right", "Report on the BIOS")
        assert said.startswith(f"{fault_matrix.NO_PROCESSOR} BIOS: nothing to roll back.")
    assert runs.services["right"].state()["requests"] == []


# ------------------------------------------------------------------------------- values that are staged without a job

DIFFERENT = fault_matrix.DIFFERENT
LOCKDOWN = "The server is in lockdown mode."


class Staged(NamedTuple):
    """Servers of which site.yml had staged values when the BMC went away; the run of rollback.yml, and one more of
    some."""

    bmcs: dict[str, Controller]
    left: Mapping[str, str]
    back: Run
    again: Run


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staged]:
    programs()
    folder = tmp_path_factory.mktemp("staged")
    ansible = role_of(R740, folder)
    scenario = fault_matrix.SCENARIOS["r740"]
    keys = certificate(folder)
    begun = replace(scenario.behaviour, current=scenario.before, keeps_staged=True)
    with controllers({"begun": begun}, *keys) as bmcs:
        bmcs["begun"].fault = Fault(scenario.requests.index(fault_matrix.COMMIT), "away")
        hosts = {"begun": fault_matrix.account(bmcs["begun"], scenario.role)}
        play(ansible / "site.yml", hosts, folder / "home", "--tags", "firmware", in_process=True)
        left = dict(bmcs["begun"].machine.staged)
    plain = replace(begun, staged=left)
    shared = replace(plain, staged={**left, "BootMode": "Uefi"})
    behaviours = {
        "plain": plain,
        "renamed": replace(plain, clear="#DellManager.ClearPending"),
        "without": replace(plain, clear=""),
        "idle": replace(plain, clears="nothing"),
        "refusing": replace(plain, refuses=LOCKDOWN),
        "shared": shared,
        "shared-ok": shared,
        "claimed": replace(plain, committed=True),
    }
    for name in behaviours:
        shutil.copytree(ansible / "snapshots/begun", ansible / "snapshots" / name)
    with controllers(behaviours, *keys) as bmcs:
        hosts = {name: fault_matrix.account(bmc, scenario.role) for name, bmc in bmcs.items()}
        hosts["shared-ok"]["setpoint_ignore_foreign_settings"] = True

        def run(names: Iterable[str]) -> Run:
            chosen = {name: hosts[name] for name in names}
            book, home = ansible / "rollback.yml", folder / "home"
            return play(book, chosen, home, "--tags", "firmware", in_process=True)

        yield Staged(bmcs, left, run(hosts), run(["plain"]))


@pytest.mark.parametrize("host", ["plain", "renamed"])
def test_staged_values_are_cleared_where_the_service_offers_it(host: str, staged: Staged) -> None:
    bmc = staged.bmcs[host]
    assert staged.back.failed(host) == ""
    assert staged.back.changed(host) == ["Stage the attributes"]
    said = staged.back.told(host, "Report on the BIOS")
    assert all(f"{name} = {value}" in said for name, value in staged.left.items())
    assert bmc.writes == ["POST DellManager.ClearPending"]
    assert (bmc.machine.staged, bmc.machine.boots) == ({}, 0)
    assert bmc.machine.current.items() >= DIFFERENT.items()


def test_a_rollback_after_that_does_nothing(staged: Staged) -> None:
    assert (staged.again.failed("plain"), staged.again.changed("plain")) == ("", [])


def test_without_such_an_action_staged_values_that_stay_are_named(staged: Staged) -> None:
    """As the address of the action is never assumed."""
    assert staged.bmcs["without"].writes == ["PATCH Settings"]
    assert "ProcTurboMode: Disabled (staged) -> Enabled" in staged.back.failed("without")
    assert staged.bmcs["without"].machine.staged == staged.left


def test_what_is_still_staged_is_named(staged: Staged) -> None:
    said = staged.back.failed("idle")
    assert "The BMC accepted the request to clear the staged values Still staged: " in said
    assert "ProcTurboMode = Disabled" in said


def test_a_refusal_to_clear_is_told_in_the_services_words(staged: Staged) -> None:
    assert staged.back.failed("refusing").startswith(
        "Stage the attributes: Nothing was changed: the BMC refused to clear the staged "
        f"values (HTTP 400): {LOCKDOWN} Staged: "
    )
    assert staged.back.changed("refusing") == []


def test_nothing_is_cleared_together_with_what_others_have_staged(staged: Staged) -> None:
    """The action clears everything. With permission to carry out the others' values, they are not cleared either."""
    assert staged.bmcs["shared"].writes == []
    assert "BootMode = Uefi" in staged.back.failed("shared")
    assert staged.bmcs["shared-ok"].writes == ["PATCH Settings"]
    assert staged.bmcs["shared-ok"].machine.staged["BootMode"] == "Uefi"


def test_nothing_is_cleared_while_a_job_waits(staged: Staged) -> None:
    assert staged.bmcs["claimed"].writes == []
    assert "a BIOS job is open" in staged.back.failed("claimed")
