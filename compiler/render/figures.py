"""Figures as text: those that are relevant to a setting, place by place in their sources.

What figures of one table have in common is shown once, above them. Omitted figures are counted, and their places named.
"""

from collections.abc import Iterable
from typing import NamedTuple

from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import distinct
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.words import conditions_held, measured_of, varied_of
from setpoint.compiler.resolution.figures import relevant


@distinct
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
    groups: dict[tuple[object, ...], list[Measurement]] = {}
    for each in shown:
        groups.setdefault((each.citation, each.held, each.note), []).append(each)
    parts = [_group(group, name, width) for group in groups.values()]
    parts += [_more(knowledge, rest, width)] if rest else []
    text = f"\nMeasurements of {name}\n" + "\n".join(parts) if parts else ""
    return Figures(text, frozenset(m.citation.source for m in shown))


def _group(group: list[Measurement], name: str, width: int) -> str:
    """Figures from one place in a source, with what they need to be understood: what was held constant, and the note."""
    first = group[0]
    common = [pair for pair in first.when if pair[0] != name and all(pair in m.when for m in group)]
    place = f"[{first.citation.source}, {first.citation.at}]"
    text = paragraph(f"{place} {_pairs_text(common)}", width)
    rows = [row for m in group for row in _figure(m, name, common)]
    text += table(rows, width, 4)
    below = ("held", conditions_held(first)), ("note", first.note)
    return text + "".join(paragraph(f"{what}: {words}", width, 4) for what, words in below if words)


def _figure(measurement: Measurement, name: str, common: list[tuple[str, str]]) -> Iterable[tuple[str, ...]]:
    of = [value for variable, value in measurement.when if variable == name]
    of += [f"{value}, held" for variable, value in measurement.held if variable == name]
    rest = [pair for pair in measurement.when if pair[0] != name and pair not in common]
    yield (
        varied_of(measurement) or ", ".join(of),
        measurement.metric,
        measured_of(measurement),
        _pairs_text((*measurement.labels, *rest)),
    )
    if measurement.varied:
        yield "", "", "", f"measurement: {measurement.name}"


def _pairs_text(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{variable} {value}" for variable, value in pairs)


def _more(knowledge: Knowledge, rest: tuple[Measurement, ...], width: int) -> str:
    """The number of figures that are not shown, and how to see them."""
    sources = [knowledge.sources[name] for name in sorted({m.citation.source for m in rest})]
    names = (s.name if s.layer == "stdlib" else f"{s.name} (in {s.span.file})" for s in sources)
    return paragraph(f"{len(rest)} more, which `setpoint kb show SOURCE` shows: {', '.join(names)}", width)
