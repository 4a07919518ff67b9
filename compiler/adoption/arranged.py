"""The policy for captured servers: one intent if it suits all, a block for each group, and a block for each server that
differs from its group.

Servers with the same facts make a group, and servers with the same values are planned once. The block of a group has
the values of the class from which all others differ least. Where all servers have the same facts there are no groups,
and the statements are those of the file.
"""

from collections.abc import Iterable, Mapping, Sequence

from setpoint.compiler.adoption.found import GoldenServer, SettingsOfServer
from setpoint.compiler.adoption.intents import (
    AlikeServers,
    RankedIntent,
    Statements,
    ranked_intents,
)
from setpoint.compiler.adoption.rest import Rest, rest_of
from setpoint.compiler.binding.names import why_no_host
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.inventory.captures import host_data
from setpoint.compiler.inventory.hosts import FactsOfHosts
from setpoint.compiler.inventory.table import table
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.tables import reserved_words
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.across import context_of
from setpoint.compiler.resolution.ground import offers_here
from setpoint.compiler.resolution.resolve import resolve
from setpoint.compiler.verification.identity import contradictions, reports

NOTHING_ADOPTED = "E0621"
"""The code of a server that no policy can be made for."""

MOST_BASES = 20
"""How many of the largest classes are compared to find the one from which the others differ least."""


class AdoptedHosts(NamedTuple):
    """Hosts with a block of their own, and what it has beside that of their group."""

    names: tuple[str, ...]
    server: GoldenServer
    rest: Rest


class AdoptedGroup(NamedTuple):
    """Servers with the same facts, their intent, and the values beside it.

    `name` is that of their block, "" for the file's own statements. `rest` has the values of `server`. `hosts` differ
    from it, and `members` are named because their facts fit other groups as well.
    """

    name: str
    facts: Statements
    intent: RankedIntent
    server: GoldenServer
    rest: Rest
    number: int
    hosts: tuple[AdoptedHosts, ...] = ()
    members: tuple[str, ...] = ()


class Adopted(NamedTuple):
    """The policy for captured servers; `intents` are all that were tried for all of them, the best first."""

    groups: tuple[AdoptedGroup, ...]
    intents: tuple[RankedIntent, ...]
    left_out: tuple[Diagnostic, ...]


class _ServersOfFacts(NamedTuple):
    """Servers with the same facts, those with the same values together, and a capture of each of these."""

    facts: Statements
    classes: tuple[AlikeServers, ...]
    captures: tuple[Capture, ...]


class Adoption:
    """Takes one captured server after the other."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._recognized = FactsOfHosts(table(knowledge), knowledge)
        self._settings: dict[Statements, SettingsOfServer | SetpointError] = {}
        self._classes: dict[
            tuple[Statements, tuple[tuple[str, str], ...]], tuple[GoldenServer, Capture, list[str]]
        ] = {}
        self._left_out: list[Diagnostic] = []

    def add(self, capture: Capture) -> None:
        """Add a server."""
        facts = tuple(sorted(self._recognized.of(host_data(capture)).facts.items()))
        if not facts:
            help_ = ("capture what says which server it is: `setpoint capture` does",)
            self._leave_out(capture.name, "nothing of it is recognized", (), help_)
            return
        if facts not in self._settings:
            self._settings[facts] = self._settings_of(facts)
        settings = self._settings[facts]
        if isinstance(settings, SetpointError):
            why = tuple(finding.message for finding in settings.diagnostics)
            help_ = ("what it shows of itself is none of the servers that the library knows",)
            self._leave_out(capture.name, "no policy is possible with its facts", why, help_)
            return
        server = GoldenServer(settings, capture)
        if not server.values:
            help_ = ("capture it as root, and its controller as well",)
            self._leave_out(capture.name, "it shows no setting", (), help_)
            return
        self._classes.setdefault((facts, server.key), (server, capture, []))[2].append(capture.name)

    def _settings_of(self, facts: Statements) -> SettingsOfServer | SetpointError:
        first = tuple(
            (name, self._knowledge.variables[name].values[0]) for name in sorted(self._knowledge.required)
        )
        try:
            context = context_of(self._knowledge, (*first, *facts))
            plan = resolve(self._knowledge, context)
        except SetpointError as error:
            return error
        return SettingsOfServer(
            self._knowledge, plan, offers_here(self._knowledge, context.bits(self._knowledge), context)
        )

    def _leave_out(self, name: str, why: str, notes: tuple[str, ...], help_: tuple[str, ...]) -> None:
        self._left_out.append(
            Diagnostic(NOTHING_ADOPTED, f"`{name}` is not adopted: {why}", NOWHERE, notes=notes, help=help_)
        )

    def adopted(self) -> Adopted:
        """The policy of all servers. Raises SetpointError (E0621) if there is none."""
        sets = tuple(self._sets())
        if not sets:
            raise SetpointError(
                *(self._left_out or [Diagnostic(NOTHING_ADOPTED, "there is no capture to adopt", NOWHERE)])
            )
        intents = ranked_intents(self._knowledge, [_typical(servers) for servers in sets])
        if not intents:
            raise SetpointError.of(
                NOTHING_ADOPTED,
                "no intent is possible on all of these servers",
                help=("adopt servers of one kind at a time",),
            )
        names = _names(
            [servers.facts for servers in sets],
            {n for servers in sets for c in servers.classes for n in c.names},
        )
        groups = tuple(
            self._group(servers, name, self._intent(servers, intents[0], len(sets) > 1))
            for servers, name in zip(sets, names, strict=True)
        )
        groups = tuple(
            group._replace(members=self._ambiguous(servers, group, groups))
            for group, servers in zip(groups, sets, strict=True)
        )
        return Adopted(groups, intents, tuple(self._left_out))

    def _sets(self) -> Iterable[_ServersOfFacts]:
        by_facts: dict[Statements, list[tuple[GoldenServer, Capture, list[str]]]] = {}
        for (facts, _), class_ in self._classes.items():
            by_facts.setdefault(facts, []).append(class_)
        for facts, group in sorted(by_facts.items()):
            classes = tuple(AlikeServers(server, tuple(names)) for server, _, names in group)
            yield _ServersOfFacts(facts, classes, tuple(capture for _, capture, _ in group))

    def _intent(self, servers: _ServersOfFacts, common: RankedIntent, is_one_of_many: bool) -> RankedIntent:
        """The common intent with what it gives here, or another one if that spares more than a statement of its own."""
        if not is_one_of_many:
            return common
        ranked = ranked_intents(self._knowledge, [_typical(servers)])
        here = next((intent for intent in ranked if intent.intent == common.intent), None)
        if here is None or ranked[0].cost[0] + len(ranked[0].intent) < here.cost[0]:
            return ranked[0]
        return here

    def _group(self, servers: _ServersOfFacts, name: str, intent: RankedIntent) -> AdoptedGroup:
        context = context_of(self._knowledge, (*intent.intent, *servers.facts))
        base = _base(servers.classes)
        rest = rest_of(self._knowledge, context, base.server)
        number = sum(len(class_.names) for class_ in servers.classes)
        hosts = []
        for class_ in servers.classes:
            if class_ is base:
                continue
            own = rest_of(self._knowledge, context, class_.server, rest.sets)
            names = tuple(host for host in class_.names if not self._is_unwritable(host))
            if names and (own.sets or own.refused):
                hosts.append(AdoptedHosts(names, class_.server, own))
        return AdoptedGroup(name, servers.facts, intent, base.server, rest, number, tuple(hosts))

    def _is_unwritable(self, host: str) -> bool:
        """Whether a policy can have no block for a host, which is then left out."""
        why = why_no_host(host) or ("its name is a word of the language" if host in reserved_words() else "")
        if why:
            help_ = ("rename its capture",)
            self._leave_out(host, f"it differs from others of its kind, and {why}", (), help_)
        return bool(why)

    def _ambiguous(
        self, servers: _ServersOfFacts, own: AdoptedGroup, groups: Sequence[AdoptedGroup]
    ) -> tuple[str, ...]:
        """The hosts without a block that are servers of another group, too, by what they report."""
        blocks = {name for hosts in own.hosts for name in hosts.names}
        members: list[str] = []
        for class_, capture in zip(servers.classes, servers.captures, strict=True):
            facts, reported = dict(servers.facts), reports(capture)
            fits = [
                group
                for group in groups
                if not contradictions(group.rest.plan, reported, facts, self._knowledge)
            ]
            if len(fits) > 1:
                members += [
                    name for name in class_.names if name not in blocks and not self._is_unwritable(name)
                ]
        return tuple(members)


def _typical(servers: _ServersOfFacts) -> tuple[Statements, tuple[AlikeServers, ...]]:
    """One server of each kind stands for all: a `set` that many of them need is said once."""
    base = _base(servers.classes)
    return servers.facts, (base._replace(names=base.names[:1]),)


def _base(classes: Sequence[AlikeServers]) -> AlikeServers:
    """The class from which all others differ least, counted in values of servers; of several the largest."""
    large = sorted(classes, key=lambda class_: (-len(class_.names), class_.names))[:MOST_BASES]
    values: list[Mapping[str, str]] = [dict(class_.server.key) for class_ in classes]

    def distance(base: AlikeServers) -> int:
        own = dict(base.server.key).items()
        return sum(
            len(class_.names) * len(other.items() - own)
            for class_, other in zip(classes, values, strict=True)
        )

    return min(large, key=distance)


def _names(facts: Sequence[Statements], hosts: set[str]) -> list[str]:
    """A name for each group: its values of the facts that differ; "" if there is only one group."""
    if len(facts) == 1:
        return [""]
    common = set(facts[0]).intersection(*map(set, facts))
    taken = {host.casefold() for host in hosts} | set(reserved_words())
    names: list[str] = []
    for statements in facts:
        name = "-".join(value for fact, value in statements if (fact, value) not in common) or "others"
        while name.casefold() in taken or name in names:
            name = f"{name}-servers"
        names.append(name)
    return names
