"""Decisions for many servers and uses at once: each is that of the plan with the same facts."""

from itertools import product

import pytest

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.render.words import basis
from setpoint.docs.hooks.reference.evidence import FactColumn, decided_across
from support.machines import GOALS
from support.plans import planned

SERVERS = FactColumn("platform", ("r740", "r770", "dl385-gen10-plus-v2", "ucs-m7"))
USES = FactColumn("workload", ("hpc", "cassandra", "virtualized", "dpdk"))


def told(decisions: tuple[Decision, ...], layer: str) -> dict[str, tuple[str, bool, str]]:
    """Each setting of a layer that is decided: its value, whether it is written, and what it rests on."""
    return {
        each.setting: (each.value, each.written, basis(each)) for each in decisions if each.layer == layer
    }


def test_decisions_are_those_of_the_plans(knowledge: Knowledge) -> None:
    found = dict(decided_across(knowledge, "firmware", SERVERS, (USES, FactColumn("goal", GOALS))))
    asked = list(product(SERVERS.values, USES.values, GOALS))
    assert list(found) == asked
    differing = [
        values
        for values in asked
        if told(found[values], "firmware")
        != told(planned("platform {}; workload {}; goal {}".format(*values)).settings, "firmware")
    ]
    assert differing == []


def test_a_layer_is_decided_alone(knowledge: Knowledge) -> None:
    """That of the operating system, whose settings depend on the system as well."""
    systems = FactColumn("os", ("rhel 9", "debian 12"))
    goal = FactColumn("goal", ("throughput",))
    found = dict(decided_across(knowledge, "os", FactColumn("platform", ("r740",)), (USES, systems, goal)))
    for use, system in product(USES.values, systems.values):
        plan = planned(f"platform r740; workload {use}; os {system}; goal throughput")
        decisions = found["r740", use, system, "throughput"]
        assert told(decisions, "os") == told(plan.settings, "os")
        assert {each.layer for each in decisions} == {"os"}


def test_a_value_that_is_none_of_the_fact_is_refused(knowledge: Knowledge) -> None:
    servers = FactColumn("platform", ("r740", "r-740"))
    with pytest.raises(SetpointError) as raised:
        list(decided_across(knowledge, "firmware", servers, (FactColumn("goal", ("latency",)),)))
    assert [each.code for each in raised.value.diagnostics] == ["E0202"]
