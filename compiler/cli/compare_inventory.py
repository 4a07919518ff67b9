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
    """Compare two intents on hosts; exit 3 if a host gets other settings. `words` tells texts from files."""
    intents = [
        _intent(options, today, word, only, words[word])
        for word, only in ((options.a, options.policy), (options.b, options.other))
    ]
    planner = FleetPlanner(options, Selection(today=today))
    side, other = (planner.plan(intent, set()) for intent in intents)
    show(without_registry({**side.unfitted, **other.unfitted}), {})
    errors = [*_errors(options.a, side), *_errors(options.b, other)]
    if errors:
        sys.stderr.writelines(errors)
        return IN_ERROR
    comparison = difference(side.fleets, other.fleets, False, (side.hosts, other.hosts))
    comparison = with_unplanned(comparison, (side.left_out, other.left_out), other.fleets, other.rows)
    sys.stdout.write(FORMATS[options.format](comparison, page_width()))
    return DIFFERENCE if comparison.differences else OK


def _errors(word: str, side: FleetsOfSide) -> Iterator[str]:
    """Why no host gets a plan from an intent, a line for each error; nothing if one does."""
    for fleet in side.fleets.values():
        if not fleet.hosts:
            for finding in left_out_findings(fleet.excluded, ()):
                yield visible(f"setpoint: {word}: {finding.code}: {finding.message}") + "\n"


def _intent(options: Options, today: str, word: str, only: str, is_text: bool) -> Policies:
    """The one policy that a word names, or is; or the fleet of a folder."""
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "policy.tune") if is_text else word
        if is_text:
            write_text(path, word)
        policies = policies_at(at(path, options.root), options, today)
    assert policies is not None  # a path that does not exist is an error
    if policies.failed:
        raise together(policies.failed)
    chosen = {key: policy for key, policy in policies.candidates.items() if only in ("", key[1])}
    if len(chosen) != 1 and not policies.folder:
        known = ", ".join(sorted(name for _, name in policies.candidates)) or "no policy"
        options.error(f"{word}: choose one policy with --policy or --with; it has: {known}")
    return policies._replace(candidates=chosen)
