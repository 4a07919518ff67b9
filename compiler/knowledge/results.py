"""Results of analysing a knowledge base: records that the proof makes and `render` prints.

They lie beside the knowledge base, below both packages, so that neither imports the other.
"""

from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.record import distinct


@distinct
class ProofStatistics(NamedTuple):
    """How much a proof covered."""

    contexts: int
    situations: int
    parts: int
    settings: int
    rules: int
    constraints: int
    presets: int
    hazards: int
    plans: int
    conflicts: int
    seconds: float


@distinct
class Proof(NamedTuple):
    """The findings, the statistics, and the library's rules that a site overrides everywhere."""

    findings: Diagnostics
    statistics: ProofStatistics
    overridden: tuple[str, ...]


@distinct
class FieldChange(NamedTuple):
    """A field of a statement with another content; "" where it was or is empty."""

    field: str
    old: str
    new: str


@distinct
class KindChanges(NamedTuple):
    """The statements of one kind that were added, removed or changed, by name; the changed ones with their fields."""

    kind: str
    added: tuple[str, ...]
    dropped: tuple[str, ...]
    changed: tuple[tuple[str, tuple[FieldChange, ...]], ...]


@distinct
class DecidedValue(NamedTuple):
    """A value on one side, and what decided it: rules by name, else `vendor default` or `constraint`."""

    value: str
    by: tuple[str, ...]


@distinct
class ValueChange(NamedTuple):
    """A setting with another value in this many contexts; `example` is a policy of one of them."""

    setting: str
    old: DecidedValue
    new: DecidedValue
    contexts: int
    example: str


@distinct
class KnowledgeDifference(NamedTuple):
    """All differences between two knowledge bases; `contexts` is the number of contexts that both can state."""

    statements: tuple[KindChanges, ...]
    changes: tuple[ValueChange, ...]
    contexts: int


@distinct
class CoverageShare(NamedTuple):
    """For one kind of knowledge: how many statements there are, and the names of those that nothing exercises."""

    kind: str
    total: int
    idle: tuple[str, ...]
