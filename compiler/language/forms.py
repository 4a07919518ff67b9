"""The form of each statement, as the help of a syntax error shows it.

The grammar states which tokens may follow which. For an incomplete statement, readers want the complete form, with
capitals for what to fill in. A test parses every form, so that none can differ from the grammar.
"""

from setpoint.compiler.language.blocks import BLOCKS, kind_of

STATEMENTS: dict[str, str] = {
    "set": 'set SETTING VALUE because "REASON";',
    "accept": 'accept HAZARD because "REASON" until 2027-03-31;',
    "manage": "manage all;",
    "require": 'require strength vendor because "REASON";',
    "expect": 'expect SETTING VALUE from SOURCE because "REASON";',
    "policy": "policy NAME { … }",
    "for": "for group NAME { … }",
    "include": 'include "PATH.tune";',
    "aliases": 'aliases NAME "OTHER NAME";',
    "assume": 'assume FACT VALUE when FACT VALUE because "REASON";',
    **{keyword: kind.form for keyword, kind in BLOCKS.items()},
}
"""The statements of a file or policy, by their first word."""

OF_TEXT = "about asks author because benchmark help note publisher title url"
"""The fields that are a text and nothing else."""

FIELDS: dict[str, str] = {
    **{key: f'{key} "TEXT";' for key in OF_TEXT.split()},
    "applies": "applies WAY;",
    "allows": "allows FACT VALUE or VALUE;",
    "beyond": "beyond scope;",
    "case": "case VALUE when SETTING VALUE;",
    "columns": "columns NAME NAME;",
    "contents": 'contents "TABLE", "SECTION";',
    "date": "date 2027-01-15;",
    "derive": 'derive NAME in "UNIT" from METRIC per METRIC;',
    "exception": "exception to RULE;",
    "fits": "fits FACT;",
    "follows": "follows VALUE;",
    "footnote": 'footnote SETTING COLUMN "TEXT";',
    "hold": "hold SETTING VALUE, SETTING VALUE;",
    "ignore": 'ignore "TEXT", "TEXT";',
    "implies": "implies FACT VALUE;",
    "known": 'known INTERFACE "WORD", "WORD";',
    "label": "label NAME, NAME;",
    "layer": "layer firmware;",
    "means": "means SETTING VALUE;",
    "metric": 'metric NAME in "UNIT";',
    "pattern": 'pattern FACT "NAMES", "NAMES";',
    "once": "once;",
    "otherwise": "otherwise VALUE;",
    "pin": 'pin "https://HOST/REPOSITORY" at COMMIT of 2027-01-15 "FILE";',
    "range": "range 1 to 100 step 1 in UNIT;",
    "related": 'related FACT VALUE strength test-first because "REASON";',
    "remark": "remark KIND;",
    "reported": 'reported as product "NAME";',
    "require": "require SETTING VALUE;",
    "role": "role intent;",
    "row": 'row "LABEL" VALUE 12.5;',
    "scope": "scope FACT VALUE, FACT VALUE;",
    "severity": "severity warning;",
    "strength": "strength measured when FACT VALUE;",
    "supersedes": "supersedes SOURCE;",
    "uri": 'uri NAME "/redfish/v1/…";',
    "use": "use SETTING VALUE;",
    "value": "value 2 to 8;",
    "values": "values VALUE, VALUE;",
    "vary": "vary SETTING VALUE from VALUE;",
    "when": "when FACT VALUE, SETTING VALUE or VALUE;",
    "within": "within VALUE;",
    "yields": "yields to RULE;",
}
"""The fields of a block, by their first word."""

EXPLAINED: dict[str, str] = {
    "AT": "`at` names the table, figure or section of the source",
    "PIN AT": "`at` names the commit",
    "OF": "`of` names the source",
    "FROM": "`from` names the value that it was compared with",
    "IN": "`in` names the unit",
    "AS": "`as` names what the server reports",
    "TO": "`to` names the rule",
    "BECAUSE": "`because` gives the reason",
}
"""The purpose of a keyword, by its kind; in a statement where it has another one, by the kinds of both."""


def form_of(first: str, block: str) -> str:
    """The form of a statement by its first word and by that of the block it stands in ("" for none); "" if unknown."""
    if block in ("", "policy", "for"):
        return STATEMENTS.get(first, "")
    kind = kind_of(block)
    return FIELDS.get(first) or (kind.row if kind else "")
