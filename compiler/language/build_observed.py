"""Build the nodes of `observe` blocks. `build` has the other rules of the grammar."""

from typing import Any

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.names import Name
from setpoint.compiler.language.observed import (
    GuardClause,
    Observations,
    ObservationStatement,
    ObservedValue,
    Selected,
    UnseenStatement,
)
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class _Owner(NamedTuple):
    """What may have changed a setting: a name, or words in quotes."""

    name: Name
    is_described: bool


class BuildObserved:
    """Builds the nodes of `observe` blocks, rule by rule."""

    def observe(self, span: Span, parts: list[Any]) -> Observations:
        source, when, *observations = parts
        return Observations(source, when or (), tuple(observations), span)

    def observation(self, span: Span, parts: list[Any]) -> ObservationStatement:
        setting, *rest, owner, at, when = parts
        values = tuple(part for part in rest if isinstance(part, ObservedValue))
        place, selected, form, factor, *guards = rest[len(values) :]
        name, is_described = owner or (None, False)
        return ObservationStatement(
            setting, values, place, selected, form, factor, tuple(guards), name, is_described, at, when or (), span
        )  # fmt: skip

    def observed(self, span: Span, parts: list[Any]) -> ObservedValue:
        return ObservedValue(parts[0], tuple(parts[1:]))

    def missing(self, span: Span, parts: list[Any]) -> Name:
        return Name("", span)

    def selected(self, span: Span, parts: list[Any]) -> Selected:
        found: Selected = parts[0]
        return found

    def bit(self, span: Span, parts: list[Name]) -> Selected:
        return Selected("bits", (parts[0], parts[0]), span)

    def bits(self, span: Span, parts: list[Name]) -> Selected:
        return Selected("bits", (parts[0], parts[1]), span)

    def line(self, span: Span, parts: list[Name]) -> Selected:
        return Selected("line", (parts[0],), span)

    def guard(self, span: Span, parts: list[Any]) -> GuardClause:
        place, selected, negated, text = parts
        return GuardClause(place, selected, negated is not None, text, span)

    def overwritten(self, span: Span, parts: list[Any]) -> Any:
        return parts[0]

    def written_by(self, span: Span, parts: list[Name]) -> _Owner:
        return _Owner(parts[0], is_described=False)

    def described(self, span: Span, parts: list[Name]) -> _Owner:
        return _Owner(parts[0], is_described=True)

    def unseen(self, span: Span, parts: list[Any]) -> UnseenStatement:
        setting, because, at, when = parts
        return UnseenStatement(setting, because, at, when or (), span)
