"""A plan as JSON, in the form that `fields.py` describes (`plan.schema.json` is its schema), and back.

A policy without a plan has the same form: the known facts, no settings, and the diagnostics that say why. A plan that
was read equals the original except for places in files: the JSON has only those of the policy's own `set`s, and those
of findings. Its JSON is the same again, and so are the artifacts of the targets. So a bundle can be compared, explained
and carried out like a policy.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.plan.fields import FACT, FINDING, PLAN, SCHEMA
from setpoint.compiler.plan.form import Data, Judgement
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import FactEntry, PolicyPlaces


def plan_json(judged: Judged) -> Data:
    """A judged plan as JSON data, with keys in a fixed order."""
    states = {name: hazard.state for name, hazard in judged.hazards.items()}
    of_a_day = frozenset(judged.diagnostics) - frozenset(judged.plan.advisories)
    data = PLAN.write(judged.plan, Judgement(states, judged.diagnostics, judged.expired, of_a_day))
    for name, setting in data["settings"].items():
        if setting["from"] == "set" and (at := judged.plan.places.of("set", name)) != NOWHERE:
            setting["because"][0] |= {"file": at.file, "line": at.line}
    return data


def plan_from_json(data: Any) -> Judged:
    """The plan in JSON data, as it was judged when the data was written. Raises NotAPlanError."""
    from setpoint.compiler.plan.document import checked_plan  # slow to load, and not needed to write

    checked = checked_plan(data)
    plan = PLAN.read(checked)
    findings = Diagnostics.of(plan.advisories)
    pairs = zip(plan.advisories, checked["diagnostics"], strict=True)
    expired = frozenset(
        waiver["hazard"] or waiver["name"] for waiver in checked["waivers"] if waiver["expired"]
    )
    advisories = tuple(finding for finding, diagnostic in pairs if not diagnostic["judged"])
    plan = plan._replace(advisories=advisories, places=PolicyPlaces(dict(_places(checked))))
    return Judged(plan, expired, findings)


def _places(checked: Data) -> Iterator[tuple[tuple[str, str], Span]]:
    """The places of a policy's `set`s, which are the only ones that a plan's JSON has."""
    for name, setting in checked["settings"].items():
        cause = setting["because"][0]
        if cause["file"]:
            yield ("set", name), Span(cause["file"], cause["line"], 0, cause["line"], 0)


def failed_json(policy: str, facts: Iterable[FactEntry], diagnostics: Iterable[Diagnostic]) -> Data:
    """The same shape for a policy that has no plan."""
    return {
        "schema": SCHEMA,
        "policy": policy,
        "facts": {fact.name: FACT.write(fact) for fact in facts},
        "settings": {},
        "effects": {},
        "hazards": [],
        "waivers": [],
        "sources": {},
        "diagnostics": diagnostics_json(diagnostics),
    }


def diagnostics_json(diagnostics: Iterable[Diagnostic]) -> list[Data]:
    """Diagnostics as JSON data: code, severity, message, place and so on."""
    return [FINDING.write(diagnostic) for diagnostic in diagnostics]


def findings_from_json(data: Any) -> tuple[Diagnostic, ...]:
    """The findings of any command that prints them as JSON. Raises ValueError if they have another form."""
    from setpoint.compiler.plan.document import checked_finding  # slow to load, and not needed to write

    return tuple(FINDING.read(checked_finding(finding)) for finding in data)


def with_files(data: Any, name: Callable[[str], str], text: Callable[[str], str] | None = None) -> Any:
    """The data of a plan or of diagnostics, with file names changed by `name`, and other texts by `text` if given."""
    if isinstance(data, dict):
        return {
            key: name(value)
            if key == "file" and isinstance(value, str)
            else value
            if text is None and isinstance(value, str)
            else with_files(value, name, text)
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [with_files(entry, name, text) for entry in data]
    return text(data) if text and isinstance(data, str) else data
