"""Findings for people and for machines: text, JSON, SARIF, JUnit, and annotations of a GitHub workflow."""

import os
from collections.abc import Callable
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.diagnostics.fixes import Fix, replacement
from setpoint.compiler.diagnostics.lines import place_of
from setpoint.compiler.diagnostics.pages import page
from setpoint.compiler.plan.to_json import diagnostics_json
from setpoint.compiler.render.excerpt import TextOf, diagnostics_text, tally
from setpoint.compiler.render.visible import json_text, visible, visible_lines


def report(form: str, findings: Diagnostics, text_of: TextOf, files: int, width: int = 0) -> str:
    """The findings in one of FORMATS; `files` is how many were checked. Sentences of text are wrapped to a width."""
    if form == "text":
        return _text(findings, text_of, files, width)
    return FORMATS[form](findings, text_of, files)


def _text(findings: Diagnostics, text_of: TextOf, files: int, width: int = 0) -> str:
    return (
        diagnostics_text(findings, text_of, width) + f"{files} file{'s' * (files != 1)}: {tally(findings)}\n"
    )


def _json(findings: Diagnostics, text_of: TextOf, files: int) -> str:
    data = {"schema": "setpoint.check/1", "files": files, "diagnostics": diagnostics_json(findings)}
    return json_text(data)


def _sarif(findings: Diagnostics, text_of: TextOf, files: int) -> str:
    """SARIF 2.1.0, as code scanners and editors read it."""
    from importlib.metadata import version

    data = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "setpoint",
                        "version": version("setpoint"),
                        "rules": [_sarif_rule(code) for code in sorted({d.code for d in findings})],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    _sarif_result(finding, entry, text_of)
                    for finding, entry in zip(findings, diagnostics_json(findings), strict=True)
                ],
            }
        ],
    }
    return json_text(data)


def _sarif_rule(code: str) -> dict[str, Any]:
    text = page(code) or f"# {code}"
    title = text.partition("\n")[0].removeprefix("# ")
    return {"id": code, "shortDescription": {"text": title}, "help": {"text": text, "markdown": text}}


def _sarif_result(finding: Diagnostic, entry: dict[str, Any], text_of: TextOf) -> dict[str, Any]:
    text = "\n".join([entry["message"], *entry["notes"], *(f"help: {h}" for h in entry["help"])])
    result: dict[str, Any] = {"ruleId": entry["code"], "level": entry["severity"], "message": {"text": text}}
    if entry["file"]:
        result["locations"] = [_location(entry, entry["label"])]
    related = [_location(other, other["text"]) for other in entry["related"] if other["file"]]
    if related:
        result["relatedLocations"] = related
    if finding.fixes:
        result["fixes"] = [_sarif_fix(fix, text_of) for fix in finding.fixes]
    return result


def _sarif_fix(fix: Fix, text_of: TextOf) -> dict[str, Any]:
    """A fix, with its replacements file by file; the region includes the punctuation of a removed statement."""
    files: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        text = text_of(edit.span.file)
        start, end, new = replacement(text, edit)
        (line, column), (end_line, end_column) = place_of(text, start), place_of(text, end)
        region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        one: dict[str, Any] = {"deletedRegion": region}
        if new:
            one["insertedContent"] = {"text": new}
        files.setdefault(edit.span.file, []).append(one)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": {"uri": _uri(file)}, "replacements": changes}
            for file, changes in files.items()
        ],
    }


def _location(place: dict[str, Any], text: str) -> dict[str, Any]:
    region = {"startLine": place["line"], "startColumn": place["column"]}
    if "end_line" in place:
        region |= {"endLine": place["end_line"], "endColumn": place["end_column"]}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": _uri(place["file"])}, "region": region},
    }
    if text:
        location["message"] = {"text": text}
    return location


def _uri(path: str) -> str:
    """A path as a URI for SARIF, relative if the path is."""
    from pathlib import PurePath
    from urllib.parse import quote

    if PurePath(path).is_absolute():
        return PurePath(path).as_uri()
    return quote(os.fsencode(PurePath(path).as_posix()))


def _junit(findings: Diagnostics, text_of: TextOf, files: int) -> str:
    """JUnit's XML, which continuous integration shows as test results: one case per finding, warnings as passed."""
    from xml.etree import ElementTree as Xml

    suite = Xml.Element("testsuite", name="setpoint check", tests=str(max(1, len(findings))))
    suite.set("failures", str(len(findings.errors)))
    for finding in findings:
        case = Xml.SubElement(suite, "testcase", classname=visible(finding.at.file or "setpoint"))
        case.set("name", visible(f"{finding.code} line {finding.at.line}: {finding.message}"))
        text = diagnostics_text([finding], text_of)
        if finding.severity == "error":
            Xml.SubElement(case, "failure", message=visible(finding.message), type=finding.code).text = text
        else:
            Xml.SubElement(case, "system-out").text = text
    if not findings:
        Xml.SubElement(suite, "testcase", classname="setpoint", name=f"{files} files have no findings")
    Xml.indent(suite)
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


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
    "sarif": _sarif,
    "junit": _junit,
    "github": _github,
}
