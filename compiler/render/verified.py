"""What a verification found, for people and for machines: text grouped by cause, JSON, and JUnit's XML.

A fleet has one cause on many servers more often than many causes, so text and JSON have each cause once, with its
servers. Pipelines want a result for each server, which JUnit's XML has.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.render.junit import ERROR, FAILURE, SKIPPED, JUnitCase, JUnitSuite, junit
from setpoint.compiler.render.table import paragraph
from setpoint.compiler.render.visible import json_object, json_text, visible
from setpoint.compiler.render.words import count
from setpoint.compiler.verification.boot import ABSENT
from setpoint.compiler.verification.grouped import VerdictCause, Verification
from setpoint.compiler.verification.model import (
    DIFFERENCES,
    MEANINGS,
    NOT_APPLICABLE,
    OK,
    UNDECIDED,
    DifferenceWaiver,
    SettingVerdict,
)

SCHEMA = "setpoint.verify/2"

MOST_NAMED = 4
"""How many servers of a cause the text names."""

QUIET = (OK, NOT_APPLICABLE)
"""The states that the text lists only if asked."""


def verified_text(verification: Verification, width: int, everything: bool = False) -> str:
    """The verdicts by cause. Those that are as planned are counted, and listed with `everything`."""
    if not verification.hosts:
        return "no server was compared\n"
    parts = [_summary(verification)]
    for state, meaning in MEANINGS.items():
        causes = [cause for cause in verification.causes if cause.verdict.state == state]
        if not causes or (state in QUIET and not everything):
            continue
        parts.append(f"\n{state}: {meaning}\n")
        if state in UNDECIDED:
            parts.extend(_undecided_text(causes, verification, width))
        else:
            parts.extend(_cause_text(cause, verification, width) for cause in causes)
    if verification.notes:
        parts.append("\nbeside the settings\n")
        parts.extend(
            paragraph(visible(f"{note}{_on(hosts, verification)}"), width)
            for note, hosts in verification.notes.items()
        )
    return "".join(parts)


def _summary(verification: Verification) -> str:
    policies = Counter(verification.hosts.values())
    counts = ", ".join(f"{number:,} {state}" for state, number in verification.counts.items())
    lines = [
        f"{policy}: {count(number, 'server')}"
        if number > 1 or len(policies) > 1
        else f"{policy}: {_only(verification)}"
        for policy, number in sorted(policies.items())
    ]
    return visible("; ".join(lines)) + f"\n{counts or 'nothing to compare'}\n"


def _only(verification: Verification) -> str:
    return next(iter(verification.hosts), "")


def _cause_text(cause: VerdictCause, verification: Verification, width: int) -> str:
    verdict = cause.verdict
    shown = "" if verdict.found is None else f"found {verdict.found}, "
    pending = f", pending {verdict.pending}" if verdict.pending is not None else ""
    head = (
        f"{verdict.setting}: {shown}planned {planned_text(verdict)}{pending}{_on(cause.hosts, verification)}"
    )
    lines = [head, *_details(verdict)]
    return paragraph(visible(lines[0]), width) + "".join(
        paragraph(visible(line), width, 6) for line in lines[1:]
    )


def _undecided_text(causes: list[VerdictCause], verification: Verification, width: int) -> Iterator[str]:
    """What could not be decided, by what would decide it: a line for each setting."""
    by_change: dict[tuple[str, tuple[str, ...]], list[SettingVerdict]] = {}
    for cause in causes:
        by_change.setdefault((cause.verdict.change, cause.hosts), []).append(cause.verdict)
    for (change, hosts), verdicts in by_change.items():
        yield paragraph(visible(f"{change or 'nothing would show more'}{_on(hosts, verification)}"), width)
        for verdict in verdicts:
            shown = "" if verdict.found is None else f"found {verdict.found}, "
            reason = f"; {verdict.reason}" if verdict.reason else ""
            line = f"{verdict.setting}: {shown}planned {planned_text(verdict)}{reason}"
            yield paragraph(visible(line), width, 6)


def planned_text(verdict: SettingVerdict) -> str:
    """The planned value, as the policy and as the system have it."""
    same = verdict.value == verdict.wanted or verdict.layer == "boot"
    return verdict.wanted if same else f"{verdict.value} ({verdict.wanted})"


def _details(verdict: SettingVerdict) -> Iterator[str]:
    """The waiver, the reason and the readings of a verdict, who decided, and what would change it."""
    if verdict.waiver:
        yield waiver_text(verdict.waiver)
    yield from evidence_of(verdict)
    if verdict.decided and (verdict.state in DIFFERENCES or verdict.waiver):
        yield f"decided by: {verdict.decided}"
    if verdict.change:
        yield f"to change: {verdict.change}"


def evidence_of(verdict: SettingVerdict) -> Iterator[str]:
    """The reason and the readings of a verdict."""
    if verdict.reason:
        yield verdict.reason
    for reading in verdict.readings:
        text = "no such argument" if reading.text == ABSENT else reading.text or "nothing"
        yield f"{reading.kind}: {reading.place} has {text}"


def waiver_text(waiver: DifferenceWaiver) -> str:
    """What a waiver waives until when and why, or that it has expired."""
    if waiver.is_expired:
        return f"its waiver expired on {waiver.until}: {waiver.because}"
    until = f" until {waiver.until}" if waiver.until else " without expiry"
    return f"{waiver.state}, waived{until}: {waiver.because}"


def _on(hosts: tuple[str, ...], verification: Verification) -> str:
    """Which servers something is of, if there are several at all."""
    if len(verification.hosts) < 2:
        return ""
    if len(hosts) == len(verification.hosts):
        return " (all servers)"
    more = f" and {len(hosts) - MOST_NAMED:,} more" if len(hosts) > MOST_NAMED else ""
    return f" ({count(len(hosts), 'server')}: {', '.join(hosts[:MOST_NAMED])}{more})"


def verified_json(
    verification: Verification,
    made_with: MadeWith | None,
    refused: Iterable[tuple[str, str]],
    unneeded: Iterable[Diagnostic],
) -> str:
    """The same in form `setpoint.verify/2`; `refused` are the captures that were not compared, each with the reason,
    `unneeded` the waivers that have no effect (W0917).
    """
    return json_text(
        {
            "schema": SCHEMA,
            **({"made_with": made_with.document} if made_with else {}),
            "hosts": [{"host": host, "policy": policy} for host, policy in verification.hosts.items()],
            "counts": dict(verification.counts),
            "results": [_cause_json(cause) for cause in verification.causes],
            "notes": [{"text": note, "hosts": list(hosts)} for note, hosts in verification.notes.items()],
            "refused": [{"host": host, "reason": reason} for host, reason in refused],
            "unneeded_waivers": [
                json_object(diagnostic, "waiver=subject file=at.file line=at.line") for diagnostic in unneeded
            ],
        }
    )


def _cause_json(cause: VerdictCause) -> dict[str, Any]:
    verdict, waiver = cause.verdict, cause.verdict.waiver
    return {
        **json_object(verdict, "setting layer value wanted found pending state reason"),
        "readings": [reading._asdict() for reading in verdict.readings],
        **json_object(verdict, "decided_by=decided change"),
        **({"waiver": json_object(waiver, "because until? expired=is_expired state")} if waiver else {}),
        **json_object(cause, "policy hosts"),
    }


def verified_junit(verification: Verification, refused: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The same as JUnit's XML, piece by piece: a suite for each server, a case for each setting.

    What is not as planned is a failure, what is waived or could not be decided is skipped, and a capture that was not
    compared an error.
    """
    by_host: dict[str, list[SettingVerdict]] = {host: [] for host in verification.hosts}
    for cause in verification.causes:
        for host in cause.hosts:
            by_host[host].append(cause.verdict)
    compared = (
        JUnitSuite(host, (_case(verdict, verification.hosts[host]) for verdict in verdicts))
        for host, verdicts in by_host.items()
    )
    others = (JUnitSuite(host, (JUnitCase("capture", host, ERROR, reason),)) for host, reason in refused)
    return junit(chain(compared, others))


def _case(verdict: SettingVerdict, policy: str) -> JUnitCase:
    if verdict.state == OK:
        return JUnitCase(verdict.setting, policy)
    if verdict.state in DIFFERENCES:
        details = "\n".join(_details(verdict))
        return JUnitCase(verdict.setting, policy, FAILURE, verdict_text(verdict), verdict.state, details)
    return JUnitCase(verdict.setting, policy, SKIPPED, verdict_text(verdict))


def verdict_text(verdict: SettingVerdict) -> str:
    """A verdict in one sentence."""
    shown = "" if verdict.found is None else f"found {verdict.found}, "
    known = f"; {waiver_text(verdict.waiver)}" if verdict.waiver else ""
    return f"{verdict.state}: {shown}planned {planned_text(verdict)}{verdict.reason and f' ({verdict.reason})'}{known}"
