"""A measured figure, with the conditions under which it was measured. Derived figures are computed from such (`derivation`)."""

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import Box
from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class Measurement(NamedTuple):
    """A measured figure. `low` and `high` are equal if the paper gives one number, and "" without one.

    `varied` is the setting that a figure is about, with both its values; a row of a table of figures has its settings in
    `when`. `box` is the conditions of the measurement: `when` and `held`, as sets of values. `computed` is the formula of a
    derived figure, "" for one that the source prints. `is_variation` says that its source takes it for run-to-run variation.
    """

    name: str
    when: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, str], ...]
    varied: tuple[str, str, str] | None
    held: tuple[tuple[str, str], ...]
    box: Box
    metric: str
    unit: str
    low: str
    high: str
    note: str
    citation: Citation
    span: Span
    computed: str = ""
    is_variation: bool = False

    @property
    def remarks(self) -> str:
        """How it was computed, and the note of its source."""
        return ". ".join(filter(None, (f"Computed from {self.computed}" if self.computed else "", self.note)))
