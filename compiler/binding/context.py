"""From statements to a context: facts, and what the policy sets and waives.

Each name is looked up, each level overrides the wider ones, and the facts are completed with implied and assumed ones.
Every fact records whether it was stated, implied or assumed. Contradictory facts are an error here, before anything is
resolved.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from setpoint.compiler.binding.facts import INVENTORY, contradicts_inventory, with_inventory
from setpoint.compiler.binding.levels import Level, Subject
from setpoint.compiler.binding.stated import (
    NOTHING_FOUND,
    FamilyMember,
    HostFacts,
    Members,
    completed,
    meaning_of,
    only_by_family,
)
from setpoint.compiler.binding.wrong import empty_reason, unknown_setting, wrong_expectation, wrong_waiver
from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.model import STRENGTHS, UNSTATED, Knowledge
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Accept, Evidence, Expect, Fact, Manage, Set
from setpoint.compiler.plan.model import FactEntry, PolicyPlaces
from setpoint.compiler.plan.server import Limited, RegistryEntry
from setpoint.compiler.plan.waivers import EVIDENCE, OVERRIDE, way_to_waive
from setpoint.compiler.record import NamedTuple


class Context(NamedTuple):
    """The input of resolution.

    INVARIANT: all names exist; no setting is set twice; facts agree.

    `inherited` names what a level wider than the subject's own waives. `before` are the settings that an earlier bundle
    of the policy wrote. `evidence` says how strong a recommendation must be, None if any will do. `registry` is that of
    the one server, if it is given. `members` are what only its family describes, by fact. `products` are the names of
    the inventory, by fact, that servers may report beside those that the knowledge base has.
    """

    policy: str
    facts: dict[str, FactEntry]
    sets: tuple[Set, ...]
    accepts: tuple[Accept, ...]
    manage_all: bool
    findings: tuple[Diagnostic, ...]
    places: PolicyPlaces = PolicyPlaces()
    expects: tuple[Expect, ...] = ()
    inherited: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    evidence: Evidence | None = None
    registry: RegistryEntry | None = None
    members: Members = MappingProxyType({})
    products: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def withholds(self, strength: str) -> bool:
        """Whether a recommendation of this strength is too weak for the policy."""
        required = self.evidence.strength.text if self.evidence else STRENGTHS[0]
        return STRENGTHS.index(strength) < STRENGTHS.index(required)

    def manages(self, setting: str) -> bool:
        """Whether the setting is written even at its default."""
        return self.manage_all or setting in self.before

    def limit(self, setting: str) -> Limited | None:
        """What the server's registry makes of a setting; None if it offers all that the knowledge base has."""
        return self.registry.limit(setting) if self.registry else None

    def says(self, setting: str) -> str:
        """What the server's registry says of a setting that it limits; "" if it offers all of it."""
        return self.registry.says(setting) if self.registry else ""

    def bits(self, knowledge: Knowledge) -> dict[str, int]:
        """Each fact's value as a set of one; the bit for *not stated* if it is unknown."""
        return {
            name: knowledge.variables[name].bit(self.facts[name].value) if name in self.facts else UNSTATED
            for name in knowledge.kinds
        }

    def intent(self, knowledge: Knowledge) -> Span:
        """The place for findings about the whole plan: the required fact, else the first stated one."""
        stated = {f.name: self.places.of_fact(f) for f in self.facts.values() if f.origin == "stated"}
        required = [at for name, at in stated.items() if knowledge.kinds[name].required]
        return min(required or stated.values(), default=NOWHERE)


def bind(subject: Subject, knowledge: Knowledge, stated: HostFacts = NOTHING_FOUND) -> Context:
    """Give the statements of a subject their meaning. Raises SetpointError (E02xx, E0702) with all errors.

    Reasons that are left open (E0209) are findings: a plan is what it is without them, and nothing is compiled from it.

    `stated` has the facts that an inventory states. They agree with the policy's, except where a host's own block
    corrects them.
    """
    binder = _Binder(knowledge)
    for level in subject.levels:
        if level.kind == "host":
            binder.find(stated)
        binder.take(level)
    if not subject.host:
        binder.find(stated)
    members = dict(sorted(binder.members.items()))
    places = PolicyPlaces(binder.places)
    binder.warnings += only_by_family(members, places)
    facts, contradictions = completed(knowledge, binder.facts, members)
    binder.errors += (contradiction.finding(places) for contradiction in contradictions)
    if errors := binder.errors or _missing(subject, knowledge, facts):
        raise SetpointError(*errors, *binder.open_reasons)
    return Context(
        policy=subject.name,
        facts=facts,
        sets=tuple(binder.sets[name] for name in sorted(binder.sets)),
        accepts=tuple(binder.accepts[name] for name in sorted(binder.accepts)),
        manage_all=binder.manage_all,
        findings=(*binder.warnings, *binder.open_reasons),
        places=places,
        expects=tuple(binder.expects),
        inherited=frozenset(binder.accepts) - {s.waiver for s in _accepts(subject.levels[-1])},
        evidence=binder.evidence,
        members=members,
        products=stated.products,
    )


def _missing(subject: Subject, knowledge: Knowledge, facts: Mapping[str, FactEntry]) -> list[Diagnostic]:
    """The first fact that every policy has to state, and this one does not (E0205)."""
    for name, kind in knowledge.kinds.items():
        if kind.required and name not in facts:
            values = ", ".join(f"`{name} {value}`" for value in knowledge.variables[name].values)
            message = f"policy `{subject.name}` has no {name}"
            return [Diagnostic("E0205", message, subject.span, help=(f"state one of: {values}",))]
    return []


def stated_facts(subject: Subject, knowledge: Knowledge) -> dict[str, FactEntry]:
    """The facts that a subject states, by name, without those that are in error."""
    binder = _Binder(knowledge)
    for level in subject.levels:
        binder.take(level)
    return binder.facts


class _Binder:
    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.facts: dict[str, FactEntry] = {}
        self.places: dict[tuple[str, str], Span] = {}
        self.members: dict[str, tuple[FamilyMember, ...]] = {}
        self.sets: dict[str, Set] = {}
        self.accepts: dict[str, Accept] = {}
        self.expects: list[Expect] = []
        self.manage_all = False
        self.evidence: Evidence | None = None
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self.open_reasons: list[Diagnostic] = []

    # ------------------------------------------------------------------------ what is stated

    def take(self, level: Level) -> None:
        """Add the statements of a level; they override those of wider levels."""
        facts: dict[str, Fact] = {}
        sets: dict[str, Set] = {}
        accepts: dict[str, Accept] = {}
        evidence: list[Evidence] = []
        for statement in level.statements:
            if isinstance(statement, Fact):
                self._fact(statement, facts, level.title)
            elif isinstance(statement, Set):
                self._set(statement, sets, level.title)
            elif isinstance(statement, Accept):
                self._accept(statement, accepts, level.title)
            elif isinstance(statement, Manage):
                self._manage(statement)
            elif isinstance(statement, Evidence):
                self._evidence(statement, evidence, level.title)
            elif isinstance(statement, Expect):
                self._expect(statement)

    def find(self, inventory: HostFacts) -> None:
        """Add the facts of an inventory. Of two values of which one lies within the other, the narrower counts."""
        facts, contradicted = with_inventory(self.knowledge, self.facts, inventory.facts)
        self.facts |= facts
        for fact in contradicted:
            self._contradicts_inventory(fact, inventory.facts[fact.name])
        for member in inventory.members:
            known = self.facts.get(member.fact)
            if known is not None and known.value != member.value:
                self._contradicts_inventory(known, member.text)
            self.members[member.fact] = (*self.members.get(member.fact, ()), member)

    def _contradicts_inventory(self, fact: FactEntry, value: str) -> None:
        at = self.places.get(("fact", fact.follows), NOWHERE)
        self.errors.append(contradicts_inventory(fact, value, at))

    def _fact(self, fact: Fact, here: dict[str, Fact], level: str) -> None:
        name = fact.name.text
        if name not in self.knowledge.kinds:
            from setpoint.compiler.knowledge.misnamed import unknown_fact  # only needed when one is unknown

            self.errors.append(unknown_fact(self.knowledge, fact.name, fact.value.text))
            return
        value, member, wrong = meaning_of(self.knowledge, fact)
        if wrong is not None:
            self.errors.append(wrong)
        if name in here:
            self.errors.append(
                Diagnostic(
                    "E0203",
                    f"`{name}` is stated twice",
                    fact.span,
                    "again here",
                    (Label(here[name].span, "first here"),),
                    help=("keep one of them; a narrower scope can override it",),
                )
            )
            return
        here[name] = fact
        if wrong is not None:
            return
        text = value if fact.is_printed else fact.value.text
        entry = member.entries.get(name) if member else FactEntry(name, value, text, "stated", "", name)
        before, now = self.facts.pop(name, None), entry.value if entry else ""
        if before is not None and before.value != now and before.because != INVENTORY:
            wider = self.places["fact", name]
            self._report_override(f"{name} {text}", name, level, fact.span, wider)
        self.places["fact", name] = fact.span
        self.facts |= {name: entry} if entry else {}
        self.members.pop(name, None)
        self.members |= {name: (member,)} if member else {}

    def _set(self, statement: Set, here: dict[str, Set], level: str) -> None:
        name = statement.setting.text
        if wrong := unknown_setting(self.knowledge, statement.setting):
            self.errors.append(wrong)
            return
        variable = self.knowledge.variables[name]
        try:
            value = statement.value._replace(text=variable.canonical(statement.value.text))
            statement = statement._replace(value=value)
        except ValueError:
            from setpoint.compiler.knowledge.misnamed import (
                unknown_setting_value,  # only needed when one is unknown
            )

            self.errors.append(unknown_setting_value(self.knowledge, name, statement.value))
            return
        self.open_reasons += empty_reason(f"set {name}", statement.because)
        if name in here:
            same = here[name].value.text == statement.value.text
            self.errors.append(
                Diagnostic(
                    "E0302",
                    f"`{name}` is set twice" if same else f"`{name}` is set to two values",
                    statement.span,
                    f"to {statement.value.text} here",
                    (Label(here[name].span, f"to {here[name].value.text} here"),),
                    help=("keep one of them",),
                )
            )
            return
        here[name] = statement
        if name in self.sets and self.sets[name].value.text != statement.value.text:
            self._report_override(
                f"set {name} {statement.value.text}", name, level, statement.span, self.sets[name].span
            )
        self.sets[name] = statement
        self.places["set", name] = statement.span

    def _expect(self, statement: Expect) -> None:
        self.errors += wrong_expectation(self.knowledge, statement)
        if statement.because is not None:
            self.open_reasons += empty_reason(f"expect {statement.text}", statement.because)
        self.expects.append(statement)

    def _report_override(self, what: str, name: str, level: str, at: Span, before: Span) -> None:
        """Warn of a statement that overrides one of a wider level; `name` is the setting or fact, or the waiver."""
        is_waiver = name in self.accepts
        self.warnings.append(
            Diagnostic(
                "W0305",
                f"`{what}` applies to {level}: it overrides what a wider scope says",
                at,
                "applies",
                (Label(before, "overridden"),),
                help=() if is_waiver else (way_to_waive(f"{OVERRIDE} of {name}"),),
                subject=name,
            )
        )

    def _accept(self, statement: Accept, here: dict[str, Accept], level: str) -> None:
        name = statement.waiver
        if wrong := wrong_waiver(self.knowledge, statement):
            self.errors.append(wrong)
            return
        self.open_reasons += empty_reason(f"accept {name}", statement.because)
        if name in here:
            self.errors.append(_stated_twice(f"`{name}` is waived twice", statement.span, here[name].span))
            return
        here[name] = statement
        if name in self.accepts and _terms(self.accepts[name]) != _terms(statement):
            self._report_override(f"accept {name}", name, level, statement.span, self.accepts[name].span)
        self.accepts[name] = statement
        self.places["accept", name] = statement.waiver_span

    def _manage(self, statement: Manage) -> None:
        if statement.what.text != "all":
            self.errors.append(
                Diagnostic(
                    "E0201",
                    f"unknown `manage {statement.what.text}`",
                    statement.what.span,
                    "unknown",
                    help=("`manage all;` writes every setting, vendor defaults included",),
                )
            )
        self.manage_all = True

    def _evidence(self, statement: Evidence, here: list[Evidence], level: str) -> None:
        strength, wider = statement.strength, self.evidence
        if strength.text not in STRENGTHS:
            self.errors.append(unknown("strength", strength, STRENGTHS, "E0202"))
            return
        self.open_reasons += empty_reason(f"require strength {strength.text}", statement.because)
        if here:
            self.errors.append(_stated_twice("a strength is required twice", statement.span, here[0].span))
            return
        here.append(statement)
        if wider is not None and wider.strength.text != strength.text:
            what = f"require strength {strength.text}"
            self._report_override(what, EVIDENCE, level, statement.span, wider.span)
        self.evidence = statement


def _stated_twice(message: str, again: Span, first: Span) -> Diagnostic:
    """The error about a statement that says what another one of its level says already (E0302)."""
    others = (Label(first, "first here"),)
    return Diagnostic("E0302", message, again, "again here", others, help=("keep one of them",))


def _accepts(level: Level) -> Iterable[Accept]:
    return (statement for statement in level.statements if isinstance(statement, Accept))


def _terms(accept: Accept) -> tuple[str, str]:
    return accept.because.text, accept.until.text if accept.until else ""
