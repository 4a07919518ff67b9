"""What came of the expectations of policies: as text, as JSON, and as JUnit's XML, which pipelines show."""

from collections.abc import Iterable
from xml.etree import ElementTree

from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.language.written import expect_text
from setpoint.compiler.plan.expected import Decided, Expected, Outcome
from setpoint.compiler.plan.to_json import diagnostics_json
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_text, visible, visible_lines
from setpoint.compiler.render.words import count

SCHEMA = "setpoint.expectations/1"

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
    summary = f"{count(len(every), 'expectation')} of {count(len(plans), 'plan')}: "
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
                    "expect": expect_text(each.expect),
                    "plan": each.subject,
                    "policy": path,
                    "file": each.expect.span.file,
                    "line": each.expect.span.line,
                    "because": each.expect.because.text if each.expect.because else None,
                    "holds": not each.findings,
                    "findings": diagnostics_json(each.findings),
                }
                for path, outcome in outcomes.items()
                for each in outcome.expected
            ],
            "decided": [
                {
                    "statement": each.text,
                    "file": each.span.file,
                    "line": each.span.line,
                    "expected": each.is_expected,
                }
                for outcome in outcomes.values()
                for each in outcome.decided
            ],
        }
    )


def outcomes_junit(outcomes: Outcomes) -> str:
    """The same as JUnit's XML: a suite for each file, a case for each expectation of each plan."""
    root = ElementTree.Element("testsuites")
    for path, outcome in outcomes.items():
        failed = sum(bool(each.findings) for each in outcome.expected)
        counts = {"tests": str(len(outcome.expected)), "failures": str(failed), "errors": "0", "skipped": "0"}
        suite = ElementTree.SubElement(root, "testsuite", {"name": visible(path), **counts})
        for each in outcome.expected:
            place = {"file": visible(each.expect.span.file), "line": str(each.expect.span.line)}
            names = {"name": visible(expect_text(each.expect)), "classname": each.subject}
            case = ElementTree.SubElement(suite, "testcase", {**names, **place})
            if each.findings:
                failure = ElementTree.SubElement(
                    case,
                    "failure",
                    {"message": visible(each.findings[0].message), "type": each.findings[0].code},
                )
                failure.text = _details(each.findings)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _rows(expected: Iterable[Expected]) -> list[tuple[str, ...]]:
    """Each expectation with the plans that it is of, those for which it does not hold apart."""
    rows: dict[tuple[bool, Expected], list[str]] = {}
    for each in expected:
        rows.setdefault((not each.findings, each._replace(subject="", findings=Diagnostics())), []).append(
            each.subject
        )
    return [
        (
            "holds" if holds else "does not hold",
            expect_text(each.expect),
            f"{visible(each.expect.span.file)}:{each.expect.span.line}",
            ", ".join(dict.fromkeys(subjects)),
        )
        for (holds, each), subjects in rows.items()
    ]


def _unexpected(decided: Iterable[Decided]) -> list[tuple[str, ...]]:
    return [
        ("not expected", each.text, f"{visible(each.span.file)}:{each.span.line}", "")
        for each in decided
        if not each.is_expected
    ]


def _details(findings: Diagnostics) -> str:
    return "\n".join(visible(text) for each in findings for text in (each.message, *each.notes))
