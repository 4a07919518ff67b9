"""`setpoint fleet`: the plans of all hosts of an inventory, and one role or module for all of them."""

import gc
import sys
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic

from setpoint.compiler.cli import IN_ERROR, OK, PARTLY
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.chosen import file_names, program_of
from setpoint.compiler.cli.common import HOSTS, INVENTORY, TODAY, show, today_of, verb
from setpoint.compiler.cli.inventory import hosts_read, one_policy
from setpoint.compiler.diagnostics import Diagnostics, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.fleet.classes import unused_blocks
from setpoint.compiler.fleet.folder import plan_files
from setpoint.compiler.fleet.outcomes import HostsByPlan, PlannedFleet, plan_fleet
from setpoint.compiler.fleet.registries import without_registry
from setpoint.compiler.fleet.since import WroteToHosts
from setpoint.compiler.fleet.summary import NAME, ByHand, counts, left_out_findings, summary
from setpoint.compiler.fleet.tables import tables
from setpoint.compiler.fleet.write import write_fleet
from setpoint.compiler.inventory.names import LeftOut
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.program import Program
from setpoint.compiler.language.syntax import Name
from setpoint.compiler.lowering.bundle import once
from setpoint.compiler.lowering.target import (
    Artifact,
    Fleet,
    FleetTarget,
    Listing,
    Variant,
    coverage_of,
    identifier,
    targets,
)
from setpoint.compiler.pipeline import Selection, knowledge_for, reading
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.difference_words import listed
from setpoint.compiler.render.excerpt import tally
from setpoint.compiler.render.visible import visible

GARBAGE = 2_000
"""After how many new objects reference cycles are looked for. Other commands, whose runs are short, wait longer."""

MOST_FIELDS = 12
"""How many columns or fields without a fact are named."""

PATIENCE = 2
"""After how many seconds a run shows its progress on a terminal."""


@verb(
    "fleet",
    "Plan all hosts of an inventory, and write one role or module for all of them.",
    "fleet site.tune --inventory hosts.csv -o fleet",
    {
        "policy POLICY?": "a policy file, or - for standard input",
        "-e TEXT": argument("the policy itself, in place of a file", dest="text", default=None),
        **INVENTORY,
        "--inventory INVENTORY": argument(HOSTS, required=True),
        "--registry FILE…": "a BIOS attribute registry of some of the hosts, or a folder of registries: each host gets that of its model and "
        "BIOS version, and only what it contains is offered; MODEL=FILE says which model it is of; may be repeated",
        "-o DIR": argument("the folder to write", dest="folder", required=True),
        "--target NAME…": "only this target; may be repeated",
        "--since EARLIER": "a folder that an earlier run has written; or the policy of then, or REV:PATH of it, which is planned for the same "
        "hosts: what it wrote to a host and this one leaves at its default is set back",
        "--policy NAME": argument("this policy of the file", dest="only"),
        "--root DIR": "the folder that includes must stay inside",
        **TODAY,
    },
)
def run(options: Options) -> int:
    """Plan the hosts of an inventory. What can be planned is written; the rest is reported."""
    if not options.folder:
        options.error("argument -o: the folder has no name")
    gc.set_threshold(GARBAGE)
    selection = Selection(today=today_of(options))
    program = program_of(options)
    with reading(program):
        return _run(options, program, selection)


def _run(options: Options, program: Program, selection: Selection) -> int:
    chosen = _targets(tuple(options.target))
    knowledge = knowledge_for(program)
    candidate = one_policy(program, options)
    hosts = hosts_read(options, knowledge, options.registry)
    classes, census, rows = hosts.classes(candidate), hosts.census, hosts.census.left_out
    wrote = _wrote_earlier(options, candidate.name, selection.today)
    with Progress("planned {} of {} classes") as progress:
        fleet = plan_fleet(
            program, knowledge, candidate, classes, selection, progress.show, hosts.registries, wrote
        )
    if fleet.made_with:
        fleet = fleet._replace(made_with=fleet.made_with._replace(facts=census.table))
    left_out = left_out_findings(fleet.excluded, rows)
    notices = (*without_registry(classes.unfitted), *unused_blocks(classes.unused))
    show((*left_out, *notices), dict(program.sources))
    if fleet.warnings:
        sys.stderr.write(f"{tally(Diagnostics.of(fleet.warnings))}; {NAME} has them\n")
    if census.ignored:
        sys.stderr.write(f"{visible('without a fact: ' + listed(census.ignored, MOST_FIELDS))}\n")
    if unused := census.unused:
        sys.stderr.write(
            f"{visible('not used, since another fact hides it: ' + listed(unused, MOST_FIELDS))}\n"
        )
    if not fleet.hosts:
        return IN_ERROR
    files = _files(fleet, rows, census.form, chosen, file_names(program, options))
    written = write_fleet(options.folder, fleet.policy, files, fleet.made_with)
    for text in counts(fleet, rows):
        sys.stdout.write(f"{visible(f'{fleet.policy}: {text}')}\n")
    sys.stdout.write(
        f"{visible(f'{fleet.policy}: {written.files:,} files in {options.folder}, {written.changed:,} of them new or changed')}\n"
    )
    return PARTLY if left_out else OK


def _wrote_earlier(options: Options, policy: str, today: str) -> WroteToHosts:
    """What the side that `--since` names wrote to hosts."""
    if not options.since:
        return {}
    from setpoint.compiler.cli.fleet_sides import earlier  # only needed to compare, as all that it loads

    return earlier(options, (policy,), today).get(policy, {})


def _targets(names: tuple[str, ...]) -> dict[str, FleetTarget]:
    """The targets of these names that serve many servers; all for none. Raises SetpointError (E0504)."""
    known = {name: target for name, target in targets().items() if isinstance(target, FleetTarget)}
    for name in names:
        if name not in known:
            wrong = unknown("target", Name(name, span=NOWHERE), known, "E0504")
            raise SetpointError(wrong._replace(message=f"no target `{name}` serves a fleet"))
    return {name: target for name, target in known.items() if name in names or not names}


def _files(
    fleet: PlannedFleet,
    rows: tuple[LeftOut, ...],
    form: str,
    chosen: dict[str, FleetTarget],
    names: Mapping[str, str],
) -> Iterator[Artifact | Listing]:
    """All files of a fleet, made one after the other to save memory.

    The lists of hosts come first: their writers need much memory, which is free again when artifacts are made.
    """
    variants = tuple(Variant(outcome.plan, identifier(outcome.name)) for outcome in fleet.outcomes)
    whole = Fleet(fleet.policy, variants, is_listed=True)
    by_hand: ByHand = {outcome.name: _left_by_all(chosen, outcome.plan) for outcome in fleet.outcomes}
    for name, target in chosen.items():
        if any(
            (covered := coverage_of(name, outcome.plan)) and covered.has_files for outcome in fleet.outcomes
        ):
            yield from target.list_hosts(whole, HostsByPlan(fleet))
    yield from tables(fleet, rows)
    yield from plan_files(fleet, names)
    yield Artifact(NAME, summary(fleet, rows, by_hand, form))
    yield from once(artifact for target in chosen.values() for artifact in target.emit_fleet(whole))


def _left_by_all(names: Iterable[str], plan: Plan) -> tuple[Decision, ...]:
    """What a plan applies and none of these targets does."""
    covered = [coverage.expressed for name in names if (coverage := coverage_of(name, plan))]
    return tuple(
        decision for decision in plan.applied if not any(decision.setting in settings for settings in covered)
    )


class Progress:
    """A line on the terminal that shows how far a long run has come, and disappears at its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._last = monotonic()
        self._is_shown = False

    def __enter__(self) -> "Progress":
        return self

    def show(self, done: int, of: int) -> None:
        """Show the state, a few times a second."""
        now = monotonic()
        if now - self._start < PATIENCE or now - self._last < 0.2 or not sys.stderr.isatty():
            return
        self._last, self._is_shown = now, True
        sys.stderr.write(f"\r{self._text.format(f'{done:,}', f'{of:,}')}\x1b[K")
        sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
