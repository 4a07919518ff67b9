"""Parts: settings that are decided apart from all others of a server.

Most settings of a server have nothing to do with each other. What connects two of them is a constraint that names both,
or a profile that governs both. So the settings of a server fall into some eighty *parts*, and nothing that is decided
in one of them removes a value in another. Two things still lead from one part to another, always in one direction:

- Advice *reads* settings of other parts. These parts come first, and what they decide is given.
- A governing setting that *stands* is not derived from its members, and fixes none. It can connect forty settings of an
  operating system, but none of these decides anything about another. So it belongs to the part of each of its members,
  with all that decides
  it: it is decided there again, in the same way, and counts only where it is a part's own.

A part is a small knowledge base (`piece`): the statements about its settings, out of the whole one. The functions that
decide a whole server decide a part, and so give it the same values for the same reasons.

Which settings are connected depends on the server: constraints of one maker connect nothing on the servers of another.
Servers that no offer, constraint or preset tells apart have the same `Layout`. Parts of the same settings are the same
part, in whatever layout.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from graphlib import TopologicalSorter

from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.chains import circles
from setpoint.compiler.knowledge.model import Box, Constraint, Knowledge, Rule
from setpoint.compiler.record import NamedTuple


class SettingPart(NamedTuple):
    """Settings that are decided together: the part's `own`, in the order of decision, and all `settings` involved.

    `reads` are the settings of other parts that its advice reads.
    """

    own: tuple[str, ...]
    settings: frozenset[str]
    reads: frozenset[str]


Layout = tuple[SettingPart, ...]
"""The parts of a server, each after those that it reads."""


class Division:
    """A whole knowledge base, divided into the parts of a server at a time. `read` has all settings in advice."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.frame = knowledge.near({})
        self._rules: dict[str, list[Rule]] = {}
        for rule in knowledge.rules:
            self._rules.setdefault(rule.setting, []).append(rule)
        self._constraints = {
            id(constraint): (constraint, frozenset(_settings_of(constraint, knowledge)))
            for constraint in knowledge.constraints
        }
        self._reads = {
            setting: frozenset(
                name
                for rule in rules
                for applicability in rule.applicabilities
                for name, _ in applicability.when
                if name in knowledge.settings
            )
            for setting, rules in self._rules.items()
        }
        self.read = frozenset().union(*self._reads.values())

    def boxes(self) -> Iterator[Box]:
        """The conditions that decide which layout a server has."""
        for offers in self.knowledge.offers.values():
            yield from (offer.when for offer in offers)
        yield from (constraint.when for constraint in self.knowledge.constraints)
        yield from (preset.when for preset in self.knowledge.presets)

    def layout(self, bits: Mapping[str, int]) -> Layout:
        """The parts of a server with these facts."""
        offers = self.knowledge.offers
        there = dict.fromkeys(n for n in offers if any(holds(offer.when, bits) for offer in offers[n]))
        presets = [p for p in self.knowledge.presets if p.governor in there and holds(p.when, bits)]
        together: list[Collection[str]] = [
            names & there.keys()
            for constraint, names in self._constraints.values()
            if self._is_here(constraint, bits)
        ]
        leads: dict[str, set[str]] = {}
        for preset in presets:
            if self.knowledge.settings[preset.governor].stands:
                for member in there.keys() & preset.members:
                    leads.setdefault(member, set()).add(preset.governor)
            else:
                together.append(there.keys() & {preset.governor, *preset.members})
        return self._ordered(self._without_circles(_connected(there, together), leads), leads)

    def _is_here(self, constraint: Constraint, bits: Mapping[str, int]) -> bool:
        """Whether the facts of a constraint hold."""
        return holds(tuple(pair for pair in constraint.when if pair[0] in self.knowledge.kinds), bits)

    def _without_circles(
        self, part_of: dict[str, frozenset[str]], leads: Mapping[str, Collection[str]]
    ) -> dict[str, frozenset[str]]:
        """The parts, those as one that read each other, directly or not."""
        first = {name: min(part) for name, part in part_of.items()}
        after = {
            name: {first[setting] for setting in self._before(part_of[name], part_of, leads)}
            for name in set(first.values())
        }
        merged = {
            frozenset().union(*(part_of[name] for name in circle)) for circle in circles(after).values()
        }
        return {**part_of, **{name: part for part in merged for name in part}}

    def _ordered(self, part_of: dict[str, frozenset[str]], leads: Mapping[str, Collection[str]]) -> Layout:
        before = {
            part: {part_of[name] for name in self._before(part, part_of, leads)}
            for part in dict.fromkeys(part_of.values())
        }
        return tuple(self._part(part, part_of, leads) for part in TopologicalSorter(before).static_order())

    def _part(
        self, own: frozenset[str], part_of: Mapping[str, frozenset[str]], leads: Mapping[str, Collection[str]]
    ) -> SettingPart:
        settings = _with_leading(own, part_of, leads)
        position = {name: self.knowledge.settings[name].position for name in own}
        return SettingPart(
            tuple(sorted(own, key=position.__getitem__)),
            settings,
            frozenset(self._read_by(settings, part_of)),
        )

    def _before(
        self,
        part: frozenset[str],
        part_of: Mapping[str, frozenset[str]],
        leads: Mapping[str, Collection[str]],
    ) -> set[str]:
        """The settings that must be decided before a part."""
        return self._read_by(_with_leading(part, part_of, leads), part_of)

    def _read_by(self, settings: frozenset[str], part_of: Mapping[str, frozenset[str]]) -> set[str]:
        read = (self._reads.get(name, ()) for name in settings)
        return {name for names in read for name in names if name in part_of and name not in settings}

    def piece(self, part: SettingPart) -> Knowledge:
        """The knowledge base of a part."""
        whole, settings = self.knowledge, part.settings
        return self.frame._replace(
            offers={name: offers for name, offers in whole.offers.items() if name in settings},
            spellings={name: spellings for name, spellings in whole.spellings.items() if name in settings},
            presets=tuple(preset for preset in whole.presets if preset.governor in settings),
            rules=tuple(rule for name in sorted(settings) for rule in self._rules.get(name, ())),
            constraints=tuple(
                constraint
                for constraint, names in self._constraints.values()
                if not names or names & settings
            ),
            hazards={},
            services=(),
        )


def _settings_of(constraint: Constraint, knowledge: Knowledge) -> Iterator[str]:
    """The settings that a constraint names."""
    required = (constraint.require[0],) if constraint.require else ()
    yield from (name for name in (*(n for n, _ in constraint.when), *required) if name in knowledge.settings)


def _connected(names: Iterable[str], together: Iterable[Collection[str]]) -> dict[str, frozenset[str]]:
    """For each of these names those that it is together with, directly or not."""
    groups = {name: [name] for name in names}
    for some in together:
        merged = list({id(groups[name]): groups[name] for name in some}.values())
        for other in merged[1:]:
            merged[0].extend(other)
            groups.update(dict.fromkeys(other, merged[0]))
    sets = {id(group): frozenset(group) for group in groups.values()}
    return {name: sets[id(group)] for name, group in groups.items()}


def _with_leading(
    part: frozenset[str], part_of: Mapping[str, frozenset[str]], leads: Mapping[str, Collection[str]]
) -> frozenset[str]:
    """The settings of a part, and of those with the governing settings that stand over them."""
    settings, waiting = set(part), list(part)
    for name in waiting:
        for governor in leads.get(name, ()):
            if governor not in settings:
                waiting += part_of[governor] - settings
                settings |= part_of[governor]
    return frozenset(settings)
