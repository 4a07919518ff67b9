"""Advisories of a plan: their advice consists of the knowledge base's own words."""

import pytest
from proof.both_forms import context
from proof.small import BASE, knowledge

from setpoint.compiler.resolution.resolve import resolve


@pytest.mark.parametrize(
    ("values", "advice"),
    [
        ('rack top { title "Top"; }', "state the `model`"),
        ('rack top { title "Top"; implies model m1; }', "state the `model` or the `rack`"),
    ],
)
def test_without_known_firmware_the_missing_facts_are_named(values: str, advice: str) -> None:
    """The facts that every offer of a firmware setting requires, and those that imply them."""
    base = knowledge(values, base=BASE.replace("options of paper {", "options of paper when model m1 {"))
    one = context(base, {"goal": "fast"}, {})
    assert one is not None
    (unspoken,) = [d for d in resolve(base, one).advisories if d.code == "W0304"]
    assert unspoken.help[0] == advice
