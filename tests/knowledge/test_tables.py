"""The rules made of a table's cells: each applies under its own column, and nowhere else."""

import pytest
from proof.small import knowledge

from setpoint.compiler.knowledge.model import Knowledge, Rule, Variable

WIDE = """
fact goal { title "Goal"; role intent; required; values fast, cool, cheap; }
fact model { title "Model"; }
model old { title "Old"; }
model new { title "New"; within old; }
model newest { title "Newest"; within new; }
model other { title "Other"; }
source paper { title "Paper"; publisher "P"; }
setting boost { title "Boost"; layer firmware; values on, off; }
options of paper { boost on, off default on at "Menu"; }
"""


def table(head: str, row: str, when: str = "") -> Knowledge:
    """A table of one row, on a base with a tree of models."""
    return knowledge(f'table "Table 1" of paper {when} {{ {head}; {row}; }}', base=WIDE)


def conditions(base: Knowledge) -> dict[str, str]:
    """The condition of each rule, by its column."""
    return {rule.name.rpartition(".")[2]: base.box_text(rule.when) for rule in base.rules}


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("new or old", "model old"),
        ("newest or new", "model new"),
        ("newest or other", "model newest or other"),
        ("new or new", "model new"),
    ],
)
def test_a_column_with_several_values_applies_to_all_of_them(column: str, expected: str) -> None:
    """Even if one of them lies within another, or equals it."""
    base = table(f"model {column}", "boost off")
    assert list(conditions(base).values()) == [expected]


def test_values_that_overlap_are_joined() -> None:
    tree = Variable("model", ("old", "new", "other"), ("", "old", ""))
    assert tree.within(["old", "new", "old"]) == tree.below("old")
    assert tree.within([]) == 0


def test_conditions_on_the_fact_across_narrow_each_column() -> None:
    """A variable occurs once in a condition, so the conditions of the table, the row and the column are intersected."""
    base = table("model old other", "boost off _ if model new", "when model not newest, goal fast")
    assert conditions(base) == {"old": "goal fast, model new"}
    (rule,) = base.rules
    assert named(rule) == ["goal", "model"]
    assert base.variables["model"].names(dict(rule.when)["model"]) == ("new",)


def named(rule: Rule) -> list[str]:
    return [name for name, _ in rule.when]
