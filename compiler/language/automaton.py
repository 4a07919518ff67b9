"""The LALR(1) automaton: takes tokens one by one, and builds what they make.

It holds a stack of states, and beside it what has been built of each symbol. It can be asked what it would take,
without taking it, and be brought back to where it takes a kind again: that is all that going on after an error
needs. From the first error on nothing is built any more.
"""

from typing import Any, NamedTuple, Protocol

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.tables import ABSENT, Rule, tables
from setpoint.compiler.language.tokens import END, Token
from setpoint.compiler.record import distinct


class Builder(Protocol):
    """What makes the tree."""

    def leaf(self, token: Token) -> Any:
        """What a token becomes."""

    def node(self, rule: str, at: Span, parts: list[Any]) -> Any:
        """What the parts of a rule become."""


@distinct
class _Built(NamedTuple):
    """What was built of a symbol, and its first and last token; both None where it has none."""

    value: Any
    first: Token | None
    last: Token | None


@distinct
class _Step(NamedTuple):
    """The states after a token, and the rules whose symbols were taken together before it."""

    states: list[int]
    rules: list[Rule]


class Automaton:
    """The state of reading one source; without a builder it only finds out what fits."""

    def __init__(self, file: str, builder: Builder | None) -> None:
        self._tables = tables()
        self._file = file
        self._builder = builder
        self._states = [self._tables.first]
        self._built: list[_Built] = []

    @property
    def result(self) -> Any:
        """What was built of the whole text, once its end has been taken."""
        return self._built[0].value

    def take(self, token: Token) -> bool:
        """Take a token, or leave everything as it was if it does not fit."""
        step = self._step(self._states, token.kind)
        if step is None:
            return False
        self._states = step.states
        if self._builder is not None:
            for rule in step.rules:
                self._build(rule, self._builder)
            self._built.append(_Built(self._builder.leaf(token), token, token))
        return True

    def takes(self, *kinds: str) -> bool:
        """Whether tokens of these kinds fit, one after the other."""
        states = self._states
        for kind in kinds:
            step = self._step(states, kind)
            if step is None:
                return False
            states = step.states
        return True

    def fitting(self) -> set[str]:
        """The kinds of token that fit."""
        here = self._states[-1]
        kinds = {*self._tables.shifts[here], *self._tables.reductions[here]}
        return {kind for kind in kinds if self.takes(kind)}

    def go_back_to(self, kind: str) -> None:
        """Forget what was read last, symbol by symbol, until this kind of token fits."""
        while not self.takes(kind):
            self._states.pop()

    def build_no_more(self) -> None:
        """Only find out from here on what fits."""
        self._builder = None

    def _step(self, states: list[int], kind: str) -> _Step | None:
        """What taking a token of this kind does; None if it does not fit."""
        states = list(states)
        rules = []
        while (number := self._tables.reductions[states[-1]].get(kind)) is not None:
            rule = self._tables.rules[number]
            rules.append(rule)
            del states[len(states) - rule.length :]
            states.append(self._tables.gotos[states[-1]][rule.name])
        if kind == END and states[-1] == self._tables.last:
            return _Step(states, rules)
        if kind not in self._tables.shifts[states[-1]]:
            return None
        return _Step([*states, self._tables.shifts[states[-1]][kind]], rules)

    def _build(self, rule: Rule, builder: Builder) -> None:
        """Replace what was built of a rule's symbols by what is built of the rule."""
        start = len(self._built) - rule.length
        symbols = self._built[start:]
        del self._built[start:]
        first = next((symbol.first for symbol in symbols if symbol.first is not None), None)
        last = next((symbol.last for symbol in reversed(symbols) if symbol.last is not None), None)
        parts = _Parts()
        for index in rule.shape:
            value = None if index == ABSENT else symbols[index].value
            if not isinstance(value, _Parts):
                parts.append(value)
            elif parts:
                parts.extend(value)
            else:
                parts = value  # nobody else has it, so a long list grows in place
        at = self._span(first, last)
        value = parts if rule.inlined else builder.node(rule.name, at, list(parts))
        self._built.append(_Built(value, first, last))

    def _span(self, first: Token | None, last: Token | None) -> Span:
        if first is None or last is None:
            return Span(self._file, 1, 1, 1, 1)
        return first.span(self._file).to(last.span(self._file))


class _Parts(list[Any]):
    """The parts of a rule that has no node of its own."""
