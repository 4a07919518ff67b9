"""What an open file changes: the values of its policies, groups and hosts that the last commit has otherwise."""

import os
from collections.abc import Iterable, Iterator

from setpoint.compiler.comparison.revisions import Repository
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.language.syntax import Policy, Scope, Statement
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.record import NamedTuple, distinct

ABSENT = "not offered"
"""Instead of a value: the server does not have the setting, or the policy had no such plan."""

MOST_NAMED = 3
"""How many changes a title names."""


@distinct
class Block(NamedTuple):
    """A policy, or a group or host in it: its name in the file, `policy web, group front`, and where it is."""

    name: str
    span: Span


def blocks(document: Document) -> Iterator[Block]:
    """The blocks of a file; for a policy without a block of its own, the first statement of the file, without a name."""
    body = document.program.body if document.program else ()
    here = [each for each in body if each.span.file == document.path]
    if here and not any(isinstance(each, Policy) for each in here):
        yield Block("", here[0].span)
    yield from _within(here, ())


def _within(body: Iterable[Statement], around: tuple[str, ...]) -> Iterator[Block]:
    for each in body:
        if isinstance(each, Policy | Scope):
            kind = each.kind.text if isinstance(each, Scope) else "policy"
            names = (*around, f"{kind} {each.name.text}")
            yield Block(", ".join(names), each.span)
            yield from _within(each.body, names)


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

    def changes(self, document: Document, block: str) -> list[str] | None:
        """The values that differ from the last commit, as `turbo on -> off`; None if that does not have the block.

        Raises SetpointError (E0607) outside of a repository, and before its first commit.
        """
        now = values(document, block)
        committed = self._document(document.path)
        then = values(committed, block) if committed else None
        if now is None or then is None:
            return None
        changed = (
            f"{setting} {was} -> {value}"
            for plan, settings in now.items()
            for setting in {**settings, **then.get(plan, {})}
            if (value := settings.get(setting, ABSENT)) != (was := then.get(plan, {}).get(setting, ABSENT))
        )
        return list(dict.fromkeys(changed))

    def _document(self, path: str) -> Document | None:
        repository = Repository(path)
        commit = repository.commit("HEAD")
        found = self._read.get(path)
        if found is None or found[0] != commit:
            found = self._read[path] = commit, _at(repository, commit)
        return found[1]


def values(document: Document, block: str) -> dict[str, dict[str, str]] | None:
    """The value of each setting, for each plan of a block; None if there is no such block."""
    for each in blocks(document):
        if each.name == block:
            plans = [planned.plan for planned in document.plans(each.span.line, each.span.column)]
            return {plan.policy: {d.setting: d.value for d in plan.settings} for plan in plans if plan}
    return None


def title(changes: list[str] | None) -> str:
    """What is shown above a block."""
    if changes is None:
        return "new since the last commit"
    if not changes:
        return "no value changed since the last commit"
    named = ", ".join(changes[:MOST_NAMED]) + (", …" if len(changes) > MOST_NAMED else "")
    return (
        f"{len(changes)} {'value' if len(changes) == 1 else 'values'} changed since the last commit: {named}"
    )


def _at(repository: Repository, commit: str) -> Document | None:
    """The file that the repository was asked for, as a commit has it; None if that does not have it."""
    with repository.files_at(commit) as folder:
        place = os.path.normpath(os.path.join(folder, repository.former_path(commit, "")))
        try:
            found = Document(place, {os.path.realpath(place): read_text(place)})
        except (SetpointError, OSError):
            return None
        for _ in blocks(found):
            found.knowledge  # noqa: B018 - read as long as the files are there
            break
    return found
