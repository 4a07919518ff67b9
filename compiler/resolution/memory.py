"""Decide a server by parts, and remember what was decided of each part.

Policies of one site differ in a goal, an operating system, a `set`; and most parts of their servers mean the same in all of them. So each
part is decided once for each meaning (`meaning`), and a plan is put together from what is remembered and what is new. The result is the one
that is decided from nothing:

- *The parts are independent.* No clause and no profile connects two parts (`parts`). Narrowing, the search and the cascade
  take one clause or one setting after another, and those of one part never see those of another; of a sequence over all parts, the steps
  in one of them are those that the part has by itself.
- *Equal meanings have equal decisions.* A meaning has all that the decisions of a part are made of. Only the reasons and places of the
  policy's `set`s are left out of it, and stand in the first cause of what is set: each plan gets its own.
- *What is not so is decided from nothing:* a policy for one server, whose registry limits the settings; one that sets what its server
  does not have; and all in which a part has an error, a conflict, or a dead end. For a dead end anywhere makes the cascade look ahead everywhere, and
  that can be seen in the reasons.

What is remembered was paid for, and costs the budget of a request the same again: whether a request has enough must not depend on what the process
did before. Only parts under a governing setting that stands are not counted: they need no search, and that setting is counted in its own part.

The parts need the whole library, whose reading takes as long as a few plans. So the first plans of a process are made from nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress

from setpoint.compiler.binding.context import Context
from setpoint.compiler.budget import counted, spend
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.hints import Any, TypeVar
from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.plan.model import Cause, Decision
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.resolution.cascade import Choice, straight
from setpoint.compiler.resolution.decided import DecidedSettings, about, decided_from_nothing, value_without
from setpoint.compiler.resolution.decisions import explain_decisions
from setpoint.compiler.resolution.ground import ground
from setpoint.compiler.resolution.meaning import Conditions, Meaning, PartMeaning, Wishes
from setpoint.compiler.resolution.narrow import DeadEndError, Effort
from setpoint.compiler.resolution.parts import Division, SettingPart
from setpoint.compiler.resolution.solution import attempt
from setpoint.compiler.resolution.supported import unsupported

FROM_NOTHING = 4
"""How many plans are made from nothing before the parts of a knowledge base are worth finding."""

KEPT_BASES = 2
"""For how many knowledge bases a process remembers parts: a comparison needs two."""

KEPT_LAYOUTS = 1_024
"""How many layouts of servers are remembered."""

KEPT_MEANINGS = 256
"""How many meanings of a part are remembered."""

HARDEST = 20_000
"""How many steps the search in a part may take: all parts together stay far within what a search for all at once may."""


class ApartError(Exception):
    """A server cannot be decided by parts."""


@distinct
class PartOutcome(NamedTuple):
    """What is decided of the own settings of a part, and the steps that it costs, by what they are spent on.

    `bits` are the values that advice on others reads; `about` are the facts that the advice on firmware is about.
    """

    choices: dict[str, Choice]
    bits: dict[str, int]
    settings: dict[str, Decision]
    about: frozenset[str]
    spent: tuple[tuple[str, int], ...]


class KnownPart:
    """A part with what is remembered of it."""

    def __init__(self, part: SettingPart, division: Division, conditions: Conditions) -> None:
        self.part = part
        self._read = division.read
        self._piece = division.piece(part)
        self._meaning = PartMeaning(part, self._piece, conditions)
        self._outcomes: dict[Meaning, PartOutcome | None] = {}

    def outcome(self, context: Context, wishes: Wishes, true: int, bits: Mapping[str, int]) -> PartOutcome:
        """What is decided of it, where these conditions are true. Raises ApartError."""
        meaning = self._meaning.of(context, wishes, true, bits)
        try:
            found = self._outcomes[meaning]
        except KeyError:
            found = self._outcomes[meaning] = self._decide(context, wishes, bits)
            _forget(self._outcomes, KEPT_MEANINGS)
        if found is None:
            raise ApartError
        return found

    def _decide(self, context: Context, wishes: Wishes, bits: Mapping[str, int]) -> PartOutcome | None:
        """What is decided of it; None if that needs more than the part."""
        sets = tuple(each for name, each in wishes.sets.items() if name in self.part.settings)
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
        return PartOutcome(
            own,
            {name: choice.bit for name, choice in own.items() if name in self._read},
            {each.setting: each for each in decisions if each.setting in own},
            about(self._piece, own),
            tuple(budget.spent.items()) if len(self.part.own) == len(self.part.settings) else (),
        )


@distinct
class KnownLayout(NamedTuple):
    """The parts of a server, the part of each setting, and the settings in the order of decision."""

    parts: tuple[KnownPart, ...]
    part_of: dict[str, KnownPart]
    order: tuple[str, ...]


class KnownParts:
    """What is remembered of the parts of a knowledge base."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._division = Division(knowledge)
        self._conditions = Conditions(knowledge)
        self._conditions.of(_boxes(knowledge))
        self._of_layout = self._conditions.of(self._division.boxes())
        self._of_hazards = [
            (self._conditions.of(one.when for one in each.applicabilities), each)
            for each in knowledge.hazards.values()
        ]
        self._of_services = [(self._conditions.of([each.when]), each) for each in knowledge.services]
        self._unread = dict.fromkeys(self._division.read, UNSTATED)
        self._layouts: dict[int, KnownLayout] = {}
        self._parts: dict[SettingPart, KnownPart] = {}

    def decided(self, context: Context) -> DecidedSettings:
        """The decisions for a context. Raises ApartError where they cannot be made by parts, and BudgetSpentError."""
        bits = {**self._unread, **context.bits(self.knowledge)}
        true, wishes = self._conditions.true(bits), Wishes.of(context)
        layout = self._layout(true, bits)
        if not wishes.sets.keys() <= layout.part_of.keys():
            raise ApartError
        choices: dict[str, Choice] = {}
        settings: dict[str, Decision] = {}
        spent: dict[str, int] = {}
        about: set[str] = set()
        for part in layout.parts:
            outcome = part.outcome(context, wishes, true, bits)
            choices.update(outcome.choices)
            settings.update(outcome.settings)
            bits.update(outcome.bits)
            about.update(outcome.about)
            for on, steps in outcome.spent:
                spent[on] = spent.get(on, 0) + steps
        for on, steps in spent.items():
            spend(on, steps)
        settings |= {name: _with_words(settings[name], its) for name, its in wishes.sets.items()}

        def without(statement: Set) -> str:
            part = layout.part_of[statement.setting.text]
            return self._without(context, wishes, true, bits, part, statement)

        there = [name for name in layout.order if name in choices]
        return DecidedSettings(
            {name: choices[name] for name in there},
            tuple([settings[name] for name in there]),
            without,
            self._here(true),
            frozenset(about),
        )

    def _without(
        self,
        context: Context,
        wishes: Wishes,
        true: int,
        bits: Mapping[str, int],
        part: KnownPart,
        statement: Set,
    ) -> str:
        """The value of a setting without its `set`; "" if that is undecided."""
        name = statement.setting.text
        left = wishes._replace(sets={each: its for each, its in wishes.sets.items() if each != name})
        try:
            return part.outcome(context, left, true, bits).settings[name].value
        except ApartError:
            return value_without(self.knowledge, context, ground(self.knowledge, context), statement)

    def _here(self, true: int) -> Knowledge:
        """The knowledge base with the hazards and services of servers where these conditions are true."""
        return self._division.frame._replace(
            hazards={each.name: each for conditions, each in self._of_hazards if true & conditions},
            services=tuple([each for condition, each in self._of_services if true & condition]),
        )

    def _layout(self, true: int, bits: Mapping[str, int]) -> KnownLayout:
        key = true & self._of_layout
        if key not in self._layouts:
            if len(self._layouts) >= KEPT_LAYOUTS:
                self._layouts.clear()
                self._parts.clear()
            self._layouts[key] = self._new_layout(bits)
        return self._layouts[key]

    def _new_layout(self, bits: Mapping[str, int]) -> KnownLayout:
        parts = []
        for part in self._division.layout(bits):
            if part not in self._parts:
                self._parts[part] = KnownPart(part, self._division, self._conditions)
            parts.append(self._parts[part])
        part_of = {name: each for each in parts for name in each.part.own}
        order = sorted(part_of, key=lambda name: self.knowledge.settings[name].position)
        return KnownLayout(tuple(parts), part_of, tuple(order))


def _boxes(knowledge: Knowledge) -> Iterator[Box]:
    """The conditions of all statements that decide something of a setting."""
    for offers in knowledge.offers.values():
        yield from (offer.when for offer in offers)
    for spellings in knowledge.spellings.values():
        yield from (each.when for each in spellings)
    for rule in knowledge.rules:
        yield from (each.when for each in rule.applicabilities)
    for constraint in knowledge.constraints:
        yield from filter(None, (constraint.when, constraint.require and (constraint.require,)))
    yield from (preset.when for preset in knowledge.presets)


def _with_words(decision: Decision, its: Set) -> Decision:
    """A decision on what a policy sets, with the policy's reason and its place."""
    own = Cause("set", its.span, because=its.because.text)
    return decision._replace(because=(own, *decision.because[1:]))


Key = TypeVar("Key")


def _forget(remembered: dict[Key, Any], most: int) -> None:
    """Forget what was remembered first, if it is more than so many."""
    if len(remembered) > most:
        del remembered[next(iter(remembered))]


class _Base:
    """A knowledge base that plans are made with; its parts are divided once that is worth it."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._asked = 0
        self._parts: KnownParts | None = None

    def parts(self) -> KnownParts | None:
        """The parts, for one more plan; None while that is made from nothing."""
        self._asked += 1
        if self._parts is None and self._asked > FROM_NOTHING:
            self._parts = KnownParts(self.knowledge)
        return self._parts


_bases: dict[int, _Base] = {}
"""The knowledge bases that this process plans with, each by its identity, which stays its own while it is here."""


def decide(knowledge: Knowledge, context: Context) -> DecidedSettings:
    """All decisions for a context. Raises SetpointError (E03xx, E05xx) and BudgetSpentError."""
    if context.registry is None:
        base = _bases.setdefault(id(knowledge), _Base(knowledge))
        _forget(_bases, KEPT_BASES)
        if (parts := base.parts()) is not None:
            with suppress(ApartError):
                return parts.decided(context)
    return decided_from_nothing(knowledge, context)
