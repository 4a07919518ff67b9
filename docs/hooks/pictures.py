"""Pictures of measurements, on the pages of their sources.

The compiler draws them when the manual is built. They are part of the page rather than files, so that their colours are
those that the reader has chosen: the colours of the drawing become variables of `site.css`.
"""

import re
from collections import defaultdict
from functools import cache
from html import escape
from typing import Any

from mkdocs.structure.pages import Page

from setpoint.compiler.knowledge.load import measurements, standard
from setpoint.compiler.knowledge.model import Measurement
from setpoint.compiler.render.drawing import COLOURS, INK, QUIET
from setpoint.docs.hooks.reference.pieces import plain, sentence
from setpoint.docs.hooks.reference.source_plots import SourcePlot, source_plots

FOLDER = "reference/sources/"

OPENING = """
## Pictures

The figures above, drawn: a point for each, and a bar for a range. Where settings differ, each combination of them has a colour.
"""

VARIABLES = {
    INK: "currentColor",
    QUIET: "var(--md-default-fg-color--light)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(COLOURS, 1)},
}
"""What the colours of a drawing are in the page."""


@cache
def plots(source: str) -> tuple[SourcePlot, ...]:
    """The pictures of a source."""
    figures: dict[str, list[Measurement]] = defaultdict(list)
    for figure in measurements():
        figures[figure.citation.source].append(figure)
    return tuple(source_plots(standard(), figures[source]))


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Add the places of the pictures, with their texts, to the page of a source."""
    plots_of_page = plots(_source(page))
    texts = [
        f"**{plain(plot.at)}**"
        + (f", {plain(plot.common)}" if plot.common else "")
        + (f"; held: {plain(plot.held)}" if plot.held else "")
        + (f". {sentence(plot.note)}" if plot.note else ".")
        + f'\n\n<figure class="plot" data-plot="{number}"></figure>\n'
        for number, plot in enumerate(plots_of_page)
    ]
    return "\n".join([markdown, OPENING, *texts]) if texts else markdown


def on_page_content(html: str, *, page: Page, **_: Any) -> str:
    """Put the pictures into their places."""
    plots_of_page = plots(_source(page))

    def filled(place: re.Match[str]) -> str:
        number = int(place[1])
        name = escape(f"Picture of the figures of {plots_of_page[number].at}", quote=True)
        picture = _in_page(plots_of_page[number].picture, f"plot-{number}-")
        return f'<figure class="plot" role="img" tabindex="0" aria-label="{name}">{picture}</figure>'

    return (
        re.sub(r'<figure class="plot" data-plot="(\d+)"></figure>', filled, html) if plots_of_page else html
    )


def _source(page: Page) -> str:
    """The source that a page is about; "" for other pages."""
    path = page.file.src_uri
    return path.removeprefix(FOLDER).removesuffix(".md") if path.startswith(FOLDER) else ""


def _in_page(picture: str, prefix: str) -> str:
    """A picture as part of a page: without its preamble, with identifiers of its own and the colours of the page."""
    text = picture[picture.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{prefix}", text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    return text
