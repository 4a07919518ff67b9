"""One role for all groups and hosts of a policy: each server gets its own plan, and one that has none is left alone.

The real Ansible, in batches, against Redfish services with the BIOS of a real server: one for each host.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import pytest

from consumers.ansible_run import Run, play, programs
from consumers.redfish_service import Service, service
from setpoint.targets._redfish.lower import lower
from setpoint.targets.ansible import TARGET
from support.ansible import account, fleet, written
from support.machines import R740

POLICY = """
policy mixed {
    platform r740; sockets 1;
    for group compute { goal performance; }
    for group login { goal latency; }
    for host c042 in compute { set turbo off because "runs hot until the fan is replaced, HW-881"; }
    for host c099 in compute { platform r710; os windows-server-2008-r2; }
    for host spare { set smt on because "a trial, LAB-31"; }
}
"""
GROUPS = {
    "compute": ["c001.example.org", "c042.example.org", "c099", "both", "busy"],
    "login": ["login1", "both", "spare", "c042"],
    "racks": ["renamed"],
}
"""The groups of the inventory. A host of the name c042 is in the group that the policy does not have it in; the
plan of c099 sets nothing."""

PLANS = {
    "c001.example.org": "mixed-compute",
    "c042.example.org": "mixed-compute-c042",
    "login1": "mixed-login",
    "spare": "mixed-login-spare",
    "renamed": "mixed-compute",
}
"""The plan of each host that has one."""

SETTINGS = "/redfish/v1/Systems/System.Embedded.1/Bios/Settings"


WITHOUT_PLAN = ["lost", "both", "c042", "c099"]
BATCHES = ["first", "second", "third", "fourth"]


class Runs(NamedTuple):
    """The run of site.yml for all hosts at once, and one in batches, of which the second host fails.

    Each host that is to be set has a service; the service `idle` is that of all others.
    """

    services: dict[str, Service]
    all_at_once: Run
    in_batches: Run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    programs()
    folder = tmp_path_factory.mktemp("fleet")
    ansible = written(TARGET.emit_fleet(fleet(POLICY)), folder)
    with ExitStack() as stack:
        services = {
            name: stack.enter_context(service(folder / name, R740.capture))
            for name in (*PLANS, "first", "third", "idle")
        }
        names = [*PLANS, *WITHOUT_PLAN, *BATCHES]
        given = {name: account(services.get(name, services["idle"])) for name in names}
        given["renamed"]["setpoint_mixed_group"] = "compute"
        given["second"]["setpoint_bmc_password"] = "not the password"

        def run(chosen: list[str], groups: dict[str, list[str]], batches: dict[str, object] | None) -> Run:
            here = {name: given[name] for name in chosen}
            members = {group: [name for name in found if name in here] for group, found in groups.items()}
            home = folder / "ansible-home"
            options = ("--tags", "firmware")
            return play(ansible / "site.yml", here, home, *options, groups=members, batches=batches)

        everyone = run([*PLANS, *WITHOUT_PLAN], GROUPS, None)
        in_batches = run(BATCHES, {"compute": BATCHES}, {"setpoint_batches": [1, 2, 1]})
        yield Runs(services, everyone, in_batches)


def staged(bmc: Service) -> dict[str, str]:
    """What a host's service has staged."""
    pending: dict[str, str] = bmc.state()["staged"]
    return pending


def test_each_server_gets_the_plan_that_the_policy_has_for_it(runs: Runs) -> None:
    plans = {each.name: each.plan for each in fleet(POLICY).variants}
    current = R740.registry().current
    for host, name in PLANS.items():
        assert runs.all_at_once.failed(host) == "", host
        update = lower(plans[name]).model
        assert update is not None
        wanted = {key: attribute.wanted for key, attribute in update.expected.attributes.items()}
        pending = staged(runs.services[host])
        assert pending, host
        assert pending.items() <= wanted.items(), host
        assert {key for key, value in wanted.items() if current[key] != value} >= pending.keys()
    turbo = {host: {**current, **staged(runs.services[host])}["ProcTurboMode"] for host in PLANS}
    assert turbo["c001.example.org"] == "Enabled"
    assert turbo["c042.example.org"] == "Disabled"


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("lost", "has no plan for this server. The policy's groups are compute, login, and in the inventory"
                 " the server is in none of them."),
        ("both", "has several plans for this server. The policy's groups are compute, login, and in the inventory"
                 " the server is in compute, login."),
        ("c042", "the server is in login. The policy has it in compute."),
    ],
)  # fmt: skip
def test_a_server_without_one_plan_is_left_alone(runs: Runs, host: str, why: str) -> None:
    assert why in runs.all_at_once.failed(host)
    assert "setpoint_mixed_group" in runs.all_at_once.failed(host)
    assert runs.all_at_once.changed(host) == []
    assert runs.services["idle"].state()["requests"] == []


def test_a_host_whose_plan_sets_nothing_does_not_get_that_of_its_group(runs: Runs) -> None:
    said = runs.all_at_once.failed("c099")
    assert (
        "Nothing was changed: plan mixed-compute-c099 has nothing for Ansible to do: none of the targets "
        in said
    )
    assert runs.all_at_once.changed("c099") == []
    assert runs.services["idle"].state()["requests"] == []


def test_the_readme_says_which_plans_set_nothing() -> None:
    files = {artifact.path.rsplit("/", 1)[-1]: artifact.text for artifact in TARGET.emit_fleet(fleet(POLICY))}
    assert (
        "| mixed-compute-c099 | host c099 in group compute | nothing for Ansible to do: none of"
        in files["README.md"]
    )
    assert "mixed-compute-c042.yml" in files
    assert "mixed-compute-c099.yml" not in files


def test_a_fleet_of_plans_that_set_nothing_has_no_role() -> None:
    nothing = "policy w { platform r710; os windows-server-2008-r2; for group a { goal latency; } for group b { goal balanced; } }"
    assert TARGET.emit_fleet(fleet(nothing)) == ()


def test_a_batch_of_which_one_fails_is_finished_and_no_other_is_begun(runs: Runs) -> None:
    """Its mate is brought to the plan, the one that failed is reported on, and the next batch was looked at and nothing
    more."""
    assert runs.in_batches.status != 0
    assert runs.in_batches.failed("first") == ""
    assert staged(runs.services["first"])
    assert "HTTP 401" in runs.in_batches.failed("second")
    assert staged(runs.services["third"])
    assert runs.in_batches.failed("third") == ""
    assert runs.in_batches.tasks["fourth"][-1].name == "Require a server of its own"
    last = runs.in_batches.tasks["second"][-1]
    assert last.name == "Report what was found"
    assert last.message.startswith(
        "Nothing was changed: the BMC does not show /redfish/v1/Systems (HTTP 401)"
    )
    assert "What the server is left with:" in last.message
