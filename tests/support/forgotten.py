"""What a process remembers between checks, forgotten: for tests that compare a first check with a later one."""

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.remembered import Remembered, remembered
from setpoint.compiler.policies.known import KEPT, CheckedSubject


def forget_findings() -> None:
    """Forget what was found about policies, groups and hosts with the library."""
    knowledge = standard()
    remembered(knowledge).keep((Remembered, CheckedSubject), Remembered(knowledge, KEPT))
