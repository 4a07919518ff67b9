"""Whether a server has a setting: *offered*, *absent*, or *not covered*.

Of the offers that apply to a server the one with the narrowest condition counts. It has the setting's values there, or none: then
its source says that the setting is absent. If no offer applies, the knowledge base does not cover the setting there: nobody has
looked, or no source was found. That is no reason to say that the server lacks it.
"""

from collections.abc import Mapping

from setpoint.compiler.knowledge.boxes import holds, narrowest
from setpoint.compiler.knowledge.model import Citation, Knowledge, Offer


def offering(knowledge: Knowledge, setting: str) -> tuple[Offer, ...]:
    """The offers of a setting that have values; the others say that it is absent."""
    return tuple(offer for offer in knowledge.offers.get(setting, ()) if offer.values)


def counting(knowledge: Knowledge, setting: str, bits: Mapping[str, int]) -> list[Offer]:
    """The offers of a setting that count for a server with these facts: several if none of them has the narrowest condition."""
    return narrowest([offer for offer in knowledge.offers.get(setting, ()) if holds(offer.when, bits)])


def absent(knowledge: Knowledge, setting: str, bits: Mapping[str, int]) -> Citation | None:
    """The source that says of a server with these facts that it lacks the setting; None if none does."""
    return next((offer.citation for offer in counting(knowledge, setting, bits) if not offer.values), None)


def covered(knowledge: Knowledge, setting: str) -> str:
    """Where a setting is offered: the conditions of its offers, or `nowhere`."""
    conditions = {knowledge.box_text(offer.when) for offer in offering(knowledge, setting)}
    return "; or ".join(sorted(conditions)) or "nowhere"
