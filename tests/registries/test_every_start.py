"""From every state that a BIOS registry allows, the requests of a policy lead to its plan, with as few restarts as
possible.

A server in a rack was changed attribute by attribute for years; it is in no state that a profile or another policy
leaves. A solver looks for a state to start from (`symbolic`) in which a request is refused, the plan is not reached, a
request has no effect, or a single restart would do where the client takes two. What is known to fail is stated here,
with the reason.

What a policy leaves alone can have any value, with the exceptions of `LEFT_ALONE`. Requests of many policies are the
same, and are searched once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from registries.servers import (
    DL360,
    DL380A,
    DL385,
    PROFILES,
    SERVERS,
    SR670,
    SYS821,
    T630,
    gb200,
    of_everything,
    policies,
)
from registries.symbolic import ANOTHER, Bios, example, has_content, is_true, value_of
from setpoint.compiler.twin.entries import Value
from setpoint.compiler.twin.rules import FirmwareRules, TwinRegistry
from support.effort import examples, is_complete
from support.machines import GOALS, R630, R750, Machine
from support.transitions import emitted, end_state, requests

MODE, CUSTOM = "OperatingModes_ChooseOperatingMode", "CustomMode"
"""An attribute of Lenovo's, whose values set others. The registry does not say which, but of this one, which sets
none."""

LEFT_ALONE = {
    R630: {"IntelTxt"},
    T630: {"IntelTxt"},
    R750: {"ProcPwrPerf"},
    SR670: {"Processors_TrustedExecutionTechnology"},
    DL360: {"MicrosoftSecuredCoreSupport", "SgxEnable"},
    DL380A: {"IntelTxt", "MicrosoftSecuredCoreSupport"},
    SYS821: {"SpeedStep_P_States__FF12", "HardwareP_States_F282", "OptimizedPowerMode_3CE2"},
}
"""Attributes that lock or force what policies set. Where a policy leaves one alone, it has the value that `apply.json`
assumes."""

MORE = {DL360: {"IntelSpeedSelectConfigLevel": "Base"}, DL380A: {"IntelSpeedSelectConfigLevel": "Base"}}
"""What the captured servers' processors do not offer and policies set, with the default: others of the model have
it."""


def is_searched(documents: dict[str, Any]) -> bool:
    """Whether anything is sent, and no mode of which the registry says nothing."""
    sent = documents.get("settings.json", {}).get("Attributes", {})
    return bool(sent) and sent.get(MODE, CUSTOM) == CUSTOM


@cache
def bios(server: Machine, policy: str) -> Bios:
    """The formulas of a server for a policy."""
    return Bios(rules(server), emitted(server, policy))


@cache
def rules(server: Machine) -> FirmwareRules:
    """What the attributes of a server obey, on hardware that offers all that policies set."""
    return FirmwareRules.of(
        server.registry().whole().offering(MORE.get(server, {})), lockdown=server.lockdown
    )


@cache
def _searched(server: Machine, text: str) -> dict[str, dict[str, Value]]:
    documents = json.loads(text)
    if objections := dict(foreign(rules(server).registry, documents)):
        return {"an attribute or a value is not in the registry": objections}
    one = Bios(rules(server), documents)
    return dict(faults(one, *premises(server, one)))


def foreign(registry: TwinRegistry, documents: dict[str, Any]) -> Iterator[tuple[str, Value]]:
    """What no state of the server makes right: unknown attributes, and values that an attribute does not have."""
    for name in ("settings-first", "settings"):
        for attribute, value in documents.get(f"{name}.json", {}).get("Attributes", {}).items():
            known = registry.attributes.get(attribute)
            if objection := known.objection(value) if known else "no such attribute":
                yield attribute, objection


def unreached(server: Machine, wanted: Iterator[str]) -> dict[str, dict[str, dict[str, Value]]]:
    """What goes wrong with policies, by policy."""
    found = {}
    for policy in wanted:
        documents = emitted(server, policy)
        if is_searched(documents):
            values = end_state(documents["expected.json"])
            attributes = {name: {"wanted": value} for name, value in values.items()}  # without the reasons
            text = json.dumps({**documents, "expected.json": {"attributes": attributes}}, sort_keys=True)
            found[policy] = _searched(server, text)
    return {policy: each for policy, each in found.items() if each}


def faults(bios: Bios, *premises: z3.BoolRef) -> Iterator[tuple[str, dict[str, Value]]]:
    """What goes wrong, each with a state from which it does. A client restarts a server at most twice."""
    start, first = bios.start, bios.wanted(bios.start)
    middle = bios.after(start, first)
    second = bios.wanted(middle)
    end = bios.after(middle, second)
    taken = z3.Not(
        z3.Or(bios.is_refused(start, first), z3.And(has_content(second), bios.is_refused(middle, second)))
    )
    other = bios.any_of_the_plan(start)
    sought = {
        "a request is refused": (z3.Not(taken),),
        "the plan is not reached": (taken, z3.Not(bios.is_plan(end))),
        "what is forced goes round in a circle": (z3.Not(z3.And(bios.rests(middle), bios.rests(end))),),
        "a third request follows": (taken, has_content(bios.wanted(end))),
        "the plan is there, and a request follows": (bios.is_plan(start), has_content(first)),
        "one restart would do instead of two": (
            has_content(second),
            z3.Not(bios.is_refused(start, other)),
            bios.is_plan(bios.after(start, other)),
        ),
    }
    for fault, facts in sought.items():
        if found := example(bios, *premises, *facts):
            yield fault, found


@pytest.mark.alike
@pytest.mark.parametrize(
    ("server", "goal"),
    [
        pytest.param(server, goal, marks=[] if (row + column) % 3 == 0 else pytest.mark.repeated)
        for row, server in enumerate(SERVERS)
        for column, goal in enumerate(GOALS)
    ],
    ids=str,
)
def test_the_requests_lead_to_the_plan_from_every_state(server: Machine, goal: str) -> None:
    assert unreached(server, policies(goal)) == {}


@pytest.mark.parametrize("server", [DL360, DL385], ids=str)
def test_so_do_those_for_a_profile_of_hpe(server: Machine) -> None:
    assert unreached(server, iter(PROFILES if is_complete() else PROFILES[:3])) == {}


@pytest.mark.parametrize("nth", range(3))
def test_so_do_those_for_all_that_is_imported_of_a_server(nth: int) -> None:
    documents = emitted(gb200(), policy := of_everything(nth))
    assert set(end_state(documents["expected.json"])) == set(documents["settings.json"]["Attributes"])
    assert unreached(gb200(), iter([policy])) == {}


def premises(server: Machine, bios: Bios) -> Iterator[z3.BoolRef]:
    """What is true of a start that is searched."""
    stated = bios.documents["apply.json"]["assumed"]
    yield from (
        bios.has(bios.start, name, stated[name]) for name in LEFT_ALONE.get(server, ()) & stated.keys()
    )
    yield from impossible(server, bios)


def impossible(server: Machine, bios: Bios) -> Iterator[z3.BoolRef]:
    """What is true of a start where the registry lets no request lead to the plan, or does not say whether it does."""
    start = bios.start
    if server in (R630, T630) and bios.goal.get("SysProfile") == "DenseCfgOptimized":
        # The profile forces two values of this attribute, and the BIOS leaves either as it is.
        dense = bios.has(start, "SysProfile", "DenseCfgOptimized")
        yield z3.Implies(dense, bios.has(start, "ProcPwrPerf", bios.goal["ProcPwrPerf"]))
    if server is DL360 and "SgxEnable" in bios.goal:
        # It is greyed out unless the memory is encrypted. Whether the service takes it all the same is not said.
        yield bios.has(start, "SgxEnable", bios.goal["SgxEnable"])
    if server is DL385 and bios.goal["AMDPerformanceWorkloadProfile"] != "Disabled":
        # Some of these profiles grey this attribute out. Whether the service takes it all the same is not said.
        yield bios.has(start, "ProcAmdIoVt", bios.goal["ProcAmdIoVt"])


GOVERNING = ("SysProfile", "WorkloadProfile", "AMDPerformanceWorkloadProfile", MODE, "PowerTechnology_FF77")
"""The attributes whose values are profiles, by maker."""


@pytest.mark.parametrize("server", SERVERS, ids=str)
def test_the_captured_state_and_those_of_every_profile_are_among_the_states(server: Machine) -> None:
    """So the requests are taken in each of these, unless a policy leaves alone what locks them (`LEFT_ALONE`)."""
    one = bios(server, "goal latency")
    captured = one.registry.current
    profiles = [
        (name, value)
        for name in GOVERNING
        if name in captured
        for value in one.registry.attributes[name].values
    ]
    states = [one.rules.after_restart(captured, {name: value}) for name, value in profiles]
    for state in (captured, *states):
        known = {name: state[name] if state[name] in one.values[name] else ANOTHER for name in one.values}
        assert is_true(one, known, one.allowed), known
        assert is_true(one, known, z3.And(list(premises(server, one)))), known


@given(st.data())
@settings(max_examples=examples(40), deadline=None)
@pytest.mark.parametrize("server", SERVERS, ids=str)
def test_the_formulas_say_of_a_state_what_the_rules_do(server: Machine, data: st.DataObject) -> None:
    """What a client sends in it, whether that is refused, and what becomes of it."""
    one = bios(server, "goal latency")
    known = {name: data.draw(st.sampled_from(values)) for name, values in one.values.items()}
    state = {**one.registry.current, **known}
    body = next(requests(state, one.documents), {})
    wanted = one.wanted(one.start)
    assert {each.attribute: each.value for each in wanted if is_true(one, known, each.when)} == body
    assert is_true(one, known, one.is_refused(one.start, wanted)) == bool(one.rules.refused(state, body))
    after = one.rules.after_restart(state, body)
    end = one.after(one.start, wanted)
    assert {name: value_of(one, known, name, end[name]) for name in known} == {n: after[n] for n in known}
