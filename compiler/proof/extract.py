"""Extracts of the knowledge base: what a part of the proof can read.

The proof has parts: the facts; each component; the hazards about the same settings and facts; each effect. A part gets
an extract in place of the knowledge base. So nothing outside its extract decides whether it finds anything, and a part
whose extract is unchanged need not be proven again (`memory`).

The fingerprint of an extract covers its meaning. It leaves out what only findings show (`SHOWN`): titles, reasons, the
place in a source. In place of a statement's span it has whether the statement is the library's: the checks read nothing
else of a span before they have a finding. In place of a setting's position in the order of decision it has the position
among the settings of the extract. And of the facts it has those that the extract names, with all that these depend on:
others multiply the contexts, and each question has the same answer in all of them. Of values of facts that nothing in
the extract distinguishes it has one (`alike`).
"""

from collections.abc import Collection, Iterable, Iterator
from functools import cache, partial
from hashlib import blake2b
from itertools import chain
from typing import Any, TypeVar

from setpoint.compiler.knowledge.model import (
    ASIDE,
    Assumption,
    Box,
    Citation,
    Constraint,
    Effect,
    FactKind,
    FactValue,
    Hazard,
    Knowledge,
    Offer,
    Preset,
    Rule,
    Setting,
    Source,
    emptied,
)
from setpoint.compiler.proof.alike import Facts
from setpoint.compiler.proof.links import linked_facts
from setpoint.compiler.proof.sets.ground import is_within
from setpoint.compiler.record import NamedTuple

Statement = (
    Assumption
    | Constraint
    | Effect
    | FactKind
    | FactValue
    | Hazard
    | Offer
    | Preset
    | Rule
    | Setting
    | Source
)

Named = TypeVar("Named")

SHOWN: dict[type, frozenset[str]] = {
    Assumption: frozenset(("because",)),
    Constraint: frozenset(("because",)),
    Effect: frozenset(("title",)),
    FactKind: frozenset(("title", "about", "ignored", "reported")),
    FactValue: frozenset(("title", "about", "citation", "reported")),
    Hazard: frozenset(("because", "help")),
    Rule: frozenset(("because", "note")),
    Setting: frozenset(("title", "about")),
    Source: frozenset(("title", "author", "publisher", "url", "about", "contents", "pins")),
}
"""The fields of statements that say nothing to the checks: findings show them, and no part with findings is kept."""


def extract(
    knowledge: Knowledge,
    settings: frozenset[str] = frozenset(),
    hazards: Iterable[str] = (),
    effects: Iterable[str] = (),
) -> Knowledge:
    """All facts, and what concerns these settings, hazards and effects.

    `settings` must include every setting that a constraint, a profile, a rule, a hazard or an effect connects with
    them.
    """
    own = {name: knowledge.hazards[name] for name in hazards}
    read = {
        *effects,
        *effects_named(knowledge, (box for hazard in own.values() for box in conditions_of(hazard))),
    }
    known = {*knowledge.kinds, *settings, *read}
    rules, presets, constraints = _statements_about(knowledge, settings)
    citing: tuple[Rule | Preset | Constraint | Hazard, ...] = (*rules, *presets, *constraints, *own.values())
    cited = {statement.citation.source for statement in citing}
    return Knowledge(
        kinds=knowledge.kinds,
        values=knowledge.values,
        assumptions=knowledge.assumptions,
        site=knowledge.site,
        variables=_named(knowledge.variables, known),
        sources={n: s for n, s in knowledge.sources.items() if n in cited or s.supersedes in cited},
        settings=_named(knowledge.settings, settings),
        effects=_named(knowledge.effects, read),
        offers=_named(knowledge.offers, settings),
        spellings={},
        presets=presets,
        rules=rules,
        constraints=constraints,
        hazards=own,
        measurements=(),
        services=(),
        **emptied(ASIDE),
    )


def _named(statements: dict[str, Named], names: Collection[str]) -> dict[str, Named]:
    """Those of some statements that have one of these names, in the same order."""
    return {name: statement for name, statement in statements.items() if name in names}


def _statements_about(
    knowledge: Knowledge, settings: frozenset[str]
) -> tuple[tuple[Rule, ...], tuple[Preset, ...], tuple[Constraint, ...]]:
    """The rules of some settings, the profiles and the constraints that are about them."""
    rules = tuple(rule for rule in knowledge.rules if rule.setting in settings)
    presets = tuple(
        preset
        for preset in knowledge.presets
        if preset.governor in settings or (settings & {*preset.members} and connects(knowledge, preset))
    )
    constraints = tuple(
        constraint for constraint in knowledge.constraints if is_within(knowledge, constraint, settings)
    )
    return rules, presets, constraints


def connects(knowledge: Knowledge, preset: Preset) -> bool:
    """Whether the settings of a preset have to be decided together.

    A profile that stands only gives members that nobody asks for another value, which any policy could set.
    """
    return not knowledge.settings[preset.governor].stands


def conditions_of(hazard: Hazard) -> tuple[Box, ...]:
    """The conditions of a hazard: as written, and wherever it applies."""
    return hazard.when, *(applicability.when for applicability in hazard.applicabilities)


def effects_named(knowledge: Knowledge, boxes: Iterable[Box]) -> frozenset[str]:
    """The effects that these conditions name."""
    return frozenset(name for box in boxes for name, _ in box if name in knowledge.effects)


def settings_named(knowledge: Knowledge, boxes: Iterable[Box]) -> frozenset[str]:
    """The settings that these conditions name, by themselves or in a case of an effect."""
    asked = list(boxes)
    for name in effects_named(knowledge, asked):
        asked += [box for _, box in knowledge.effects[name].cases]
    return frozenset(name for box in asked for name, _ in box if name in knowledge.settings)


class Fingerprints:
    """The fingerprints of the facts of a knowledge base, and of questions about its extracts."""

    def __init__(self, knowledge: Knowledge, printed: "_Prints | None" = None) -> None:
        self._knowledge = knowledge
        self._printed = printed or _Prints(knowledge.kinds)
        self._about = cache(partial(Facts, knowledge))
        self.facts = self._of_facts(knowledge.kinds)
        """The fingerprint of all facts."""
        self.combinations = self.without_site().facts if knowledge.site else self.facts
        """The same for what facts can be together, where it does not matter whose a statement is."""
        self._groups = {fact: group for group in linked_facts((knowledge,)) for fact in group}
        self._needs: dict[tuple[str, ...], set[str]] = {}
        for assumption in knowledge.assumptions:
            named = {name for name, _ in assumption.when if name in knowledge.kinds}
            self._needs.setdefault(self._groups[assumption.fact], set()).update(named)

    def without_site(self) -> "Fingerprints":
        """The fingerprints if no statement is a site's."""
        return Fingerprints(self._knowledge._replace(site=frozenset()), self._printed)

    def of(self, question: tuple[str, ...], read: Knowledge) -> str:
        """The fingerprint of a question about an extract of the knowledge base."""
        in_order = sorted(read.settings.values(), key=lambda setting: setting.position)
        statements: tuple[Statement, ...] = (
            *(setting._replace(position=number) for number, setting in enumerate(in_order)),
            *read.sources.values(),
            *read.effects.values(),
            *(offer for offers in read.offers.values() for offer in offers),
            *read.presets,
            *read.rules,
            *read.constraints,
            *read.hazards.values(),
        )
        variables = [variable for name, variable in read.variables.items() if name not in read.kinds]
        printed = [self._printed.of(statement) for statement in statements]
        conditions = list(chain.from_iterable(statement_print.conditions for statement_print in printed))
        numbers = {condition: str(number) for number, condition in enumerate(dict.fromkeys(conditions))}
        facts = self._with_needed(fact for statement_print in printed for fact in statement_print.facts)
        return _digest(
            repr(question),
            *self._printed_of(statements),
            " ".join(map(numbers.__getitem__, conditions)),
            repr(variables),
            *facts.distinguished(self._printed.named(numbers)),
        )

    def _with_needed(self, named: Iterable[str]) -> Facts:
        """Facts with those that they depend on."""
        ahead = set(named)
        groups: set[tuple[str, ...]] = set()
        while ahead:
            new = {self._groups[fact] for fact in ahead} - groups
            groups |= new
            ahead = {fact for group in new for fact in self._needs.get(group, ())}
        return self._about(tuple(fact for group in sorted(groups) for fact in group))

    def _of_facts(self, facts: Collection[str]) -> str:
        knowledge = self._knowledge
        statements: tuple[Statement, ...] = (
            *(kind for name, kind in knowledge.kinds.items() if name in facts),
            *(
                value
                for name, values in knowledge.values.items()
                if name in facts
                for value in values.values()
            ),
            *(assumption for assumption in knowledge.assumptions if assumption.fact in facts),
        )
        variables = [knowledge.variables[fact] for fact in knowledge.kinds if fact in facts]
        conditions = [self._printed.named(self._printed.of(statement).conditions) for statement in statements]
        return _digest(*self._printed_of(statements), repr(conditions), repr(variables))

    def _printed_of(self, statements: Iterable[Statement]) -> Iterator[str]:
        """The fingerprints of statements, each with whose it is."""
        for statement in statements:
            yield f"{self._knowledge.is_from_library(statement.span)} {self._printed.of(statement).fingerprint}"


class Print(NamedTuple):
    """A statement without its place: its fingerprint, the facts that it names, and the numbers of its conditions on
    facts, which are not in the fingerprint.
    """

    fingerprint: str
    facts: frozenset[str]
    conditions: tuple[int, ...]


class _Prints:
    """The print of each statement, which many extracts have."""

    def __init__(self, facts: Iterable[str]) -> None:
        self._facts = frozenset(facts)
        self._of: dict[int, tuple[Statement, Print]] = {}
        self._numbers: dict[tuple[str, int], int] = {}
        """The conditions on facts, numbered: to compare the sets of their values takes longer."""
        self._conditions: list[tuple[str, int]] = []

    def of(self, statement: Statement) -> Print:
        """The print of a statement. By identity, since to compare statements takes as long as to print them."""
        entry = self._of.get(id(statement))
        if entry is None:
            conditions: list[int] = []
            text = repr([self._apart(field, conditions) for field in _meaning(statement)])
            named = frozenset(fact for fact in self._facts if f"'{fact}'" in text)
            entry = self._of[id(statement)] = statement, Print(_digest(text), named, tuple(conditions))
        return entry[1]

    def named(self, conditions: Iterable[int]) -> Box:
        """Conditions, by their numbers."""
        return tuple(map(self._conditions.__getitem__, conditions))

    def _apart(self, field: Any, conditions: list[int]) -> Any:
        """A field, or a part of it, without its conditions on facts, whose numbers are added to the list."""
        if not isinstance(field, tuple):
            return field
        if (
            len(field) == 2
            and field[0].__class__ is str
            and field[1].__class__ is int
            and field[0] in self._facts
        ):
            if field not in self._numbers:
                self._numbers[field] = len(self._conditions)
                self._conditions.append(field)
            conditions.append(self._numbers[field])
            return (field[0],)
        return [field.__class__.__name__, *(self._apart(part, conditions) for part in field)]


def _meaning(statement: Statement) -> tuple[object, ...]:
    """What a statement is, and its fields that say something to the checks. Of a citation it has the source.

    A set is in order: Python prints it in another one in each process.
    """
    kind = type(statement)
    left_out = SHOWN.get(kind, frozenset())
    fields = (
        field.source
        if isinstance(field, Citation)
        else sorted(field)
        if isinstance(field, frozenset)
        else field
        for name, field in zip(statement._fields, statement, strict=True)
        if name != "span" and name not in left_out
    )
    return kind.__name__, *fields


def _digest(*texts: str) -> str:
    digest = blake2b(digest_size=16)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8) + content)
    return digest.hexdigest()
