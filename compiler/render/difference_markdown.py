"""Differences as Markdown, for a comment on a pull or merge request.

Readers have a minute and may never have seen Setpoint: so there is a headline, then for each policy, or for hosts that
change alike, the urgent items (errors, hazards), the changed values and their causes, layer by layer, and how to roll
the change out. Changes without effect on servers, and long lists, are folded. Text from users stays text.
"""

from collections.abc import Iterator

from setpoint.compiler.plan.difference import (
    ComparedHosts,
    Comparison,
    FactChange,
    HazardChange,
    WaiverChange,
)
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
from setpoint.compiler.render.difference_settings import cited
from setpoint.compiler.render.difference_words import (
    QUIET,
    error_lines,
    follows,
    headline,
    known,
    listed,
    title,
    upgrade,
    waiver,
    waiver_reason,
)
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.hosts import MOST_NAMED, number_of_hosts, some
from setpoint.compiler.render.markdown import source_line
from setpoint.compiler.render.words import LAYER_TITLES, TAKES_EFFECT, count

LONG = 12
"""How many rows a table shows without folding."""

MOST = 60_000
"""Characters. GitHub accepts comments of up to 65 536."""

MOST_LISTED = 500
"""How many hosts of one change a comment lists; a terminal has the first of them, and JSON all."""

FOOTER = (
    "<sub>*Why* names the part of this change that brings a value about, then who recommends the value: the source, the "
    "place in it, the weight of its evidence. `setpoint explain POLICY SETTING` explains it in full.</sub>\n"
)


def comparison_markdown(comparison: Comparison) -> str:
    """The comment, short enough for a forge: a line for each policy that does not fit, and hosts as numbers."""
    hosts = comparison.hosts
    groups = grouped_differences(comparison)
    text = f"**Setpoint:** {escape(hosts_headline(groups, hosts) if hosts else headline(comparison))}\n"
    if upgrades := upgrade(*comparison.made_with):
        text += f"\nChanged as well: {prose(upgrades)}.\n"
    if hosts is not None:
        items = "".join(_gained_and_lost(groups, hosts))
        text += f"\n{items}" if items else ""
        groups = tuple(group for group in groups if group.difference.status == "changed")
    elif not groups:
        return text
    left_out: list[str] = []
    for group in groups:
        part = f"\n{_group(group, hosts)}"
        if len(text) + len(part) > MOST:
            left_out += group.names
        else:
            text += part
    if left_out:
        what = listed([code(name) for name in left_out], 100)
        if hosts is not None:
            what = f"the changes of {escape(number_of_hosts(len({*left_out})))}"
        text += f"\nToo long to show here: {what}. `setpoint diff` shows them.\n"
    text += _sources(comparison, groups)
    has_why = hosts is None or any(group.settings for group in groups)
    return f"{text}\n{FOOTER}" if has_why else text


def _sources(comparison: Comparison, groups: tuple[DifferenceGroup, ...]) -> str:
    """The sources that the shown values name."""
    shown = (
        change
        for difference in (
            comparison.differences if comparison.hosts is None else (g.difference for g in groups)
        )
        if difference.status != "removed"
        for change in difference.settings
    )
    named = {name for change in shown for name in cited(change)}
    sources = "".join(source_line(source) for source in comparison.sources if source.name in named)
    return f"\n{folded(sources, 'Sources')}" if sources else ""


def _gained_and_lost(groups: tuple[DifferenceGroup, ...], hosts: ComparedHosts) -> Iterator[str]:
    """The items about hosts that get a plan or lose theirs, and those that have none."""
    for group in groups:
        if what := gained_or_lost(group, hosts):
            yield f"- {_named(group.names)}: {escape(what)}\n"
            yield from (f"  {item}" for items in _risks(group, hosts) for item in items)
    yield from (f"- {prose(sentence)}\n" for sentence in without_plan(hosts))
    yield from (f"  - {prose(how)}: {prose(why)}\n" for how, why in why_without(hosts))


def _named(hosts: tuple[str, ...]) -> str:
    """How many hosts, and the first of them."""
    return f"{escape(number_of_hosts(len(hosts)))}: {some(hosts, code)}"


def _group(group: DifferenceGroup, hosts: ComparedHosts | None) -> str:
    difference = group.difference
    parts = [*_heading(group, hosts)]
    if difference.errors:
        parts.append("".join(f"- **Error** {prose(error)}\n" for error in error_lines(difference)))
    parts += filter(None, ("".join(items) for items in _risks(group, hosts)))
    if difference.facts and difference.status != "removed":
        parts.append(_fact_changes(difference.facts, hosts))
    if difference.status != "removed":
        parts += _settings(group, hosts)
    if difference.hosts and difference.hosts.stays:
        parts.append("".join(f"- **Not undone:** {prose(why)}\n" for _, why in difference.hosts.stays))
    sentences = [escape(sentence) for sentence in follows(difference)]
    sentences += [
        f"Combined effect: another {escape(e.name)}: **{escape(e.new)}**, was {escape(e.old)}."
        for e in difference.effects
    ]
    if sentences:
        parts.append(" ".join(sentences) + "\n")
    if group.hosts and len(group.names) > MOST_NAMED:
        parts.append(_all_of_them(group.names))
    return "\n".join(parts)


def _heading(group: DifferenceGroup, hosts: ComparedHosts | None) -> Iterator[str]:
    """Which policies or hosts a group is about, and what happens to them."""
    if hosts is not None and group.hosts is not None:
        yield f"### {_named(group.names)}\n"
        effect = when(group, hosts)
        effect = f"**{effect}**" if group.difference.reboots else effect
        if says := [*map(escape, about(group, hosts)), *filter(None, [effect])]:
            yield "; ".join(says) + "\n"
        return
    names = [code(name) for name in group.names]
    yield f"### {listed(names)} {escape(title(group))}\n"
    if listed(names) != ", ".join(names):
        yield folded(f"{', '.join(names)}.\n", f"All {len(names)} of them")


def _all_of_them(hosts: tuple[str, ...]) -> str:
    more = len(hosts) - MOST_LISTED
    listed = ", ".join(map(code, hosts[:MOST_LISTED])) + (f" and {more:,} more." if more > 0 else "")
    return folded(f"{listed}\n", f"All {escape(number_of_hosts(len(hosts)))}")


def _risks(group: DifferenceGroup, hosts: ComparedHosts | None) -> tuple[list[str], list[str]]:
    """The changes of hazards, and those of waivers, as items of lists."""
    hazards = [_hazard_item(change, becomes_of(change, hosts)) for change in group.hazards]
    return hazards, [*map(_waiver_item, group.waivers)]


def _hazard_item(change: HazardChange, status: str) -> str:
    mark = "**Hazard**" if change.new.state in ("stops", "warns", "unused") else "Hazard"
    text = f"- {mark} {code(change.hazard)} {escape(status)}. It means: {escape(change.what)}."
    if waiver_reason(change):
        text += f" The reason given: {escape(waiver_reason(change))}."
    elif change.new.state in ("stops", "warns") and change.new.help:
        text += f" What helps: {prose(change.new.help)}."
    return text + "\n"


def _waiver_item(change: WaiverChange) -> str:
    return f"- Waiver for {code(change.name)} {prose(waiver(change))}.\n"


def _fact_changes(changes: tuple[FactChange, ...], hosts: ComparedHosts | None) -> str:
    """The changes of facts, as a sentence."""
    facts = []
    for fact in changes:
        if hosts and hosts.is_of_intents:
            facts.append(escape(f"{fact.name} {fact.old or '-'} in A, {fact.new or '-'} in B"))
            continue
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


def _settings(group: DifferenceGroup, hosts: ComparedHosts | None) -> Iterator[str]:
    acting = [c for c in group.settings if c.acts]
    if acting:
        fold = len(acting) > LONG or group.difference.status == "added"
        yield folded(_table(acting, hosts), count(len(acting), "value"), fold)
    reasons = [c for c in group.settings if c.kind == "reason"]
    if reasons:
        yield folded(_table(reasons, hosts), f"{count(len(reasons), 'value')} as before, for another reason")
    quiet = [c for c in group.difference.settings if c.kind in QUIET and c.kind != "reason"]
    if quiet:
        text = ", ".join(f"{code(c.setting)} {escape(c.new.value if c.new else '-')}" for c in quiet)
        yield folded(f"{text}.\n", f"{count(len(quiet), 'change')} without effect on servers")


def _table(changes: list[ShownSetting], hosts: ComparedHosts | None) -> str:
    is_of_intents = hosts is not None and hosts.is_of_intents
    text = head("Setting", *(("A", "B") if is_of_intents else ("Before", "After")), "Why")
    for layer, name in LAYER_TITLES.items():
        of_layer = [c for c in changes if c.layer == layer]
        if of_layer:
            effect = "" if is_of_intents else f", {TAKES_EFFECT[layer]}"
            text += row(f"**{name}**{effect}", "", "", "")
            text += "".join(_row(change) for change in of_layer)
    return text


def _row(change: ShownSetting) -> str:
    new = escape(change.after)
    after = f"**{new}**" if change.acts else new
    return row(code(change.setting), escape(change.before), after, escape(change.why))


def folded(text: str, summary: str, fold: bool = True) -> str:
    """A text folded below its summary. The empty lines make its content Markdown again."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n</details>\n" if fold else text
