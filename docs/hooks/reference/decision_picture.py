"""How one value of a plan was decided, as a picture: from the facts by way of the advice to the value and its words.

It is drawn from a plan, top to bottom, so that it is as true as the plan and fits a phone. The colours are classes,
which the style of the page defines: `box` and `value` for the boxes, `lost` for what lost, `step` for what happens
between them.
"""

from collections.abc import Iterable, Iterator
from html import escape
from textwrap import wrap

from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.words import how_known, loser_reason, loser_source, source_of, weight_of

WIDTH, LINE, EDGE, GAP = 460, 18, 12, 40
"""In pixels: the width, the height of a line, the space within a box, and that between two boxes, which has a step."""

MOST_CHARACTERS = 56
"""The maximum number of characters in a line of 12 pixels of a fixed width."""

STEPS = (
    "advice that applies to these facts",
    "the strongest wins; the others stay on record",
    "each interface has its own words for it",
)


class _Line(NamedTuple):
    text: str
    kind: str = ""


def decision_picture(plan: Plan, decision: Decision) -> str:
    """The picture as SVG, without a size: it is as wide as its place."""
    boxes = (
        ("box", list(_wrapped(f"{f.name} {f.text}: {how_known(f.origin, '')}" for f in plan.facts))),
        ("box", list(_advice(decision))),
        ("value", [_Line(f"{decision.setting} {decision.value}")]),
        ("box", list(_wrapped(_words(decision)))),
    )
    parts: list[str] = []
    top = 1
    for number, (kind, lines) in enumerate(boxes):
        if number:
            parts.append(_step(top, STEPS[number - 1]))
            top += GAP
        height = len(lines) * LINE + EDGE
        parts.append(f'<rect class="{kind}" x="1" y="{top}" width="{WIDTH - 2}" height="{height}" rx="4"/>')
        parts += [_text(EDGE, top + LINE * (at + 1), line) for at, line in enumerate(lines)]
        top += height
    title = f"How {decision.setting} is decided"
    size = f'viewBox="0 0 {WIDTH} {top + 1}" role="group" aria-label="{escape(title, quote=True)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def _advice(decision: Decision) -> Iterator[_Line]:
    """Who said what, first those that the value follows, then those that lost, with the reason."""
    for number, cause in enumerate(decision.because):
        verdict = "decides" if number == 0 else "agrees"
        yield _Line(f"{decision.value}: {weight_of(cause)}, {verdict}", "strong" if number == 0 else "")
        yield from _wrapped([source_of(cause)], "  ")
    for loser in decision.beat:
        yield _Line(f"{loser.value}: {loser_reason(loser, decision.value)}, lost", "lost")
        yield from _wrapped([loser_source(loser)], "  ", "lost")


def _words(decision: Decision) -> Iterator[str]:
    """What artifacts write for the value, by interface; its place in the menu comes first."""
    if decision.menu:
        yield f"{decision.menu}: {decision.label}"
    for spelling in decision.spelled:
        if spelling.text is not None and INTERFACES[spelling.interface].has_texts:
            yield f"{', '.join(spelling.names)} = {spelling.text}"


def _wrapped(texts: Iterable[str], indent: str = "", kind: str = "") -> Iterator[_Line]:
    for text in texts:
        yield from (
            _Line(line, kind)
            for line in wrap(text, MOST_CHARACTERS, initial_indent=indent, subsequent_indent=f"{indent}  ")
        )


def _text(x: int, y: int, line: _Line) -> str:
    kind = f' class="{line.kind}"' if line.kind else ""
    text = line.text.lstrip()
    return f'<text x="{x + 7 * (len(line.text) - len(text))}" y="{y}"{kind}>{escape(text)}</text>'


def _step(top: int, text: str) -> str:
    """An arrow to the next box, and what happens on the way."""
    x, end = 24, top + GAP - 3
    arrow = f"M{x} {top + 3}V{end}M{x - 5} {end - 7}L{x} {end}L{x + 5} {end - 7}"
    return f'<path class="step" d="{arrow}"/><text class="step" x="{x + 16}" y="{top + GAP // 2 + 4}">{text}</text>'
