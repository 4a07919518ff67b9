"""Captured servers that change from one policy to another, behind an emulated iDRAC that obeys their registry.

A client follows `apply.json`: it sends what differs of `settings-first.json` where one of the attributes named there
does, then what differs of `settings.json`, and restarts after each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from idrac import Behaviour, Rules
from idrac import Machine as Server
from setpoint.targets.redfish import TARGET
from support.machines import Machine


def end_state(document: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of an end state, `expected.json`, with their values."""
    return {name: attribute["wanted"] for name, attribute in document["attributes"].items()}


@cache
def emitted(machine: Machine, policy: str) -> dict[str, Any]:
    """The Redfish documents of a policy, by name."""
    return {
        artifact.path.removeprefix("redfish/"): json.loads(artifact.text)
        for artifact in TARGET.emit(machine.plan(policy)).artifacts
        if artifact.path.endswith(".json")
    }


def expected(machine: Machine, policy: str) -> dict[str, str]:
    """The attributes of a policy's end state."""
    return end_state(emitted(machine, policy)["expected.json"])


@cache
def rules(machine: Machine) -> Rules:
    """What the attributes of the server obey. Of its hardware, take what a fuller one has (`NodeInterleave`)."""
    return Rules.of(machine.registry(), lockdown=True)


def server(machine: Machine, current: Mapping[str, Any]) -> Server:
    """The server with these attributes in effect."""
    return Behaviour(current, rules=rules(machine)).machine()


def requests(current: Mapping[str, Any], documents: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The body that is next on the way to the end state, if one is."""
    first = documents["apply.json"].get("first", {"differs": (), "opens": {}})
    bodies = {
        name: documents[f"{name}.json"]["Attributes"]
        for name in ("settings-first", "settings")
        if f"{name}.json" in documents
    }
    goal, along = end_state(documents["expected.json"]), documents["apply.json"]["along"]
    late = [
        name
        for name in first["differs"]
        if current[name] != goal[name]
        and not (name in along and all(current[other] == goal[other] for other in along[name]))
    ]
    opened = {other: value for name in late for other, value in first["opens"].get(name, {}).items()}
    wanted = (
        {**opened, **{name: bodies["settings-first"][name] for name in late}} if late else bodies["settings"]
    )
    body = {name: value for name, value in wanted.items() if current[name] != value}
    if body:
        yield body


def restarted(bmc: Server, body: Mapping[str, str]) -> None:
    """Stage, commit, restart, and let the job end."""
    bmc.stage(body)
    bmc.commit()
    bmc.reset("GracefulRestart")
    while bmc.open_jobs:
        bmc.tick()


def apply_documents(bmc: Server, documents: Mapping[str, Any]) -> int:
    """Bring a server to the end state, as far as the documents say how.

    Returns:
        How often it restarted.
    """
    while body := next(requests(bmc.current, documents), None):
        assert bmc.boots < 3, f"this never ends: {body}"
        restarted(bmc, body)
    return bmc.boots


@cache
def standing(machine: Machine, policy: str) -> dict[str, Any]:
    """A captured server after a policy was applied."""
    start = rules(machine).after_restart(machine.registry().current, {})
    bmc = server(machine, start)
    apply_documents(bmc, emitted(machine, policy))
    assert bmc.current.items() >= expected(machine, policy).items()
    return bmc.current
