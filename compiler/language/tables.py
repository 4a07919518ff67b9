"""The grammar, made ready to be read with.

lark reads `grammar/setpoint.lark`, finds its ambiguities and works out the tables of an LALR(1) parser. That takes
longer than a whole plan, and depends on nothing but the grammar and lark: so the tables are kept as plain data in the
cache, and lark is not even imported as long as both stay as they are.

lark has no public interface to its tables. So its version is part of the cache key, `pyproject.toml` admits only the
versions whose tables are known to have this form, and a test has lark itself parse the same texts.

A rule's shape says what becomes of what it matched, as lark's notation has it: punctuation and keywords are
dropped unless the rule begins with `!`; a rule whose name begins with `_` has no node of its own, its
parts are its parent's; an optional `[…]` that is not there leaves a None.
"""

import os
import re
from collections.abc import Iterator
from functools import cache
from importlib.machinery import PathFinder
from typing import Any, NamedTuple

import setpoint.grammar
from setpoint.compiler.files.cache import kept
from setpoint.compiler.record import distinct

JUNK = ("OPEN_STRING", "JUNK")
"""The kinds of token that no rule takes."""

ABSENT = -1
"""In a shape, in place of an index: an optional part that is not there."""

VERSION = re.compile(r'^__version__\b.*?"([^"]+)"', re.M)
"""Where the source of lark states its version."""


@distinct
class Rule(NamedTuple):
    """One alternative of a rule of the grammar: its name, how many symbols it takes, and which of these are parts.

    The shape holds for each part the index of its symbol, or ABSENT.
    """

    name: str
    length: int
    shape: tuple[int, ...]

    @property
    def inlined(self) -> bool:
        """Whether its parts become its parent's."""
        return self.name.startswith("_")


@distinct
class Tables(NamedTuple):
    """All that reading takes.

    `pattern` has a named group for each kind of token, in the order in which they are tried; `keywords` the words
    that are kinds of their own. In a state, a token's kind leads to another (`shifts`), or says by which rule the latest
    symbols are taken together (`reductions`); then the rule's name leads on from the state before them (`gotos`).
    """

    pattern: str
    keywords: dict[str, str]
    ignored: frozenset[str]
    shifts: tuple[dict[str, int], ...]
    reductions: tuple[dict[str, int], ...]
    gotos: tuple[dict[str, int], ...]
    rules: tuple[Rule, ...]
    first: int
    last: int


@cache
def tables() -> Tables:
    """The tables of the grammar that is in the package."""
    files = [grammar_file(), __file__]
    made: Tables = kept("grammar", files, lambda: [made_of_grammar()], versions=[lark_version()])[0]
    return made


def lark_version() -> str:
    """The version of the installed lark, read from its source since importing it takes longer than a plan; "" if unknown."""
    spec = PathFinder.find_spec("lark")
    if spec is None or not spec.origin:
        return ""
    with open(spec.origin, encoding="utf-8") as file:
        found = VERSION.search(file.read())
    return found[1] if found else ""


def grammar_file() -> str:
    """Where the grammar lies."""
    return os.path.join(next(iter(setpoint.grammar.__path__)), "setpoint.lark")


def reserved_words() -> tuple[str, ...]:
    """The words that the grammar claims for itself, and that no name can be, in the order of the alphabet."""
    return tuple(sorted(tables().keywords))


def made_of_grammar() -> Tables:
    """The tables, worked out by lark."""
    from lark import Lark
    from lark.grammar import Rule as LarkRule
    from lark.lexer import TerminalDef

    with open(grammar_file(), encoding="utf-8") as file:
        grammar = Lark(
            file.read(), parser="lalr", lexer="basic", maybe_placeholders=True, postlex=_KeepsJunk()
        )
    data, memo = grammar.memo_serialize([TerminalDef, LarkRule])
    table = data["parser"]["parser"]
    rules = {number: _rule(said) for number, said in memo.items() if said["__type__"] == "Rule"}
    numbers = {number: n for n, number in enumerate(rules)}
    names = {rule.name for rule in rules.values()}
    states = {state: n for n, state in enumerate(table["states"])}
    shifts: list[dict[str, int]] = [{} for _ in states]
    reductions: list[dict[str, int]] = [{} for _ in states]
    gotos: list[dict[str, int]] = [{} for _ in states]
    for state, actions in table["states"].items():
        for token, (reduces, where) in actions.items():
            symbol = table["tokens"][token]
            if reduces:
                reductions[states[state]][symbol] = numbers[where["@"]]
            else:
                (gotos if symbol in names else shifts)[states[state]][symbol] = states[where]
    words = next(t for t in grammar.terminals if t.name == "WORD").pattern.to_regexp()
    keywords = dict(_keywords(grammar, words))
    return Tables(
        "|".join(_groups(grammar, set(keywords.values()))),
        keywords,
        frozenset(grammar.ignore_tokens),
        tuple(shifts),
        tuple(reductions),
        tuple(gotos),
        tuple(rules.values()),
        states[table["start_states"]["start"]],
        states[table["end_states"]["start"]],
    )


class _KeepsJunk:
    """Tells lark to keep the terminals that no rule takes."""

    always_accept = JUNK

    def process(self, stream: Iterator[Any]) -> Iterator[Any]:
        return stream


def _keywords(grammar: Any, words: str) -> Iterator[tuple[str, str]]:
    """The terminals that are texts and that would be words otherwise."""
    for terminal in grammar.terminals:
        if terminal.pattern.type == "str" and re.fullmatch(words, terminal.pattern.value):
            yield terminal.pattern.value, terminal.name


def _groups(grammar: Any, keywords: set[str]) -> Iterator[str]:
    """A group for each terminal: those of higher priority first, then those that can be longer."""
    ordered = sorted(
        grammar.terminals,
        key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name),
    )
    for terminal in ordered:
        if terminal.name not in keywords:
            yield f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})"


def _rule(said: dict[str, Any]) -> Rule:
    """A rule as lark writes it down: its symbols, and before which of them an optional part is missing."""
    symbols, options = said["expansion"], said["options"]
    shape: list[int] = []
    position = 0
    for absent in options["empty_indices"] or [False] * len(symbols):
        if absent:
            shape.append(ABSENT)
            continue
        if options["keep_all_tokens"] or not symbols[position].get("filter_out"):
            shape.append(position)
        position += 1
    return Rule(said["origin"]["name"], len(symbols), tuple(shape))
