"""The measurements of a source as pictures, one for each place in it.

Figures of one place share the conditions that were held; what they have in common is text beside the picture. A row is
what was measured, on what. If settings differ between the figures of a place, each combination of their values is a
series with its own colour, so that a table of watts by load, SMT and Turbo has a row for each load, and a point for
each setting of the two. An effect (`vary`) has a row that names what was changed, and from what.
"""

import re
from collections.abc import Iterable, Iterator

from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.drawing import (
    COLOURS,
    Columns,
    PlotMark,
    PlotPanel,
    PlotRow,
    drawn,
    lines_of,
    marks_of,
    scale_of,
)
from setpoint.compiler.render.figures import pairs_text
from setpoint.compiler.render.words import conditions_held, figure_of, varied_of
from setpoint.compiler.resolution.figures import by_place, in_common

COLUMNS = Columns(6.8, 2.3, 1.2)
IN_LABEL = 30
"""The maximum number of characters in a line of a label."""


NUMBERS = re.compile(r"[\d.]+(?: to [\d.]+)?")
"""The value of a label that says nothing without the label's name."""


class SourcePlot(NamedTuple):
    """A picture as SVG, with the text that belongs to it: the place, what all figures have in common, what was held,
    and the note."""

    at: str
    common: str
    held: str
    note: str
    picture: str


def source_plots(knowledge: Knowledge, figures: Iterable[Measurement]) -> Iterator[SourcePlot]:
    """The pictures of the figures of one source, in the order of its file; none for places that give no numbers."""
    for together in by_place(sorted(figures, key=lambda figure: (figure.span, figure.name))):
        if not any(figure.low for figure in together):
            continue
        first = together[0]
        labels = tuple(pair for pair in first.labels if all(pair in figure.labels for figure in together))
        common = (*in_common(together, ""), *labels)
        panels = tuple(source_panels(knowledge, together, common))
        yield SourcePlot(
            first.citation.at,
            pairs_text(common),
            conditions_held(first),
            first.remarks,
            drawn(f"{first.citation.source}, {first.citation.at}", (), panels, (), COLUMNS),
        )


def source_panels(
    knowledge: Knowledge, together: tuple[Measurement, ...], common: tuple[tuple[str, str], ...]
) -> Iterator[PlotPanel]:
    """The panels of the figures of one place, one for each scale."""
    scales: dict[str, list[Measurement]] = {}
    for figure in together:
        scales.setdefault(scale_of(figure), []).append(figure)
    for scale, figures in scales.items():
        series = {
            figure: pairs_text(
                pair for pair in figure.when if pair[0] in knowledge.settings and pair not in common
            )
            for figure in figures
        }
        colours = dict(zip(dict.fromkeys(series.values()), COLOURS, strict=False))
        is_comparison = 1 < len(colours) == len(set(series.values()))
        rows: dict[str, list[PlotMark]] = {}
        texts: dict[str, list[Measurement]] = {}
        for figure in figures:
            on = [pair for pair in figure.when if not (is_comparison and pair[0] in knowledge.settings)]
            label = _label(figure, [pair for pair in (*on, *figure.labels) if pair not in common])
            colour = colours[series[figure]] if is_comparison else COLOURS[0]
            rows.setdefault(label, []).extend(marks_of(figure, colour))
            texts.setdefault(label, []).append(figure)
        yield PlotPanel(
            (),
            scale,
            tuple(
                PlotRow(tuple(lines_of(label, IN_LABEL)), _range(texts[label]), tuple(marks))
                for label, marks in rows.items()
            ),
            tuple((name or "neither", colour) for name, colour in colours.items()) if is_comparison else (),
        )


def _label(measurement: Measurement, on: Iterable[tuple[str, str]]) -> str:
    """What a row is about: the change, then on what it was measured. A number needs its name; other values speak for
    themselves."""
    changed = f"{measurement.varied[0]} {varied_of(measurement)}" if measurement.varied else ""
    values = ", ".join(f"{name} {value}" if NUMBERS.fullmatch(value) else value for name, value in on)
    return ": ".join(filter(None, (changed, values))) or measurement.metric


def _range(row: list[Measurement]) -> str:
    """The figures of a row: one as its source prints it, else the least and the greatest."""
    if len(row) == 1:
        return figure_of(row[0])
    numbers = sorted({text for figure in row for text in (figure.low, figure.high) if text}, key=float)
    return f"{numbers[0]} to {numbers[-1]}" if numbers else ""
