"""The presets and constraints that follow from a registry's dependencies.

A governing attribute becomes a preset: what each of its values forces and locks, cell by cell. What it does not touch
is free, since the registry states all that its firmware does. Every other effect of one attribute on another becomes a
constraint. An attribute that is forced without being locked is set once and can be changed afterwards: in a preset that
is `initially`, and no constraint can say it.

An attribute that is locked without being forced keeps what it was set to before. In a preset that is its default,
unless the server shows that it kept another value: then the cell is free, and a constraint says that the attribute is
kept.

A preset in which a cell is not known, or in which two values leave everything free, would not be accepted as knowledge.
Then there are constraints instead.
"""

from collections.abc import Container, Iterator, Mapping

from setpoint.compiler.knowledge import locks
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.effects import NOTHING, AttributeEffect, Effects, Values, governors, members
from setpoint.compiler.registries.imported import (
    DESCRIBED,
    ImportedCell,
    ImportedLimit,
    ImportedPreset,
    ImportedSetting,
)
from setpoint.compiler.registries.model import Scalar

Settings = Mapping[str, ImportedSetting]
"""The imported settings by attribute."""

FREE_CELL = ImportedCell("", "")


class Limits(NamedTuple):
    """The presets and constraints, and the number of effects that are written as neither."""

    presets: tuple[ImportedPreset, ...]
    limits: tuple[ImportedLimit, ...]
    once: int
    unknown: int


def limits_of(effects: Effects, settings: Settings, current: Mapping[str, Scalar], suffix: str) -> Limits:
    """The presets and constraints of a registry; names of constraints end in `suffix`."""
    governing = {name for name in governors(effects) if name in settings and settings[name].values}
    presets: list[ImportedPreset] = []
    limits: list[ImportedLimit] = []
    once = unknown = 0
    for cause, values in effects.of.items():
        if cause not in settings or not settings[cause].values:
            unknown += len({name for on in values.values() for name in on})
            continue
        named = {settings[cause].name_of(value): on for value, on in values.items()}
        free: dict[str, set[str]] = {}
        preset = _preset(settings, settings[cause], values, current) if cause in governing else None
        if preset is not None:
            free = {
                member.attribute.name: {
                    value.name
                    for value, cell in zip(preset.governor.values, cells, strict=True)
                    if cell == FREE_CELL
                }
                for member, cells in preset.rows
            }
            if preset.rows:
                presets.append(preset)
        for name in dict.fromkeys(name for on in named.values() for name in on):
            if name not in settings:
                unknown += 1
                continue
            by_value = {value: on[name] for value, on in named.items() if name in on}
            more, dropped = _limits(settings[cause], settings[name], by_value, free.get(name))
            limits.extend(limit for limit in more if _is_news(limit))
            once += dropped
    return Limits(tuple(presets), tuple(_named(limits, suffix)), once, unknown)


# --------------------------------------------------------------------------------------------- presets


def _preset(
    settings: Settings, governor: ImportedSetting, values: Values, current: Mapping[str, Scalar]
) -> ImportedPreset | None:
    """What each value of a governing setting does to its members; None if a table cannot say it."""
    now = governor.name_of(current.get(governor.attribute.name))
    rows = []
    for name in members(values):
        member = settings.get(name)
        if member is None or (DESCRIBED == governor.origin == member.origin):
            continue
        cells = [
            _cell(member, values.get(value.value, {}).get(name, NOTHING), current, value.name == now)
            for value in governor.values
        ]
        known = tuple(cell for cell in cells if cell is not None)
        if len(known) < len(cells):
            return None
        rows.append((member, known))
    if sum(all(cells[n] == FREE_CELL for _, cells in rows) for n in range(len(governor.values))) > 1 and rows:
        return None
    return ImportedPreset(governor, tuple(rows))


def _cell(
    member: ImportedSetting, effect: AttributeEffect, current: Mapping[str, Scalar], is_seen: bool
) -> ImportedCell | None:
    """A cell of a preset, None if its value is unknown; `is_seen` if the server has the governing value."""
    match effect.cell(member.name_of):
        case None:
            return None
        case (locks.KEPT, _):
            now = member.name_of(current.get(member.attribute.name))
            if is_seen and now and member.default not in ("", now):
                return FREE_CELL
            value = member.default or now
            return ImportedCell(locks.KEPT, value) if value else None
        case how, value:
            return ImportedCell(locks.INITIALLY if how == locks.INITIALLY else "", value)


# ----------------------------------------------------------------------------------------- constraints


def _limits(
    cause: ImportedSetting,
    setting: ImportedSetting,
    by_value: Mapping[str, AttributeEffect],
    free: Container[str] | None,
) -> tuple[list[ImportedLimit], int]:
    """The constraints of one setting on another, and how many values only set it once.

    `free` are the values under which a preset has the setting free, None if the setting is no member of one.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    once = 0
    for value, effect in by_value.items():
        said = _said(setting, effect, free is not None and value not in free)
        if said is not None:
            groups.setdefault(said, []).append(value)
        elif effect.forced and free is None:
            once += 1
    return [
        ImportedLimit("", cause, tuple(causes), setting, values, flag)
        for (flag, values), causes in groups.items()
    ], once


def _said(
    setting: ImportedSetting, effect: AttributeEffect, is_covered: bool
) -> tuple[str, tuple[str, ...]] | None:
    """The flag of a constraint and the values that it requires; None if there is nothing to say."""
    if is_covered and (effect.forced or effect.is_locked):
        return None
    said = effect.requirement(setting.name_of)
    if said is None:
        return None
    flag, values = said
    return said if flag or len(values) < len(setting.values) else None


def _is_news(limit: ImportedLimit) -> bool:
    """Whether a constraint is not on two settings that the library describes, and is not always true."""
    if DESCRIBED == limit.cause.origin == limit.setting.origin:
        return False
    return len(limit.causes) < len(limit.cause.values)


def _named(limits: list[ImportedLimit], suffix: str) -> Iterator[ImportedLimit]:
    seen: dict[str, int] = {}
    for limit in limits:
        name = f"{limit.setting.name}-{limit.flag or 'limited'}-by-{limit.cause.name}"
        seen[name] = seen.get(name, 0) + 1
        number = f"-{seen[name]}" if seen[name] > 1 else ""
        yield limit._replace(name=f"{name}{number}-{suffix}")
