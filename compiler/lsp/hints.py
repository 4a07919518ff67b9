"""What stands beside a statement without being written: the value that a `set` overrules, and who recommends that
one."""

from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.language.syntax import Policy, Scope, Set, Statement
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.plan.model import Plan


class Hint(Placed):
    """A remark behind what it is about."""

    text: str


def hints(document: Document, first_line: int, last_line: int) -> Iterator[Hint]:
    """The hints for some lines."""
    for statement in _sets(document.program.body if document.program else ()):
        span = statement.span
        if span.file == document.path and span.line <= last_line and first_line <= span.end_line:
            plans = (planned.plan for planned in document.plans(span.line, span.column))
            texts = dict.fromkeys(_instead(plan, statement) for plan in plans if plan)
            yield from (Hint(text, span=statement.value.span) for text in texts if text)


def _instead(plan: Plan, statement: Set) -> str:
    """What a plan would have without a statement: `instead of on (dell-11g-hpc)`; "" if the same, or nothing."""
    decision = plan.setting(statement.setting.text)
    if decision is None or plan.places.of("set", decision.setting) != statement.span:
        return ""
    lost = next((loser for loser in decision.beat if loser.value != decision.value), None)
    if lost is None:
        return ""
    return f"instead of {lost.value}" + (f" ({lost.citation.source})" if lost.citation else "")


def _sets(body: Iterable[Statement]) -> Iterator[Set]:
    for statement in body:
        if isinstance(statement, Set):
            yield statement
        elif isinstance(statement, Policy | Scope):
            yield from _sets(statement.body)
