"""The policies for `plan` and `compile`: those of a file, of a folder, of standard input, or of a text.

A folder means every policy of every file in it, except files that another one includes, files with knowledge only, and
policies that are only extended by others. A selection such as `--policy web` leaves the files that have it.
"""

import os
from collections.abc import Iterable

from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.binding.names import differ_only_in_case
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.common import today_of
from setpoint.compiler.diagnostics import Label, SetpointError
from setpoint.compiler.files.reading import STDIN
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import INLINE, Program
from setpoint.compiler.language.program import read as text_of_file
from setpoint.compiler.pipeline import Planned, Selection, knowledge_for, planned, read, read_text
from setpoint.compiler.record import NamedTuple


class Chosen(NamedTuple):
    """The programs that the arguments name, and the errors of unreadable files, by path."""

    programs: tuple[Program, ...]
    failed: dict[str, SetpointError]


class ProgramKnowledge(NamedTuple):
    """A program, and the knowledge that it is planned with, however often that is."""

    program: Program
    knowledge: Knowledge


def selection_of(options: Options) -> Selection:
    """What the arguments select of a program: a policy, a group, a host, and the day."""
    return Selection(options.only, options.group, options.host, today_of(options))


def program_of(options: Options) -> Program:
    """The program that the arguments name."""
    if (options.text is None) == (options.policy is None):
        options.error("name a policy file, or give its text with -e")
    if options.text is not None:
        return read_text(options.text, options.root)
    if options.policy == "-":
        return read_text(text_of_file(STDIN), options.root)
    return read(options.policy, options.root)


def chosen(options: Options) -> Chosen:
    """The programs that the arguments name. A folder without a policy is wrong usage."""
    if not options.policy or not os.path.isdir(options.policy):
        return Chosen((program_of(options),), {})
    if options.text is not None:
        options.error("name a policy file, or give its text with -e")
    from setpoint.compiler.policies.check import gather
    from setpoint.compiler.policies.paths import rooted_files

    gathered = gather(rooted_files([options.policy], options.root))
    programs = tuple(gathered.policies.values())
    if not programs and not gathered.failed:
        options.error(f"there is no policy in {options.policy}")
    return Chosen(programs, gathered.failed)


def file_names(program: Program, options: Options) -> dict[str, str]:
    """The names that artifacts have for a program's files: relative to the folder that the arguments name.

    So a bundle is the same wherever the folder lies. A byte that is not UTF-8 becomes an escape.
    """
    given = options.policy or ""
    folder = options.root or (given if os.path.isdir(given) else os.path.dirname(given)) or "."
    paths = {name: os.path.relpath(name, folder) for name in program.sources if name != INLINE}
    return {name: os.fsencode(path).decode(errors="backslashreplace") for name, path in paths.items()}


def sources_of(*read: Program | SetpointError) -> dict[str, str]:
    """The texts of programs, and of files that could not be read, by name."""
    return {name: text for file in read for name, text in file.sources.items()}


def with_knowledge(programs: Iterable[Program]) -> tuple[ProgramKnowledge, ...]:
    """Each program with its knowledge. Raises SetpointError if the knowledge that a program declares is in error."""
    return tuple(ProgramKnowledge(program, knowledge_for(program)) for program in programs)


def all_planned(
    programs: tuple[ProgramKnowledge, ...], selection: Selection
) -> tuple[tuple[Program, tuple[Planned, ...]], ...]:
    """Each program with its selected subjects, planned; of several programs, those that have a selected one.

    Raises SetpointError (E0206) if none has one, or if it is unclear what to plan.
    """
    plans = []
    absent: list[SetpointError] = []
    for program, knowledge in programs:
        try:
            done = planned(program, knowledge, selection)
        except SetpointError as error:
            if len(programs) == 1 or {d.code for d in error.diagnostics} != {"E0206"}:
                raise
            absent.append(error)
            continue
        if len(programs) > 1:
            from setpoint.compiler.policies.check import without_bases

            done = without_bases(program, done)
        plans.append((program, done))
    if absent and not plans:
        raise absent[0]
    return tuple(plans)


def check_names_differ(subjects: Iterable[Subject]) -> None:
    """Raises SetpointError if policies of two files have one name, as a bundle could contain only one of them.

    The code is E0207, or E0211 if the names differ in case.
    """
    first: dict[str, Subject] = {}
    for subject in subjects:
        other = first.setdefault(subject.name.casefold(), subject)
        if other.name != subject.name:
            raise differ_only_in_case(subject.name, subject.span, other.name, other.span)
        if other is not subject:
            raise SetpointError.of(
                "E0207",
                f"two files have a policy `{subject.name}`",
                subject.span,
                "one of them",
                (Label(other.span, "the other"),),
                help=("rename one of them: bundles are named after it",),
            )
