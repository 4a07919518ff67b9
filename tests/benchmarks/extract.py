"""What other languages are measured with: an extract of the library for one family of servers, as data, and hosts of
that family.

The extract has every setting and every recommendation, constraint and profile of the library that can matter for
servers of PowerEdge's 14th generation with two Skylake processors under RHEL 8. What is the same for all of them is
left out: a condition lists the values of those facts that differ among the hosts, and advice is sorted by its
precedence, so that the first that applies decides. A program that resolves it does no more than this:

    for each setting, one pass after another:
        its `set`, if the host has one; else, of the values that no limit excludes,
        that of the first advice that applies; else the default; else the first.

A condition (`when`) lists values of facts and of settings that were decided in an earlier pass; it is false of a
setting that is not decided, and a fact that is not known is "". A limit excludes all values but those `allowed`, while
its condition holds; limits come from constraints, and from profiles that fix other settings. Advice does not apply
where a condition in its `unless` holds, nor, if it is `weak`, where the default is possible.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import UNSTATED, Applicability, Box, Knowledge, Rule
from setpoint.compiler.knowledge.quantity import is_cell
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import Selection, chosen_subjects, planned
from setpoint.compiler.resolution.ground import (
    Problem,
    Proposal,
    ground,
    implied_by_profile,
    preset_clauses,
    weigh,
)
from setpoint.compiler.resolution.profiles import governors_of, members_of, set_by

GROUPS = {
    "trading": "goal latency; workload latency-bound;",
    "feeds": 'goal latency; workload comm-bound; set turbo on because "measured on the feed handlers, PERF-212";',
    "hpc": "goal performance; workload hpc; numa aware;",
    "render": "goal performance; workload cpu-bound; memory-access random;",
    "mpi": 'goal performance; workload comm-bound; set smt on because "benchmarked, LAB-31";',
    "batch": "goal throughput; workload cpu-bound;",
    "analysis": "goal throughput; workload memory-bound; memory-access sequential;",
    "archive": "goal throughput; workload io-bound;",
    "desktops": "goal density; workload vdi;",
    "clouds": 'goal density; workload virtualized; set x2apic on because "more than 255 threads, VIRT-7";',
    "web": "goal efficiency; workload io-bound;",
    "idle": "goal efficiency; workload interactive;",
    "office": "goal balanced; workload interactive;",
    "orders": "goal balanced; workload oltp;",
    "reports": 'goal performance; workload olap; set swappiness 1 because "the vendor of the database asks for it";',
    "caches": "goal performance; workload in-memory-database; memory-locality good;",
    "tables": "goal performance; workload relational-database; memory-locality poor;",
    "streams": 'goal throughput; workload kafka; set system-profile performance because "as on the old cluster";',
}
"""The groups of the policy, each with what it states; several settings are set."""

SERVERS = (
    ("PowerEdge R640", "Silver 4114 CPU @ 2.20GHz"),
    ("PowerEdge R640", "Gold 6126 CPU @ 2.60GHz"),
    ("PowerEdge R640", "Gold 6148 CPU @ 2.40GHz"),
    ("PowerEdge R740", "Gold 6130 CPU @ 2.10GHz"),
    ("PowerEdge R740", "Gold 6142 CPU @ 2.60GHz"),
    ("PowerEdge R740", "Gold 6152 CPU @ 2.10GHz"),
    ("PowerEdge R740", "Platinum 8160 CPU @ 2.10GHz"),
    ("PowerEdge C6420", "Gold 6140 CPU @ 2.30GHz"),
    ("PowerEdge C6420", "Gold 6150 CPU @ 2.70GHz"),
    ("PowerEdge C6420", "Platinum 8180 CPU @ 2.50GHz"),
)
NETWORKS = ("infiniband", "ethernet-10g", "gigabit-ethernet")
SYSTEM, SOCKETS = "rhel 8.10", "2"


class Kind(NamedTuple):
    """Hosts that differ only in their names, as an inventory has them."""

    group: str
    model: str
    processor: str
    network: str

    @property
    def row(self) -> str:
        """What follows the name of the host in the inventory."""
        return ",".join((*self[:2], f"Intel(R) Xeon(R) {self.processor}", SOCKETS, SYSTEM, self.network))

    @property
    def facts(self) -> dict[str, str]:
        """The facts that the inventory states."""
        return {
            "platform": self.model.split()[1].lower(),
            "cpu": "xeon-" + "-".join(self.processor.split()[:2]).lower(),
            "sockets": SOCKETS,
            "os": SYSTEM.split(".")[0].replace(" ", "-"),
            "interconnect": self.network,
        }


Condition = dict[str, list[str]]
"""Facts and settings, each with the values that it must have one of."""

Case = dict[str, Any]
"""A host for the peers: `facts` by name, complete with those that follow, and `sets` by setting."""


def policy() -> str:
    """The policy of all hosts."""
    return "".join(f"for group {name} {{ {text} }}\n" for name, text in GROUPS.items())


@cache
def kinds(number: int) -> tuple[Kind, ...]:
    """So many different kinds, always the same ones; there are at most 540."""
    every = [Kind(group, *server, network) for group, server, network in product(GROUPS, SERVERS, NETWORKS)]
    random.Random(1).shuffle(every)
    assert number <= len(every)
    return tuple(every[:number])


def kinds_of(hosts: int, number: int) -> Iterator[tuple[str, Kind]]:
    """So many hosts of so many kinds: each name with its kind. Every kind occurs if there are enough hosts."""
    chance, every = random.Random(2), kinds(number)
    for host in range(hosts):
        yield f"c{host:07}", every[host] if host < number else chance.choice(every)


def inventory(hosts: int, number: int) -> Iterator[str]:
    """The lines of a table with these hosts."""
    yield "host,group,model,processor,sockets,os,interconnect\n"
    for host, kind in kinds_of(hosts, number):
        yield f"{host},{kind.row}\n"


# ------------------------------------------------------------------------------------- one kind of host


class Known(NamedTuple):
    """What Setpoint makes of one kind of host: the facts and `set`s, and its answer."""

    context: Context
    answer: dict[str, str]

    @property
    def case(self) -> Case:
        """The host, as the peers get it."""
        return {
            "facts": {name: entry.value for name, entry in sorted(self.context.facts.items())},
            "sets": {each.setting.text: each.value.text for each in self.context.sets},
        }


@cache
def known(kind: Kind) -> Known:
    """Plan a kind of host. Raises AssertionError if that is not possible."""
    knowledge = standard()
    stated = "".join(f"{name} {value}; " for name, value in kind.facts.items())
    program = Program(kind.group, parse(SourceText("", stated + GROUPS[kind.group])).body, (), {})
    (subject,) = chosen_subjects(program, knowledge)
    (done,) = planned(program, knowledge, Selection())
    assert done.plan is not None and not done.is_stopped, (kind, done.findings)
    return Known(bind(subject, knowledge), {each.setting: each.value for each in done.plan.settings})


# ---------------------------------------------------------------------------------------- the extract


@cache
def extract(number: int) -> dict[str, Any]:
    """The extract for so many kinds of hosts, as JSON: `passes` and `settings`, as the head of this module has them."""
    return _Extract(standard(), [known(kind).context for kind in kinds(number)]).document()


class _Extract:
    def __init__(self, knowledge: Knowledge, contexts: Sequence[Context]) -> None:
        self.knowledge = knowledge
        self.bits = [context.bits(knowledge) for context in contexts]
        problems = [ground(knowledge, context) for context in contexts]
        self.problem: Problem = problems[0]
        for (
            other
        ) in problems:  # what depends on the facts beside advice and constraints is not part of the extract
            assert (other.domains, other.defaults) == (self.problem.domains, self.problem.defaults)
            assert other.presets == self.problem.presets
        self.occurring = {
            name: tuple(
                sorted({context.facts[name].value if name in context.facts else "" for context in contexts})
            )
            for name in knowledge.kinds
        }
        self._profiles_are_known()

    def _profiles_are_known(self) -> None:
        """What firmware does with each member of a profile is known, so that profiles follow from their limits alone.

        A profile that stands does not follow from its members. No host sets one, and its default sets nothing.
        """
        standing = self.problem.standing
        for governor in standing:
            assert not set_by(self.problem.presets, governor, self.problem.defaults[governor])
        for governor in sorted({*governors_of(self.problem.presets)} - standing):
            for member in members_of(self.problem.presets, governor):
                assert member in self.problem.domains
                for value in self.knowledge.variables[governor].names(self.problem.domains[governor]):
                    cells = [p.columns.get(value, {}).get(member) for p in self.problem.presets]
                    assert any(cells), (governor, value, member)
            assert not any(preset.initial for preset in self.problem.presets if preset.governor == governor)

    def document(self) -> dict[str, Any]:
        order = sorted(self.problem.domains, key=lambda name: self.knowledge.settings[name].position)
        limits = {name: list(self._limits(name)) for name in order}
        advice = {name: list(self._advice(name)) for name in order}
        settings = {
            name: {
                "values": self._values(name, self.problem.domains[name]),
                "default": self.problem.defaults.get(name, ""),
                "advice": advice[name],
                "limits": limits[name],
            }
            for name in order
        }
        return {"passes": _passes(order, settings), "settings": settings}

    # ------------------------------------------------------------------------------------- conditions

    def _values(self, name: str, mask: int) -> list[str]:
        """The offered values in a set; of numbers between two the lowest, and no list of CPUs that only a policy can
        state."""
        variable, offered = self.knowledge.variables[name], self.problem.offers[name].values
        names = variable.names(mask & self.problem.domains[name])
        found = (variable.lowest(offered, each) if is_cell(each) else each for each in names)
        return [each for each in found if each]

    def _facts(self, box: Box) -> Condition:
        """The conditions on facts that are true of some hosts and not of others. The box must be true of some host."""
        found = {}
        for name, mask in box:
            if name in self.knowledge.kinds:
                variable, occurring = self.knowledge.variables[name], self.occurring[name]
                true = [each for each in occurring if mask & (variable.bit(each) if each else UNSTATED)]
                if len(true) < len(occurring):
                    found[name] = true
        return found

    def _occurs(self, box: Box) -> bool:
        return any(all(bits[name] & mask for name, mask in box if name in bits) for bits in self.bits)

    # ------------------------------------------------------------------------------------------ advice

    def _advice(self, setting: str) -> Iterator[dict[str, Any]]:
        """The advice on a setting, in the order of its precedence."""
        entries = [*self._own(setting)]
        for governor in governors_of(self.problem.presets):
            for when, advice, unless in self._own(governor):
                value = set_by(self.problem.presets, governor, advice.value).get(setting)
                if value is not None:
                    entries.append((when, implied_by_profile(advice, setting, value), unless))
        for when, advice, unless in _by_precedence(entries):
            others = [
                self._condition(box, other)
                for box, other, _ in entries
                if advice.rule.name in other.rule.withdraws and other.steps <= advice.steps
            ]
            yield {
                "value": advice.value,
                "when": self._condition(when, advice),
                "unless": [*unless, *(each for each in others if each not in unless)],
                "weak": advice.is_tentative and bool(self.problem.defaults.get(setting)),
            }

    def _own(self, setting: str) -> Iterator["_Entry"]:
        """The rules about a setting that can apply, once for each box in which they do."""
        withdrawing = [rule for rule in self.knowledge.rules if rule.setting == setting and rule.withdraws]
        for rule in self.knowledge.rules:
            if rule.setting == setting:
                for applicability in rule.applicabilities:
                    if (advice := self._weighed(rule, applicability)) is not None:
                        yield (
                            applicability.when,
                            advice,
                            [
                                self._condition(other.when, weighed)
                                for each in withdrawing
                                if rule.name in each.withdraws
                                for other in each.applicabilities
                                if (weighed := self._weighed(each, other)) is not None
                                and other.steps <= applicability.steps
                            ],
                        )

    def _weighed(self, rule: Rule, applicability: Applicability) -> Proposal | None:
        """A rule in one of its boxes; None if it is true of no host, or reads a setting that these servers do not
        have."""
        reads = []
        if not self._occurs(applicability.when):
            return None
        for name, mask in applicability.when:
            if name in self.problem.domains:
                reads.append((name, mask))
            elif name not in self.knowledge.kinds and not mask & UNSTATED:
                return None
        value = self.knowledge.variables[rule.setting].as_offered(
            rule.value, self.problem.domains[rule.setting]
        )
        return weigh(rule, applicability, tuple(reads))._replace(value=value)

    def _condition(self, box: Box, advice: Proposal) -> Condition:
        return {**self._facts(box), **{name: self._values(name, mask) for name, mask in advice.reads}}

    # ------------------------------------------------------------------------------------------ limits

    def _limits(self, setting: str) -> Iterator[dict[str, Any]]:
        """What excludes values of a setting: for each clause, the other literals turned round."""
        for facts, clause in self._clauses():
            literals = dict(clause)
            if setting in literals and all(name in self.problem.domains for name in literals):
                allowed = literals.pop(setting)
                everything = {name: self.knowledge.variables[name].everything for name in literals}
                if self.problem.domains[setting] & ~allowed:
                    others = {n: self._values(n, everything[n] & ~mask) for n, mask in literals.items()}
                    yield {"when": {**facts, **others}, "allowed": self._values(setting, allowed)}

    def _clauses(self) -> Iterator[tuple[Condition, Box]]:
        """What must be true, as in `ground`: one of the literals, under the conditions on facts."""
        knowledge, domains = self.knowledge, self.problem.domains
        for preset in self.problem.presets:
            for _, clause in preset_clauses(knowledge, preset):
                yield {}, clause.literals
        for constraint in knowledge.constraints:
            box: list[tuple[str, int]] = []
            literals: list[tuple[str, int]] = []
            for name, mask in constraint.when:
                everything = knowledge.variables[name].everything
                (box if name in knowledge.kinds else literals).append(
                    (name, mask if name in knowledge.kinds else everything & ~mask)
                )
            if constraint.require is not None:
                name, mask = constraint.require
                if name in knowledge.kinds:
                    box.append((name, knowledge.variables[name].everything & ~mask))
                else:
                    literals.append((name, mask))
            if all(name in domains for name, _ in literals) and self._occurs(tuple(box)):
                yield self._facts(tuple(box)), tuple(literals)


_Entry = tuple[Box, Proposal, list[Condition]]
"""Advice in one of its boxes, and the conditions under which the advice on its profile is withdrawn."""


def _by_precedence(entries: Iterable[_Entry]) -> Iterator[_Entry]:
    """Strongest first: by grade, and within a grade so that nothing comes before what beats it."""
    left = sorted(entries, key=lambda entry: entry[1].grade, reverse=True)
    while left:
        first = next(one for one in left if not any(other[1].beats(one[1]) for other in left))
        left.remove(first)
        yield first


def _passes(order: Sequence[str], settings: dict[str, Any]) -> list[list[str]]:
    """Settings, such that what decides one is known from earlier passes, and nothing later in the order of decision
    is."""
    place, level = {name: at for at, name in enumerate(order)}, dict.fromkeys(order, 0)
    for at, name in enumerate(order):
        setting = settings[name]
        conditions = [each["when"] for each in (*setting["advice"], *setting["limits"])]
        conditions += [condition for advice in setting["advice"] for condition in advice["unless"]]
        before = {other for each in conditions for other in each if place.get(other, at) < at}
        level[name] = max((level[other] + 1 for other in before), default=0)
    return [[name for name in order if level[name] == each] for each in range(max(level.values()) + 1)]


# ------------------------------------------------------------------------------------------ the files


def cases(hosts: int, number: int) -> dict[str, Case]:
    """The hosts for the peers, by name."""
    return {host: known(kind).case for host, kind in kinds_of(hosts, number)}
