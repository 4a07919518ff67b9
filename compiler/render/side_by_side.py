"""Two intents side by side: a row for each fact, setting, hazard and effect that differs, with a column for each
intent.

Below each value is who recommends it. In text a place is cut to its column, and a source never; Markdown has the
reasons in full. Programs read the difference itself (`difference_json`).
"""

from collections.abc import Iterator

from setpoint.compiler.plan.difference import Comparison, HazardChange, PolicyDifference, WaiverTerms
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.difference_settings import setting_value, why
from setpoint.compiler.render.difference_words import error_lines, unchanged
from setpoint.compiler.render.escape import code, escape, head, row
from setpoint.compiler.render.plan_brief import who_says
from setpoint.compiler.render.table import GAP, INDENT, paragraph, wrap
from setpoint.compiler.render.visible import visible_lines
from setpoint.compiler.render.words import LAYER_TITLES, count

LEAST_COLUMN = 20
"""The least width of a column, however narrow the page is."""

NOTHING = "-"
"""In place of a value that one intent does not have."""


class SidePair(NamedTuple):
    """A row: its name, and on each side a value, and the decision if it is a setting's."""

    name: str
    values: tuple[str, str]
    decisions: tuple[Decision | None, Decision | None] | None = None


class SidePart(NamedTuple):
    """Rows under a title."""

    title: str
    rows: tuple[SidePair, ...]


def side_by_side_text(comparison: Comparison, titles: tuple[str, str], width: int) -> str:
    """The two intents for a terminal; a sentence if a server gets the same from both."""
    if not comparison.differences:
        verdict, how = unchanged(comparison)
        return visible_lines(f"{verdict.capitalize()}: {how}.\n")
    (difference,) = comparison.differences
    parts = tuple(side_parts(difference))
    names = max((len(pair.name) for part in parts for pair in part.rows), default=0)
    room = max(LEAST_COLUMN, (width - INDENT - names - 2 * GAP) // 2)
    text = _line("", titles, names, room)
    for part in parts:
        text += f"\n{part.title}\n" + "".join(_row(pair, names, room) for pair in part.rows)
    text += "".join(f"\n{paragraph(sentence, width, 0)}" for sentence in side_sentences(difference))
    return visible_lines(text)


def side_by_side_markdown(comparison: Comparison, titles: tuple[str, str]) -> str:
    """The two intents as tables."""
    if not comparison.differences:
        verdict, how = unchanged(comparison)
        return f"**{verdict.capitalize()}**: {escape(how)}.\n"
    (difference,) = comparison.differences
    text = f"# {escape(titles[0])} and {escape(titles[1])}\n"
    for part in side_parts(difference):
        text += f"\n## {part.title}\n\n" + head("", *map(escape, titles))
        text += "".join(row(code(pair.name), *_cells(pair)) for pair in part.rows)
    return text + "".join(f"\n{escape(sentence)}\n" for sentence in side_sentences(difference))


def side_parts(difference: PolicyDifference) -> Iterator[SidePart]:
    """What differs, part by part; none of them is empty."""
    facts = tuple(
        SidePair(f.name, (f.old or NOTHING, f.new or NOTHING))
        for f in difference.facts
        if f.has_another_value
    )
    hazards = tuple(SidePair(c.hazard, (_state(c, 0), _state(c, 1))) for c in difference.hazards)
    waivers = tuple(SidePair(w.name, (_terms(w.old), _terms(w.new))) for w in difference.waivers)
    effects = tuple(SidePair(e.name, (e.old or NOTHING, e.new or NOTHING)) for e in difference.effects)
    layers = {
        title: tuple(
            SidePair(c.setting, (_value(c.old), _value(c.new)), (c.old, c.new))
            for c in difference.acting
            if c.either.layer == layer
        )
        for layer, title in LAYER_TITLES.items()
    }
    parts = {"Facts": facts, **layers, "Hazards": hazards, "Waivers": waivers, "Combined effects": effects}
    yield from (SidePart(title, rows) for title, rows in parts.items() if rows)


def _value(decision: Decision | None) -> str:
    """A value; that it is the vendor's default is its reason, below it."""
    if decision is not None and decision.unwritten == "default":
        return decision.value
    return setting_value(decision)


def _state(change: HazardChange, side: int) -> str:
    return (change.old, change.new)[side].state or NOTHING


def _terms(terms: WaiverTerms | None) -> str:
    if terms is None:
        return NOTHING
    until = f"until {terms.until}" if terms.until else "no expiry"
    return f"{until}: {terms.because}"


def side_sentences(difference: PolicyDifference) -> Iterator[str]:
    """What the rows lack: errors, values with another reason, the artifacts that differ, and the number of settings."""
    yield from (f"error {error}" for error in error_lines(difference))
    same = [c.setting for c in difference.settings if c.kind == "reason"]
    if same:
        yield f"The same value for another reason: {', '.join(same)}."
    differs = f"{count(len(difference.acting), 'setting differs', 'settings differ')}"
    artifacts = ", ".join(carrier.target for carrier in difference.artifacts)
    yield f"{differs}{f', and these artifacts: {artifacts}' if artifacts else ''}."


# ------------------------------------------------------------------------------------------ the forms


def _row(pair: SidePair, names: int, room: int) -> str:
    columns = [wrap(value, room) or [""] for value in pair.values]
    if pair.decisions:
        for column, decision in zip(columns, pair.decisions, strict=True):
            column += wrap(who_says(decision.cause, room), room) if decision else []
    lines = ""
    for number in range(max(map(len, columns))):
        cells = tuple(column[number] if number < len(column) else "" for column in columns)
        lines += _line("" if number else pair.name, cells, names, room)
    return lines


def _line(name: str, cells: tuple[str, ...], names: int, room: int) -> str:
    first, second = cells
    return f"{' ' * INDENT}{name:<{names + GAP}}{first:<{room + GAP}}{second}".rstrip() + "\n"


def _cells(pair: SidePair) -> Iterator[str]:
    for number, value in enumerate(pair.values):
        decision = pair.decisions[number] if pair.decisions else None
        yield f"**{escape(value)}** {escape(why(decision))}" if decision else escape(value)
