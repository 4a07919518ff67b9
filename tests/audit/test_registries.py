"""Captured registries against the audit: what a server says of itself, the audit does not deny."""

from __future__ import annotations

import json
from itertools import islice, zip_longest

import pytest

from audit import audited
from registries.servers import SERVERS, T630
from registries.test_reading import registry
from setpoint.compiler.registries.model import HIDDEN
from support.machines import Machine

MAKERS = {
    "dell": "vendor dell",
    "hpe": "vendor hpe",
    "lenovo": "vendor lenovo",
    "supermicro": "vendor supermicro",
}
WITH_REGISTRY = tuple(machine for machine in SERVERS if machine is not T630)
DENIALS = {"W0913", "E0902", "E0907"}
MOST_TEXTS = 20  # of each attribute; only time zones have more


def texts_of(machine: Machine) -> dict[str, list[str]]:
    """The texts that each attribute takes; of numbers the least, of others any. What a server hides whatever is set is
    not its own: a registry can have it for all servers of a maker."""
    shown = (each for each in registry(machine.capture).attributes.values() if HIDDEN not in each.flags)
    return {
        attribute.name: [choice.text for choice in attribute.choices] or [str(attribute.bounds[0] or 0)]
        for attribute in shown
    }


@pytest.mark.alike
@pytest.mark.parametrize("known", ["model", "maker"])
@pytest.mark.parametrize("machine", WITH_REGISTRY, ids=str)
def test_no_name_or_text_of_a_registry_is_denied(machine: Machine, known: str) -> None:
    facts = {"model": machine.facts, "maker": MAKERS[machine.capture.partition("-")[0]]}
    taken = texts_of(machine)
    for texts in islice(zip_longest(*taken.values()), MOST_TEXTS):
        attributes = {name: text for name, text in zip(taken, texts, strict=True) if text is not None}
        found = audited(json.dumps({"Attributes": attributes}, indent=1), server=facts[known])
        assert [finding.message for finding in found.findings if finding.code in DENIALS] == []
