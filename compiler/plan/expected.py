"""The outcome of comparing plans with what their policies expect."""

from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.knowledge.model import Rule
from setpoint.compiler.language.syntax import Expect, Set
from setpoint.compiler.record import NamedTuple


class Expected(NamedTuple):
    """An expectation of one plan, by the plan's name; it holds if there are no findings.

    `hosts` are those of an inventory that the plan is for, if there is one.
    """

    expect: Expect
    subject: str
    findings: Diagnostics
    hosts: tuple[str, ...] = ()


class Decided(NamedTuple):
    """A statement of the site's own, a `set` or a rule; `is_expected`: an expectation is about what it decides."""

    statement: Set | Rule
    is_expected: bool

    @property
    def text(self) -> str:
        """The statement in a few words: `set turbo off`, `rule lab-turbo`."""
        statement = self.statement
        return (
            f"rule {statement.name}"
            if isinstance(statement, Rule)
            else f"set {statement.setting.text} {statement.value.text}"
        )


class Outcome(NamedTuple):
    """What came of the expectations of a program, and of the statements that decide something."""

    expected: tuple[Expected, ...]
    decided: tuple[Decided, ...]
