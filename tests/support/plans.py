"""Plans for tests of targets: made from policy text, and altered where a test needs what no policy gives."""

from functools import cache

from setpoint.compiler import pipeline
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Citation
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import ALL_POLICIES, Selection, knowledge_for, read_text, reading
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Decision, Plan

HOSTILE = (
    "says \"quotes\" and 'these'",
    "$(touch /tmp/owned) `touch /tmp/owned` ${HOME} $((1/0))",
    "100% of it, %(here)s and %s",
    "ends with a backslash \\",
    "one line\nrm -rf /\r\n[cpu]\ngovernor=userspace",
    "other ends of line\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029[sysctl]",
    "; # [section] key=value",
    "'; touch /tmp/owned; '",
    "EOF\n\x00\x1b[2J\ud800",
    "grüße, 你好, µs",
    "",
)
"""Reasons that somebody might give."""


def compilable(program: Program, selection: Selection = ALL_POLICIES) -> tuple[Judged, ...]:
    """The plans of a program, if none is stopped. Raises SetpointError with the errors of all its policies."""
    done = pipeline.planned(program, knowledge_for(program), selection)
    errors = [d for subject in done for d in subject.findings.errors]
    if errors:
        with reading(program):
            raise SetpointError(*errors)
    return tuple(subject.judged for subject in done if subject.judged is not None)


def plan_of_text(text: str, selection: Selection = ALL_POLICIES) -> Plan:
    """The one plan of a policy text. Raises SetpointError with its errors."""
    (judged,) = compilable(read_text(text), selection)
    return judged.plan


@cache
def planned(text: str) -> Plan:
    """The plan of a policy."""
    return plan_of_text(text)


def because(plan: Plan, text: str, kind: str = "set") -> Plan:
    """The plan as it were if each value had been set for the reason `text`; or, `kind` being `rule`, come from a rule
    of a site whose every word is `text`."""
    if kind == "set":
        return _caused(plan, plan.settings, kind, None, text)
    titled = tuple(d._replace(title=text) for d in plan.settings)
    return _caused(plan, titled, kind, Citation(text, text), text)


def _caused(
    plan: Plan, settings: tuple[Decision, ...], kind: str, citation: Citation | None, text: str
) -> Plan:
    return plan._replace(
        settings=tuple(
            d._replace(
                origin=kind, because=(d.because[0]._replace(kind=kind, citation=citation, because=text),)
            )
            for d in settings
        )
    )
