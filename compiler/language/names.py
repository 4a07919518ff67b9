"""The nodes that all statements have: names, conditions and origins. `syntax` has the statements."""

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class Name(NamedTuple):
    """A word, a string or a number, with its place."""

    text: str
    span: Span


@distinct
class Condition(NamedTuple):
    """`platform poweredge-11g or poweredge-12g`; `cpu not westmere`."""

    name: Name
    negated: bool
    values: tuple[Name, ...]
    span: Span


@distinct
class Origin(NamedTuple):
    """`of dell-11g-hpc at "Figure 12"`: the source and the place in it."""

    source: Name
    at: Name
