"""All servers, goals, workloads and operating systems of a knowledge base, and the plans of all of them that policies
without a `set` have.

There are millions of combinations. A *cell* is one server, or one of the servers of a generation, with a goal and
either a workload or an operating system; the other one is drawn. At night there is a cell of each server. By day there
are cells of generations, of which a server is drawn, and the commit draws one part of them: a few commits later all
parts have been planned.

A server is a platform, with each series of processors that it takes, and with two of the largest processors if these
have so many CPUs that it matters which numbers they have.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from random import Random
from typing import NamedTuple

from setpoint.compiler.binding.facts import Completion
from setpoint.compiler.knowledge.model import FactValue, Knowledge, lineage
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import Planned, planned

PART = 700
"""About how many cells a day has: ten seconds' worth of plans."""

CORES = re.compile(r"(\d+) cores")
MANY = 64
"""The number of cores from which two processors may have CPUs with numbers of more than eight bits."""

Facts = tuple[tuple[str, str], ...]
"""Stated facts, by name and value."""


class Cell(NamedTuple):
    """Some of the facts of a plan: those of a server, of which one is drawn, a goal, and values of one more fact, of
    which `other` is drawn."""

    servers: tuple[Facts, ...]
    facts: Facts
    other: str

    def drawn(self, knowledge: Knowledge, random: Random) -> str:
        """A policy of the cell."""
        value = random.choice(("", *knowledge.values[self.other]))
        return policy((*random.choice(self.servers), *self.facts, (self.other, value)))


def policy(facts: Facts) -> str:
    """The text of a policy that states facts; a fact without a value is left out."""
    return "; ".join(f"{name} {value}" for name, value in facts if value)


def outcome(knowledge: Knowledge, text: str) -> Planned | None:
    """The plan of a policy and its findings; None if its facts contradict each other."""
    (done,) = planned(program_of_text(text), knowledge)
    return None if any(error.code == "E0204" for error in done.findings.errors) else done


def cells(knowledge: Knowledge, is_whole: bool) -> list[Cell]:
    """The cells of a knowledge base in a fixed order: of each server if `is_whole`, else of each generation."""
    by_generation: dict[Facts, list[Facts]] = {}
    for server in servers(knowledge):
        by_generation.setdefault(server if is_whole else _generation(knowledge, server), []).append(server)
    return [
        Cell(tuple(members), (("goal", goal), (fact, value)), other)
        for members in by_generation.values()
        for fact, other in (("workload", "os"), ("os", "workload"))
        for goal, value in product(knowledge.values["goal"], ("", *knowledge.values[fact]))
    ]


def part(whole: list[Cell], number: int) -> list[Cell]:
    """One part of the cells, which has some of each kind."""
    parts = max(len(whole) // PART, 1)
    return whole[number % parts :: parts]


def servers(knowledge: Knowledge) -> Iterator[Facts]:
    """What policies can state of servers: each platform, alone, with series of processors, and with two of the
    largest."""
    completion = Completion(knowledge)
    series = _series(knowledge)
    for platform in knowledge.values["platform"]:
        here = completion.derived({}, "platform", platform)
        assert here is not None, platform
        yield (("platform", platform),)
        for cpu in series:
            if cpu != here.get("cpu") and _goes_with(completion, here, cpu):
                yield ("platform", platform), ("cpu", cpu)
        taken = [cpu for cpu in knowledge.values["cpu"] if _goes_with(completion, here, cpu)]
        if largest := _largest(knowledge, taken):
            facts = completion.derived(here, "cpu", largest)
            two = "2" if facts is not None and completion.derived(facts, "sockets", "2") is not None else ""
            yield ("platform", platform), ("cpu", largest), ("sockets", two)


def _goes_with(completion: Completion, platform: dict[str, str], cpu: str) -> bool:
    facts = completion.derived(platform, "cpu", cpu)
    return facts is not None and (facts["platform"], facts["cpu"]) == (platform["platform"], cpu)


def _series(knowledge: Knowledge) -> list[str]:
    """The processors that others lie within, and those without a series."""
    cpus = knowledge.values["cpu"]
    above = {value.within for value in cpus.values()}
    return [name for name, value in cpus.items() if not value.one_of and (name in above or not value.within)]


def cores(value: FactValue) -> int:
    """The number of cores of a processor; 0 if it is not stated."""
    match = CORES.search(value.about)
    return int(match[1]) if match else 0


def _largest(knowledge: Knowledge, cpus: Iterable[str]) -> str:
    """The processor with the most cores; "" if none has many."""
    by_cores = {cpu: cores(knowledge.values["cpu"][cpu]) for cpu in cpus}
    largest = max(by_cores, key=by_cores.__getitem__, default="")
    return largest if by_cores.get(largest, 0) >= MANY else ""


def _generation(knowledge: Knowledge, server: Facts) -> Facts:
    """A server's facts, with the widest platform that it lies within, and without the name of a model of a
    processor."""
    facts = dict(server)
    *_, widest = lineage(knowledge, "platform", facts["platform"])
    cpu = facts.get("cpu", "")
    return ("platform", widest.name), ("cpu", cpu if "sockets" not in facts else "largest")
