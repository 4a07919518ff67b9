"""The blocks of knowledge: one row for each kind, by its keyword.

A row is all that the language has to know of a kind. The reader of syntax errors shows its form, the formatter lays out
its body, the builders check its fields, and an editor completes them. Most kinds have a name and fields
(`rule NAME of SOURCE at "…" { fields }`): for another one of these, the grammar needs its keyword (`_named_key` or
`_cited_key`) and this table its row. A kind with rows of its own also has its rule in the grammar and its node in
`syntax`.

CONTRIBUTING has the steps for a new kind.
"""

from setpoint.compiler.record import NamedTuple

COLUMNS, CELLS, FIGURES = "columns", "cells", "figures"
"""How rows are laid out: their clauses in columns, their cells in columns with footnotes between them, or figures below
their heads."""


class BlockKind(NamedTuple):
    """A kind of block: its form, the fields that it must and may have, and those that may be repeated.

    `row` is the form of its rows, which begin with a name, and `layout` how they are laid out; "" if it has none.
    `begins` are the keywords that begin a segment of such a row beside the usual ones, `keeps` the usual ones that do
    not.
    """

    form: str
    required: str = ""
    optional: str = ""
    repeatable: str = ""
    row: str = ""
    layout: str = ""
    begins: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()


def _cited(keyword: str, required: str, optional: str, repeatable: str = "") -> BlockKind:
    """The row of a kind that has a name and a place in a source."""
    return BlockKind(f'{keyword} NAME of SOURCE at "PLACE" {{ … }}', required, optional, repeatable)


def _placed(keyword: str, row: str, begins: tuple[str, ...] = (), keeps: tuple[str, ...] = ()) -> BlockKind:
    """The row of a kind whose rows have a place each."""
    return BlockKind(
        f"{keyword} of SOURCE when FACT VALUE {{ … }}", row=row, layout=COLUMNS, begins=begins, keeps=keeps
    )


def _table(keyword: str, row: str) -> BlockKind:
    """The row of a kind that is a table of a source."""
    return BlockKind(f'{keyword} "TABLE" of SOURCE when FACT VALUE {{ … }}', row=row, layout=CELLS)


BLOCKS: dict[str, BlockKind] = {
    "source": BlockKind(
        'source NAME { title "TITLE"; publisher "PUBLISHER"; }',
        "title publisher",
        "author date url pin supersedes scope related contents about note",
        "contents note pin",
    ),
    "fact": BlockKind(
        'fact NAME { title "TITLE"; values VALUE, VALUE; }',
        "title",
        "role required fits about values ignore",
        "ignore",
    ),
    "setting": BlockKind(
        'setting NAME { title "TITLE"; layer firmware; values VALUE, VALUE; }',
        "layer title",
        "about once range values",
    ),
    "options": _placed(
        "options",
        'SETTING VALUE "LABEL", VALUE "LABEL" default VALUE menu "MENU > ITEM" at "PLACE";',
    ),
    "spelling": _placed(
        "spelling INTERFACE",
        'SETTING VALUE "TEXT", VALUE absent in "NAME" shown "FILE" at "PLACE";',
        begins=("in",),
    ),
    "observe": _placed(
        "observe",
        'SETTING VALUE "TEXT", VALUE absent in "FILE" while "FILE" "TEXT" overwritten by SETTING at "PLACE";',
        begins=("in", "while", "overwritten"),
        keeps=("because",),  # why a setting is seen nowhere stays together with that it is
    ),
    "preset": _table("preset", "SETTING VALUE VALUE free;"),
    "table": _table("table", 'SETTING VALUE VALUE _ at "PLACE";'),
    "rule": _cited(
        "rule", "when use because", "strength exception yields beyond note", "exception yields note"
    ),
    "constraint": _cited("constraint", "when because", "require forbid locked kept hidden"),
    "hazard": _cited("hazard", "when because", "asks help severity beyond"),
    "effect": _cited("effect", "title values case", "otherwise about note because", "case note"),
    "measurement": _cited(
        "measurement", "", "when vary hold metric value within benchmark about note because", "hold note"
    ),
    "service": _cited("service", "title when", "uri applies reported because", "uri applies reported"),
    "words": _cited("words", "known when", "means remark because", "means"),
    "family": _cited("family", "title pattern", "implies about", "implies"),
    "measurements": BlockKind(
        'measurements "TABLE" of SOURCE when FACT VALUE { … }',
        "metric",
        "label hold note derive",
        "label metric hold note derive",
        layout=FIGURES,
    ),
}
"""The kinds of blocks, by keyword."""

FACT_VALUE = BlockKind(
    'FACT NAME { title "TITLE"; }',
    "",
    "title values within follows implies allows reported means about",
    "implies allows reported means",
)
"""The block of a value of a fact, which begins with the name of that fact."""


def kind_of(keyword: str) -> BlockKind | None:
    """The kind of block that a keyword begins, or a token of its kind (`RULE`); None if it begins none."""
    return BLOCKS.get(keyword.lower())
