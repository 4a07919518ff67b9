"""The LALR(1) automaton: accepts tokens one by one, and builds the tree.

It has a stack of states, and beside it the node built for each symbol. It can be asked whether it accepts a token, and
be unwound to a state that accepts a certain kind, which is all that error recovery needs. After the first error it
builds nothing.

The grammar nests its statements a few levels deep and its lists to the left, so that there are few different stacks.
Each is made once, and keeps the transitions that were found from it: in a long text, nearly every token is one look-up.
"""

from functools import cache

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.hints import Any, Protocol
from setpoint.compiler.language.tables import ABSENT, Production, tables
from setpoint.compiler.language.tokens import END, Token
from setpoint.compiler.record import NamedTuple


class Builder(Protocol):
    """Makes the nodes of the tree."""

    def leaf(self, token: Token) -> Any:
        """The node of a token."""

    def node(self, rule: str, at: Span, parts: list[Any]) -> Any:
        """The node of a rule, from its parts."""


_BuiltSymbol = tuple[Any, Token | None, Token | None]
"""The node of a symbol, and its first and last token; both None if it has no tokens. Most of parsing is making
these."""


class _Transition(NamedTuple):
    """The stack after a token, and the rules reduced before it, without those that build nothing."""

    stack: "_Stack"
    rules: list[Production]


class _Stack:
    """A stack of states, with its transitions by kind of token; None for a kind that is not accepted."""

    def __init__(self, states: tuple[int, ...]) -> None:
        self.states = states
        self.transitions: dict[str, _Transition | None] = {}

    def transition(self, kind: str) -> _Transition | None:
        """The transition for a token of this kind; None if it is not accepted."""
        try:
            return self.transitions[kind]
        except KeyError:
            return self.transitions.setdefault(kind, self._find(kind))

    def _find(self, kind: str) -> _Transition | None:
        table = tables()
        states = list(self.states)
        rules = []
        while (number := table.reductions[states[-1]].get(kind)) is not None:
            rule = table.rules[number]
            if not rule.is_renaming:
                rules.append(rule)
            del states[len(states) - rule.length :]
            states.append(table.gotos[states[-1]][rule.name])
        if kind == END and states[-1] == table.last:
            return _Transition(_stack(tuple(states)), rules)
        if kind not in table.shifts[states[-1]]:
            return None
        return _Transition(_stack((*states, table.shifts[states[-1]][kind])), rules)


@cache
def _stack(states: tuple[int, ...]) -> _Stack:
    """The stack of these states."""
    return _Stack(states)


class Automaton:
    """The state of parsing one source. Without a builder it only checks what is accepted."""

    def __init__(self, file: str, builder: Builder | None) -> None:
        self._file = file
        self._builder = builder
        self._stack = _stack((tables().first,))
        self._built: list[_BuiltSymbol] = []

    @property
    def result(self) -> Any:
        """The tree of the whole text, after its end has been shifted."""
        return self._built[0][0]

    def shift(self, token: Token) -> bool:
        """Shift a token. If it is not accepted, nothing changes and the result is False."""
        transition = self._stack.transition(token.kind)
        if transition is None:
            return False
        self._stack = transition.stack
        if self._builder is not None:
            for rule in transition.rules:
                self._build(rule, self._builder)
            self._built.append((self._builder.leaf(token), token, token))
        return True

    def takes(self, *kinds: str) -> bool:
        """Whether tokens of these kinds are accepted, one after the other."""
        stack = self._stack
        for kind in kinds:
            transition = stack.transition(kind)
            if transition is None:
                return False
            stack = transition.stack
        return True

    def expected(self) -> set[str]:
        """The kinds of token that are accepted."""
        here = self._stack.states[-1]
        kinds = {*tables().shifts[here], *tables().reductions[here]}
        return {kind for kind in kinds if self.takes(kind)}

    def unwind_to(self, kind: str) -> None:
        """Drop states until this kind of token is accepted."""
        while not self.takes(kind):
            self._stack = _stack(self._stack.states[:-1])

    def stop_building(self) -> None:
        """Only check from here on."""
        self._builder = None

    def _build(self, rule: Production, builder: Builder) -> None:
        """Replace the nodes of a rule's symbols by the node of the rule."""
        start = len(self._built) - rule.length
        symbols = self._built[start:]
        del self._built[start:]
        first, last = _bounds(symbols)
        if rule.inlined and len(rule.shape) == 1 and rule.shape[0] != ABSENT:
            value = symbols[rule.shape[0]][0]  # a single part is passed on as it is
        else:
            parts = _parts(rule.shape, symbols)
            value = parts if rule.inlined else builder.node(rule.name, self._span(first, last), list(parts))
        self._built.append((value, first, last))

    def _span(self, first: Token | None, last: Token | None) -> Span:
        if first is None or last is None:
            return Span(self._file, 1, 1, 1, 1)
        return Span(self._file, first.line, first.column, last.line, last.end_column)


def _bounds(symbols: list[_BuiltSymbol]) -> tuple[Token | None, Token | None]:
    """The first and the last token of adjacent symbols; both None if they have none."""
    if symbols and symbols[0][1] is not None and symbols[-1][2] is not None:
        return symbols[0][1], symbols[-1][2]  # nearly always
    having = [(first, last) for _, first, last in symbols if first is not None]
    return (having[0][0], having[-1][1]) if having else (None, None)


class _InlinedParts(list[Any]):
    """The parts of a rule that has no node of its own."""


def _parts(shape: tuple[int, ...], symbols: list[_BuiltSymbol]) -> _InlinedParts:
    """The parts of a rule with this shape."""
    parts = _InlinedParts()
    for index in shape:
        value = None if index == ABSENT else symbols[index][0]
        if not isinstance(value, _InlinedParts):
            parts.append(value)
        elif parts:
            parts.extend(value)
        else:
            parts = value  # nothing else refers to it, so a long list grows in place
    return parts
