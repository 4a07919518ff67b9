"""What a workload profile locks is put back as it was, in as many restarts as that takes.

A profile locks more than it sets: what was set before the profile was chosen stays as it was. So an undo that puts the
profile back finds such an attribute locked, with the value of the policy. The twin of HPE executes the dependencies of
a captured server, from each of its profiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from controllers import HPE, bare_controllers, server
from rollouts.test_client import AT_FIRST, Bench, bench, plan, states

from consumers.ansible_run import Run, play
from consumers.redfish_service import certificate
from idrac import PASSWORD, USER
from registries.test_importing import A42
from registries.test_profiles_of_hpe import PLATFORMS, PROFILE, REGISTRY, rules_of
from setpoint.compiler.lowering.bundle import bundle, choose, write
from setpoint.targets._client.command import carried_out, given_for
from setpoint.targets._client.plan_files import plan_in
from support.ansible import role_of, through_controller
from support.effort import is_complete
from support.plans import planned

KEPT = "GeneralPowerEfficientCompute"
"""The profile of this server that locks ProcX2Apic and does not set it (its registry, Dependencies)."""

RULES = rules_of(A42)
STARTS = RULES.registry.attributes[PROFILE].values if is_complete() else (KEPT, "Custom", "MissionCritical")


class Put(NamedTuple):
    """What came of a run: restarts, the message of one that failed, and the states of the settings."""

    restarts: int
    failed: str
    states: set[str]
    told: str


def before(profile: str) -> Mapping[str, Any]:
    """The attributes of the captured server under a profile."""
    return RULES.after_restart(REGISTRY.current, {PROFILE: profile})


def wanted(folder: Path) -> dict[str, Any]:
    """The plan of a policy that sets a profile."""
    policy = f'policy web {{ goal latency; platform {PLATFORMS[A42]}; set workload-profile low-latency because "a test"; }}'
    write((bundle(planned(policy), choose(("redfish",)), True),), str(folder))
    return {**plan_in(folder / "redfish"), "reports": {}}


def put(one: Bench, *, undo: bool, restart: bool = True) -> Put:
    """Run as `setpoint_bmc.py apply` or `undo` does, and compare."""
    more = {
        "user": USER,
        "password": PASSWORD,
        "ca": str(one.bmc.ca),
        "plan": one.more["plan"],
        "job_retries": 6,
    }
    given = given_for(one.bmc.address, one.folder, 0, restart, undo, **more)
    boots = one.bmc.machine.boots
    came = carried_out(given, restart, lambda _: None)
    compared = one.ask("compared", journal=given["journal"], back=undo)
    told = " ".join([*came["told"], compared["words"]])
    return Put(one.bmc.machine.boots - boots, came.get("msg", ""), {*states(compared).values()}, told)


@pytest.mark.parametrize("start", STARTS)
def test_an_undo_puts_back_what_the_profile_of_before_locks(start: str, tmp_path: Path) -> None:
    with bench(
        server(HPE, before(start), rules=RULES, starting=1), tmp_path, plan=wanted(tmp_path / "b")
    ) as one:
        assert put(one, undo=False)[1:3] == ("", {"ok"})
        back = put(one, undo=True)
        assert (back.failed, back.states) == ("", {"rolled-back"})
        assert back.restarts == (3 if start == KEPT else 1)
        assert one.bmc.machine.current == before(start)
        assert put(one, undo=True) == Put(0, "", {"rolled-back"}, back.told[:0])


def test_with_restarts_of_ones_own_each_run_says_what_the_next_step_is(tmp_path: Path) -> None:
    with bench(
        server(HPE, before(KEPT), rules=RULES, starting=0), tmp_path, plan=wanted(tmp_path / "b")
    ) as one:
        put(one, undo=False)
        told = []
        for _ in range(3):
            told.append(put(one, undo=True, restart=False).told)
            one.bmc.machine.reset("GracefulRestart")
        assert one.bmc.machine.current == before(KEPT)
        assert "Two restarts are needed: what was set before the policy locks ProcX2Apic" in told[1]
        assert put(one, undo=True, restart=False).states == {"rolled-back"}


def test_what_nothing_is_known_to_unlock_is_named_with_what_to_do(tmp_path: Path) -> None:
    """Smt is locked while Turbo is enabled; under which other value it could be written, no plan says."""
    lock = {"attributes": ["Smt"], "is_not": {"key": "Turbo", "value": "Enabled"}}
    with bench(server(HPE, AT_FIRST), tmp_path, plan=plan(locks=[lock])) as one:
        assert not one.whole().get("failed")
        one.more["back"] = True
        one.whole()
        came = one.ask("staged")
        assert one.bmc.machine.current == {**AT_FIRST, "Smt": "Disabled"}
        assert came["msg"] == (
            "Nothing was changed: these attributes cannot be put back, since what locks them is as it was before the policy: Smt: Disabled,"
            " wanted Enabled, set by Turbo. No value of it is known with which they can be written. Set them in the menu of the BIOS"
        )


def test_a_role_that_is_rolled_back_says_that_it_is_to_be_run_again_and_then_ends(tmp_path: Path) -> None:
    """The first run finds after its restart what is locked; the second does both restarts that this takes."""
    policy = f'policy web {{ goal latency; platform {PLATFORMS[A42]}; set workload-profile low-latency because "a test"; }}'
    playbooks = role_of(policy, tmp_path)
    setup = server(HPE, before(KEPT), "ProLiant DL385 Gen10 Plus v2", rules=RULES)
    with bare_controllers({"one": setup}, *certificate(tmp_path)) as bmcs:
        host = through_controller(
            bmcs["one"], "setpoint_web", setpoint_reboot=True, setpoint_check_sockets=False
        )
        hosts = {"one": {**host, "setpoint_web_job_retries": 4}}

        def run(book: str) -> Run:
            return play(playbooks / book, hosts, tmp_path / "home", "--tags", "firmware")

        assert run("site.yml").failed("one") == ""
        assert (
            "Not as before the policy: ProcX2Apic: Auto, wanted ForceEnabled. To be set in a restart of its own, since what was set before"
            " the policy locks it: ProcX2Apic. Run rollback.yml."
        ) in run("rollback.yml").failed("one")
        assert bmcs["one"].machine.boots == 2
        done = run("rollback.yml")
        assert done.failed("one") == ""
        assert bmcs["one"].machine.boots == 4
        assert bmcs["one"].machine.current == before(KEPT)
