"""Profiles: settings that govern others.

A named profile fixes its members, and the firmware locks them there; a profile such as *custom* leaves them free. What no
table says is unknown, and unknown is not free. All tables of one governing setting that apply are read as one.

A profile that nobody sets or recommends is derived from what its members have become. As long as none of them departs
from the vendor's default, it stays at its own. Otherwise it is the first value that fits:

1. one that fixes every member: as values that fix a member otherwise are no longer possible, it fixes just these values;
2. one of which it is known for every member that it fixes or frees it;
3. one of which that is known for every member that somebody asked for.

Among several the vendor's default comes first, then the order of the setting's values. That a `set` asks for what a setting
is anyway makes no difference, unless it is unknown whether the profile locks it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from setpoint.compiler.knowledge.model import FREE, Preset
from setpoint.compiler.record import distinct

MemberEffects = dict[str, str]
"""What a profile does to each member of which it is known: the value that it fixes, or `FREE`."""


@distinct
class Member(NamedTuple):
    """What became of a member: whether it has another value than the vendor's default, and whether anybody asked for it."""

    departs: bool
    asked: bool


def governors_of(presets: Iterable[Preset]) -> tuple[str, ...]:
    """The governing settings of these tables; sorted."""
    return tuple(sorted({preset.governor for preset in presets}))


def members_of(presets: Iterable[Preset], governor: str) -> tuple[str, ...]:
    """The members of a governing setting, by all tables that apply; sorted."""
    return tuple(sorted({m for preset in presets if preset.governor == governor for m in preset.members}))


def cells_of(presets: Iterable[Preset], governor: str, value: str) -> MemberEffects:
    """What a value of a governing setting does to its members, by all tables that apply: what one fixes is not free."""
    found: MemberEffects = {}
    for preset in presets:
        if preset.governor == governor:
            for member, cell in preset.columns.get(value, {}).items():
                if found.get(member, FREE) == FREE:
                    found[member] = cell
    return found


def fixed_by(presets: Iterable[Preset], governor: str, value: str) -> MemberEffects:
    """The members that a value of a governing setting fixes, each with its value."""
    return {member: cell for member, cell in cells_of(presets, governor, value).items() if cell != FREE}


def _fixes_all(cells: MemberEffects, members: dict[str, Member]) -> bool:
    return all(cells.get(name, FREE) != FREE for name in members)


def _knows_all(cells: MemberEffects, members: dict[str, Member]) -> bool:
    return all(name in cells for name in members)


def _knows_those_asked_for(cells: MemberEffects, members: dict[str, Member]) -> bool:
    return all(name in cells for name, member in members.items() if member.asked)


FITS: tuple[Callable[[MemberEffects, dict[str, Member]], bool], ...] = (
    _fixes_all,
    _knows_all,
    _knows_those_asked_for,
)
"""How well a profile fits its members, best first."""


def derived(
    presets: tuple[Preset, ...],
    governor: str,
    possible: Sequence[str],
    default: str,
    members: dict[str, Member],
) -> str:
    """The value of a governing setting that nobody sets or recommends; "" if none fits.

    Args:
        presets: The tables that apply.
        governor: The governing setting.
        possible: Its values that are still possible, in the setting's order.
        default: The vendor's default, "" if it is not known.
        members: Those of its members that are there and decided.
    """
    cells = {value: cells_of(presets, governor, value) for value in possible}
    departs = any(member.departs for member in members.values())
    if default in possible and not departs and _knows_those_asked_for(cells[default], members):
        return default
    ordered = sorted(possible, key=lambda value: value != default)
    return next((value for fits in FITS for value in ordered if fits(cells[value], members)), "")
