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
            text += visible(path) + "\n" + "".join(table(each, width, indent=2) for each in rows)
    every = [each for outcome in outcomes.values() for each in outcome.expected]
    failed = [each for each in every if each.findings]
    plans = {(path, each.subject) for path, outcome in outcomes.items() for each in outcome.expected}
    hosts = {host for each in every for host in each.hosts}
    summary = f"{count(len(hosts), 'host')}: " if hosts else ""
    summary += f"{count(len(every), 'expectation')} of {count(len(plans), 'plan')}: "
    summary += f"{len(failed)} {'do' if len(failed) != 1 else 'does'} not hold" if failed else "all hold"
    if with_decided:
        decided = [each for outcome in outcomes.values() for each in outcome.decided]
        asked = sum(each.is_expected for each in decided)
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
                    **json_object(each, "expect=expect.text plan=subject"),
                    "policy": path,
                    **json_object(each.expect.span, "file line"),
                    "because": each.expect.because.text if each.expect.because else None,
                    "holds": not each.findings,
                    "findings": diagnostics_json(each.findings),
                    **({"hosts": each.hosts} if each.hosts else {}),
                }
                for path, outcome in outcomes.items()
                for each in outcome.expected
            ],
            "decided": [
                json_object(
                    each,
                    "statement=text file=statement.span.file line=statement.span.line expected=is_expected",
                )
                for outcome in outcomes.values()
                for each in outcome.decided
            ],
        }
    )


def outcomes_junit(outcomes: Outcomes) -> str:
    """The same as JUnit's XML: a suite for each file, a case for each expectation of each plan."""
    suites = (
        JUnitSuite(path, (_case(each) for each in outcome.expected)) for path, outcome in outcomes.items()
    )
    return "".join(junit(suites))


def _case(each: Expected) -> JUnitCase:
    name, at = each.expect.text, each.expect.span
    case = JUnitCase(name, each.subject, file=at.file, line=at.line)
    if not each.findings:
        return case
    first = each.findings[0]
    return case._replace(
        outcome=FAILURE, message=first.message, type=first.code, text=_details(each.findings)
    )


def _rows(expected: tuple[Expected, ...]) -> list[tuple[str, ...]]:
    """Each expectation with the plans that it is of, those for which it does not hold apart."""
    rows: dict[tuple[bool, Expected], list[Expected]] = {}
    for each in expected:
        bare = each._replace(subject="", findings=Diagnostics(), hosts=())
        rows.setdefault((not each.findings, bare), []).append(each)
    return [
        (
            "holds" if holds else "does not hold",
            each.expect.text,
            f"{visible(each.expect.span.file)}:{each.expect.span.line}",
            whose(its),
        )
        for (holds, each), its in rows.items()
    ]


def whose(expected: list[Expected]) -> str:
    """The plans of an expectation; of an inventory, the number of hosts and the first of them."""
    hosts = sorted({host for each in expected for host in each.hosts})
    if not hosts:
        return ", ".join(dict.fromkeys(each.subject for each in expected))
    more = f" and {len(hosts) - MOST_NAMED:,} more" if len(hosts) > MOST_NAMED else ""
    return f"{count(len(hosts), 'host')}: {', '.join(map(visible, hosts[:MOST_NAMED]))}{more}"


def _unexpected(decided: Iterable[Decided]) -> list[tuple[str, ...]]:
    return [
        ("not expected", each.text, f"{visible(each.statement.span.file)}:{each.statement.span.line}", "")
        for each in decided
        if not each.is_expected
    ]


def _details(findings: Diagnostics) -> str:
    return "\n".join(visible(text) for each in findings for text in (each.message, *each.notes))
