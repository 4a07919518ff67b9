"""The paths of a command line at a git revision, for commands that compare with it.

An inventory in the repository is part of what a revision says: hosts come and go by changes like any other. One that
lies elsewhere has no revisions, so it is the same at each.
"""

import os
from copy import copy

from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.comparison.revisions import FilesOfCommits, Repository
from setpoint.compiler.inventory.files import VARIABLES


def files_read(options: Options) -> FilesOfCommits:
    """The files of commits that the arguments need: policies, the inventory with its variables, the table of facts."""
    if not options.inventory:
        return FilesOfCommits()
    beside = os.path.dirname(options.inventory)
    variables = (os.path.join(beside, name) for name in VARIABLES)
    return FilesOfCommits((options.inventory, *variables, *filter(None, (options.facts,))))


def inventory_at(
    files: FilesOfCommits, repository: Repository, revision: str, options: Options
) -> Options | None:
    """The arguments with the inventory and the table of facts of a revision; None if it has no such inventory.

    A table that it did not have is that of today. Raises SetpointError (E0607).
    """
    if not repository.has(options.inventory):
        return options
    inventory = files.path(repository, revision, options.inventory)
    if inventory is None:
        return None
    facts = files.path(repository, revision, options.facts) if options.facts else None
    arguments = copy(options)
    arguments.inventory = inventory.path
    arguments.facts = facts.path if facts else options.facts
    return arguments
