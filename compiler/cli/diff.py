"""`setpoint diff`: the effect of a change to policies, or to the knowledge that they include, and its causes."""

import os
import sys
from typing import TYPE_CHECKING

from setpoint.compiler.cli import DIFFERENCE, IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.common import (
    INVENTORY,
    ROOT,
    SERVERS,
    TODAY,
    page_width,
    server_named,
    today_of,
    together,
    verb,
)
from setpoint.compiler.cli.library import library_named
from setpoint.compiler.cli.sides import as_called, missing_on_both, revisions_named, side_named
from setpoint.compiler.comparison.differences import differences
from setpoint.compiler.comparison.revisions import PathAtCommit, opened
from setpoint.compiler.comparison.sides import Side, of_the_bundle, side
from setpoint.compiler.lowering.bundle import is_fleet
from setpoint.compiler.policies.check import gather
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.difference import FORMATS

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

ABSENT = Side({}, {}, {})
"""The side of a path that does not exist yet, or no longer."""


@verb(
    "diff",
    "Show what a change changes. OLD and NEW are files, folders, bundles, git revisions, or REV:PATH as "
    "git writes it; or give two revisions as REV..REV, and what to compare there (REV.. compares with the "
    "files as they lie in the folder, REV...REV from where the two parted); without a path, all policies "
    "below the current folder. With an inventory, what the change does to its hosts: then a side can be a folder "
    "that `setpoint fleet` has written, too. If both are, they have the hosts, and need no inventory.",
    "diff origin/main..HEAD policies",
    {
        "old OLD | REV..REV": "a side, or two git revisions",
        "new NEW | PATH?": "the other side, or what to compare there",
        **forms(*sorted(FORMATS)),
        **SERVERS,
        **INVENTORY,
        "--new-registry FILE": "the registry of the same server after an update of its BIOS, for the new side; with it, one path is enough",
        "--since EARLIER": "with --inventory: the new side sets back what this one wrote, as `fleet --since` does",
        **{
            f"--{which}-library DIR": f"the library that the {which} side is planned with, in place of the installed one: its folder, a "
            "checkout or an installation; with it, one path is enough"
            for which in ("old", "new")
        },
        **ROOT,
        **TODAY,
    },
)
def run(options: Options) -> int:
    """Compare two sides; exit 0 if every policy has the same plan, 3 if not, 1 or 4 if there is no plan to compare."""
    today = today_of(options)
    if options.new_registry and not options.registry:
        options.error("--new-registry needs --registry, the one before the update")
    if options.inventory or any(is_fleet(side) for side in (options.old, options.new) if side):
        from setpoint.compiler.cli.diff_inventory import of_fleets  # only needed for fleets

        return of_fleets(options, today)
    if options.since:
        options.error("--since needs --inventory; `compile --since` sets back what a bundle wrote")
    old, new = _sides(options, _settings(options, today))
    comparison = differences(old, new)
    if not comparison.policies:
        comparison = comparison._replace(including=_including(new))
    sys.stdout.write(FORMATS[options.format](comparison, page_width()))
    if comparison.differences:
        return DIFFERENCE
    return IN_ERROR if comparison.unplanned else OK


class SideSettings(NamedTuple):
    """The day, the server (None for every one with its facts) and the library that a side is planned with."""

    today: str
    server: "Server | None"
    library: str


def _settings(options: Options, today: str) -> tuple[SideSettings, SideSettings]:
    """How both sides are planned."""
    libraries = library_named(options.old_library), library_named(options.new_library)
    old, new = (
        SideSettings(today, server, library)
        for server, library in zip(_servers(options), libraries, strict=True)
    )
    return old, new


def _servers(options: Options) -> tuple["Server | None", "Server | None"]:
    """The server before and after an update of its BIOS: the same one, unless a second registry is given."""
    old = server_named(options)
    if not options.new_registry:
        return old, old
    from setpoint.compiler.fitting.server import read_server  # only needed for a given server

    return old, read_server(options.new_registry, options.current)


def _sides(options: Options, settings: tuple[SideSettings, SideSettings]) -> tuple[Side, Side]:
    """The sides that the arguments name."""
    if placed := revisions_named(options.old, options.new):
        before, after = (_at(place, options.root, how) for place, how in zip(placed, settings, strict=True))
        if before is None and after is None:
            raise missing_on_both(*placed)
        return before or ABSENT, after or ABSENT
    if options.new is None and not (options.new_registry or options.old_library or options.new_library):
        options.error("name two sides, or two revisions as OLD..NEW")
    names = (options.old, options.new or options.old)
    old, new = (side_named(name, options.root, *how) for name, how in zip(names, settings, strict=True))
    for planned_side, named, library in zip(
        (old, new), names, (options.old_library, options.new_library), strict=True
    ):
        if library and planned_side.hosts is None:
            options.error(f"{named} is a bundle, which has its plans already: it needs no library")
    if old.unread and not old.entries and not (new.unread or {*old.failed} & new.files):
        raise together(old.unread)  # it was renamed, so the new side has no file of its name
    return of_the_bundle(old, new), of_the_bundle(new, old)


def _at(placed: PathAtCommit, root: str, how: SideSettings) -> Side | None:
    """The side of a path at a commit; None if it did not exist."""
    with opened(placed, root) as there:
        return there and as_called(side(there.path, there.root, *how), there.path, there.called)


def _including(knowledge: Side) -> tuple[str, ...]:
    """The files below the current folder that include those of a side, and that no other one includes."""
    meant = {os.path.realpath(os.path.join(knowledge.folder, file)) for file in knowledge.files}
    if not meant:
        return ()
    alone = gather(rooted_files(["."])).programs
    return tuple(
        os.path.normpath(path)
        for path, program in alone.items()
        if meant & {os.path.realpath(name) for name in program.sources if name != path}
    )
