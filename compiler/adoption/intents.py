"""Which intent gives most of the values that servers have.

Every value of the facts that a policy must state is planned, then, for the best of these, every value of the other
intents. What no statement tells apart is planned once. An intent that says more has to give more: each statement costs
as much as a `set` that it spares.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from setpoint.compiler.adoption.found import GoldenServer
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.across import context_of, values_across

INTENT = "intent"
"""The role of facts that say what a server is for."""

MOST_REFINED = 2
"""How many of the best intents are tried with further statements."""

Statements = tuple[tuple[str, str], ...]
"""Facts with their values, in the order in which a policy states them."""


class AlikeServers(NamedTuple):
    """Servers with the same values: one of them, and the names of all."""

    server: GoldenServer
    names: tuple[str, ...]


class RankedIntent(NamedTuple):
    """An intent, and how many of the values that were `read` on all servers its plans give."""

    intent: Statements
    given: int
    read: int

    @property
    def cost(self) -> tuple[int, int]:
        """The better one is less: what a policy has to say beside the values that it gives, then the intent itself."""
        return self.read - self.given + len(self.intent), len(self.intent)

    @property
    def text(self) -> str:
        """The intent in words."""
        return statements_text(self.intent)


def statements_text(statements: Statements) -> str:
    """Statements in words."""
    return ", ".join(f"{name} {value}" for name, value in statements)


def ranked_intents(
    knowledge: Knowledge, servers: Sequence[tuple[Statements, Sequence[AlikeServers]]]
) -> tuple[RankedIntent, ...]:
    """The intents for servers, which are grouped by their facts; the best first.

    Raises SetpointError if the facts of a server contradict each other.
    """
    required = sorted(knowledge.required)
    first = [
        tuple(zip(required, values, strict=True))
        for values in product(*(knowledge.variables[name].values for name in required))
    ]
    stated = {name for facts, _ in servers for name, _ in facts}
    ranked = sorted(_ranked(knowledge, servers, first), key=_by_cost)
    others = sorted(
        name
        for name, kind in knowledge.kinds.items()
        if kind.role == INTENT and name not in {*required, *stated}
    )
    refined = [
        (*intent.intent, (name, value))
        for intent in ranked[:MOST_REFINED]
        for name in others
        for value in knowledge.variables[name].values
    ]
    return tuple(sorted([*ranked, *_ranked(knowledge, servers, refined)], key=_by_cost))


def _by_cost(intent: RankedIntent) -> tuple[tuple[int, int], Statements]:
    return intent.cost, intent.intent


def _ranked(
    knowledge: Knowledge,
    servers: Sequence[tuple[Statements, Sequence[AlikeServers]]],
    intents: Sequence[Statements],
) -> Iterator[RankedIntent]:
    """The intents of which every server has a plan, each with what these give."""
    given = dict.fromkeys(intents, 0)
    for facts, classes in servers:
        contexts = {}
        for intent in tuple(given):
            try:
                contexts[intent] = context_of(knowledge, (*intent, *facts))
            except SetpointError:
                if len(intent) == len(knowledge.required):
                    raise
                del given[intent]
        for intent, values in zip(contexts, values_across(knowledge, list(contexts.values())), strict=True):
            if values is None:
                del given[intent]
            else:
                given[intent] += sum(len(class_.names) * _given(class_.server, values) for class_ in classes)
    read = sum(len(class_.names) * len(class_.server.values) for _, classes in servers for class_ in classes)
    yield from (RankedIntent(intent, number, read) for intent, number in given.items())


def _given(server: GoldenServer, values: dict[str, str]) -> int:
    return sum(setting in values and server.shows(setting, values[setting]) for setting in server.values)
