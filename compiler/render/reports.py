"""Findings for people and for machines: text, JSON, SARIF, JUnit, and annotations of a GitHub workflow."""

from collections.abc import Callable
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.plan.as_json import diagnostics_json
from setpoint.compiler.plan.judge import WaivedFinding
from setpoint.compiler.render.excerpt import TextOf, diagnostics_text, tally
from setpoint.compiler.render.junit import FAILURE, JUnitCase, JUnitSuite, junit
from setpoint.compiler.render.sarif import sarif
from setpoint.compiler.render.visible import json_object, json_text, visible, visible_lines


def report(
    form: str,
    findings: Diagnostics,
    text_of: TextOf,
    files: int,
    width: int = 0,
    home: str = "",
    waived: tuple[WaivedFinding, ...] | None = None,
) -> str:
    """The findings in one of FORMATS; `files` is how many were checked.

    Sentences of text are wrapped to a width. SARIF has the findings without a place at the beginning of `home`. SARIF
    and JSON have what is `waived` on hosts, if it is known.
    """
    if form == "text":
        return _text(findings, text_of, files, width)
    if form == "sarif":
        return sarif(findings, text_of, home, waived or ())
    if form == "json" and waived is not None:
        return json_text(
            {**_document(findings, files), "waived": [_waived(waived_finding) for waived_finding in waived]}
        )
    return FORMATS[form](findings, text_of, files)


def _text(findings: Diagnostics, text_of: TextOf, files: int, width: int = 0) -> str:
    return (
        diagnostics_text(findings, text_of, width) + f"{files} file{'s' * (files != 1)}: {tally(findings)}\n"
    )


def _json(findings: Diagnostics, text_of: TextOf, files: int) -> str:
    return json_text(_document(findings, files))


def _document(findings: Diagnostics, files: int) -> dict[str, Any]:
    return {"schema": "setpoint.check/1", "files": files, "diagnostics": diagnostics_json(findings)}


def _waived(waived_finding: WaivedFinding) -> dict[str, Any]:
    finding = json_object(waived_finding.finding, "code message file=at.file line=at.line")
    return {**json_object(waived_finding, "waiver until? because hosts"), **finding}


def _junit(findings: Diagnostics, text_of: TextOf, files: int) -> str:
    """JUnit's XML, which continuous integration shows as test results: one case per finding, warnings as passed."""
    cases = [_case(finding, diagnostics_text([finding], text_of)) for finding in findings]
    nothing = JUnitCase(f"{files} files have no findings", "setpoint")
    return "".join(junit([JUnitSuite("setpoint check", cases or [nothing])]))


def _case(finding: Diagnostic, text: str) -> JUnitCase:
    name = f"{finding.code} line {finding.at.line}: {finding.message}"
    case = JUnitCase(name, finding.at.file or "setpoint", text=text)
    if finding.severity != "error":
        return case
    return case._replace(outcome=FAILURE, message=finding.message, type=finding.code)


def _github(findings: Diagnostics, text_of: TextOf, files: int) -> str:
    lines = []
    for d in findings:
        place = f"file={_property(d.at.file)},line={d.at.line},col={d.at.column}," if d.at.file else ""
        text = "\n".join(map(visible, [d.message, *d.notes, *(f"help: {h}" for h in d.help)]))
        lines.append(f"::{d.severity} {place}title={d.code}::{_data(text)}\n")
    return "".join(lines)


def _data(text: str) -> str:
    """A message escaped for GitHub's workflow commands."""
    return visible_lines(text.replace("%", "%25")).replace("\n", "%0A")


def _property(text: str) -> str:
    """A property escaped for GitHub's workflow commands."""
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")


FORMATS: dict[str, Callable[[Diagnostics, TextOf, int], str]] = {
    "text": _text,
    "json": _json,
    "sarif": lambda findings, text_of, _: sarif(findings, text_of, ""),
    "junit": _junit,
    "github": _github,
}
