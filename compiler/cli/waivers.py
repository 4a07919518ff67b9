"""`setpoint waivers`: the waivers of policies, with their reasons and expiry."""

import sys
from collections.abc import Iterator
from datetime import date

from setpoint.compiler.cli import DIFFERENCE, OK
from setpoint.compiler.cli.arguments import Parser
from setpoint.compiler.cli.common import add_root, add_today, page_width, parser, show, status_of, today_of
from setpoint.compiler.language.syntax import Accept, Policy, Scope, Statement
from setpoint.compiler.policies.check import gather
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_text, visible, visible_lines

SCHEMA = "setpoint.waivers/1"

SOON = 30
"""How many days ahead an expiry is announced, unless --within is given."""

STATES = ("expired", "soon", "good", "open")
"""The states of a waiver, most urgent first; `open` has no end."""


@distinct
class ListedWaiver(NamedTuple):
    """An `accept`, its scope, and the number of days until it expires (None: it has no end)."""

    statement: Accept
    scope: str
    state: str
    days: int | None

    @property
    def until(self) -> str:
        """The last day of its validity; "" if it has no end."""
        return self.statement.until.text if self.statement.until else ""


def waivers_parser() -> Parser:
    """The parser of the arguments of `setpoint waivers`."""
    made = parser(
        "waivers", "List every `accept` with its reason, what has expired and what soon will expire."
    )
    made.add_argument("paths", nargs="+", metavar="PATH", help="files, or folders of .tune files")
    add_today(made)
    made.add_argument(
        "--within", type=int, default=SOON, metavar="DAYS", help=f"what counts as soon (default: {SOON})"
    )
    made.add_argument("--format", choices=("text", "json"), default="text")
    add_root(made)
    return made


def run(arguments: list[str]) -> int:
    """List the waivers of files and folders; exit 3 if one has expired, 1 if a file is in error, 4 if it cannot be read."""
    options_parser = waivers_parser()
    options = options_parser.parse_args(arguments)
    if options.within < 0:
        options_parser.error(f"--within {options.within}: not a number of days")
    today = today_of(options, options_parser)
    gathered = gather(rooted_files(options.paths, options.root))
    found = {
        statement.span: _waiver(statement, scope, today, options.within)
        for program in gathered.programs.values()
        for statement, scope in _accepts(program.body, "")
    }
    waivers = sorted(
        found.values(), key=lambda w: (STATES.index(w.state), w.until, w.statement.span, w.statement.waiver)
    )
    if options.format == "json":
        sys.stdout.write(_json(waivers, today))
    elif waivers or not gathered.failed:  # nothing is known about unreadable files
        sys.stdout.write(_text(waivers, options.within))
    failed = [d for error in gathered.failed.values() for d in error.diagnostics]
    show(failed, gathered.sources)
    return status_of(failed) or (DIFFERENCE if any(w.state == "expired" for w in waivers) else OK)


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


def _text(waivers: list[ListedWaiver], within: int) -> str:
    if not waivers:
        return "No waivers.\n"
    rows = [
        (
            w.statement.waiver,
            w.state,
            w.until,
            w.scope,
            visible(f"{w.statement.span.file}:{w.statement.span.line}"),
            w.statement.because.text,
        )
        for w in waivers
    ]
    expired, soon = (sum(1 for w in waivers if w.state == state) for state in ("expired", "soon"))
    return visible_lines(table(rows, page_width(), indent=0)) + (
        f"{len(waivers)} waiver{'s' * (len(waivers) != 1)}: {expired} expired, {soon} expiring within {within} days\n"
    )


def _json(waivers: list[ListedWaiver], today: str) -> str:
    data = {
        "schema": SCHEMA,
        "today": today,
        "waivers": [
            {
                "name": w.statement.waiver,
                "hazard": w.statement.waiver if w.statement.is_of_hazard else None,
                "state": w.state,
                "until": w.until or None,
                "days": w.days,
                "scope": w.scope or None,
                "because": w.statement.because.text,
                "file": w.statement.span.file,
                "line": w.statement.span.line,
            }
            for w in waivers
        ],
    }
    return json_text(data)
