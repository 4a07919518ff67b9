"""The search behind narrowing: complete, short if subproblems repeat, and bounded. Steps are counted, never timed."""

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.resolution import conflict, repair
from setpoint.compiler.resolution.ground import Clause
from setpoint.compiler.resolution.narrow import ClauseIndex, DeadEndError, Domains, Effort, TooHardError
from setpoint.compiler.resolution.search import is_possible, subproblems
from setpoint.compiler.resolution.solution import attempt
from support.plans import plan_of_text


def clause(*literals: tuple[str, int]) -> Clause:
    return Clause(literals, "c")


def pigeons(number: int, holes: int, name: str = "p") -> tuple[list[Clause], Domains]:
    """So many settings, of which no two may have the same value."""
    every = (2 << holes) - 2
    clauses = [
        clause((f"{name}{a}", every & ~(2 << hole)), (f"{name}{b}", every & ~(2 << hole)))
        for a in range(number)
        for b in range(a)
        for hole in range(holes)
    ]
    return clauses, {f"{name}{i}": every for i in range(number)}


def test_nine_things_in_eight_places_are_soon_refuted() -> None:
    clauses, domains = pigeons(9, 8)
    index = ClauseIndex(clauses)
    assert not is_possible(index, domains)
    assert index.effort.spent < 500_000


def test_nine_things_fit_in_nine_places() -> None:
    clauses, domains = pigeons(9, 9)
    assert is_possible(ClauseIndex(clauses), domains)


def test_what_has_nothing_in_common_costs_its_sum() -> None:
    one, other = pigeons(6, 6, "p"), pigeons(7, 6, "q")
    alone = [ClauseIndex(clauses) for clauses, _ in (one, other)]
    assert [is_possible(w, domains) for w, (_, domains) in zip(alone, (one, other), strict=True)] == [
        True,
        False,
    ]
    together = ClauseIndex([*one[0], *other[0]])
    assert not is_possible(together, {**one[1], **other[1]})
    assert together.effort.spent < 2 * sum(w.effort.spent for w in alone)


@given(st.integers(0, 2**32 - 1))
def test_it_finds_a_choice_of_values_if_there_is_one(seed: int) -> None:
    random = Random(seed)
    names = "abcde"
    domains = {name: random.randint(1, 7) << 1 for name in names}
    clauses = [
        clause(*((name, random.randint(1, 6) << 1) for name in random.sample(names, random.randint(1, 3))))
        for _ in range(random.randint(1, 12))
    ]
    bits = [[1 << i for i in range(1, 4) if domains[name] >> i & 1] for name in names]
    expected = any(
        all(any(dict(zip(names, values, strict=True))[n] & mask for n, mask in c.literals) for c in clauses)
        for values in product(*bits)
    )
    assert is_possible(ClauseIndex(clauses), domains) == expected


@given(st.integers(0, 2**32 - 1))
def test_subproblems_have_no_open_setting_in_common(seed: int) -> None:
    random = Random(seed)
    names = "abcdefgh"
    domains = dict.fromkeys(names, 14)
    index = ClauseIndex(
        clause(*((n, random.choice((2, 4, 6))) for n in random.sample(names, 2))) for _ in range(5)
    )
    try:
        index.narrow(domains)
    except DeadEndError:
        return
    found = list(subproblems(index.clauses, domains))
    settings = [name for subproblem in found for name in subproblem.settings]
    assert len(settings) == len(set(settings))
    for subproblem in found:
        for each in subproblem.clauses:
            assert {n for n, mask in each.literals if domains[n] & mask} <= set(subproblem.settings)


def test_it_gives_up_at_the_same_step_each_time() -> None:
    clauses, domains = pigeons(9, 8)
    taken = set()
    for _ in range(2):
        effort = Effort(10_000)
        with pytest.raises(TooHardError) as error:
            is_possible(ClauseIndex(clauses, effort), domains)
        taken.add((effort.spent, error.value.settings))
    assert len(taken) == 1


CONFLICT = """
goal performance; cpu sandy-bridge;
set system-profile performance because "the standard of the fleet";
set c-states on because "the rack is short of power";
set turbo on because "the jobs are short";
"""


def notes_on_the_conflict() -> Diagnostic:
    """The notes on the conflict."""
    with pytest.raises(SetpointError) as error:
        plan_of_text(CONFLICT)
    (found,) = (d for d in error.value.diagnostics if d.code == "E0301")
    return found


def test_a_conflict_that_is_too_hard_to_reduce_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = notes_on_the_conflict()
    monkeypatch.setattr(conflict, "Effort", lambda: Effort(0))
    bounded = notes_on_the_conflict()
    assert "turbo" not in whole.message
    assert "turbo" in bounded.message  # nothing was shown to be superfluous
    assert len(bounded.notes) > len(whole.notes)
    assert bounded.notes[-1] == "a smaller set may be enough: the search for it was stopped after 0 steps"


def test_the_search_for_ways_out_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = notes_on_the_conflict()
    assert len(whole.help) > 1
    tried = []

    def counted(*given: Any) -> Any:
        tried.append(given)
        return attempt(*given)

    monkeypatch.setattr(repair, "attempt", counted)
    monkeypatch.setattr(repair, "Effort", lambda: Effort(400))
    bounded = notes_on_the_conflict()
    assert len(tried) < 4
    assert len(bounded.help) < len(whole.help)
