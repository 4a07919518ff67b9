"""Decide a server by parts, and remember what was decided of each part.

Policies of one site differ in a goal, an operating system, a `set`; and most parts of their servers mean the same in
all of them. So each part is decided once for each meaning (`meaning`), and a plan is put together from what is
remembered and what is new. The result is the one that is decided from nothing:

- *The parts are independent.* No clause and no profile connects two parts (`parts`). Narrowing, the search and the
  cascade take one clause or one setting after another, and those of one part never see those of another; of a sequence
  over all parts, the steps in one of them are those that the part has by itself.
- *Equal meanings have equal decisions.* A meaning has all that the decisions of a part are made of. Only the reasons
  and places of the policy's `set`s are left out of it, and stand in the first cause of what is set: each plan gets its
  own.
- *Policies for the same servers differ in what they `set`.* So what is decided without a `set` is known of a server as
  a whole, and only the parts that the `set`s are in are asked for, and those that read what these change.
- *Policies for different servers* share what is decided of parts whose conditions are about the same facts. Such a
  group is asked for at once, without any `set`, and only the parts that a `set` is in are asked for apart.
- *What is not so is decided from nothing:* a policy for one server, whose registry limits the settings; one that sets
  what its server does not have; and all in which a part has an error, a conflict, or a dead end. For a dead end
  anywhere makes the cascade look ahead everywhere, and that can be seen in the reasons.

What is remembered was paid for, and costs the budget of a request the same again: whether a request has enough must not
depend on what the process did before. Only parts under a governing setting that stands are not counted: they need no
search, and that setting is counted in its own part.

The parts need the statements about all servers that are asked for, whose reading takes as long as a few plans. So the
first plans of a process are made from nothing. Of a small library the parts are those of all servers.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType

from setpoint.compiler.binding.context import Context
from setpoint.compiler.budget import counted, spend
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge
from setpoint.compiler.knowledge.remembered import Remembered, remembered
from setpoint.compiler.language.meaning import Meaning
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.plan.model import Cause, Decision
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.cascade import Choice, straight
from setpoint.compiler.resolution.decided import (
    ApartError,
    DecidedSettings,
    about,
    cited,
    may_be_warned_of,
    value_without,
)
from setpoint.compiler.resolution.decisions import explain_decisions
from setpoint.compiler.resolution.ground import ground
from setpoint.compiler.resolution.identity import identity
from setpoint.compiler.resolution.meaning import Conditions, PartMeaning, Wishes
from setpoint.compiler.resolution.narrow import DeadEndError, Effort
from setpoint.compiler.resolution.parts import Division, SettingPart
from setpoint.compiler.resolution.solution import attempt
from setpoint.compiler.resolution.supported import unsupported

OFTEN = 2
"""How often servers are asked for before it is worth it to know what is decided of them without any `set`."""

HARDEST = 20_000
"""How many steps the search in a part may take: all parts stay far within what a search for all may take."""


class PartOutcome(NamedTuple):
    """What is decided of some settings: the own ones of a part, or all of a server. `spent` are the steps that it cost,
    by what they are spent on.

    `bits` are the values. `about` are the facts that the advice on firmware is about, `cited` the sources of all
    advice, and `noted` the settings that a warning may be about.
    """

    choices: dict[str, Choice]
    bits: dict[str, int]
    settings: dict[str, Decision]
    about: frozenset[str]
    cited: frozenset[str]
    noted: frozenset[str]
    spent: tuple[tuple[str, int], ...]


def together(outcomes: Collection[PartOutcome], latest: Collection[PartOutcome]) -> PartOutcome:
    """All outcomes of a server as one. `latest` are those that are not yet in the first of them, that one included."""
    choices: dict[str, Choice] = {}
    bits: dict[str, int] = {}
    settings: dict[str, Decision] = {}
    spent: dict[str, int] = {}
    for outcome in latest:
        choices.update(outcome.choices)
        bits.update(outcome.bits)
        settings.update(outcome.settings)
    for outcome in outcomes:
        for on, steps in outcome.spent:
            spent[on] = spent.get(on, 0) + steps
    return PartOutcome(
        choices,
        bits,
        settings,
        frozenset().union(*[outcome.about for outcome in outcomes]),
        frozenset().union(*[outcome.cited for outcome in outcomes]),
        frozenset().union(*[outcome.noted for outcome in outcomes]),
        tuple(spent.items()),
    )


class KnownPart:
    """A part, with what is remembered of its outcomes."""

    def __init__(
        self, part: SettingPart, division: Division, conditions: Conditions, memory: Remembered
    ) -> None:
        self.part = part
        self._piece = division.piece(part)
        self.meaning = PartMeaning(part, self._piece, conditions)
        self._remembered = memory

    def outcome(
        self, context: Context, wishes: Wishes, server: "KnownServer", bits: Mapping[str, int]
    ) -> PartOutcome:
        """What is decided of it on such a server. Raises ApartError."""
        of_server = server.meanings.get(self) or self.meaning.of_server(context, wishes, server.true)
        if server.is_kept:
            server.meanings[self] = of_server
        meaning = self, of_server, self.meaning.of(wishes, bits)
        outcome: PartOutcome | None = self._remembered.of(
            meaning, lambda: self._decide(context, wishes, bits)
        )
        if outcome is None:
            raise ApartError
        return outcome

    def has_any(self, sets: Mapping[str, Set]) -> bool:
        """Whether one of these statements is about a setting that takes part."""
        return not sets.keys().isdisjoint(self.part.settings)

    def _decide(self, context: Context, wishes: Wishes, bits: Mapping[str, int]) -> PartOutcome | None:
        """What is decided of it; None if that needs more than the part."""
        sets = tuple(statement for name, statement in wishes.sets.items() if name in self.part.settings)
        context = context._replace(sets=sets)
        given = {name: bits[name] for name in self.part.reads if bits[name] != UNSTATED}
        try:
            with counted() as budget:
                problem = ground(self._piece, context, given)
                if any(unsupported(self._piece, context, problem)):
                    return None
                solution = attempt(self._piece, context, problem, Effort(HARDEST), straight)
                if solution is None:
                    return None
                decisions = explain_decisions(self._piece, context, solution)
        except (SetpointError, DeadEndError):
            return None
        own = {name: solution.choices[name] for name in self.part.own if name in solution.choices}
        settings = {decision.setting: decision for decision in decisions if decision.setting in own}
        return PartOutcome(
            own,
            {name: choice.bit for name, choice in own.items()},
            settings,
            about(self._piece, own),
            cited(settings.values()),
            frozenset(name for name, decision in settings.items() if may_be_warned_of(decision)),
            tuple(budget.spent.items()) if len(self.part.own) == len(self.part.settings) else (),
        )


class GroupOutcome(NamedTuple):
    """What is decided of the parts of a group without any `set`, and all of that as one."""

    parts: dict[KnownPart, PartOutcome]
    whole: PartOutcome


class KnownGroup:
    """Parts that read no others, and whose conditions are about the same facts: what one of them means again, the
    others mean again, too.
    """

    def __init__(self, parts: tuple[KnownPart, ...], memory: Remembered) -> None:
        self.parts = parts
        self._conditions = 0
        for part in parts:
            self._conditions |= part.meaning.conditions
        self._settings = frozenset().union(*(part.meaning.settings for part in parts))
        self._resting = frozenset().union(*(part.meaning.resting for part in parts))
        self._remembered = memory

    def outcome(self, context: Context, plain: Wishes, server: "KnownServer") -> GroupOutcome | None:
        """What is decided of it on such a server, given the wishes without any `set`; None if it is not decided by
        parts.
        """
        meaning = (
            self,
            server.true & self._conditions,
            plain.general,
            plain.before and plain.before & self._settings,
            plain.assumed and plain.assumed & self._resting,
        )
        outcome: GroupOutcome | None = self._remembered.of(
            meaning, lambda: self._decide(context, plain, server)
        )
        return outcome

    def _decide(self, context: Context, plain: Wishes, server: "KnownServer") -> GroupOutcome | None:
        try:
            outcomes = {part: part.outcome(context, plain, server, server.bits) for part in self.parts}
        except ApartError:
            return None
        return GroupOutcome(outcomes, together(outcomes.values(), outcomes.values()))


class KnownLayout(NamedTuple):
    """The parts of a server, those of them that are in `groups`, the part of each setting, those in which each takes
    part, those that read others, and the settings in the order of decision.
    """

    parts: tuple[KnownPart, ...]
    groups: tuple[KnownGroup, ...]
    part_of: dict[str, KnownPart]
    within: dict[str, list[KnownPart]]
    readers: frozenset[KnownPart]
    order: tuple[str, ...]


class KnownServer:
    """What is known of servers with the same facts, for policies with the same wishes beside their `set`s.

    `bits` are their facts, and the settings that advice reads, undecided; `true` are the conditions that are true of
    them. If it `is_kept`, since several policies are for such servers, the parts are decided without any `set`. From
    then on a policy asks only for the parts that its `set`s are in, and for those that read what these change.
    """

    def __init__(self, parts: "KnownParts", context: Context, is_kept: bool) -> None:
        self.bits = {**parts.unread, **context.bits(parts.knowledge)}
        self.true = parts.conditions.true(self.bits)
        self.layout = parts.layout(self.true, self.bits)
        self.here = parts.here(self.true, is_kept)
        self.reports = identity(self.here, context)
        self.meanings: dict[KnownPart, Meaning] = {}
        self.is_kept = self._is_plain_wanted = is_kept
        self._plain: dict[KnownPart, PartOutcome] = {}
        self._whole: PartOutcome | None = None

    def outcome(self, context: Context, wishes: Wishes) -> PartOutcome:
        """What is decided of such a server. Raises ApartError."""
        if not self.is_kept:
            return self._by_groups(context, wishes)
        if self._is_plain_wanted:
            self._is_plain_wanted = False
            with suppress(ApartError):
                self._plain = self._outcomes(context, wishes._replace(sets={}))
                self._whole = together(self._plain.values(), self._plain.values())
        own = self._outcomes(context, wishes)
        if self._whole is None:
            return together(own.values(), own.values())
        if not own:
            return self._whole
        return together({**self._plain, **own}.values(), (self._whole, *own.values()))

    def _by_groups(self, context: Context, wishes: Wishes) -> PartOutcome:
        """What is decided of a server that nobody may ask for again: of groups, but for the parts that a `set` is in,
        and of all other parts.
        """
        layout, plain = self.layout, wishes._replace(sets={})
        asked = frozenset().union(*[layout.within[name] for name in wishes.sets])
        latest: list[PartOutcome] = []
        all_: list[PartOutcome] = []
        known: set[KnownPart] = set()
        for group in layout.groups:
            if (group_outcome := group.outcome(context, plain, self)) is None:
                continue
            known.update(group.parts)
            own = {p: p.outcome(context, wishes, self, self.bits) for p in group.parts if p in asked}
            latest += (group_outcome.whole, *own.values())
            all_ += (group_outcome.parts | own).values() if own else (group_outcome.whole,)
        bits = dict(self.bits)
        for outcome in latest:
            bits.update(outcome.bits)
        for part in layout.parts:
            if part not in known:
                outcome = part.outcome(context, wishes, self, bits)
                bits.update(outcome.bits)
                latest.append(outcome)
                all_.append(outcome)
        return together(all_, latest)

    def _outcomes(self, context: Context, wishes: Wishes) -> dict[KnownPart, PartOutcome]:
        """The outcomes of all parts of which it is not known already that they are decided as without a `set`."""
        bits = {**self.bits, **self._whole.bits} if self._whole else dict(self.bits)
        within = self.layout.readers.union(*[self.layout.within[name] for name in wishes.sets])
        asked = [part for part in self.layout.parts if part in within] if self._plain else self.layout.parts
        outcomes: dict[KnownPart, PartOutcome] = {}
        changed: set[str] = set()
        for part in asked:
            if not self._plain or part.has_any(wishes.sets) or not changed.isdisjoint(part.part.reads):
                outcomes[part] = outcome = part.outcome(context, wishes, self, bits)
                bits.update(outcome.bits)
                if self._plain and outcome.bits != self._plain[part].bits:
                    changed.update(outcome.bits)
        return outcomes


class KnownParts:
    """The parts of a knowledge base, and what is remembered of servers with some `values` of the dividing facts."""

    def __init__(self, knowledge: Knowledge, values: Mapping[str, int] = MappingProxyType({})) -> None:
        self.knowledge = knowledge
        self._values = dict(values)
        self._remembered = remembered(knowledge)
        self.statements = knowledge = knowledge.around(values)
        self._division = Division(knowledge)
        self.conditions = Conditions(knowledge)
        self.conditions.of(_boxes(knowledge))
        self._of_layout = self.conditions.of(self._division.boxes())
        self._of_hazards = [
            (
                self.conditions.of(applicability.when for applicability in hazard.applicabilities),
                [
                    (self.conditions.of([applicability.when]), applicability)
                    for applicability in hazard.applicabilities
                ],
                hazard,
            )
            for hazard in knowledge.hazards.values()
        ]
        self._of_services = [(self.conditions.of([service.when]), service) for service in knowledge.services]
        self.unread = dict.fromkeys(self._division.read, UNSTATED)

    def are_of(self, bits: Mapping[str, int]) -> bool:
        """Whether a server with these facts is one of those."""
        return not any(bits[name] & ~values for name, values in self._values.items())

    def decided(self, context: Context) -> DecidedSettings:
        """The decisions for a context. Raises ApartError where they cannot be made by parts, and BudgetSpentError."""
        wishes = Wishes.of(context)
        server = self._server(context, wishes)
        layout = server.layout
        if not wishes.sets.keys() <= layout.part_of.keys():
            raise ApartError
        outcome = server.outcome(context, wishes)
        for on, steps in outcome.spent:
            spend(on, steps)
        settings = {
            **outcome.settings,
            **{
                name: _with_words(outcome.settings[name], statement)
                for name, statement in wishes.sets.items()
            },
        }
        bits = {**server.bits, **outcome.bits}

        def without(statement: Set) -> str:
            part = layout.part_of[statement.setting.text]
            return self._without(context, wishes, server, bits, part, statement)

        there = [name for name in layout.order if name in outcome.choices]
        has_own_names = context.members or context.products
        return DecidedSettings(
            {name: outcome.choices[name] for name in there},
            tuple([settings[name] for name in there]),
            bits,
            without,
            server.here,
            outcome.about,
            outcome.cited,
            tuple([settings[name] for name in there if name in outcome.noted]),
            identity(server.here, context) if has_own_names else server.reports,
        )

    def _server(self, context: Context, wishes: Wishes) -> KnownServer:
        """The servers that a context is about. They are kept once they are worth the room that they take."""
        meaning = wishes.facts, wishes.general, wishes.before
        asked: list[None] = self._remembered.of((list, meaning), list)
        if len(asked) < OFTEN:
            asked.append(None)
            return KnownServer(self, context, is_kept=False)
        server: KnownServer = self._remembered.of(
            (self, meaning), lambda: KnownServer(self, context, is_kept=True)
        )
        return server

    def _without(
        self,
        context: Context,
        wishes: Wishes,
        server: KnownServer,
        bits: Mapping[str, int],
        part: KnownPart,
        statement: Set,
    ) -> str:
        """The value of a setting without its `set`; "" if that is undecided."""
        name = statement.setting.text
        left = wishes._replace(
            sets={setting: wish for setting, wish in wishes.sets.items() if setting != name}
        )
        try:
            return part.outcome(context, left, server, bits).settings[name].value
        except ApartError:
            return value_without(self.knowledge, context, ground(self.knowledge, context), statement)

    def here(self, true: int, is_kept: bool) -> Knowledge:
        """The knowledge base with the hazards and services of servers where these conditions are true; if it is kept,
        with no other places where these hazards apply.
        """
        hazards = {}
        for any_of_them, conditions, hazard in self._of_hazards:
            if true & any_of_them:
                applying = (
                    [applicability for condition, applicability in conditions if true & condition]
                    if is_kept
                    else ()
                )
                hazards[hazard.name] = (
                    hazard._replace(applicabilities=tuple(applying)) if applying else hazard
                )
        return self._division.frame._replace(
            hazards=hazards,
            services=tuple([service for condition, service in self._of_services if true & condition]),
        )

    def layout(self, true: int, bits: Mapping[str, int]) -> KnownLayout:
        """The layout of servers with these facts."""
        layout: KnownLayout = self._remembered.of(
            (self, true & self._of_layout), lambda: self._new_layout(bits)
        )
        return layout

    def _new_layout(self, bits: Mapping[str, int]) -> KnownLayout:
        parts = [
            self._remembered.of(
                (self, part), partial(KnownPart, part, self._division, self.conditions, self._remembered)
            )
            for part in self._division.layout(bits)
        ]
        part_of = {name: part for part in parts for name in part.part.own}
        within: dict[str, list[KnownPart]] = {}
        for part in parts:
            for name in part.part.settings:
                within.setdefault(name, []).append(part)
        order = sorted(part_of, key=lambda name: self.knowledge.settings[name].position)
        readers = frozenset(part for part in parts if part.part.reads)
        return KnownLayout(tuple(parts), self._groups(parts), part_of, within, readers, tuple(order))

    def _groups(self, parts: Iterable[KnownPart]) -> tuple[KnownGroup, ...]:
        about: dict[frozenset[str], list[KnownPart]] = {}
        for part in parts:
            if not (part.part.reads or part.meaning.may_follow):
                about.setdefault(part.meaning.facts, []).append(part)
        groups = [tuple(some) for some in about.values() if len(some) > 1]
        return tuple(
            [
                self._remembered.of((self, some), partial(KnownGroup, some, self._remembered))
                for some in groups
            ]
        )


def _boxes(knowledge: Knowledge) -> Iterator[Box]:
    """The conditions of all statements that decide something of a setting."""
    for offers in knowledge.offers.values():
        yield from (offer.when for offer in offers)
    for spellings in knowledge.spellings.values():
        yield from (spelling.when for spelling in spellings)
    for rule in knowledge.rules:
        yield from (applicability.when for applicability in rule.applicabilities)
    for constraint in knowledge.constraints:
        yield from filter(None, (constraint.when, constraint.require and (constraint.require,)))
    yield from (preset.when for preset in knowledge.presets)


def _with_words(decision: Decision, statement: Set) -> Decision:
    """A decision on what a policy sets, with the policy's reason and its place."""
    own = Cause("set", because=statement.because.text)
    return decision._replace(because=(own, *decision.because[1:]))
