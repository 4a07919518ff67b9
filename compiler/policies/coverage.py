"""Which knowledge is exercised: rules that decide a plan, constraints that remove a value, hazards that occur.

Nobody has seen knowledge work that no example and no test exercises. A rule is exercised if a plan cites it; a
constraint if it removes a value on the way to a plan, contributes to a conflict, or locks a setting of a plan; a hazard
if it occurs, whether it stops the build, warns, or is waived.
"""

from collections.abc import Iterable
from typing import Any

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import subjects
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.results import CoverageShare
from setpoint.compiler.language.program import Program, read
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.conflict import disjoint_cores, needed_clauses
from setpoint.compiler.resolution.ground import ground
from setpoint.compiler.resolution.hazards import arising, effects_of
from setpoint.compiler.resolution.solution import attempt

RECORD = "setpoint.kb-exercised/1"
"""The beginning of a record of a test run."""


class Exercised(NamedTuple):
    """The names of the knowledge that policies exercise."""

    rules: frozenset[str] = frozenset()
    constraints: frozenset[str] = frozenset()
    hazards: frozenset[str] = frozenset()

    def joined(self, other: "Exercised") -> "Exercised":
        """The knowledge that either exercises."""
        return Exercised(*(a | b for a, b in zip(self, other, strict=True)))


def exercised_by(knowledge: Knowledge, context: Context) -> Exercised:
    """The knowledge that a single policy exercises."""
    problem = ground(knowledge, context)
    if any(s.setting.text not in problem.domains for s in context.sets):
        return Exercised()  # refused before the knowledge base was used
    try:
        solution = attempt(knowledge, context, problem)
    except SetpointError:
        return Exercised()
    if solution is None:
        cores = disjoint_cores(knowledge, problem, context.sets)
        clauses = [clause for core in cores for clause in needed_clauses(knowledge, problem, core)]
        return Exercised(constraints=frozenset(c.name for c in clauses if c.kind == "constraint"))
    bits = solution.bits(knowledge, context)
    removing = frozenset(s.clause.name for s in solution.steps if s.clause.kind == "constraint")
    locking = frozenset(c.name for c in knowledge.constraints if c.lock and holds(c.when, bits))
    return Exercised(
        rules=frozenset(p.rule.name for choice in solution.choices.values() for p in choice.winners),
        constraints=removing | locking,
        hazards=frozenset(arising(knowledge, bits, effects_of(knowledge, bits))),
    )


def exercised(knowledge: Knowledge, program: Program) -> Exercised:
    """The knowledge that the policies of a program exercise; one that cannot be bound exercises nothing."""
    total = Exercised()
    try:
        named = subjects(program.body, program.stem, knowledge.required)
    except SetpointError:
        return total
    for subject in named:
        try:
            total = total.joined(exercised_by(knowledge, bind(subject, knowledge)))
        except SetpointError:
            continue
    return total


def coverage(bases: Iterable[Knowledge], done: Exercised) -> tuple[CoverageShare, ...]:
    """The number of rules, cells of tables, constraints and hazards, and the names of the idle ones.

    Several knowledge bases, each the standard library with another site's, are counted together. A rule of a source
    that a later edition supersedes is meant to be idle, and is not counted.
    """
    rules: set[str] = set()
    cells: set[str] = set()
    constraints: set[str] = set()
    hazards: set[str] = set()
    for knowledge in bases:
        retired = {source.supersedes for source in knowledge.sources.values()}
        for rule in knowledge.rules:
            if rule.citation.source not in retired:
                (cells if rule.table else rules).add(rule.name)
        constraints |= {constraint.name for constraint in knowledge.constraints}
        hazards |= set(knowledge.hazards)
    return (
        _share("rule", rules, done.rules),
        _share("table cell", cells, done.rules),
        _share("constraint", constraints, done.constraints),
        _share("hazard", hazards, done.hazards),
    )


def _share(kind: str, names: set[str], done: frozenset[str]) -> CoverageShare:
    return CoverageShare(kind, len(names), tuple(sorted(names - done)))


def recorded(path: str) -> Exercised:
    """The record of a test run. Raises SetpointError (E0601, E0604, E0608; E0606 for another kind of file)."""
    text = read(path)
    try:
        data = parse_json(text)
    except ValueError:
        data = None
    if not _is_record(data):
        raise SetpointError.of(
            "E0606",
            f"`{path}` is not a record of a test run in the form {RECORD}",
            help=("name policy files, folders of them, or records of test runs",),
        )
    return Exercised(*(frozenset(data[kind]) for kind in Exercised._fields))


def _is_record(data: Any) -> bool:
    if not isinstance(data, dict) or data.get("schema") != RECORD:
        return False
    lists = [data.get(kind) for kind in Exercised._fields]
    return all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists)
