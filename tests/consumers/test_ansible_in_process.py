"""Ansible with its tasks in its own process does and says what it does with its workers."""

from __future__ import annotations

from pathlib import Path

from consumers.ansible_run import CONTROLLER, Run, play, programs
from consumers.redfish_service import certificate
from idrac import Behaviour, controllers
from idrac.service import PASSWORD, USER
from support.ansible import R750, expected, role_of


def told(run: Run, host: str) -> list[tuple[str, bool, bool, str]]:
    """What each task did and said on a host, or on the controller."""
    return [(task.name, task.changed, task.failed, task.message) for task in run.tasks[host]]


def test_it_does_and_says_the_same_in_its_own_process_as_with_workers(tmp_path: Path) -> None:
    """A host that is staged, one whose iDRAC refuses what it is sent, and one whose account is wrong."""
    programs()
    book = role_of(R750, tmp_path) / "site.yml"
    drifted = {**expected(R750), "ProcTurboMode": "Enabled"}
    behaviours = {
        "staged": Behaviour(drifted),
        "refusing": Behaviour(drifted, refuses="The server is in lockdown mode."),
        "stranger": Behaviour(drifted),
    }
    runs, requests = [], []
    for in_process in (True, False):
        with controllers(behaviours, *certificate(tmp_path)) as bmcs:
            hosts = {
                name: {
                    "setpoint_bmc_host": bmc.address,
                    "setpoint_bmc_user": USER,
                    "setpoint_bmc_password": "wrong" if name == "stranger" else PASSWORD,
                    "setpoint_bmc_ca": str(bmc.ca),
                }
                for name, bmc in bmcs.items()
            }
            home = tmp_path / f"home-{in_process}"
            runs.append(play(book, hosts, home, "--tags", "firmware", in_process=in_process))
            requests.append({name: [(r.method, r.path) for r in bmc.requests] for name, bmc in bmcs.items()})
    own, forked = runs
    assert own.changed("staged") == ["Stage the attributes"]
    assert own.failed("refusing")
    assert own.failed("stranger")
    assert own.status == forked.status
    assert requests[0] == requests[1]
    for host in (*behaviours, CONTROLLER):
        assert told(own, host) == told(forked, host)
