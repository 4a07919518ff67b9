"""`setpoint diff` of fleets: the effect of a change on hosts, for all policies of both sides.

Hosts come from an inventory, or from a folder that `setpoint fleet` has written. A side that is a revision with the
inventory has the hosts of that revision, since a change of the inventory is a change of the fleet.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager

from setpoint.compiler.cli import DIFFERENCE, IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.at_revision import files_read, inventory_at
from setpoint.compiler.cli.common import page_width, show, together
from setpoint.compiler.cli.fleet_sides import FleetPlanner, Policies, earlier, in_several_files, policies_at
from setpoint.compiler.cli.inventory import HostsOfRun
from setpoint.compiler.cli.library import library_named
from setpoint.compiler.cli.sides import missing_on_both, revisions_named
from setpoint.compiler.comparison.revisions import (
    FilesOfCommits,
    PathAtCommit,
    ReadablePath,
    Repository,
    at,
    opened,
)
from setpoint.compiler.fleet.difference import ALL_REASONS, difference, with_unplanned
from setpoint.compiler.fleet.registries import without_registry
from setpoint.compiler.fleet.since import WroteToHosts
from setpoint.compiler.fleet.tables import LEFT_OUT
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.render.difference import FORMATS


def of_fleets(options: Options, today: str) -> int:
    """Compare what two versions of policies do to hosts; exit 3 if a host changes, 1 if a policy is in error."""
    if options.current or options.new_registry:
        options.error(
            "--inventory: not together with --current or --new-registry, which are about one server"
        )
    with files_read(options) as files:
        return _of_fleets(options, today, files)


def _read_sides(
    options: Options, today: str, files: FilesOfCommits
) -> tuple[tuple[PathAtCommit, PathAtCommit] | None, Policies, Policies]:
    """The revisions, if both sides are of one repository, and the policies of the sides.

    Raises SetpointError if a side that has to have policies has none.
    """
    placed = revisions_named(options.old, options.new)
    old, new = (policies_at(side, options, today) for side in _sides(options, placed, files))
    if placed and old is None and new is None:
        raise missing_on_both(*placed)
    old, new = old or Policies({}), new or Policies({})
    if options.inventory and old.folder and new.folder:
        options.error("--inventory: both sides are folders of `setpoint fleet`, which have their hosts")
    for side in (new, *(() if placed else (old,))):
        if side.failed and not side.candidates:
            raise together(side.failed)
    return placed, old, new


def _of_fleets(options: Options, today: str, files: FilesOfCommits) -> int:
    placed, old, new = _read_sides(options, today, files)
    several = in_several_files(old, new)
    planner = FleetPlanner(options, Selection(today=today))
    old_library, new_library = (
        _library(options, side, named)
        for side, named in ((old, options.old_library), (new, options.new_library))
    )
    wrote = _to_set_back(options, new, today)
    named = placed or (options.old, options.new or options.old)
    old_hosts, new_hosts = (
        _hosts_then(files, options, side) if options.inventory else None for side in named
    )
    before = planner.plan(old, several, library=old_library, hosts=old_hosts)
    after = planner.plan(new, several, wrote, new_library, new_hosts)
    failed = together(new.failed)
    show((*failed.diagnostics, *without_registry(after.unfitted)), failed.sources)
    comparison = difference(before.fleets, after.fleets, hosts=(before.hosts, after.hosts))._replace(
        made_with=(before.made_with, after.made_with)
    )
    says_why = f"its {LEFT_OUT} has all reasons" if new.folder else ALL_REASONS
    without = before.left_out, after.left_out
    comparison = with_unplanned(comparison, without, after.fleets, after.rows, failed.diagnostics, says_why)
    sys.stdout.write(FORMATS[options.format](comparison, page_width()))
    if comparison.differences:
        return DIFFERENCE
    return IN_ERROR if new.failed else OK


def _to_set_back(options: Options, new: Policies, today: str) -> Mapping[str, WroteToHosts]:
    """What the side that `--since` names wrote to hosts, for each policy of the new side."""
    if options.since and new.folder:
        options.error("--since: the new side has its plans already; give the option to `setpoint fleet`")
    return earlier(options, tuple(name for _, name in new.candidates), today)


def _sides(
    options: Options, placed: tuple[PathAtCommit, PathAtCommit] | None, files: FilesOfCommits
) -> tuple[AbstractContextManager[ReadablePath | None], ...]:
    """Both sides, to be opened one after the other."""
    if placed:
        return tuple(opened(place, options.root, files) for place in placed)
    if options.new is None and not (options.old_library or options.new_library):
        options.error("name two sides, or two revisions as OLD..NEW")
    return at(options.old, options.root, files), at(options.new or options.old, options.root, files)


def _hosts_then(files: FilesOfCommits, options: Options, side: PathAtCommit | str) -> HostsOfRun | None:
    """The hosts of a side that is a revision, if its inventory differs; None for those of today's inventory."""
    if isinstance(side, PathAtCommit):
        repository: Repository | None = side.repository
        commit = side.commit
    else:
        revision, colon, _ = side.partition(":")
        repository = Repository(".") if colon and not os.path.lexists(side) else None
        commit = repository.commit(revision) if repository else ""
    then = inventory_at(files, repository, commit, options) if repository and commit else options
    return HostsOfRun(then) if then and then is not options else None


def _library(options: Options, side: Policies, folder: str) -> str:
    """The library that a side is planned with; "" for the installed one. Raises SetpointError (E0618)."""
    if folder and side.folder:
        options.error("a fleet's folder has its plans already: it needs no library")
    return library_named(folder)
