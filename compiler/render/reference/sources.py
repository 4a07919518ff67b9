"""One page for each source: its data and all its statements, with its tables as it prints them.

The tables come from the trees of the knowledge files, which have rows and columns where the knowledge base has rules;
the rest comes from the knowledge base.
"""

from setpoint.compiler.knowledge.model import Knowledge, Measurement, Related, Source
from setpoint.compiler.language.syntax import Block, File, MeasurementTable, OptionsTable, Table
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.observed import place_text, shown_texts
from setpoint.compiler.render.reference.pieces import Links, code, grid, opening, plain, required, where
from setpoint.compiler.render.reference.settings import reason_text
from setpoint.compiler.render.reference.tables import advice_table, figure_table, offer_table
from setpoint.compiler.render.words import NO_FIGURE, figure_of, known_text, spelled_texts, way_text

LINKS = Links("../")

MOST_WORDS = 20
"""How many words of a block a page shows."""


@distinct
class Statements(NamedTuple):
    """The statements of one source that have the form of tables, in the order of the files."""

    tables: tuple[Table, ...]
    options: tuple[OptionsTable, ...]
    figures: tuple[MeasurementTable, ...]
    measurements: frozenset[str]


def source_pages(knowledge: Knowledge, trees: tuple[File, ...]) -> dict[str, str]:
    """The page of each source, by its path."""
    return {
        f"sources/{source.name}.md": _page(knowledge, source, _statements(trees, source.name))
        for source in knowledge.sources.values()
    }


def _statements(trees: tuple[File, ...], source: str) -> Statements:
    body = [statement for tree in trees for statement in tree.body]
    return Statements(
        tuple(s for s in body if isinstance(s, Table) and s.source.text == source),
        tuple(s for s in body if isinstance(s, OptionsTable) and s.source.text == source),
        tuple(s for s in body if isinstance(s, MeasurementTable) and s.source.text == source),
        frozenset(s.name.text for s in body if isinstance(s, Block) and s.kind == "measurement"),
    )


def _page(knowledge: Knowledge, source: Source, held: Statements) -> str:
    parts = [
        _head(knowledge, source),
        _section(
            "Recommendations in tables", [advice_table(t, LINKS) for t in held.tables if t.kind == "table"]
        ),
        _rules(knowledge, source.name),
        _section("What profiles fix", [advice_table(t, LINKS) for t in held.tables if t.kind == "preset"]),
        _section("What is offered", [offer_table(o, LINKS) for o in held.options]),
        _spellings(knowledge, source.name),
        _observations(knowledge, source.name),
        _constraints(knowledge, source.name),
        _hazards(knowledge, source.name),
        _services(knowledge, source.name),
        _words(knowledge, source.name),
        _families(knowledge, source.name),
        _values(knowledge, source.name),
        _section("Tables of figures", [figure_table(f, knowledge.measurements) for f in held.figures]),
        _measurements(knowledge, source.name, held.measurements),
    ]
    return "\n".join(part for part in parts if part)


def _section(title: str, texts: list[str]) -> str:
    return f"## {title}\n\n" + "\n".join(texts) if texts else ""


def _head(knowledge: Knowledge, source: Source) -> str:
    rows = (
        ("author", plain(source.author)),
        ("publisher", plain(source.publisher)),
        ("date", source.date),
        ("address", f"<{source.url}>" if source.url else ""),
        *(("pin", plain(pin.text)) for pin in source.pins),
        ("supersedes", LINKS.source(source.supersedes) if source.supersedes else ""),
        ("scope", where(knowledge, source.scope) if source.scope else "not restricted"),
        ("related", _related_text(knowledge, source.related) if source.related else ""),
        ("about", plain(source.about)),
    )
    return (
        opening(source.name, f"*{plain(source.title)}*")
        + "\n"
        + grid(("", ""), ((f"**{name}**", value) for name, value in rows if value))
    )


def _related_text(knowledge: Knowledge, related: Related) -> str:
    return f"{where(knowledge, related.when)}, with strength {related.strength}: {plain(related.because)}"


def _rules(knowledge: Knowledge, source: str) -> str:
    """The rules that are written as rules; those of tables are shown as tables."""
    rules = sorted(
        (r for r in knowledge.rules if r.citation.source == source and not r.table), key=lambda r: r.span
    )
    rows = (
        (
            plain(rule.citation.at),
            code(rule.name),
            f"{LINKS.setting(rule.setting)} {code(rule.value)}",
            where(knowledge, rule.when),
            knowledge.strength_text(rule),
            reason_text(rule),
        )
        for rule in rules
    )
    text = grid(("place", "rule", "recommends", "where", "strength", "why"), rows)
    return f"## Rules\n\n{text}" if text else ""


def _spellings(knowledge: Knowledge, source: str) -> str:
    """What the source says that settings are called."""
    every = (one for each in knowledge.spellings.values() for one in each if one.citation.source == source)
    rows = (
        (
            plain(one.citation.at),
            LINKS.setting(one.setting),
            one.interface,
            ", ".join(map(code, one.names)),
            plain(spelled_texts(one)),
            where(knowledge, one.when),
        )
        for one in sorted(every, key=lambda one: one.span)
    )
    text = grid(("place", "setting", "interface", "names", "texts", "where"), rows)
    return f"## What settings are called\n\n{text}" if text else ""


def _observations(knowledge: Knowledge, source: str) -> str:
    """What the source says of where settings are shown, or that nothing shows them."""
    every = (one for each in knowledge.observations.values() for one in each if one.citation.source == source)
    nowhere = (one for each in knowledge.unseen.values() for one in each if one.citation.source == source)
    rows = [
        (
            plain(one.citation.at),
            LINKS.setting(one.setting),
            code(place_text(one)),
            plain(shown_texts(one)),
            where(knowledge, one.when),
        )
        for one in sorted(every, key=lambda one: one.span)
    ]
    rows += [
        (
            plain(one.citation.at),
            LINKS.setting(one.setting),
            "nowhere",
            plain(one.because),
            where(knowledge, one.when),
        )
        for one in sorted(nowhere, key=lambda one: one.span)
    ]
    text = grid(("place", "setting", "shown at", "texts", "where"), rows)
    return f"## Where a running server shows settings\n\n{text}" if text else ""


def _constraints(knowledge: Knowledge, source: str) -> str:
    rows = (
        (
            plain(c.citation.at),
            code(c.name),
            where(knowledge, c.when),
            required(knowledge, c),
            plain(c.because),
        )
        for c in knowledge.constraints
        if c.citation.source == source
    )
    text = grid(("place", "constraint", "where", "must be", "because"), rows)
    return f"## Constraints\n\n{text}" if text else ""


def _hazards(knowledge: Knowledge, source: str) -> str:
    rows = (
        (plain(h.citation.at), LINKS.hazard(h.name), h.severity, where(knowledge, h.when), plain(h.because))
        for h in knowledge.hazards.values()
        if h.citation.source == source
    )
    text = grid(("place", "hazard", "severity", "where", "because"), rows)
    return f"## Hazards\n\n{text}" if text else ""


def _services(knowledge: Knowledge, source: str) -> str:
    rows = (
        (
            plain(one.citation.at),
            code(one.name),
            plain(one.title),
            where(knowledge, one.when),
            "<br>".join(f"{name} {code(address)}" for name, address in one.addresses) or plain(one.because),
            plain("; ".join(way_text(*way) for way in one.ways)),
        )
        for one in knowledge.services
        if one.citation.source == source
    )
    text = grid(("place", "service", "controller", "where", "addresses", "applies settings"), rows)
    return f"## Redfish services\n\n{text}" if text else ""


def _words(knowledge: Knowledge, source: str) -> str:
    rows = (
        (
            plain(one.citation.at),
            code(one.name),
            plain(one.interface),
            where(knowledge, one.when),
            ", ".join(code(word.written) for word in one.words[:MOST_WORDS])
            + (f" and {len(one.words) - MOST_WORDS} more" if len(one.words) > MOST_WORDS else ""),
            plain(known_text(one)),
        )
        for one in knowledge.words
        if one.citation.source == source
    )
    text = grid(("place", "name", "interface", "where", "words", "what they are"), rows)
    return f"## Words\n\n{text}" if text else ""


def _families(knowledge: Knowledge, source: str) -> str:
    rows = (
        (
            plain(one.citation.at),
            code(one.name),
            plain(one.title),
            plain(one.fact),
            ", ".join(map(code, one.patterns)),
            ", ".join(f"{LINKS.fact(fact)} {code(value)}" for fact, value in one.implies),
        )
        for one in knowledge.families
        if one.citation.source == source
    )
    text = grid(("place", "name", "what they are", "of", "patterns", "implies"), rows)
    return f"## Families\n\n{text}" if text else ""


def _values(knowledge: Knowledge, source: str) -> str:
    """Values of facts that cite this source."""
    rows = [
        (plain(v.citation.at), f"{LINKS.fact(v.fact)} {code(v.name)}", plain(v.title))
        for values in knowledge.values.values()
        for v in values.values()
        if v.citation is not None and v.citation.source == source
    ]
    text = grid(("place", "value", "what it is"), rows)
    return f"## Values of facts\n\n{text}" if text else ""


def _measurements(knowledge: Knowledge, source: str, names: frozenset[str]) -> str:
    """The figures that stand alone; those of tables are shown as tables."""
    found = [m for m in knowledge.measurements if m.citation.source == source and m.name in names]
    rows = (_measurement(m) for m in sorted(found, key=lambda m: m.span))
    text = grid(("place", "measured", "figure", "varied", "on", "held", "note"), rows)
    return f"## Figures\n\n{text}" if text else ""


def _measurement(m: Measurement) -> tuple[str, ...]:
    figure = figure_of(m)
    benchmark = ", ".join(plain(text) for _, text in m.labels)
    return (
        plain(m.citation.at),
        f"{m.metric}{f' of {benchmark}' if benchmark else ''}",
        f"**{figure}** {plain(m.unit)}" if figure else NO_FIGURE,
        code("{} {} from {}".format(*m.varied)) if m.varied else "",
        _pairs(m.when),
        _pairs(m.held),
        plain(m.remarks),
    )


def _pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    return code(", ".join(f"{name} {value}" for name, value in pairs)) if pairs else ""
