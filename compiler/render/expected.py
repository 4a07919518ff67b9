"""What came of the expectations of policies: as text, as JSON, and as JUnit's XML, which pipelines show."""

from collections.abc import Iterable

from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.plan.as_json import diagnostics_json
from setpoint.compiler.plan.expected import Decided, Expected, Outcome
from setpoint.compiler.render.junit import FAILURE, JUnitCase, JUnitSuite, junit
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_object, json_text, visible, visible_lines
from setpoint.compiler.render.words import count

SCHEMA = "setpoint.expectations/1"

MOST_NAMED = 3
"""How many hosts of an inventory a line names."""

Outcomes = dict[str, Outcome]
"""What came of each file, by its path."""


def outcomes_text(outcomes: Outcomes, width: int, with_decided: bool) -> str:
    """A line for each expectation with the plans that it holds for, or does not; then a summary."""
    text = ""
    for path, outcome in outcomes.items():
        rows = [_rows(outcome.expected), _unexpected(outcome.decided) if with_decided else []]
        if any(rows):
            text += visible(path) + "\n" + "".join(table(part, width, indent=2) for part in rows)
    every = [expectation for outcome in outcomes.values() for expectation in outcome.expected]
    failed = [expectation for expectation in every if expectation.findings]
    plans = {
        (path, expectation.subject) for path, outcome in outcomes.items() for expectation in outcome.expected
    }
    hosts = {host for expectation in every for host in expectation.hosts}
    summary = f"{count(len(hosts), 'host')}: " if hosts else ""
    summary += f"{count(len(every), 'expectation')} of {count(len(plans), 'plan')}: "
    summary += f"{len(failed)} {'do' if len(failed) != 1 else 'does'} not hold" if failed else "all hold"
    if with_decided:
        decided = [statement for outcome in outcomes.values() for statement in outcome.decided]
        asked = sum(statement.is_expected for statement in decided)
        left = f"{len(decided) - asked} of your {count(len(decided), 'statement')} that decide a setting"
        summary += f"; nothing is expected of {left}"
    return visible_lines(text) + summary + "\n"


def outcomes_json(outcomes: Outcomes) -> str:
    """The same as JSON data."""
    return json_text(
        {
            "schema": SCHEMA,
            "expectations": [
                {
                    **json_object(expectation, "expect=expect.text plan=subject"),
                    "policy": path,
                    **json_object(expectation.expect.span, "file line"),
                    "because": expectation.expect.because.text if expectation.expect.because else None,
                    "holds": not expectation.findings,
                    "findings": diagnostics_json(expectation.findings),
                    **({"hosts": expectation.hosts} if expectation.hosts else {}),
                }
                for path, outcome in outcomes.items()
                for expectation in outcome.expected
            ],
            "decided": [
                json_object(
                    statement,
                    "statement=text file=statement.span.file line=statement.span.line expected=is_expected",
                )
                for outcome in outcomes.values()
                for statement in outcome.decided
            ],
        }
    )


def outcomes_junit(outcomes: Outcomes) -> str:
    """The same as JUnit's XML: a suite for each file, a case for each expectation of each plan."""
    suites = (
        JUnitSuite(path, (_case(expectation) for expectation in outcome.expected))
        for path, outcome in outcomes.items()
    )
    return "".join(junit(suites))


def _case(expectation: Expected) -> JUnitCase:
    name, at = expectation.expect.text, expectation.expect.span
    case = JUnitCase(name, expectation.subject, file=at.file, line=at.line)
    if not expectation.findings:
        return case
    first = expectation.findings[0]
    return case._replace(
        outcome=FAILURE, message=first.message, type=first.code, text=_details(expectation.findings)
    )


def _rows(expected: tuple[Expected, ...]) -> list[tuple[str, ...]]:
    """Each expectation with the plans that it is of, those for which it does not hold apart."""
    rows: dict[tuple[bool, Expected], list[Expected]] = {}
    for expectation in expected:
        bare = expectation._replace(subject="", findings=Diagnostics(), hosts=())
        rows.setdefault((not expectation.findings, bare), []).append(expectation)
    return [
        (
            "holds" if holds else "does not hold",
            expectation.expect.text,
            f"{visible(expectation.expect.span.file)}:{expectation.expect.span.line}",
            whose(expectations),
        )
        for (holds, expectation), expectations in rows.items()
    ]


def whose(expected: list[Expected]) -> str:
    """The plans of an expectation; of an inventory, the number of hosts and the first of them."""
    hosts = sorted({host for expectation in expected for host in expectation.hosts})
    if not hosts:
        return ", ".join(dict.fromkeys(expectation.subject for expectation in expected))
    more = f" and {len(hosts) - MOST_NAMED:,} more" if len(hosts) > MOST_NAMED else ""
    return f"{count(len(hosts), 'host')}: {', '.join(map(visible, hosts[:MOST_NAMED]))}{more}"


def _unexpected(decided: Iterable[Decided]) -> list[tuple[str, ...]]:
    return [
        (
            "not expected",
            statement.text,
            f"{visible(statement.statement.span.file)}:{statement.statement.span.line}",
            "",
        )
        for statement in decided
        if not statement.is_expected
    ]


def _details(findings: Diagnostics) -> str:
    return "\n".join(visible(text) for finding in findings for text in (finding.message, *finding.notes))
