"""The policies of a side: what a comparison sees of each, once it is planned."""

import os
from collections.abc import Iterable

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.difference import BuildError, is_elsewhere
from setpoint.compiler.plan.judge import HazardState, Judged
from setpoint.compiler.plan.model import Decision, FactEntry
from setpoint.compiler.record import NamedTuple


class PlanInputs(NamedTuple):
    """The inputs of a plan; `site` has the texts of the site's own knowledge."""

    knowledge: Knowledge
    context: Context
    site: tuple[str, ...]


class BundleFile(NamedTuple):
    """A file of a bundle, as in its manifest: path, mode, hash."""

    path: str
    mode: str
    sha256: str


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

    def planned(self) -> "PlannedPolicy":
        """Itself: see `planner.UnplannedPolicy`."""
        return self


# ---------------------------------------------------------------------------------- files and errors


def build_errors(findings: Iterable[Diagnostic], folder: str = "") -> tuple[BuildError, ...]:
    """The errors among findings, with file names relative to a folder ("" for none): checkouts compare as equal."""
    prefix = os.path.join(folder, "") if folder else ""

    def relative(text: str) -> str:
        return text.replace(prefix, "") if len(prefix) > 2 else text

    def name(file: str) -> str:
        return os.path.relpath(file, folder) if folder and file and not is_elsewhere(file) else file

    return tuple(
        BuildError(relative(f"{d.code}: {d.message}"), name(d.at.file), d.at.line)
        for d in findings
        if d.severity == "error"
    )


def folder_of(path: str) -> str:
    """The folder that the file names of a side are relative to."""
    return (path if os.path.isdir(path) else os.path.dirname(path)) or "."
