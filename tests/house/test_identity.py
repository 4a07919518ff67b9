"""How far meaning and place are apart (decisions 0077, 0088 and 0094): what is counted here may only become less.

A record whose fields are places is equal only to one at the same place. Wherever records are compared for what they
say, the places have to be taken out again. So all such fields are counted, and each is of a kind of record that is of a
place by itself, but for the one table that plans have. And what is remembered of plans is in one table of each
knowledge base; the other tables end with what they are for.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from house.rooms import tree_of
from support.command import ROOT

COMPILER = sorted((ROOT / "compiler").rglob("*.py"))

BELONG = {
    "compiler/language/syntax.py": 28,  # forms of a text
    "compiler/binding/levels.py": 2,  # the forms that apply to a plan, level by level, and the name of their policy
    "compiler/knowledge/": 23,  # forms, once their names are looked up
    "compiler/audit/model.py": 2,  # entries of somebody else's files
    "compiler/audit/rules.py": 1,  # keys of rules in such files
    "compiler/diagnostics/": 3,  # findings
    "compiler/fleet/waivers.py": 1,  # a list of statements with their lines, each with its hosts
    "compiler/lsp/": 6,  # answers about places
}
"""Where a record is of a place, and would be another one elsewhere; and how many fields of such records are places."""

TABLE = {"compiler/plan/model.py: PolicyPlaces.stated", "compiler/plan/model.py: PolicyPlaces.whole"}
"""All other fields that are places: the table of a plan's places."""

MEMORIES = {
    "compiler/knowledge/remembered.py: _remembered": "the process, for two knowledge bases",
}
"""The table that remembers from one request to the next, and what it ends with. It is bounded, and keyed by meaning."""

WORKING = {
    "compiler/comparison/planner.py: Planner._verdicts": "a side of a comparison",
    "compiler/fleet/outcomes.py: KnownPlans": "a comparison of fleets",
    "compiler/lsp/document.py: Document._planned": "a version of a document",
}
"""The tables of what one request is made of, and what each ends with."""

RESULTS = {"Planned", "Judged", "Plan", "PolicyVerdict", "CheckedSubject", "Remembered"}
"""What such a table has."""


def named(node: ast.expr) -> set[str]:
    """The names in an annotation, those in quotes included."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            found |= named(ast.parse(each.value, mode="eval").body)
    return found


@cache
def place_fields() -> tuple[str, ...]:
    """The fields of records that are places, or several of them."""
    return tuple(field for path in COMPILER for field in _place_fields(path))


def _place_fields(path: Path) -> Iterator[str]:
    for kind in ast.walk(tree_of(path)):
        if isinstance(kind, ast.ClassDef) and {"NamedTuple", "NamedFields"} & {
            base.id for base in kind.bases if isinstance(base, ast.Name)
        }:
            for field in kind.body:
                if isinstance(field, ast.AnnAssign) and "Span" in named(field.annotation):
                    assert isinstance(field.target, ast.Name)
                    yield f"{path.relative_to(ROOT)}: {kind.name}.{field.target.id}"


def memories() -> Iterator[str]:
    """The tables of plans: attributes, variables of modules, and names of forms."""
    for path in COMPILER:
        module = path.relative_to(ROOT)
        tree = tree_of(path)
        for kind in ast.walk(tree):
            if isinstance(kind, ast.ClassDef):
                declared = (each for each in ast.walk(kind) if isinstance(each, ast.AnnAssign))
                for each in declared:
                    if isinstance(each.target, ast.Attribute) and is_table(each.annotation):
                        yield f"{module}: {kind.name}.{each.target.attr}"
        for statement in tree.body:
            if isinstance(statement, ast.AnnAssign) and is_table(statement.annotation):
                yield f"{module}: {ast.unparse(statement.target)}"
            elif isinstance(statement, ast.Assign) and is_table(statement.value):
                yield f"{module}: {ast.unparse(statement.targets[0])}"


def is_table(node: ast.expr) -> bool:
    """Whether an annotation is that of a dictionary of what planning makes, or of a table of its own that remembers."""
    if isinstance(node, ast.BinOp):
        return is_table(node.left)
    if isinstance(node, ast.Name):
        return node.id == "Remembered"
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "dict"):
        return False
    return isinstance(node.slice, ast.Tuple) and bool(named(node.slice.elts[1]) & RESULTS)


@pytest.mark.parametrize(("where", "most"), BELONG.items())
def test_no_more_fields_are_places(where: str, most: int) -> None:
    found = [each for each in place_fields() if each.startswith(where)]
    assert len(found) <= most, "a record has a place that another one could have"
    assert len(found) == most, f"fewer than before: write {len(found)} here"


def test_places_are_in_one_table_beside_what_they_are_of() -> None:
    assert {each for each in place_fields() if not each.startswith(tuple(BELONG))} == TABLE


def test_no_more_tables_of_plans() -> None:
    assert set(memories()) == MEMORIES.keys() | WORKING.keys()
