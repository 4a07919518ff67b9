"""Build the nodes of the tree, rule by rule.

There is one method for each rule of the grammar, with its name. Nothing can fail here, since the automaton builds
nothing after an error.
"""

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.hints import Any
from setpoint.compiler.language.syntax import (
    Accept,
    Aliases,
    Assume,
    Block,
    Condition,
    Evidence,
    Expect,
    Fact,
    Field,
    Footnote,
    GuardClause,
    Include,
    Manage,
    MeasurementTable,
    Name,
    Observations,
    ObservationStatement,
    ObservedValue,
    OfferStatement,
    OptionsTable,
    Origin,
    Policy,
    Reason,
    Scope,
    Selected,
    Set,
    ShownPlace,
    ShownValue,
    Spellings,
    SpellingStatement,
    Table,
    TableRow,
    UnseenStatement,
    ValueSpelling,
)
from setpoint.compiler.language.tokens import Token
from setpoint.compiler.language.written import unquote
from setpoint.compiler.record import NamedTuple


def _reason(text: Name) -> Reason:
    return Reason(text.text, span=text.span)


class _Owner(NamedTuple):
    """What may have changed a setting: a name, or words in quotes."""

    name: Name
    is_described: bool


class BuildObserved:
    """Builds the nodes of `observe` blocks, rule by rule."""

    def observe(self, span: Span, parts: list[Any]) -> Observations:
        source, when, *observations = parts
        return Observations(source, when or (), tuple(observations), span=span)

    def observation(self, span: Span, parts: list[Any]) -> ObservationStatement:
        setting, *rest, owner, at, when = parts
        values = tuple(part for part in rest if isinstance(part, ObservedValue))
        place, selected, form, factor, *guards = rest[len(values) :]
        name, is_described = owner or (None, False)
        return ObservationStatement(
            setting, values, place, selected, form, factor, tuple(guards), name, is_described, at, when or (), span=span
        )  # fmt: skip

    def observed(self, span: Span, parts: list[Any]) -> ObservedValue:
        return ObservedValue(parts[0], tuple(parts[1:]))

    def missing(self, span: Span, parts: list[Any]) -> Name:
        return Name("", span=span)

    def _only(self, span: Span, parts: list[Any]) -> Any:
        return parts[0]

    selected = overwritten = member_effect = figure_cell = _only

    def bit(self, span: Span, parts: list[Name]) -> Selected:
        return Selected("bits", (parts[0], parts[0]), span=span)

    def bits(self, span: Span, parts: list[Name]) -> Selected:
        return Selected("bits", (parts[0], parts[1]), span=span)

    def line(self, span: Span, parts: list[Name]) -> Selected:
        return Selected("line", (parts[0],), span=span)

    def guard(self, span: Span, parts: list[Any]) -> GuardClause:
        place, selected, negated, text = parts
        return GuardClause(place, selected, negated is not None, text, span=span)

    def written_by(self, span: Span, parts: list[Name]) -> _Owner:
        return _Owner(parts[0], is_described=False)

    def described(self, span: Span, parts: list[Name]) -> _Owner:
        return _Owner(parts[0], is_described=True)

    def unseen(self, span: Span, parts: list[Any]) -> UnseenStatement:
        setting, because, at, when = parts
        return UnseenStatement(setting, because, at, when or (), span=span)


OWN_KEY = """implies allows related when use require date strength exception yields beyond case otherwise vary hold metric value note
    contents label uri applies known means remark pattern"""
FIELDS = {"names": "values", "scope_of": "scope", **{rule: rule for rule in OWN_KEY.split()}}
"""The rules of fields whose key follows from the rule, and that key."""


class _ColumnHeads(NamedTuple):
    """The heads of the columns in a table of figures."""

    names: tuple[Name, ...]


class _FigureRow(NamedTuple):
    """A row of such a table."""

    cells: tuple[Name, ...]


class _Absent(NamedTuple):
    """What must not be there: the text, or None for any."""

    text: Name | None


class _Unspelled(NamedTuple):
    """What stands instead of a text."""

    word: Name


class Build(BuildObserved):
    """Builds the tree of a file, rule by rule."""

    def __init__(self, file: str) -> None:
        self.file = file

    def leaf(self, token: Token) -> Any:
        """A name, number, date or text; other tokens stay tokens."""
        if token.kind in ("WORD", "SIGNED", "DATE"):
            return Name(token.text, span=token.span(self.file))
        if token.kind == "STRING":
            return Name(unquote(token.text), span=token.span(self.file))
        return token

    def node(self, rule: str, span: Span, parts: list[Any]) -> Any:
        """The node of a rule, from its parts."""
        if rule in FIELDS:
            return self._field(FIELDS[rule], span, parts)
        return getattr(self, rule)(span, parts)

    def _all(self, span: Span, parts: list[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    start = conditions = interface_names = spelled_values = shown_values = _all

    def include(self, span: Span, parts: list[Any]) -> Include:
        return Include(parts[0], span=span)

    def policy(self, span: Span, parts: list[Any]) -> Policy:
        name, extends, *body = parts
        return Policy(name, extends, tuple(body), span=span)

    def scope(self, span: Span, parts: list[Any]) -> Scope:
        kind, name, group, *body = parts
        return Scope(kind, name, group, tuple(body), span=span)

    def fact(self, span: Span, parts: list[Any]) -> Fact:
        name, value = parts
        if isinstance(value, Name):
            return Fact(name, value, is_printed=True, span=span)
        if len(value) == 1:
            return Fact(name, value[0], span=span)
        return Fact(
            name, Name(" ".join(w.text for w in value), span=value[0].span.to(value[-1].span)), span=span
        )

    def words(self, span: Span, parts: list[Name]) -> list[Name]:
        return parts

    def set(self, span: Span, parts: list[Name]) -> Set:
        return Set(parts[0], parts[1], _reason(parts[2]), span=span)

    def chosen(self, span: Span, parts: list[Any]) -> Name:
        return Name(" ".join(word.text for word in parts if word), span=span)

    def cpus(self, span: Span, parts: list[Name]) -> Name:
        return Name(",".join(word.text for word in parts), span=span)

    def accept(self, span: Span, parts: list[Any]) -> Accept:
        return Accept(parts[0], parts[1], parts[2], _reason(parts[3]), parts[4], span=span)

    def manage(self, span: Span, parts: list[Name]) -> Manage:
        return Manage(parts[0], span=span)

    def evidence(self, span: Span, parts: list[Name]) -> Evidence:
        return Evidence(parts[0], _reason(parts[1]), span=span)

    def expect(self, span: Span, parts: list[Any]) -> Expect:
        expected, *source, under, reason = parts
        because = reason and _reason(reason)
        if isinstance(expected, Condition):
            return Expect((expected,), None, under or (), because, is_of_hazard=True, span=span)
        return Expect(expected, source[0], under or (), because, span=span)

    def arising(self, span: Span, parts: list[Any]) -> Condition:
        negated, hazard = parts
        return Condition(Name("hazard", span=span), negated is not None, (hazard,), span=span)

    def assume(self, span: Span, parts: list[Any]) -> Assume:
        return Assume(parts[0], parts[1], parts[2] or (), parts[3], span=span)

    def aliases(self, span: Span, parts: list[Any]) -> Aliases:
        name, value, *texts = parts
        return Aliases(name, value, tuple(texts), span=span)

    def block(self, span: Span, parts: list[Any]) -> Block:
        keyword, name, *rest = parts
        origin = rest.pop(0) if rest and isinstance(rest[0], Origin) else None
        return Block(keyword.text, None, name, origin, tuple(rest), span=span)

    def fact_value(self, span: Span, parts: list[Any]) -> Block:
        subject, name, origin, *fields = parts
        return Block("value", subject, name, origin, tuple(fields), span=span)

    def origin(self, span: Span, parts: list[Name]) -> Origin:
        return Origin(parts[0], parts[1])

    def _rows(self, kind: str, span: Span, parts: list[Any]) -> Table:
        at, source, when, *body = parts
        rows = tuple(p for p in body if isinstance(p, TableRow))
        notes = tuple(p for p in body if isinstance(p, Footnote))
        return Table(kind, at, source, when or (), rows, notes, span=span)

    def table(self, span: Span, parts: list[Any]) -> Table:
        return self._rows("table", span, parts)

    def preset(self, span: Span, parts: list[Any]) -> Table:
        return self._rows("preset", span, parts)

    def row(self, span: Span, parts: list[Any]) -> TableRow:
        name, *cells, at, strength, when, because = parts
        effects, values = zip(*cells, strict=True)
        return TableRow(name, values, effects, at, strength, when or (), because, span=span)

    def cell(self, span: Span, parts: list[Any]) -> tuple[str, tuple[Name, ...]]:
        effect, *values = parts if len(parts) > 1 else (None, *parts)
        return effect.text if effect else "", tuple(values)

    def footnote(self, span: Span, parts: list[Name]) -> Footnote:
        return Footnote(parts[0], parts[1], parts[2], span=span)

    def options(self, span: Span, parts: list[Any]) -> OptionsTable:
        source, when, *offers = parts
        return OptionsTable(source, when or (), tuple(offers), span=span)

    def offer(self, span: Span, parts: list[Any]) -> OfferStatement:
        setting, *offered, default, menu, at, when = parts
        return OfferStatement(setting, tuple(offered), default, menu, at, when or (), span=span)

    def absence(self, span: Span, parts: list[Any]) -> OfferStatement:
        setting, at, when = parts
        return OfferStatement(setting, (), None, None, at, when or (), span=span)

    def offered(self, span: Span, parts: list[Any]) -> tuple[Name, Name | None]:
        return parts[0], parts[1]

    def spelling(self, span: Span, parts: list[Any]) -> Spellings:
        interface, source, when, *spellings = parts
        return Spellings(interface, source, when or (), tuple(spellings), span=span)

    def spelled(self, span: Span, parts: list[Any]) -> SpellingStatement:
        setting, values, names, kind, *shown, at, when = parts
        return SpellingStatement(setting, values or (), names, kind, tuple(shown), at, when or (), span=span)

    def spelled_value(self, span: Span, parts: list[Any]) -> ValueSpelling:
        value, text = parts
        if isinstance(text, _Unspelled):
            return ValueSpelling(value, None, is_absent=False, word=text.word)
        if isinstance(text, _Absent):
            return ValueSpelling(value, text.text, is_absent=True)
        return ValueSpelling(value, text, is_absent=False)

    def absent(self, span: Span, parts: list[Any]) -> _Absent:
        return _Absent(parts[0])

    def unspelled(self, span: Span, parts: list[Any]) -> _Unspelled:
        return _Unspelled(parts[0])

    def shown(self, span: Span, parts: list[Any]) -> ShownPlace:
        file, comparison, values = parts
        return ShownPlace(file, comparison, values or ())

    def shown_value(self, span: Span, parts: list[Any]) -> ShownValue:
        value, negated, text = parts
        return ShownValue(value, text, negated is not None)

    def one_value(self, span: Span, parts: list[Any]) -> Name:
        """A value, or a range in one form of words: `0 to 200`, `2 to 38 step 2`."""
        low, high, step = parts
        words = [low.text, *(["to", high.text] if high else []), *(["step", step.text] if step else [])]
        return Name(" ".join(words), span=span)

    def numbers(self, span: Span, parts: list[Any]) -> Name:
        """The numbers that a condition allows: `0 to 10`, `above 10`."""
        return Name(" ".join(part.text for part in parts), span=span)

    def measurements(self, span: Span, parts: list[Any]) -> MeasurementTable:
        at, source, when, *body = parts
        fields = tuple(p for p in body if isinstance(p, Field))
        columns = tuple(name for p in body if isinstance(p, _ColumnHeads) for name in p.names)
        rows = tuple(p.cells for p in body if isinstance(p, _FigureRow))
        return MeasurementTable(at, source, when or (), fields, columns, rows, span=span)

    def columns(self, span: Span, parts: list[Name]) -> _ColumnHeads:
        return _ColumnHeads(tuple(parts))

    def figure_row(self, span: Span, parts: list[Name]) -> _FigureRow:
        return _FigureRow(tuple(parts))

    def _field(self, key: str, span: Span, parts: list[Any]) -> Field:
        names = tuple(p for p in parts if isinstance(p, Name))
        conditions: list[Condition] = []
        for part in parts:
            if isinstance(part, Condition):
                conditions.append(part)
            elif isinstance(part, tuple) and not isinstance(part, Name):
                conditions.extend(part)
        return Field(key, names, tuple(conditions), span=span)

    def derive(self, span: Span, parts: list[Any]) -> Field:
        """Its names are the metric, its unit, the dividend and the place of the divisor; then four for each of its
        shares."""
        metric, unit, dividend, *shares, place = parts
        names = [metric, unit, dividend, place or Name("", span=span)]
        return Field("derive", (*names, *(name for share in shares for name in share)), (), span=span)

    def share(self, span: Span, parts: list[Any]) -> tuple[Name, ...]:
        """The weight, the metric, a label and its value; the weight and the label are empty if absent."""
        return tuple(part or Name("", span=span) for part in parts)

    def _reported(self, form: str, span: Span, parts: list[Any]) -> Field:
        names = tuple(p for p in parts if isinstance(p, Name))
        origin = next((p for p in parts if isinstance(p, Origin)), None)
        return Field("reported", names, (), origin, form, span=span)

    def reported(self, span: Span, parts: list[Any]) -> Field:
        return self._reported("", span, parts)

    def reported_from(self, span: Span, parts: list[Any]) -> Field:
        return self._reported("from", span, parts)

    def reported_any(self, span: Span, parts: list[Any]) -> Field:
        return self._reported("any", span, parts)

    def ignore(self, span: Span, parts: list[Any]) -> Field:
        *texts, origin = parts
        return Field("ignore", tuple(texts), (), origin, span=span)

    def range(self, span: Span, parts: list[Any]) -> Field:
        """Its names are the bounds, the step and the unit; without a step or a unit, that one is empty."""
        return Field("range", tuple(part or Name("", span=span) for part in parts), (), span=span)

    def pin(self, span: Span, parts: list[Any]) -> Field:
        """Its names are the repository, the commit, its date and the files; without a date, that one is empty."""
        repository, commit, date, *files = parts
        names = (repository, commit, date or Name("", span=span), *(file for file in files if file))
        return Field("pin", names, (), span=span)

    def text(self, span: Span, parts: list[Any]) -> Field:
        return self._field(parts[0].text, span, parts[1:])

    word = text

    def flag(self, span: Span, parts: list[Any]) -> Field:
        return self._field(parts[0].text, span, [])

    def condition(self, span: Span, parts: list[Any]) -> Condition:
        name, negated, *values = parts
        return Condition(name, negated is not None, tuple(values), span=span)
