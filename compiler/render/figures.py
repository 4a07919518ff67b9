"""Figures as text: those that are relevant to a setting, place by place in their sources.

What figures of one table have in common is shown once, above them. Omitted figures are counted, and their places named.
"""

from collections.abc import Iterable

from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.words import conditions_held, measured_of, varied_of
from setpoint.compiler.resolution.figures import by_place, hardware, in_common, nearest_elsewhere, relevant


class Figures(NamedTuple):
    """The figures that are shown, as text, and the names of their sources."""

    text: str
    sources: frozenset[str]


def figures(
    knowledge: Knowledge, plan: Plan, decision: Decision, evidence: Iterable[Measurement], width: int
) -> Figures:
    """The figures that are relevant to a decision, nearest first; their text is "" if there are none."""
    name = decision.setting
    shown, rest = relevant(knowledge, plan, decision, evidence)
    elsewhere = none_here(knowledge, plan, shown)
    parts = [paragraph(f"{elsewhere}.", width)] if elsewhere else []
    parts += [_group(group, name, width) for group in by_place(shown)]
    parts += [paragraph(not_shown(knowledge, rest), width)] if rest else []
    text = f"\nMeasurements of {name}\n" + "\n".join(parts) if parts else ""
    return Figures(text, frozenset(m.citation.source for m in shown))


def _group(group: tuple[Measurement, ...], name: str, width: int) -> str:
    """Figures from one place in a source, with what was held constant, and the note."""
    first = group[0]
    common = in_common(group, name)
    place = f"[{first.citation.source}, {first.citation.at}]"
    text = paragraph(f"{place} {pairs_text(common)}", width)
    rows = [row for m in group for row in _figure(m, name, common)]
    text += table(rows, width, 4)
    below = (
        ("held", conditions_held(first)),
        ("computed from", first.computed),
        ("note", first.note),
    )
    return text + "".join(paragraph(f"{what}: {words}", width, 4) for what, words in below if words)


def _figure(
    measurement: Measurement, name: str, common: tuple[tuple[str, str], ...]
) -> Iterable[tuple[str, ...]]:
    rest = [pair for pair in measurement.when if pair[0] != name and pair not in common]
    yield (
        compared(measurement, name),
        measurement.metric,
        measured_of(measurement),
        pairs_text((*measurement.labels, *rest)),
    )
    if measurement.varied:
        yield "", "", "", f"measurement: {measurement.name}"


def none_here(knowledge: Knowledge, plan: Plan, figures: Iterable[Measurement]) -> str:
    """That none of these figures is of the plan's hardware, and of which the nearest is; "" if one is."""
    nearest = nearest_elsewhere(knowledge, plan, figures)
    if nearest is None:
        return ""
    names = hardware(knowledge)
    here = pairs_text((fact.name, fact.value) for fact in plan.facts if fact.name in names)
    there = pairs_text(pair for pair in nearest.when if pair[0] in names)
    place = f"{nearest.citation.source}, {nearest.citation.at}"
    return f"No figure was measured on this hardware ({here}). The nearest: {there} [{place}]"


def compared(measurement: Measurement, setting: str) -> str:
    """What a figure compares: `on against off`; else the value of the setting that it is about: `on`, or `on, held`."""
    of = [value for variable, value in measurement.when if variable == setting]
    of += [f"{value}, held" for variable, value in measurement.held if variable == setting]
    return varied_of(measurement) or ", ".join(of)


def pairs_text(pairs: Iterable[tuple[str, str]]) -> str:
    """Conditions in words: `cpu nehalem, sockets 2`."""
    return ", ".join(f"{variable} {value}" for variable, value in pairs)


def not_shown(knowledge: Knowledge, rest: tuple[Measurement, ...]) -> str:
    """The number of figures that are not shown, and how to see them."""
    sources = [knowledge.sources[name] for name in sorted({m.citation.source for m in rest})]
    names = (s.name if s.layer == "stdlib" else f"{s.name} (in {s.span.file})" for s in sources)
    return f"{len(rest)} more, which `setpoint kb show SOURCE` shows: {', '.join(names)}"
