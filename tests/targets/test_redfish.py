"""The Redfish bodies, judged by the attribute registries of real servers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from consumers.registry import Registry, parse_body
from registries import document
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.twin.rules import RequestVerdict, check
from setpoint.targets.redfish import TARGET
from support.machines import GOALS, MACHINES, R630, R720, R740, R750, Machine, changed, without_text
from support.plans import HOSTILE, because, planned
from support.transitions import end_state

CASES = [pytest.param(m, g, id=f"{m}-{g}") for m, g in product(MACHINES, GOALS)]
R710 = Machine("dell-11g-R710", "platform r710", "poweredge-11g")


def files(plan: Plan) -> dict[str, Any]:
    """The emitted documents by name, each read as a service would."""
    made = (one for one in TARGET.emit(plan).artifacts if one.path.endswith(".json"))
    return {one.path.removeprefix("redfish/"): parse_body(one.text) for one in made}


def standing_at(machine: Machine, **values: str) -> Registry:
    """The server, but with other values. What is read-only just then, its dependencies say, and no flag."""
    registry = machine.registry()
    current = registry.settle({**registry.current, **values})
    explained = {one.attribute for one in registry.dependencies if one.prop == "ReadOnly"}
    attributes = {
        name: one._replace(read_only=one.read_only and name not in explained)
        for name, one in registry.attributes.items()
    }
    return registry._replace(attributes=attributes, current=current)


def judge(machine: Machine, registry: Registry, body: Mapping[str, Any]) -> RequestVerdict:
    """What the server makes of a body. Writing the only value that there is to an attribute is no objection."""
    verdict = check(registry, body, ignore_lockdown=machine.lockdown)
    objections = tuple(
        one
        for one in verdict.immutable
        if registry.attributes[one.attribute].is_choice or not machine.lockdown
    )
    return RequestVerdict(verdict.refused, objections, verdict.state)


@pytest.mark.alike
@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_the_server_takes_the_body_and_arrives_at_the_expected_end_state(machine: Machine, goal: str) -> None:
    emitted = files(machine.plan(f"goal {goal}"))
    verdict = judge(machine, machine.registry(), emitted["settings.json"])
    assert verdict.accepted, (verdict.refused, verdict.immutable)
    expected = end_state(emitted["expected.json"])
    assert {name: verdict.state[name] for name in expected} == expected


@pytest.mark.alike
@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_it_does_so_from_every_profile_that_the_server_may_stand_at(machine: Machine, goal: str) -> None:
    """Where the plan leaves the profile alone, it takes the server to stand at the default."""
    emitted = files(machine.plan(f"goal {goal}"))
    alone = "SysProfile" not in emitted["settings.json"]["Attributes"]
    profiles = machine.registry().attributes["SysProfile"].values
    for profile in ("PerfPerWattOptimizedDapc",) if alone else profiles:
        verdict = judge(machine, standing_at(machine, SysProfile=profile), emitted["settings.json"])
        assert verdict.accepted, (profile, verdict.refused, verdict.immutable)


@pytest.mark.alike
@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_the_form_that_makes_its_own_job_is_there_where_the_service_lists_it(
    machine: Machine, goal: str
) -> None:
    emitted = files(machine.plan(f"goal {goal}"))
    listed = "OnReset" in machine.registry().apply_times
    ways = emitted["apply.json"]["ways"]
    assert [way["name"] for way in ways] == (["on-reset"] if listed else []) + ["job"]
    if listed:
        (request,) = ways[0]["requests"]
        assert request["adds"] == {"@Redfish.SettingsApplyTime": {"ApplyTime": "OnReset"}}
        assert judge(machine, machine.registry(), emitted[request["file"]] | request["adds"]).accepted


@pytest.mark.alike
@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_every_attribute_of_the_end_state_has_its_reason(machine: Machine, goal: str) -> None:
    plan = machine.plan(f"goal {goal}")
    emitted = files(plan)
    for reason in emitted["expected.json"]["attributes"].values():
        assert reason["cause"]
        assert reason["value"] == plan.value(reason["setting"])
        assert reason.get("racadm", "BIOS.").startswith("BIOS.")


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_custom_is_first_and_all_its_members_are_with_it(machine: Machine) -> None:
    emitted = files(machine.plan("goal latency"))
    names = list(emitted["settings.json"]["Attributes"])
    assert (names[0], emitted["settings.json"]["Attributes"]["SysProfile"]) == ("SysProfile", "Custom")
    members = [
        name
        for name, reason in emitted["expected.json"]["attributes"].items()
        if "SysProf" in reason.get("racadm", "")
    ]
    assert set(members) <= set(names)
    alone = {"Attributes": {"ProcTurboMode": "Disabled"}}
    assert not judge(machine, standing_at(machine, SysProfile="PerfOptimized"), alone).accepted


def test_what_is_locked_by_something_that_is_left_alone_is_sent() -> None:
    """x2APIC sets the IOMMU while it is on, as it is assumed to be. On a server that has it off, nothing would set the
    IOMMU."""
    emitted = files(planned("goal performance; workload dpdk; platform dl380a-gen11"))
    assert emitted["apply.json"]["assumed"]["ProcX2Apic"] == "ForceEnabled"
    assert emitted["settings.json"]["Attributes"]["IntelProcVtd"] == "Enabled"
    assert "IntelProcVtd" not in emitted["apply.json"]["along"]
    needs = [one["while"] for one in emitted["apply.json"]["writable"] if "IntelProcVtd" in one["attributes"]]
    assert {"attribute": "ProcX2Apic", "is-not": "ForceEnabled"} in needs


def test_members_of_a_named_profile_are_expected_and_not_sent() -> None:
    emitted = files(R720.plan("goal performance"))
    assert emitted["settings.json"]["Attributes"]["SysProfile"] == "PerfOptimized"
    assert "ProcCStates" not in emitted["settings.json"]["Attributes"]
    assert end_state(emitted["expected.json"])["ProcCStates"] == "Disabled"
    assert emitted["expected.json"]["attributes"]["ProcCStates"]["role"] == "fixed"


def test_what_the_end_state_locks_goes_first() -> None:
    """Maximum Performance locks Logical Processor Idling on the R750: a server that has it on needs two requests."""
    emitted = files(R750.plan('goal latency; set logical-processor-idling off because "LAB-9"'))
    first = emitted["settings-first.json"]
    assert first == {
        "Attributes": {"SysProfile": "Custom", "ProcPwrPerf": "SysDbpm", "DynamicCoreAllocation": "Disabled"}
    }
    assert "DynamicCoreAllocation" in emitted["apply.json"]["first"]["needs"]
    idling = standing_at(R750, DynamicCoreAllocation="Enabled")
    both = {"Attributes": {**emitted["settings.json"]["Attributes"], "DynamicCoreAllocation": "Disabled"}}
    assert [one.attribute for one in check(idling, both, ignore_lockdown=True).refused] == [
        "DynamicCoreAllocation"
    ]
    after = judge(R750, idling, first)
    assert after.accepted
    end = judge(R750, idling._replace(current=after.state), emitted["settings.json"])
    assert end.accepted
    assert end.state["DynamicCoreAllocation"] == "Disabled"


def test_clustering_locks_interleaving_so_interleaving_goes_first() -> None:
    emitted = files(R750.plan('goal performance; set sub-numa-cluster on because "LAB-9"'))
    assert emitted["settings-first.json"]["Attributes"]["NodeInterleave"] == "Disabled"
    assert emitted["settings.json"]["Attributes"]["SubNumaCluster"] == "2-Way"
    assert judge(R750, R750.registry(), emitted["settings.json"]).accepted


def test_two_processors_make_more_to_write() -> None:
    both = R720._replace(facts="platform r720; sockets 2")
    one, two = (files(m.plan("goal latency"))["settings.json"]["Attributes"] for m in (R720, both))
    assert two.keys() - one.keys() == {"NodeInterleave", "QpiSpeed"}
    assert two["QpiSpeed"] == "MaxDataRate"


def test_every_request_names_a_file_that_is_there_and_the_jobs_of_its_generation() -> None:
    for machine in MACHINES:
        artifacts = {
            one.path.removeprefix("redfish/"): one
            for one in TARGET.emit(machine.plan("goal latency")).artifacts
        }
        apply = parse_body(artifacts["apply.json"].text)
        ways = [*apply["ways"], *([apply["first"]] if "first" in apply else [])]
        requests = [request for way in ways for request in way["requests"]]
        assert {request["file"] for request in requests} | {"expected.json"} <= artifacts.keys()
        posted = {request["uri"] for request in requests if request["method"] == "POST"}
        settings = document(machine.capture, "Settings")
        oem = next(iter(settings["Oem"].values()))
        assert posted == {oem["Jobs"]["@odata.id"]}
        assert apply["cancel"]["uri"] == next(iter(settings["Actions"]["Oem"].values()))["target"]
        assert {name for name, one in artifacts.items() if one.mode != 0o644} == {"setpoint_bmc.py"}


def test_what_has_no_redfish_says_so() -> None:
    assert "iDRAC6 has no Redfish" in TARGET.unsupported_reason(R710.plan("goal latency"))
    unknown = R710._replace(facts="os rhel 6.4").plan("goal latency")
    assert "states no platform" in TARGET.unsupported_reason(unknown)
    assert [TARGET.unsupported_reason(machine.plan("goal latency")) for machine in MACHINES] == [""] * 4


def test_a_plan_that_writes_nothing_makes_no_request() -> None:
    emission = TARGET.emit(R630.plan("goal latency")._replace(settings=()))
    assert emission.artifacts == ()
    assert emission.expressed == frozenset()


def test_what_cannot_be_spelt_is_left_out_by_name() -> None:
    plan = changed(
        R740.plan("goal latency"),
        "memory-mode",
        value="mirror",
        unwritten="",
        spelled=(without_text("MemOpMode"),),
    )
    emission = TARGET.emit(plan)
    assert list(emission.left_out) == ["memory-mode"]
    assert "memory-mode" not in emission.expressed


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_all_that_is_written_is_carried(machine: Machine) -> None:
    for goal in GOALS:
        plan = machine.plan(f"goal {goal}")
        assert TARGET.emit(plan).expressed == {d.setting for d in plan.written if d.layer == "firmware"}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_users_words_stay_words(text: str) -> None:
    plain, said = (TARGET.emit(because(R750.plan("goal latency"), words)).artifacts for words in ("", text))
    for before, after in zip(plain, said, strict=True):
        document = parse_body(after.text) if after.path.endswith(".json") else {}
        after.text.encode("utf-8")
        if after.path == "redfish/expected.json":
            causes = {reason["cause"] for reason in document["attributes"].values()}
            assert all(cause.startswith("set: ") and cause.isprintable() for cause in causes)
        else:
            assert before == after
