"""Differences as text for a terminal; the other forms have modules of their own."""

from collections.abc import Callable

from setpoint.compiler.plan.difference import ComparedHosts, Comparison, SettingChange
from setpoint.compiler.render.difference_groups import DifferenceGroup, ShownSetting, grouped_differences
from setpoint.compiler.render.difference_hosts import (
    about,
    becomes_of,
    gained_or_lost,
    hosts_headline,
    when,
    why_without,
    without_plan,
)
from setpoint.compiler.render.difference_json import comparison_json
from setpoint.compiler.render.difference_markdown import comparison_markdown
from setpoint.compiler.render.difference_words import (
    BECOMES,
    QUIET,
    error_lines,
    follows,
    headline,
    known_text,
    listed,
    still_stopped,
    title,
    unchanged,
    upgrade,
    value_text,
    waiver,
    waiver_reason,
)
from setpoint.compiler.render.hosts import named_hosts
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import visible, visible_lines
from setpoint.compiler.render.words import LAYER_TITLES

BESIDE = "|"
"""Between the values of two intents, of which neither is before the other."""

FEW = 3
"""For how many values another reason is shown; if there are more, only the names."""


def comparison_text(comparison: Comparison, width: int) -> str:
    """The comparison for a terminal; a sentence if nothing changes."""
    hosts, upgrades = comparison.hosts, upgrade(*comparison.made_with)
    groups = grouped_differences(comparison)
    if hosts is not None:
        changed = [group for group in groups if group.difference.status == "changed"]
        text = f"{upgrades}\n" if upgrades else ""
        text += _of_hosts(groups, hosts, width)
        return visible_lines(text + "".join(f"\n{_group(group, hosts, width)}" for group in changed))
    if not groups:
        verdict, how = unchanged(comparison)
        return visible_lines(f"{verdict.capitalize()}: {how}.\n" + (f"{upgrades}\n" if upgrades else ""))
    text = f"{upgrades}: {headline(comparison)}\n\n" if upgrades else ""
    text += "\n".join(_group(group, None, width) for group in groups)
    return visible_lines(text + (f"\n{still_stopped(comparison)}.\n" if comparison.unplanned else ""))


def _of_hosts(groups: tuple[DifferenceGroup, ...], hosts: ComparedHosts, width: int) -> str:
    """How many hosts change, which get a plan or lose theirs, and which have none."""
    text = paragraph(hosts_headline(groups, hosts), width, 0)
    for group in groups:
        if what := gained_or_lost(group, hosts):
            text += paragraph(f"{visible(named_hosts(group.names))}: {what}", width, 0)
            text += _risks(group, hosts, width)
    text += "".join(paragraph(visible(sentence), width, 0) for sentence in without_plan(hosts))
    return text + "".join(paragraph(f"{how}: {why}", width) for how, why in why_without(hosts))


def _group(group: DifferenceGroup, hosts: ComparedHosts | None, width: int) -> str:
    difference = group.difference
    sign = BESIDE if hosts and hosts.is_of_intents else BECOMES
    text = _heading(group, hosts, width)
    text += "".join(paragraph(f"error {error}", width) for error in error_lines(difference))
    text += _risks(group, hosts, width)
    if difference.facts:
        text += "  Facts\n"
        rows = [
            (f.name, value_text(f, sign), known_text(f) if sign == BECOMES else "") for f in difference.facts
        ]
        text += table(rows, width, indent=4)
    if difference.status != "removed":
        for layer, name in LAYER_TITLES.items():
            rows = [_row(c, sign) for c in group.settings if c.acts and c.layer == layer]
            text += f"  {name}\n{table(rows, width, indent=4)}" if rows else ""
        text += _quiet(group, width)
    stays = difference.hosts.stays if difference.hosts else ()
    text += "".join(paragraph(f"not undone: {why}", width) for _, why in stays)
    for effect in difference.effects:
        text += paragraph(f"combined effect: {effect.name} {effect.old} -> {effect.new}", width)
    return text + "".join(paragraph(sentence, width) for sentence in follows(difference))


def _heading(group: DifferenceGroup, hosts: ComparedHosts | None, width: int) -> str:
    """Which policies or hosts a group is about, and what happens to them."""
    if hosts is not None and group.hosts is not None:
        says = "; ".join(filter(None, (*about(group, hosts), when(group, hosts))))
        return paragraph(visible(named_hosts(group.names)), width, 0) + (
            paragraph(says, width) if says else ""
        )
    several = len(group.names) > 1
    text = f"{'Policies' if several else 'Policy'} {visible(listed(group.names))} {title(group)}\n"
    if several and listed(group.names) != ", ".join(group.names):
        text += paragraph(f"all of them: {', '.join(group.names)}", width)
    return text


def _risks(group: DifferenceGroup, hosts: ComparedHosts | None, width: int) -> str:
    """The hazards and waivers that change, or that come with a plan."""
    text = ""
    for change in group.hazards:
        text += paragraph(f"hazard {change.hazard} {becomes_of(change, hosts)}", width)
        text += paragraph(change.what, width, indent=4)
        if waiver_reason(change):
            text += paragraph(f"reason: {waiver_reason(change)}", width, indent=4)
    for waived in group.waivers:
        text += paragraph(f"waiver for {waived.name} {waiver(waived)}", width)
    return text


def _row(change: ShownSetting, sign: str = BECOMES) -> tuple[str, str, str]:
    before = f"{change.before} {sign} " if change.acts else ""
    return change.setting, before + change.after, change.why


def _quiet(group: DifferenceGroup, width: int) -> str:
    """The changes without effect on servers; if there are few other reasons, also these."""
    text = ""
    reasons = [c for c in group.settings if c.kind == "reason"]
    if 0 < len(reasons) <= FEW:
        text += f"  {QUIET['reason']}\n" + table([_row(c) for c in reasons], width, indent=4)
    for kind, name in QUIET.items():
        quiet = [c for c in group.difference.settings if c.kind == kind]
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
