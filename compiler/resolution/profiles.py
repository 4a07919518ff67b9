"""Profiles: settings that govern others.

A named profile fixes its members, and the firmware locks them; a profile such as *custom* leaves them free. A member
that no table mentions is unknown, and unknown is not free. All applicable tables of a governing setting are combined.

A profile that nobody sets or recommends is derived from the values of its members. If all of them have the vendor's
defaults, so does the profile. Otherwise it is the first value that fits:

1. one that fixes every member; it fixes exactly their values, since values that fix others are no longer possible;
2. one that is known to fix or free every member;
3. one that is known to fix or free every requested member.

Among several, the vendor's default comes first, then the order of the setting's values. A `set` of the value that the
setting would have anyway makes no difference, unless it is unknown whether the profile locks it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from setpoint.compiler.knowledge.model import FREE, Preset
from setpoint.compiler.record import NamedTuple

MemberEffects = dict[str, str]
"""The known effects of a profile on its members: the value that it fixes, or `FREE`."""


class Member(NamedTuple):
    """A decided member: whether its value differs from the vendor's default, and whether anybody requested it."""

    departs: bool
    asked: bool


class Profile(NamedTuple):
    """The value of a governing setting, its known effects (`cells`), what it sets (`sets`), and the tables' members."""

    value: str
    cells: MemberEffects
    sets: MemberEffects
    members: frozenset[str]

    def may_lock(self, name: str) -> bool:
        """Whether a setting is a member, and no table says whether the profile locks it."""
        return name in self.members and name not in self.cells


def profiles_of(presets: tuple[Preset, ...], values: Mapping[str, str]) -> dict[str, Profile]:
    """The profile of each governing setting of these tables, by the values of a plan; sorted by governing setting."""
    return {
        governor: Profile(
            values[governor],
            cells_of(presets, governor, values[governor]),
            set_by(presets, governor, values[governor]),
            frozenset(members_of(presets, governor)),
        )
        for governor in governors_of(presets)
    }


def governors_of(presets: Iterable[Preset]) -> tuple[str, ...]:
    """The governing settings of these tables; sorted."""
    return tuple(sorted({preset.governor for preset in presets}))


def members_of(presets: Iterable[Preset], governor: str) -> tuple[str, ...]:
    """The members of a governing setting in all applicable tables; sorted."""
    return tuple(sorted({m for preset in presets if preset.governor == governor for m in preset.members}))


def cells_of(presets: Iterable[Preset], governor: str, value: str) -> MemberEffects:
    """The effects of a profile on its members, from all applicable tables; a fixed value takes precedence over free."""
    effects: MemberEffects = {}
    for preset in presets:
        if preset.governor == governor:
            for member, cell in preset.columns.get(value, {}).items():
                if effects.get(member, FREE) == FREE:
                    effects[member] = cell
    return effects


def fixed_by(presets: Iterable[Preset], governor: str, value: str) -> MemberEffects:
    """The members that a value of a governing setting fixes, each with its value."""
    return {member: cell for member, cell in cells_of(presets, governor, value).items() if cell != FREE}


def set_by(presets: Iterable[Preset], governor: str, value: str) -> MemberEffects:
    """The members that a value of a governing setting sets, each with its value: those that it fixes, and those that it
    sets at first and leaves free.
    """
    tables = [preset for preset in presets if preset.governor == governor]
    effects: MemberEffects = {}
    for member, cell in cells_of(tables, governor, value).items():
        initial = [table.initial[value, member] for table in tables if (value, member) in table.initial]
        effects.update((member, effect) for effect in ([cell] if cell != FREE else initial[:1]))
    return effects


def unknown_members(
    presets: tuple[Preset, ...], values: Mapping[str, str], names: Iterable[str]
) -> frozenset[str]:
    """Those of some settings of which no table says whether the profile of a plan locks them."""
    profiles = profiles_of(presets, values).values()
    return frozenset(name for name in names for profile in profiles if profile.may_lock(name))


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
