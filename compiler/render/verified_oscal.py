"""What a verification found, as assessment results of OSCAL 1.1 in JSON, for the tools that collect evidence of
controls.

Each setting of the plan is a control. A verdict is an observation about the servers that have it, with its readings as
evidence, and each setting of a policy has a finding, which is satisfied if it is as planned on all of them. OSCAL has
no third state: what could not be decided is not satisfied, with the reason `other`. A waived difference is a risk whose
deviation is approved until the last day of the waiver.

The document depends on what was found and on the stated time alone. Captures do not record when they were made, so
somebody has to state it. Identifiers are derived from what they identify: a server has the same in all documents.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from setpoint.compiler.plan.made_with import VERSION, MadeWith
from setpoint.compiler.render.verified import evidence_of, planned_text, verdict_text, waiver_text
from setpoint.compiler.render.visible import json_text, visible
from setpoint.compiler.verification.grouped import VerdictCause, Verification
from setpoint.compiler.verification.model import DIFFERENCES, NOT_APPLICABLE, OK

OSCAL_VERSION = "1.1.3"

OURS = "urn:setpoint:verify"
"""The namespace of properties that OSCAL does not define."""

Data = dict[str, Any]


def verified_oscal(
    verification: Verification, made_with: MadeWith | None, refused: Iterable[tuple[str, str]], collected: str
) -> str:
    """The assessment results; `collected` is when the captures were made, as in `2027-03-01T12:00:00Z`.

    `refused` are the captures that were not compared, each with the reason.
    """
    refused = tuple(refused)
    made_with = made_with or MadeWith(VERSION, "")
    policies = sorted(set(verification.hosts.values()))
    plan = _uuid("plan", made_with.text, *policies)
    observations = {cause: _observation(cause, collected) for cause in verification.causes}
    risks = {
        cause: _risk(cause, observations[cause]) for cause in verification.causes if cause.verdict.waiver
    }
    refusals = [_refusal(host, reason, collected) for host, reason in refused]
    lists = {
        "observations": [*observations.values(), *refusals],
        "risks": [*risks.values()],
        "findings": [*_findings(verification.causes, observations, risks)],
    }
    hosts = [*verification.hosts, *(host for host, _ in refused if host not in verification.hosts)]
    result: Data = {
        "title": "Comparison of servers with their plans",
        "description": "Each setting of a plan is a control. Observations have the captured readings.",
        "start": collected,
        "end": collected,
        **({"local-definitions": {"inventory-items": [*map(_server, hosts)]}} if hosts else {}),
        "reviewed-controls": {"control-selections": [_selection(verification.causes)]},
        **{name: entries for name, entries in lists.items() if entries},
    }
    document: Data = {
        "metadata": _metadata(policies, made_with, collected),
        "import-ap": {"href": f"#{plan}"},
        "results": [{"uuid": _uuid("result", json_text(result)), **result}],
        "back-matter": {"resources": [_plans(plan, policies, made_with)]},
    }
    return json_text({"assessment-results": {"uuid": _uuid("document", json_text(document)), **document}})


def _metadata(policies: Sequence[str], made_with: MadeWith, collected: str) -> Data:
    return {
        "title": f"Verification: {_line(', '.join(policies)) or 'no server'}",
        "last-modified": collected,
        "version": made_with.setpoint,
        "oscal-version": OSCAL_VERSION,
    }


def _plans(identifier: str, policies: Sequence[str], made_with: MadeWith) -> Data:
    """The resource that the plans are, with what they were made with."""
    return {
        "uuid": identifier,
        "title": "Plans of " + (_line(", ".join(policies)) or "no policy"),
        "description": visible(f"Made with {made_with.text}."),
    }


def _uuid(*parts: str) -> str:
    return str(uuid5(NAMESPACE_URL, ":".join([OURS, *(f"{len(part)}:{part}" for part in parts)])))


def _line(text: str) -> str:
    """A text as OSCAL takes it in one line: without spaces at its ends."""
    return visible(text).strip()


def _server(host: str) -> Data:
    item: Data = {"uuid": _uuid("asset", host), "description": visible(host)}
    return {**item, "props": [{"name": "asset-id", "value": _line(host)}]} if _line(host) else item


def _subject(host: str) -> Data:
    return {"subject-uuid": _uuid("asset", host), "type": "inventory-item", "title": visible(host)}


def _selection(causes: Iterable[VerdictCause]) -> Data:
    settings = sorted({cause.verdict.setting for cause in causes})
    return (
        {"include-controls": [{"control-id": setting} for setting in settings]}
        if settings
        else {"include-all": {}}
    )


def _observation(cause: VerdictCause, collected: str) -> Data:
    verdict = cause.verdict
    named = {
        "policy": cause.policy,
        "state": verdict.state,
        "layer": verdict.layer,
        "planned": planned_text(verdict),
        "found": verdict.found or "",
        "pending": verdict.pending or "",
        "decided-by": verdict.decided,
        "change": verdict.change,
    }
    properties = [
        {"name": name, "ns": OURS, "value": _line(text)} for name, text in named.items() if _line(text)
    ]
    evidence = [{"description": visible(line)} for line in evidence_of(verdict)]
    return {
        "uuid": _uuid("observation", collected, cause.policy, repr(tuple(verdict)), *cause.hosts),
        "title": verdict.setting,
        "description": visible(verdict_text(verdict)),
        "props": properties,
        "methods": ["TEST"],
        "subjects": [_subject(host) for host in cause.hosts],
        **({"relevant-evidence": evidence} if evidence else {}),
        "collected": collected,
    }


def _refusal(host: str, reason: str, collected: str) -> Data:
    return {
        "uuid": _uuid("refusal", collected, host, reason),
        "title": "capture",
        "description": visible(f"not compared: {reason}"),
        "methods": ["UNKNOWN"],
        "subjects": [_subject(host)],
        "collected": collected,
    }


def _risk(cause: VerdictCause, observation: Data) -> Data:
    """The waiver of a difference."""
    waiver = cause.verdict.waiver
    assert waiver is not None
    return {
        "uuid": _uuid("risk", observation["uuid"]),
        "title": f"known difference of {cause.verdict.setting}",
        "description": visible(waiver_text(waiver)),
        "statement": visible(waiver.because),
        "status": "open" if waiver.is_expired else "deviation-approved",
        **({"deadline": f"{waiver.until}T23:59:59Z"} if waiver.until else {}),
        "related-observations": [{"observation-uuid": observation["uuid"]}],
    }


def _findings(
    causes: Iterable[VerdictCause], observations: dict[VerdictCause, Data], risks: dict[VerdictCause, Data]
) -> Iterator[Data]:
    """A finding for each setting of each policy."""
    by_setting: dict[tuple[str, str], list[VerdictCause]] = {}
    for cause in causes:
        by_setting.setdefault((cause.policy, cause.verdict.setting), []).append(cause)
    for (policy, setting), setting_causes in by_setting.items():
        states = {cause.verdict.state for cause in setting_causes}
        is_satisfied = states <= {OK, NOT_APPLICABLE}
        reason = "pass" if is_satisfied else "fail" if states & DIFFERENCES else "other"
        related = [observations[cause]["uuid"] for cause in setting_causes]
        known = [risks[cause]["uuid"] for cause in setting_causes if cause in risks]
        yield {
            "uuid": _uuid("finding", *related),
            "title": visible(f"{setting} of {policy}"),
            "description": visible(
                "; ".join(dict.fromkeys(verdict_text(cause.verdict) for cause in setting_causes))
            ),
            "target": {
                "type": "objective-id",
                "target-id": setting,
                "status": {"state": "satisfied" if is_satisfied else "not-satisfied", "reason": reason},
            },
            "related-observations": [{"observation-uuid": uuid} for uuid in related],
            **({"related-risks": [{"risk-uuid": uuid} for uuid in known]} if known else {}),
        }
