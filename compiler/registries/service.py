"""How an imported server takes settings, from what its resources say of themselves.

Each resource of a Redfish service has its own address (`@odata.id`), and a BIOS names the resource that takes its
settings (`@Redfish.Settings`), so whoever has these two files has the addresses that a `service` states. How staged
settings take effect is stated if the BIOS lists apply times; else it is left to somebody to look at. So is a BIOS that
says nothing of settings: then it takes them itself, at its top level, if the maker's manual says so.

The library has services of makers, whatever the model. A model of which nothing says who made it could be of one of
them, so the condition of its own service excludes these makers: of two services that apply, one has to be narrower.
"""

from operator import attrgetter

from setpoint.compiler.knowledge.boxes import UNSTATED
from setpoint.compiler.knowledge.model import Knowledge, lineage
from setpoint.compiler.knowledge.redfish import ADDRESS, BIOS, ON_RESET, RESTART, SETTINGS, SYSTEM
from setpoint.compiler.registries.imported import ImportedService, Platform
from setpoint.compiler.registries.model import BiosResource, System

AT_RESET = "OnReset"
"""The apply time of settings that take effect at the next restart (DMTF's schema Settings)."""

NOT_SAID = "the BIOS lists no apply times, so what is staged is taken to be in effect after the next restart"

IN_PLACE = (
    "the BIOS names no resource that takes settings, so it is taken to take them itself, at its top level, and to have them in effect "
    "after the next restart. Look that up in the maker's manual"
)


def service_of(
    knowledge: Knowledge, platform: Platform, system: System | None, bios: BiosResource
) -> ImportedService | None:
    """The service that these resources are of; None if an address is missing."""
    addresses = (
        (SYSTEM, system.address if system is not None else ""),
        (BIOS, bios.address),
        (SETTINGS, bios.settings),
    )
    if not all(ADDRESS.fullmatch(address) for _, address in addresses):
        return None
    way = ON_RESET if AT_RESET in bios.apply_times else RESTART
    review = IN_PLACE if bios.settings == bios.address else "" if bios.apply_times else NOT_SAID
    return ImportedService(addresses, way, _of_no_other(knowledge, platform), review)


def has_service(knowledge: Knowledge, platform: Platform) -> bool:
    """Whether the library knows how the server takes settings, by its platform or by who made it."""
    facts = _facts(knowledge, platform)
    return any(
        all(facts.get(fact, 0) & bits for fact, bits in service.when)
        for service in knowledge.services
        if service.is_offered
    )


def _facts(knowledge: Knowledge, platform: Platform) -> dict[str, int]:
    """What is known of the server, as sets of values: its facts, and what they imply."""
    base = platform.name if platform.is_known else platform.within
    waiting = [*platform.implies, *([(platform.fact, base)] if base else [])]
    facts: dict[str, int] = {}
    for fact, value in waiting:
        facts.setdefault(fact, knowledge.variables[fact].bit(value))
        for fact_value in lineage(knowledge, fact, value):
            waiting += fact_value.implies
    return facts


def _of_no_other(knowledge: Knowledge, platform: Platform) -> str:
    """The condition that the server is none of those that the library's services are for, as far as its facts do not
    say so."""
    known = {platform.fact: 0, **_facts(knowledge, platform)}
    excluded: dict[str, int] = {}
    for service in filter(attrgetter("is_offered"), knowledge.services):
        unlike = [fact for fact, bits in service.when if fact in known and not known[fact] & bits]
        if not unlike:
            fact, bits = next(pair for pair in service.when if pair[0] not in known)
            excluded[fact] = excluded.get(fact, 0) | bits
    return knowledge.box_text(
        tuple(
            (fact, (knowledge.variables[fact].everything | UNSTATED) & ~bits)
            for fact, bits in sorted(excluded.items())
        )
    )
