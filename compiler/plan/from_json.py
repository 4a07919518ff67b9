"""Read a plan from its JSON, so that a bundle can be compared, explained and carried out like a policy.

The result equals the original plan except for places in files: the JSON has only those of the policy's own `set`s, and
those of findings. Its JSON is the same again, and so are the artifacts of the targets.
"""

from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.plan.document import checked_finding, checked_plan
from setpoint.compiler.plan.fields import FINDING, PLAN
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Plan


def plan_from_json(data: Any) -> Judged:
    """The plan in JSON data, as it was judged when the data was written. Raises NotAPlanError."""
    checked = checked_plan(data)
    read = PLAN.read(checked)
    findings = read.pop("diagnostics")
    made = zip(findings, checked["diagnostics"], strict=True)
    advisories = tuple(finding for finding, each in made if not each["judged"])
    expired = frozenset(each["hazard"] or each["name"] for each in checked["waivers"] if each["expired"])
    return Judged(Plan(advisories=advisories, **read), expired, Diagnostics.of(findings))


def findings_from_json(data: Any) -> tuple[Diagnostic, ...]:
    """The findings of any command that prints them as JSON. Raises ValueError if they have another form."""
    return tuple(FINDING.read(checked_finding(each)) for each in data)
