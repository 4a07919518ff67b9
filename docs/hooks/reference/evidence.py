"""What the firmware values of plans rest on, by kind of server and by use.

A reader sees for which servers a plan is more than the advice of other servers. Which servers and uses are compared is
knowledge (`evidence.toml` in the standard library); the counts are those of their plans, over all values of the facts
that every policy states.
"""

import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.library import stdlib_folder
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.words import EVIDENCE, basis
from setpoint.compiler.resolution.across import context_of, near, once_each
from setpoint.compiler.resolution.decided import solve
from setpoint.compiler.resolution.decisions import explain_decisions
from setpoint.docs.hooks.reference.pieces import code, grid, opening, plain

FILE = "evidence.toml"
"""The file of the standard library that says what is compared."""

SERVERS, WORK = "servers", "work"
"""Its sections."""

LAYER = "firmware"

HEADS = ("values", *EVIDENCE)
"""The heads of a table, after that of its rows."""

INTRODUCTION = """
What the plans of a server rest on, for twenty common uses of it: how many firmware values they write, and the share of these by what
decides them. Advice *out of scope* was written for other hardware or another use; plans warn of it
([W0301](../diagnostics/W0301.md)), and `require strength` withholds it.

Each row is about the plans for all goals, if a policy states the goal, the server and the use and nothing else. A value that
several of these plans write counts in each. A vendor's default counts as *vendor default* unless advice in scope asks for it ([decision
0037](../decisions/0037-defaults-that-are-written.md)). What a profile brings counts as the advice on the profile; a profile that follows
from its members is *implied by a profile*.
"""


class FactColumn(NamedTuple):
    """A fact, and those of its values that are compared."""

    fact: str
    values: tuple[str, ...]


class Compared(NamedTuple):
    """What the page compares."""

    servers: FactColumn
    work: FactColumn


Counts = Mapping[str, Mapping[str, Counter[str]]]
"""How many values rest on what, by server and use."""


def compared() -> Compared:
    """What the standard library says to compare."""
    with open(os.path.join(stdlib_folder(), FILE), "rb") as file:
        read = tomllib.load(file)
    return Compared(
        *(FactColumn(read[part]["fact"], tuple(read[part]["values"])) for part in (SERVERS, WORK))
    )


def decided_across(
    knowledge: Knowledge, layer: str, server: FactColumn, others: tuple[FactColumn, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[Decision, ...]]]:
    """The decisions on a layer for each value of the server's fact with each combination of values of the others.

    Each is that of the plan with the same facts, as long as no statement ties the layer to another. Raises
    SetpointError (E02xx, E03xx) if there is no plan for one of them.
    """
    facts = [column.fact for column in (server, *others)]
    for value in server.values:
        contexts = {
            values: context_of(knowledge, zip(facts, values, strict=True))
            for values in product((value,), *(column.values for column in others))
        }
        yield from zip(contexts, _decided(knowledge, layer, list(contexts.values())), strict=True)


def _decided(knowledge: Knowledge, layer: str, contexts: Sequence[Context]) -> Iterator[tuple[Decision, ...]]:
    here = near(knowledge, contexts)
    here = here._replace(
        offers={name: offers for name, offers in here.offers.items() if here.settings[name].layer == layer}
    )
    return once_each(here, contexts, lambda context: explain_decisions(here, context, solve(here, context)))


def evidence_counts(knowledge: Knowledge, asked: Compared) -> Counts:
    """The number of written firmware values by what they rest on, for each server and use."""
    goals = tuple(FactColumn(name, knowledge.variables[name].values) for name in sorted(knowledge.required))
    counts: dict[str, dict[str, Counter[str]]] = {}
    for (server, use, *_), decisions in decided_across(knowledge, LAYER, asked.servers, (asked.work, *goals)):
        counter = counts.setdefault(server, {}).setdefault(use, Counter())
        counter.update(basis(decision) for decision in decisions if decision.written)
    return counts


def evidence_page(knowledge: Knowledge, asked: Compared) -> str:
    """The page: the shares of each server over all uses, then by use."""
    counts = evidence_counts(knowledge, asked)
    values = knowledge.values[asked.servers.fact]
    rows = (
        (f"[{plain(values[server].title)}](#{server})", *_shares(sum(by_use.values(), Counter())))
        for server, by_use in counts.items()
    )
    parts = [
        opening("Evidence by platform and workload", INTRODUCTION),
        grid((asked.servers.fact, *HEADS), rows),
    ]
    for server, by_use in counts.items():
        uses = ((code(use), *_shares(counter)) for use, counter in by_use.items())
        title = plain(values[server].title)
        parts.append(f"## {server}\n\n{title}.\n\n" + grid((asked.work.fact, *HEADS), uses))
    return "\n".join(parts)


def _shares(counter: Counter[str]) -> Iterator[str]:
    """The number of values, and the share of each kind of evidence; "" for none."""
    total = counter.total()
    yield str(total)
    for kind in EVIDENCE:
        yield _percent(counter[kind], total) if counter[kind] else ""


def _percent(part: int, total: int) -> str:
    return f"{100 * part / total:.0f} %" if 200 * part >= total else "< 1 %"
