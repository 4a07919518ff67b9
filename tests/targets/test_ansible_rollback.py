"""Rolling back a role: the BIOS has again what it had, or the role says what is in the way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.ansible_run import Run, play, programs
from consumers.redfish_service import Service, service
from support.ansible import account, role_of
from support.machines import R750

pytestmark = pytest.mark.xdist_group("ansible-redfish")

POLICY = "policy web { goal performance; platform r750; sockets 2; }"
BMC = {"setpoint_reboot": True, "setpoint_reboot_through": "bmc", "setpoint_web_job_delay": 0}


class Runs(NamedTuple):
    """The services with what they had before, and the runs: of site.yml, of rollback.yml in check mode, and of rollback.yml."""

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
        before = services["whole"].state()["current"]
        hosts = {name: account(bmc, **BMC) for name, bmc in services.items()}

        def run(book: str, names: str, *options: str) -> Run:
            chosen = {name: hosts[name] for name in names.split()}
            return play(ansible / book, chosen, folder / "home", "--tags", "firmware", *options)

        services["interrupted"].fault(lose_job=True)
        first = run("site.yml", "whole interrupted")
        services["interrupted"].fault()
        after = {name: {**bmc.state()["current"], **bmc.state()["staged"]} for name, bmc in services.items()}
        everyone = "whole interrupted untouched"
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
    assert runs.checked.changed("whole") == ["Show how the BIOS would change"]


def test_a_rollback_restores_exactly_what_was_there(runs: Runs) -> None:
    assert runs.back.failed("whole") == ""
    state = runs.services["whole"].state()
    assert (state["current"], state["staged"]) == (runs.before, {})


def test_what_a_service_does_not_take_back_is_reported(runs: Runs) -> None:
    """This one ignores a value that is in effect, so that what an interrupted run has staged stays staged."""
    failed = runs.back.failed("interrupted")
    assert "dropped SysProfile: PerfOptimized -> PerfPerWattOptimizedDapc" in failed
    assert runs.services["interrupted"].state()["current"] == runs.before


def test_a_second_rollback_changes_nothing(runs: Runs) -> None:
    assert (runs.again.failed("whole"), runs.again.changed("whole")) == ("", [])


def test_a_server_that_the_role_has_not_changed_is_left_alone(runs: Runs) -> None:
    assert "there is no snapshot of the BIOS of this server" in runs.back.failed("untouched")
    assert runs.services["untouched"].state()["requests"] == []
