"""The one-time actions of a plan, spelt in BIOS attributes, for targets that keep a record of what each server has
performed.

A request is an action's setting, its value and the reason that the policy gives. Its identifier names the record: so a
server performs one request once, whatever else changes in the policy, and a new reason is a new request.
"""

import hashlib

from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.targets._bios.attributes import attributes, line_of
from setpoint.targets._bios.forms import AttributeLine

DIGITS = 12
"""The length of the check sum in an identifier, which tells the requests for one setting apart."""


class Action(NamedTuple):
    """A one-time action: the identifier of its request, its setting with title and value, and what is written."""

    request: str
    setting: str
    title: str
    value: str
    lines: tuple[AttributeLine, ...]


def actions(plan: Plan) -> tuple[Action, ...]:
    """The actions that a plan performs and that attributes can express, in the order of decision."""
    performed = plan.performed
    table = attributes(plan) if performed else {}
    performable = []
    for decision in performed:
        first = table.get(decision.setting)
        if first is None or any(decision.value not in attribute.values for attribute in first.every):
            continue
        digest = hashlib.sha256("\0".join(decision.request).encode()).hexdigest()[:DIGITS]
        lines = tuple(line_of(plan, table, attribute, decision) for attribute in first.every)
        name = f"{decision.setting}-{digest}"
        performable.append(Action(name, decision.setting, decision.title, decision.value, lines))
    return tuple(performable)
