"""A plan in short, where a page asks for it: some of its settings, and all reasons of one of them.

A page has a comment with a policy, the settings, and the one whose reasons are shown: `<!-- plan of goal latency;
platform r750: c-states, turbo; why turbo -->`. The plan is made when the manual is built, so that the first page shows
what the compiler decides.
"""

import re
from collections.abc import Iterator
from html import escape
from posixpath import dirname, relpath
from typing import Any

from mkdocs.structure.pages import Page

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import planned, read_text
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.words import (
    LAYER_TITLES,
    TAKES_EFFECT,
    loser_text,
    reason_of,
    source_of,
    weight_of,
)

ASKED = re.compile(r"<!-- plan of (?P<policy>[^:>]+): (?P<settings>[^:>]+); why (?P<why>[\w-]+) -->")


def on_page_content(html: str, *, page: Page, **_: Any) -> str:
    """Put each plan into its place."""
    reference = relpath("reference", dirname(page.file.src_uri) or ".")

    def shown(asked: re.Match[str]) -> str:
        (target,) = planned(read_text(asked["policy"]), standard())
        names = asked["settings"].split(", ")
        if target.plan is None or None in map(target.plan.setting, (*names, asked["why"])):
            raise ValueError(f"no plan has this: {asked[0]}")
        of_one = next(d for d in target.plan.settings if d.setting == asked["why"])
        return "".join((*_settings(target.plan, names, reference), *_reasons(of_one, reference)))

    return ASKED.sub(shown, html)


def _settings(plan: Plan, names: list[str], reference: str) -> Iterator[str]:
    """The table of the settings with these names, layer by layer, and how many others are written."""
    yield '<div class="excerpt"><table class="excerpt">'
    for layer, title in LAYER_TITLES.items():
        rows = [_row(d, reference) for d in plan.settings if d.layer == layer and d.setting in names]
        head = f"{escape(title)} <small>takes effect {TAKES_EFFECT[layer]}</small>"
        if rows:
            yield f'<tbody><tr><th colspan="3" scope="rowgroup">{head}</th></tr>{"".join(rows)}</tbody>'
    yield f"</table><p>and {len(plan.written) - len(names)} other values, each with its source</p></div>"


def _row(decision: Decision, reference: str) -> str:
    cause = decision.because[0]
    source = escape(cause.citation.source if cause.citation else source_of(cause))
    weight = escape(weight_of(cause).partition(",")[0])
    value = f"<code>{escape(decision.value)}</code>"
    return f"<tr><td>{_setting(decision, reference)}</td><td>{value}</td><td>{source} <small>{weight}</small></td></tr>"


def _reasons(decision: Decision, reference: str) -> Iterator[str]:
    """Who recommends the value of a setting, in whose words, and what lost."""
    yield f'<div class="reasons"><p>Why {_setting(decision, reference)} <code>{escape(decision.value)}</code></p><ul>'
    for cause in decision.because:
        who = f"<strong>{escape(source_of(cause))}</strong> <small>{escape(weight_of(cause))}</small>"
        reason = escape(reason_of(cause))
        yield f"<li>{who}{f'<br>{reason}' if reason else ''}</li>"
    yield from (f"<li>not {escape(loser_text(lost, decision.value))}</li>" for lost in decision.beat)
    yield "</ul></div>"


def _setting(decision: Decision, reference: str) -> str:
    link = f"{reference}/settings/{decision.setting}.html"
    return f'<a href="{link}" title="{escape(decision.title)}"><code>{escape(decision.setting)}</code></a>'
