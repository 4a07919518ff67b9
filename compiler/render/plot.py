"""The measurements of a setting as a picture: the figures that `explain` lists, place by place in their sources.

Each place is a panel, or several if it has figures of different kinds or units, which share no scale. A panel is headed by what
its figures have in common, and what was held; each row says what was varied, or the value of the setting. A figure is a
point on a line from zero, and a range of figures a bar. A figure that the source gives in words alone has a row as well.

matplotlib draws it (the extra `plots`). The picture is SVG with the same bytes each time: no date and no version in it, fixed
identifiers, and no style of the user's. Text is never read as a formula.
"""

import math
from collections.abc import Iterable, Iterator
from io import StringIO
from textwrap import wrap
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from setpoint.compiler.knowledge.load import measurements
from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.figures import compared, not_shown, pairs_text
from setpoint.compiler.render.visible import visible
from setpoint.compiler.render.words import NO_FIGURE, conditions_held, figure_of, voice_of
from setpoint.compiler.resolution.figures import by_place, in_common, relevant

WIDTH, LABELS, FIGURES = 9.0, 3.5, 1.3
"""The width of the picture in inches, and of the columns left and right of the scales."""

EDGE, LINE, GAP, SCALE = 0.2, 0.16, 0.09, 0.42
"""In inches: the margin, the height of a line of text, the space around a row, and that of a scale below its panel."""

IN_HEAD, IN_LABEL = 118, 42
"""The maximum number of characters in a line of a heading, and of a label."""

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
"""A colour for each value of the setting, which people who confuse red and green can tell apart (Okabe and Ito)."""

INK, QUIET = "#1c1e21", "#50565e"
PLAIN, BOLD = 400, 700


@distinct
class PlotRow(NamedTuple):
    """A figure: the lines of its label, itself without its unit, and from where to where it reaches, None if that is not known."""

    label: tuple[str, ...]
    figure: str
    reach: tuple[float, float] | None
    colour: str

    @property
    def height(self) -> float:
        """Its height in inches."""
        return LINE * len(self.label) + GAP


@distinct
class PlotPanel(NamedTuple):
    """Figures with one scale: the lines above it, the name of the scale, and the rows."""

    head: tuple[str, ...]
    scale: str
    rows: tuple[PlotRow, ...]

    @property
    def height(self) -> float:
        """The height of its rows in inches."""
        return sum(row.height for row in self.rows)


def plot(knowledge: Knowledge, plan: Plan, decision: Decision) -> str:
    """The figures that are relevant to a decision, as SVG; "" if there are none."""
    shown, rest = relevant(knowledge, plan, decision, [*measurements(), *knowledge.measurements])
    if not shown:
        return ""
    title = f"Measurements of {decision.setting} ({decision.title})"
    has = f"{plan.policy} has {decision.value}: {voice_of(decision.cause)}"
    more = not_shown(knowledge, rest) if rest else ""
    return _drawn(title, has, tuple(panels(knowledge, decision.setting, shown)), more)


def panels(knowledge: Knowledge, setting: str, shown: Iterable[Measurement]) -> Iterator[PlotPanel]:
    """The panels of these figures."""
    for together in by_place(shown):
        first, common = together[0], in_common(together, setting)
        texts = (
            f"{first.citation.source}, {first.citation.at}",
            pairs_text(common),
            f"held: {conditions_held(first)}" if first.held else "",
            f"note: {first.note}" if first.note else "",
        )
        head = tuple(line for text in texts for line in _lines(text, IN_HEAD))
        scales: dict[str, list[Measurement]] = {}
        for each in together:
            scales.setdefault(_scale(each), []).append(each)
        for scale, figures in scales.items():
            rows = tuple(_row(knowledge, setting, each, common) for each in figures)
            yield PlotPanel(head, scale, rows)
            head = ()


def _scale(measurement: Measurement) -> str:
    unit = f" in {measurement.unit}" if measurement.unit not in ("", "1") else ""
    return visible(measurement.metric + unit)


def _row(
    knowledge: Knowledge, setting: str, measurement: Measurement, common: tuple[tuple[str, str], ...]
) -> PlotRow:
    rest = [pair for pair in measurement.when if pair[0] != setting and pair not in common]
    words = (compared(measurement, setting), pairs_text((*measurement.labels, *rest)))
    reach = tuple(float(text) for text in (measurement.low, measurement.high) if text)
    return PlotRow(
        tuple(_lines(": ".join(filter(None, words)), IN_LABEL)),
        figure_of(measurement) or NO_FIGURE,
        (reach[0], reach[-1]) if reach and all(map(math.isfinite, reach)) else None,
        _colour(knowledge, setting, measurement),
    )


def _colour(knowledge: Knowledge, setting: str, measurement: Measurement) -> str:
    """The colour of a value of the setting; that of the first for what compares values."""
    value = dict((*measurement.when, *measurement.held)).get(setting, "")
    values = knowledge.variables[setting].values
    return COLOURS[values.index(value) % len(COLOURS)] if value in values else COLOURS[0]


def _lines(text: str, most: int) -> list[str]:
    return wrap(visible(text), most, break_on_hyphens=False)


# ----------------------------------------------------------------------------------------- drawing


def _drawn(title: str, has: str, found: tuple[PlotPanel, ...], more: str) -> str:
    """The panels, one below another, as SVG."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        parameters: Any = matplotlib.rcParams
        parameters.update(STYLE)
        below, foot = _lines(has, IN_HEAD), _lines(more, IN_HEAD)
        height = 2 * EDGE + LINE * (2 + len(below) + len(foot))
        height += sum(LINE * (len(panel.head) + 1) + GAP + panel.height + SCALE for panel in found)
        figure = Figure(figsize=(WIDTH, height))
        page = _Page(figure, height)
        page.write([title], weight=BOLD)
        page.write(below)
        for panel in found:
            page.skip(LINE)
            page.write(panel.head[:1], weight=BOLD)
            page.write(panel.head[1:], color=QUIET)
            page.skip(GAP)
            _draw(page.axes(panel.height), panel)
            page.skip(SCALE)
        page.skip(LINE)
        page.write(foot, color=QUIET)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return text.getvalue()


class _Page:
    """A figure that is filled from the top; places are in inches."""

    def __init__(self, figure: Figure, height: float) -> None:
        self.figure = figure
        self.height = height
        self.top = EDGE

    def skip(self, inches: float) -> None:
        """Leave some space."""
        self.top += inches

    def write(self, lines: Iterable[str], color: str = INK, weight: int = PLAIN) -> None:
        """Write lines of text."""
        for line in lines:
            self.top += LINE
            y = 1 - self.top / self.height
            self.figure.text(EDGE / WIDTH, y, line, color=color, weight=weight)

    def axes(self, height: float) -> Axes:
        """Axes of a height between the columns for labels and figures."""
        self.top += height
        width = WIDTH - LABELS - FIGURES
        return self.figure.add_axes(
            (LABELS / WIDTH, 1 - self.top / self.height, width / WIDTH, height / self.height)
        )


def _draw(axes: Axes, panel: PlotPanel) -> None:
    """The rows of a panel, from its top down, with a scale that includes zero."""
    axes.set_ylim(panel.height, 0)
    axes.set_yticks([])
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    axes.tick_params(axis="x", colors=QUIET)
    axes.set_xlabel(panel.scale, color=QUIET)
    reached = [0.0, *(number for row in panel.rows if row.reach for number in row.reach)]
    least, most = min(reached), max(reached)
    margin = 0.04 * ((most - least) or 1)
    axes.set_xlim(least - margin, most + margin)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    if len(reached) == 1:
        axes.set_xticks([])
    y = 0.0
    for row in panel.rows:
        middle = y + row.height / 2
        if row.reach:
            low, high = row.reach
            axes.hlines(
                middle, 0 if low == high else low, high, row.colour, linewidth=1.2 if low == high else 5
            )
            axes.plot([low, high], [middle, middle], "o", color=row.colour, markersize=4.5, clip_on=False)
        _words(axes, row.label, -0.02, middle, "right")
        _words(axes, (row.figure,), 1.02, middle, "left")
        y += row.height


def _words(axes: Axes, lines: tuple[str, ...], x: float, middle: float, side: str) -> None:
    """Lines of text beside a row; `x` is a share of the width of the axes."""
    for number, line in enumerate(lines):
        y = middle + LINE * (number - (len(lines) - 1) / 2)
        axes.text(x, y, line, transform=axes.get_yaxis_transform(), ha=side, va="center", color=INK)
