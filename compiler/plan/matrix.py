"""The form of a matrix: the plans of a server under each value of one fact, and the settings of these plans as rows."""

from collections.abc import Mapping

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge, Setting
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple


class MatrixRow(NamedTuple):
    """A setting, and its decision in each column; None in those that do not have it."""

    setting: Setting
    decisions: tuple[Decision | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the columns have different values."""
        return len({decision.value if decision else "" for decision in self.decisions}) > 1

    @property
    def is_anywhere(self) -> bool:
        """Whether a column has the setting."""
        return any(self.decisions)


class Matrix(NamedTuple):
    """The plans of a subject by the value of a fact, and why there is none for other values."""

    fact: str
    columns: dict[str, Judged]
    failed: dict[str, tuple[Diagnostic, ...]]


def matrix_rows(knowledge: Knowledge, plans: Mapping[str, Plan]) -> tuple[MatrixRow, ...]:
    """The settings of these plans in the order of decision."""
    in_order = sorted(knowledge.settings.values(), key=lambda setting: setting.position)
    rows = (
        MatrixRow(setting, tuple(plan.setting(setting.name) for plan in plans.values()))
        for setting in in_order
    )
    return tuple(row for row in rows if row.is_anywhere)
