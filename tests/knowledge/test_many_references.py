"""Many statements that name one another: what is read of them grows with what they name, and that is limited.

Each of the large cases takes minutes if every statement is compared with all others.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge import applicability
from setpoint.compiler.knowledge.chains import circles
from setpoint.compiler.knowledge.model import Knowledge, Rule
from setpoint.compiler.knowledge.order import published_order
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for

SOURCE = 'source lab { title "Bench notes"; publisher "Example Ltd"; }\n'

names = st.sampled_from("abcdefg")


@given(st.dictionaries(names, st.sets(names), min_size=1))
def test_a_circle_has_the_names_that_lead_to_one_another(some: dict[str, set[str]]) -> None:
    successors = {name: some.get(name, set()) for name in "abcdefg"}
    after = {name: set(reached(name, successors)) for name in successors}
    expected = {
        name: frozenset(other for other in after[name] if name in after[other])
        for name in successors
        if name in after[name]
    }
    assert circles(successors) == expected


def reached(name: str, successors: dict[str, set[str]]) -> Iterator[str]:
    found: set[str] = set()
    ahead = set(successors[name])
    while ahead:
        found |= ahead
        ahead = {other for each in ahead for other in successors[each]} - found
    yield from found


class Counted(list[str]):
    """Successors that count how often they are looked at."""

    looked_at = 0

    def __iter__(self) -> Iterator[str]:
        for each in super().__iter__():
            Counted.looked_at += 1
            yield each


def test_each_successor_is_looked_at_once() -> None:
    """A hundred rings of a hundred names, each of which leads to the next ring."""
    rings = {
        f"{ring}-{at}": Counted([f"{ring}-{(at + 1) % 100}", f"{min(ring + 1, 99)}-{at}"])
        for ring in range(100)
        for at in range(100)
    }
    found = circles(rings)
    assert {len(each) for each in found.values()} == {100}
    assert Counted.looked_at == 20_000


def rule(number: int, *fields: str) -> str:
    text = " ".join(f"{field};" for field in fields)
    return f'rule r{number} of lab at "Run" {{ when goal latency; use turbo on; because "x"; {text} }}\n'


@cache
def with_a_rule() -> Knowledge:
    """The library with a site's rule."""
    return knowledge_for(program_of_text(SOURCE + rule(0)))


@cache
def the_rule() -> Rule:
    """This rule."""
    return next(each for each in with_a_rule().rules if each.name == "r0")


N = 20_000
"""Twice this many statements are about as much as a file may have."""

EXCEPTIONS: dict[str, Callable[[int], tuple[str, ...]]] = {
    "each to the one before": lambda at: (f"r{at - 1}",) if at else (),
    "each to the five before": lambda at: tuple(f"r{before}" for before in range(max(0, at - 5), at)),
    "in a circle": lambda at: (f"r{(at + 1) % N}",),
}


@pytest.mark.parametrize("shape", EXCEPTIONS)
def test_exceptions_are_resolved_in_the_time_of_their_text(shape: str) -> None:
    rules = tuple(the_rule()._replace(name=f"r{at}", withdraws=EXCEPTIONS[shape](at)) for at in range(N))
    findings: list[Diagnostic] = []
    start = process_time()
    resolved = applicability.withdrawals(rules, with_a_rule().sources, findings)
    assert process_time() - start < 20
    assert [each.withdraws for each in resolved] == [tuple(sorted(each.withdraws)) for each in rules]
    assert len(findings) == (N if shape == "in a circle" else 0)


@pytest.mark.parametrize("is_circle", [False, True])
def test_settings_are_ordered_in_the_time_of_their_text(is_circle: bool) -> None:
    """Each is decided by the next one, so that the last by name is decided first."""
    names = [f"s{at:05}" for at in range(N)]
    settings = {name: with_a_rule().settings["turbo"]._replace(name=name) for name in names}
    pairs = [*pairwise(names), *([(names[-1], names[0])] if is_circle else [])]
    rules = tuple(the_rule()._replace(name=f"r-{a}", setting=a, when=((b, 2),)) for a, b in pairs)
    findings: list[Diagnostic] = []
    start = process_time()
    order = published_order(settings, rules, (), findings)
    assert process_time() - start < 20
    assert order == tuple(names if is_circle else reversed(names))
    assert len(findings) == is_circle


def test_a_cell_is_named_by_its_row_and_its_table_and_no_name_by_the_beginning_of_another() -> None:
    text = SOURCE + (
        'table "Table 1" of lab when cpu westmere { goal latency efficiency; turbo on off; }\n'
        'table "Table 12" of lab when cpu westmere { goal latency efficiency; turbo on off; }\n'
    )
    knowledge = knowledge_for(program_of_text(text + rule(1, "exception to lab.table-1")))
    (own,) = (each for each in knowledge.rules if each.name == "r1")
    assert own.withdraws == ("lab.table-1.turbo.efficiency", "lab.table-1.turbo.latency")


def test_how_often_rules_withdraw_others_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty rules of a later edition for one setting, each of which withdraws sixty of the earlier one."""
    text = SOURCE + 'source new { title "Newer"; publisher "Example Ltd"; supersedes lab; }\n'
    text += "".join(rule(i) for i in range(60))
    text += "".join(rule(100 + i).replace("of lab", "of new") for i in range(60))
    knowledge_for(program_of_text(text))
    monkeypatch.setattr(applicability, "MOST_RELATIONS", 3600)
    with pytest.raises(SetpointError) as caught:
        knowledge_for(program_of_text(text))
    (error,) = caught.value.diagnostics
    assert (error.code, error.message) == (
        "K07",
        "rules withdraw others, or yield to them, more than 3,600 times",
    )
