"""From every workload profile of a captured HPE server to every other: the requests for the server, on its own
registry.

A profile leaves some attributes as they were, so its name does not determine the state. The requests reach the planned
state whatever profile the server has. The emulated service is one that judges a request at once: HPE's would apply
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from controllers import SUPERMICRO, Server, Setup

from consumers.registry import Registry
from registries.test_importing import A42, U46
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.lowering.target import emission_of
from setpoint.compiler.twin.rules import FirmwareRules as Rules
from support.plans import plan_of_text
from support.transitions import end_state, requests

PROFILE = "WorkloadProfile"
REGISTRY = Registry.load(A42)
PLATFORMS = {A42: "dl385-gen10-plus-v2", U46: "dl360-gen10-plus"}
"""The servers with a whole registry: one with AMD processors, one with Intel's."""

NAMES = {
    text.text: text.value
    for spelling in standard().spellings["workload-profile"]
    if spelling.names == (PROFILE,)
    for text in spelling.texts
    if text.text in REGISTRY.attributes[PROFILE].values
}
"""The name in the language of each profile, by that in the registry: the same in both."""


@cache
def documents(platform: str, profile: str) -> Mapping[str, Any]:
    """The Redfish documents of a policy that sets a profile, by name."""
    policy = f'goal latency; platform {platform}; set workload-profile {profile} because "a test";'
    emission = emission_of("redfish", plan_of_text(policy))
    assert emission is not None
    return {
        one.path.removeprefix("redfish/"): json.loads(one.text)
        for one in emission.artifacts
        if one.path.endswith(".json")
    }


@cache
def rules_of(capture: str) -> Rules:
    """The rules of a captured server."""
    return Rules.of(Registry.load(capture))


def applied(server: Server, wanted: Mapping[str, Any]) -> int:
    """Send what the documents want, and restart after each request. Returns how often."""
    while body := next(requests(server.current, wanted), None):
        assert server.boots < 3, f"this never ends: {body}"
        server.stage(body)
        server.reset("GracefulRestart")
    return server.boots


@pytest.mark.alike
@pytest.mark.parametrize("profile", NAMES.values())
@pytest.mark.parametrize("capture", PLATFORMS)
def test_every_profile_is_reached_from_every_other(capture: str, profile: str) -> None:
    rules, wanted = rules_of(capture), documents(PLATFORMS[capture], profile)
    expected = end_state(wanted["expected.json"])
    for start in rules.registry.attributes[PROFILE].values:
        current = rules.after_restart(rules.registry.current, {PROFILE: start})
        server = Server(Setup(SUPERMICRO, current, rules=rules, starting=0))
        restarts = applied(server, wanted)
        assert server.current.items() >= expected.items(), start
        assert restarts <= 2, start
