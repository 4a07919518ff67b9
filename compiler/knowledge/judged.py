"""What an intent is judged by: metrics of measurements, and whether more or less of each is better."""

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.fields import Fields
from setpoint.compiler.knowledge.words import unknown

DIRECTIONS = ("more", "less")
"""What can be better of a metric."""


def judged_by(fields: Fields, findings: list[Diagnostic]) -> tuple[tuple[str, str], ...]:
    """The metrics that an intent is judged by, each with `more` or `less`; another word is reported."""
    stated = [field.names for field in fields.all("means")]
    findings += [
        unknown("direction", way, DIRECTIONS, "E0202") for way, _ in stated if way.text not in DIRECTIONS
    ]
    return tuple((metric.text, way.text) for way, metric in stated)
