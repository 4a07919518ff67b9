"""How far a statement is used from what its source studied."""

from setpoint.compiler.knowledge.boxes import Box
from setpoint.compiler.record import NamedTuple, distinct

IN_SCOPE = -1
"""The `steps` of statements within the scope of their source."""


@distinct
class Applicability(NamedTuple):
    """A box in which a statement of a source applies, and its distance from the source's scope.

    `steps` is IN_SCOPE within the scope, 0 on the same hardware for another use, and n on hardware that follows it in n
    steps. `strength` is the strength of advice there, "" for statements that are not advice.
    """

    when: Box
    steps: int
    strength: str
