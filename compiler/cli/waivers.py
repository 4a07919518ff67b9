"""`setpoint waivers`: the waivers of policies, with their reasons and expiry."""

import sys
from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from setpoint.compiler.cli import DIFFERENCE, OK
from setpoint.compiler.cli.arguments import Options, argument, forms
from setpoint.compiler.cli.common import (
    PATHS,
    ROOT,
    TODAY,
    WITH_REGISTRIES,
    page_width,
    show,
    status_of,
    today_of,
    verb,
)
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.language.syntax import Accept, Policy, Scope, Statement
from setpoint.compiler.pipeline import Selection
from setpoint.compiler.policies.check import Gathered, gather
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_object, json_text, visible, visible_lines
from setpoint.compiler.render.words import count

if TYPE_CHECKING:
    from setpoint.compiler.fleet.waivers import ExposedHosts, OpenHazard

SCHEMA = "setpoint.waivers/1"

SOON = 30
"""How many days ahead an expiry is announced, unless --within is given."""

STATES = ("expired", "soon", "good", "open")
"""The states of a waiver, most urgent first; `open` has no end."""


class ListedWaiver(NamedTuple):
    """An `accept`, its scope, and the number of days until it expires; None if it has no end.

    `hosts` are the hosts of an inventory on which the waiver has an effect; None without an inventory.
    """

    statement: Accept
    scope: str
    state: str
    days: int | None
    hosts: tuple[str, ...] | None = None

    @property
    def until(self) -> str:
        """The last day of its validity; "" if it has no end."""
        return self.statement.until.text if self.statement.until else ""


@verb(
    "waivers",
    "List every `accept` with its reason, what has expired and what soon will expire. With an inventory, the hosts on which each has "
    "an effect, and those with a hazard that is not waived: `setpoint waivers site.tune --inventory hosts.csv`.",
    "waivers policies",
    {
        **PATHS,
        **TODAY,
        "--within DAYS": argument(f"what counts as soon (default: {SOON})", type=int, default=SOON),
        **forms("text", "json"),
        **WITH_REGISTRIES,
        **ROOT,
    },
)
def run(options: Options) -> int:
    """List waivers; exit 3 if one has expired, 1 if a file is in error, 4 if it cannot be read."""
    if options.within < 0:
        options.error(f"--within {options.within}: not a number of days")
    today = today_of(options)
    gathered = gather(rooted_files(options.paths, options.root))
    by_span = {
        statement.span: _waiver(statement, scope, today, options.within)
        for program in gathered.programs.values()
        for statement, scope in _accepts(program.body, "")
    }
    waivers = sorted(
        by_span.values(), key=lambda w: (STATES.index(w.state), w.until, w.statement.span, w.statement.waiver)
    )
    failed = gathered.errors
    hazards: Mapping[OpenHazard, tuple[str, ...]] = {}
    if options.inventory:
        hosts, failed = _exposed(gathered, options, Selection(today=today))
        hazards = hosts.hazards
        waived = {(waiver.span, waiver.name): on for waiver, on in hosts.waived.items()}
        waivers = [
            waiver._replace(hosts=waived.get((waiver.statement.waiver_span, waiver.statement.waiver), ()))
            for waiver in waivers
        ]
    if options.format == "json":
        sys.stdout.write(_json(waivers, today, hazards))
    elif waivers or not gathered.failed:  # nothing is known about unreadable files
        sys.stdout.write(_text(waivers, options.within, hazards))
    show(failed, gathered.sources)
    return status_of(failed) or (DIFFERENCE if any(w.state == "expired" for w in waivers) else OK)


def _exposed(
    gathered: Gathered, options: Options, selection: Selection
) -> "tuple[ExposedHosts, list[Diagnostic]]":
    """The hosts of an inventory with waivers and hazards, and the errors of files."""
    from setpoint.compiler.cli.inventory import PlansOfHosts  # only needed for an inventory, as is the next
    from setpoint.compiler.fleet.reasons import for_each_block
    from setpoint.compiler.fleet.waivers import exposed

    plans = PlansOfHosts(options, selection)
    fleets, failed = gathered.each(lambda program: [*plans.divided(program)])
    every = (
        plan
        for fleet in fleets.values()
        for divided in fleet
        for host_class, hosts in divided.classes.members.items()
        if (judged := divided.planned(host_class, selection).judged) is not None
        for plan in for_each_block(divided.candidate, host_class.block, judged, hosts, divided.classes.blocks)
    )
    return exposed(every), failed


def _accepts(body: tuple[Statement, ...], scope: str) -> Iterator[tuple[Accept, str]]:
    """The `accept`s, each with its scope: `policy web`, `host c042`; "" for the whole file."""
    for statement in body:
        if isinstance(statement, Accept):
            yield statement, scope
        elif isinstance(statement, Policy):
            yield from _accepts(statement.body, f"policy {statement.name.text}")
        elif isinstance(statement, Scope):
            yield from _accepts(statement.body, f"{statement.kind.text} {statement.name.text}")


def _waiver(statement: Accept, scope: str, today: str, within: int) -> ListedWaiver:
    if statement.until is None:
        return ListedWaiver(statement, scope, "open", None)
    days = (date.fromisoformat(statement.until.text) - date.fromisoformat(today)).days
    state = "expired" if days < 0 else "soon" if days <= within else "good"
    return ListedWaiver(statement, scope, state, days)


def _text(waivers: list[ListedWaiver], within: int, hazards: "Mapping[OpenHazard, tuple[str, ...]]") -> str:
    from setpoint.compiler.fleet.waivers import hazards_text  # only needed here

    shown = f"\n{visible_lines(hazards_text(hazards, page_width()))}" if hazards else ""
    if not waivers:
        return f"No waivers.\n{shown}"
    rows = [
        (
            w.statement.waiver,
            w.state,
            w.until,
            *(() if w.hosts is None else (count(len(w.hosts), "host"),)),
            w.scope,
            visible(f"{w.statement.span.file}:{w.statement.span.line}"),
            w.statement.because.text,
        )
        for w in waivers
    ]
    expired, soon = (sum(1 for w in waivers if w.state == state) for state in ("expired", "soon"))
    return visible_lines(table(rows, page_width(), indent=0)) + (
        f"{len(waivers)} waiver{'s' * (len(waivers) != 1)}: {expired} expired, {soon} expiring within {within} days\n{shown}"
    )


def _json(waivers: list[ListedWaiver], today: str, hazards: "Mapping[OpenHazard, tuple[str, ...]]") -> str:
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "today": today,
        "waivers": [
            {
                "name": w.statement.waiver,
                "hazard": w.statement.waiver if w.statement.is_of_hazard else None,
                **json_object(w, "state until? days scope?"),
                "because": w.statement.because.text,
                **json_object(w.statement.span, "file line"),
                **({} if w.hosts is None else {"hosts": w.hosts}),
            }
            for w in waivers
        ],
    }
    if hazards or any(w.hosts is not None for w in waivers):
        from setpoint.compiler.fleet.waivers import hazards_json  # only needed for an inventory

        data["hazards"] = hazards_json(hazards)
    return json_text(data)
