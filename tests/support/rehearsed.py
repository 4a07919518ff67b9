"""Twins of servers and the bundles for them, as `examples/rehearsal` has both, in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from consumers.redfish_service import PASSWORD, USER, certificate
from setpoint.compiler.lowering.bundle import bundle, choose, write
from setpoint.compiler.twin.controller import Twin
from setpoint.compiler.twin.machine import Machine
from setpoint.compiler.twin.service import running
from setpoint.compiler.twin.source import setup_of_registry
from support.command import ROOT
from support.plans import planned

ACCOUNT = {"SETPOINT_REDFISH_USER": USER, "SETPOINT_REDFISH_PASSWORD": PASSWORD}
POLICIES = {
    "r750": "policy web { goal latency; platform r750; sockets 2; os debian 12; }",
    "dl385": "policy web { goal latency; platform dl385-gen10-plus-v2; sockets 2; os debian 12; }",
}
"""A policy for the server of each registry in `examples/rehearsal`."""


@cache
def _registry(name: str) -> Any:
    return json.loads((ROOT / "examples" / "rehearsal" / f"{name}.json").read_text(encoding="utf-8"))


PROCESSORS = {"r750": ("GenuineIntel", 6, 106, 6), "dl385": ("AuthenticAMD", 25, 1, 1)}
"""Vendor, family, model and stepping: an Xeon Gold 6354, and an EPYC 7453."""


@contextmanager
def twin(folder: Path, name: str, **system: str) -> Iterator[Twin]:
    """The controller of a server, as its registry has it at first; `system` has other properties of its system."""
    setup = setup_of_registry(_registry(name), {})
    setup = setup._replace(seconds=0.05, system={**setup.system, **system}, processor=PROCESSORS[name])
    file, key = certificate(folder)
    with running(Twin(Machine(setup), USER, PASSWORD, file), key) as controller:
        yield controller


def compiled(folder: Path, policy: str, *targets: str) -> Path:
    """A bundle of a policy, in a folder."""
    write((bundle(planned(policy), choose(targets), bool(targets)),), str(folder))
    return folder
