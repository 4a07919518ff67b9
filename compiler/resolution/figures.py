"""The figures that are relevant to a setting: those that vary it, compare its values, or hold it constant.

Readers want the figures that support the winning value, then those measured on systems most like this server. So the
figures at the cited place come first, then those of the same source, then those whose conditions match the plan best.
Figures that only held the setting constant, and varied no other one, come last, and only from a source that supports
the value. Among equals, a figure with a counterpart (the same with another value of the setting) comes before one
without, and a server under load before an idle one. Counterparts are selected together or not at all, as far as there
is room.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from setpoint.compiler.knowledge.model import Citation, Knowledge, Measurement
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple

MOST = 16
"""How many figures are selected; for the others, readers get their places."""

MOST_OF_ONE = 6
"""How many of them come from one place, unless the winner cites it."""

_NUMBERED = re.compile(r"([A-Za-z]+?)s? (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)*)*)")
"""A numbered place, or several of a kind: `Table 2`, `Figures 13, 14 and 15`."""

AT_REST = "idle"
"""The beginning of the labels of figures that were measured on an idle server."""


class Relevant(NamedTuple):
    """The figures that are relevant to a decision: the selected ones, nearest first, and the rest."""

    first: tuple[Measurement, ...]
    rest: tuple[Measurement, ...]


class _Rank(NamedTuple):
    """The order of figures: from the cited place, comparing values, from a winning source, nearest.

    `apart` is the number of conditions that this plan does not meet. Figures that differ in this setting alone are kept
    together: `beside` is the position of the first of them, and `lone` marks a figure without a counterpart.
    """

    elsewhere: bool
    holds: bool
    foreign: bool
    apart: int
    lone: bool
    at_rest: bool
    beside: tuple[object, ...]
    place: tuple[object, ...]


def relevant(
    knowledge: Knowledge, plan: Plan, decision: Decision, evidence: Iterable[Measurement]
) -> Relevant:
    """The figures among the evidence that are relevant to a decision."""
    figures = [m for m in dict.fromkeys(evidence) if _bears(m, decision.setting)]
    ranked = sorted(_ranked(knowledge, plan, decision, figures), key=lambda pair: pair[0])
    first = _chosen(ranked)
    shown = set(map(id, first))
    return Relevant(tuple(first), tuple(m for m in figures if id(m) not in shown))


def hardware(knowledge: Knowledge) -> tuple[str, ...]:
    """The facts that say which server it is: one that says what fits it, and what fits."""
    fitted = ((kind.name, kind.fits) for kind in knowledge.kinds.values() if kind.fits)
    return tuple(dict.fromkeys(name for pair in fitted for name in pair))


def nearest_elsewhere(knowledge: Knowledge, plan: Plan, figures: Iterable[Measurement]) -> Measurement | None:
    """The nearest of figures that were all measured on other hardware; None if the hardware of one is that of the plan.

    The nearest is the one of which the least share of what is stated of its hardware is other, the first of several.
    """
    masks = {
        fact.name: knowledge.variables[fact.name].below(fact.value)
        for fact in plan.facts
        if fact.name in hardware(knowledge)
    }

    def apart(figure: Measurement) -> float:
        stated = [not mask & masks[variable] for variable, mask in figure.box if variable in masks]
        return sum(stated) / len(stated) if stated else 0.0

    nearest = min(figures, key=apart, default=None)
    return nearest if nearest and apart(nearest) else None


def by_place(figures: Iterable[Measurement]) -> Iterator[tuple[Measurement, ...]]:
    """Figures that belong together: from one place of a source, with the same conditions held, formula and note."""
    groups: dict[tuple[object, ...], list[Measurement]] = {}
    for figure in figures:
        groups.setdefault((figure.citation, figure.held, figure.computed, figure.note), []).append(figure)
    yield from map(tuple, groups.values())


def in_common(figures: tuple[Measurement, ...], setting: str) -> tuple[tuple[str, str], ...]:
    """The conditions that all of these figures have, other than on the setting itself."""
    first = figures[0]
    return tuple(
        pair for pair in first.when if pair[0] != setting and all(pair in figure.when for figure in figures)
    )


def by_setting(evidence: Iterable[Measurement]) -> dict[str, list[Measurement]]:
    """The evidence that can be relevant to each setting, for whoever asks about many settings."""
    groups: dict[str, list[Measurement]] = {}
    for figure in evidence:
        for name in (figure.varied[0],) if figure.varied else dict.fromkeys(name for name, _ in figure.box):
            groups.setdefault(name, []).append(figure)
    return groups


def _chosen(ranked: list[tuple[_Rank, Measurement]]) -> list[Measurement]:
    """The figures to show: counterparts together, as far as there is room."""
    sets: dict[tuple[object, ...], list[tuple[_Rank, Measurement]]] = {}
    for rank, figure in ranked:
        if not (rank.holds and rank.foreign):
            sets.setdefault(rank.beside, []).append((rank, figure))
    shown: list[Measurement] = []
    of_one: Counter[Citation] = Counter()
    for together in sets.values():
        rank, figure = together[0]
        room = MOST - len(shown)
        if rank.elsewhere:
            room = min(room, MOST_OF_ONE - of_one[figure.citation])
        if len(together) <= room:
            shown += (figure for _, figure in together)
            of_one[figure.citation] += len(together)
    return shown


def _bears(measurement: Measurement, name: str) -> bool:
    if measurement.varied:
        return measurement.varied[0] == name
    return any(variable == name for variable, _ in measurement.box)


def _ranked(
    knowledge: Knowledge, plan: Plan, decision: Decision, figures: list[Measurement]
) -> Iterator[tuple[_Rank, Measurement]]:
    """Figures with their ranks."""
    name = decision.setting
    cited = {cause.citation for cause in decision.because if cause.citation}
    places = {(citation.source, place) for citation in cited for place in _places(citation.at)}
    sources = {citation.source for citation in cited}
    masks = _masks(knowledge, plan, {variable for m in figures for variable, _ in m.box if variable != name})
    together: dict[tuple[object, ...], list[Measurement]] = {}
    for m in sorted(figures, key=_position):
        together.setdefault(_key_without(m, name), []).append(m)

    @cache
    def is_elsewhere(citation: Citation) -> bool:
        return not any((citation.source, place) in places for place in _places(citation.at))

    for counterparts, m in ((group, m) for group in together.values() for m in group):
        rank = _Rank(
            elsewhere=is_elsewhere(m.citation),
            holds=name in dict(m.held),
            foreign=m.citation.source not in sources,
            apart=[not mask & masks.get(variable, mask) for variable, mask in m.box].count(True),
            lone=not m.varied and len(counterparts) == 1,
            at_rest=any(value.startswith(AT_REST) for _, value in m.labels),
            beside=_position(counterparts[0]),
            place=_position(m),
        )
        yield rank, m


def _position(measurement: Measurement) -> tuple[object, ...]:
    """Where it is written, and what it is called there."""
    return *measurement.span, measurement.name


def _key_without(measurement: Measurement, name: str) -> tuple[object, ...]:
    """A key that is equal for figures that differ only in this setting."""
    rest = tuple(pair for pair in measurement.when if pair[0] != name)
    return measurement.citation, measurement.labels, measurement.metric, measurement.unit, rest


def _masks(knowledge: Knowledge, plan: Plan, names: set[str]) -> dict[str, int]:
    """The possible values of these facts and settings in this plan, as sets.

    A fact that is stated broadly can have any value within the stated one; an assumed fact can have any value.
    """
    known = (fact for fact in plan.facts if fact.origin != "assumed" and fact.name in names)
    facts = {fact.name: knowledge.variables[fact.name].below(fact.value) for fact in known}
    others = (d for d in plan.settings if d.setting in names)
    return facts | {d.setting: knowledge.variables[d.setting].bit(d.value) for d in others}


@lru_cache(maxsize=1024)
def _places(at: str) -> frozenset[str]:
    """The places that a locator lists; the locator itself if it has no numbers."""
    places = {
        f"{kind} {number}"
        for kind, numbers in _NUMBERED.findall(at)
        for number in re.split(", | and ", numbers)
    }
    return frozenset(places or {at})
