"""Plans as one page of HTML, to be read, kept and printed: nothing is loaded from elsewhere, and nothing runs.

What a plan says is the same as in text and Markdown, and in the same words (`words`). The page adds what only a page can: the reasons
of each value on demand, the strength of its evidence as a badge, and the measurements drawn. Everything that comes from outside is
escaped where the template shows it.
"""

import os
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from setpoint.compiler.knowledge.load import measurements
from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Cause, Decision, Plan
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render import words
from setpoint.compiler.render.compiled import CompiledTemplates
from setpoint.compiler.render.figures import compared, pairs_text
from setpoint.compiler.render.markdown import WEIGHTS
from setpoint.compiler.render.visible import visible
from setpoint.compiler.resolution.figures import by_place, by_setting, relevant

WEB = re.compile(r"https?://[\w.~:/?#@%&=+-]+", re.ASCII)
"""An address that can be a link."""

WIDTH = 160
"""The width of a drawn figure, in the units of its picture."""


SHARED: dict[str, Any] = {"words": words, "weights": WEIGHTS, "width": WIDTH}
"""What every template is given."""


@distinct
class Bar(NamedTuple):
    """A figure as a picture: where zero is, and from where to where the figure reaches, from 0 to WIDTH."""

    zero: float
    start: float
    end: float


@distinct
class Drawn(NamedTuple):
    """A figure in words, and as a picture if the source gives a number."""

    what: str
    metric: str
    figure: str
    conditions: str
    bar: Bar | None


@distinct
class FigurePlace(NamedTuple):
    """The figures from one place of a source: what was held there, and a note."""

    place: str
    held: str
    note: str
    figures: tuple[Drawn, ...]


@distinct
class Page(NamedTuple):
    """A plan with the figures for each of its settings that has a row, by name."""

    judged: Judged
    figures: dict[str, tuple[FigurePlace, ...]]


def page_of(knowledge: Knowledge, judged: Judged) -> Page:
    """A plan with the figures that are relevant to its settings, as far as these have a row."""
    evidence = by_setting((*measurements(), *knowledge.measurements))
    listed = filter(words.is_listed, judged.plan.settings)
    figures = {d.setting: places(knowledge, judged.plan, d, evidence.get(d.setting, ())) for d in listed}
    return Page(judged, figures)


def plans_html(pages: Iterable[Page]) -> str:
    """One document with all plans."""
    return _environment().get_template("plans.html").render(pages=tuple(pages), **SHARED)


def plan_html(page: Page) -> str:
    """One plan as an `article`, for a document that has the style of `page/style.css`."""
    return _environment().get_template("plan.html").render(page=page, number=1, **SHARED)


@cache
def _environment() -> Environment:
    """The templates, which are compiled once in a process."""
    folder = os.path.join(os.path.dirname(__file__), "page")
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: visible(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": prose, "weight": weight, "web": is_web}
    environment.bytecode_cache = CompiledTemplates(environment, folder)
    return environment


def prose(text: str) -> Markup:
    """A message; names in backticks are code."""
    parts = re.split(r"`([^`]+)`", visible(text))
    return Markup("").join(
        Markup("<code>%s</code>") % part if number % 2 else escape(part) for number, part in enumerate(parts)
    )


def weight(cause: Cause) -> str:
    """The strength of the evidence for a value in one or two words, for a badge: `measured`, `out of scope`."""
    return words.weight_of(cause).partition(",")[0]


def is_web(url: str) -> bool:
    """Whether an address can be a link."""
    return WEB.fullmatch(url) is not None


# ----------------------------------------------------------------------------------------- figures


def places(
    knowledge: Knowledge, plan: Plan, decision: Decision, evidence: Iterable[Measurement]
) -> tuple[FigurePlace, ...]:
    """The figures that are relevant to a decision, place by place, nearest first."""
    shown, _ = relevant(knowledge, plan, decision, evidence)
    return tuple(_place(group, decision.setting, shown) for group in by_place(shown))


def _place(group: tuple[Measurement, ...], setting: str, shown: tuple[Measurement, ...]) -> FigurePlace:
    first = group[0]
    place = words.place(first.citation.source, first.citation.at)
    drawn = tuple(_drawn(each, setting, shown) for each in group)
    return FigurePlace(place, words.conditions_held(first), first.remarks, drawn)


def _drawn(measurement: Measurement, setting: str, shown: tuple[Measurement, ...]) -> Drawn:
    rest = [pair for pair in measurement.when if pair[0] != setting]
    alike = [each for each in shown if each.unit == measurement.unit]
    return Drawn(
        compared(measurement, setting),
        measurement.metric,
        words.measured_of(measurement),
        pairs_text((*measurement.labels, *rest)),
        _bar(measurement, alike),
    )


def _bar(measurement: Measurement, alike: list[Measurement]) -> Bar | None:
    """A figure beside those of the same unit, all drawn to one scale that includes zero, and for shares a whole."""
    if not measurement.low:
        return None
    numbers = [0.0, *(float(text) for each in alike for text in (each.low, each.high) if text)]
    if measurement.unit.startswith("%"):
        numbers += [100.0 if number > 0 else -100.0 for number in numbers if number]
    least, most = min(numbers), max(numbers)
    scale = WIDTH / ((most - least) or 1)
    low, high = float(measurement.low), float(measurement.high)
    start, end = (low, high) if low != high else sorted((0.0, low))
    return Bar(*(round((number - least) * scale, 1) for number in (0.0, start, end)))
