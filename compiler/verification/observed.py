"""What observations of the knowledge base show of a setting on a captured host.

Several places can show one setting: what firmware has set, and what came later. If any of them shows another value, the
setting is not as planned, and the owner of that place is to blame, unless a place that nobody writes after the firmware
shows it as well. A place whose guards do not hold, on a processor or everywhere, says nothing there.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.captures.model import Reading
from setpoint.compiler.knowledge.boxes import ANY, holds
from setpoint.compiler.knowledge.model import Knowledge, Observation, narrowest
from setpoint.compiler.knowledge.observations import Guard, selected_part
from setpoint.compiler.knowledge.quantity import CpuLists, Numbers
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.derived import DERIVED_PLACE, SOURCES, derived
from setpoint.compiler.verification.host import (
    ABSENT,
    Host,
    has_all,
    members,
    members_text,
    of_cpus,
    where_text,
)
from setpoint.compiler.verification.live import LONGEST, MOST_SHOWN, NOTHING, InEffect, why_text
from setpoint.compiler.verification.model import (
    DIFFERS,
    IN_EFFECT,
    INCONSISTENT,
    OK,
    UNREADABLE,
    UNRESOLVED,
    VerdictReading,
)
from setpoint.compiler.verification.texts import cpus_of, is_same


class ObservedSetting(NamedTuple):
    """The observations of a setting for a plan, the unit of its numbers, and why nothing shows it, "" otherwise.

    If `is_list`, its values are lists of processors.
    """

    observations: tuple[Observation, ...]
    unit: str
    unseen: str
    is_list: bool


class Sighting(NamedTuple):
    """What a host shows, and the owners of the places that show another value than the planned one.

    `was_set` is whether a place that nobody writes after the firmware shows the planned value.
    """

    seen: InEffect
    owner: str = ""
    was_set: bool = False


class _PlaceSeen(NamedTuple):
    """What a place shows: its readings with their values, None for a text that stands for none.

    `why` is why some were not read, at the place `unread`. `void` is why what was read does not count, "" if some of it
    does.
    """

    observation: Observation
    values: tuple[tuple[Reading, str, str | None], ...]
    why: str
    unread: str
    void: str


def observed_setting(knowledge: Knowledge, setting: str, bits: dict[str, int]) -> ObservedSetting:
    """The observations of a setting for these facts: at each place those with the narrowest condition."""
    by_place: dict[str, list[Observation]] = {}
    for observation in knowledge.observations.get(setting, ()):
        if holds(observation.when, bits):
            by_place.setdefault(observation.place, []).append(observation)
    here = [unseen for unseen in knowledge.unseen.get(setting, ()) if holds(unseen.when, bits)]
    scale = knowledge.variables[setting].scale if setting in knowledge.variables else None
    return ObservedSetting(
        tuple(observation for observations in by_place.values() for observation in narrowest(observations)),
        scale.unit if isinstance(scale, Numbers) else "",
        here[0].because if here else "",
        isinstance(scale, CpuLists),
    )


def sighting(host: Host, asked: ObservedSetting, wanted: str) -> Sighting:
    """What a host shows of a setting that is to have the value `wanted`."""
    places = [_seen(host, observation, asked) for observation in asked.observations]
    seen = [place for place in places if place.values]
    wrong = [
        place for place in seen if any(_is_wrong(place.observation, v, wanted) for _, _, v in place.values)
    ]
    readings = tuple(
        reading for place in (*wrong, *(s for s in seen if s not in wrong)) for reading in _readings(place)
    )
    text = (
        ", ".join(dict.fromkeys(v or part for place in seen for _, part, v in place.values))[:LONGEST] or None
    )
    if wrong:
        was_set = any(
            not place.observation.owner and all(_is(v, wanted) for _, _, v in place.values) for place in seen
        )
        return Sighting(_differing(wrong[0], wanted, text, readings), _owner(wrong), was_set)
    whole = [place for place in seen if not place.why and all(_is(v, wanted) for _, _, v in place.values)]
    if whole:
        return Sighting(InEffect(OK, text, readings))
    unread = [place for place in places if place.why and place.why != ABSENT]
    void = [place for place in places if place.void]
    if void and not seen:
        return Sighting(InEffect(UNRESOLVED, None, (), void[0].void))
    if seen and not unread:
        return Sighting(InEffect(UNRESOLVED, text, readings, "what was read stands for no single value"))
    if unread:
        why = why_text(unread[0].unread, unread[0].why)
        return Sighting(InEffect(UNREADABLE, text, readings, why))
    if places:
        why = f"this server does not show it: {why_text(places[0].unread, places[0].why or ABSENT)}"
        return Sighting(NOTHING._replace(why=why))
    return Sighting(NOTHING)


def shown_values(host: Host, asked: ObservedSetting) -> set[str]:
    """The values that a host shows for a setting, on all its processors and at all places that count."""
    places = (_seen(host, observation, asked) for observation in asked.observations)
    return {value for place in places for _, _, value in place.values if value is not None}


def _differing(
    place: _PlaceSeen, wanted: str, text: str | None, readings: tuple[VerdictReading, ...]
) -> InEffect:
    where, observation = place.observation.place, place.observation
    right = [reading for reading, _, value in place.values if _is(value, wanted)]
    wrong = [reading for reading, _, value in place.values if _is_wrong(observation, value, wanted)]
    if right and of_cpus(where):
        parts = [
            f"{value or part} on {where_text(where, [reading])}" for reading, part, value in place.values
        ]
        more = f" and {len(parts) - MOST_SHOWN} more" if len(parts) > MOST_SHOWN else ""
        return InEffect(INCONSISTENT, text, readings, ", ".join(parts[:MOST_SHOWN]) + more)
    return InEffect(DIFFERS, text, readings, f"on {where_text(where, wrong)}" if right else "")


def _owner(wrong: Iterable[_PlaceSeen]) -> str:
    """What may have changed the places that are wrong; "" if one of them is as the firmware left it."""
    owners = [place.observation.owner for place in wrong]
    return " and ".join(dict.fromkeys(owners)) if all(owners) else ""


def _is(value: str | None, wanted: str) -> bool:
    return value is not None and is_same(value, wanted)


def _is_wrong(observation: Observation, value: str | None, wanted: str) -> bool:
    """Whether a value contradicts the wanted one: it is another, and the place could show the wanted one."""
    if value is None or is_same(value, wanted):
        return False
    return any(shown == wanted or (shown == ANY and wanted[:1].isdigit()) for _, shown in observation.texts)


def _seen(host: Host, observation: Observation, asked: ObservedSetting) -> _PlaceSeen:
    """What a place shows where the guards of the observation hold."""
    readings, why, unread = _read(host, observation.place)
    void = ""
    for guard in observation.guards:
        kept = tuple(_guarded(host, observation, guard, readings))
        if readings and not kept:
            void = _void(host, guard)
        readings = kept
    values = tuple(
        (reading, observation.part_of(reading.text)[:LONGEST], _value(observation, reading.text, asked))
        for reading in readings
    )
    return _PlaceSeen(observation, values, why, unread, void)


def _read(host: Host, place: str) -> tuple[tuple[Reading, ...], str, str]:
    """The readings of a place, why some were not read, and where."""
    if not place.startswith(DERIVED_PLACE):
        readings, why = host.matching(place), host.why_unread(place)
        return readings, "" if why and has_all(host, place, readings) else why, place
    name = place.removeprefix(DERIVED_PLACE)
    counted = derived(host, name)
    if counted is not None:
        return (Reading(counted),), "", place
    for source in SOURCES.get(name, ()):
        if why := host.why_unread(source):
            return (), why, source
    return (), "failed", place


def _value(observation: Observation, text: str, asked: ObservedSetting) -> str | None:
    value = observation.value_of(text, asked.unit)
    if value is None and asked.is_list and any(shown == ANY for _, shown in observation.texts):
        part = selected_part(text, observation.bits, observation.line)
        return part if part and cpus_of(part) is not None else None
    return value


def _void(host: Host, guard: Guard) -> str:
    """Why a guard does not hold: what its place shows instead, or that it was not read."""
    texts = [_guard_text(guard, reading.text) for reading in host.matching(guard.place)]
    shown = ", ".join(dict.fromkeys(texts)) or host.why_unread(guard.place)
    return f"it counts only while {_place_text(guard)} is {'' if guard.is_same else 'not '}{guard.text}, and that is {shown}"


def _guard_text(guard: Guard, text: str) -> str:
    part = selected_part(text, guard.bits, guard.line)
    return (part if part is not None else text.strip())[:LONGEST]


def _place_text(at: Observation | Guard) -> str:
    """A place, with the bits or the line that count."""
    if at.bits:
        low, high = at.bits
        return f"{at.place} bit {low}" if low == high else f"{at.place} bits {low} to {high}"
    return f"{at.place} {at.line}" if at.line else at.place


def _guarded(
    host: Host, observation: Observation, guard: Guard, readings: tuple[Reading, ...]
) -> Iterator[Reading]:
    """The readings, or parts of them, where a guard holds: on the same processors or devices, if both have any."""
    fulfilled = [reading for reading in host.matching(guard.place) if guard.holds(reading.text)]
    if not _alike(observation.place, guard.place):
        yield from readings if fulfilled else ()
        return
    where = frozenset(member for reading in fulfilled for member in members(reading.where))
    for reading in readings:
        if common := members(reading.where) & where:
            yield (
                reading if common == members(reading.where) else reading._replace(where=members_text(common))
            )


def _alike(place: str, other: str) -> bool:
    """Whether the readings of two places are of the same processors, or of the same devices."""
    if of_cpus(place) and of_cpus(other):
        return ("/node*" in place) == ("/node*" in other)
    return "*" in place and place.partition("*")[0] == other.partition("*")[0]


def _readings(place: _PlaceSeen) -> Iterator[VerdictReading]:
    """The readings of a place that a verdict shows, with the bits or the line that count."""
    where = _place_text(place.observation)
    texts = dict.fromkeys(_part_text(part, value) for _, part, value in place.values)
    yield from (VerdictReading(IN_EFFECT, where, text) for text in list(texts)[:MOST_SHOWN])


def _part_text(part: str, value: str | None) -> str:
    return part if value is None or value == part else f"{part} ({value})"
