"""The result of an audit: a summary for people, and everything for programs."""

from collections.abc import Iterator
from typing import Any

from setpoint.compiler.audit.check import Audit
from setpoint.compiler.audit.goals import Fit, best
from setpoint.compiler.entries.model import AuditedFile
from setpoint.compiler.plan.as_json import diagnostics_json
from setpoint.compiler.plan.model import Decision, FactEntry
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_object, json_text, visible
from setpoint.compiler.render.words import count

SCHEMA = "setpoint.audit/1"

WRITTEN = "written file=span.file line=span.line column=span.column"
ADVICE = "setting value source=cause.source at=cause.at strength=cause.weight"
"""The members of an entry, and of a decision, in the JSON."""


def summary(audit: Audit, width: int) -> str:
    """What was read, and which goal it serves; `width` is that of the page."""
    server = [
        f"{f.name} {f.text}" + (f" ({f.origin})" if f.origin != "stated" else "") for f in _facts(audit)
    ]
    said = f"server: {', '.join(server)}" if server else "server: nothing stated"
    return f"{said}\n{files_read(audit)}{beside(audit, width)}"


def files_read(audit: Audit) -> str:
    """What each file was read as, and how much of it the knowledge base knows: a line for each."""
    lines = []
    for file in audit.files:
        used = sum(1 for stated in audit.stated if stated.entry.span.file == file.name)
        lines.append(
            f"{visible(file.name)}: read as {file.form}, {count(len(file.entries), 'entry', 'entries')},"
            f" {count(used, 'setting')} of the knowledge base{_unlisted(audit, file)}{_unread(file)}"
        )
    return "".join(f"{line}\n" for line in lines)


def beside(audit: Audit, width: int) -> str:
    """The settings beside what is recommended for each goal, which one they serve best, and what they lack for it."""
    rows = [("intent", "agrees", "differs", "missing", "hazards of this intent alone")]
    rows += [
        (f.intent, str(len(f.agrees)), str(len(f.differs)), str(len(f.missing)), ", ".join(f.hazards) or "-")
        for f in audit.fits
    ]
    text = "\nBeside what is recommended:\n" + table(rows, width)
    served = best(audit.fits)
    if not served:
        return text + "\nNone of the settings is recommended for any of these.\n"
    if not audit.is_goal_stated:
        text += f"\nServed best: {' or '.join(f'`{fit.intent}`' for fit in served)}.\n"
    for fit in served[:1]:
        if fit.missing:
            text += f"\nMissing for {fit.intent}:\n" + table(list(_missing(fit)), width)
    return text


def _unlisted(audit: Audit, file: AuditedFile) -> str:
    """How many names of a file nobody has a list for, and the first of them."""
    names = [entry.name for entry in audit.unlisted if entry.span.file == file.name]
    return f"; {count(len(names), 'name')} not checked, the first is {visible(names[0])}" if names else ""


def _unread(file: AuditedFile) -> str:
    """How many lines of a file nobody has read, and the first of them."""
    if not file.unread:
        return ""
    return f"; {count(len(file.unread), 'line')} not read, the first is {file.unread[0].line}"


def _missing(fit: Fit) -> Iterator[tuple[str, str, str]]:
    for decision in fit.missing:
        yield decision.setting, decision.value, _source(decision)


def _source(decision: Decision) -> str:
    cause = decision.cause
    return f"{cause.source}, {cause.at} ({cause.weight})" if cause.source else cause.kind


def _facts(audit: Audit) -> list[FactEntry]:
    """The facts of the server, without those that only the intents tried have."""
    tried = {part.split()[0] for fit in audit.fits for part in fit.intent.split(", ")}
    return [f for f in audit.context.facts.values() if audit.is_goal_stated or f.name not in tried]


# ------------------------------------------------------------------------------------------- as data


def json_of(audit: Audit) -> str:
    """The whole result as JSON, in the form of `audit.schema.json`."""
    return json_text({"schema": SCHEMA, **document(audit)})


def document(audit: Audit) -> dict[str, Any]:
    """The whole result, as data of JSON."""
    return {
        "facts": [json_object(fact, "name value origin") for fact in _facts(audit)],
        "files": [
            {"name": f.name, "form": f.form, "entries": len(f.entries), "unread_lines": len(f.unread)}
            for f in audit.files
        ],
        "settings": [
            {**json_object(stated, "setting value"), **json_object(stated.entry, WRITTEN)}
            for stated in audit.stated
        ],
        "unread": [json_object(entry, "written file=span.file line=span.line") for entry in audit.unread],
        "intents": [_fit(fit) for fit in audit.fits],
        "served_best": [fit.intent for fit in best(audit.fits)],
        "diagnostics": diagnostics_json(audit.findings),
    }


def _fit(fit: Fit) -> dict[str, Any]:
    return {
        "intent": fit.intent,
        "agrees": [json_object(stated, "setting value") for stated, _ in fit.agrees],
        "differs": [
            {**json_object(stated, "setting value"), "recommended": decision.value}
            for stated, decision in fit.differs
        ],
        "missing": [json_object(decision, ADVICE) for decision in fit.missing],
        "hazards": list(fit.hazards),
    }
