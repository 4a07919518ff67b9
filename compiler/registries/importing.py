"""Knowledge of a server from its registry, in stages.

    registry --effects--> Effects --select--> Selection --match--> settings --limits--> Import --write--> text

Each stage is a function of its own module. This one puts them together, and decides what the server is called.
"""

import re
from collections.abc import Iterator, Mapping

from setpoint.compiler.knowledge.boxes import Box
from setpoint.compiler.knowledge.lookup import essence, printed_value
from setpoint.compiler.knowledge.model import Knowledge, lineage, meet, offering
from setpoint.compiler.knowledge.recognition import recognized
from setpoint.compiler.knowledge.reported import model_fact
from setpoint.compiler.registries.effects import Effects, effects_of
from setpoint.compiler.registries.imported import (
    DESCRIBED,
    NEW,
    Import,
    ImportedLimit,
    ImportedPreset,
    ImportedService,
    ImportedSetting,
    Platform,
)
from setpoint.compiler.registries.limits import Limits, limits_of
from setpoint.compiler.registries.match import INTERFACE, Matcher
from setpoint.compiler.registries.model import BiosResource, Registry, System
from setpoint.compiler.registries.select import completed, select
from setpoint.compiler.registries.service import has_service, service_of
from setpoint.compiler.registries.words import RegistryWords, is_usable, kebab, library_words, plain

WITHOUT_DEFAULT = "one-time actions without a default"
"""Why an action is left out: nothing says which of its values performs nothing."""

NO_SERVICE = (
    "the library does not know its controller, and no file has its addresses: name its resources (`--system`, `--current`), or state "
    "a `service`; else no artifact sets its BIOS"
)
OWN_SERVICE = "the library does not know its controller: the addresses are those of its resources"

NOTHING_READ = BiosResource()
"""The BIOS of a server of which there is a registry only."""


def imported(
    knowledge: Knowledge,
    registry: Registry,
    bios: BiosResource = NOTHING_READ,
    system: System | None = None,
    name: str = "",
) -> Import:
    """The knowledge in a registry.

    `bios` and `system` are the server's own resources; without them, the registry's values are used. `name` is the new
    name of the server, "" for that of the product.
    """
    words = library_words()
    platform = _platform(knowledge, registry, system, name)
    platform = platform._replace(implies=_implied(knowledge, platform, registry, system, words))
    whole = completed(registry, bios.values)
    effects = effects_of(whole)
    selection = select(registry, whole, effects, words)
    matcher = Matcher(knowledge, words, _described(knowledge, platform))
    settings, left_out = _with_defaults(knowledge, matcher.settings(selection), selection.left_out)
    settings = tuple(_as_spelt(knowledge, platform, setting) for setting in settings)
    by_attribute = {setting.attribute.name: setting for setting in settings}
    limits = limits_of(effects, by_attribute, bios.values, platform.name)
    actions = {setting.name: setting.default for setting in settings if _is_action(knowledge, setting)}
    is_served = has_service(knowledge, platform)
    service = None if is_served else service_of(knowledge, platform, system, bios)
    return Import(
        platform,
        settings,
        tuple(_of_states(actions, limits.presets)),
        tuple(limit for limit in limits.limits if _is_of_state(actions, limit)),
        left_out,
        (
            *_of_the_server(platform, selection.is_locked_down, is_served, service),
            *_effects_left_out(effects, limits),
        ),
        service,
    )


def _of_the_server(
    platform: Platform, is_locked_down: bool, is_served: bool, service: ImportedService | None
) -> Iterator[str]:
    """What somebody should know of the server itself: its name, its service and its state."""
    if not platform.product:
        yield f"the registry names no server: it is called {platform.name}, and artifacts do not compare its name"
    if not is_served:
        yield NO_SERVICE if service is None else OWN_SERVICE
    if is_locked_down:
        yield "the server was in lockdown: most attributes are read-only, which is ignored here"


def _effects_left_out(effects: Effects, limits: Limits) -> Iterator[str]:
    """For each kind of effects that are not written, how many there are."""
    numbers = {
        "dependencies on several attributes together": len(effects.joint),
        "dependencies on attributes that the registry does not list": len(effects.foreign),
        "values that set another attribute once without locking it": limits.once,
        "effects of and on attributes that are left out": limits.unknown,
    }
    return (f"left out, {what}: {number}" for what, number in numbers.items() if number)


def _is_action(knowledge: Knowledge, setting: ImportedSetting) -> bool:
    """Whether a setting is a one-time action: a new one, or one of the library."""
    known = knowledge.settings.get(setting.name)
    return setting.is_new_action or (setting.origin != NEW and known is not None and known.once)


def _of_states(actions: Mapping[str, str], presets: tuple[ImportedPreset, ...]) -> Iterator[ImportedPreset]:
    """The presets without actions, since a profile and its members are states."""
    for preset in presets:
        rows = tuple(row for row in preset.rows if row[0].name not in actions)
        if rows and preset.governor.name not in actions:
            yield preset._replace(rows=rows)


def _is_of_state(actions: Mapping[str, str], limit: ImportedLimit) -> bool:
    """Whether a limit is about states: no action causes it, and it excludes no default of an action."""
    needed = actions.get(limit.setting.name, "")
    return limit.cause.name not in actions and (not needed or not limit.values or needed in limit.values)


def _with_defaults(
    knowledge: Knowledge, settings: tuple[ImportedSetting, ...], left_out: dict[str, tuple[str, ...]]
) -> tuple[tuple[ImportedSetting, ...], dict[str, tuple[str, ...]]]:
    """The settings without actions of which the registry states no value that performs nothing."""
    lacking = [
        setting
        for setting in settings
        if _is_action(knowledge, setting) and not setting.default and setting.origin != DESCRIBED
    ]
    kept = tuple(setting for setting in settings if setting not in lacking)
    names = tuple(setting.attribute.name for setting in lacking)
    return kept, dict(sorted({**left_out, **({WITHOUT_DEFAULT: names} if names else {})}.items()))


def _platform(knowledge: Knowledge, registry: Registry, system: System | None, wanted: str) -> Platform:
    fact = model_fact(knowledge)
    variable = knowledge.variables[fact]
    product_at = "registry, SupportedSystems" if system is None else "ComputerSystem, Model"
    system = system or next(iter(registry.systems), System("", "", ""))
    product = plain(system.product)
    known = _known(knowledge, fact, product) or _known_from_registry(knowledge, fact, registry)
    model = known if known not in variable.parents else ""
    name = wanted or model or _short(product) or kebab(f"{registry.owner} server")
    if not is_usable(name):
        name = f"server-{name}".strip("-")
    is_known = name in variable.values
    return Platform(
        fact=fact,
        name=name,
        is_known=is_known,
        product=product,
        firmware=plain(system.firmware),
        owner=plain(registry.owner),
        registry=plain(registry.name),
        version=plain(registry.version),
        product_at=product_at,
        within="" if is_known else known or dict(_of_family(knowledge, fact, product)).get(fact, ""),
    )


def _of_family(knowledge: Knowledge, fact: str, product: str) -> tuple[tuple[str, str], ...]:
    """The facts that follow from the family of a product, if that is all that the knowledge base has of it."""
    if printed_value(knowledge, fact, product):
        return ()
    recognition = recognized(knowledge.families, fact, essence(knowledge, fact, product))
    return recognition.family.implies if recognition else ()


def _known(knowledge: Knowledge, fact: str, product: str) -> str:
    """The value that a product's name stands for; "" if there is none, or more than one."""
    values = printed_value(knowledge, fact, product) if product else ()
    return values[0] if len(values) == 1 else ""


def _known_from_registry(knowledge: Knowledge, fact: str, registry: Registry) -> str:
    """The value for all servers that a registry is for; "" if they are of several, or unknown."""
    values = {_known(knowledge, fact, plain(system.product)) for system in registry.systems}
    return values.pop() if len(values) == 1 else ""


def _implied(
    knowledge: Knowledge,
    platform: Platform,
    registry: Registry,
    system: System | None,
    words: RegistryWords,
) -> tuple[tuple[str, str], ...]:
    """The facts that follow from the server's family, and from who made it and its processors, if the knowledge base
    has them.

    Without those that follow from the value that the server lies within.
    """
    processor = system.processor if system is not None else ""
    pairs = (
        words.owners.get(registry.owner.strip().lower()),
        words.processors.get(processor.partition(" ")[0].lower()),
    )
    facts = {
        fact: value
        for fact, value in filter(None, pairs)
        if fact in knowledge.kinds and value in knowledge.values[fact]
    }
    around = lineage(knowledge, platform.fact, platform.within) if platform.within else ()
    known = {platform.fact, *(fact for value in around for fact, _ in value.implies)}
    implied = {**facts, **dict(_of_family(knowledge, platform.fact, platform.product))}
    return tuple((fact, value) for fact, value in implied.items() if fact not in known)


def _short(product: str) -> str:
    """A product's name without that of its family: `ProLiant DL385 Gen10 Plus v2` is `dl385-gen10-plus-v2`."""
    first, _, rest = product.partition(" ")
    has_model = bool(re.match(r"\S*\d", rest))
    return kebab(rest if has_model and not any(c.isdigit() for c in first) else product).lower()


def _here(knowledge: Knowledge, platform: Platform) -> Box | None:
    """The condition of what the library says of this server; None if it says nothing."""
    value = platform.name if platform.is_known else platform.within
    return ((platform.fact, knowledge.variables[platform.fact].bit(value)),) if value else None


def _as_spelt(knowledge: Knowledge, platform: Platform, setting: ImportedSetting) -> ImportedSetting:
    """A setting; one that the library describes here without an attribute of it is to be spelt, with the values that it
    has in the library."""
    here = _here(knowledge, platform)
    spellings = [
        spelling for spelling in knowledge.spellings.get(setting.name, ()) if spelling.interface == INTERFACE
    ]
    if (
        setting.origin != DESCRIBED
        or here is None
        or any(meet(spelling.when, here) is not None for spelling in spellings)
    ):
        return setting
    return setting._replace(
        is_spelt=False, values=tuple(value for value in setting.values if not value.is_added)
    )


def _described(knowledge: Knowledge, platform: Platform) -> set[str]:
    """The settings that the library has on this server."""
    here = _here(knowledge, platform)
    if here is None:
        return set()
    return {
        name
        for name in knowledge.offers
        if any(meet(offer.when, here) is not None for offer in offering(knowledge, name))
    }
