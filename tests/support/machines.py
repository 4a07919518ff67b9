"""The captured servers that the firmware targets are tested on, and the plans for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from consumers.registry import Registry
from setpoint.compiler.plan.model import Plan, SpelledValue
from setpoint.targets._bios.attributes import attributes
from setpoint.targets._bios.forms import AttributeSpelling
from support.plans import planned

GOALS = ("latency", "performance", "throughput", "balanced", "efficiency", "density")


class Machine(NamedTuple):
    """A captured server: its name in `registries`, its facts as a policy states them, and how its capture is to be
    taken.

    `lockdown` says that it was captured locked down, so that its read-only flags mean nothing. `like` is a captured
    server of its generation whose registry it has, if its own was not captured.
    """

    capture: str
    facts: str
    generation: str
    lockdown: bool = False
    like: str = ""

    def __str__(self) -> str:
        return self.capture

    def plan(self, policy: str) -> Plan:
        """The plan of a policy text on this server."""
        return planned(f"{self.facts}; {policy}")

    def registry(self) -> Registry:
        """Its attributes and dependencies, with the values it was captured with."""
        return _registry(self.capture, self.like)


R720 = Machine("dell-12g-R720", "platform r720; sockets 1", "poweredge-12g")
R630 = Machine("dell-13g-R630", "platform r630; sockets 2", "poweredge-13g")
R740 = Machine("dell-14g-R740", "platform r740; sockets 1", "poweredge-14g")
R750 = Machine("dell-15g-R750", "platform r750; sockets 2", "poweredge-15g", lockdown=True)
MACHINES = (R720, R630, R740, R750)


@cache
def attributes_of(generation: str) -> Mapping[str, AttributeSpelling]:
    """The BIOS attributes of a generation's servers of two processors."""
    return attributes(planned(f"goal latency; platform {generation}; sockets 2"))


def changed(plan: Plan, name: str, /, **fields: Any) -> Plan:
    """A plan with the decision on one setting changed, for what no policy of today's knowledge base leads to."""
    return plan._replace(
        settings=tuple(d._replace(**fields) if d.setting == name else d for d in plan.settings)
    )


def without_text(attribute: str) -> SpelledValue:
    """A value that an attribute has no text for."""
    return SpelledValue("attribute", (attribute,), None, is_absent=False, shown=())


@cache
def _registry(capture: str, like: str) -> Registry:
    return Registry.load(like).with_values_of(capture) if like else Registry.load(capture)
