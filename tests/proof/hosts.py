"""Random hosts: facts as inventories have them, and up to four `set`s.

An inventory names a server by its model, its processor, or both, and has some of its other facts; a policy adds the
goal. The facts are drawn one by one, each among values that are compatible with those before, so that some policy
reaches every host. Hosts come in racks: those of one rack have the same facts, which are completed and grounded once,
and differ in their `set`s.

Half of the hosts set what constraints or profiles connect, where values can conflict, and some `set`s are of values
that the server does not offer.
"""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from meaning.plan import Policy
from meaning.policies import MOST_SETS

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import Completion
from setpoint.compiler.knowledge.model import Variable
from setpoint.compiler.knowledge.quantity import Numbers, is_cell, lowest_in
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.resolution.ground import Problem, ground
from support.policies import SERVERS, vocabulary

PER_RACK = 8
"""Hosts with the same facts."""

MOST_TRIED = 30
"""How many values of a fact are tried beside those that are known."""

NOT_OFFERED = 0.04
"""The share of `set`s that are of any setting and value."""


class Rack(NamedTuple):
    """Hosts with the same facts: these as stated, completed and grounded, and what each host sets."""

    stated: dict[str, str]
    facts: Context
    problem: Problem
    sets: tuple[dict[str, str], ...]

    @property
    def hosts(self) -> Iterator[Policy]:
        """The hosts, as policies."""
        return (Policy(self.stated, sets) for sets in self.sets)


def rack(seed: int) -> Rack:
    """The rack of a seed."""
    random = Random(seed)
    stated, facts = _facts(random)
    problem = ground(vocabulary(), facts)
    return Rack(stated, facts, problem, tuple(_sets(random, problem) for _ in range(PER_RACK)))


def rack_of(host: Policy) -> Rack | None:
    """A rack of one host; None if its facts contradict each other."""
    facts = _context(host.facts)
    return facts and Rack(host.facts, facts, ground(vocabulary(), facts), (dict(host.sets),))


# ---------------------------------------------------------------------------------------------- facts


def _facts(random: Random) -> tuple[dict[str, str], Context]:
    """The facts of a rack as they are stated, and its context."""
    variables = vocabulary().variables
    first, second = random.sample(SERVERS, 2)
    stated = {name: random.choice(variables[name].values) for name in ("goal", first)}
    facts = _context(stated)
    share = random.choice((0.2, 0.4, 0.8))
    likely = {name: share for name in vocabulary().kinds if name not in stated}
    likely |= {second: 0.7, "os": 0.9}
    for name in (second, *sorted(likely.keys() - {second})):
        if random.random() < likely[name]:
            values = variables[name].values
            for value in random.sample(values, min(MOST_TRIED, len(values))):
                wider = _context({**stated, name: value})
                if wider is not None:
                    stated, facts = {**stated, name: value}, wider
                    break
    assert facts is not None
    return stated, facts


def _context(stated: dict[str, str]) -> Context | None:
    """The context of a policy that states these facts; None where they contradict each other."""
    entries = {name: FactEntry(name, value, value, "stated", "") for name, value in stated.items()}
    completed = _completion().of(entries)
    return None if completed.errors else Context("p", completed.facts, (), (), False, ())


@cache
def _completion() -> Completion:
    """What completes facts; it remembers what each value means for others."""
    return Completion(vocabulary())


# ---------------------------------------------------------------------------------------------- `set`s


def _sets(random: Random, problem: Problem) -> dict[str, str]:
    """What a host sets."""
    variables, found = vocabulary().variables, dict[str, str]()
    names = tuple(problem.offers)
    if problem.clauses and random.random() < 0.5:
        clauses = random.choices(problem.clauses, k=2)
        names = tuple(sorted({name for clause in clauses for name, _ in clause.literals}))
    for _ in range(random.choice(MOST_SETS)):
        if not names or random.random() < NOT_OFFERED:
            name = random.choice(_settings())
            value = random.choice(variables[name].values)
        else:
            name = random.choice(names)
            value = random.choice(variables[name].names(problem.domains[name]))
        offer = problem.offers.get(name)
        found[name] = _stated(random, variables[name], offer.values if offer else (), value)
    return found


def _stated(random: Random, variable: Variable, offered: tuple[str, ...], value: str) -> str:
    """A value that a policy can set, for one of the domain: any number of a cell that is offered, or any list of
    CPUs."""
    if not is_cell(value):
        return value
    if not isinstance(variable.scale, Numbers):
        return next(text for text in _cpu_lists(random) if text not in variable.values)
    first, last = (variable.scale.number(end) for end in value.split(" to "))
    there = []
    for text in offered:
        if " " in text:
            numbers = variable.scale.alternative(text)
            low = lowest_in(numbers.low, numbers.high, numbers.step, first, last)
            if low is not None:
                there.append(range(low, min(numbers.high, last) + 1, numbers.step))
    return variable.scale.text(random.choice(random.choice(there))) if there else variable.example(value)


def _cpu_lists(random: Random) -> Iterator[str]:
    while True:
        yield f"{random.randint(0, 9)}-{random.randint(10, 99)}"


@cache
def _settings() -> tuple[str, ...]:
    return tuple(sorted(vocabulary().settings))
