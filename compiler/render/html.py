"""Plans as one page of HTML, to be read, kept and printed: nothing is loaded from elsewhere, and nothing runs.

What a plan says is the same as in text and Markdown, and in the same words (`words`). A reviewer sees first what to
mind, then each value with the reason that decided it. The page adds what only a page can: the other reasons on demand,
the strength of the evidence as a badge, and the measurements drawn. Everything that comes from outside is escaped where
the template shows it.
"""

import os
import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from setpoint.compiler.knowledge.load import measurements
from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Cause, Decision
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render import grouping, words
from setpoint.compiler.render.compiled import CompiledTemplates
from setpoint.compiler.render.figures import compared, none_here, pairs_text
from setpoint.compiler.render.markdown import WEIGHTS
from setpoint.compiler.render.visible import visible
from setpoint.compiler.resolution.figures import by_place, by_setting, relevant

WEB = re.compile(r"https?://[\w.~:/?#@%&=+-]+", re.ASCII)
"""An address that can be a link."""

WIDTH = 160
"""The width of a drawn figure, in the units of its picture."""


SHARED: dict[str, Any] = {"words": words, "grouping": grouping, "weights": WEIGHTS, "width": WIDTH}
"""What every template is given."""


class Bar(NamedTuple):
    """A figure as a picture: where zero is, and from where to where the figure reaches, from 0 to WIDTH."""

    zero: float
    start: float
    end: float


class Drawn(NamedTuple):
    """A figure in words, and as a picture if the source gives a number."""

    what: str
    metric: str
    figure: str
    conditions: str
    bar: Bar | None


class FigurePlace(NamedTuple):
    """The figures from one place of a source: what was held there, and a note."""

    place: str
    held: str
    note: str
    figures: tuple[Drawn, ...]


class SettingFigures(NamedTuple):
    """The figures for a setting, place by place, nearest first. `elsewhere` says if all are of other hardware."""

    elsewhere: str
    places: tuple[FigurePlace, ...]


class Page(NamedTuple):
    """A plan with the figures for each of its settings that has a row, by name; and how the files of a bundle are used,
    in Markdown, "" where there are none.
    """

    judged: Judged
    figures: dict[str, SettingFigures]
    use: str = ""


def page_of(knowledge: Knowledge, judged: Judged) -> Page:
    """A plan with the figures that are relevant to its settings, as far as these have a row."""
    evidence = by_setting((*measurements(), *knowledge.measurements))
    plan = judged.plan
    shown = {
        d.setting: relevant(knowledge, plan, d, evidence.get(d.setting, ())).first
        for d in filter(grouping.is_listed, plan.settings)
    }
    scales = _scales(figure for figures in shown.values() for figure in figures)
    return Page(
        judged,
        {
            setting: SettingFigures(
                none_here(knowledge, plan, figures),
                tuple(_place(group, setting, scales) for group in by_place(figures)),
            )
            for setting, figures in shown.items()
        },
    )


def plans_html(pages: Iterable[Page]) -> str:
    """One document with all plans."""
    return page_templates().get_template("plans.html").render(pages=tuple(pages), **SHARED)


def plan_html(page: Page) -> str:
    """One plan as an `article`, for a document that has the style of `page/style.css`."""
    return page_templates().get_template("plan.html").render(page=page, number=1, **SHARED)


@cache
def page_templates() -> Environment:
    """The templates of pages, which are compiled once in a process."""
    folder = os.path.join(os.path.dirname(__file__), "page")
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: visible(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": prose, "rendered": rendered, "weight": weight, "web": is_web}
    environment.globals |= {"further": further, "remarks": remarks}
    environment.bytecode_cache = CompiledTemplates(environment, folder)
    return environment


def rendered(text: str) -> Markup:
    """Markdown as HTML, in which tags of the text stay text. Headings have the names that links in the text have."""
    from markdown_it import MarkdownIt  # only for a page in a bundle

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    for head, title in pairwise(tokens):
        if head.type == "heading_open":
            head.attrSet("id", re.sub(r"[^a-z0-9-]", "", title.content.lower().replace(" ", "-")))
    return Markup(reader.renderer.render(tokens, reader.options, {}))


def prose(text: str) -> Markup:
    """A message; names in backticks are code."""
    parts = re.split(r"`([^`]+)`", visible(text))
    return Markup("").join(
        Markup("<code>%s</code>") % part if number % 2 else escape(part) for number, part in enumerate(parts)
    )


def weight(cause: Cause) -> str:
    """The strength of the evidence for a value in one or two words, for a badge: `measured`, `out of scope`."""
    return words.weight_of(cause).partition(",")[0]


def further(decision: Decision, figures: SettingFigures) -> str:
    """What can be opened for a setting beside its first reason: `1 other reason, 2 figures`; "" for nothing."""
    counted = (
        (len(decision.because) - 1, "other reason", ""),
        (len(decision.beat), "piece of advice not followed", "pieces of advice not followed"),
        (len(remarks(decision)), "note", ""),
        (sum(len(place.figures) for place in figures.places), "figure", ""),
    )
    texts = [words.count(*kind) for kind in counted if kind[0]]
    return ", ".join(texts) or ("where it was measured" if figures.elsewhere else "")


def remarks(decision: Decision) -> list[str]:
    """The notes on a value that a page shows."""
    return [note.text for note in decision.notes if note.kind != words.WRITTEN_OUT]


def is_web(url: str) -> bool:
    """Whether an address can be a link."""
    return WEB.fullmatch(url) is not None


# ----------------------------------------------------------------------------------------- figures


def _place(
    group: tuple[Measurement, ...], setting: str, scales: dict[str, tuple[float, float]]
) -> FigurePlace:
    first = group[0]
    place = words.place(first.citation.source, first.citation.at)
    drawn = tuple(_drawn(figure, setting, scales[figure.unit]) for figure in group)
    return FigurePlace(place, words.conditions_held(first), first.remarks, drawn)


def _drawn(measurement: Measurement, setting: str, scale: tuple[float, float]) -> Drawn:
    rest = [pair for pair in measurement.when if pair[0] != setting]
    return Drawn(
        compared(measurement, setting),
        measurement.metric,
        words.measured_of(measurement),
        pairs_text((*measurement.labels, *rest)),
        _bar(measurement, scale),
    )


def _scales(figures: Iterable[Measurement]) -> dict[str, tuple[float, float]]:
    """The range of the figures of each unit, on the whole page, from zero, and to a whole for shares."""
    numbers: dict[str, list[float]] = {}
    for figure in figures:
        of_unit = numbers.setdefault(figure.unit, [0.0])
        for text in (figure.low, figure.high):
            if text:
                of_unit.append(float(text))
                if figure.unit.startswith("%"):
                    of_unit.append(100.0 if float(text) >= 0 else -100.0)
    return {unit: (min(points), max(points)) for unit, points in numbers.items()}


def _bar(measurement: Measurement, scale: tuple[float, float]) -> Bar | None:
    """A figure on the scale of its unit."""
    if not measurement.low:
        return None
    least, most = scale
    share = WIDTH / ((most - least) or 1)
    low, high = float(measurement.low), float(measurement.high)
    start, end = (low, high) if low != high else sorted((0.0, low))
    return Bar(*(round((number - least) * share, 1) for number in (0.0, start, end)))
