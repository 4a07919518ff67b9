"""Compare the files of a running system with what a plan wants in them.

Several interfaces can write a setting (tuned, or a file of /sys directly), and one of them has to be right. Of one
interface, all files have to be.
"""

from collections.abc import Iterable

from setpoint.compiler.captures.model import REASONS, Reading
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.host import (
    ABSENT,
    GOVERNORS,
    NOT_CAPTURED,
    Host,
    has_all,
    of_cpus,
    where_text,
)
from setpoint.compiler.verification.model import (
    DIFFERS,
    IN_EFFECT,
    INCONSISTENT,
    NOT_APPLICABLE,
    OK,
    UNREADABLE,
    UNRESOLVED,
    VerdictReading,
)
from setpoint.compiler.verification.programs import READERS, printed_value
from setpoint.compiler.verification.texts import (
    COMPARED,
    LiveFile,
    choices,
    first_offered,
    is_same,
    latency_of,
    shown,
)

BEST = (OK, INCONSISTENT, DIFFERS, UNRESOLVED, UNREADABLE, NOT_APPLICABLE)
"""The states of one interface, the one that counts before others first."""

MOST_SHOWN = 4
"""How many different texts of one place a verdict shows."""

LONGEST = 120
"""How many characters of a text a verdict shows."""


class InEffect(NamedTuple):
    """What the running system shows for a setting: a state, the texts, and `why`, also why nothing was read."""

    state: str
    found: str | None
    readings: tuple[VerdictReading, ...]
    why: str = ""


NOTHING = InEffect(NOT_APPLICABLE, None, ())
"""No place shows the setting."""


class PlaceFound(NamedTuple):
    """The readings of a file by whether they are as wanted, and `why` not all of it was read, "" if it was."""

    file: LiveFile
    right: tuple[Reading, ...]
    wrong: tuple[Reading, ...]
    undecided: tuple[Reading, ...] = ()
    why: str = ""


def best_way(host: Host, ways: Iterable[tuple[LiveFile, ...]]) -> InEffect:
    """What the running system shows, by the interface that fits best; NOTHING if there is none."""
    effects = [in_effect(tuple(place_found(host, file) for file in files)) for files in ways]
    return min(effects, key=lambda effect: BEST.index(effect.state), default=NOTHING)


def place_found(host: Host, file: LiveFile) -> PlaceFound:
    """The readings of a file, compared."""
    readings = host.at(file.place)
    why = host.why_unread(file.place)
    if why and readings and has_all(host, file.place, readings):
        why = ""
    if file.comparison == "exit-latency":
        latency = latency_of(file.text, host.idle_states)
        if latency is None:
            return PlaceFound(file, (), (), readings, why)
        wanted = str(latency)
    else:
        wanted = file.text
    right: list[Reading] = []
    wrong: list[Reading] = []
    undecided: list[Reading] = []
    for reading in readings:
        fits = _fits(host, file, reading, wanted)
        (undecided if fits is None else right if fits is file.is_same else wrong).append(reading)
    return PlaceFound(file, tuple(right), tuple(wrong), tuple(undecided), why)


def _fits(host: Host, file: LiveFile, reading: Reading, wanted: str) -> bool | None:
    """Whether a reading has the wanted text; None if nothing decides that."""
    if file.interface in READERS:
        value = printed_value(file.interface, file.name, reading.text)
        return None if value is None else is_same(value, wanted)
    text = shown(reading.text)
    if file.comparison != "first-offered":
        return COMPARED.get(file.comparison, COMPARED[""])(text, wanted)
    if "|" not in wanted:
        return text == wanted
    offers = host.at(GOVERNORS) if file.place.endswith("/scaling_governor") else (reading,)
    if not offers:
        return None if text in wanted.split("|") else False
    return text == first_offered(wanted, choices(offers[0].text))


def in_effect(places: tuple[PlaceFound, ...]) -> InEffect:
    """What the places of one interface show together: wrong if one of them is, right if all are."""
    readings = tuple(reading for place in places for reading in readings_of(place))
    text = ", ".join(dict.fromkeys(shown_text(place, r) for place in places for r in _all(place))) or None
    if text is not None:
        text = text[:LONGEST]
    for place in places:
        if place.wrong:
            if place.right and of_cpus(place.file.place):
                return InEffect(INCONSISTENT, text, readings, disagreement(place))
            return InEffect(DIFFERS, text, readings, _wrong_text(place))
    for place in places:
        if place.undecided:
            return InEffect(
                UNRESOLVED, text, readings, "what was read does not say which value this server offers"
            )
    unread = [place for place in places if place.why and place.why != ABSENT]
    if unread:
        return InEffect(UNREADABLE, text, readings, why_text(unread[0].file.place, unread[0].why))
    if any(place.right for place in places):
        return InEffect(OK, text, readings)
    where = places[0].file.place if places else ""
    return InEffect(NOT_APPLICABLE, None, (), f"this server has no {where}")


def shown_text(place: PlaceFound, reading: Reading) -> str:
    """What a reading shows of its file."""
    file = place.file
    if file.interface in READERS:
        return printed_value(file.interface, file.name, reading.text) or ""
    return shown(reading.text)


def why_text(place: str, why: str) -> str:
    """Why a place was not read, as a sentence."""
    if why == NOT_CAPTURED:
        return f"the capture does not have {place}"
    return f"{place}: {REASONS.get(why, why)}"


def disagreement(place: PlaceFound) -> str:
    """Which processors have which text."""
    parts = [
        f"{shown(reading.text)} on {where_text(place.file.place, [reading])}"
        for reading in (*place.right, *place.wrong)
    ]
    more = f" and {len(parts) - MOST_SHOWN} more" if len(parts) > MOST_SHOWN else ""
    return ", ".join(parts[:MOST_SHOWN]) + more


def readings_of(place: PlaceFound) -> tuple[VerdictReading, ...]:
    """The readings that a verdict shows: the wrong ones before the others."""
    texts = dict.fromkeys(
        shown_text(place, reading)[:LONGEST] for reading in (*place.wrong, *place.undecided, *place.right)
    )
    return tuple(VerdictReading(IN_EFFECT, place.file.place, text) for text in list(texts)[:MOST_SHOWN])


def _all(place: PlaceFound) -> tuple[Reading, ...]:
    return (*place.wrong, *place.undecided, *place.right)


def _wrong_text(place: PlaceFound) -> str:
    """Where the wrong texts are, if that is not everywhere."""
    return (
        f"on {where_text(place.file.place, place.wrong)}"
        if place.right and where_text(place.file.place, place.wrong)
        else ""
    )
