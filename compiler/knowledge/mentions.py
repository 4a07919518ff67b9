"""What the knowledge base mentions of settings that take numbers or lists of CPUs.

Before anything else is read, every statement is searched for values of these settings. They are put into their
canonical form (`0050us` is `50us`), so that nothing later needs to know of other spellings, and they determine the
domain of the setting (`quantity`). Wrong values stay as they are, and are reported where they are read.
"""

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.quantity import (
    CPU_LIST,
    LOOKS_LIKE_A_NUMBER,
    CpuLists,
    Numbers,
    Scale,
    WrongQuantityError,
)
from setpoint.compiler.language.syntax import (
    Aliases,
    Block,
    Condition,
    Field,
    MeasurementTable,
    Name,
    Observations,
    ObservationStatement,
    OptionsTable,
    Spellings,
    Table,
    UnseenStatement,
)

Read = Callable[[Name, Name], Name]
"""Reads the value of a setting, both as written; returns the value in its canonical form."""

Statements = list[tuple[object, str]]
"""Statements, each with the layer of its file."""


class Mentions:
    """The settings with a scale, and the domain of each beside its named values.

    `later` are statements that may be replaced by others; they declare no setting.
    """

    def __init__(
        self, statements: Statements, findings: list[Diagnostic], later: Iterable[tuple[object, str]] = ()
    ) -> None:
        self._findings = findings
        self.scales: dict[str, Scale] = {}
        for statement, _ in statements:
            if isinstance(statement, Block) and statement.kind == "setting":
                scale = self._scale(statement)
                if scale is not None:
                    self.scales.setdefault(statement.name.text, scale)
        self._numbers: dict[str, set[int]] = {name: set() for name in self.scales}
        self._lists: dict[str, set[str]] = {name: set() for name in self.scales}
        self.statements = self._read(statements)
        self._before = self._mentioned()
        self.later = self._read(list(later))

    def instead(self, later: Statements) -> Statements | None:
        """Other later statements, read; None if the domains are others with them."""
        other = copy(self)
        other._numbers, other._lists = self._before
        other._numbers, other._lists = other._mentioned()
        read = other._read(later)
        return read if other._mentioned() == self._mentioned() else None

    def _mentioned(self) -> tuple[dict[str, set[int]], dict[str, set[str]]]:
        """What is mentioned so far, in sets of its own."""
        return {n: set(s) for n, s in self._numbers.items()}, {n: set(s) for n, s in self._lists.items()}

    def domain(self, setting: str) -> tuple[str, ...]:
        """The numbers or lists that are mentioned, and the cells of the others."""
        scale = self.scales[setting]
        if isinstance(scale, Numbers):
            return scale.domain(self._numbers[setting])
        return scale.domain(self._lists[setting])

    # ------------------------------------------------------------------------------ declarations

    def _scale(self, block: Block) -> Scale | None:
        """What a setting takes beside its named values; errors are reported."""
        field = {field.key: field for field in reversed(block.fields)}
        lists = "values" in field and CPU_LIST in (n.text for n in field["values"].names)
        if "range" not in field:
            return CpuLists() if lists else None
        *bounds, unit = field["range"].names
        if lists:
            self._wrong(bounds[0], f"`{block.name.text}` takes numbers and lists of CPUs", "one of the two")
        if unit.text and not unit.text.isalpha():
            self._wrong(unit, f"`{unit.text}` is not a unit: it consists of letters", "not a unit")
            return None
        plain = Numbers(0, 10**15, 1, unit.text)
        try:
            low, high, step = (plain.number(name.text or "1", unit_needed=False) for name in bounds)
        except WrongQuantityError as error:
            self._wrong(bounds[0], str(error), "no range")
            return None
        if low >= high or not 0 < step <= high - low or (high - low) % step:
            message = f"`{low} to {high} step {step}` is not a range"
            self._wrong(bounds[1], message, "the lower bound is first, and both are on a step")
            return None
        return plain._replace(low=low, high=high, step=step)

    def _wrong(self, name: Name, message: str, label: str) -> None:
        self._findings.append(Diagnostic("K07", message, name.span, label))

    # ----------------------------------------------------------------------------------- reading

    def _read(self, statements: Statements) -> Statements:
        return [(self._read_statement(s), layer) for s, layer in statements] if self.scales else statements

    def _read_statement(self, statement: object) -> object:
        read = READERS.get(type(statement))
        return read(self, statement) if read else statement

    def _block(self, block: Block) -> Block:
        return block._replace(fields=tuple(map(self._field, block.fields)))

    def _options(self, block: OptionsTable) -> OptionsTable:
        offers = tuple(
            offer._replace(
                offered=tuple((self._value(offer.setting, v), label) for v, label in offer.offered),
                default=self._value(offer.setting, offer.default) if offer.default else None,
                when=self._conditions(offer.when),
            )
            for offer in block.offers
        )
        return block._replace(when=self._conditions(block.when), offers=offers)

    def _table(self, table: Table) -> Table:
        rows = tuple(
            row._replace(
                cells=tuple(tuple(self._value(row.name, value) for value in cell) for cell in row.cells),
                when=self._conditions(row.when),
            )
            for row in table.rows
        )
        return table._replace(when=self._conditions(table.when), rows=rows)

    def _figures(self, table: MeasurementTable) -> MeasurementTable:
        rows = tuple(
            tuple(
                self._value(table.columns[i], cell) if i < len(table.columns) else cell
                for i, cell in enumerate(row)
            )
            for row in table.rows
        )
        fields = tuple(map(self._field, table.fields))
        return table._replace(when=self._conditions(table.when), fields=fields, rows=rows)

    def _spellings(self, block: Spellings) -> Spellings:
        spellings = tuple(
            spelling._replace(
                values=self._values(spelling.setting, spelling.values),
                shown=tuple(
                    place._replace(values=self._values(spelling.setting, place.values))
                    for place in spelling.shown
                ),
                when=self._conditions(spelling.when),
            )
            for spelling in block.spellings
        )
        return block._replace(when=self._conditions(block.when), spellings=spellings)

    def _observations(self, block: Observations) -> Observations:
        observations = tuple(map(self._observation, block.observations))
        return block._replace(when=self._conditions(block.when), observations=observations)

    def _aliases(self, aliases: Aliases) -> Aliases:
        return aliases._replace(value=aliases.value and self._value(aliases.name, aliases.value))

    def _observation(self, statement: ObservationStatement | UnseenStatement) -> Any:
        statement = statement._replace(when=self._conditions(statement.when))
        if isinstance(statement, UnseenStatement):
            return statement
        return statement._replace(values=self._values(statement.setting, statement.values))

    def _values(self, setting: Name, values: Iterable[Any]) -> Any:
        """What is said of each of some values of a setting."""
        return tuple(entry._replace(value=self._value(setting, entry.value)) for entry in values)

    def _field(self, field: Field) -> Field:
        if field.key in ("use", "vary"):
            setting, *values = field.names
            return field._replace(names=(setting, *(self._value(setting, value) for value in values)))
        if field.conditions:
            return field._replace(conditions=self._conditions(field.conditions))
        return field

    def _conditions(self, conditions: Iterable[Condition]) -> tuple[Condition, ...]:
        return tuple(
            c._replace(values=tuple(self._value(c.name, v) for v in c.values))
            if c.name.text in self.scales
            else c
            for c in conditions
        )

    def _value(self, setting: Name, value: Name) -> Name:
        """A value in its canonical form; recorded as mentioned."""
        scale = self.scales.get(setting.text)
        if scale is None or not LOOKS_LIKE_A_NUMBER.search(value.text):
            return value
        try:
            if isinstance(scale, CpuLists):
                text = scale.canonical(value.text)
                self._lists[setting.text].add(text)
                return value._replace(text=text)
            read = scale.alternative(value.text)
            self._numbers[setting.text].update(read.mentioned)
            return value._replace(text=read.text)
        except WrongQuantityError:
            return value


READERS: dict[type, Callable[[Mentions, Any], object]] = {
    Block: Mentions._block,
    OptionsTable: Mentions._options,
    Table: Mentions._table,
    MeasurementTable: Mentions._figures,
    Spellings: Mentions._spellings,
    Observations: Mentions._observations,
    Aliases: Mentions._aliases,
}
"""What reads the values in each kind of statement; the others mention none."""
