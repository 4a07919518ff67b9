"""From rows to hosts with facts: each profile is interpreted once, and what is wrong is reported for all hosts that
have it.

Texts are understood as machines print them: by the name of a value, its title, or what servers report. A text
that nobody knows, or two that contradict each other, leave their hosts out: a plan made from a guess could be that
of another server.

Some texts are of something else than the host: a virtual machine shows a processor that its hypervisor made up. The
table says which facts another one hides so; their texts are neither used nor missed, but listed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from setpoint.compiler.binding.facts import is_within, related
from setpoint.compiler.binding.names import IS_GROUP
from setpoint.compiler.binding.stated import FamilyMember, HostFacts, family_member
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.inventory.model import Profile, Rows
from setpoint.compiler.inventory.names import HostsByKind, LeftOut, names_read
from setpoint.compiler.inventory.structured import HostData, rows_of
from setpoint.compiler.inventory.table import AND, BIOS_VERSION, InventoryTable
from setpoint.compiler.knowledge.lookup import printed_value
from setpoint.compiler.knowledge.misnamed import unknown_fact_value
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import can_be_product, stated_value, values_reported_as
from setpoint.compiler.language.syntax import Name
from setpoint.compiler.record import NamedTuple


class Kind(NamedTuple):
    """Hosts that an inventory says the same of: their groups and facts, what is wrong with these, and the version of
    their BIOS, "" if it is unknown or does not matter. `members` are what only its family describes, `unused` the
    texts that another fact hides, `products` the names of servers, each with its fact, that the site's table explains.
    """

    groups: frozenset[str]
    facts: Mapping[str, str]
    wrong: tuple[Diagnostic, ...]
    bios: str = ""
    members: tuple[FamilyMember, ...] = ()
    unused: tuple[str, ...] = ()
    products: tuple[tuple[str, str], ...] = ()


class Census(NamedTuple):
    """All hosts of an inventory: the number of each host's kind, the kinds, and the rows that are no hosts.

    `table` is the digest of the site's table of facts, "" without one.
    """

    form: str
    hosts: HostsByKind
    kinds: tuple[Kind, ...]
    left_out: tuple[LeftOut, ...]
    ignored: tuple[str, ...]
    table: str = ""

    @property
    def unused(self) -> tuple[str, ...]:
        """The texts that are not used, since another fact of their host hides them."""
        return tuple(sorted({text for kind in self.kinds for text in kind.unused}))


def census(rows: Rows, table: InventoryTable, knowledge: Knowledge) -> Census:
    """Read all rows of an inventory."""
    hosts, profiles, left_out = names_read(rows)
    reader = _Interpreter(table, knowledge)
    kinds = tuple(reader.kind(rows, profile) for profile in profiles)
    if are_groups := hosts.among({group for kind in kinds for group in kind.groups}):
        hosts = hosts.without(are_groups.keys())
        left_out += [LeftOut(name, 0, IS_GROUP) for name in sorted(are_groups)]
    left_out += [LeftOut(broken.name, broken.line, broken.why) for broken in rows.broken]
    return Census(
        rows.form,
        hosts,
        kinds,
        tuple(sorted(left_out, key=lambda entry: (entry.line, entry))),
        tuple(rows.ignored),
        table.digest,
    )


class FactsOfHosts:
    """The facts of single hosts, one after the other. Each text is looked up once."""

    def __init__(self, table: InventoryTable, knowledge: Knowledge) -> None:
        self._table = table
        self._reader = _Interpreter(table, knowledge)

    def of(self, host: HostData) -> HostFacts:
        """What a host says of itself; what nobody knows is no fact."""
        rows = rows_of("", [host], self._table)
        ((_, profile),) = rows.rows
        kind = self._reader.kind(rows, profile)
        products: dict[str, tuple[str, ...]] = {}
        for fact, name in kind.products:
            products[fact] = (*products.get(fact, ()), name)
        return HostFacts(kind.facts, kind.members, products)


class _TextMeaning(NamedTuple):
    """The value of a fact that a text means: "" if it does not matter or only other facts are known, None if it is
    unknown.

    Of a text that only its family describes it is what the family says.
    """

    value: str | None
    member: FamilyMember | None = None


class _PlacedText(NamedTuple):
    """A text of a host, where it stands, and what it means."""

    fact: str
    text: str
    place: str
    meaning: _TextMeaning

    @property
    def said(self) -> dict[str, str]:
        """The facts that follow from it, each with its value."""
        of_family = self.meaning.member.recognized.family.implies if self.meaning.member else ()
        return {**dict(of_family), **({self.fact: self.meaning.value} if self.meaning.value else {})}


class _Interpreter:
    """Interprets texts. Each is looked up once."""

    def __init__(self, table: InventoryTable, knowledge: Knowledge) -> None:
        self._table = table
        self._knowledge = knowledge
        self._value = cache(self._looked_up)

    def kind(self, rows: Rows, profile: Profile) -> Kind:
        """What a profile says."""
        groups, *said = profile
        bios = ""
        readings: list[_PlacedText] = []
        for (fact, place), text in zip(rows.places, said, strict=True):
            text = text.strip()
            if text.casefold() in self._table.missing:
                continue
            if fact == BIOS_VERSION:
                bios = bios or text
            else:
                readings.append(_PlacedText(fact, text, AND.join(place), self._value(fact, text)))
        hidden = self._hidden(readings)
        shown = [reading for reading in readings if reading not in hidden]
        facts, wrong = self._facts(shown)
        members: dict[str, FamilyMember] = {}
        for reading in shown:
            if reading.meaning.member:
                members.setdefault(reading.fact, reading.meaning.member)
        return Kind(
            frozenset(re.split(r"[\s,;|]+", groups.strip())) - {""},
            facts,
            wrong,
            bios,
            tuple(members.values()),
            tuple(f"{reading.fact} `{reading.text}`" for reading in hidden),
            tuple((reading.fact, reading.text) for reading in shown if self._is_explained(reading)),
        )

    def _is_explained(self, reading: _PlacedText) -> bool:
        """Whether the site's table says what a text means, and a server may report this text."""
        is_own = reading.text.casefold() in self._table.values[reading.fact]
        return is_own and bool(reading.meaning.value) and can_be_product(reading.text)

    def _hidden(self, readings: list[_PlacedText]) -> list[_PlacedText]:
        """The texts that say nothing of the host, since another of its facts hides them.

        What says that fact itself is not hidden.
        """
        hidden: list[_PlacedText] = []
        for (fact, value), others in self._table.hides.items():
            saying = [reading for reading in readings if self._says(reading, fact, value)]
            if saying:
                hidden += [
                    reading for reading in readings if reading.fact in others and reading not in saying
                ]
        return hidden

    def _says(self, reading: _PlacedText, fact: str, value: str) -> bool:
        said_value = reading.said.get(fact, "")
        return bool(said_value) and is_within(self._knowledge, fact, said_value, value)

    def _facts(self, readings: Iterable[_PlacedText]) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
        """The facts of a host by their texts, and what is wrong with these."""
        facts: dict[str, str] = {}
        origins: dict[str, tuple[str, str]] = {}
        wrong: list[Diagnostic] = []
        for fact, text, place, (value, _) in readings:
            if value is None:
                wrong.append(self._unknown(fact, text, place))
            if not value:
                continue
            known = facts.get(fact)
            if known is not None and not related(self._knowledge, fact, known, value):
                wrong.append(_contradiction(fact, (*origins[fact], known), (text, place, value)))
            elif known is None or is_within(self._knowledge, fact, value, known):
                facts[fact], origins[fact] = value, (text, place)
        return facts, tuple(wrong)

    def _looked_up(self, fact: str, text: str) -> _TextMeaning:
        """What a text means."""
        own = self._table.values[fact].get(text.casefold())
        if own is not None:
            return _TextMeaning(own)
        for form in self._forms(fact, text):
            if value := stated_value(self._knowledge, fact, form):
                return _TextMeaning(value)
            for values in (
                printed_value(self._knowledge, fact, form),
                values_reported_as(self._knowledge.values[fact], form),
            ):
                if len(values) == 1:
                    return _TextMeaning(values[0])
        member = family_member(self._knowledge, fact, text)
        return _TextMeaning(member.value if member else None, member)

    def _forms(self, fact: str, text: str) -> Iterator[str]:
        """A text, and with other words at its beginning."""
        yield text
        for word, others in self._table.words[fact].items():
            if text.casefold() == word or text.casefold().startswith(f"{word} "):
                yield from (f"{other}{text[len(word) :]}" for other in others)

    def _unknown(self, fact: str, text: str, place: str) -> Diagnostic:
        near = unknown_fact_value(self._knowledge, fact, Name(text, span=NOWHERE)).help
        return Diagnostic(
            "E0701",
            f"unknown {fact} `{text}`",
            NOWHERE,
            notes=(f"the inventory has it in `{place}`",),
            help=(
                *near[:1],
                f'say what it is in a table of your own (`--facts`): [values.{fact}] "{text}" = "VALUE", or "" if it does not matter',
            ),
            subject=fact,
        )


def _contradiction(fact: str, first: tuple[str, str, str], second: tuple[str, str, str]) -> Diagnostic:
    notes = tuple(
        f"`{place}` has `{text}`, which is `{fact} {value}`" for text, place, value in (first, second)
    )
    message = f"the inventory has two values of `{fact}`, `{first[2]}` and `{second[2]}`"
    return Diagnostic("E0702", message, NOWHERE, notes=notes, help=("correct one of them",), subject=fact)
