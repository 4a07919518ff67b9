"""A plan beside a captured server: what its artifacts change there, what they find right, and what stays as somebody else left it."""

from collections.abc import Iterator
from typing import Any

from setpoint.compiler.plan.model import Plan
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import visible
from setpoint.compiler.render.words import count
from setpoint.compiler.verification.model import (
    DIFFERENCES,
    LOCKED,
    OK,
    PENDING,
    UNDECIDED,
    HostVerdicts,
    SettingVerdict,
)

HEADS = ("setting", "found", "pending", "planned", "")


def plan_against_text(plan: Plan, found: HostVerdicts, width: int) -> str:
    """The settings in groups: what changes with a restart and at once, what waits, what is assumed and is not so, what is not known."""
    # Artifacts remove arguments that the plan leaves at the kernel's default.
    written = {each.setting for each in plan.settings if each.unwritten != "default" or each.layer == "boot"}
    mine = [each for each in found.verdicts if each.setting in written]
    others = [each for each in found.verdicts if each.setting not in written]
    differ = [each for each in mine if each.state in DIFFERENCES and each.state != PENDING]
    groups = {
        "changes, and needs a restart": [each for each in differ if each.layer != "os"],
        "changes at once": [each for each in differ if each.layer == "os"],
        "waits for a restart": [each for each in mine if each.state == PENDING],
        "left over, or not as the plan assumes; nothing writes it": [
            each for each in others if each.state in DIFFERENCES
        ],
        "not known": [each for each in mine if each.state in UNDECIDED],
    }
    right = sum(each.state == OK for each in mine)
    lines = [visible(f"{found.policy} on {found.host}: {_counts(groups, right)}") + "\n"]
    for title, verdicts in groups.items():
        if verdicts:
            lines += [f"\n{title}\n", table([HEADS, *map(_row, verdicts)], width)]
    if found.notes:
        lines += ["\nstaged by somebody else\n", *(paragraph(visible(note), width) for note in found.notes)]
    return "".join(lines)


def _counts(groups: dict[str, list[SettingVerdict]], right: int) -> str:
    restart, now, waits, others, unknown = (len(each) for each in groups.values())
    parts = [
        f"{count(restart, 'change')} with a restart" if restart else "",
        f"{count(now, 'change')} at once" if now else "",
        f"{waits} pending" if waits else "",
        f"{others} left over" if others else "",
        f"{unknown} not known" if unknown else "",
        f"{right} right already",
    ]
    return ", ".join(filter(None, parts))


def _row(verdict: SettingVerdict) -> tuple[str, ...]:
    why = verdict.reason if verdict.state != LOCKED else f"locked: {verdict.reason}"
    found = "not known" if verdict.found is None else verdict.found
    cells = (verdict.setting, found, verdict.pending or "", verdict.wanted, why)
    return tuple(visible(cell) for cell in cells)


def against_json(found: HostVerdicts) -> dict[str, Any]:
    """What was found on a server, as a field of the plan's JSON: a row for each setting by name, and the notes."""
    return {
        "host": found.host,
        "settings": {each.setting: dict(_fields(each)) for each in found.verdicts},
        "notes": list(found.notes),
    }


def _fields(verdict: SettingVerdict) -> Iterator[tuple[str, Any]]:
    yield from (("found", verdict.found), ("pending", verdict.pending), ("wanted", verdict.wanted))
    yield from (("state", verdict.state), ("locked", verdict.state == LOCKED), ("reason", verdict.reason))
    yield from (("restart", _restarts(verdict)), ("decided_by", verdict.decided), ("change", verdict.change))


def _restarts(verdict: SettingVerdict) -> bool:
    """Whether the planned value comes into effect by a restart."""
    return verdict.state in DIFFERENCES and (verdict.layer != "os" or verdict.state == PENDING)
