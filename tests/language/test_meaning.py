"""The meaning of statements is what they say, wherever they stand and for whatever reason."""

import pytest

from setpoint.compiler.language.meaning import meaning, places_in, reasons_in
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.syntax import Statement


def read(text: str) -> tuple[Statement, ...]:
    return program_of_text(text, ".").body


SAYING = {
    "another place": ("\n\n    set turbo   off\n because 'a';".replace("'", '"'), True),
    "another reason": ('set turbo off because "b";', True),
    "no reason, only spaces": ('set turbo off because "  ";', False),
    "another value": ('set turbo on because "a";', False),
    "another setting": ('set smt off because "a";', False),
    "another kind of statement": ('expect turbo off because "a";', False),
    "a statement more": ('set turbo off because "a"; sockets 2;', False),
}


@pytest.mark.parametrize(("text", "is_same"), SAYING.values(), ids=SAYING)
def test_statements_that_say_the_same_have_the_same_meaning(text: str, is_same: bool) -> None:
    assert (meaning(read(text)) == meaning(read('set turbo off because "a";'))) is is_same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('platform "r740";', "platform r740;"),  # as a machine prints it, or a name
        ('accept advice of a about b because "";', 'accept advice of a because "";'),
        ('accept advice of a because "";', 'accept advice about a because "";'),
        ('accept x because "" until 2030-01-01;', 'accept x because "" until 2030-01-02;'),
        ("expect turbo off;", "expect turbo not off;"),
        ("expect turbo off;", "expect turbo off under goal any;"),
        ("expect hazard x;", "expect hazard not x;"),
        ("for group a { smt on; }", "for host a { smt on; }"),
        ("for host h in a { smt on; }", "for host h in b { smt on; }"),
    ],
)
def test_what_differs_in_what_it_says_differs_in_meaning(one: str, other: str) -> None:
    assert meaning(read(one)) != meaning(read(other))


def test_places_and_reasons_correspond() -> None:
    first = read(
        'set turbo off because "a"; accept x about smt because "b"; expect turbo on from y under goal any because "c";'
    )
    again = read(
        '\n set turbo off because "d";\n accept x about smt\n because "e";\n expect turbo on from y under goal any because "f";'
    )
    assert meaning(first) == meaning(again)
    assert list(reasons_in(first)) == ["a", "b", "c"] and list(reasons_in(again)) == ["d", "e", "f"]
    assert len(list(places_in(first))) == len(list(places_in(again))) > 15
    assert not {*places_in(first)} & {*places_in(again)}
