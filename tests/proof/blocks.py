"""A block of hosts in both forms of resolution: one at a time, and all at once with one bit for each.

The result of either form is a set of hosts for each value of each setting, and for each code of an error. So two
results are compared as integers, and the lowest bit that differs is a host that shows a disagreement.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from proof.both_forms import statements
from proof.hosts import Rack
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge
from setpoint.compiler.knowledge.quantity import is_cell
from setpoint.compiler.proof.analysis import Analysis
from setpoint.compiler.proof.sets.cascade import SituationChoices, cascade
from setpoint.compiler.proof.sets.ground import SituationDomains, SituationProblems, conditions
from setpoint.compiler.proof.sets.masks import include, union
from setpoint.compiler.proof.sets.narrow import restricted
from setpoint.compiler.proof.sets.space import Situation, Space
from setpoint.compiler.resolution.narrow import TooHardError
from setpoint.compiler.resolution.solution import attempt

Columns = dict[tuple[str, str], int]
"""The hosts of each value of each setting; with the setting "", the hosts of each code of an error."""

SetBy = dict[str, dict[str, int]]
"""For each setting and value, the hosts that set it."""


class Host(NamedTuple):
    """A host of a rack: its facts, and what it sets."""

    facts: Context
    sets: dict[str, str]


def hosts_of(racks: Iterable[Rack]) -> list[Host]:
    """The hosts of some racks, in their order."""
    return [Host(rack.facts, sets) for rack in racks for sets in rack.sets]


def differing(a: Columns, b: Columns) -> int:
    """The hosts on which two results differ."""
    return union(a.get(key, 0) ^ b.get(key, 0) for key in a.keys() | b.keys())


# ------------------------------------------------------------------------------------------- one at a time


def singly(knowledge: Knowledge, racks: Iterable[Rack]) -> Columns:
    """The hosts resolved one at a time, as policies are planned. What depends on the facts alone is done once for a
    rack."""
    found: Columns = {}
    bit = 1
    for rack in racks:
        for sets in rack.sets:
            for key in _single(knowledge, rack, sets):
                found[key] = found.get(key, 0) | bit
            bit <<= 1
    return found


def _single(knowledge: Knowledge, rack: Rack, sets: dict[str, str]) -> Iterable[tuple[str, str]]:
    """The settings of a host with their values, or the code of the error."""
    offers = rack.problem.offers
    for name, value in sets.items():
        if name not in offers or not knowledge.variables[name].listed(offers[name].values, value):
            return (("", "E05"),)
    one = rack.facts._replace(sets=statements(sets))
    try:
        solution = attempt(knowledge, one, rack.problem)
    except SetpointError as error:
        return (("", error.diagnostics[0].code),)
    return solution.values(knowledge, one).items() if solution else (("", "E0301"),)


# --------------------------------------------------------------------------------------------- all at once


def together(knowledge: Knowledge, hosts: Sequence[Host]) -> Columns:
    """The hosts resolved in one pass; where the search gives up on them, in halves."""
    try:
        return _pass(knowledge, hosts)
    except TooHardError:
        if len(hosts) == 1:
            return {("", "E0305"): 1}
    half = len(hosts) // 2
    found = together(knowledge, hosts[:half])
    for key, where in together(knowledge, hosts[half:]).items():
        include(found, key, where << half)
    return found


def _pass(knowledge: Knowledge, hosts: Sequence[Host]) -> Columns:
    settings = frozenset(knowledge.settings)
    analysis = Analysis(knowledge, space(knowledge, hosts, conditions(knowledge, settings)), settings)
    sets = _sets(hosts)
    asked = analysis.space.everywhere & ~_not_offered(analysis.problem, sets)
    problem = analysis.problem.requesting(
        (name, value, where) for name, values in sets.items() for value, where in values.items()
    )
    alive = asked & ~analysis.dead
    domains = _with_sets(knowledge, restricted(analysis.domains, alive), sets)
    alive &= ~analysis.index.narrow(domains, alive)
    outcome = cascade(problem, analysis.index, domains, alive)
    found: Columns = {
        ("", "E05"): analysis.space.everywhere & ~asked,
        ("", "E0301"): asked & ~alive | outcome.impossible,
        ("", "E0303"): outcome.tied,
    }
    planned = alive & ~outcome.impossible & ~outcome.tied
    values: Columns = {}
    for name, choice in outcome.choices.items():
        for value, where in _values(problem, name, choice, sets.get(name, {}), planned):
            include(values, (name, value), where)
    unstated = union(where for (_, value), where in values.items() if not value)
    include(found, ("", "E0306"), unstated)
    return found | {key: where & ~unstated for key, where in values.items()}


def space(knowledge: Knowledge, hosts: Sequence[Host], boxes: Iterable[Box]) -> Space:
    """A situation for each host, and where each of these conditions on facts holds."""
    having: dict[str, dict[int, int]] = {name: {UNSTATED: 0} for name in knowledge.kinds}
    for place, host in enumerate(hosts):
        for name, bit in host.facts.bits(knowledge).items():
            having[name][bit] = having[name].get(bit, 0) | 1 << place
    everywhere = (1 << len(hosts)) - 1
    holding: dict[tuple[str, int], int] = {}
    where: dict[Box, int] = {}
    for box in boxes:
        where[box] = everywhere
        for name, mask in box:
            if (name, mask) not in holding:
                holding[name, mask] = union(there for bit, there in having[name].items() if bit & mask)
            where[box] &= holding[name, mask]
    return Space(tuple(Situation((), 1) for _ in hosts), where)


def _sets(hosts: Sequence[Host]) -> SetBy:
    found: SetBy = {}
    for place, host in enumerate(hosts):
        for name, value in host.sets.items():
            include(found.setdefault(name, {}), value, 1 << place)
    return found


def _not_offered(problem: SituationProblems, sets: SetBy) -> int:
    """The hosts that set something that is not offered to them."""
    return union(
        where & ~problem.domains[name].get(problem.knowledge.variables[name].bit(value), 0)
        for name, values in sets.items()
        for value, where in values.items()
    )


def _with_sets(knowledge: Knowledge, domains: SituationDomains, sets: SetBy) -> SituationDomains:
    """The domains with each `set` reduced to its value."""
    found = dict(domains)
    for name, values in sets.items():
        variable, wanted = knowledge.variables[name], dict[int, int]()
        for value, where in values.items():
            include(wanted, variable.bit(value), where)
        free = ~union(wanted.values())
        found[name] = {bit: mask & (free | wanted.get(bit, 0)) for bit, mask in domains[name].items()}
    return found


def _values(
    problem: SituationProblems, name: str, choice: SituationChoices, set_here: Mapping[str, int], where: int
) -> Iterator[tuple[str, int]]:
    """The values of a setting with their hosts. Of a cell it is the number that a host sets, else the lowest that is
    offered."""
    variable = problem.knowledge.variables[name]
    for bit, mask in choice.values.items():
        value, here = variable.name_of(bit), mask & where
        if not here or not is_cell(value):
            yield value, here
            continue
        for stated, there in set_here.items():
            yield stated, here & there
        here &= ~union(set_here.values())
        for offer, there in problem.offers:
            if offer.setting == name and offer.values and here & there:
                yield variable.lowest(offer.values, value), here & there
