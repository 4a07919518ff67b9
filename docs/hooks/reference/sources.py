"""One page for each source: its data and all its statements, with its tables as it prints them.

The tables come from the trees of the knowledge files, which have rows and columns where the knowledge base has rules;
the rest comes from the knowledge base.
"""

from collections.abc import Callable
from typing import Any

from setpoint.compiler.knowledge.model import (
    CITED,
    Family,
    Knowledge,
    KnownWords,
    Measurement,
    Observation,
    Related,
    Rule,
    Service,
    Source,
    Spelling,
    Unseen,
    statements_of,
)
from setpoint.compiler.language.syntax import Block, File, MeasurementTable, OptionsTable, Table
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.catalogue import KINDS, StatementKind, place_text, shown_texts
from setpoint.compiler.render.words import NO_FIGURE, figure_of, known_text, spelled_texts, way_text
from setpoint.docs.hooks.reference.pieces import Links, code, grid, opening, plain, required, where
from setpoint.docs.hooks.reference.settings import reason_text
from setpoint.docs.hooks.reference.tables import advice_table, figure_table, offer_table

LINKS = Links("../")

TABLES = ("table", "preset")
"""The kinds of blocks that are tables of settings."""

MOST_WORDS = 20
"""How many words of a block a page shows."""


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
    tables = {kind: [advice_table(t, LINKS) for t in held.tables if t.kind == kind] for kind in TABLES}
    offered = [offer_table(o, LINKS) for o in held.options]
    figures = [figure_table(f, knowledge.measurements) for f in held.figures]
    own = {field: _of_source(knowledge, source.name, field) for field in {**SECTIONS, **_others()}}
    parts = [
        _head(knowledge, source),
        _section("Recommendations in tables", tables["table"]),
        own.pop("rules"),
        _section("What profiles fix", tables["preset"]),
        _section("What is offered", offered),
        *own.values(),
        _values(knowledge, source.name),
        _section("Tables of figures", figures),
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


class SourceSection(NamedTuple):
    """How a page shows the statements of a kind: a heading, the heads of a table, and the cells of each statement
    behind its place.

    They are in the order of their names, or in that of the file (`in_order`). `also` is another field whose statements
    follow.
    """

    title: str
    heads: tuple[str, ...]
    cells: Callable[[Knowledge, Any], tuple[str, ...]]
    in_order: bool = False
    also: tuple[str, ...] = ()


def _of_source(knowledge: Knowledge, source: str, field: str) -> str:
    """The statements of a source in a field of the knowledge base, except those that its tables have; "" if there are
    none."""
    section = SECTIONS.get(field) or _others()[field]
    statements: list[Any] = []
    for kind in (field, *section.also):
        of_source = (
            statement for statement in statements_of(knowledge, kind) if statement.citation.source == source
        )
        statements += (
            sorted(of_source, key=lambda statement: statement.span) if section.in_order else of_source
        )
    rows = (
        (plain(statement.citation.at), *section.cells(knowledge, statement))
        for statement in statements
        if not getattr(statement, "table", "")
    )
    text = grid(("place", *section.heads), rows)
    return f"## {section.title}\n\n{text}" if text else ""


def _others() -> dict[str, SourceSection]:
    """The sections of kinds that can be listed, are statements of sources, and have no section of their own: as lists
    show them."""
    return {
        kind.field: SourceSection(name.capitalize(), ("name", "statement"), _as_listed(kind))
        for name, kind in KINDS.items()
        if kind.field in CITED and kind.field not in (*SECTIONS, *ELSEWHERE)
    }


def _as_listed(kind: StatementKind) -> Callable[[Knowledge, Any], tuple[str, ...]]:
    return lambda knowledge, statement: (code(statement.name), plain(kind.line(knowledge, statement)))


def _rule(knowledge: Knowledge, rule: Rule) -> tuple[str, ...]:
    return (
        code(rule.name),
        f"{LINKS.setting(rule.setting)} {code(rule.value)}",
        where(knowledge, rule.when),
        knowledge.strength_text(rule),
        reason_text(rule),
    )


def _spelling(knowledge: Knowledge, spelling: Spelling) -> tuple[str, ...]:
    return (
        LINKS.setting(spelling.setting),
        spelling.interface,
        ", ".join(map(code, spelling.names)),
        plain(spelled_texts(spelling)),
        where(knowledge, spelling.when),
    )


def _observation(knowledge: Knowledge, observation: Observation | Unseen) -> tuple[str, ...]:
    if isinstance(observation, Unseen):
        return (
            LINKS.setting(observation.setting),
            "nowhere",
            plain(observation.because),
            where(knowledge, observation.when),
        )
    return (
        LINKS.setting(observation.setting),
        code(place_text(observation)),
        plain(shown_texts(observation)),
        where(knowledge, observation.when),
    )


def _service(knowledge: Knowledge, service: Service) -> tuple[str, ...]:
    return (
        code(service.name),
        plain(service.title),
        where(knowledge, service.when),
        "<br>".join(f"{name} {code(address)}" for name, address in service.addresses)
        or plain(service.because),
        plain("; ".join(way_text(*way) for way in service.ways)),
    )


def _words(knowledge: Knowledge, words: KnownWords) -> tuple[str, ...]:
    return (
        code(words.name),
        plain(words.interface),
        where(knowledge, words.when),
        ", ".join(code(word.written) for word in words.words[:MOST_WORDS])
        + (f" and {len(words.words) - MOST_WORDS} more" if len(words.words) > MOST_WORDS else ""),
        plain(known_text(words)),
    )


def _family(knowledge: Knowledge, family: Family) -> tuple[str, ...]:
    return (
        code(family.name),
        plain(family.title),
        plain(family.fact),
        ", ".join(map(code, family.patterns)),
        ", ".join(f"{LINKS.fact(fact)} {code(value)}" for fact, value in family.implies),
    )


SECTIONS: dict[str, SourceSection] = {
    "rules": SourceSection("Rules", ("rule", "recommends", "where", "strength", "why"), _rule, in_order=True),
    "spellings": SourceSection(
        "What settings are called",
        ("setting", "interface", "names", "texts", "where"),
        _spelling,
        in_order=True,
    ),
    "observations": SourceSection(
        "Where a running server shows settings",
        ("setting", "shown at", "texts", "where"),
        _observation,
        in_order=True,
        also=("unseen",),
    ),
    "constraints": SourceSection(
        "Constraints",
        ("constraint", "where", "must be", "because"),
        lambda kb, c: (code(c.name), where(kb, c.when), required(kb, c), plain(c.because)),
    ),
    "hazards": SourceSection(
        "Hazards",
        ("hazard", "severity", "where", "because"),
        lambda kb, h: (LINKS.hazard(h.name), h.severity, where(kb, h.when), plain(h.because)),
    ),
    "services": SourceSection(
        "Redfish services", ("service", "controller", "where", "addresses", "applies settings"), _service
    ),
    "words": SourceSection("Words", ("name", "interface", "where", "words", "what they are"), _words),
    "families": SourceSection("Families", ("name", "what they are", "of", "patterns", "implies"), _family),
}
"""The sections for the kinds of statements, by their field in the knowledge base."""

ELSEWHERE = ("effects",)
"""The fields that no page of a source shows."""


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
    measured = [m for m in knowledge.measurements if m.citation.source == source and m.name in names]
    rows = (_measurement(m) for m in sorted(measured, key=lambda m: m.span))
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
