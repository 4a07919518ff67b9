"""Single and set-valued resolution agree on random hosts with `set`s, and a fault in either is found.

The long runs are `python -m proof.random_hosts`, as `docs/implementation.md` says.
"""

from collections.abc import Callable
from typing import Any

import pytest

from proof import blocks, random_hosts
from proof.blocks import Host, hosts_of, together
from proof.hosts import Rack, rack
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.quantity import is_cell
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.resolution import solution
from setpoint.compiler.resolution.narrow import TooHardError

SEEDS = range(150)
LIBRARY = standard()._replace()


@pytest.fixture(scope="module")
def racks() -> list[Rack]:
    return [rack(seed) for seed in SEEDS]


def test_they_agree_on_random_hosts(racks: list[Rack]) -> None:
    tally = random_hosts.compare(racks)
    assert not tally.disagreements, "\n".join(tally.disagreements)
    assert tally.policies == sum(len(each.sets) for each in racks)


def test_hosts_are_those_of_their_seeds() -> None:
    assert rack(7) == rack(7)
    assert rack(7).sets != rack(8).sets


def test_hosts_are_of_all_kinds(racks: list[Rack], knowledge: Knowledge) -> None:
    """Plans, conflicts, values that are not offered; numbers that nothing mentions; most platforms, systems and
    goals."""
    assert {"a plan", "E0301", "E05"} <= random_hosts.compare(racks).outcomes.keys()
    sets = [pair for each in racks for sets in each.sets for pair in sets.items()]
    assert any(
        is_cell(knowledge.variables[name].name_of(knowledge.variables[name].bit(v))) for name, v in sets
    )
    assert {len(sets) for each in racks for sets in each.sets} == {0, 1, 2, 3, 4}
    for fact, share in (("goal", 1), ("os", 0.8), ("workload", 0.5), ("platform", 0.5)):
        found = {each.facts.facts[fact].value for each in racks if fact in each.facts.facts}
        assert len(found) >= share * len(knowledge.variables[fact].values), fact


WITH_SETS = solution.with_sets
FORGOTTEN = "single: a `set` is forgotten"
COMPILER = "setpoint.compiler"
FAULTS: dict[str, tuple[str, Callable[..., Any]]] = {
    FORGOTTEN: (
        "resolution.solution.with_sets",
        lambda knowledge, problem, sets: WITH_SETS(knowledge, problem, sets[1:]),
    ),
    "single: vendor defaults are not known": ("resolution.cascade.Problem.usual", lambda problem, name: ""),
    "single: nothing is withdrawn": ("resolution.cascade.withdrawn", lambda proposals: {}),
    "sets: conditions on settings are ignored": (
        "proof.sets.cascade.applies",
        lambda weighed, *known: weighed.where,
    ),
    "sets: nothing is narrowed": ("proof.sets.narrow.SituationClauses.narrow", lambda *known: 0),
    "sets: the default profile has no members": (
        "proof.sets.ground._Grounding._default_members",
        lambda *known: None,
    ),
}
"""Faults of either form: what is replaced, and by what."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_either_form_is_found(
    fault: str, racks: list[Rack], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, instead = FAULTS[fault]
    monkeypatch.setattr(f"{COMPILER}.{place}", instead)
    assert any(random_hosts.compare(racks[at : at + 50]).disagreements for at in range(0, len(racks), 50))


def test_a_disagreement_is_shown_by_a_policy_that_cannot_be_smaller(
    racks: list[Rack], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{COMPILER}.{FAULTS[FORGOTTEN][0]}", FAULTS[FORGOTTEN][1])
    first = random_hosts.compare(racks[:40]).disagreements[0]
    policy, *differences = first.splitlines()
    program = program_of_text(policy)
    sets = [statement for statement in program.body if isinstance(statement, Set)]
    assert 1 <= len(sets) <= 2, "one, or two that exclude each other"
    assert len(program.body) <= 3, "a goal, a server and a `set`"
    assert any("singly" in line and "together" in line for line in differences)


def test_where_the_search_gives_up_the_hosts_are_resolved_in_halves(
    racks: list[Rack], monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = hosts_of(racks[:3])
    whole = together(LIBRARY, hosts)
    monkeypatch.setattr(blocks, "_pass", gives_up_on_more_than(5, blocks._pass))
    assert {k: w for k, w in together(LIBRARY, hosts).items() if w} == {k: w for k, w in whole.items() if w}


def gives_up_on_more_than(most: int, resolve: Callable[..., Any]) -> Callable[..., Any]:
    def resolved(knowledge: Knowledge, hosts: list[Host]) -> Any:
        if len(hosts) > most:
            raise TooHardError(())
        return resolve(knowledge, hosts)

    return resolved
