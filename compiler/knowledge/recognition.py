"""Recognize by its name what the library does not describe: the family that it belongs to.

There are more servers and processors than a library can describe, but makers build their names by rules. A family
states such a rule: patterns of names, and the facts that follow from them. So an unknown model is planned as far as its
family is known.

In a pattern `#` is a digit, `[...]` one of some characters, and `*` any rest in ASCII that does not go on with a digit,
since another number is another model. A blank is also a hyphen or nothing, and case does not matter: `sr650-v2` is a
`ThinkSystem SR650 V2`. People leave the brand out, so a name may lack the first word of a pattern if a number follows
before the first `*`, and not a number alone; then it is recognized, but it is not what a machine prints. Else the rest
would be too little: `Virtual Machine` is no `Machine`.

Of several patterns that fit, the one with the most fixed characters counts. If two that say different things are equal
in that, the name is not recognized: a server must not become another one.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain

from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.knowledge.citation import Citation, Ignored
from setpoint.compiler.record import NamedTuple

MOST_GAPS = 3
"""How many `*` a pattern has at most: reading a long text takes a power of this."""

MOST_READ = 200
"""How many characters a text has at most. No product has a longer name."""

PARTS = re.compile(r"\[[^\]]*\]|.")
"""The parts of a pattern: one character, or several to choose from."""

CODE = {"#": "[0-9]", "*": "(?![0-9])[ -~]*", " ": "[ _-]*"}
"""What some parts are in regular expressions."""


class Family(Placed):
    """How a maker builds names: `patterns` of the texts of a fact, and the values of facts that follow from a text."""

    name: str
    title: str
    about: str
    fact: str
    patterns: tuple[str, ...]
    implies: tuple[tuple[str, str], ...]
    citation: Citation


class Recognized(NamedTuple):
    """The family of a text, and whether the text is what machines print, brand included."""

    family: Family
    is_printed: bool


def recognized(families: Iterable[Family], fact: str, text: str) -> Recognized | None:
    """The family that a text of a fact belongs to; None if there is none, or if it is not clear which."""
    text = " ".join(text.split())
    own = [family for family in families if family.fact == fact and len(text) <= MOST_READ]
    for is_printed in (True, False):
        fitting = [
            (_fixed(pattern), family)
            for family in own
            for pattern in family.patterns
            if (_expression(pattern) if is_printed else _without_brand(pattern)).fullmatch(text)
        ]
        best = [family for fixed, family in fitting if fixed == max(fixed for fixed, _ in fitting)]
        if best:
            is_clear = all(family.implies == best[0].implies for family in best)
            return Recognized(best[0], is_printed) if is_clear else None
    return None


@lru_cache(maxsize=10_000)
def without(ignored: tuple[Ignored, ...], text: str) -> str:
    """A text without what its fact ignores. It is kept, since each unknown name is compared with all that are known."""
    for phrase in chain.from_iterable(statement.texts for statement in ignored):
        text = _ignoring(phrase).sub(" ", text)
    return text


@cache
def _ignoring(ignored: str) -> re.Pattern[str]:
    # Bounded, since at each place of a long word all of it would be read.
    pattern = re.sub(r"\\\*(?=\\[)\]])", r"[^()\\[\\]]{0,100}", re.escape(ignored)).replace(
        r"\*", r"\S{0,64}"
    )
    before = "(?<![A-Za-z0-9])" if ignored[0].isalnum() else ""
    after = "(?![A-Za-z0-9])" if ignored[-1].isalnum() else ""
    return re.compile(before + pattern + after, re.IGNORECASE)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    code = "".join(
        CODE.get(part, part if part[0] == "[" else re.escape(part)) for part in PARTS.findall(pattern)
    )
    return re.compile(code, re.IGNORECASE)


@cache
def _without_brand(pattern: str) -> re.Pattern[str]:
    """A pattern without its first word, if the rest begins like a name with a number; else one that nothing fits."""
    brand, _, rest = pattern.partition(" ")
    has_number = re.search("[0-9#]", rest.partition("*")[0])
    is_name = brand.isalpha() and has_number and any(character.isalpha() for character in rest)
    return _expression(rest) if is_name else re.compile("(?!)")


def _fixed(pattern: str) -> tuple[int, int]:
    """How much of a name a pattern fixes: the characters, and the choices between some."""
    parts = PARTS.findall(pattern)
    choices = sum(part[0] == "[" or part == "#" for part in parts)
    return sum(part != "*" for part in parts) - choices, choices
