"""What the library's advice says is read once: another site takes it over, unless the site changes what the words of
the advice mean."""

import pytest
from proof.small import BASE, hazard, rule

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import Foundation, LayeredFile, may_come_later
from setpoint.compiler.language.parse import parse

LIBRARY = "\n".join(
    (
        BASE,
        'setting pump { title "Pump"; layer firmware; range 0 to 100 step 1 in W; }',
        'options of paper { pump 0 to 100W default 10W at "Menu"; }',
        rule("quiet", "fans low", "model m1"),
        rule("busy", "pump 20W", "model not m1"),
        hazard("hot", "boost on, fans low"),
    )
)
OWN = 'source own { title "Notes"; publisher "Example Ltd"; }'


def files(*site: str) -> tuple[list[LayeredFile], list[LayeredFile]]:
    """The library with what a site declares, and the site's advice."""
    tree = parse(SourceText("site.tune", "\n".join(site)))
    declared, later = (
        tree._replace(body=tuple(each for each in tree.body if may_come_later(each) == is_later))
        for is_later in (False, True)
    )
    return [LIBRARY_FILE, LayeredFile(declared, "site")], [LayeredFile(later, "site")]


LIBRARY_FILE = LayeredFile(parse(SourceText("small.tune", LIBRARY)), "stdlib")


@pytest.mark.parametrize(
    ("site", "is_taken_over"),
    [
        ([OWN], True),
        ([OWN, rule("loud", "fans high", "rack back", source="own")], True),
        ([OWN, 'assume rack back when model m1 because "usual";'], True),
        ([OWN, 'options of own when rack back { fans low default low at "Menu"; }'], True),
        ([OWN, rule("more", "pump 30W", "rack back", source="own")], False),  # the library's cells of numbers are narrower
        ([OWN, 'model m3 { title "M3"; }'], False),  # which `model not m1` is about
        ([OWN, 'model m2 { implies rack back; }'], False),
        ([OWN, 'setting doors { title "Doors"; layer os; values open, shut; }'], False),
        (['source new { title "Notes"; publisher "Example Ltd"; supersedes paper; }'], None),
        (['source paper { title "Paper"; publisher "P"; scope rack back; }'], None),  # the name is taken
    ],
)  # fmt: skip
def test_a_knowledge_base_is_that_of_its_statements(site: list[str], is_taken_over: bool | None) -> None:
    """Whatever was built before."""
    given, later = files(*site)
    for before in ([], [OWN], ['model m9 { title "M9"; }'], [OWN, rule("x", "pump 44W", "rack back")]):
        other, others_later = files(*before)
        last = Foundation(other, others_later)
        assert outcome(Foundation(given, later, last), later) == outcome(Foundation(given, later), later)
    alone = Foundation(files()[0])
    if is_taken_over is not None:
        assert (Foundation(given, later, alone)._own is alone._own) == is_taken_over


def test_what_has_a_fault_is_read_and_reported_again() -> None:
    faulty = LayeredFile(
        parse(SourceText("small.tune", LIBRARY + rule("z", "fans gone", "model m1"))), "stdlib"
    )
    first = Foundation([faulty])
    again = Foundation([faulty], (), first)
    assert outcome(again) == outcome(first) == "E0202"


def outcome(made: Foundation, later: list[LayeredFile] | None = None) -> object:
    """What is built, or the codes of its errors."""
    try:
        return made.knowledge(later or [])
    except SetpointError as error:
        return " ".join(found.code for found in error.diagnostics)
