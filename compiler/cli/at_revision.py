"""Paths of the command line at a git revision, for commands that compare with it.

An inventory in the repository is part of what a revision says: hosts come and go by changes like any other.
"""

import os
from contextlib import ExitStack
from copy import copy

from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.comparison.revisions import ReadablePath, at
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.inventory.files import VARIABLES


def path_at(places: ExitStack, revision: str, path: str, also: tuple[str, ...] = ()) -> ReadablePath | None:
    """A path at a revision, readable until `places` ends; None if it did not exist. `also` are files other than policies that are read."""
    here = os.path.relpath(path)
    try:
        return places.enter_context(
            at(f"{revision}:{here if here.startswith('..') else os.path.join('.', here)}", also=also)
        )
    except SetpointError:
        return None


def inventory_at(places: ExitStack, revision: str, options: Options) -> Options | None:
    """The arguments with the inventory of a revision, readable until `places` ends; None if the revision has none.

    The table of facts is that of the revision if it is in the repository.
    """
    beside = os.path.dirname(options.inventory)
    also = (options.inventory, *(os.path.join(beside, name) for name in VARIABLES))
    inventory = path_at(places, revision, options.inventory, also)
    if inventory is None:
        return None
    facts = path_at(places, revision, options.facts, (options.facts,)) if options.facts else None
    found = copy(options)
    found.inventory = inventory.path
    found.facts = facts.path if facts else options.facts
    return found
