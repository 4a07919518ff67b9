"""What is sent to a server whose values are known brings it to the plan, from every profile, although what is right is
left out.

The bodies are sent as they are: first what must be right before, after that the rest, with a restart after each. The
BIOS is the one of the registry (`idrac.rules`), which refuses what is locked where a request leads.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from consumers.registry import Registry
from registries import document
from registries.test_fitting import R630, R720, R740, R750, policy
from registries.test_importing import A42
from registries.test_reading import registry
from setpoint.compiler.fitting.server import server_of
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import Selection, planned, read_text
from setpoint.compiler.twin.rules import FirmwareRules as Rules
from setpoint.targets._bios.attributes import spell
from setpoint.targets._bios.forms import FIRST, THEN, Spelling


@cache
def rules(name: str) -> Rules:
    """What the BIOS of a captured server obeys."""
    return Rules.of(Registry.load(name), lockdown=True)


def spelling(name: str, program: Program, knowledge: Knowledge, current: Mapping[str, Any]) -> Spelling:
    """The attributes of a policy for a server with these values."""
    server = server_of(registry(name), current, "registry.json")
    (done,) = planned(program, knowledge, Selection(server=server))
    assert done.plan is not None, [each.message for each in done.findings.errors]
    return spell(done.plan)


def bodies(spelt: Spelling) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is sent first, and then."""
    first, then = ({line.attribute: line.value for line in spelt.at(step)} for step in (FIRST, THEN))
    opened = {key: value for line in spelt.at(FIRST) for key, value in line.opened_by.items()}
    return opened | first, then


def check(name: str, program: Program, knowledge: Knowledge, current: Mapping[str, Any]) -> tuple[int, int]:
    """Send the bodies; the server must accept them and have the plan. Returns the numbers of attributes in them."""
    spelt = spelling(name, program, knowledge, current)
    state: dict[str, Any] = dict(current)
    sent = bodies(spelt)
    for body in filter(None, sent):
        assert rules(name).refused(state, body) == ""
        state = rules(name).after_restart(state, body)
    expected = {line.attribute: line.value for line in spelt.lines}
    assert {key: state[key] for key in expected} == expected
    again = spelling(name, program, knowledge, state)
    assert bodies(again) == ({}, {}), "a second run sends nothing"
    return len(sent[0]), len(sent[1])


def states(name: str, profile: str) -> dict[str, dict[str, Any]]:
    """The captured values after each profile has been set, by profile."""
    values = rules(name).registry.attributes[profile].values
    now = document(name, "Bios")["Attributes"]
    return {value: rules(name).after_restart(now, {profile: value}) for value in values}


@pytest.mark.parametrize("goal", ["latency", "throughput", "efficiency"])
@pytest.mark.parametrize("name", [R720, R630, R740, R750])
def test_a_goal_is_reached_from_every_profile(name: str, goal: str) -> None:
    program = read_text(policy(name, goal))
    for current in states(name, "SysProfile").values():
        check(name, program, standard(), current)


def test_a_workload_profile_is_reached_from_every_other(complete: bool) -> None:
    """Of a server in another dialect; by default from a few profiles."""
    text = "goal latency; platform dl385-gen10-plus-v2;"
    knowledge = standard()
    starts = list(states(A42, "WorkloadProfile").values())
    for profile in knowledge.settings["workload-profile"].values:
        program = read_text(f'{text} set workload-profile {profile} because "a test";')
        for current in starts if complete else starts[:: len(starts) // 3]:
            check(A42, program, knowledge, current)
