"""Hypothesis strategies for texts of the language: valid ones in any layout, and invalid ones.

A right text is made in two steps. `statements` draws words: a statement is a list of pieces, between which any
white space or comment may stand. What has to stay on one line (a fact, the cells of a row) is one piece. `layout`
then puts something between the pieces.
"""

from collections.abc import Callable
from functools import wraps
from time import process_time
from typing import ParamSpec

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from setpoint.compiler.language.blocks import BLOCKS
from setpoint.compiler.language.tables import reserved_words
from setpoint.compiler.language.written import quote

Given = ParamSpec("Given")

SOON = 5
"""The seconds of processor time within which a short text is read or formatted: many times what it takes."""


def soon(number: int) -> Callable[[Callable[Given, None]], Callable[Given, None]]:
    """Try so many examples, each of which takes at most `SOON`. Hypothesis's own limit is by the clock, which a busy
    machine exceeds."""

    def limited(test: Callable[Given, None]) -> Callable[Given, None]:
        @wraps(test)
        def timed(*arguments: Given.args, **named: Given.kwargs) -> None:
            start = process_time()
            test(*arguments, **named)
            assert process_time() - start < SOON

        return settings(max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow])(
            timed
        )

    return limited


Pieces = list[str]

names = st.one_of(
    st.sampled_from(
        [
            "turbo",
            "smt",
            "goal",
            "cpu",
            "latency",
            "westmere",
            "x5670",
            "rhel",
            "6.4",
            "1.5v",
            "1066",
            "on",
            "off",
            "hpc-base",
        ]
    ),
    st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,12}", fullmatch=True),
).filter(lambda word: word not in reserved_words() and not _is_date(word))


def _is_date(word: str) -> bool:
    return len(word) == 10 and word[4] == word[7] == "-"


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp"]), max_size=40).map(
    quote
)
dates = st.dates().map(str)
numbers = st.one_of(st.decimals(-999, 9999, places=2).map(str), st.integers(-50, 5000).map(str))


def pieces(*parts: "st.SearchStrategy[Pieces] | str") -> st.SearchStrategy[Pieces]:
    """The parts one after the other; a part that is a plain text stands for its words."""
    made = [st.just(part.split()) if isinstance(part, str) else part for part in parts]
    return st.tuples(*made).map(lambda drawn: [piece for part in drawn for piece in part])


def one(words: st.SearchStrategy[str]) -> st.SearchStrategy[Pieces]:
    """A single word as pieces."""
    return words.map(lambda word: [word])


def maybe(*parts: "st.SearchStrategy[Pieces] | str") -> st.SearchStrategy[Pieces]:
    """The parts, or nothing."""
    return st.one_of(st.just([]), pieces(*parts))


def several(part: st.SearchStrategy[Pieces], between: str = "", most: int = 3) -> st.SearchStrategy[Pieces]:
    """One to `most` of a part."""
    return st.lists(part, min_size=1, max_size=most).map(
        lambda drawn: [
            piece for n, each in enumerate(drawn) for piece in ([between] if between and n else []) + each
        ]
    )


NAME, TEXT, DATE, NUMBER = one(names), one(texts), one(dates), one(numbers)
numbers_meant = st.one_of(pieces(NAME, "to", NAME), pieces(one(st.sampled_from(["above", "below"])), NAME))
alternatives = several(st.one_of(NAME, NAME, numbers_meant), "or")
condition = pieces(NAME, maybe("not"), alternatives)
conditions = several(condition, ",")
when = maybe("when", conditions)
origin = pieces("of", NAME, "at", TEXT)

fact = one(st.lists(names, min_size=2, max_size=4).map(" ".join)) | pieces(NAME, TEXT)
setting_of = pieces(
    "set", NAME, st.one_of(NAME, pieces(NAME, NAME), several(NAME, ",", most=12)), "because", TEXT
)
accept = pieces(
    "accept", NAME, maybe("of", NAME), maybe("about", NAME), "because", TEXT, maybe("until", DATE)
)
evidence = pieces("require strength", NAME, "because", TEXT)
said = st.one_of(fact, fact, setting_of, accept, pieces("manage all"), evidence)
include = pieces("include", TEXT)
assume = pieces("assume", NAME, NAME, when, "because", TEXT)

cell = st.one_of(st.lists(names, min_size=1, max_size=3).map(" or ".join), st.integers(-99, -1).map(str))
cells = one(
    st.lists(cell, min_size=1, max_size=5).flatmap(lambda c: names.map(lambda name: "  ".join([name, *c])))
)
row = pieces(
    cells, maybe("at", TEXT), maybe("strength", NAME), maybe("if", conditions), maybe("because", TEXT)
)
footnote = pieces("footnote", NAME, NAME, TEXT)
offer = pieces(
    NAME,
    several(pieces(NAME, maybe("to", NAME, maybe("step", NAME)), maybe(TEXT)), ","),
    maybe("default", NAME),
    maybe("menu", TEXT),
    maybe("at", TEXT),
    maybe("if", conditions),
)
part = st.one_of(pieces("bit", NAME), pieces("bits", NAME, "to", NAME), pieces("line", TEXT))
observation = st.one_of(
    pieces(
        NAME,
        several(pieces(NAME, several(st.one_of(TEXT, pieces("absent")), "or")), ","),
        pieces("in", TEXT, maybe(part), maybe("as", NAME), maybe("times", NAME)),
        maybe(several(pieces("while", TEXT, maybe(part), maybe("not"), TEXT))),
        maybe("overwritten by", st.one_of(NAME, TEXT)),
        maybe("at", TEXT),
        maybe("if", conditions),
    ),
    pieces(NAME, "nowhere because", TEXT, maybe("at", TEXT), maybe("if", conditions)),
)
figure = st.one_of(
    pieces("metric", NAME, "in", TEXT),
    pieces("label", several(NAME, ",")),
    pieces("hold", conditions),
    pieces("note", TEXT),
    pieces("columns", several(NAME)),
    pieces("row", several(st.one_of(NAME, TEXT, NUMBER))),
)
field = st.one_of(
    pieces(
        one(
            st.sampled_from(
                [
                    "title",
                    "publisher",
                    "author",
                    "url",
                    "about",
                    "because",
                    "help",
                    "asks",
                    "benchmark",
                    "note",
                ]
            )
        ),
        TEXT,
    ),
    pieces(
        one(
            st.sampled_from(
                [
                    "layer",
                    "supersedes",
                    "within",
                    "follows",
                    "strength",
                    "severity",
                    "role",
                    "fits",
                    "otherwise",
                ]
            )
        ),
        NAME,
    ),
    one(st.sampled_from(["required", "forbid"])),
    pieces("values", several(NAME, ",")),
    pieces("range", NAME, "to", NAME, maybe("step", NAME), maybe("in", NAME)),
    pieces("date", DATE),
    pieces("pin", TEXT, "at", NAME, maybe("of", DATE), maybe(several(TEXT, ","))),
    pieces("implies", NAME, NAME),
    pieces("pattern", NAME, several(TEXT, ",")),
    pieces("use", NAME, NAME),
    pieces(one(st.sampled_from(["allows", "require"])), condition),
    pieces(one(st.sampled_from(["scope", "when", "hold"])), conditions),
    pieces(one(st.sampled_from(["exception to", "yields to"])), NAME),
    pieces("case", NAME, "when", conditions),
    pieces("vary", NAME, NAME, "from", NAME),
    pieces("metric", NAME, "in", TEXT),
    pieces("value", NUMBER, maybe("to", NUMBER)),
)


@st.composite
def block(
    draw: st.DrawFn, head: st.SearchStrategy[Pieces], inside: st.SearchStrategy[Pieces], most: int = 4
) -> Pieces:
    """A head and a block of statements; the last may leave out its `;` unless it ends in a block."""
    made = draw(st.lists(inside, max_size=most))
    found = [*draw(head), "{"]
    for n, statement in enumerate(made):
        found += statement
        if statement[-1] != "}" and (n < len(made) - 1 or draw(st.booleans())):
            found.append(";")
    return [*found, "}"]


scope = block(pieces("for", NAME, NAME), said)
policy = block(pieces("policy", NAME, maybe("extends", NAME)), st.one_of(said, said, scope))
about_a_source = st.sampled_from(
    [keyword for keyword, kind in BLOCKS.items() if kind.form.startswith(f"{keyword} NAME of SOURCE at")]
)
declaration = st.one_of(
    block(pieces(one(st.sampled_from(["source", "fact", "setting"])), NAME), field),
    block(pieces(NAME, NAME, st.one_of(st.just([]), origin)), field),
    block(pieces(one(about_a_source), NAME, origin), field),
    block(
        pieces(one(st.sampled_from(["table", "preset"])), TEXT, "of", NAME, when),
        st.one_of(row, row, footnote),
    ),
    block(pieces("options of", NAME, when), offer),
    block(pieces("observe of", NAME, when), observation),
    block(pieces("measurements", TEXT, "of", NAME, when), figure),
)
statement = st.one_of(said, include, assume, policy, scope, declaration)
statements = st.lists(statement, max_size=6)
"""The statements of a right file."""


@st.composite
def files(draw: st.DrawFn) -> Pieces:
    """The pieces of a right file."""
    made = draw(statements)
    found: Pieces = []
    for n, each in enumerate(made):
        found += each
        if each[-1] != "}" and (n < len(made) - 1 or draw(st.booleans())):
            found.append(";")
    return found


comments = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=20).map(
    lambda t: f"#{t}\n"
)
gaps = st.one_of(
    st.sampled_from([" ", "\n", "    ", "\t", "\r\n", "\n\n\n"]),
    comments.map(lambda c: " " + c),
    comments.map(lambda c: "\n" + c),
    st.lists(comments, min_size=1, max_size=3).map(lambda several: "\n\n".join(["", *several])),
)


@st.composite
def layouts(draw: st.DrawFn, between: st.SearchStrategy[str] = gaps) -> str:
    """A right file in any shape."""
    drawn = draw(files())
    return "".join(draw(between) + piece for piece in drawn) + draw(between)


@st.composite
def soup(draw: st.DrawFn) -> str:
    """Words, texts and signs of the language, and foreign characters, in any order."""
    signs = st.sampled_from(
        ["{", "}", ";", ",", "\n", '"', "\\", "#", "-", "-4", "2027-03-31", "2027-13-99", "é", "\0"]
    )
    ingredients = st.one_of(st.sampled_from(reserved_words()), names, texts, signs, st.text(max_size=5))
    return draw(st.lists(ingredients, max_size=40).map(" ".join))
