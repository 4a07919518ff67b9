"""Assertions that a policy is refused, with which code and source. `set X V` and `accept H` need no reason here."""

import re

from setpoint.compiler.diagnostics import Diagnostic
from support.ask import errors, plan

BECAUSE = 'because "ticket 7"'


def refusal(policy: str) -> Diagnostic:
    """The one error of a policy."""
    (error,) = errors(spelt(policy))
    return error


def spelt(policy: str) -> str:
    """A policy with a reason after each `set` and `accept`."""
    return re.sub(r"(set \S+ [^;\s]+|accept [^;\s]+)", rf"\1 {BECAUSE}", policy)


def hazard(policy: str, name: str, source: str, at: str) -> None:
    """Assert that a policy is refused for a hazard, with its source, and that it compiles once that is waived."""
    error = refusal(policy)
    assert error.code == "E0401"
    assert error.message.startswith(f"hazard `{name}`")
    assert f"source: {source}, {at}" in error.notes
    accepted = plan(spelt(f"{policy}; accept {name}"))
    assert [(w.name, w.stands) for w in accepted.waivers] == [(name, True)]


def conflict(policy: str, source: str, at: str) -> Diagnostic:
    """Assert that a policy is refused since a source says that it cannot be."""
    error = refusal(policy)
    assert error.code == "E0301"
    assert any(note.endswith(f"[{source}, {at}]") for note in error.notes)
    return error
