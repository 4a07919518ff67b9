"""`setpoint diff`: the effect of a change to policies, or to the knowledge that they include, and its causes."""

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from setpoint.compiler.cli import DIFFERENCE, IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, Parser
from setpoint.compiler.cli.common import (
    add_inventory,
    add_root,
    add_server,
    add_today,
    page_width,
    parser,
    server_named,
    show,
    today_of,
    together,
)
from setpoint.compiler.cli.sides import as_called, side_named
from setpoint.compiler.comparison.differences import differences
from setpoint.compiler.comparison.revisions import Repository, at, missing_path
from setpoint.compiler.comparison.sides import Side, of_the_bundle, side
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.policies.check import gather
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.render.difference import FORMATS

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

ABSENT = Side({}, {}, {})
"""The side of a path that does not exist yet, or no longer."""


def diff_parser() -> Parser:
    """The parser of the arguments of `setpoint diff`."""
    made = parser(
        "diff",
        "Show what a change changes. OLD and NEW are files, folders, bundles, git revisions, or REV:PATH as "
        "git writes it; or give two revisions as REV..REV, and what to compare there (REV.. compares with the "
        "files as they lie in the folder, REV...REV from where the two parted).",
    )
    made.add_argument("old", metavar="OLD | REV..REV", help="a side, or two git revisions")
    made.add_argument("new", nargs="?", metavar="NEW | PATH", help="the other side, or what to compare there")
    made.add_argument("--format", choices=sorted(FORMATS), default="text")
    add_server(made, of_hosts=True)
    add_inventory(made)
    made.add_argument(
        "--new-registry",
        default="",
        metavar="FILE",
        help="the registry of the same server after an update of its BIOS, for the new side; with it, one path is enough",
    )
    add_root(made)
    add_today(made)
    return made


def run(arguments: list[str]) -> int:
    """Compare two sides; exit 0 if every policy has the same plan, 3 if not, 1 or 4 if there is no plan to compare."""
    options_parser = diff_parser()
    options = options_parser.parse_args(arguments)
    today = today_of(options, options_parser)
    if options.new_registry and not options.registry:
        options_parser.error("--new-registry needs --registry, the one before the update")
    if options.inventory:
        return _on_inventory(options, options_parser, today)
    old, new = _sides(options, options_parser, today, _servers(options))
    comparison = differences(old, new)
    if not comparison.policies:
        comparison = comparison._replace(including=_including(new))
    sys.stdout.write(FORMATS[options.format](comparison, page_width()))
    if comparison.differences:
        return DIFFERENCE
    return IN_ERROR if comparison.unplanned else OK


def _on_inventory(options: Options, options_parser: Parser, today: str) -> int:
    """Compare what two versions of a policy do to the hosts of an inventory."""
    from setpoint.compiler.cli.inventory import fleet_difference  # only needed for an inventory
    from setpoint.compiler.fleet.difference import difference_json, difference_text
    from setpoint.compiler.fleet.registries import without_registry

    if options.format not in ("text", "json"):
        options_parser.error("--inventory: as text or JSON")
    if options.current or options.new_registry:
        options_parser.error(
            "--inventory: not together with --current or --new-registry, which are about one server"
        )
    with ExitStack() as stack:
        old, new = (stack.enter_context(at(each, options.root)) for each in _words(options, options_parser))
        found = fleet_difference(old, new, options, options_parser, today)
    show(without_registry(found.unfitted), {})
    difference, left_out = found.difference, found.left_out
    text = difference_json(difference, left_out) if options.format == "json" else ""
    sys.stdout.write(text or difference_text(difference, left_out, page_width()))
    return OK if difference.is_empty else DIFFERENCE


def _words(options: Options, options_parser: Parser) -> tuple[str, str]:
    """Both sides as paths, or paths at a revision: of `A..B PATH`, or of `OLD NEW`."""
    if options.new is None:
        options_parser.error("--inventory: name the policy as well: `REV..REV POLICY`, or two policies")
    if ".." not in options.old.partition(":")[0] or os.path.lexists(options.old):
        return options.old, options.new
    first, dots, second = (
        options.old.partition("...") if "..." in options.old else options.old.partition("..")
    )
    repository = Repository(options.new)
    old, new = repository.commit(first), repository.commit(second) if second else ""
    if dots == "...":
        old = repository.merge_base(old, new or repository.commit("HEAD"))
    here = os.path.relpath(options.new)
    path = here if here.startswith("..") else os.path.join(".", here)
    return f"{old}:{path}", f"{new}:{path}" if new else options.new


Servers = tuple["Server | None", "Server | None"]
"""The server that each side is planned for, None for every one with its facts."""


def _servers(options: Options) -> Servers:
    """The server before and after an update of its BIOS: the same one, unless a second registry is given."""
    old = server_named(options)
    if not options.new_registry:
        return old, old
    from setpoint.compiler.fitting.server import read_server  # only needed for a given server

    return old, read_server(options.new_registry, options.current)


def _sides(options: Options, options_parser: Parser, today: str, servers: Servers) -> tuple[Side, Side]:
    """The sides that the arguments name. A word that exists as a file is that file."""
    if ".." in options.old.partition(":")[0] and not os.path.lexists(options.old):
        return _revisions(options.old, options.new or ".", options.root, today, servers)
    if _is_revision(options.old):
        if options.new is None or os.path.lexists(options.new):
            return _revisions(f"{options.old}..", options.new or ".", options.root, today, servers)
        if _is_revision(options.new):
            return _revisions(f"{options.old}..{options.new}", ".", options.root, today, servers)
    if options.new is None and not options.new_registry:
        options_parser.error("name two sides, or two revisions as OLD..NEW")
    names = (options.old, options.new or options.old)
    old, new = (
        side_named(name, options.root, today, each) for name, each in zip(names, servers, strict=True)
    )
    if old.unread and not old.entries and not (new.unread or {*old.failed} & new.files):
        raise together(old.unread)  # it was renamed, so the new side has no file of its name
    return of_the_bundle(old, new), of_the_bundle(new, old)


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


def _is_revision(word: str) -> bool:
    """Whether a word is not a file here, and names a commit."""
    if os.path.lexists(word) or ":" in word:
        return False
    try:
        Repository(".").commit(word)
    except SetpointError:
        return False
    return True


def _revisions(words: str, path: str, root: str, today: str, servers: Servers) -> tuple[Side, Side]:
    """Both sides of `A..B`; nothing after the dots means the files in the folder."""
    first, dots, second = words.partition("...") if "..." in words else words.partition("..")
    repository = Repository(path)
    old = repository.commit(first)
    new = repository.commit(second) if second else ""
    if dots == "...":
        old = repository.merge_base(old, new or repository.commit("HEAD"))
    before = _at(repository, (old, new), root, today, path, servers[0])
    if new:
        after = _at(repository, (new, new), root, today, path, servers[1])
    else:
        after = side(path, root, today, servers[1]) if os.path.lexists(path) else None
    if before is None and after is None:
        raise missing_path(
            path, f"at `{first or 'HEAD'}` nor {f'at `{second}`' if second else 'in the folder'}"
        )
    return before or ABSENT, after or ABSENT


def _at(
    repository: Repository,
    commits: tuple[str, str],
    root: str,
    today: str,
    called: str,
    server: "Server | None",
) -> Side | None:
    """The side of the path at the first commit, under the name `called`; None if it did not exist.

    The path is that at the second, later commit.
    """
    commit, later = commits
    path = repository.path if commit == later else repository.former_path(commit, later)
    with repository.files_at(commit) as folder:
        place = os.path.normpath(os.path.join(folder, path))
        inside = os.path.normpath(os.path.join(folder, Repository(root).path)) if root else ""
        return (
            as_called(side(place, inside, today, server), place, called) if os.path.lexists(place) else None
        )
