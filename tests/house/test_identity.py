"""What a statement says and where it stands are apart (decisions 0077, 0088, 0094 and 0114).

A record of something that stands in a text is `Placed`: the place is declared once, and records that differ in it alone
are equal. Every other field that is a place is here, with what it is for: such a record is another one elsewhere. And
what is remembered of plans is in one table of each knowledge base; the other tables end with what they are for.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from house.rooms import tree_of
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.fixes import Edit
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.language.program import program_of_text
from support.command import ROOT

COMPILER = sorted((ROOT / "compiler").rglob("*.py"))

PLACES = {
    "compiler/diagnostics/source.py: Placed.span": "whatever stands in a text and says something",
    "compiler/diagnostics/model.py: Diagnostic.at": "a finding: two at two places are two",
    "compiler/diagnostics/model.py: Label.span": "what contributes to a finding",
    "compiler/diagnostics/fixes.py: Edit.span": "a change of a text",
    "compiler/entries/model.py: Entry.span": "a line of somebody else's file, which may be there twice",
    "compiler/entries/model.py: AuditedFile.unread": "the lines that nothing reads",
    "compiler/fleet/waivers.py: StandingWaiver.span": "a statement in a list with lines, each with its own hosts",
    "compiler/plan/model.py: PolicyPlaces.stated": "the table of a plan's places",
    "compiler/plan/model.py: PolicyPlaces.whole": "the same",
}
"""All fields of records that are places."""

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
        if isinstance(kind, ast.ClassDef) and {"NamedTuple", "NamedFields", "Beside", "Placed"} & {
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


def test_under_ten_fields_are_places() -> None:
    assert set(place_fields()) == PLACES.keys()
    assert len(PLACES) < 10


TEXT = 'platform r740; set turbo off because "a"; accept x about smt because "b"; expect turbo on under goal any;'


def test_statements_that_say_the_same_are_equal_wherever_they_stand() -> None:
    here, there = program_of_text(TEXT).body, program_of_text("\n\n  " + TEXT.replace("; ", ";\n")).body
    assert [statement.span for statement in here] != [statement.span for statement in there]
    assert here == there
    assert {*here, *there} == {*here}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TEXT, TEXT.replace('"a"', '"c"')),  # another reason
        (TEXT, TEXT.replace("turbo off", "turbo on")),
        ("platform r740;", 'platform "r740";'),  # a name, or as a machine prints it
    ],
)
def test_statements_that_say_something_else_differ(one: str, other: str) -> None:
    assert program_of_text(one).body != program_of_text(other).body


@pytest.mark.parametrize(
    "finding",
    [Diagnostic("E0101", "message", NOWHERE), Label(NOWHERE, "text"), Edit(NOWHERE, "text")],
    ids=lambda finding: type(finding).__name__,
)
def test_findings_at_two_places_are_two(finding: Diagnostic | Label | Edit) -> None:
    elsewhere = NOWHERE._replace(line=1)
    at = {"at": elsewhere} if isinstance(finding, Diagnostic) else {"span": elsewhere}
    assert len({finding, finding._replace(**at)}) == 2  # type: ignore[arg-type]  # of each kind its own field


def test_no_more_tables_of_plans() -> None:
    assert set(memories()) == MEMORIES.keys() | WORKING.keys()
