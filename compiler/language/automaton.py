"""The LALR(1) automaton: accepts tokens one by one, and builds the tree.

It has a stack of states, and beside it the node built for each symbol. It can be asked whether it accepts a token, and be
unwound to a state that accepts a certain kind, which is all that error recovery needs. After the first error it builds
nothing.
"""

from typing import Any, NamedTuple, Protocol

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.tables import ABSENT, Production, tables
from setpoint.compiler.language.tokens import END, Token
from setpoint.compiler.record import distinct


class Builder(Protocol):
    """Makes the nodes of the tree."""

    def leaf(self, token: Token) -> Any:
        """The node of a token."""

    def node(self, rule: str, at: Span, parts: list[Any]) -> Any:
        """The node of a rule, from its parts."""


@distinct
class _BuiltSymbol(NamedTuple):
    """The node of a symbol, and its first and last token; both None if it has no tokens."""

    value: Any
    first: Token | None
    last: Token | None


@distinct
class _Transition(NamedTuple):
    """The states after a token, and the rules reduced before it."""

    states: list[int]
    rules: list[Production]


class Automaton:
    """The state of parsing one source. Without a builder it only checks what is accepted."""

    def __init__(self, file: str, builder: Builder | None) -> None:
        self._tables = tables()
        self._file = file
        self._builder = builder
        self._states = [self._tables.first]
        self._built: list[_BuiltSymbol] = []

    @property
    def result(self) -> Any:
        """The tree of the whole text, after its end has been shifted."""
        return self._built[0].value

    def shift(self, token: Token) -> bool:
        """Shift a token. If it is not accepted, nothing changes and the result is False."""
        transition = self._transition(self._states, token.kind)
        if transition is None:
            return False
        self._states = transition.states
        if self._builder is not None:
            for rule in transition.rules:
                self._build(rule, self._builder)
            self._built.append(_BuiltSymbol(self._builder.leaf(token), token, token))
        return True

    def takes(self, *kinds: str) -> bool:
        """Whether tokens of these kinds are accepted, one after the other."""
        states = self._states
        for kind in kinds:
            transition = self._transition(states, kind)
            if transition is None:
                return False
            states = transition.states
        return True

    def expected(self) -> set[str]:
        """The kinds of token that are accepted."""
        here = self._states[-1]
        kinds = {*self._tables.shifts[here], *self._tables.reductions[here]}
        return {kind for kind in kinds if self.takes(kind)}

    def unwind_to(self, kind: str) -> None:
        """Drop states until this kind of token is accepted."""
        while not self.takes(kind):
            self._states.pop()

    def stop_building(self) -> None:
        """Only check from here on."""
        self._builder = None

    def _transition(self, states: list[int], kind: str) -> _Transition | None:
        """The transition for a token of this kind; None if it is not accepted."""
        states = list(states)
        rules = []
        while (number := self._tables.reductions[states[-1]].get(kind)) is not None:
            rule = self._tables.rules[number]
            rules.append(rule)
            del states[len(states) - rule.length :]
            states.append(self._tables.gotos[states[-1]][rule.name])
        if kind == END and states[-1] == self._tables.last:
            return _Transition(states, rules)
        if kind not in self._tables.shifts[states[-1]]:
            return None
        return _Transition([*states, self._tables.shifts[states[-1]][kind]], rules)

    def _build(self, rule: Production, builder: Builder) -> None:
        """Replace the nodes of a rule's symbols by the node of the rule."""
        start = len(self._built) - rule.length
        symbols = self._built[start:]
        del self._built[start:]
        first = next((symbol.first for symbol in symbols if symbol.first is not None), None)
        last = next((symbol.last for symbol in reversed(symbols) if symbol.last is not None), None)
        parts = _InlinedParts()
        for index in rule.shape:
            value = None if index == ABSENT else symbols[index].value
            if not isinstance(value, _InlinedParts):
                parts.append(value)
            elif parts:
                parts.extend(value)
            else:
                parts = value  # nothing else refers to it, so a long list grows in place
        at = self._span(first, last)
        value = parts if rule.inlined else builder.node(rule.name, at, list(parts))
        self._built.append(_BuiltSymbol(value, first, last))

    def _span(self, first: Token | None, last: Token | None) -> Span:
        if first is None or last is None:
            return Span(self._file, 1, 1, 1, 1)
        return first.span(self._file).to(last.span(self._file))


class _InlinedParts(list[Any]):
    """The parts of a rule that has no node of its own."""
