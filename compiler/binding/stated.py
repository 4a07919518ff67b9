"""The values that texts of facts mean: by name, as machines print them, or as far as a family says.

A model that the library does not describe is no error if its family is known: the family's facts stand for it, and the
policy is told so. Only what nothing recognizes is unknown.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType

from setpoint.compiler.binding.facts import (
    Clash,
    Completed,
    Named,
    complete,
    described,
    is_within,
    related,
)
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.fixes import Edit, Fix
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.recognition import Recognized, recognized
from setpoint.compiler.knowledge.remembered import remembered
from setpoint.compiler.knowledge.reported import can_be_product, stated_value, values_reported_as
from setpoint.compiler.knowledge.words import VERSION
from setpoint.compiler.language.syntax import Fact, Name
from setpoint.compiler.plan.model import FactEntry, PolicyPlaces
from setpoint.compiler.record import NamedTuple


class FamilyMember(NamedTuple):
    """The text of a fact that only its family describes, the family, and whether the policy states it."""

    fact: str
    text: str
    recognized: Recognized
    is_stated: bool = False

    def at(self, places: PolicyPlaces) -> Span:
        """Where the policy states it; NOWHERE if only an inventory does."""
        return places.of("fact", self.fact) if self.is_stated else NOWHERE

    @property
    def value(self) -> str:
        """The value that the family says this fact has; "" if it says none."""
        return dict(self.recognized.family.implies).get(self.fact, "")

    @property
    def product(self) -> str:
        """The text as the name that a server reports; "" if no server reports it so."""
        return self.text if self.recognized.is_printed and can_be_product(self.text) else ""

    @property
    def because(self) -> str:
        """How its facts are known."""
        family = self.recognized.family
        return f"{self.text}, {family.title} [{family.citation.source}, {family.citation.at}]"

    @property
    def entries(self) -> Mapping[str, FactEntry]:
        """The facts that follow from the family."""
        follows = self.fact if self.is_stated else ""
        return {
            fact: FactEntry(
                fact, value, value, "stated" if fact == self.fact else "implied", self.because, follows
            )
            for fact, value in self.recognized.family.implies
        }


class HostFacts(NamedTuple):
    """What an inventory says of hosts: facts, and the models that only their family describes; of one fact all have one
    family.

    `products` are the names, by fact, that the site's own table explains: servers may report them.
    """

    facts: Mapping[str, str] = MappingProxyType({})
    members: tuple[FamilyMember, ...] = ()
    products: Mapping[str, tuple[str, ...]] = MappingProxyType({})


NOTHING_FOUND = HostFacts()
"""What is found without an inventory."""


class Meaning(NamedTuple):
    """What the text of a fact means: a value, or the member of a family; neither, if it is `wrong`."""

    value: str = ""
    member: FamilyMember | None = None
    wrong: Diagnostic | None = None


def meaning_of(knowledge: Knowledge, fact: Fact) -> Meaning:
    """What the text of a fact means that a policy states."""
    name, written = fact.name.text, fact.value
    if not fact.is_printed and (value := stated_value(knowledge, name, written.text)):
        return Meaning(value)
    # Only needed when a text is not simply the name of a value.
    from setpoint.compiler.knowledge.lookup import printed_value
    from setpoint.compiler.knowledge.misnamed import unknown_fact_value

    if fact.is_printed:
        values = printed_value(knowledge, name, written.text)
    else:
        is_release = re.fullmatch(VERSION, written.text.split()[-1])
        values = values_reported_as(knowledge.values[name], written.text) if is_release else ()
    if len(values) == 1:
        return Meaning(values[0])
    run_on = "" if fact.is_printed else _run_on(knowledge, written)
    if not (values or run_on) and (member := family_member(knowledge, name, written.text)):
        return Meaning(member=member._replace(is_stated=True))
    finding = unknown_fact_value(knowledge, name, written)
    if values:
        names = " or ".join(f"`{name} {value}`" for value in values)
        finding = finding._replace(
            message=f"several values of `{name}` are printed as `{written.text}`",
            help=(f"state {names}",),
            fixes=(),
        )
    elif run_on:
        help_ = (f"is a `;` missing after `{fact.name.text} {run_on}`?",)
        finding = finding._replace(help=help_, fixes=_ended_after(run_on, written))
    return Meaning(wrong=finding)


def family_member(knowledge: Knowledge, fact: str, text: str) -> FamilyMember | None:
    """What a text of a fact names by its family; None if no family has such names, or a value is probably meant."""
    # Only needed for what the library does not describe.
    from setpoint.compiler.knowledge.lookup import essence, printed_value, squashed

    name = essence(knowledge, fact, text)
    asked = squashed(name)
    known = [
        squashed(spelling)
        for value in knowledge.values[fact].values()
        for spelling in (value.name, value.title)
    ]
    # A name without a number, as a generation's, ends other names, too; one with a number that another ends with is
    # probably meant.
    is_described = any(
        spelling.endswith(asked) or (any(c.isdigit() for c in spelling) and asked.endswith(spelling))
        for spelling in known
    )
    if is_described or printed_value(knowledge, fact, text):
        return None
    recognition = recognized(knowledge.families, fact, name)
    return FamilyMember(fact, text, recognition) if recognition else None


Members = Mapping[str, tuple[FamilyMember, ...]]
"""What only its family describes, by fact."""


def completed(knowledge: Knowledge, stated: dict[str, FactEntry], members: Members) -> Completed:
    """The facts that follow if these are stated and named, sorted and described, and their contradictions."""
    if members:
        return _completed(knowledge, stated, members)
    outcome: Completed = remembered(knowledge).of(
        (completed, *stated.values()), lambda: _completed(knowledge, stated, members)
    )
    return outcome


def _completed(knowledge: Knowledge, stated: dict[str, FactEntry], members: Members) -> Completed:
    given, unlike = _with_families(knowledge, stated, members)
    facts, contradictions = complete(knowledge, given, _named_only(members, given))
    return Completed(
        {name: described(knowledge, facts[name]) for name in sorted(facts)}, (*unlike, *contradictions)
    )


def _with_families(knowledge: Knowledge, stated: dict[str, FactEntry], members: Members) -> Completed:
    """The stated facts with what follows from families, and those that contradict it. The narrower value counts."""
    facts, errors = dict(stated), []
    for member in chain.from_iterable(members.values()):
        for name, entry in member.entries.items():
            known = facts.get(name)
            if known is None or is_within(knowledge, name, entry.value, known.value):
                facts[name] = known if known and known.value == entry.value else entry
            elif not related(knowledge, name, entry.value, known.value):
                errors.append(Clash(known, entry, (entry.because,)))
    return Completed(facts, tuple(errors))


def _named_only(members: Members, stated: Mapping[str, FactEntry]) -> Named:
    """The facts of which only a name is stated, each with what follows from its family."""
    return {
        fact: dict(first.recognized.family.implies)
        for fact, (first, *_) in members.items()
        if fact not in stated
    }


def only_by_family(members: Members, places: PolicyPlaces) -> Iterator[Diagnostic]:
    """The warnings that something is planned as far as its family is known (W0201), one for each fact."""
    for fact, named in members.items():
        first, *others = named
        family = first.recognized.family
        known = ", ".join(f"{name} {value}" for name, value in family.implies)
        texts = ", ".join(f"`{member.text}`" for member in named)
        advice = [f"`setpoint kb show {family.name}` has the family; state in the policy what else you know"]
        if not first.product:
            advice.append(
                f'for artifacts to compare it, state it as the server reports it, brand included: {fact} "…"'
            )
        yield Diagnostic(
            "W0201",
            f"{texts} {'are' if others else 'is'} not described: planned as {family.title}"
            + (f" ({known})" if known else ""),
            first.at(places),
            "known by its family only",
            help=tuple(advice),
            subject=fact,
        )


def _run_on(knowledge: Knowledge, written: Name) -> str:
    """The words of the value that was probably meant, if the name of another fact follows; else ""."""
    words = written.text.split()
    for i in range(1, len(words) - 1):
        if words[i] in knowledge.kinds:
            return " ".join(words[:i])
    return ""


def _ended_after(value: str, written: Name) -> tuple[Fix, ...]:
    """The fix that ends a fact after this value; none if the words are not written with single spaces on a line."""
    at = written.span
    if (at.line, at.column + len(written.text)) != (at.end_line, at.end_column):
        return ()
    column = at.column + len(value)
    return (Fix("add the missing `;`", (Edit(at._replace(column=column, end_column=column), ";"),), True),)
