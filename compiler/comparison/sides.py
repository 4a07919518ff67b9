"""The two sides of a comparison: plans by the name of their policy.

A side is a policy file, a folder of them, a bundle, or any of these at a git revision. The plan of a bundle is read
from its plan.json, so that any two sides can be compared. Plans made here keep their inputs, so that variants of them
can be planned.
"""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.levels import SCOPES
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program, read
from setpoint.compiler.lowering.bundle import MANIFEST, manifest_of
from setpoint.compiler.pipeline import Planned, Selection, knowledge_for
from setpoint.compiler.plan.difference import BuildError
from setpoint.compiler.plan.judge import HazardState, Judged
from setpoint.compiler.plan.model import Decision, FactEntry
from setpoint.compiler.plan.to_json import SCHEMA
from setpoint.compiler.policies.check import compilable_subjects, gather, hosts, states_anything
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.record import NamedTuple, distinct

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

PLAN = "plan.json"
"""The name of the plan in a bundle."""


@distinct
class PlanInputs(NamedTuple):
    """The inputs of a plan; `site` has the texts of the site's own knowledge."""

    knowledge: Knowledge
    context: Context
    site: tuple[str, ...]


@distinct
class BundleFile(NamedTuple):
    """A file of a bundle, as in its manifest: path, mode, hash."""

    path: str
    mode: str
    sha256: str


@distinct
class PlannedPolicy(NamedTuple):
    """A policy on one side: its judged plan (None if it has none), its file, and the plan's inputs.

    Without a plan, `facts` are the known ones. `problems` are all errors that stop the build. `targets` are those that
    a bundle was made with, `files` its contents. `servers` has the titles of the blocks that select its servers (`group
    login`), which a bundle does not have.
    """

    policy: str = ""
    judged: Judged | None = None
    facts: tuple[FactEntry, ...] = ()
    problems: tuple[BuildError, ...] = ()
    file: str = ""
    origin: PlanInputs | None = None
    targets: tuple[str, ...] = ()
    files: frozenset[BundleFile] = frozenset()
    servers: tuple[str, ...] = ()

    @property
    def settings(self) -> dict[str, Decision]:
        """The decisions of the plan by name, in their order."""
        return {d.setting: d for d in self.judged.plan.settings} if self.judged else {}

    @property
    def hazards(self) -> dict[str, HazardState]:
        """The status of each hazard of the plan, by name."""
        return self.judged.hazards if self.judged else {}

    @property
    def errors(self) -> tuple[BuildError, ...]:
        """Why there is no plan, with places."""
        return () if self.judged else self.problems

    @property
    def stopped(self) -> bool:
        """Whether nothing can be compiled from it: it has no plan, or a hazard stops it."""
        return bool(self.problems)


@distinct
class PlannedHost(NamedTuple):
    """A host's block on one side: its plan, and the name of the policy or group that it narrows."""

    base: str
    entry: PlannedPolicy


@distinct
class Side(NamedTuple):
    """One side of a comparison.

    `failed` are the files that cannot be read as policies, with their errors; `files` are all files that were read. A
    bundle has no hosts: `hosts` is None. `folder` is the reader's name for the folder that all files are relative to.
    `unread` has the original errors of `failed`, with the texts.
    """

    entries: dict[str, PlannedPolicy]
    failed: dict[str, tuple[BuildError, ...]]
    hosts: dict[str, PlannedHost] | None
    files: frozenset[str] = frozenset()
    folder: str = ""
    unread: tuple[SetpointError, ...] = ()


def side(path: str, root: str, today: str, server: "Server | None" = None) -> Side:
    """The plans of a file, a folder or a bundle; policies are planned for a server, if one is given.

    Raises OSError for a folder that cannot be listed, and SetpointError for a missing path (E0601) or a bundle with
    another form (E0606).
    """
    if os.path.isdir(path) and os.path.isfile(os.path.join(path, MANIFEST)):
        return _bundled(path)
    if path.endswith(".json"):
        return _side_of_plans([_plan_file(path)])
    return _planned(path, root, Selection(today=today, server=server))


def of_the_bundle(one: Side, other: Side) -> Side:
    """A side of policies, with the hosts that the other side's bundle has; limited to one policy or host if the bundle is."""
    if other.hosts is not None or one.hosts is None:
        return one
    if len(other.entries) > 1:
        have = {name: each.entry for name, each in one.hosts.items() if name in other.entries}
        return one._replace(entries=one.entries | have)
    (name,) = other.entries
    found = one.entries.get(name) or (one.hosts[name].entry if name in one.hosts else None)
    return one._replace(entries={name: found}, failed={}, hosts=None) if found else one


# ------------------------------------------------------------------------------------------ bundles


def _bundled(folder: str) -> Side:
    folders = [folder]
    if not os.path.lexists(os.path.join(folder, PLAN)):
        folders = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
        folders = [place for place in folders if os.path.lexists(os.path.join(place, PLAN))]
        if not folders:
            raise _not_a_plan(folder, (f"there is no {PLAN} in it",))
    return _side_of_plans([_with_manifest(_plan_file(os.path.join(place, PLAN)), place) for place in folders])


def _side_of_plans(entries: list[PlannedPolicy]) -> Side:
    return Side({entry.policy: entry for entry in entries}, {}, None)


def _plan_file(path: str) -> PlannedPolicy:
    text = read(path)
    try:
        data = parse_json(text)
    except ValueError as error:
        raise _not_a_plan(path, (f"it is not valid JSON: {error}",)) from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise _not_a_plan(path, ())
    from setpoint.compiler.plan.from_json import NotAPlanError, plan_from_json  # only needed here

    try:
        judged = plan_from_json(data)
    except NotAPlanError as error:
        raise _not_a_plan(path, (str(error),)) from None
    plan = judged.plan
    is_plan = bool(plan.settings) or not judged.is_stopped
    return PlannedPolicy(plan.policy, judged if is_plan else None, plan.facts, _problems(judged.diagnostics))


def _not_a_plan(path: str, notes: tuple[str, ...]) -> SetpointError:
    help_ = "name a bundle, its plan.json, or policy files; compile a bundle of an earlier version again"
    message = f"`{path}` is not a plan in the form {SCHEMA}"
    return SetpointError(Diagnostic("E0606", message, NOWHERE, notes=notes, help=(help_,)))


def _with_manifest(entry: PlannedPolicy, folder: str) -> PlannedPolicy:
    """A bundle's plan, with the manifest's data on how it was made, if any."""
    manifest = manifest_of(folder)
    if manifest is None:
        return entry
    return entry._replace(
        targets=manifest.targets, files=frozenset(BundleFile(*each) for each in manifest.files)
    )


# ----------------------------------------------------------------------------------------- policies


def _planned(path: str, root: str, selection: Selection) -> Side:
    """Plan every policy in a file or folder, and every block for a host."""
    if not os.path.lexists(path):
        read(path)  # which gives the reason: a missing path is not a side, not even one in error
    files = rooted_files([path], root)
    gathered = gather(files)
    failed = {
        _within(file, path): _problems(error.diagnostics, path) for file, error in gathered.failed.items()
    }
    found: list[PlannedPolicy] = []
    hosts_found: dict[str, PlannedHost] = {}
    for file, program in gathered.programs.items():
        if not states_anything(program.body):
            continue
        try:
            knowledge = knowledge_for(program)
            found += [
                _entry(each, program, file, path)
                for each in compilable_subjects(program, knowledge, selection)
            ]
            for base, each in hosts(program, knowledge, selection):
                hosts_found[each.subject.name] = PlannedHost(base, _entry(each, program, file, path))
        except SetpointError as error:
            failed[_within(file, path)] = _problems(error.diagnostics, path)
    meant = frozenset(_within(file, path) for file in files)
    unread = tuple(gathered.failed.values())
    return Side(_named(found), failed, hosts_found, meant, _folder_of(path), unread)


def side_of_program(program: Program, knowledge: Knowledge, selection: Selection) -> Side:
    """The policies and groups of a file that has been read, without its blocks for hosts.

    Raises SetpointError (E0206 to E0208) if it is unclear what to plan.
    """
    path = program.path
    found = [_entry(each, program, path, path) for each in compilable_subjects(program, knowledge, selection)]
    return Side(_named(found), {}, None, frozenset((_within(path, path),)), _folder_of(path))


def _named(entries: list[PlannedPolicy]) -> dict[str, PlannedPolicy]:
    """Policies by name; those with the same name in several files by file and name."""
    names = [entry.policy for entry in entries]
    return {
        name if names.count(name) == 1 else f"{os.path.splitext(entry.file)[0]}/{name}": entry
        for name, entry in zip(names, entries, strict=True)
    }


def _entry(each: Planned, program: Program, file: str, path: str) -> PlannedPolicy:
    servers = tuple(level.title for level in each.subject.levels if level.kind in SCOPES)
    site = tuple(program.sources[tree.name] for tree in program.site)
    origin = PlanInputs(each.knowledge, each.context, site) if each.judged and each.context else None
    problems = _problems(each.findings, path)
    return PlannedPolicy(
        each.subject.name, each.judged, each.facts, problems, _within(file, path), origin, servers=servers
    )


def _problems(findings: Iterable[Diagnostic], path: str = "") -> tuple[BuildError, ...]:
    """The errors among findings, with file names relative to the folder of `path`, so that checkouts compare as equal."""
    prefix = os.path.join(_folder_of(path), "") if path else ""

    def relative(text: str) -> str:
        return text.replace(prefix, "") if len(prefix) > 2 else text

    def name(file: str) -> str:
        return _within(file, path) if path and file and not _elsewhere(file) else file

    return tuple(
        BuildError(relative(f"{d.code}: {d.message}"), name(d.at.file), d.at.line)
        for d in findings
        if d.severity == "error"
    )


def _within(file: str, path: str) -> str:
    """The name of a file relative to the side's own folder."""
    return os.path.relpath(file, _folder_of(path))


def _folder_of(path: str) -> str:
    """The folder that the file names of a side are relative to."""
    return (path if os.path.isdir(path) else os.path.dirname(path)) or "."


def _elsewhere(name: str) -> bool:
    """Whether a name is not that of a file of the side, but of the standard library, or of no file."""
    return name.startswith(("stdlib/", "<"))


def located(problem: BuildError, side: Side) -> BuildError:
    """A problem of a side, with the reader's name for its file."""
    if not problem.file or _elsewhere(problem.file):
        return problem
    return problem._replace(file=os.path.normpath(os.path.join(side.folder, problem.file)))
