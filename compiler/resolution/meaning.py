"""What a context means to a part: contexts that mean the same have the same decisions there, for the same reasons.

The decisions of a part are made by functions of its piece of the knowledge base and of the context. Of the context they
see this, and nothing else:

- its facts through conditions: which of them are true. One reason shows more: what a value follows that a source has
  studied;
- what is decided of the settings that the part reads, through conditions as well;
- which facts are assumed, where a value may rest on them;
- the policy's `set`s of the part's settings: name and value. Their reasons and places are put into the decisions
  afterwards;
- what is written although nobody asks for it: `manage all`, and what an earlier bundle wrote;
- the strength that the policy requires.

All of this together is the *meaning*. A server's registry is not in it: a plan for one server has a knowledge base of
its own.

The conditions of the whole knowledge base are numbered, and those that are true are a set with one bit for each, as in
`sets`. It is found once for a context: of each fact's value it is known which conditions allow it. A part has its share
of the set.
"""

from collections.abc import Iterable, Mapping

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge
from setpoint.compiler.language.meaning import Meaning
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.decisions import studied
from setpoint.compiler.resolution.parts import SettingPart


class _Allowing(dict[int, int]):
    """For each value of a fact, as a set of one, the conditions that allow it."""

    def __init__(self) -> None:
        self.masks: list[tuple[int, int]] = []

    def __missing__(self, value: int) -> int:
        excluding = 0
        for number, mask in self.masks:
            if not value & mask:
                excluding |= number
        self[value] = ~excluding
        return ~excluding


class Conditions:
    """The conditions on facts in a knowledge base, each with a bit of its own."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._kinds = knowledge.kinds
        self._bits: dict[Box, int] = {}
        self._allowing = {name: _Allowing() for name in knowledge.kinds}

    def of(self, boxes: Iterable[Box]) -> int:
        """The conditions of some statements, as a set. To be asked for before any are `true`."""
        conditions = 0
        for box in boxes:
            about_facts = tuple(pair for pair in box if pair[0] in self._kinds)
            if about_facts not in self._bits:
                self._bits[about_facts] = 1 << len(self._bits)
                for name, mask in about_facts:
                    self._allowing[name].masks.append((self._bits[about_facts], mask))
                    self._allowing[name].clear()
            conditions |= self._bits[about_facts]
        return conditions

    def true(self, bits: Mapping[str, int]) -> int:
        """The conditions that are true of these facts, as a set."""
        conditions = (1 << len(self._bits)) - 1
        for name, allowing in self._allowing.items():
            conditions &= allowing[bits[name]]
        return conditions


class Wishes(NamedTuple):
    """What a policy says, as parts ask for it: what it `set`s, and the rest. `facts` are the server's, with origins."""

    general: tuple[object, ...]
    sets: Mapping[str, Set]
    before: frozenset[str]
    assumed: frozenset[str]
    facts: Meaning

    @classmethod
    def of(cls, context: Context) -> "Wishes":
        """That of a context."""
        return cls(
            (context.manage_all, context.evidence.strength.text if context.evidence else ""),
            {statement.setting.text: statement for statement in context.sets},
            context.before,
            frozenset(name for name, fact in context.facts.items() if fact.origin == "assumed"),
            tuple([(fact.name, fact.value, fact.origin) for fact in context.facts.values()]),
        )


class PartMeaning:
    """Finds what contexts mean to a part."""

    def __init__(self, part: SettingPart, piece: Knowledge, conditions: Conditions) -> None:
        self.settings = part.settings
        self._piece = piece
        advice = [(applicability, rule) for rule in piece.rules for applicability in rule.applicabilities]
        offers = [offer.when for offers in piece.offers.values() for offer in offers]
        boxes: tuple[Box, ...] = (
            *offers,
            *(spelling.when for spellings in piece.spellings.values() for spelling in spellings),
            *(applicability.when for applicability, _ in advice),
            *(preset.when for preset in piece.presets),
            *(constraint.when for constraint in piece.constraints),
            *((constraint.require,) for constraint in piece.constraints if constraint.require),
        )
        self.facts = frozenset(name for box in boxes for name, _ in box if name in piece.kinds)
        """The facts that its conditions are about."""
        self.conditions = conditions.of(boxes)
        self._reading = tuple(
            dict.fromkeys(
                box
                for applicability, _ in advice
                if (box := tuple(pair for pair in applicability.when if pair[0] in part.reads))
            )
        )
        self._following = [
            (conditions.of([applicability.when]), rule)
            for applicability, rule in advice
            if applicability.steps > 0
        ]
        self.may_follow = 0
        for condition, _ in self._following:
            self.may_follow |= condition
        self.resting = frozenset(
            name
            for box in (*offers, *(rule.when for rule in piece.rules))
            for name, mask in box
            if name in piece.kinds and not mask & UNSTATED
        )

    def of_server(self, context: Context, wishes: Wishes, true: int) -> Meaning:
        """What a context means whatever its policy `set`s, if these conditions are true."""
        return (
            true & self.conditions,
            wishes.general,
            self._followed(context, true) if true & self.may_follow else (),
            wishes.before and wishes.before & self.settings,
            wishes.assumed and wishes.assumed & self.resting,
        )

    def of(self, wishes: Wishes, bits: Mapping[str, int]) -> Meaning:
        """What else a policy means; `bits` has what is decided of the settings that are read."""
        sets = wishes.sets.keys() & self.settings if wishes.sets else ()
        return (
            tuple([holds(box, bits) for box in self._reading]) if self._reading else (),
            tuple([(name, wishes.sets[name].value.text) for name in wishes.sets if name in sets])
            if sets
            else (),
        )

    def _followed(self, context: Context, true: int) -> tuple[str, ...]:
        """What the reasons say that the server follows."""
        return tuple(
            [studied(self._piece, context, rule) for condition, rule in self._following if true & condition]
        )
