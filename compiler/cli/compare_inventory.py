"""`setpoint compare --inventory`: what two intents give the hosts of an inventory, whatever the names of their
policies.

It is the comparison of `diff --inventory`, but nothing has been rolled out: so nothing is listed as not undone.
"""

import os
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from setpoint.compiler.cli import DIFFERENCE, IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.common import page_width, show, together
from setpoint.compiler.cli.fleet_sides import FleetPlanner, FleetsOfSide, Policies, policies_at
from setpoint.compiler.comparison.revisions import at
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.fleet.difference import difference, with_unplanned
from setpoint.compiler.fleet.registries import without_registry
from setpoint.compiler.fleet.summary import left_out_findings
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.render.difference import FORMATS
from setpoint.compiler.render.visible import visible


def on_hosts(options: Options, today: str, words: dict[str, bool]) -> int:
    """Compare two intents on hosts; exit 3 if a host gets other settings. `words` says of both intents whether they are
    texts of policies."""
    intents = [
        _intent(options, today, word, only, words[word])
        for word, only in ((options.a, options.policy), (options.b, options.other))
    ]
    planner = FleetPlanner(options, Selection(today=today))
    one, other = (planner.plan(each, set()) for each in intents)
    show(without_registry({**one.unfitted, **other.unfitted}), {})
    errors = [*_errors(options.a, one), *_errors(options.b, other)]
    if errors:
        sys.stderr.writelines(errors)
        return IN_ERROR
    found = difference(one.fleets, other.fleets, False, (one.hosts, other.hosts))
    found = with_unplanned(found, (one.left_out, other.left_out), other.fleets, other.rows)
    sys.stdout.write(FORMATS[options.format](found, page_width()))
    return DIFFERENCE if found.differences else OK


def _errors(word: str, found: FleetsOfSide) -> Iterator[str]:
    """Why no host gets a plan from an intent, a line for each error; nothing if one does."""
    for fleet in found.fleets.values():
        if not fleet.hosts:
            for each in left_out_findings(fleet.excluded, ()):
                yield visible(f"setpoint: {word}: {each.code}: {each.message}") + "\n"


def _intent(options: Options, today: str, word: str, only: str, is_text: bool) -> Policies:
    """The one policy that a word names, or is; or the fleet of a folder."""
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "policy.tune") if is_text else word
        if is_text:
            write_text(path, word)
        found = policies_at(at(path, options.root), options, today)
    assert found is not None  # a path that does not exist is an error
    if found.failed:
        raise together(found.failed)
    chosen = {key: each for key, each in found.found.items() if only in ("", key[1])}
    if len(chosen) != 1 and not found.folder:
        known = ", ".join(sorted(name for _, name in found.found)) or "no policy"
        options.error(f"{word}: choose one policy with --policy or --with; it has: {known}")
    return found._replace(found=chosen)
