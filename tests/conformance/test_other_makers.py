"""What the library says of the servers of HPE, Lenovo and Supermicro is what their registries say.

Each captured registry is read once more, as by `setpoint kb import`, and compared with the library: names of attributes
and values, labels, menus, bounds, defaults, every cell of every profile, and everything else that one setting does to
another: what it locks, hides, or leaves possible. The comparison is in both directions, so that the library has neither
more nor less.
"""

from collections.abc import Iterator
from functools import cache
from typing import cast

import pytest

from registries import document
from registries.test_reading import registry
from setpoint.compiler.knowledge.interfaces import TypedValue, value_text
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.locks import FREE, HIDDEN, KEPT
from setpoint.compiler.knowledge.model import Offer, Preset
from setpoint.compiler.knowledge.quantity import Numbers
from setpoint.compiler.registries.effects import effects_of
from setpoint.compiler.registries.imported import (
    DESCRIBED,
    MAPPED,
    Import,
    ImportedCell,
    ImportedSetting,
    numbers_of,
)
from setpoint.compiler.registries.importing import imported
from setpoint.compiler.registries.limits import Limits, limits_of
from setpoint.compiler.registries.model import BOOLEAN, BiosResource
from setpoint.compiler.registries.select import completed
from setpoint.compiler.registries.words import plain

SERVERS = {
    "dl360-gen10-plus": "hpe-gen10plus-DL360-U46-1.56",
    "dl385-gen10-plus-v2": "hpe-gen10plusv2-DL385-A42-2.60-amd",
    "dl380a-gen11": "hpe-gen11-DL380a-U58-2.44",
    "sr670-v2": "lenovo-SR670V2",
    "sys-821ge-tnhr": "supermicro-SYS-821GE-TNHR",
}
"""The captures by the platform that they are of."""

OFFERED = {
    "dl360-gen10-plus": 73,
    "dl385-gen10-plus-v2": 54,
    "dl380a-gen11": 38,
    "sr670-v2": 74,
    "sys-821ge-tnhr": 95,
}
"""How many settings of its firmware the library describes."""

LIMITS = {
    "dl360-gen10-plus": 8,
    "dl385-gen10-plus-v2": 2,
    "dl380a-gen11": 10,
    "sr670-v2": 31,
    "sys-821ge-tnhr": 62,
}
"""How many times one setting locks, hides or limits another there, profiles apart."""

CELLS = {"dl360-gen10-plus": 318, "dl385-gen10-plus-v2": 614, "dl380a-gen11": 377}
"""How many cells the tables of profiles have there, without those of settings that several attributes are."""

SET_ONCE = {("iommu", frozenset({"off"}), "x2apic", frozenset({"off"}), "")}
"""What one setting of the DL360 sets another to and leaves open. An import leaves that out; the library has it, as a
requirement."""

KNOWN_BY_NAME = {"operating-mode"}
"""Settings of which the registry shows that most values lock others, and not at which values: the table of profiles has
no cell for that."""

EIGHT_TIMES = {"lclk-dpm-level"}
"""A setting that the registry has an attribute for on each of eight hubs."""


@cache
def read(platform: str) -> Import:
    """The registry of a server, in the names that the library has for its settings and values."""
    capture = SERVERS[platform]
    found = imported(standard(), registry(capture), BiosResource(document(capture, "Bios")["Attributes"]))
    if platform == "sys-821ge-tnhr":  # its registry calls the product by a general name
        found = imported(
            standard(),
            registry(capture),
            BiosResource(document(capture, "Bios")["Attributes"]),
            name=platform,
        )
    assert (found.platform.name, found.platform.is_known) == (platform, True)
    return found


def described(platform: str) -> dict[str, ImportedSetting]:
    """The settings of a server that the library has, as the registry has them."""
    return {each.name: each for each in read(platform).of(DESCRIBED)}


def offers(platform: str) -> dict[str, Offer]:
    """What the library offers of the firmware of a server, by setting."""
    knowledge = standard()
    bit = knowledge.variables["platform"].bit(platform)
    return {
        name: offer
        for name, each in knowledge.offers.items()
        for offer in each
        if knowledge.settings[name].layer == "firmware" and dict(offer.when).get("platform", 0) & bit
    }


@pytest.mark.parametrize("platform", SERVERS)
def test_what_is_offered_is_in_the_registry(platform: str) -> None:
    assert len(offers(platform)) == OFFERED[platform]
    assert set(offers(platform)) == set(described(platform))


@pytest.mark.parametrize("platform", SERVERS)
def test_values_labels_menus_and_defaults_are_the_registrys(platform: str) -> None:
    for name, offer in offers(platform).items():
        theirs = described(platform)[name]
        if name not in EIGHT_TIMES:
            assert offer.menu == " > ".join(
                [*map(plain, theirs.attribute.menu), plain(theirs.attribute.label)]
            )
        default = offer.default if theirs.values else offer.default.removesuffix(unit_of(name))
        assert default == theirs.default, name
        if theirs.attribute.type == BOOLEAN:
            assert set(offer.values) == {"on", "off"}, name
        elif not theirs.values:
            lower, upper, _ = numbers_of(theirs.attribute)
            assert offer.values == (f"{lower}{unit_of(name)} to {upper}{unit_of(name)}",), name
        else:
            labels = {value.name: value.label for value in theirs.values}
            ours = dict(zip(offer.values, offer.labels, strict=True))
            assert {n: label.replace("*", "") for n, label in ours.items()} == labels, name


@pytest.mark.parametrize("platform", SERVERS)
def test_texts_are_what_the_service_calls_the_values(platform: str) -> None:
    """Character by character: a label of Supermicro's has several blanks in a row."""
    knowledge = standard()
    bit = knowledge.variables["platform"].bit(platform)
    for name, theirs in described(platform).items():
        (ours,) = [
            each
            for each in knowledge.spellings[name]
            if each.interface == "attribute" and dict(each.when).get("platform", 0) & bit
        ]
        assert theirs.attribute.name in ours.names
        called = {value.name: value_text(cast(TypedValue, value.value)) for value in theirs.values}
        offered = offers(platform)[name].values if theirs.values else ()
        assert {each.value: each.text for each in ours.texts} == {each: called[each] for each in offered}


@pytest.mark.parametrize("platform", SERVERS)
def test_the_cells_of_profiles_are_the_registrys(platform: str) -> None:
    knowledge = standard()
    bit = knowledge.variables["platform"].bit(platform)
    ours = {each.governor: each for each in knowledge.presets if dict(each.when).get("platform", 0) & bit}
    theirs = {each.governor.name: each for each in limits(platform).presets}
    assert set(theirs) <= set(ours)
    compared = 0
    for governor, preset in theirs.items():
        for member, cells in preset.rows:
            if member.name not in offers(platform) or member.name in EIGHT_TIMES:
                continue
            for value, cell in zip(preset.governor.values, cells, strict=True):
                assert shown(ours[governor], value.name, member.name) == words(cell), (
                    value.name,
                    member.name,
                )
                compared += 1
    assert compared == CELLS.get(platform, 0)


@pytest.mark.parametrize("platform", SERVERS)
def test_what_settings_do_to_one_another_is_the_registrys(platform: str) -> None:
    theirs = {
        (each.cause.name, frozenset(each.causes), each.setting.name, frozenset(each.values), each.flag)
        for each in limits(platform).limits
        if each.cause.name not in KNOWN_BY_NAME
    }
    ours = {
        (cause, values, name, required, lock)
        for (cause, values), (name, required), lock in constraints(platform)
    }
    once = SET_ONCE if platform == "dl360-gen10-plus" else set()
    assert ours == theirs | once
    assert len(theirs) == LIMITS[platform]


def test_what_lenovos_modes_lock_has_no_cell_where_its_value_is_not_shown() -> None:
    """Of the default mode, a server shows the values."""
    here = ("platform", standard().variables["platform"].bit("sr670-v2"))
    (preset,) = [
        each for each in standard().presets if each.governor == "operating-mode" and here in each.when
    ]
    locks = [each for each in limits("sr670-v2").limits if each.cause.name == "operating-mode"]
    assert {each.setting.name for each in locks} == set(preset.members)
    default = "efficiency-favor-performance"
    unknown = {value for value, cells in preset.columns.items() if not cells}
    assert {each.flag for each in locks} == {KEPT}
    assert {frozenset(each.causes) for each in locks} == {frozenset({default, *unknown})}


def test_what_a_dl360_sets_once_is_in_its_registry() -> None:
    """In both directions: no VT-d without x2APIC off, and no x2APIC without VT-d."""
    effects = effects_of(registry(SERVERS["dl360-gen10-plus"])).of
    off = effects["IntelProcVtd"]["Disabled"]["ProcX2Apic"]
    assert (off.forced, off.is_locked) == (("Disabled",), False)
    for value in ("Enabled", "ForceEnabled"):
        assert effects["ProcX2Apic"][value]["IntelProcVtd"].forced == ("Enabled",)
    assert "Disabled" not in effects["ProcX2Apic"]


Named = tuple[str, frozenset[str]]


def constraints(platform: str) -> Iterator[tuple[Named, Named, str]]:
    """What the library says that one setting does to another on a server: of both, the values that it offers; and the
    lock.

    A lock that requires any value requires nothing.
    """
    knowledge = standard()
    here = ("platform", knowledge.variables["platform"].bit(platform))

    def named(name: str, mask: int) -> Named:
        offered = {each.name for each in described(platform)[name].values}
        return name, frozenset(knowledge.variables[name].names(mask)) & offered

    for each in knowledge.constraints:
        if here in each.when and each.require is not None:
            (cause,) = (condition for condition in each.when if condition != here)
            name, mask = each.require
            any_value = each.lock in (KEPT, HIDDEN) and mask == knowledge.variables[name].everything
            yield named(*cause), (name, frozenset()) if any_value else named(name, mask), each.lock


def unit_of(name: str) -> str:
    """The unit of a setting's numbers."""
    scale = standard().variables[name].scale
    return scale.unit if isinstance(scale, Numbers) else ""


def limits(platform: str) -> Limits:
    """What the registry of a server sets and locks, of all that the library describes."""
    current = document(SERVERS[platform], "Bios")["Attributes"]
    effects = effects_of(completed(registry(SERVERS[platform]), current))
    settings = {each.attribute.name: each._replace(origin=MAPPED) for each in described(platform).values()}
    return limits_of(effects, settings, current, platform)


def shown(preset: Preset, value: str, member: str) -> str:
    """A cell of the library's, in the words of a table."""
    cell = preset.columns[value][member]
    if cell == FREE and (value, member) in preset.initial:
        return f"initially {preset.initial[value, member]}"
    return f"{KEPT} {cell}" if (value, member) in preset.kept else cell


def words(cell: ImportedCell) -> str:
    """A cell of the registry's, in the words of a table."""
    return f"{cell.effect} {cell.value}".strip() or FREE
