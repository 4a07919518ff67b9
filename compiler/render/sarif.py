"""SARIF 2.1.0, as code scanners and editors read it.

GitHub refuses a whole file if one result has no location, or a location outside of the repository. So places are
relative to the top of the repository, and a finding without one, or in a file elsewhere, is placed at the beginning of
what was checked. Of more results than GitHub shows it keeps the most severe, so the same are written, and the number of
the others.

What is waived is a suppressed result. GitHub shows such results like others, so they are notes, which let a check pass.
"""

import os
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.diagnostics.fixes import Fix, replacement
from setpoint.compiler.diagnostics.pages import page
from setpoint.compiler.diagnostics.source import place_of
from setpoint.compiler.plan.as_json import diagnostics_json
from setpoint.compiler.plan.judge import WaivedFinding
from setpoint.compiler.render.excerpt import TextOf
from setpoint.compiler.render.visible import json_text

MOST_RESULTS = 5_000
"""How many results of a run GitHub shows."""

LIBRARY = "stdlib/"
"""How the names of the library's own files begin."""


def sarif(findings: Diagnostics, text_of: TextOf, home: str, waived: tuple[WaivedFinding, ...] = ()) -> str:
    """The findings as SARIF, those without a place in the repository at `home`; what is `waived` is suppressed."""
    from importlib.metadata import version

    by_severity = sorted(findings, key=lambda finding: finding.severity != "error")
    shown = Diagnostics.of(by_severity[:MOST_RESULTS])
    suppressed = waived[: MOST_RESULTS - len(shown)]
    rules = {d.code for d in (*shown, *(waived_finding.finding for waived_finding in suppressed))}
    top = _repository()
    start = {"line": 1, "column": 1, "file": _within(top, home) or "."}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "setpoint",
                "version": version("setpoint"),
                "rules": [_rule(code) for code in sorted(rules)],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, entry, top, start, text_of)
            for finding, entry in zip(shown, diagnostics_json(shown), strict=True)
        ]
        + [_suppressed(waived_finding, top, start, text_of) for waived_finding in suppressed],
    }
    if left := len(findings) + len(waived) - len(shown) - len(suppressed):
        message = (
            f"{left:,} more findings are left out, the least severe: code scanning shows {MOST_RESULTS:,}"
        )
        notes = [{"level": "warning", "message": {"text": message}}]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notes}]
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json_text({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _rule(code: str) -> dict[str, Any]:
    text = page(code) or f"# {code}"
    title = text.partition("\n")[0].removeprefix("# ")
    return {"id": code, "shortDescription": {"text": title}, "help": {"text": text, "markdown": text}}


def _result(
    finding: Diagnostic, entry: dict[str, Any], top: str, start: dict[str, Any], text_of: TextOf
) -> dict[str, Any]:
    words = [entry["message"], *entry["notes"], *(f"help: {h}" for h in entry["help"])]
    place = _placed(top, entry)
    if entry["file"] and not place:
        words.append(f"at {entry['file']}:{entry['line']}")
    related = [
        _location(other, mention["text"]) for mention in entry["related"] if (other := _placed(top, mention))
    ]
    fixes = [_fix(fix, top, text_of) for fix in finding.fixes if _is_within(fix, top)]
    return {
        "ruleId": entry["code"],
        "level": entry["severity"],
        "message": {"text": "\n".join(words)},
        "locations": [_location(place or start, entry["label"] if place else "")],
        **({"relatedLocations": related} if related else {}),
        **({"fixes": fixes} if fixes else {}),
    }


def _suppressed(
    waived_finding: WaivedFinding, top: str, start: dict[str, Any], text_of: TextOf
) -> dict[str, Any]:
    """The result for a finding that is waived, with the number of its hosts."""
    until = f"until {waived_finding.until}" if waived_finding.until else "without expiry"
    notes = (
        f"waived by `accept {waived_finding.waiver}` {until}",
        f"{len(waived_finding.hosts):,} host{'s' * (len(waived_finding.hosts) != 1)}",
    )
    finding = waived_finding.finding._replace(notes=notes)
    (entry,) = diagnostics_json((finding,))
    return {
        **_result(finding, entry, top, start, text_of),
        "level": "note",
        "suppressions": [{"kind": "inSource", "justification": waived_finding.because}],
    }


def _is_within(fix: Fix, top: str) -> bool:
    return all(_within(top, edit.span.file) for edit in fix.edits)


def _fix(fix: Fix, top: str, text_of: TextOf) -> dict[str, Any]:
    """A fix, with its replacements file by file; the region includes the punctuation of a removed statement."""
    files: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        text = text_of(edit.span.file)
        start, end, new = replacement(text, edit)
        (line, column), (end_line, end_column) = place_of(text, start), place_of(text, end)
        region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        change: dict[str, Any] = {"deletedRegion": region}
        if new:
            change["insertedContent"] = {"text": new}
        files.setdefault(_uri(_within(top, edit.span.file)), []).append(change)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": {"uri": uri}, "replacements": changes} for uri, changes in files.items()
        ],
    }


def _placed(top: str, place: dict[str, Any]) -> dict[str, Any] | None:
    """A place with the name that its file has in the repository; None if it is in none of its files."""
    name = _within(top, place["file"])
    return {**place, "file": name} if name and place["line"] else None


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


def _repository() -> str:
    """The top of the repository that the command runs in; without one, the working directory."""
    here = folder = os.path.realpath(os.curdir)
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == (folder := os.path.dirname(folder)):
            return here
    return folder


def _within(top: str, path: str) -> str:
    """The name of a file in the repository; "" for others, as of the library or a text that is no file."""
    if not path or (path.startswith(("<", LIBRARY)) and not os.path.lexists(path)):
        return ""
    name = os.path.relpath(os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)), top)
    return "" if name.split(os.sep)[0] == os.pardir else name


def _uri(path: str) -> str:
    from pathlib import PurePath
    from urllib.parse import quote

    return quote(os.fsencode(PurePath(path).as_posix()))
