"""Classes: hosts with the same facts and the same statements have the same plan, so each class is planned once.

What distinguishes hosts is their group, their facts, the content of a block for the host, and the registry for the
host, if registries are given; not their names, nor the places and reasons of statements that say the same. So the cost
of a fleet grows with the number of its classes, and only reading and listing hosts with their number.

A class is named after what is stable: its group, the facts that the table of places names, and a check sum of all
that distinguishes it. So neither other classes nor the order of an inventory change the name.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from setpoint.compiler.binding.levels import Candidate, Level, Plain
from setpoint.compiler.binding.stated import FamilyMember, HostFacts
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.fleet.reasons import content_of, own_reasons
from setpoint.compiler.fleet.registries import NO_REGISTRIES, Fitting, Registries
from setpoint.compiler.inventory.hosts import Census, Kind
from setpoint.compiler.inventory.names import HostNames
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Fact
from setpoint.compiler.record import NamedTuple

CHECK_SUM = 8
"""The number of hexadecimal digits that end the name of a class."""


IN_NO_GROUP = "they are in no group of the policy"
"""Why hosts that another policy may be for have no plan."""


class HostClass(NamedTuple):
    """Hosts with one plan: the group of the policy that they are in, the host whose block they have, each "" for
    none, and their facts. Several hosts can have blocks with the same content: `block` is the first of them.
    `registry` is what their registry is called in `Registries.servers`, "" for none. `members` are the models among
    them that only a family describes, `products` the names among them, each with its fact, that the site's table
    explains. `apart` are the statements of its block for which hosts have different reasons.
    """

    name: str
    group: str
    block: str
    facts: tuple[tuple[str, str], ...]
    registry: str = ""
    members: tuple[FamilyMember, ...] = ()
    products: tuple[tuple[str, str], ...] = ()
    apart: tuple[str, ...] = ()

    @property
    def stated(self) -> HostFacts:
        """What the inventory says of its hosts."""
        products: dict[str, tuple[str, ...]] = {}
        for fact, name in self.products:
            products[fact] = (*products.get(fact, ()), name)
        return HostFacts(dict(self.facts), self.members, products)


class Excluded(NamedTuple):
    """Hosts that cannot be planned, and why; `registry` is the one that they were planned with, as in `HostClass`."""

    hosts: tuple[str, ...]
    why: tuple[Diagnostic, ...]
    registry: str = ""


class Classes(NamedTuple):
    """The classes of a fleet with their hosts, sorted by name; hosts of none; blocks without a host.

    If registries are given, `unfitted` has why no registry is that of some hosts, with the number of these. `blocks`
    has the block of each host that has one.
    """

    members: Mapping[HostClass, Sequence[str]]
    excluded: tuple[Excluded, ...]
    unused: tuple[str, ...]
    unfitted: Mapping[str, int]
    blocks: Mapping[str, str]


def classes(
    census: Census,
    candidate: Candidate,
    knowledge: Knowledge,
    title: tuple[str, ...],
    registries: Registries = NO_REGISTRIES,
) -> Classes:
    """Divide the hosts of an inventory into classes. `title` has the facts in names of classes."""
    return _Divider(census, candidate, knowledge, title, registries).divide()


Content = tuple[object, ...]
"""What distinguishes hosts: group, content of the block, and facts."""


class _FoundModels:
    """The models of a class that only a family describes, and the names that the site's table explains."""

    def __init__(self) -> None:
        self._members: set[FamilyMember] = set()
        self._products: set[tuple[str, str]] = set()

    def add(self, kind: Kind) -> None:
        """Add those of a kind of hosts."""
        self._members.update(kind.members)
        self._products.update(kind.products)

    def added_to(self, class_: HostClass) -> HostClass:
        """The class with all of them."""
        return class_._replace(
            members=tuple(sorted(self._members, key=lambda model: (model.fact, model.text))),
            products=tuple(sorted(self._products)),
        )


class _Divider:
    def __init__(
        self,
        census: Census,
        candidate: Candidate,
        knowledge: Knowledge,
        title: tuple[str, ...],
        registries: Registries,
    ) -> None:
        self.census = census
        self.candidate = candidate
        self.knowledge = knowledge
        self.required = knowledge.required
        self.title = title
        self.registries = registries
        self.unfitted: dict[tuple[int, str], str] = {}
        self.blocks = {name.casefold(): name for name in candidate.scopes["host"]}
        self.classes: dict[Content, HostClass] = {}
        self.models: dict[str, _FoundModels] = defaultdict(_FoundModels)
        self.names: set[str] = set()
        self.unused = set(self.blocks.values())
        self.with_block: dict[str, str] = {}
        self.said: dict[str, Content] = {}

    def divide(self) -> Classes:
        """Find the class of each host, or why it has none."""
        members: dict[HostClass, list[HostNames]] = {}
        excluded: dict[tuple[Diagnostic, ...], list[HostNames]] = {}
        for key, names in self._by_kind_and_block():
            class_or_why = self._class(*key)
            if isinstance(class_or_why, HostClass):
                members.setdefault(class_or_why, []).append(names)
            else:
                excluded.setdefault(class_or_why, []).append(names)
        ordered = sorted(members, key=lambda class_: class_.name)
        apart = self._apart(members)
        return Classes(
            {
                self.models[class_.name]
                .added_to(class_)
                ._replace(apart=apart.get(self.said.get(class_.name, ()), ())): _together(members.pop(class_))
                for class_ in ordered
            },
            tuple(Excluded((*_together(names),), why) for why, names in excluded.items()),
            tuple(sorted(self.unused)),
            self._unfitted(),
            self.with_block,
        )

    def _by_kind_and_block(self) -> Iterator[tuple[tuple[int, str], HostNames]]:
        """The hosts of each kind and block, sorted by name; those with the first name first."""
        hosts = self.census.hosts
        if not self.blocks:
            kinds = enumerate(hosts.of_kinds)
            for _, number in sorted((min(names), number) for number, names in kinds if names):
                yield (number, ""), HostNames.of(sorted(hosts.of_kinds[number]))
            return
        by_block: dict[tuple[int, str], list[str]] = {}
        for host in sorted(hosts):
            block = self._block(host)
            if block:
                self.with_block[host] = block
            by_block.setdefault((hosts[host], block), []).append(host)
        for key, names in by_block.items():
            yield key, HostNames.of(names)

    def _apart(self, members: Mapping[HostClass, Iterable[HostNames]]) -> dict[Content, tuple[str, ...]]:
        """The statements for which the hosts of a group have different reasons, although their blocks say the same.

        They are so whatever the facts of the hosts are, so that their plans can be one.
        """
        hosts: dict[Content, list[str]] = {}
        for class_ in members:
            if class_.block:
                hosts.setdefault(self.said[class_.name], []).extend(chain(*members[class_]))
        return {
            said: tuple(reasons.statement for reasons in own_reasons(self.candidate, self.with_block, names))
            for said, names in hosts.items()
        }

    def _unfitted(self) -> Mapping[str, int]:
        """Why hosts have no registry, with their number."""
        hosts = self.census.hosts
        keys = ((hosts[host], self._block(host)) for host in hosts) if self.unfitted else ()
        return Counter(self.unfitted[key] for key in keys if key in self.unfitted)

    def _block(self, host: str) -> str:
        """The host of the policy that a host of the inventory is: by its name, or by the name up to the first dot."""
        name = host.casefold()
        block = self.blocks.get(name) or self.blocks.get(name.partition(".")[0]) or ""
        self.unused.discard(block)
        return block

    def _class(self, number: int, block: str) -> "HostClass | tuple[Diagnostic, ...]":
        kind = self.census.kinds[number]
        if kind.wrong:
            return kind.wrong
        group, why = self._group(kind, block)
        if why:
            return (why,)
        fitting = self._fitting(kind, group, block)
        if fitting.why:
            self.unfitted[number, block] = fitting.why
        facts = tuple(sorted(kind.facts.items()))
        families = tuple(
            sorted((m.fact, m.recognized.family.name, str(m.recognized.is_printed)) for m in kind.members)
        )
        registry = (fitting.registry,) if fitting.registry else ()
        said = content_of(self._statements(block), self.knowledge)
        content = (group, said, *facts, *families, *registry)
        if content not in self.classes:
            name = self._name(content, group, kind.facts)
            self.classes[content] = HostClass(name, group, block, facts, fitting.registry)
            self.said[name] = group, said
        class_ = self.classes[content]
        self.models[class_.name].add(kind)
        return class_

    def _fitting(self, kind: Kind, group: str, block: str) -> Fitting:
        if not self.registries:
            return Fitting()
        subject = self.candidate.narrowed(group, block)
        return self.registries.of(subject, self.knowledge, HostFacts(kind.facts, kind.members), kind.bios)

    def _group(self, kind: Kind, block: str) -> tuple[str, Diagnostic | None]:
        """The group of the policy that a host is in; or why it has no plan (E0703)."""
        groups = self.candidate.scopes["group"]
        named = [group for group in groups if group in kind.groups]
        own = self.candidate.group_of(block) if block else ""
        if own and any(group != own for group in named):
            return "", _no_plan(
                f"the policy has them in group `{own}`, and the inventory in {_listed(named)}",
                "correct one of them",
            )
        if len(named) > 1:
            return "", _no_plan(
                f"the inventory has them in several groups of the policy: {_listed(named)}",
                "put each host into one",
            )
        group = own or (named[0] if named else "")
        if not group and groups and not self.required <= self._stated(block) | kind.facts.keys():
            there = (
                f"the inventory has them in {_listed(sorted(kind.groups)[:5])}"
                if kind.groups
                else "the inventory has no group for them"
            )
            return "", _no_plan(
                IN_NO_GROUP,
                f"put them into one of {_listed(groups)}, or state {_listed(sorted(self.required))} outside the groups",
                there,
            )
        return group, None

    def _stated(self, block: str) -> set[str]:
        """The facts that the policy states for hosts in no group."""
        levels = (*self.candidate.levels, Level("host", block, self._statements(block)))
        return {
            statement.name.text
            for level in levels
            for statement in level.statements
            if isinstance(statement, Fact)
        }

    def _statements(self, block: str) -> tuple[Plain, ...]:
        return self.candidate.statements("host", block) if block else ()

    def _name(self, content: Content, group: str, facts: Mapping[str, str]) -> str:
        """The name of a class, which no other one has."""
        words = [self.candidate.name, group, *(facts.get(fact, "") for fact in self.title)]
        check_sum = hashlib.sha256(repr(content).encode()).hexdigest()
        for length in range(CHECK_SUM, len(check_sum) + 1):
            name = "-".join([*filter(None, words), check_sum[:length]])
            if name not in self.names:
                break
        self.names.add(name)
        return name


def _together(several: list[HostNames]) -> HostNames:
    """Names that are sorted, as one that is."""
    return several[0] if len(several) == 1 else HostNames.of(sorted(chain(*several)))


def is_for_others(why: Iterable[Diagnostic]) -> bool:
    """Whether a policy is not for hosts: they are in none of its groups, or contradict its facts."""
    return any(error.code == "E0702" or error.message.endswith(IN_NO_GROUP) for error in why)


def _no_plan(why: str, help_: str, *notes: str) -> Diagnostic:
    return Diagnostic("E0703", f"no plan is for these hosts: {why}", NOWHERE, notes=notes, help=(help_,))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def unused_blocks(names: Iterable[str]) -> Iterator[Diagnostic]:
    """The warnings about blocks for hosts that the inventory does not have (W0701)."""
    for name in names:
        yield Diagnostic(
            "W0701",
            f"`for host {name}` applies to no host of the inventory",
            NOWHERE,
            help=("check the name, or remove the block",),
            subject=name,
        )
