"""Differences as text for a terminal; the other forms have modules of their own."""

from collections.abc import Callable

from setpoint.compiler.plan.difference import Comparison, PolicyDifference, SettingChange
from setpoint.compiler.render.difference_json import comparison_json
from setpoint.compiler.render.difference_markdown import comparison_markdown
from setpoint.compiler.render.difference_settings import cause_text, setting_value
from setpoint.compiler.render.difference_words import (
    PolicyGroup,
    error_lines,
    follows,
    hazard,
    headline,
    known_text,
    listed,
    same_changes,
    still_stopped,
    title,
    unchanged,
    upgrade,
    value_text,
    waiver,
    waiver_reason,
)
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import visible, visible_lines
from setpoint.compiler.render.words import LAYER_TITLES

QUIET = {
    "reason": "same value, other reason",
    "left": "same value, no longer written since it is the vendor's default",
    "written-out": "same value, written out since no named profile has them all",
    "performed": "asked for as before, and not performed again where it has been performed",
    "over": "no longer asked for; what it has done stays",
    "default": "another vendor default, which nobody writes",
}
"""The kinds of change without effect on servers, and their names."""

FEW = 3
"""For how many values another reason is shown; if there are more, only the names."""


def comparison_text(comparison: Comparison, width: int) -> str:
    """The comparison for a terminal; a sentence if nothing changes."""
    made = upgrade(*comparison.made_with)
    if not comparison.differences:
        verdict, how = unchanged(comparison)
        return visible_lines(f"{verdict.capitalize()}: {how}.\n" + (f"{made}\n" if made else ""))
    text = f"{made}: {headline(comparison)}\n\n" if made else ""
    text += "\n".join(_policy(group, width) for group in same_changes(comparison))
    return visible_lines(text + (f"\n{still_stopped(comparison)}.\n" if comparison.unplanned else ""))


def _policy(group: PolicyGroup, width: int) -> str:
    each = group.difference
    several = len(group.names) > 1
    text = f"{'Policies' if several else 'Policy'} {visible(listed(group.names))} {title(group)}\n"
    if several and listed(group.names) != ", ".join(group.names):
        text += paragraph(f"all of them: {', '.join(group.names)}", width)
    text += "".join(paragraph(f"error {error}", width) for error in error_lines(each))
    for change in each.hazards:
        text += paragraph(f"hazard {change.hazard} {hazard(change)}", width)
        text += paragraph(change.what, width, indent=4)
        if waiver_reason(change):
            text += paragraph(f"reason: {waiver_reason(change)}", width, indent=4)
    for waived in each.waivers:
        text += paragraph(f"waiver for {waived.name} {waiver(waived)}", width)
    if each.facts:
        text += "  Facts\n"
        rows = [(f.name, value_text(f), known_text(f)) for f in each.facts]
        text += table(rows, width, indent=4)
    if each.status != "removed":
        for layer, name in LAYER_TITLES.items():
            changes = [c for c in each.acting if c.either.layer == layer]
            if changes:
                text += f"  {name}\n" + table([_row(c) for c in changes], width, indent=4)
        text += _quiet(each, width)
    for effect in each.effects:
        text += paragraph(f"combined effect: {effect.name} {effect.old} -> {effect.new}", width)
    return text + "".join(paragraph(sentence, width) for sentence in follows(each))


def _row(change: SettingChange) -> tuple[str, str, str]:
    before = f"{setting_value(change.old)} -> " if change.acts else ""
    return change.setting, before + setting_value(change.new), cause_text(change)


def _quiet(each: PolicyDifference, width: int) -> str:
    """The changes without effect on servers; if there are few other reasons, also these."""
    text = ""
    reasons = [c for c in each.settings if c.kind == "reason"]
    if 0 < len(reasons) <= FEW:
        text += f"  {QUIET['reason']}\n" + table([_row(c) for c in reasons], width, indent=4)
    for kind, name in QUIET.items():
        quiet = [c for c in each.settings if c.kind == kind]
        if quiet and (kind != "reason" or len(quiet) > FEW):
            text += paragraph(f"{name}: {', '.join(f'{c.setting} {_after(c)}' for c in quiet)}", width)
    return text


def _after(change: SettingChange) -> str:
    return change.new.value if change.new else "-"


FORMATS: dict[str, Callable[[Comparison, int], str]] = {
    "text": comparison_text,
    "markdown": lambda comparison, width: comparison_markdown(comparison),
    "json": lambda comparison, width: comparison_json(comparison),
}
