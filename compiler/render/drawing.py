"""Figures of measurements drawn as SVG: panels of rows, one below another, in a standard plotting library.

A panel has one scale, which includes zero, and a row for each thing that was measured. Panels of figures of one kind
have the same scale, so that equal figures are equally long. A figure is a point on a line from zero, and a range of
figures a bar; a row with several figures has a point for each, in colours that a legend names. A figure that the source
gives in words alone has a row as well.

matplotlib draws it (the extra `plots`). The picture has the same bytes each time: no date and no version in it, fixed
identifiers, and no style of the user's. Text is never read as a formula.
"""

import math
from collections.abc import Iterable
from io import StringIO
from textwrap import wrap
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from setpoint.compiler.knowledge.model import Measurement
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.visible import visible

EDGE, LINE, GAP, SCALE = 0.2, 0.16, 0.09, 0.42
"""In inches: the margin, the height of a line of text, the space around a row, and that of a scale below its panel."""

STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "svg.fonttype": "none",
    "svg.hashsalt": "setpoint",
    "text.parse_math": False,
    "axes.unicode_minus": False,
}

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""A colour for each value or series, which people who confuse red and green can tell apart (Okabe and Ito)."""

INK, QUIET = "#1c1e21", "#50565e"
PLAIN, BOLD = 400, 700


class Columns(NamedTuple):
    """The width of a picture in inches, and of the columns left and right of the scales."""

    width: float = 9.0
    labels: float = 3.5
    figures: float = 1.3


class PlotMark(NamedTuple):
    """A figure on a scale: from where to where it reaches, and its colour."""

    low: float
    high: float
    colour: str


class PlotRow(NamedTuple):
    """A row: the lines of its label, and its figures as text without unit and on the scale, none if unknown."""

    label: tuple[str, ...]
    figure: str
    marks: tuple[PlotMark, ...]

    @property
    def height(self) -> float:
        """Its height in inches."""
        return LINE * len(self.label) + GAP


class PlotPanel(NamedTuple):
    """Figures with one scale: the lines above it, the name of the scale, the rows, and the series that have colours."""

    head: tuple[str, ...]
    scale: str
    rows: tuple[PlotRow, ...]
    legend: tuple[tuple[str, str], ...] = ()

    @property
    def height(self) -> float:
        """The height of its rows in inches."""
        return sum(row.height for row in self.rows)


def lines_of(text: str, most: int) -> list[str]:
    """A text in lines of at most so many characters."""
    return wrap(visible(text), most, break_on_hyphens=False)


def marks_of(measurement: Measurement, colour: str) -> tuple[PlotMark, ...]:
    """A figure on its scale; empty if it has no number."""
    reach = tuple(float(text) for text in (measurement.low, measurement.high) if text)
    return (PlotMark(reach[0], reach[-1], colour),) if reach and all(map(math.isfinite, reach)) else ()


def scale_of(measurement: Measurement) -> str:
    """The name of the scale that a figure is on: `active-power in W`."""
    unit = f" in {measurement.unit}" if measurement.unit not in ("", "1") else ""
    return visible(measurement.metric + unit)


# ----------------------------------------------------------------------------------------- drawing


def drawn(
    title: str, above: Iterable[str], panels: tuple[PlotPanel, ...], below: Iterable[str], columns: Columns
) -> str:
    """The panels, one below another, as SVG, with lines `above` and `below`; the title is written with any above."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        parameters: Any = matplotlib.rcParams
        parameters.update(STYLE)
        opening, foot = list(above), list(below)
        opening = [title, *opening] if opening else []
        height = 2 * EDGE + LINE * (len(opening) + len(foot) + bool(foot)) + sum(map(_height, panels))
        figure = Figure(figsize=(columns.width, height))
        page = _Sheet(figure, height, columns)
        page.write(opening[:1], weight=BOLD)
        page.write(opening[1:])
        scales = _scales(panels)
        for panel in panels:
            if panel.head:
                page.skip(LINE)
            page.write(panel.head[:1], weight=BOLD)
            page.write(panel.head[1:], color=QUIET)
            if panel.legend:
                page.legend(panel.legend)
            page.skip(GAP)
            _draw(page.axes(panel.height), panel, scales[panel.scale])
            page.skip(SCALE)
        if foot:
            page.skip(LINE)
        page.write(foot, color=QUIET)
        text = StringIO()
        figure.savefig(
            text,
            format="svg",
            transparent=not opening,
            metadata={"Date": None, "Creator": None, "Title": title},
        )
    return text.getvalue()


def _height(panel: PlotPanel) -> float:
    """The height of a panel with its head, its legend and its scale, in inches."""
    return LINE * (bool(panel.head) + len(panel.head) + bool(panel.legend)) + GAP + panel.height + SCALE


class _Sheet:
    """A figure that is filled from the top; places are in inches."""

    def __init__(self, figure: Figure, height: float, columns: Columns) -> None:
        self.figure = figure
        self.height = height
        self.columns = columns
        self.top = EDGE

    def skip(self, inches: float) -> None:
        """Leave some space."""
        self.top += inches

    def write(self, lines: Iterable[str], color: str = INK, weight: int = PLAIN) -> None:
        """Write lines of text."""
        for line in lines:
            self.top += LINE
            self._text(EDGE, line, color, weight)

    def legend(self, series: tuple[tuple[str, str], ...]) -> None:
        """Write the names of series in one line, above the scale, each in its colour."""
        self.top += LINE
        share = (self.columns.width - self.columns.labels) / len(series)
        for number, (name, color) in enumerate(series):
            self._text(self.columns.labels + number * share, f"\u25cf {name}", color, PLAIN)

    def _text(self, left: float, line: str, color: str, weight: int) -> None:
        x, y = left / self.columns.width, 1 - self.top / self.height
        self.figure.text(x, y, line, color=color, weight=weight)

    def axes(self, height: float) -> Axes:
        """Axes of a height between the columns for labels and figures."""
        self.top += height
        all_, labels, figures = self.columns
        return self.figure.add_axes(
            (
                labels / all_,
                1 - self.top / self.height,
                (all_ - labels - figures) / all_,
                height / self.height,
            )
        )


def _scales(panels: tuple[PlotPanel, ...]) -> dict[str, list[float]]:
    """What each scale reaches, zero first: the figures of all panels that have it."""
    reached: dict[str, list[float]] = {}
    for panel in panels:
        numbers = (number for row in panel.rows for mark in row.marks for number in mark[:2])
        reached.setdefault(panel.scale, [0.0]).extend(numbers)
    return reached


def _draw(axes: Axes, panel: PlotPanel, reached: list[float]) -> None:
    """The rows of a panel, from its top down, on its scale."""
    axes.set_ylim(panel.height, 0)
    axes.set_yticks([])
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    axes.tick_params(axis="x", colors=QUIET)
    axes.set_xlabel(panel.scale, color=QUIET)
    least, most = min(reached), max(reached)
    margin = 0.04 * ((most - least) or 1)
    axes.set_xlim(least - margin, most + margin)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    if len(reached) == 1:
        axes.set_xticks([])
    y = 0.0
    for row in panel.rows:
        middle = y + row.height / 2
        if len(row.marks) > 1:
            axes.hlines(middle, 0.0, max(mark.high for mark in row.marks), QUIET, linewidth=0.8)
        for low, high, colour in row.marks:
            if low < high:
                axes.hlines(middle, low, high, colour, linewidth=5)
            elif len(row.marks) == 1:
                axes.hlines(middle, 0.0, high, colour, linewidth=1.2)
            axes.plot([low, high], [middle, middle], "o", color=colour, markersize=4.5, clip_on=False)
        _words(axes, row.label, -0.02, middle, "right")
        _words(axes, (row.figure,), 1.02, middle, "left")
        y += row.height


def _words(axes: Axes, lines: tuple[str, ...], x: float, middle: float, side: str) -> None:
    """Lines of text beside a row; `x` is a share of the width of the axes."""
    for number, line in enumerate(lines):
        y = middle + LINE * (number - (len(lines) - 1) / 2)
        axes.text(x, y, line, transform=axes.get_yaxis_transform(), ha=side, va="center", color=INK)
