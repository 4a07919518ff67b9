"""From every state that a BIOS registry allows, the requests of a policy lead to its plan, with as few restarts as possible.

A server in a rack was changed attribute by attribute for years; it is in no state that a profile or another policy leaves. A
solver looks for a state to start from (`symbolic`) in which a request is refused, the plan is not reached, a request has no
effect, or a single restart would do where the client takes two. What is known to fail is stated here, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from consumers.registry_model import Value
from idrac.rules import Rules
from registries.symbolic import Bios, example, has_content, is_true, value_of
from registries.test_importing import A42, LENOVO
from registries.test_profiles_of_hpe import NAMES
from setpoint.compiler.knowledge.load import standard
from support.effort import examples, is_complete
from support.machines import GOALS, R630, R720, R740, R750, Machine
from support.transitions import emitted, requests

DL385 = Machine(A42, "platform dl385-gen10-plus-v2", "")
SR670 = Machine(LENOVO, "platform sr670-v2", "")
SERVERS = (R720, R630, R740, R750, DL385, SR670)
"""The captured servers whose registries name values as the service does. That of Supermicro's numbers them."""

POLICIES = tuple(f"goal {goal}" for goal in GOALS)
WORKLOADS = standard().variables["workload"].values
PROFILES = tuple(f'goal latency; set workload-profile {name} because "LAB-9"' for name in NAMES.values())


MODE, CUSTOM = "OperatingModes_ChooseOperatingMode", "CustomMode"
"""An attribute of Lenovo's, whose values set others. The registry does not say which, but of this one, which sets none."""


def policies(server: Machine) -> Iterator[str]:
    """Those by which something is sent to a server, and by which it gets no mode of which its registry says nothing; by default
    without workloads.
    """
    more = [f"{policy}; workload {workload}" for policy in POLICIES for workload in WORKLOADS]
    for each in (*POLICIES, *(more if is_complete() else ())):
        sent = emitted(server, each).get("settings.json", {}).get("Attributes", {})
        if sent and sent.get(MODE, CUSTOM) == CUSTOM:
            yield each
    if server is DL385:
        yield from PROFILES if is_complete() else PROFILES[:3]


CASES = [
    pytest.param(server, policy, id=f"{server}: {policy}".replace(' because "LAB-9"', ""))
    for server in SERVERS
    for policy in policies(server)
]


@cache
def bios(server: Machine, policy: str) -> Bios:
    return Bios(Rules.of(server.registry(), lockdown=server.lockdown), emitted(server, policy))


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


@pytest.mark.parametrize(("server", "policy"), CASES)
def test_the_requests_lead_to_the_plan_from_every_state(server: Machine, policy: str) -> None:
    one = bios(server, policy)
    assert dict(faults(one, one.is_assumed(one.start), *impossible(server, one))) == {}


def impossible(server: Machine, bios: Bios) -> Iterator[z3.BoolRef]:
    """What is true of a start where the registry lets no request lead to the plan, or does not say whether it does."""
    start = bios.start
    if server is R630 and bios.goal["SysProfile"] == "DenseCfgOptimized":
        # The profile forces two values of this attribute, and the BIOS leaves either as it is.
        dense = bios.has(start, "SysProfile", "DenseCfgOptimized")
        yield z3.Implies(dense, bios.has(start, "ProcPwrPerf", bios.goal["ProcPwrPerf"]))
    if server is DL385 and bios.goal["AMDPerformanceWorkloadProfile"] != "Disabled":
        # Some of these profiles grey this attribute out. Whether the service takes it all the same is not said.
        yield bios.has(start, "ProcAmdIoVt", bios.goal["ProcAmdIoVt"])


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
