"""A plan on one screen: the values that artifacts set, one line each, with who recommends it, and what to mind.

The rest is counted, since nobody needs to do anything about it: what stays at the vendor's default, what is left to the
system, and advice that lost to other advice. `plan_text` lists it, and gives each reason in full. Of a place in a
source the parts are printed that fit into the line. Names of sources, what the policy says, and the strength of the
evidence are wrapped, never cut.
"""

import re

from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Cause, Decision, Loser, Plan
from setpoint.compiler.render.grouping import Grouped, by_layer
from setpoint.compiler.render.plan_text import (
    evidence_and_reboot,
    heading,
    names_and_values,
    registry_text,
    what_follows,
)
from setpoint.compiler.render.table import GAP, INDENT, LEAST_LAST, paragraph, table
from setpoint.compiler.render.visible import visible_lines
from setpoint.compiler.render.words import (
    DEFAULT,
    FIXED_HERE,
    LAYER_TITLES,
    TAKES_EFFECT,
    assumption_notes,
    count,
    loser_reason,
    overridden,
    place,
    source_of,
    value_notes,
    weighed,
    why_not_written,
)

SPACES = ((INDENT, GAP), (1, GAP), (1, 1))
"""The spaces before the first column and between columns, the usual ones first."""

PART = re.compile("[,;] ")
"""What is between two parts of a place."""


def plan_brief(judged: Judged, width: int = 110) -> str:
    """The plan, ended by a line break; `width` in characters."""
    plan = judged.plan
    layers = by_layer(plan)
    parts = [heading(judged), _facts(plan, width), registry_text(plan, width)]
    parts += [_layer(layer, groups, width) for layer, groups in layers.items()]
    parts += [
        *what_follows(judged, width),
        _unset(tuple(layers.values()), width) + evidence_and_reboot(plan, width),
    ]
    return visible_lines("\n".join(part for part in parts if part))


def _facts(plan: Plan, width: int) -> str:
    """The facts in one line for each way of knowing them, stated ones first."""
    known: dict[str, list[str]] = {"stated": []}
    for fact in plan.facts:
        known.setdefault(fact.origin, []).append(f"{fact.name} {fact.text}")
    rows = [(origin, ", ".join(facts)) for origin, facts in known.items() if facts]
    return table(rows, width) + "".join(paragraph(f"{note}.", width) for note in assumption_notes(plan))


def _layer(layer: str, groups: Grouped, width: int) -> str:
    """The values of a layer that artifacts or the policy set; "" if there are none."""
    listed = groups.listed
    if not listed and not groups.locked:
        return ""
    columns = ([d.setting for d in listed], [d.value for d in listed])
    wide = sum(max(map(len, column), default=0) for column in columns)
    indent, gap = _spaces(listed, width - wide)
    room = max(LEAST_LAST, width - wide - indent - 2 * gap)
    rows = []
    for decision in listed:
        rows.append((decision.setting, decision.value, _why(decision, room)))
        if decision.origin == "set":
            lost = dict.fromkeys(_lost(loser, decision) for loser in overridden(decision))
            rows += [("", "", text) for text in lost]
    text = f"{LAYER_TITLES[layer]} (takes effect {TAKES_EFFECT[layer]})\n" + table(
        rows, width, indent, gap=gap
    )
    text += "".join(paragraph(f"note: {note}", width) for note in value_notes(listed))
    return text + names_and_values("set by profile", groups.locked, width)


def _spaces(listed: list[Decision], room: int) -> tuple[int, int]:
    """The spaces before a layer's values and between columns: fewer if sources with their weights then fit."""
    least = max((len(who_says(d.because[0], 0)) for d in listed if d.because[0].citation), default=0)
    fitting = (spaces for spaces in SPACES if spaces[0] + 2 * spaces[1] + least <= room)
    return next(fitting, SPACES[0])


def _why(decision: Decision, room: int) -> str:
    """The source of a value and its evidence; in full if nothing sets it, or the policy gives the reason."""
    cause = decision.because[0]
    if reason := why_not_written(decision):
        return f"{weighed(source_of(cause), cause.weight)}; {reason}"
    return who_says(cause, room)


def who_says(cause: Cause, room: int) -> str:
    """The source of a value with its weight, and the place in the room that is left; in full for the policy."""
    if cause.kind == "default":
        return DEFAULT
    if cause.kind == "set" or cause.citation is None:
        return source_of(cause)
    weight = f" ({cause.weight})" if cause.weight else ""
    left = room - len(weight)
    return _cut(place(*cause.citation, cause.profile), cause.source, left) + weight


def _lost(loser: Loser, decision: Decision) -> str:
    """Advice that the policy overrides, without its place: `overrides on (dell-12g-tuning): the policy sets it`."""
    who = f" ({loser.citation.source})" if loser.citation else ""
    return f"overrides {loser.value}{who}: {loser_reason(loser, decision.value)}"


def _cut(text: str, source: str, room: int) -> str:
    """A source, and of its place the parts for which there is room, as half of one helps nobody."""
    if len(text) <= room:
        return text
    ends = [match.start() for match in PART.finditer(text) if len(source) <= match.start() <= room]
    return text[: ends[-1]] if ends else source


def _unset(layers: tuple[Grouped, ...], width: int) -> str:
    """How many settings nothing is done about, how many values override other advice, and how to see them."""
    beating = [d for layer in layers for d in layer.listed if d.origin != "set" and overridden(d)]
    numbers = (
        (sum(len(layer.defaulted) for layer in layers), "stays", "stay", "at the vendor's default"),
        (sum(len(layer.to_system) for layer in layers), "is", "are", "left to the system"),
        (sum(len(layer.unknown) for layer in layers), "is", "are", "not managed"),
        (sum(len(layer.fixed) for layer in layers), "is", "are", FIXED_HERE),
        (len(beating), "overrides", "override", "other advice"),
    )
    said = [
        (number, f"{singular if number == 1 else plural} {what}")
        for number, singular, plural, what in numbers
        if number
    ]
    if not said:
        return ""
    (number, first), *rest = said
    parts = [f"{count(number, 'setting')} {first}", *(f"{number} {what}" for number, what in rest)]
    return paragraph(f"{', '.join(parts)}: `--all` lists them, with every reason in full.", width, 0)
