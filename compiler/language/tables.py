"""The parser's tables, made from the grammar.

lark reads `grammar/setpoint.lark`, checks it for ambiguities and computes the tables of an LALR(1) parser. That takes
longer than a whole plan and depends only on the grammar and on lark. So the tables are cached as plain data, and lark
is not even imported while both stay the same.

lark has no public interface to its tables. So its version is part of the cache key, `pyproject.toml` admits only
versions whose tables are known to have this form, and a test compares the trees with those of lark itself.

The shape of a rule says what becomes of its symbols, as in lark's notation: punctuation and keywords are dropped unless
the rule begins with `!`; a rule whose name begins with `_` has no node of its own, and its parts become its parent's;
an absent optional part `[…]` becomes None.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.machinery import PathFinder
from sys import intern

import setpoint.grammar
from setpoint.compiler.files.cache import cached, ship
from setpoint.compiler.hints import Any
from setpoint.compiler.record import NamedTuple

JUNK = ("OPEN_STRING", "JUNK")
"""The kinds of token that no rule accepts."""

ABSENT = -1
"""In a shape, instead of an index: an absent optional part."""

VERSION = "__version__"
"""How the line of lark's source begins that states its version, in quotes."""


class Production(NamedTuple):
    """One alternative of a rule of the grammar: its name, the number of its symbols, and the shape of its parts.

    The shape has the index of the symbol of each part, or ABSENT. `inlined` says whether its parts become parts of its
    parent.
    """

    name: str
    length: int
    shape: tuple[int, ...]
    inlined: bool

    @property
    def is_renaming(self) -> bool:
        """Whether it only gives its one symbol another name."""
        return self.inlined and self.length == 1 and self.shape == (0,)


class Tables(NamedTuple):
    """All tables of the lexer and the parser.

    `pattern` matches a token, or the end of the text, with the white space and the comments before it; it has a named
    group for each kind of token, in the order of precedence. `keywords` are the words that are kinds of their own. In
    each state, a token's kind leads to another state (`shifts`) or to the production to reduce (`reductions`); after a
    reduction, the rule's name leads from the state before it to the next (`gotos`).
    """

    pattern: str
    keywords: dict[str, str]
    shifts: tuple[dict[str, int], ...]
    reductions: tuple[dict[str, int], ...]
    gotos: tuple[dict[str, int], ...]
    rules: tuple[Production, ...]
    first: int
    last: int


@cache
def tables() -> Tables:
    """The tables of the packaged grammar."""
    grammar_tables: Tables = cached(
        "grammar", _files(), lambda: [tables_from_grammar()], versions=[lark_version()]
    )[0]
    return grammar_tables


def ship_tables(folder: str) -> None:
    """Write the tables into a folder for the wheel."""
    ship("grammar", _files(), [tables_from_grammar()], folder)


def _files() -> list[str]:
    """The files that the tables depend on."""
    return [grammar_file(), __file__]


def lark_version() -> str:
    """The version of the installed lark, "" if unknown: to import it takes longer than a plan."""
    spec = PathFinder.find_spec("lark")
    if spec is None or not spec.origin:
        return ""
    with open(spec.origin, encoding="utf-8") as file:
        return next((line.split('"')[1] for line in file if line.startswith(VERSION)), "")


def grammar_file() -> str:
    """The path of the grammar."""
    return os.path.join(next(iter(setpoint.grammar.__path__)), "setpoint.lark")


def reserved_words() -> tuple[str, ...]:
    """The keywords of the grammar, which cannot be names, in alphabetical order."""
    return tuple(sorted(tables().keywords))


def _actions(table: Any) -> dict[Any, list[Any]]:
    """What each state does at a token: the token, whether it reduces, and by which rule or to which state."""
    tokens = table["tokens"]
    return {
        state: sorted((intern(tokens[token]), *action) for token, action in actions.items())
        for state, actions in table["states"].items()
    }


def _by_the_way_to_them(first: Any, actions: Mapping[Any, list[Any]]) -> dict[Any, int]:
    """The number of each state of lark's, which numbers them differently each time."""
    states = {first: 0}
    for state in (order := [first]):
        for _, reduces, where in actions[state]:
            if not reduces and where not in states:
                states[where] = len(states)
                order.append(where)
    return states


def tables_from_grammar() -> Tables:
    """The tables, computed by lark. Equal texts in them are one object, so that a wheel always has the same bytes."""
    from lark import Lark
    from lark.grammar import Rule as LarkRule
    from lark.lexer import TerminalDef

    with open(grammar_file(), encoding="utf-8") as file:
        grammar = Lark(
            file.read(), parser="lalr", lexer="basic", maybe_placeholders=True, postlex=_KeepsJunk()
        )
    data, memo = grammar.memo_serialize([TerminalDef, LarkRule])
    table = data["parser"]["parser"]
    rules = {
        number: _rule(serialized) for number, serialized in memo.items() if serialized["__type__"] == "Rule"
    }
    numbers = {number: n for n, number in enumerate(rules)}
    names = {rule.name for rule in rules.values()}
    first = table["start_states"]["start"]
    actions = _actions(table)
    states = _by_the_way_to_them(first, actions)
    reductions = [
        {symbol: numbers[where["@"]] for symbol, reduces, where in actions[state] if reduces}
        for state in states
    ]
    moves = [
        {symbol: states[where] for symbol, reduces, where in actions[state] if not reduces}
        for state in states
    ]
    words = next(t for t in grammar.terminals if t.name == "WORD").pattern.to_regexp()
    keywords = dict(_keywords(grammar, words))
    return Tables(
        _pattern(grammar, set(keywords.values())),
        keywords,
        tuple({symbol: to for symbol, to in row.items() if symbol not in names} for row in moves),
        tuple(reductions),
        tuple({symbol: to for symbol, to in row.items() if symbol in names} for row in moves),
        tuple(rules.values()),
        states[first],
        states[table["end_states"]["start"]],
    )


class _KeepsJunk:
    """Makes lark keep the terminals that no rule accepts."""

    always_accept = JUNK

    def process(self, stream: Iterator[Any]) -> Iterator[Any]:
        return stream


def _keywords(grammar: Any, words: str) -> Iterator[tuple[str, str]]:
    """The terminals that are literal texts and would otherwise be words."""
    for terminal in grammar.terminals:
        if terminal.pattern.type == "str" and re.fullmatch(words, terminal.pattern.value):
            yield intern(terminal.pattern.value), intern(terminal.name)


def _pattern(grammar: Any, keywords: set[str]) -> str:
    """A group for each terminal, those of higher priority first, then the longer ones; what is ignored is before them.

    What is ignored is never given back (`*+`), nor searched where nothing follows it (`\\Z`): else white space or a
    comment at the end of a text would be tokens.
    """
    ordered = sorted(
        grammar.terminals,
        key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name),
    )
    texts = {t.name: t.pattern.to_regexp() for t in ordered if t.name not in keywords}
    ignored = "|".join(texts[name] for name in texts if name in grammar.ignore_tokens)
    groups = "|".join(
        f"(?P<{name}>{text})" for name, text in texts.items() if name not in grammar.ignore_tokens
    )
    return f"(?:{ignored})*+(?:{groups}|\\Z)"


def _rule(serialized: dict[str, Any]) -> Production:
    """A production from lark's serialized rule: its symbols, and the positions of absent optional parts."""
    symbols, options = serialized["expansion"], serialized["options"]
    shape: list[int] = []
    position = 0
    for absent in options["empty_indices"] or [False] * len(symbols):
        if absent:
            shape.append(ABSENT)
            continue
        if options["keep_all_tokens"] or not symbols[position].get("filter_out"):
            shape.append(position)
        position += 1
    name = intern(serialized["origin"]["name"])
    return Production(name, len(symbols), tuple(shape), inlined=name.startswith("_"))
