"""Recommendations: rules, and tables of rules.

Each cell of a table becomes a rule, named after its place on the page: `SOURCE.table-6.turbo.latency`.
"""

from collections.abc import Iterable

from setpoint.compiler.budget import look_up
from setpoint.compiler.knowledge.applicability import applicabilities
from setpoint.compiler.knowledge.model import MEASURED, STRENGTHS, Applicability, Box, Citation, Rule, meet
from setpoint.compiler.knowledge.vocabulary import EMPTY_CELL, Vocabulary
from setpoint.compiler.knowledge.words import regardless, slug, unknown
from setpoint.compiler.language.syntax import Field, Name, Table, TableRow


def rules(vocabulary: Vocabulary) -> Iterable[Rule]:
    """The rules of `rule` blocks."""
    for block, layer in vocabulary.blocks("rule"):
        look_up()
        fields = vocabulary.fields[block]
        when = vocabulary.words.box(fields.conditions("when"))
        citation = vocabulary.citation_of(block)
        strength, measured_when = _strength(vocabulary, next(iter(fields.all("strength")), None))
        because = vocabulary.reason(fields.name("because"), block.name)
        use = next(iter(fields.all("use")), None)
        if use is None or not vocabulary.has_setting_value(*use.names):
            continue
        yield Rule(
            name=block.name.text,
            setting=use.names[0].text,
            value=use.names[1].text,
            when=when,
            closed=vocabulary.closed(when),
            applicabilities=applicabilities_of(vocabulary, when, citation, strength, measured_when),
            strength=strength,
            measured_when=measured_when,
            withdraws=tuple(f.names[0].text for f in fields.all("exception")),
            exceptions=tuple(f.names[0].text for f in fields.all("exception")),
            yields=tuple(f.names[0].text for f in fields.all("yields")),
            regardless=regardless(fields.conditions("when")),
            beyond=fields.has("beyond"),
            because=because,
            note=fields.text("note"),
            citation=citation,
            table="",
            layer=layer,
            span=block.name.span,
        )


def cells(vocabulary: Vocabulary) -> Iterable[Rule]:
    """The rules of tables, one per cell."""
    for table, layer in vocabulary.statements:
        if isinstance(table, Table) and table.kind == "table" and table.rows:
            yield from _cells_of(vocabulary, table, layer)


def _cells_of(vocabulary: Vocabulary, table: Table, layer: str) -> Iterable[Rule]:
    look_up()
    head, *rows = table.rows
    columns = [(c[0], _values_of(vocabulary, head.name, c)) for c in head.cells]
    footnotes = {(f.row.text, f.column.text): f for f in table.footnotes}
    citation = vocabulary.citation(table.source, table.at)
    used = set()
    for row in rows:
        base = vocabulary.words.box(table.when, row.when)
        strength = _strength(vocabulary, row.strength)
        if not (
            vocabulary.has_setting(row.name)
            and vocabulary.has_all_cells(head, row)
            and _has_plain_cells(vocabulary, row)
        ):
            used |= {(row.name.text, column.text) for column, _ in columns}  # its footnotes are not the error
            continue
        for (column, mask), cell in zip(columns, row.cells, strict=True):
            value, key = cell[0], (row.name.text, column.text)
            if value.text == EMPTY_CELL:
                continue
            used.add(key)
            if not vocabulary.has_value(row.name.text, value) or not mask:
                continue
            when = meet(base, ((head.name.text, mask),))
            if when is None:
                vocabulary.wrong(
                    f"no `{head.name.text}` satisfies both this cell's column and its conditions",
                    value.span,
                    "can never apply",
                    "correct the conditions of the table or of the row, or leave the cell empty: `_`",
                )
                continue
            note = footnotes[key].text.text if key in footnotes else ""
            yield _rule_of_cell(
                vocabulary, table, citation, row, column.text, value, when, strength, note, layer
            )
    for key, footnote in footnotes.items():
        if key not in used:
            vocabulary.wrong(f"no cell `{key[0]}`, `{key[1]}` for this footnote", footnote.span)


def _rule_of_cell(
    vocabulary: Vocabulary, table: Table, citation: Citation, row: TableRow, column: str, value: Name,
    when: Box, weight: tuple[str, Box], note: str, layer: str,
) -> Rule:  # fmt: skip
    """The rule that a cell is; `weight` is its strength, and where it was measured."""
    strength, measured_when = weight
    return Rule(
        name=".".join((table.source.text, slug(table.at.text), row.name.text, column)),
        setting=row.name.text,
        value=value.text,
        when=when,
        closed=vocabulary.closed(when),
        applicabilities=applicabilities_of(vocabulary, when, citation, strength, measured_when),
        strength=strength,
        measured_when=measured_when,
        withdraws=(),
        exceptions=(),
        yields=(),
        regardless=regardless(table.when, row.when),
        beyond=False,
        because=row.because.text if row.because else "",
        note=note,
        citation=citation._replace(at=row.at.text) if row.at else citation,
        table=table.at.text,
        layer=layer,
        span=value.span,
    )


def _has_plain_cells(vocabulary: Vocabulary, row: TableRow) -> bool:
    """Whether each cell of a row recommends one value; reported if not."""
    for cell, effect in zip(row.cells, row.effects, strict=True):
        if effect:
            vocabulary.wrong(f"only a `preset` says what is `{effect}`", cell[0].span, "a recommendation")
            return False
        if len(cell) > 1:
            message = f"a cell of row `{row.name.text}` has several values"
            vocabulary.wrong(message, cell[1].span, "one too many")
            return False
    return True


def _values_of(vocabulary: Vocabulary, across: Name, column: tuple[Name, ...]) -> int:
    """The set of values at the head of a column; 0, with a finding, if they do not exist."""
    if vocabulary.words.is_effect(across):
        return 0
    if across.text not in vocabulary.variables:
        vocabulary.findings.append(unknown("fact", across, vocabulary.kinds, "E0201"))
        return 0
    known = [name.text for name in column if vocabulary.has_value(across.text, name)]
    variable = vocabulary.variables[across.text]
    return variable.covered(variable.within(known))


def _strength(vocabulary: Vocabulary, field: Field | None) -> tuple[str, Box]:
    """The strength of a recommendation, and where it was measured; () means everywhere in scope."""
    if field is None:
        return "vendor", ()
    name = field.names[0]
    if name.text not in STRENGTHS[1:]:
        vocabulary.findings.append(unknown("strength", name, STRENGTHS[1:], "E0202"))
    facts = tuple(c for c in field.conditions if c.name.text not in vocabulary.settings)
    for condition in field.conditions:
        if name.text != MEASURED or condition not in facts:
            message = (
                f"`strength measured` takes conditions on facts, and `{condition.name.text}` is a setting"
            )
            if name.text != MEASURED:
                message = f"`strength {name.text}` takes no condition: only `strength measured` does"
            advice = "move the condition into the `when` of the rule"
            vocabulary.wrong(message, condition.span, "not here", advice)
    return name.text, vocabulary.words.box(facts) if name.text == MEASURED else ()


def applicabilities_of(
    vocabulary: Vocabulary, when: Box, citation: Citation, strength: str, measured_when: Box
) -> tuple[Applicability, ...]:
    """Where a statement with these conditions applies, by the scope of its source.

    `strength` is "" for statements that are not advice.
    """
    source = vocabulary.sources.get(citation.source)
    return applicabilities(
        when,
        source.scope if source else (),
        source.related if source else None,
        strength,
        measured_when,
        vocabulary.compatible_facts,
        vocabulary.followers,
    )
