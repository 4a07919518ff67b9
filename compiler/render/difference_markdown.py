"""Differences as Markdown, for a comment on a pull or merge request.

Readers have a minute and may never have seen Setpoint: so there is a headline, then for each policy the urgent items
(errors, hazards), the changed values and their causes, layer by layer, and how to roll the change out. Changes without
effect on servers, and long lists, are folded. Text from users stays text.
"""

from setpoint.compiler.plan.difference import (
    Comparison,
    FactChange,
    HazardChange,
    PolicyDifference,
    SettingChange,
    WaiverChange,
)
from setpoint.compiler.render.difference_settings import cause_text, cited, setting_value
from setpoint.compiler.render.difference_words import (
    PolicyGroup,
    error_lines,
    follows,
    hazard,
    headline,
    known,
    listed,
    same_changes,
    title,
    upgrade,
    waiver,
    waiver_reason,
)
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.markdown import source_line
from setpoint.compiler.render.words import LAYER_TITLES, TAKES_EFFECT, count

LONG = 12
"""How many rows a table shows without folding."""

MOST = 60_000
"""Characters. GitHub accepts comments of up to 65 536."""

FOOTER = (
    "<sub>*Why* names the part of this change that brings a value about, then who recommends the value: the source, the "
    "place in it, the weight of its evidence. `setpoint explain POLICY SETTING` explains it in full.</sub>\n"
)


def comparison_markdown(comparison: Comparison) -> str:
    """The whole comment, short enough for a forge; each policy that does not fit is mentioned in a line."""
    text = f"**Setpoint:** {escape(headline(comparison))}\n"
    if made := upgrade(*comparison.made_with):
        text += f"\nChanged as well: {prose(made)}.\n"
    if not comparison.differences:
        return text
    left_out: list[str] = []
    for group in same_changes(comparison):
        part = f"\n{_policy(group)}"
        if len(text) + len(part) > MOST:
            left_out += group.names
        else:
            text += part
    if left_out:
        names = listed([code(name) for name in left_out], 100)
        text += f"\nToo long to show here: {names}. `setpoint diff` shows them.\n"
    shown = (
        change for each in comparison.differences if each.status != "removed" for change in each.settings
    )
    named = {name for change in shown for name in cited(change)}
    sources = "".join(source_line(source) for source in comparison.sources if source.name in named)
    if sources:
        text += "\n" + folded(sources, "Sources")
    return f"{text}\n{FOOTER}"


def _policy(group: PolicyGroup) -> str:
    each = group.difference
    names = [code(name) for name in group.names]
    parts = [f"### {listed(names)} {escape(title(group))}\n"]
    if listed(names) != ", ".join(names):
        parts.append(folded(f"{', '.join(names)}.\n", f"All {len(names)} of them"))
    if each.errors:
        parts.append("".join(f"- **Error** {prose(error)}\n" for error in error_lines(each)))
    if each.hazards:
        parts.append("".join(map(hazard_item, each.hazards)))
    if each.waivers:
        parts.append("".join(map(waiver_item, each.waivers)))
    if each.facts and each.status != "removed":
        parts.append(fact_changes(each.facts))
    if each.status != "removed":
        parts += _settings(each)
    sentences = [escape(sentence) for sentence in follows(each)]
    sentences += [
        f"Combined effect: another {escape(e.name)}: **{escape(e.new)}**, was {escape(e.old)}."
        for e in each.effects
    ]
    if sentences:
        parts.append(" ".join(sentences) + "\n")
    return "\n".join(parts)


def hazard_item(change: HazardChange, status: str = "") -> str:
    """The change of a hazard, as an item of a list; `status` replaces what becomes of it."""
    mark = "**Hazard**" if change.new.state in ("stops", "warns", "unused") else "Hazard"
    text = (
        f"- {mark} {code(change.hazard)} {escape(status or hazard(change))}. It means: {escape(change.what)}."
    )
    if waiver_reason(change):
        text += f" The reason given: {escape(waiver_reason(change))}."
    elif change.new.state in ("stops", "warns") and change.new.help:
        text += f" What helps: {prose(change.new.help)}."
    return text + "\n"


def waiver_item(change: WaiverChange) -> str:
    """The change of a waiver of warnings, as an item of a list."""
    return f"- Waiver for {code(change.name)} {prose(waiver(change))}.\n"


def fact_changes(changes: tuple[FactChange, ...]) -> str:
    """The changes of facts, as a sentence."""
    facts = []
    for fact in changes:
        if fact.how and not fact.has_another_value:
            facts.append(
                f"{escape(fact.name)} {escape(fact.new)} ({escape(known(fact))}, was {fact.was_known})"
            )
            continue
        how = f" ({known(fact)})" if fact.how not in ("stated", "") else ""
        was = f", was {fact.old}" if fact.old else ""
        new = f"**{escape(fact.new)}**" if fact.new else "no longer known"
        facts.append(f"{escape(fact.name)} {new}{escape(was + how)}")
    return f"Facts: {'; '.join(facts)}.\n"


def _settings(each: PolicyDifference) -> list[str]:
    parts = []
    if each.acting:
        fold = len(each.acting) > LONG or each.status == "added"
        parts.append(folded(_table(each.acting), count(len(each.acting), "value"), fold))
    reasons = [c for c in each.settings if c.kind == "reason"]
    if reasons:
        parts.append(
            folded(_table(tuple(reasons)), f"{count(len(reasons), 'value')} as before, for another reason")
        )
    quiet = [c for c in each.settings if c.kind in ("left", "written-out", "default", "performed", "over")]
    if quiet:
        text = ", ".join(f"{code(c.setting)} {escape(c.new.value if c.new else '-')}" for c in quiet)
        parts.append(folded(f"{text}.\n", f"{count(len(quiet), 'change')} without effect on servers"))
    return parts


def _table(changes: tuple[SettingChange, ...]) -> str:
    text = head("Setting", "Before", "After", "Why")
    for layer, name in LAYER_TITLES.items():
        of_layer = [c for c in changes if c.either.layer == layer]
        if of_layer:
            text += row(f"**{name}**, {TAKES_EFFECT[layer]}", "", "", "")
            text += "".join(_row(change) for change in of_layer)
    return text


def _row(change: SettingChange) -> str:
    new = escape(setting_value(change.new))
    return row(
        code(change.setting),
        escape(setting_value(change.old)),
        f"**{new}**" if change.acts else new,
        escape(cause_text(change)),
    )


def folded(text: str, summary: str, fold: bool = True) -> str:
    """A text folded below its summary. The empty lines make its content Markdown again."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n</details>\n" if fold else text
