"""The contexts of a question in regions, in which fewer settings depend on one another.

A profile of one vendor connects settings that are independent on the servers of another. Analysed together everywhere,
all conditions on any of them would multiply, although no server has both. So the contexts are divided by the fact that
most profiles and constraints are about, where they differ in which of these can apply: a *region* is the contexts in
which the same ones can. In a region, settings that nothing there connects are analysed apart from one another.

The result is one space again. Each part of it has the situations of one region that the conditions on one group of
connected settings distinguish, and `Space.scopes` says for each setting which parts are about it. Every context of a
region occurs once for each setting, so that counts of contexts stay what they are.

With two knowledge bases that are compared, a region is of both: a value of the fact in the one, and in the other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import pairwise

from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge, meet
from setpoint.compiler.proof.combinations import Bases
from setpoint.compiler.proof.extract import connects, settings_named
from setpoint.compiler.proof.links import connected
from setpoint.compiler.proof.reachable import Group
from setpoint.compiler.proof.sets.ground import conditions, settings_of_constraint
from setpoint.compiler.proof.sets.masks import union
from setpoint.compiler.proof.sets.space import Situation, Space, facts_of, numbers
from setpoint.compiler.proof.situations import spaces
from setpoint.compiler.record import NamedTuple

Tie = tuple[Box, tuple[str, ...]]
"""Settings that are decided together wherever a condition can hold."""


class Region(NamedTuple):
    """Contexts: for each knowledge base, the condition on facts that holds in them and in no others.

    `groups` are the facts in their groups, with the combinations that can be in the region.
    """

    conditions: tuple[Box, ...]
    groups: tuple[Group, ...]


def connections(knowledge: Knowledge) -> Iterator[Tie]:
    """The settings that a profile or a constraint connects, each with its condition."""
    for preset in knowledge.presets:
        if connects(knowledge, preset):
            yield preset.when, (preset.governor, *preset.members)
    for constraint in knowledge.constraints:
        yield constraint.when, tuple(sorted(settings_of_constraint(knowledge, constraint)))


def regions(bases: Bases, groups: tuple[Group, ...]) -> tuple[Region, ...]:
    """The regions that some policy reaches; a single one if there is nothing to divide them by."""
    fact = _dividing_fact(bases)
    if not fact:
        return (Region(((),) * len(bases), groups),)
    parts = [_parts_of(base, fact) for base in bases]
    reached = spaces(bases, groups, tuple(parts))
    boxes: dict[tuple[Box, ...], None] = {}
    for number in range(len(reached[0].situations)):
        here = 1 << number
        boxes[
            tuple(
                next(b for b in own if space.where(b) & here)
                for own, space in zip(parts, reached, strict=True)
            )
        ] = None
    return tuple(
        Region(conditions, tuple(_restricted(bases, group, fact, conditions) for group in groups))
        for conditions in boxes
    )


def ties_within(knowledge: Knowledge, condition: Box) -> int:
    """The set of connections that can hold in a region: it identifies the region, whatever numbers the values have."""
    held = (can_hold(box, condition) for box, _ in connections(knowledge))
    return sum(1 << number for number, can in enumerate(held) if can)


def regions_by_ties(knowledge: Knowledge) -> dict[int, Box]:
    """The condition of each region, by the connections that can hold there."""
    fact = _dividing_fact((knowledge,))
    conditions = _parts_of(knowledge, fact) if fact else ((),)
    return {ties_within(knowledge, condition): condition for condition in conditions}


def _restricted(bases: Bases, group: Group, fact: str, conditions: tuple[Box, ...]) -> Group:
    """A group with the combinations of which some value of each class fulfils the condition on the dividing fact."""
    if fact not in group.facts:
        return group
    return group.with_values(
        fact,
        tuple(
            fulfilling(base, group, fact, mask) for base, ((_, mask),) in zip(bases, conditions, strict=True)
        ),
    )


def fulfilling(knowledge: Knowledge, group: Group, fact: str, mask: int) -> frozenset[str]:
    """The values of a fact that fulfil a condition, and the classes that have one of them; "" for none."""
    names = set(knowledge.variables[fact].names(mask))
    alike = {values[0] for values in group.classes[fact] if names & set(values)}
    return frozenset(names | alike | ({""} if mask & UNSTATED else set()))


def regions_within(knowledge: Knowledge, regions: Iterable[Region], boxes: Iterable[Box]) -> Iterator[Region]:
    """The regions, cut to the contexts that fulfil what these conditions on facts have in common: each fact has a value
    of one of them."""
    hull = _hull(tuple(boxes))
    for region in regions:
        condition = meet(region.conditions[0], hull)
        if condition is not None:
            groups = tuple(_narrowed(knowledge, group, hull) for group in region.groups)
            yield Region((condition,), groups)


def _hull(boxes: tuple[Box, ...]) -> Box:
    """The narrowest condition that is wider than each of these."""
    masks = [dict(box) for box in boxes]
    named = sorted(set.intersection(*map(set, masks))) if masks else []
    return tuple((name, union(box[name] for box in masks)) for name in named)


def _narrowed(knowledge: Knowledge, group: Group, hull: Box) -> Group:
    for name, mask in hull:
        if name in group.facts:
            group = group.narrowed(name, (fulfilling(knowledge, group, name, mask),))
    return group


def divided_spaces(
    bases: Bases,
    divisions: tuple[Region, ...],
    settings: tuple[frozenset[str], ...],
    further: tuple[tuple[Box, ...], ...],
    wanted: frozenset[str] | None = None,
) -> tuple[Space, ...]:
    """The space of some settings in each knowledge base, divided.

    `settings` must include all that they depend on. `further` has more conditions of each base to distinguish; the
    settings that one of them names are not divided. Given `wanted` settings, a region has only what these depend on in
    it. Raises TooManySituationsError.
    """

    questions = [_Question(*fields) for fields in zip(bases, settings, further, strict=True)]
    names = sorted(frozenset[str]().union(*settings))
    for region in divisions:
        for asked, together in _asked_within(questions, region, names, wanted).items():
            region_spaces = spaces(bases, region.groups, asked)
            inside = region_spaces[0].everywhere
            for space, condition in zip(region_spaces, region.conditions, strict=True):
                inside &= space.where(condition)
            for space, question in zip(region_spaces, questions, strict=True):
                question.joined.add(space, inside, together)
        for question in questions:
            question.joined.end_of_region()
    return tuple(
        question.space(tuple(region.conditions[number] for region in divisions))
        for number, question in enumerate(questions)
    )


class _Question:
    """What is asked of one knowledge base: about which settings, and which further conditions to distinguish; and the
    space that it gets."""

    def __init__(self, base: Knowledge, own: frozenset[str], further: tuple[Box, ...]) -> None:
        self.base, self.own, self.further = base, own, further
        self.ties, self.reads = tuple(_ties(base, own, further)), tuple(_reads(base, own))
        self.joined = _Joined()
        self.conditions = cache(partial(conditions, base))
        """The conditions on some settings: regions ask for the same again and again."""

    def asked(self, condition: Box, together: frozenset[str]) -> tuple[Box, ...]:
        """The conditions to distinguish in a region, for settings that are connected there."""
        boxes = (*self.conditions(self.own & together), *_about(self.base, self.further, together))
        return condition, *(box for box in boxes if can_hold(box, condition))

    def space(self, divisions: tuple[Box, ...]) -> Space:
        """The whole space, given the conditions of all regions."""
        further = (facts_of(self.base, box) for box in self.further)
        return self.joined.space((*divisions, *self.conditions(self.own), *further))


def _asked_within(
    questions: list[_Question], region: Region, names: list[str], wanted: frozenset[str] | None
) -> dict[tuple[tuple[Box, ...], ...], frozenset[str]]:
    """What to distinguish in a region, in each knowledge base, and the settings for which it is the same."""
    ties = _live([question.ties for question in questions], region)
    reads = _live([question.reads for question in questions], region)
    same: dict[tuple[tuple[Box, ...], ...], frozenset[str]] = {}
    for together in _together(names, ties, reads, wanted):
        asked = tuple(
            question.asked(condition, together)
            for question, condition in zip(questions, region.conditions, strict=True)
        )
        same[asked] = same.get(asked, frozenset()) | together
    return same


def connected_within(knowledge: Knowledge, region: Region, settings: Iterable[str]) -> frozenset[str]:
    """Some settings, with those that a profile or a constraint connects with them in a region."""
    ties = _live((tuple(connections(knowledge)),), region)
    groups = _together(knowledge.settings, ties, [])
    return frozenset().union(*(group for group in groups if not group.isdisjoint(settings)))


def space_of_region(
    knowledge: Knowledge, region: Region, boxes: Iterable[Box], settings: frozenset[str]
) -> Space:
    """The situations of one region that these conditions on facts distinguish. Raises TooManySituationsError."""
    (condition,) = region.conditions
    asked = tuple(boxes)
    (space,) = spaces(
        (knowledge,), region.groups, ((condition, *(box for box in asked if can_hold(box, condition))),)
    )
    whole = _Joined()
    if inside := space.where(condition):
        whole.add(space, inside, settings)
    whole.end_of_region()
    return whole.space((condition, *asked))


def can_hold(box: Box, condition: Box) -> bool:
    """Whether both can hold in one context, as far as the facts that both name show."""
    limits = dict(condition)
    return all(mask & limits.get(name, mask) for name, mask in box)


def _dividing_fact(bases: Bases) -> str:
    """The fact that most connections are about, in any of the knowledge bases; "" if they are about none."""
    about = Counter(
        name for base in bases for box, _ in connections(base) for name, _ in box if name in base.kinds
    )
    return min(about, key=lambda name: (-about[name], name), default="")


def _parts_of(knowledge: Knowledge, fact: str) -> tuple[Box, ...]:
    """Conditions on a fact that exclude one another: its values, together if the same connections can hold."""
    masks = sorted({mask for box, _ in connections(knowledge) for name, mask in box if name == fact})
    parts: dict[tuple[bool, ...], int] = {}
    for place in numbers(knowledge.variables[fact].everything):
        bit = 1 << place
        key = tuple(bool(mask & bit) for mask in masks)
        parts[key] = parts.get(key, 0) | bit
    return tuple(((fact, mask),) for mask in parts.values())


def _live(ties: Iterable[tuple[Tie, ...]], region: Region) -> list[tuple[str, ...]]:
    """The settings of those ties of each knowledge base that can hold in a region."""
    return [
        tied
        for base, condition in zip(ties, region.conditions, strict=True)
        for box, tied in base
        if can_hold(box, condition)
    ]


def _together(
    names: Iterable[str],
    ties: list[tuple[str, ...]],
    reads: list[tuple[str, ...]],
    wanted: frozenset[str] | None = None,
) -> Iterator[frozenset[str]]:
    """The settings in groups that nothing connects, given what ties them, and which of them each reads.

    Given `wanted` settings, only these and those that they depend on: not what merely reads one of them.
    """
    tied = connected(names, (pair for tie in ties for pair in pairwise(tie)))
    needed = set(tied) if wanted is None else _needed(tied, reads, wanted)
    links = [
        pair for connection in (*ties, *reads) if connection[0] in needed for pair in pairwise(connection)
    ]
    yield from map(frozenset, sorted({tuple(sorted(group)) for group in connected(needed, links).values()}))


def _needed(tied: dict[str, set[str]], reads: list[tuple[str, ...]], wanted: frozenset[str]) -> set[str]:
    """Some settings with everything that they depend on."""
    read_by: dict[str, set[str]] = {}
    for reader, *others in reads:
        read_by.setdefault(reader, set()).update(others)
    settings: set[str] = set()
    ahead = wanted & tied.keys()
    while ahead:
        new = frozenset[str]().union(*(tied[name] for name in ahead)) - settings
        settings |= new
        ahead = frozenset(other for name in new for other in read_by.get(name, ())) - settings
    return settings


def _ties(knowledge: Knowledge, own: frozenset[str], further: Iterable[Box]) -> Iterator[Tie]:
    """What ties some settings to one another: profiles, constraints, and further conditions."""
    further_ties = ((box, tuple(settings_named(knowledge, (box,)))) for box in further)
    for box, tied in (*connections(knowledge), *further_ties):
        if len(among := sorted(own.intersection(tied))) > 1:
            yield box, tuple(among)


def _reads(knowledge: Knowledge, own: frozenset[str]) -> Iterator[Tie]:
    """Those of some settings whose rules read others of them, each with these."""
    for rule in knowledge.rules:
        for applied in rule.applicabilities if rule.setting in own else ():
            read = sorted(own & settings_named(knowledge, (applied.when,)) - {rule.setting})
            if read:
                yield applied.when, (rule.setting, *read)


def _about(knowledge: Knowledge, boxes: Iterable[Box], together: frozenset[str]) -> Iterator[Box]:
    """The parts on facts of conditions that name some of these settings, or none at all."""
    for box in boxes:
        named = settings_named(knowledge, (box,))
        if not named or together & named:
            yield facts_of(knowledge, box)


class _Joined:
    """A space that grows by the situations of one region and one group of settings at a time."""

    def __init__(self) -> None:
        self.situations: list[Situation] = []
        self.where: dict[Box, int] = {}
        self.scopes: dict[str, int] = {}
        self.total = 0
        self._contexts = 0

    def add(self, space: Space, inside: int, settings: frozenset[str]) -> None:
        """Add those situations of a space that are inside of the region."""
        first = len(self.situations)
        kept = list(numbers(inside))
        self.situations += [space.situations[number] for number in kept]
        for box, where in space.situations_by_condition.items():
            if there := where & inside:
                self.where[box] = self.where.get(box, 0) | _picked(there, kept) << first
        scope = (1 << len(kept)) - 1 << first
        for name in settings:
            self.scopes[name] = self.scopes.get(name, 0) | scope
        self._contexts = space.contexts(inside)

    def end_of_region(self) -> None:
        """Count the contexts of a region, which every group of settings in it has."""
        self.total += self._contexts
        self._contexts = 0

    def space(self, boxes: Iterable[Box]) -> Space:
        """The whole. A condition that can hold in no region holds nowhere."""
        return Space(
            tuple(self.situations), {box: self.where.get(box, 0) for box in boxes}, self.scopes, self.total
        )


def _picked(where: int, kept: list[int]) -> int:
    """A set of situations that has only some of them, in these places. As text, since a shift copies the whole set."""
    last = kept[-1]
    bits = f"{where:0{last + 1}b}"
    return int("".join([bits[last - number] for number in reversed(kept)]), 2)
