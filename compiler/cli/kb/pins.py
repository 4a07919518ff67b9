"""`setpoint kb pins`: what became of the files in which sources were read."""

import sys
from collections.abc import Iterable

from setpoint.compiler.cli import DIFFERENCE, OK
from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.common import ROOT, no_such, page_width, show, status_of, verb
from setpoint.compiler.comparison.pins import followed
from setpoint.compiler.knowledge.load import knowledge_of
from setpoint.compiler.knowledge.results import PinnedRepository
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.render.pins import pins_json, repository_text, tally_text


@verb(
    "kb pins",
    "List the pins of sources whose file has changed since, or whose commit is not on the branch that its repository "
    "publishes. It clones the history of each repository, with git and over https, into a temporary folder. With PATHs, "
    "those of the standard library and of the knowledge in them together, as for `kb check`.",
    "kb pins",
    {
        "paths PATH*": "files, or folders of .tune files",
        "--source NAME…": "only the pins of this source; can be repeated",
        **forms("text", "json"),
        **ROOT,
    },
)
def run_pins(options: Options) -> int:
    """List the stale pins; exit 0 if there are none, 3 if there are, and 4 if a repository could not be read.

    Text is printed as soon as a repository has been read, since all of them take long.
    """
    knowledge = knowledge_of(rooted_files(options.paths, options.root)).knowledge
    for name in options.source:
        if name not in knowledge.sources:
            return no_such("unknown source", name, knowledge.sources)
    repositories = followed(knowledge, frozenset(options.source))
    if options.format == "json":
        every = list(repositories)
        sys.stdout.write(pins_json(every))
    else:
        every = list(_printed(repositories))
        sys.stdout.write(tally_text(every))
    failures = [repository.failure for repository in every if repository.failure]
    show(failures, {})
    stale = any(pin.is_stale for repository in every for pin in repository.pins)
    return status_of(failures) or (DIFFERENCE if stale else OK)


def _printed(repositories: Iterable[PinnedRepository]) -> Iterable[PinnedRepository]:
    """Print the stale pins of each repository, and hand it on."""
    for repository in repositories:
        sys.stdout.write(repository_text(repository, page_width()))
        sys.stdout.flush()
        yield repository
