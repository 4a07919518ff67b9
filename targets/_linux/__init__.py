"""Shared by the targets for Linux: the reason of a value as a comment, and the check at the start of a script."""

import sys

from setpoint.compiler.lowering.target import cite, one_line
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.words import reason_of
from setpoint.targets._shared.identity import Identification
from setpoint.targets._shared.templates import render


def reason(plan: Plan, decision: Decision) -> str:
    """The value and its source as a comment of one line: `Swappiness: 10 (tuned-profiles, [sysctl] vm.swappiness)`.

    It never ends with a character from a policy or a source: some readers take a backslash at the end of a line for a
    continuation, even in comments (as ktune does).
    """
    why = reason_of(decision.because[0])
    text = f"{decision.title}: {decision.value}" + (f"; {why}" if why else "")
    return f"{one_line(text)} ({cite(plan, decision.setting)})"


def identity(identification: Identification) -> str:
    """The part of a shell script that checks whether the plan is for this server: `is_the_server || exit`."""
    package = sys.modules[__name__]
    return render(package, "identity.sh.j2", m=identification)
