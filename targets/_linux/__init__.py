"""Shared by the targets for Linux: the reason of a value as a comment, and the parts that scripts and the program for
hosts are made of.

A part is a file in `shell/`, included unchanged; its head lists what it provides, and what must be set. Parts run
under dash, bash from 3.2 on and the sh of busybox, with the programs that Enterprise Linux 5 has.

    calls      output, signals, calls of a tool       notes      what was set since the server started
    lock       one run at a time                      journal    old values of options, and their way back
    files      files as they were, and their way back rollback   the way back, whatever was kept
    report     the JSON of a verification             identity   is this a server of the policy?
    server     what a server reports of itself        services   services of System V init, and their way back
    sysfs      what files of /sys have and take       live       live values compared with the plan
    masks      units of systemd that are masked
    cards      what network cards have and take       live_cards the same, compared with the plan
"""

import os
import sys
from functools import cache
from types import ModuleType

from setpoint.compiler.lowering.target import cite, one_line
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.words import reason_of
from setpoint.targets._shared.data import folder


def reason(plan: Plan, decision: Decision) -> str:
    """The value and its source as a comment of one line: `Swappiness: 10 (tuned-profiles, [sysctl] vm.swappiness)`.

    It never ends with a character from a policy or a source: some readers take a backslash at the end of a line for a
    continuation, even in comments (as ktune does).
    """
    why = reason_of(decision.because[0])
    text = f"{decision.title}: {decision.value}" + (f"; {why}" if why else "")
    return f"{one_line(text)} ({cite(plan, decision.setting)})"


@cache
def part(name: str, package: ModuleType | None = None) -> str:
    """The text of a part of scripts: `part("lock")`; of another package, if one is given."""
    path = os.path.join(folder(package or sys.modules[__name__]), "shell", f"{name}.sh")
    with open(path, encoding="utf-8") as file:
        return file.read()
