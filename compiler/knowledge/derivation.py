"""Derived figures: ratios of what one source measured together, computed from its tables.

A `derive` in a table names the metric, its unit, the dividend and the divisor. There is a derived figure for each
figure of the dividend. The figure of the divisor is the one that was measured under the same conditions: in the same
row, or at another place of the source. It can be a weighted sum, as of power at rest and under load. What is missing,
or is there twice, is reported (K07), since a ratio of figures that do not belong together would look like a
measurement.

The computation is exact. The result has as many significant digits as the least precise of its figures, as printed;
half a digit is rounded to the even one. Weights are exact.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.knowledge.model import Citation, Measurement, covers
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Field, MeasurementTable, Name
from setpoint.compiler.record import NamedTuple

EXACTLY = Context(prec=1000)
"""Sums of figures, which lose no digit in it."""


class FigureTable(NamedTuple):
    """A table of figures, and what is printed in it."""

    table: MeasurementTable
    figures: tuple[Measurement, ...]

    def names(self, key: str) -> tuple[Name, ...]:
        """The metrics or labels that it declares."""
        fields = (field for field in self.table.fields if field.key == key)
        return tuple(name for f in fields for name in (f.names[:1] if key == "metric" else f.names))


class Share(NamedTuple):
    """A part of a divisor: `0.2 power when state idle`. The weight and the label are "" if absent."""

    weight: Name
    metric: Name
    label: Name
    value: Name

    @property
    def text(self) -> str:
        """The share in words: `0.2 power (state idle)`."""
        where = f" ({self.label.text} {self.value.text})" if self.label.text else ""
        return f"{self.weight.text} {self.metric.text}{where}".lstrip()

    def is_of(self, figure: Measurement, dividend: Measurement) -> bool:
        """Whether a figure is of this metric, and was measured under the conditions of the dividend."""
        labels = dict(figure.labels)
        if self.label.text:
            if labels.get(self.label.text) != self.value.text:
                return False
            del labels[self.label.text]
        return (
            figure.metric == self.metric.text
            and covers(figure.box, dividend.box)
            and all(
                labels.get(name, value) == value for name, value in dividend.labels if name != self.label.text
            )
        )


class Derivation(Placed):
    """`derive METRIC in "UNIT" from METRIC per SHARE and SHARE at "PLACE";`; `place` is "" for the same table."""

    metric: Name
    unit: Name
    dividend: Name
    place: Name
    shares: tuple[Share, ...]

    @classmethod
    def of(cls, field: Field) -> "Derivation":
        """The derivation of a field."""
        metric, unit, dividend, place, *rest = field.names
        shares = tuple(Share(*rest[at : at + 4]) for at in range(0, len(rest), 4))
        return cls(metric, unit, dividend, place, shares, span=field.span)

    @property
    def is_of_one_row(self) -> bool:
        """Whether all of its figures are of one row, in which a cell may be empty."""
        return not self.place.text and not any(share.label.text for share in self.shares)

    @property
    def text(self) -> str:
        """The formula: `work / (0.2 power (state idle) + 0.8 power (state load)), the divisor at Table 2`."""
        divisor = " + ".join(share.text for share in self.shares)
        if len(self.shares) > 1:
            divisor = f"({divisor})"
        at = f", the divisor at {self.place.text}" if self.place.text else ""
        return f"{self.dividend.text} / {divisor}{at}"


def derived_figures(tables: Sequence[FigureTable], findings: list[Diagnostic]) -> Iterator[Measurement]:
    """The derived figures of all tables; what cannot be computed is reported (K07, E0201)."""
    for own in tables:
        taken = {name.text: name for key in ("metric", "label") for name in own.names(key)}
        for field in own.table.fields:
            if field.key != "derive":
                continue
            derivation = Derivation.of(field)
            name = derivation.metric
            if name.text in taken:
                message = f"`{name.text}` is declared in this table already"
                first = (Label(taken[name.text].span, "declared here"),)
                findings.append(Diagnostic("K07", message, name.span, "cannot be derived", first))
                continue
            taken[name.text] = name
            read = _read(own, derivation, tables, findings)
            if read is not None and _has_names(own, read, derivation, findings):
                yield from _figures(own, read, derivation, findings)


def _read(
    own: FigureTable, derivation: Derivation, tables: Iterable[FigureTable], findings: list[Diagnostic]
) -> tuple[FigureTable, ...] | None:
    """The tables that have the divisor; None, and reported, if there is no such place.

    They are of one file, so that a site's change to another one cannot change what this one says.
    """
    if not derivation.place.text:
        return (own,)
    places: dict[str, list[FigureTable]] = {}
    for table in tables:
        is_here = table.table.span.file == own.table.span.file
        if is_here and table.table.source.text == own.table.source.text:
            places.setdefault(table.table.at.text, []).append(table)
    if derivation.place.text not in places:
        findings.append(unknown("table", derivation.place, places, "E0201"))
        return None
    return tuple(places[derivation.place.text])


def _has_names(
    own: FigureTable, read: Sequence[FigureTable], derivation: Derivation, findings: list[Diagnostic]
) -> bool:
    """Whether the tables have the metrics and labels of a derivation, and its weights are numbers; reported if not."""
    metrics = {name.text for table in read for name in table.names("metric")}
    labels = {name.text for table in read for name in table.names("label")}
    asked = [("metric", derivation.dividend, {name.text for name in own.names("metric")})]
    for share in derivation.shares:
        asked.append(("metric", share.metric, metrics))
        asked += [("label", share.label, labels)] if share.label.text else []
    faults = [unknown(what, name, known, "E0201") for what, name, known in asked if name.text not in known]
    faults += [
        Diagnostic("K07", f"`{share.weight.text}` is no weight", share.weight.span, "write it as 0.2 or 3")
        for share in derivation.shares
        if share.weight.text and not share.weight.text.replace(".", "", 1).isdecimal()
    ]
    findings += faults
    return not faults


def _figures(
    own: FigureTable, read: Iterable[FigureTable], derivation: Derivation, findings: list[Diagnostic]
) -> Iterator[Measurement]:
    """The figures of one derivation. The first that cannot be computed is reported, and ends it."""
    candidates = [figure for table in read for figure in table.figures]
    for dividend in own.figures:
        if dividend.metric != derivation.dividend.text:
            continue
        by_share = [
            [figure for figure in candidates if share.is_of(figure, dividend)] for share in derivation.shares
        ]
        if not all(by_share) and derivation.is_of_one_row:
            continue  # the cell of the divisor is empty
        figure = _derived(own.table, derivation, dividend, by_share)
        if isinstance(figure, Diagnostic):
            findings.append(figure)
            return
        yield figure


def _derived(
    table: MeasurementTable, derivation: Derivation, dividend: Measurement, by_share: list[list[Measurement]]
) -> Measurement | Diagnostic:
    """The derived figure of a row, from the figures of each share; a finding if it cannot be computed."""
    for share, matching in zip(derivation.shares, by_share, strict=True):
        if len(matching) != 1:
            return _mismatch(derivation, share, dividend, matching)
    parts = [figure for (figure,) in by_share]
    if len(units := dict.fromkeys(part.unit for part in parts)) > 1:
        message = "a sum of " + " and ".join(f"`{unit}`" for unit in units)
        return Diagnostic("K07", message, derivation.span, "different units")
    weights = [share.weight.text or "1" for share in derivation.shares]
    ratio = ratio_text(dividend.low, zip(weights, (part.low for part in parts), strict=True))
    if not ratio:
        message = f"`{derivation.metric.text}` divides by zero"
        row = (Label(dividend.span, "for this row"),)
        return Diagnostic("K07", message, derivation.span, "no ratio", row)
    line = table.at.span.line
    row_name = dividend.name.removesuffix(f".{dividend.metric}.{line}")
    places = dict.fromkeys(filter(None, (dividend.citation.at, derivation.place.text)))
    return dividend._replace(
        name=f"{row_name}.{derivation.metric.text}.{line}",
        metric=derivation.metric.text,
        unit=derivation.unit.text,
        low=ratio,
        high=ratio,
        citation=Citation(dividend.citation.source, "; ".join(places)),
        computed=derivation.text,
    )


def _mismatch(
    derivation: Derivation, share: Share, dividend: Measurement, matching: Sequence[Measurement]
) -> Diagnostic:
    """The finding for a row that has no figure of a share, or several."""
    where = f" at {derivation.place.text}" if derivation.place.text else ""
    many = f"{len(matching)} figures" if matching else "no figure"
    labels = (
        Label(dividend.span, "for this row"),
        *(Label(figure.span, "could be meant") for figure in matching),
    )
    return Diagnostic(
        "K07",
        f"{many} of `{share.text}`{where} under the conditions of a row",
        share.metric.span,
        "none was measured with it" if not matching else "which one?",
        tuple(dict.fromkeys(labels))[:3],
        help=("a divisor has the conditions of its row, and `when LABEL VALUE` picks one of several",),
    )


def computed_columns(
    table: MeasurementTable, figures: Iterable[Measurement]
) -> tuple[tuple[Derivation, tuple[str, ...]], ...]:
    """The derived figures of a table as columns beside its own, with a text for each row; "" if it has none."""
    cells = {(figure.span, figure.metric): figure.low for figure in figures if figure.computed}
    derivations = (Derivation.of(field) for field in table.fields if field.key == "derive")
    return tuple(
        (derivation, tuple(cells.get((row[0].span, derivation.metric.text), "") for row in table.rows))
        for derivation in derivations
    )


def ratio_text(dividend: str, shares: Iterable[tuple[str, str]]) -> str:
    """A figure divided by the weighted sum of others, rounded to the digits of the least precise; "" for zero."""
    shares = tuple(shares)
    divisor = Decimal(0)
    for weight, figure in shares:
        divisor = EXACTLY.fma(Decimal(weight), Decimal(figure), divisor)
    if not divisor:
        return ""
    digits = min(map(_significant_digits, (dividend, *(figure for _, figure in shares))))
    ratio = Context(prec=digits, rounding=ROUND_HALF_EVEN).divide(Decimal(dividend), divisor)
    last = ratio.adjusted() - digits + 1
    return format(ratio.quantize(Decimal(1).scaleb(min(last, 0))), "f") if ratio else "0"


def _significant_digits(figure: str) -> int:
    """The number of significant digits of a figure as it is printed: 3 for `0.910`, `-204` and `12.0`."""
    return max(1, len(figure.lstrip("-").replace(".", "").lstrip("0")))
