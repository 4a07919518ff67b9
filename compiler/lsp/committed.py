"""What an open file changes: the values and hazards of its policies, groups and hosts that the last commit has
otherwise."""

import os
from collections.abc import Iterable, Iterator

from setpoint.compiler.comparison.hazards import hazard_changes
from setpoint.compiler.comparison.revisions import Repository
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.language.syntax import Policy, Scope, Statement
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.plan.judge import HazardState, judge
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render import difference_words

ABSENT = "not offered"
"""Instead of a value: the server does not have the setting, or the policy had no such plan."""

MOST_NAMED = 3
"""How many changes a title names."""

NEW = "new since the last commit"
NO_PLAN = "not compared with the last commit: it has no plan while it is in error"
NO_FORMER_PLAN = "not compared with the last commit: it has no plan there"
UNREADABLE = "not compared with the last commit, which cannot be read"
"""Titles of blocks that have nothing to be compared with."""


class ComparedBlock(Placed):
    """A policy, or a group or host in it: its name in the file, `policy web, group front`, and where it is."""

    name: str


class Changes(NamedTuple):
    """The changes of a block: values as `turbo on -> off`, hazards as sentences, or why there is no comparison."""

    values: tuple[str, ...] = ()
    hazards: tuple[str, ...] = ()
    obstacle: str = ""


class _ComparedPlan(NamedTuple):
    """A plan as far as it is compared: the value of each setting, and the state of each hazard."""

    values: dict[str, str]
    hazards: dict[str, HazardState]


_NOTHING = _ComparedPlan({}, {})


def blocks(document: Document) -> Iterator[ComparedBlock]:
    """The blocks of a file, or for a policy without any, the first statement of the file, without a name."""
    body = document.program.body if document.program else ()
    here = [statement for statement in body if statement.span.file == document.path]
    if here and not any(isinstance(statement, Policy) for statement in here):
        yield ComparedBlock("", span=here[0].span)
    yield from _within(here, ())


def _within(body: Iterable[Statement], around: tuple[str, ...]) -> Iterator[ComparedBlock]:
    for statement in body:
        if isinstance(statement, Policy | Scope):
            kind = statement.kind.text if isinstance(statement, Scope) else "policy"
            names = (*around, f"{kind} {statement.name.text}")
            yield ComparedBlock(", ".join(names), span=statement.span)
            yield from _within(statement.body, names)


def has_commits(path: str) -> bool:
    """Whether a file is in a git repository that has a commit."""
    try:
        return bool(Repository(path).commit("HEAD"))
    except SetpointError:
        return False


class Commits:
    """The files of the last commit, each read once, when somebody asks for it."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[str, Document | None]] = {}

    def changes(self, document: Document, block: str) -> Changes:
        """The values and hazards of a block that differ from the last commit."""
        try:
            committed = self._document(document.path)
        except SetpointError:
            return Changes(obstacle=UNREADABLE)
        now = _compared_plans(document, block)
        if now is None or committed is None:
            return Changes(obstacle=NEW)
        if committed.program is None:
            return Changes(obstacle=UNREADABLE)
        then = _compared_plans(committed, block)
        if then is None:
            return Changes(obstacle=NEW)
        if not now or not then:
            return Changes(obstacle=NO_FORMER_PLAN if now else NO_PLAN)
        pairs = [(then.get(name, _NOTHING), plan) for name, plan in now.items()]
        values = [text for pair in pairs for text in _value_changes(*pair)]
        hazards = [text for pair in pairs for text in _hazard_changes(*pair)]
        return Changes(tuple(dict.fromkeys(values)), tuple(dict.fromkeys(hazards)))

    def _document(self, path: str) -> Document | None:
        """The file as the last commit has it; None if it has none. Raises SetpointError if git cannot read it."""
        repository = Repository(path)
        commit = repository.commit("HEAD")
        entry = self._read.get(path)
        if entry is None or entry[0] != commit:
            entry = self._read[path] = commit, _at(repository, commit)
        return entry[1]


def title(changes: Changes) -> str:
    """What is shown above a block: hazards in full, since there are few of them, and the first of the values."""
    if changes.obstacle:
        return changes.obstacle
    if not changes.values:
        return "; ".join(("no value changed since the last commit", *changes.hazards))
    count = len(changes.values)
    named = ", ".join(changes.values[:MOST_NAMED]) + (", …" if count > MOST_NAMED else "")
    values = f"{count} {'value' if count == 1 else 'values'} changed since the last commit: {named}"
    return "; ".join((values, *changes.hazards))


def _compared_plans(document: Document, block: str) -> dict[str, _ComparedPlan] | None:
    """The plans of a block, by policy; None if there is no such block.

    They are judged on no day: a waiver that expires is no change of the file.
    """
    for candidate in blocks(document):
        if candidate.name == block:
            plans = [planned.plan for planned in document.plans(candidate.span.line, candidate.span.column)]
            return {
                plan.policy: _ComparedPlan({d.setting: d.value for d in plan.settings}, judge(plan).hazards)
                for plan in plans
                if plan
            }
    return None


def _value_changes(then: _ComparedPlan, now: _ComparedPlan) -> Iterator[str]:
    for setting in {**now.values, **then.values}:
        value, was = now.values.get(setting, ABSENT), then.values.get(setting, ABSENT)
        if value != was:
            yield f"{setting} {was} -> {value}"


def _hazard_changes(then: _ComparedPlan, now: _ComparedPlan) -> Iterator[str]:
    for change in hazard_changes(then.hazards, now.hazards):
        yield f"hazard {change.hazard} {difference_words.hazard(change)}"


def _at(repository: Repository, commit: str) -> Document | None:
    """The file that the repository was asked for, as a commit has it; None if that does not have it."""
    with repository.files_at(commit) as folder:
        place = os.path.normpath(os.path.join(folder, repository.former_path(commit, "")))
        try:
            document = Document(place, {os.path.realpath(place): read_text(place)})
        except (SetpointError, OSError):
            return None
        for _ in blocks(document):
            document.knowledge  # noqa: B018 - read as long as the files are there
            break
    return document
