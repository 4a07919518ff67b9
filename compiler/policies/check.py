"""Check files without writing artifacts: plan each policy that they contain, and collect the findings.

A file that another one includes is checked as part of that one. A policy without a goal is not in error if another one
extends it. The blocks for single hosts are planned as well: in the group that the policy puts the host into, or in
every group, since only the inventory knows it then. Some findings depend on all of these plans: a waiver has no effect
only if none of them needs it.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from setpoint.compiler.binding.levels import Subject, all_subjects, candidates
from setpoint.compiler.budget import limited
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program
from setpoint.compiler.language.syntax import Policy, PolicyStatement, Statement
from setpoint.compiler.pipeline import (
    Planned,
    Selection,
    knowledge_for,
    plan_subject,
    read,
)
from setpoint.compiler.plan.judge import UNNEEDED
from setpoint.compiler.policies.findings import with_commands
from setpoint.compiler.policies.known import CheckedSubject, Known, KnownInRun, lacks_what_is_required
from setpoint.compiler.record import NamedTuple

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

Made = TypeVar("Made")


class Checked(NamedTuple):
    """The findings, the files that were checked, and their texts."""

    files: tuple[str, ...]
    findings: Diagnostics
    sources: dict[str, str]


class Gathered(NamedTuple):
    """The programs that no other one includes, and the unreadable files; both by path."""

    programs: dict[str, Program]
    failed: dict[str, SetpointError]
    sources: dict[str, str]

    @property
    def policies(self) -> dict[str, Program]:
        """The programs that contain a policy, and not only knowledge."""
        return {path: program for path, program in self.programs.items() if states_anything(program.body)}

    @property
    def errors(self) -> list[Diagnostic]:
        """Why files are unreadable."""
        return [d for error in self.failed.values() for d in error.diagnostics]

    def each(self, make: Callable[[Program], Made]) -> tuple[dict[str, Made], list[Diagnostic]]:
        """The results of a function by path, for each program with a policy, and its errors after unreadable files."""
        by_path, errors = {}, self.errors
        for path, program in self.policies.items():
            try:
                by_path[path] = make(program)
            except SetpointError as error:
                errors += error.diagnostics
        return by_path, errors


class HostPlanned(NamedTuple):
    """A host's block, planned in one of the groups ("" for none); `base` names the subject without the host."""

    base: str
    planned: Planned


def check_files(
    roots: Mapping[str, str],
    today: str = "",
    server: "Server | None" = None,
) -> Checked:
    """Check files, each with the folder that its includes stay inside ("" for its own), for a server if any."""
    gathered = gather(roots)
    findings = gathered.errors
    known = KnownInRun(Selection(today=today, server=server))
    for program in gathered.programs.values():
        findings.extend(check_program(program, known))
    return Checked(tuple(roots), Diagnostics.of(findings), gathered.sources)


def check_program(program: Program, known: Known) -> list[Diagnostic]:
    """The findings of a program, in no order; what is `known` of its policies, groups and hosts is not planned again.

    A program is one request, with a budget of its own unless there is one already; what is beyond it is among the
    findings (E0806).
    """
    with limited():
        return _check_program(program, known)


def _check_program(program: Program, known: Known) -> list[Diagnostic]:
    try:
        if not states_anything(program.body):
            knowledge_for(program)
            return []
        knowledge = known.knowledge(program)
        named = candidates(program.body, program.stem)
        bases = bases_of(program)
        subjects = [
            checked
            for subject in all_subjects(named, knowledge.required)
            if not (checked := known.checked(subject, knowledge)).lacks_what_is_required
            or subject.name not in bases
        ]
        single = [
            checked
            for candidate in named
            for subject in candidate.hosts()
            if not (checked := known.checked(subject, knowledge)).lacks_what_is_required
        ]
    except SetpointError as error:
        return list(error.diagnostics)
    pairs = [(checked, d) for checked in subjects for d in checked.findings]
    reported = {d for _, d in pairs}
    for checked in single:
        pairs += [
            (checked, d)
            for d in checked.findings
            if d not in reported and (d.severity == "error" or _of_its_block(d, checked.subject))
        ]
    needed = {span for checked in (*subjects, *single) for span in checked.needed_at}
    relevant = [(checked, d) for checked, d in pairs if d.code != UNNEEDED or d.at not in needed]
    return _together(program, relevant, {checked.subject.name for checked in subjects})


def gather(roots: Mapping[str, str]) -> Gathered:
    """Read files. Knowledge that another file includes is left to that file."""
    programs: dict[str, Program] = {}
    failed: dict[str, SetpointError] = {}
    sources: dict[str, str] = {}
    for path, root in roots.items():
        try:
            programs[path] = read(path, root)
            sources.update(programs[path].sources)
        except SetpointError as error:
            failed[path] = error
            sources.update(error.sources)
    included = {
        os.path.realpath(name)
        for path, program in programs.items()
        for name in program.sources
        if name != path
    }
    if included:
        programs = {path: p for path, p in programs.items() if os.path.realpath(path) not in included}
    return Gathered(programs, failed, sources)


def states_anything(body: tuple[Statement, ...]) -> bool:
    """Whether a file contains a policy, and not only knowledge."""
    return any(isinstance(s, Policy | PolicyStatement) for s in body)


def without_bases(program: Program, done: tuple[Planned, ...]) -> tuple[Planned, ...]:
    """The planned subjects, without extended policies that lack a required fact."""
    bases = bases_of(program)
    return tuple(e for e in done if e.subject.name not in bases or not lacks_what_is_required(e.findings))


def bases_of(program: Program) -> set[str]:
    """The names of the policies that others extend."""
    return {s.extends.text for s in program.body if isinstance(s, Policy) and s.extends is not None}


def hosts(program: Program, knowledge: Knowledge, selection: Selection) -> Iterator[HostPlanned]:
    """Plan every host block, in every group that the host can be in; of the selected policy only, if there is one.

    Raises SetpointError (E0206 to E0208, E0210) if it is unclear what to plan.
    """
    for candidate in candidates(program.body, program.stem):
        if selection.policy not in ("", candidate.name):
            continue
        for subject in candidate.hosts():
            planned = plan_subject(subject, knowledge, selection)
            if not lacks_what_is_required(planned.findings):  # reported already where only groups state facts
                yield HostPlanned(subject.base, planned)


def _together(
    program: Program, pairs: list[tuple[CheckedSubject, Diagnostic]], everyone: set[str]
) -> list[Diagnostic]:
    """The findings, with those about the same statement for several subjects merged into one.

    The subjects are named if the place does not show them and not all are meant.
    """
    by_content: dict[Diagnostic, dict[Diagnostic, list[CheckedSubject]]] = {}
    for checked, finding in pairs:
        variants = by_content.setdefault(finding._replace(notes=(), help=(), fixes=()), {})
        variants.setdefault(finding, []).append(checked)
    merged: list[Diagnostic] = []
    for bare, variants in by_content.items():
        whose = {
            finding: [checked.subject.name for checked in subjects] for finding, subjects in variants.items()
        }
        (finding, subjects), *others = variants.items()
        if others:
            notes, help_ = _for_whom(whose, "notes"), _for_whom(whose, "help")
            fixes = tuple(f for f in finding.fixes if all(f in variant.fixes for variant in variants))
            finding = bare._replace(notes=notes, help=help_, fixes=fixes)
        elif not (
            set(whose[finding]) >= everyone
            or any(_of_its_block(finding, checked.subject) for checked in subjects)
        ):
            finding = finding._replace(notes=(*finding.notes, f"for {', '.join(whose[finding])}"))
        merged += with_commands((finding,), program, subjects[0].subject)
    return merged


def _for_whom(whose: dict[Diagnostic, list[str]], field: str) -> tuple[str, ...]:
    """The notes, or helps, of one finding that apply to some of the subjects only, with their names."""
    by_text: dict[str, list[str]] = {}
    for finding, names in whose.items():
        for text in getattr(finding, field):
            by_text.setdefault(text, []).extend(names)
    everyone = sum(len(names) for names in whose.values())
    return tuple(
        text if len(names) == everyone else f"for {', '.join(names)}: {text}"
        for text, names in by_text.items()
    )


def _of_its_block(finding: Diagnostic, subject: Subject) -> bool:
    """Whether a finding is about the subject's own block, and not about a wider plan."""
    return any(
        statement.span.file == finding.at.file
        and statement.span[1:3] <= finding.at[1:3] < statement.span[3:5]
        for statement in subject.levels[-1].statements
    )
