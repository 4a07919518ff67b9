"""Complete the stated facts, and check that they are consistent.

Facts imply facts: a model implies its generation, a generation its platform. Implied facts only narrow. If a policy
states a generation and something else implies a model of it, the model is known; if two facts imply values of which one
lies within the other, the narrower one is. So the result does not depend on any order, and stating an implied value, or
a wider one, changes nothing. The knowledge base may assume facts that are neither stated nor implied, and for a wider
value one that lies within it.

The proof of the knowledge base completes every combination of facts that imply one another, thousands of them. It
needs the values only, neither their reasons nor what contradicts what (`Completion.derived`), and its tests compare
them with those of policies, so there is only one meaning of *reachable*.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.model import UNSTATED, Assumption, FactValue, Knowledge, lineage
from setpoint.compiler.plan.model import FactEntry, PolicyPlaces
from setpoint.compiler.record import NamedTuple

INVENTORY = "the inventory"
"""What states the facts that a policy does not state itself."""


class Clash(NamedTuple):
    """Two facts that cannot both hold; `notes` say why."""

    first: FactEntry
    second: FactEntry
    notes: tuple[str, ...]

    @property
    def message(self) -> str:
        """Which facts contradict each other."""
        return f"{self.first.name} {self.first.text} contradicts {self.second.name} {self.second.text}"

    def finding(self, places: PolicyPlaces) -> Diagnostic:
        """The error about it (E0204)."""
        first, last = sorted((places.of_fact(self.first), places.of_fact(self.second)))
        return Diagnostic(
            "E0204",
            self.message,
            last,
            "contradicts the other" if first != last else "contradicts itself",
            (Label(first, "the other"),) if first != last else (),
            self.notes,
            ("correct or remove one of them",),
        )


class Completed(NamedTuple):
    """The stated facts with the implied and assumed ones, and the contradictions between them."""

    facts: dict[str, FactEntry]
    errors: tuple[Clash, ...]


Named = Mapping[str, Mapping[str, str]]
"""The facts of which a name is stated that is none of their values, each with what follows from the name."""


def complete(
    knowledge: Knowledge, stated: dict[str, FactEntry], named: Named = MappingProxyType({})
) -> Completed:
    """Add implied and assumed facts to the stated ones, and check that they are consistent.

    What goes into a thing that is named does not tell alone which one it is: a processor implies the servers of its
    paper, but a server of another maker, or of an unknown one, is none of them.
    """
    return Completion(knowledge, named).of(stated)


def related(knowledge: Knowledge, fact: str, a: str, b: str) -> bool:
    """Whether two values of a fact are the same, or one lies within the other."""
    return is_within(knowledge, fact, a, b) or is_within(knowledge, fact, b, a)


def is_within(knowledge: Knowledge, fact: str, inner: str, outer: str) -> bool:
    """Whether a value of a fact is another one, or lies within it."""
    return any(value.name == outer for value in lineage(knowledge, fact, inner))


def described(knowledge: Knowledge, entry: FactEntry) -> FactEntry:
    """The entry with its role, and with the values that its value lies within."""
    above = tuple(v.name for v in lineage(knowledge, entry.name, entry.value))[1:]
    return entry._replace(above=above, role=knowledge.kinds[entry.name].role)


Word = tuple[str, str]
"""A fact and a value of it."""


class _Clashes(dict[Word, bool]):
    """Whether one fact contradicts others. Each is found out when it is asked for first: the many are looked up without
    a call."""

    def __init__(self, clash: Callable[[Word, Word], bool], word: Word) -> None:
        super().__init__()
        self._clash, self._word = clash, word

    def __missing__(self, other: Word) -> bool:
        self[other] = self._clash(self._word, other)
        return self[other]


class Completion:
    """Completes stated facts, any number of times. What a value means for other facts is looked up once."""

    def __init__(self, knowledge: Knowledge, named: Named = MappingProxyType({})) -> None:
        self._knowledge = knowledge
        self._named = named
        self._lineages: dict[Word, tuple[FactValue, ...]] = {}
        self._implications: dict[Word, tuple[tuple[FactValue, str, str], ...]] = {}
        self._allowances: dict[Word, tuple[tuple[FactValue, str, int], ...]] = {}
        self._related: dict[tuple[str, str, str], bool] = {}
        self._clashes: dict[Word, _Clashes] = {}
        self._bearing = tuple(
            dict.fromkeys(name for a in knowledge.assumptions for name in (a.fact, *dict(a.when)))
        )
        self._assumable: dict[tuple[str | None, ...], tuple[tuple[int, str, str], ...]] = {}

    def of(self, stated: dict[str, FactEntry]) -> Completed:
        """The completed facts."""
        known = self._implied(stated)
        errors = tuple(self._contradictions(known))
        return Completed(known if errors else self._assumed(known), errors)

    def _implied(self, given: dict[str, FactEntry]) -> dict[str, FactEntry]:
        """The given facts and all facts that they imply, each with its narrowest value."""
        values = {name: entry.value for name, entry in given.items()}
        self._narrow(values, sorted(values))
        entries = {name: entry for name, entry in given.items() if entry.value == values[name]}
        known = entries
        while missing := sorted(values.keys() - entries.keys()):
            new = {name: reason for name in missing if (reason := self._reason(known, name, values[name]))}
            entries.update(new)
            # The remaining ones follow from facts that were given with wider values than they have now.
            known = entries if new else {**given, **entries}
        return entries

    def _narrow(self, values: dict[str, str], waiting: list[str]) -> list[str]:
        """Add to values those that they imply; of two values where one lies within the other, the narrower stays.

        Of two other values one stays: the contradiction is found once everything is known. `waiting` are the facts
        whose implications are not there yet; the result are these and the facts that have other values then.
        """
        for name in waiting:
            for _, fact, implied in self._implications_of((name, values[name])):
                known = values.get(fact)
                if known is None or self._is_narrower(fact, implied, known):
                    values[fact] = implied
                    waiting.append(fact)
        return waiting

    def _reason(self, entries: dict[str, FactEntry], fact: str, value: str) -> FactEntry | None:
        """The entry of an implied fact, with the first known fact that implies exactly this value."""
        for _, entry in sorted(entries.items()):
            implications = self._implications_of((entry.name, entry.value))
            if any(other == fact and implied == value for _, other, implied in implications):
                return FactEntry(fact, value, value, "implied", f"{entry.name} {entry.text}", entry.follows)
        return None

    def _assumed(self, known: dict[str, FactEntry]) -> dict[str, FactEntry]:
        """The facts with assumptions for open ones, of which none builds on another or contradicts a fact."""
        knowledge, given = self._knowledge, known
        values = {name: entry.value for name, entry in given.items()}
        bits = {name: knowledge.variables[name].bit(value) for name, value in values.items()}
        for assumption in knowledge.assumptions:
            fact, value = assumption.fact, assumption.value
            is_open = known.get(fact) == given.get(fact) and self._is_open(assumption, values)
            if is_open and holds(assumption.when, bits) and self._can_be(fact, value):
                entry = FactEntry(fact, value, value, "assumed", assumption.because)
                trial = self._implied({**known, fact: entry})
                if not any(self._contradictions(trial)):
                    known = trial
        return known

    def _contradictions(self, facts: dict[str, FactEntry]) -> Iterable[Clash]:
        """The facts that contradict each other: of two, the first reason why."""
        pairs: set[frozenset[str]] = set()
        for clash in self._clashing(facts):
            names = frozenset((clash.first.name, clash.second.name))
            if names not in pairs:
                pairs.add(names)
                yield clash

    def _clashing(self, facts: dict[str, FactEntry]) -> Iterable[Clash]:
        """Implied or allowed values that contradict known ones."""
        entries = [facts[name] for name in sorted(facts)]
        for entry in entries:
            for value, fact, implied in self._implications_of((entry.name, entry.value)):
                if not self._are_related(fact, facts[fact].value, implied):
                    why = f"{entry.name} {entry.text} means {fact} {implied}"
                    yield _clash(entry, facts[fact], why, value)
        for entry in entries:
            for value, fact, mask in self._allowances_of((entry.name, entry.value)):
                other = facts.get(fact)
                if other is not None and not self._knowledge.variables[fact].below(other.value) & mask:
                    why = self._excluding(entry.name, value, other, mask)
                    yield _clash(entry, other, why, value)

    def _excluding(self, name: str, value: FactValue, other: FactEntry, mask: int) -> str:
        """Why what a value allows of another fact excludes its known value. Of what a `not` excludes, the part that has
        this value."""
        if not mask & UNSTATED:
            return f"{name} {value.name} goes with {self._knowledge.box_text(((other.name, mask),))}"
        variable = self._knowledge.variables[other.name]
        *_, widest = (
            v for v in self._lineage_of((other.name, other.value)) if not variable.below(v.name) & mask
        )
        return f"{name} {value.name} does not go with {other.name} {widest.name}"

    def derived(self, known: Mapping[str, str], fact: str, value: str) -> dict[str, str] | None:
        """The values that are known if one more fact is stated, without assumptions; None if they contradict one
        another.

        `known` are derived values themselves, or none.
        """
        before = known.get(fact)
        if before is not None and self._is_narrower(fact, before, value):
            return dict(known)
        values = {**known, fact: value}
        for name in self._narrow(values, [fact]):
            if any(map(self._clashes_of((name, values[name])).__getitem__, values.items())):
                return None
        return values

    def assumed(self, known: dict[str, str]) -> tuple[dict[str, str], frozenset[int]]:
        """These derived values with assumptions for open facts, and the numbers of the assumptions in use."""
        values, used = known, []
        for number, fact, value in self._assumable_with(known):
            if values.get(fact) == known.get(fact):
                trial = self.derived(values, fact, value)
                if trial is not None:
                    values = trial
                    used.append((number, fact, value))
        return values, frozenset([number for number, fact, value in used if values[fact] == value])

    def _assumable_with(self, known: dict[str, str]) -> tuple[tuple[int, str, str], ...]:
        """The assumptions about open facts whose conditions hold, by their numbers; the same for all with the same
        values of the facts that assumptions name.
        """
        bearing = tuple(map(known.get, self._bearing))
        if bearing not in self._assumable:
            self._assumable[bearing] = tuple(
                (number, assumption.fact, assumption.value)
                for number, assumption in enumerate(self._knowledge.assumptions)
                if self._is_open(assumption, known)
                and all(self._mask(known, name) & mask for name, mask in assumption.when)
            )
        return self._assumable[bearing]

    def _is_open(self, assumption: Assumption, known: Mapping[str, str]) -> bool:
        """Whether a fact is open to an assumption: nothing is known of it, or a wider value that the assumption asks
        for."""
        fact = assumption.fact
        asks = any(name == fact for name, _ in assumption.when)
        return fact not in known or (asks and self._is_narrower(fact, assumption.value, known[fact]))

    def _mask(self, values: Mapping[str, str], name: str) -> int:
        return self._knowledge.variables[name].bit(values[name]) if name in values else UNSTATED

    def _is_narrower(self, fact: str, inner: str, outer: str) -> bool:
        """Whether a value lies within another one."""
        return inner != outer and any(value.name == outer for value in self._lineage_of((fact, inner)))

    def _clashes_of(self, word: Word) -> "_Clashes":
        if word not in self._clashes:
            self._clashes[word] = _Clashes(self._clash, word)
        return self._clashes[word]

    def _clash(self, a: Word, b: Word) -> bool:
        """Whether two facts contradict each other by what either implies of the other, or goes with."""
        return any(
            any(
                fact == other[0] and not self._are_related(fact, other[1], implied)
                for _, fact, implied in self._implications_of(word)
            )
            or any(
                fact == other[0] and not self._knowledge.variables[fact].below(other[1]) & mask
                for _, fact, mask in self._allowances_of(word)
            )
            for word, other in ((a, b), (b, a))
        )

    def _lineage_of(self, word: Word) -> tuple[FactValue, ...]:
        if word not in self._lineages:
            self._lineages[word] = tuple(lineage(self._knowledge, *word))
        return self._lineages[word]

    def _stating(self, word: Word) -> Iterable[FactValue]:
        """A value and those that it lies within. An open one says no more of its values than they do."""
        return (value for value in self._lineage_of(word) if value.name == word[1] or not value.one_of)

    def _implications_of(self, word: Word) -> tuple[tuple[FactValue, str, str], ...]:
        """What a value and those that it lies within imply."""
        if word not in self._implications:
            self._implications[word] = tuple(
                (value, fact, implied)
                for value in self._stating(word)
                for fact, implied in value.implies
                if self._knowledge.kinds[fact].fits != word[0] or self._can_be(fact, implied)
            )
        return self._implications[word]

    def _can_be(self, fact: str, value: str) -> bool:
        """Whether what is named can be this value: the two have something in common, and nothing else."""
        known = self._named.get(fact)
        if known is None:
            return True
        implied = [implication for part in self._lineage_of((fact, value)) for implication in part.implies]
        common = [(known[other], text, other) for other, text in implied if other in known]
        return bool(common) and all(self._are_related(other, a, b) for a, b, other in common)

    def _allowances_of(self, word: Word) -> tuple[tuple[FactValue, str, int], ...]:
        """What a value and those that it lies within go with."""
        if word not in self._allowances:
            self._allowances[word] = tuple(
                (value, fact, mask) for value in self._stating(word) for fact, mask in value.allows
            )
        return self._allowances[word]

    def _are_related(self, fact: str, a: str, b: str) -> bool:
        key = fact, a, b
        if key not in self._related:
            self._related[key] = related(self._knowledge, fact, a, b)
        return self._related[key]


def with_inventory(
    knowledge: Knowledge, stated: dict[str, FactEntry], inventory: Mapping[str, str]
) -> tuple[dict[str, FactEntry], list[FactEntry]]:
    """The facts that an inventory states, and the stated ones that contradict them.

    Of two values of which one lies within the other, the narrower counts.
    """
    facts, contradicted = {}, []
    for name, value in inventory.items():
        known = stated.get(name)
        if known is not None and not related(knowledge, name, known.value, value):
            contradicted.append(known)
        elif known is None or is_within(knowledge, name, value, known.value):
            follows = known.follows if known else ""
            facts[name] = FactEntry(name, value, value, "stated", INVENTORY, follows)
    return facts, contradicted


def contradicts_inventory(stated: FactEntry, value: str, at: Span) -> Diagnostic:
    """The error about a stated fact of which an inventory has another value (E0702)."""
    return Diagnostic(
        "E0702",
        f"`{stated.name} {stated.text}` contradicts the inventory, which has `{stated.name} {value}`",
        at,
        "contradicts the inventory",
        help=(
            f"correct one of them, or drop `{stated.name} {stated.text}`, since the inventory has the fact; if the inventory is wrong about "
            "one host, state the fact in a block `for host`",
        ),
    )


def _clash(first: FactEntry, other: FactEntry, why: str, value: FactValue) -> Clash:
    notes = [why + (f" [{value.citation.source}, {value.citation.at}]" if value.citation else "")]
    notes += [f"{e.name} {e.text} is {e.origin}: {e.because}" for e in (first, other) if e.origin != "stated"]
    return Clash(first, other, tuple(notes))
