"""Results of analysing a knowledge base as text and as JSON: a proof, a difference, coverage."""

from typing import Any

from setpoint.compiler.knowledge.results import (
    CoverageShare,
    KindChanges,
    KnowledgeDifference,
    Proof,
    ProofStatistics,
)
from setpoint.compiler.plan.as_json import diagnostics_json
from setpoint.compiler.render.table import wrap
from setpoint.compiler.render.visible import json_text, visible_lines


def figures_text(figures: ProofStatistics) -> str:
    """The extent of a proof, in three lines."""
    return (
        f"{figures.contexts:,} contexts in {figures.situations:,} situations: {figures.settings} settings in "
        f"{figures.parts} parts, {figures.rules} rules,\n{figures.constraints} constraints, "
        f"{figures.presets} tables of profiles, {figures.hazards} hazards\n"
        f"every single set in every situation: {figures.plans:,} plans, {figures.conflicts:,} conflicts that "
        "constraints explain\n"
    )


def overridden_text(names: tuple[str, ...], width: int) -> str:
    """The library's rules that a site overrides; nothing if there are none."""
    if not names:
        return ""
    number = f"{len(names)} rule{'s' * (len(names) != 1)} of the library"
    lines = _list(f"overridden everywhere by this site, {number}:", names, width)
    return visible_lines("\n".join(lines) + "\n")


def verdict(proof: Proof) -> str:
    """The result in one line."""
    number = len(proof.findings)
    result = f"{number} finding{'s' * (number != 1)}" if number else "no findings"
    return f"{result} in {proof.statistics.seconds:.1f} s\n"


def proof_json(proof: Proof) -> str:
    """Findings and figures."""
    data: dict[str, Any] = {
        "schema": "setpoint.kb-check/1",
        "figures": proof.statistics._asdict(),
        "overruled": list(proof.overridden),
        "diagnostics": diagnostics_json(proof.findings),
    }
    data["figures"]["seconds"] = round(proof.statistics.seconds, 1)
    return json_text(data)


def difference_text(difference: KnowledgeDifference, width: int) -> str:
    """The changed statements, then their effects setting by setting."""
    lines = []
    for listed in difference.statements:
        for how, names in (("new", listed.added), ("gone", listed.dropped)):
            if names:
                lines += _list(f"{listed.kind}, {how}: {len(names)}", names, width)
        if listed.changed:
            lines.append(f"{listed.kind}, changed: {len(listed.changed)}")
        for name, fields in listed.changed:
            lines.append(f"  {name}")
            for field in fields:
                change_text = f"{field.field}: {field.old or '-'} -> {field.new or '-'}"
                lines += [f"    {line}" for line in wrap(change_text, width - 4)]
    if lines:
        lines.append("")
    before = ""
    for change in difference.changes:
        if change.setting != before:
            lines.append(change.setting)
            before = change.setting
        lines.append(
            f"  {change.old.value} -> {change.new.value}  in {change.contexts:,} of {difference.contexts:,} contexts"
        )
        for side, held in (("was", change.old), ("now", change.new)):
            if held.by:
                lines.append(f"    {side} by {', '.join(held.by)}")
        lines.append(f"    for example: {change.example}")
    settings = len({change.setting for change in difference.changes})
    if difference.changes:
        lines += [
            "",
            f"{settings} setting{'s' * (settings != 1)} changed, in {difference.contexts:,} contexts compared",
        ]
    else:
        lines.append(f"no value changes, in any of the {difference.contexts:,} contexts compared")
    return visible_lines("\n".join(lines) + "\n")


def _list(head: str, names: tuple[str, ...], width: int) -> list[str]:
    return [head, *(f"  {line}" for line in wrap(", ".join(names), width - 2))]


def difference_json(difference: KnowledgeDifference) -> str:
    """The same as JSON, complete."""
    data = {
        "schema": "setpoint.kb-diff/1",
        "contexts": difference.contexts,
        "listed": [_listed_json(listed) for listed in difference.statements],
        "changes": [
            {**change._asdict(), "old": change.old._asdict(), "new": change.new._asdict()}
            for change in difference.changes
        ],
    }
    return json_text(data)


def _listed_json(listed: KindChanges) -> dict[str, Any]:
    return {
        **listed._asdict(),
        "changed": [name for name, _ in listed.changed],
        "fields": {name: [field._asdict() for field in fields] for name, fields in listed.changed},
    }


def coverage_text(shares: tuple[CoverageShare, ...], width: int) -> str:
    """For each kind, the share that is exercised, and the names of the rest."""
    lines = []
    for share in shares:
        done = share.total - len(share.idle)
        percent = 100 * done // share.total if share.total else 100
        lines += _list(f"{share.kind}s: {done} of {share.total} exercised ({percent}%)", share.idle, width)
    return visible_lines("\n".join(lines) + "\n")


def coverage_json(shares: tuple[CoverageShare, ...]) -> str:
    """The same as JSON."""
    data = {
        "schema": "setpoint.kb-coverage/1",
        "kinds": [share._asdict() for share in shares],
    }
    return json_text(data)
