"""The plans of a policy for the page: findings with their repairs, the plan as a page shows it, explanations, and
artifacts."""

import base64
import io
import zipfile
from typing import Any

from setpoint.compiler.lowering.bundle import Bundle, choose
from setpoint.compiler.pipeline import lower
from setpoint.compiler.plan.judge import without_waived
from setpoint.compiler.playground.findings import findings_data
from setpoint.compiler.playground.session import Asked, Session
from setpoint.compiler.render.excerpt import tally
from setpoint.compiler.render.explanation import explanation
from setpoint.compiler.render.html import page_of, plan_html

WIDTH = 66
"""The width of an explanation, in characters."""

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of each file of an archive: the earliest that its form has, as the same plan makes the same bytes."""


def plans(session: Session, asked: Asked) -> dict[str, Any]:
    """The findings of the policy and their number, the names of its plans, and one plan: as HTML, its facts, and its
    settings, written ones first."""
    opened = session.opened(asked.files, asked.today)
    findings = opened.document.findings
    data: dict[str, Any] = {
        "tally": tally(findings) if findings else "No findings",
        "findings": findings_data(opened, findings),
        "plans": list(opened.subjects),
        "plan": "",
        "html": "",
        "facts": {},
        "settings": [],
    }
    planned = opened.planned(asked.plan)
    if planned is not None and planned.judged is not None:
        data["plan"] = planned.subject.name
        data["html"] = plan_html(page_of(planned.knowledge, planned.judged))
        plan = planned.judged.plan
        data["facts"] = {fact.name: fact.value for fact in plan.facts}
        data["settings"] = [
            decision.setting for decision in sorted(plan.settings, key=lambda decision: not decision.written)
        ]
    return data


def explain(session: Session, asked: Asked) -> dict[str, Any]:
    """Why a setting of the plan has its value, as `setpoint explain` says it; "" without a plan."""
    planned = session.opened(asked.files, asked.today).planned(asked.plan)
    if (
        planned is None
        or planned.plan is None
        or planned.context is None
        or asked.name not in planned.knowledge.settings
    ):
        return {"text": ""}
    return {"text": explanation(planned.knowledge, planned.context, planned.plan, asked.name, WIDTH)}


def artifacts(session: Session, asked: Asked) -> dict[str, Any]:
    """The files that `setpoint compile` writes for the plan, and its output; none with errors in the policy."""
    opened = session.opened(asked.files, asked.today)
    planned = opened.planned(asked.plan)
    if planned is None or planned.judged is None or planned.is_stopped:
        return {"policy": "", "files": [], "findings": [], "archive": ""}
    bundle = lower(planned.knowledge, planned.judged.plan, choose(()), False)
    return {
        "policy": bundle.policy,
        "files": [{"path": file.path, "text": file.text} for file in bundle.files],
        "findings": findings_data(opened, without_waived(planned.judged, bundle.findings)),
        "archive": base64.b64encode(archive(bundle)).decode(),
    }


def archive(bundle: Bundle) -> bytes:
    """A bundle as a ZIP archive, in a folder that is named after its policy."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as whole:
        for file in bundle.files:
            entry = zipfile.ZipInfo(f"{bundle.policy}/{file.path}", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = file.mode << 16
            whole.writestr(entry, file.text)
    return content.getvalue()
