"""JUnit's XML, which pipelines show as test results: suites of cases, written suite by suite.

There is no standard of it. The form is what Jenkins and GitLab read: the counts stand at each suite, and a case has at
most one of `failure`, `error` and `skipped`. A fleet has a suite for each server, so suites are written one after the
other, and never all are in memory.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.visible import visible, visible_lines

FAILURE, ERROR, SKIPPED = ("failure", "error", "skipped")
"""The outcomes that a suite counts; a case without one of them has passed."""


class JUnitCase(NamedTuple):
    """A case: its names, and the outcome with a message, a type and a text. One that has passed may have a text, too.

    `line` is the line of `file` that it is about, 0 if it is about none.
    """

    name: str
    classname: str
    outcome: str = ""
    message: str = ""
    type: str = ""
    text: str = ""
    file: str = ""
    line: int = 0


class JUnitSuite(NamedTuple):
    """A suite, and its cases in their order."""

    name: str
    cases: Iterable[JUnitCase]


def junit(suites: Iterable[JUnitSuite]) -> Iterator[str]:
    """The XML of suites, piece by piece."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
    for suite in suites:
        yield _suite(suite)
    yield "</testsuites>\n"


def _suite(suite: JUnitSuite) -> str:
    from xml.etree import ElementTree as Xml  # only needed for this form

    cases = tuple(suite.cases)
    counts = {f"{outcome}s": sum(case.outcome == outcome for case in cases) for outcome in (FAILURE, ERROR)}
    counts |= {SKIPPED: sum(case.outcome == SKIPPED for case in cases)}
    numbers = {name: str(number) for name, number in {"tests": len(cases), **counts}.items()}
    element = Xml.Element("testsuite", {"name": visible(suite.name), **numbers})
    for case in cases:
        names = {"name": visible(case.name), "classname": visible(case.classname)}
        place = {"file": visible(case.file), "line": str(case.line)} if case.line else {}
        child = Xml.SubElement(element, "testcase", {**names, **place})
        if case.outcome or case.text:
            said = {"message": visible(case.message), "type": visible(case.type)}
            shown = Xml.SubElement(
                child,
                case.outcome or "system-out",
                {key: text for key, text in said.items() if text},
            )
            shown.text = visible_lines(case.text) or None
    Xml.indent(element, level=1)
    return f"  {Xml.tostring(element, encoding='unicode').rstrip()}\n"
