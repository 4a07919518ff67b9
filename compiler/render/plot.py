"""The measurements of a setting as a picture: the figures that `explain` lists, place by place in their sources.

Each place is a panel, or several if it has figures of different kinds or units, which share no scale. A panel is headed
by what its figures have in common, and what was held; each row says what was varied, or the value of the setting.
`drawing` draws it.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.knowledge.load import measurements
from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.drawing import (
    COLOURS,
    Columns,
    PlotPanel,
    PlotRow,
    drawn,
    lines_of,
    marks_of,
    scale_of,
)
from setpoint.compiler.render.figures import compared, none_here, not_shown, pairs_text
from setpoint.compiler.render.words import NO_FIGURE, conditions_held, figure_of, voice_of
from setpoint.compiler.resolution.figures import by_place, in_common, relevant

IN_HEAD, IN_LABEL = 118, 42
"""The maximum number of characters in a line of a heading, and of a label."""


def plot(knowledge: Knowledge, plan: Plan, decision: Decision) -> str:
    """The figures that are relevant to a decision, as SVG; "" if there are none."""
    shown, rest = relevant(knowledge, plan, decision, [*measurements(), *knowledge.measurements])
    if not shown:
        return ""
    title = f"Measurements of {decision.setting} ({decision.title})"
    elsewhere = none_here(knowledge, plan, shown)
    has = f"{plan.policy} has {decision.value}: {voice_of(decision.cause)}"
    more = not_shown(knowledge, rest) if rest else ""
    return drawn(
        title,
        [*lines_of(has, IN_HEAD), *lines_of(elsewhere and f"{elsewhere}.", IN_HEAD)],
        tuple(panels(knowledge, decision.setting, shown)),
        lines_of(more, IN_HEAD),
        Columns(),
    )


def panels(knowledge: Knowledge, setting: str, shown: Iterable[Measurement]) -> Iterator[PlotPanel]:
    """The panels of these figures."""
    for together in by_place(shown):
        first, common = together[0], in_common(together, setting)
        texts = (
            f"{first.citation.source}, {first.citation.at}",
            pairs_text(common),
            f"held: {conditions_held(first)}" if first.held else "",
            f"computed from {first.computed}" if first.computed else "",
            f"note: {first.note}" if first.note else "",
        )
        head = tuple(line for text in texts for line in lines_of(text, IN_HEAD))
        scales: dict[str, list[Measurement]] = {}
        for figure in together:
            scales.setdefault(scale_of(figure), []).append(figure)
        for scale, figures in scales.items():
            rows = tuple(_row(knowledge, setting, figure, common) for figure in figures)
            yield PlotPanel(head, scale, rows)
            head = ()


def _row(
    knowledge: Knowledge, setting: str, measurement: Measurement, common: tuple[tuple[str, str], ...]
) -> PlotRow:
    rest = [pair for pair in measurement.when if pair[0] != setting and pair not in common]
    words = (compared(measurement, setting), pairs_text((*measurement.labels, *rest)))
    return PlotRow(
        tuple(lines_of(": ".join(filter(None, words)), IN_LABEL)),
        figure_of(measurement) or NO_FIGURE,
        marks_of(measurement, _colour(knowledge, setting, measurement)),
    )


def _colour(knowledge: Knowledge, setting: str, measurement: Measurement) -> str:
    """The colour of a value of the setting; that of the first for what compares values."""
    value = dict((*measurement.when, *measurement.held)).get(setting, "")
    values = knowledge.variables[setting].values
    return COLOURS[values.index(value) % len(COLOURS)] if value in values else COLOURS[0]
