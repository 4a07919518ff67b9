"""Measurements: figures with what they were measured on, what was varied and what was held.

They decide nothing. They are what `explain` shows beside a rule, and where every number comes from.
"""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.fields import Fields
from setpoint.compiler.knowledge.model import Citation, Measurement
from setpoint.compiler.knowledge.words import Words, slug, unknown, unknown_value
from setpoint.compiler.language.syntax import Block, Condition, Field, Figures, Name

Cite = Callable[[Name, Name], Citation]

NO_FIGURE = "_"
"""The cell of a table of figures that its paper leaves empty."""

_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
"""A figure. The grammar takes any word for one, and `nan`, `1e999` and `1_000` mean something to Python."""


def measurements_of(
    statement: Block | Figures, words: Words, cite: Cite, findings: list[Diagnostic]
) -> Iterator[Measurement]:
    """The measurements that a `measurement` or a table of `measurements` states."""
    if isinstance(statement, Figures):
        yield from _table(statement, words, cite, findings)
    else:
        yield from _single(statement, words, cite, findings)


def _single(block: Block, words: Words, cite: Cite, findings: list[Diagnostic]) -> Iterator[Measurement]:
    fields = Fields.of(block, findings)
    if block.origin is None:
        findings.append(Diagnostic("K07", f"`{block.name.text}` names no source", block.name.span, ""))
        return
    varied = next(iter(fields.all("vary")), None)
    if varied is not None:
        variable = words.variables.get(varied.names[0].text)
        if variable is None:
            findings.append(unknown("setting", varied.names[0], words.variables, "E0201"))
        else:
            for name in varied.names[1:]:
                _known_value(variable.name, name, words, findings)
    metric = next(iter(fields.all("metric")), None)
    value = next(iter(fields.all("value")), None)
    numbers = _range(value, findings) if value else []
    labels = tuple(("benchmark", f.names[0].text) for f in fields.all("benchmark"))
    when, held = fields.conditions("when"), fields.conditions("hold")
    yield Measurement(
        name=block.name.text,
        when=_pairs(when),
        labels=labels,
        varied=tuple(n.text for n in varied.names) if varied else None,  # type: ignore[arg-type]
        held=_pairs(held),
        box=words.box_with_effects(when, held),  # reports unknown names
        metric=metric.names[0].text if metric else "",
        unit=metric.names[1].text if metric else "",
        low=numbers[0] if numbers else "",
        high=numbers[-1] if numbers else "",
        note=" ".join(t for t in (fields.text("because"), fields.text("note"), fields.text("about")) if t),
        citation=cite(block.origin.source, block.origin.at),
        span=block.name.span,
    )


def _table(table: Figures, words: Words, cite: Cite, findings: list[Diagnostic]) -> Iterator[Measurement]:
    fields = Fields("measurements", table.fields, table.at, findings)
    metrics = {f.names[0].text: f.names[1].text for f in fields.all("metric")}
    labels = {n.text for f in fields.all("label") for n in f.names}
    columns = [c.text for c in table.columns]
    for head in table.columns:
        if head.text not in metrics and head.text not in labels and head.text not in words.variables:
            findings.append(
                unknown(
                    "metric, label, fact or setting", head, [*metrics, *labels, *words.variables], "E0201"
                )
            )
    held = fields.conditions("hold")
    common = words.box_with_effects(table.when, held)  # reports unknown names
    citation = cite(table.source, table.at)
    for number, row in enumerate(table.rows, 1):
        if len(row) != len(columns):
            findings.append(
                Diagnostic(
                    "K07", f"this row has {len(row)} cells, the table {len(columns)} columns", row[0].span
                )
            )
            continue
        where, tags, masks = list(_pairs(table.when)), [], dict(common)
        for column, cell in zip(columns, row, strict=True):
            if column in labels:
                tags.append((column, cell.text))
            elif column not in metrics and column in words.variables and cell.text != NO_FIGURE:
                where.append((column, cell.text))
                if _known_value(column, cell, words, findings):
                    masks[column] = words.variables[column].below(cell.text)
        for column, cell in zip(columns, row, strict=True):
            if column in metrics and cell.text != NO_FIGURE:
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


def _known_value(variable: str, value: Name, words: Words, findings: list[Diagnostic]) -> bool:
    """Whether the variable has this value; reported if not."""
    known = value.text in words.variables[variable].values
    if not known:
        findings.append(unknown_value(words.variables[variable], value))
    return known


def _number(name: Name, findings: list[Diagnostic]) -> str:
    if not _DECIMAL.fullmatch(name.text):
        message = f"`{name.text}` is not a plain decimal number"
        findings.append(
            Diagnostic("K07", message, name.span, "no figure", help=("write it as 204, 180.5 or -3",))
        )
    return name.text


def _range(value: Field, findings: list[Diagnostic]) -> list[str]:
    """The figure of a field, or the two ends of its range; reported if these stand the wrong way round."""
    numbers = [_number(name, findings) for name in value.names]
    low, high = numbers[0], numbers[-1]
    if _DECIMAL.fullmatch(low) and _DECIMAL.fullmatch(high) and Decimal(low) > Decimal(high):
        message = f"`{low} to {high}` runs backwards"
        help_ = f"the lower figure stands first: `value {high} to {low}`"
        findings.append(Diagnostic("K07", message, value.span, "no range", help=(help_,)))
    return numbers


def _pairs(conditions: tuple[Condition, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (c.name.text, ("not " if c.negated else "") + " or ".join(v.text for v in c.values))
        for c in conditions
    )
