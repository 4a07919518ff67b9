"""The two sides of a comparison: policies by name.

A side is a policy file, a folder of them, a bundle, or any of these at a git revision. The plan of a bundle is read
from its plan.json, so that any two sides can be compared. Policies are planned when the comparison asks for them
(`planner`); their plans keep their inputs, so that variants of them can be planned.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from setpoint.compiler.binding.levels import Subject, all_subjects, candidates
from setpoint.compiler.comparison.entries import (
    BundleFile,
    PlannedPolicy,
    build_errors,
    folder_of,
)
from setpoint.compiler.comparison.planner import Entry, Planner, UnplannedPolicy
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.reading import names_in, parse_json
from setpoint.compiler.knowledge.library import library_at
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.language.program import Program, read
from setpoint.compiler.lowering.bundle import MANIFEST, manifest_of
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.plan.difference import BuildError, is_elsewhere
from setpoint.compiler.plan.fields import SCHEMA
from setpoint.compiler.plan.made_with import MadeWith, made_with
from setpoint.compiler.policies.check import bases_of, gather
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.record import NamedTuple

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

PLAN = "plan.json"
"""The name of the plan in a bundle."""


class HostEntry(NamedTuple):
    """A host's block on one side: its policy, and the name of the policy or group that it narrows."""

    base: str
    entry: UnplannedPolicy


class Side(NamedTuple):
    """One side of a comparison.

    `failed` are the files that cannot be read as policies, with their errors; `files` are all files that were read. A
    bundle has no hosts: `hosts` is None. `folder` is the reader's name for the folder that all files are relative to.
    `unread` has the original errors of `failed`, with the texts. `made_with` is what its plans are made with; None if
    that is not known; without the sites' own knowledge, which each policy has its own of.
    """

    entries: Mapping[str, Entry]
    failed: dict[str, tuple[BuildError, ...]]
    hosts: Mapping[str, HostEntry] | None
    files: frozenset[str] = frozenset()
    folder: str = ""
    unread: tuple[SetpointError, ...] = ()
    made_with: MadeWith | None = None


def side(path: str, root: str, today: str, server: "Server | None" = None, library: str = "") -> Side:
    """The policies of a file, a folder or a bundle, planned for a server and with another library if these are given.

    Raises OSError for a folder that cannot be listed, and SetpointError for a missing path (E0601) or a bundle with
    another form (E0606).
    """
    if os.path.isdir(path) and os.path.isfile(os.path.join(path, MANIFEST)):
        return _bundled(path)
    if path.endswith(".json"):
        return _side_of_plans([plan_of_file(path)])
    return _of_policies(path, root, Selection(today=today, server=server, library=library))


def of_the_bundle(policies: Side, bundled: Side) -> Side:
    """The policies with the hosts that the bundle has; limited to one policy or host if the bundle is."""
    if bundled.hosts is not None or policies.hosts is None:
        return policies
    if len(bundled.entries) > 1:
        have = {
            name: host.entry
            for name, host in policies.hosts.items()
            if name in bundled.entries and not host.entry.verdict.lacks_what_is_required
        }
        return policies._replace(entries={**policies.entries, **have})
    (name,) = bundled.entries
    entry = policies.entries.get(name) or (policies.hosts[name].entry if name in policies.hosts else None)
    return policies._replace(entries={name: entry}, failed={}, hosts=None) if entry else policies


# ------------------------------------------------------------------------------------------ bundles


def _bundled(folder: str) -> Side:
    folders = [folder]
    if not os.path.lexists(os.path.join(folder, PLAN)):
        folders = [os.path.join(folder, name) for name in names_in(folder)]
        folders = [place for place in folders if os.path.lexists(os.path.join(place, PLAN))]
        if not folders:
            raise _not_a_plan(folder, (f"there is no {PLAN} in it",))
    return _side_of_plans([_with_manifest(place, folder) for place in folders])


def _side_of_plans(entries: list[PlannedPolicy]) -> Side:
    versions = {
        m and m._replace(site="") for entry in entries if entry.judged for m in [entry.judged.plan.made_with]
    }
    return Side(
        {entry.policy: entry for entry in entries},
        {},
        None,
        made_with=versions.pop() if len(versions) == 1 else None,
    )


def plan_of_file(path: str, within: str = "") -> PlannedPolicy:
    """The plan in a file, which can lie in a wider folder. Raises SetpointError (E0606 for another form, E06xx)."""
    text = read(path, within=within)
    try:
        data = parse_json(text)
    except ValueError as error:
        raise _not_a_plan(path, (f"it is not valid JSON: {error}",)) from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise _not_a_plan(path, ())
    from setpoint.compiler.plan.as_json import plan_from_json
    from setpoint.compiler.plan.document import NotAPlanError  # only needed here

    try:
        judged = plan_from_json(data)
    except NotAPlanError as error:
        raise _not_a_plan(path, (str(error),)) from None
    plan = judged.plan
    is_plan = bool(plan.settings) or not judged.is_stopped
    return PlannedPolicy(
        plan.policy, judged if is_plan else None, plan.facts, build_errors(judged.diagnostics)
    )


def _not_a_plan(path: str, notes: tuple[str, ...]) -> SetpointError:
    help_ = "name a bundle, its plan.json, or policy files; compile a bundle of an earlier version again"
    message = f"`{path}` is not a plan in the form {SCHEMA}"
    return SetpointError.of("E0606", message, notes=notes, help=(help_,))


def _with_manifest(folder: str, within: str) -> PlannedPolicy:
    """A bundle's plan, with the manifest's data on how it was made, if any."""
    entry = plan_of_file(os.path.join(folder, PLAN), within)
    manifest = manifest_of(folder, within)
    if manifest is None:
        return entry
    return entry._replace(
        targets=manifest.targets, files=frozenset(BundleFile(*file) for file in manifest.files)
    )


# ----------------------------------------------------------------------------------------- policies


def _of_policies(path: str, root: str, selection: Selection) -> Side:
    """Every policy in a file or folder, and every block for a host."""
    if not os.path.lexists(path):
        read(path)  # which gives the reason: a missing path is not a side, not even one in error
    folder = folder_of(path)
    files = rooted_files([path], root)
    names = {file: os.path.relpath(file, folder) for file in files}
    gathered = gather(files)
    failed = {names[f]: build_errors(error.diagnostics, folder) for f, error in gathered.failed.items()}
    planner = Planner(selection)
    entries: list[UnplannedPolicy] = []
    hosts: dict[str, HostEntry] = {}
    for file, program in gathered.policies.items():
        try:
            policies, with_block = _policies_of(program, names[file], folder, planner)
            entries += policies
            for entry in with_block:
                hosts[entry.policy] = HostEntry(entry.subject.base, entry)
        except SetpointError as error:
            failed[names[file]] = build_errors(error.diagnostics, folder)
    unread = tuple(gathered.failed.values())
    with library_at(selection.library):
        versions = made_with(standard().digests)
    return Side(_named(entries), failed, hosts, frozenset(names.values()), folder, unread, versions)


def side_of_program(program: Program, selection: Selection) -> Side:
    """The policies and groups of a file that has been read, without its blocks for hosts.

    Raises SetpointError for errors in the site's knowledge, and (E0206 to E0208) if it is unclear what to plan.
    """
    folder = folder_of(program.path)
    file = os.path.relpath(program.path, folder)
    policies, _ = _policies_of(program, file, folder, Planner(selection))
    return Side(_named(policies), {}, None, frozenset((file,)), folder)


def _policies_of(
    program: Program, file: str, folder: str, planner: Planner
) -> tuple[list[UnplannedPolicy], Iterator[UnplannedPolicy]]:
    """The policies and groups of a file, without those that exist only to be extended; and each host that has a block.

    A host is there in each group that it can be in. Raises SetpointError, as `side_of_program` does.
    """
    knowledge = planner.knowledge.of(program)
    named = candidates(program.body, program.stem)
    bases = bases_of(program)

    def entry(subject: Subject) -> UnplannedPolicy:
        return UnplannedPolicy(subject, program, file, folder, planner)

    policies = [
        policy
        for policy in map(entry, all_subjects(named, knowledge.required))
        if policy.policy not in bases or not policy.verdict.lacks_what_is_required
    ]
    return policies, (entry(subject) for candidate in named for subject in candidate.hosts())


def _named(entries: list[UnplannedPolicy]) -> dict[str, Entry]:
    """Policies by name; those with the same name in several files by file and name."""
    number = Counter(entry.policy for entry in entries)
    return {
        entry.policy
        if number[entry.policy] == 1
        else f"{os.path.splitext(entry.file)[0]}/{entry.policy}": entry
        for entry in entries
    }


def located(problem: BuildError, side: Side) -> BuildError:
    """A problem of a side, with the reader's name for its file."""
    if not problem.file or is_elsewhere(problem.file):
        return problem
    return problem._replace(file=os.path.normpath(os.path.join(side.folder, problem.file)))
