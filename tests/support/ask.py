"""Asking the compiler in this process, with the knowledge base loaded once: a plan, or the errors instead of one."""

from collections.abc import Iterable
from functools import cache

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import Planned, planned
from setpoint.compiler.plan.model import Cause, Decision, Plan


@cache
def plan(policy: str) -> Plan:
    """The plan of a policy text that can be compiled."""
    done = outcome(policy)
    assert done.plan is not None and not done.is_stopped, (
        f"{policy}: {'; '.join(d.message for d in done.findings)}"
    )
    return done.plan


@cache
def errors(policy: str) -> tuple[Diagnostic, ...]:
    """The errors of a policy text that cannot be compiled."""
    done = outcome(policy)
    assert done.is_stopped, f"{policy}: can be compiled"
    return done.findings.errors


def decision(policy: str, setting: str) -> Decision:
    """What the plan of a policy decides on a setting, which must be there."""
    decided = plan(policy).setting(setting)
    assert decided is not None, f"{policy}: there is no {setting}"
    return decided


def cites(causes: Iterable[Cause], source: str, at: str) -> bool:
    """Whether one of these causes is of `source`, at a locator that begins with `at`."""
    return any(c.citation and c.citation.source == source and c.citation.at.startswith(at) for c in causes)


def warnings(policy: str, code: str) -> tuple[str, ...]:
    """What a plan warns of under this code: message and notes of each."""
    return tuple("\n".join((d.message, *d.notes)) for d in outcome(policy).findings if d.code == code)


def outcome(policy: str) -> Planned:
    """The result of a policy text: a plan, or none, and the findings."""
    (done,) = planned(program_of_text(policy), _knowledge())
    return done


@cache
def _knowledge() -> Knowledge:
    return standard()
