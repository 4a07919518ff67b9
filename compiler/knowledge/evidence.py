"""Measurements: figures with the conditions under which they were measured, what was varied and what was held constant.

They decide nothing. `explain` shows them beside rules. Ratios of figures of one source are computed (`derivation`).
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.derivation import FigureTable, derived_figures
from setpoint.compiler.knowledge.fields import Fields
from setpoint.compiler.knowledge.model import Measurement
from setpoint.compiler.knowledge.vocabulary import EMPTY_CELL, Vocabulary
from setpoint.compiler.knowledge.words import slug, unknown
from setpoint.compiler.language.syntax import Block, Condition, Field, MeasurementTable, Name

_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
"""A figure. The grammar accepts any word, and Python would also read `nan`, `1e999` and `1_000` as numbers."""


VARIATION = "variation"
"""In `within variation`: the figure is no larger, by its source, than what the benchmark varies by between runs."""


def measurements(vocabulary: Vocabulary) -> Iterator[Measurement]:
    """The figures of all sources, and those that are derived from them."""
    tables, before = [], len(vocabulary.findings)
    for statement, _ in vocabulary.statements:
        if isinstance(statement, MeasurementTable):
            tables.append(FigureTable(statement, tuple(_table(vocabulary, statement))))
        elif isinstance(statement, Block) and statement.kind == "measurement":
            yield _single(vocabulary, statement)
    yield from (figure for table in tables for figure in table.figures)
    if len(vocabulary.findings) == before:  # else figures may be no numbers
        yield from derived_figures(tables, vocabulary.findings)


def _single(vocabulary: Vocabulary, block: Block) -> Measurement:
    fields = vocabulary.fields[block]
    metric = next(iter(fields.all("metric")), None)
    value = next(iter(fields.all("value")), None)
    numbers = _range(value, vocabulary.findings) if value else []
    labels = tuple(("benchmark", f.names[0].text) for f in fields.all("benchmark"))
    when, held = fields.conditions("when"), fields.conditions("hold")
    return Measurement(
        name=block.name.text,
        when=_pairs(when),
        labels=labels,
        varied=_varied(vocabulary, fields),
        held=_pairs(held),
        box=vocabulary.words.box_with_effects(when, held),  # reports unknown names
        metric=metric.names[0].text if metric else "",
        unit=metric.names[1].text if metric else "",
        low=numbers[0] if numbers else "",
        high=numbers[-1] if numbers else "",
        is_variation=_is_variation(fields, vocabulary.findings),
        note=" ".join(t for t in (fields.text("because"), fields.text("note"), fields.text("about")) if t),
        citation=vocabulary.citation_of(block),
        span=block.name.span,
    )


def _is_variation(fields: Fields, findings: list[Diagnostic]) -> bool:
    """Whether a figure is within the variation of its benchmark; another word is reported."""
    word = fields.name("within")
    if word is not None and word.text != VARIATION:
        findings.append(unknown("limit", word, (VARIATION,), "E0202"))
    return word is not None


def _varied(vocabulary: Vocabulary, fields: Fields) -> tuple[str, str, str] | None:
    """The setting that was varied, its value and its previous value; reported if it does not exist."""
    field = next(iter(fields.all("vary")), None)
    if field is None:
        return None
    name, value, before = field.names
    if name.text not in vocabulary.variables:
        vocabulary.findings.append(unknown("setting", name, vocabulary.variables, "E0201"))
    else:
        vocabulary.has_value(name.text, value)
        vocabulary.has_value(name.text, before)
    if value.text == before.text:
        message = f"`{name.text}` is varied from {before.text} to {value.text}"
        vocabulary.wrong(message, field.span, "varies nothing")
    return name.text, value.text, before.text


def _table(vocabulary: Vocabulary, table: MeasurementTable) -> Iterator[Measurement]:
    variables, findings = vocabulary.variables, vocabulary.findings
    fields = Fields("measurements", table.fields, table.at, findings)
    metrics = {f.names[0].text: f.names[1].text for f in fields.all("metric")}
    labels = {n.text for f in fields.all("label") for n in f.names}
    columns = [c.text for c in table.columns]
    for head in table.columns:
        if head.text not in metrics and head.text not in labels and head.text not in variables:
            known = [*metrics, *labels, *variables]
            findings.append(unknown("metric, label, fact or setting", head, known, "E0201"))
    held = fields.conditions("hold")
    common = vocabulary.words.box_with_effects(table.when, held)  # reports unknown names
    citation = vocabulary.citation(table.source, table.at)
    for number, row in _whole_rows(table, findings):
        where, tags, masks = list(_pairs(table.when)), [], dict(common)
        for column, cell in zip(columns, row, strict=True):
            if column in labels:
                tags.append((column, cell.text))
            elif column not in metrics and column in variables and cell.text != EMPTY_CELL:
                where.append((column, cell.text))
                if vocabulary.has_value(column, cell):
                    masks[column] = variables[column].below(cell.text)
        for column, cell in zip(columns, row, strict=True):
            if column in metrics and cell.text != EMPTY_CELL:
                figure = _number(cell, findings)
                yield Measurement(
                    name=f"{citation.source}.{slug(citation.at)}.{number}.{column}.{table.at.span.line}",
                    when=tuple(where),
                    labels=tuple(tags),
                    varied=None,
                    held=_pairs(held),
                    box=tuple(sorted(masks.items())),
                    metric=column,
                    unit=metrics[column],
                    low=figure,
                    high=figure,
                    note=fields.text("note"),
                    citation=citation,
                    span=row[0].span,
                )


def _whole_rows(
    table: MeasurementTable, findings: list[Diagnostic]
) -> Iterator[tuple[int, tuple[Name, ...]]]:
    """The rows that have a cell for each column, with their numbers; the others are reported."""
    for number, row in enumerate(table.rows, 1):
        if len(row) == len(table.columns):
            yield number, row
        else:
            message = f"this row has {len(row)} cells, the table {len(table.columns)} columns"
            findings.append(Diagnostic("K07", message, row[0].span))


def _number(name: Name, findings: list[Diagnostic]) -> str:
    if not _DECIMAL.fullmatch(name.text):
        message = f"`{name.text}` is not a plain decimal number"
        findings.append(
            Diagnostic("K07", message, name.span, "no figure", help=("write it as 204, 180.5 or -3",))
        )
    return name.text


def _range(value: Field, findings: list[Diagnostic]) -> list[str]:
    """The figure of a field, or the ends of its range; reported if these are in the wrong order."""
    numbers = [_number(name, findings) for name in value.names]
    low, high = numbers[0], numbers[-1]
    if _DECIMAL.fullmatch(low) and _DECIMAL.fullmatch(high) and Decimal(low) > Decimal(high):
        message = f"`{low} to {high}` runs backwards"
        help_ = f"write the lower figure first: `value {high} to {low}`"
        findings.append(Diagnostic("K07", message, value.span, "no range", help=(help_,)))
    return numbers


def _pairs(conditions: tuple[Condition, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (c.name.text, ("not " if c.negated else "") + " or ".join(v.text for v in c.values))
        for c in conditions
    )
