"""Whether a server has a setting: *offered*, *absent*, or *not covered*.

A setting is absent if a source says so: of its offers the one with the narrowest condition has no values. If no offer
applies, the knowledge base does not cover the setting there: nobody has looked, or no source was found. That is no reason
to say that the server lacks it.
"""

from collections.abc import Mapping

from setpoint.compiler.binding.facts import holds
from setpoint.compiler.knowledge.boxes import narrowest
from setpoint.compiler.knowledge.model import Citation, Knowledge


def absent(knowledge: Knowledge, setting: str, bits: Mapping[str, int]) -> Citation | None:
    """The source that says of a server with these facts that it lacks the setting; None if none does."""
    fitting = [offer for offer in knowledge.offers.get(setting, ()) if holds(offer.when, bits)]
    return next((offer.citation for offer in narrowest(fitting) if not offer.values), None)


def covered(knowledge: Knowledge, setting: str) -> str:
    """Where a setting is offered: the conditions of its offers, or `nowhere`."""
    offers = (offer for offer in knowledge.offers.get(setting, ()) if offer.values)
    return "; or ".join(sorted({knowledge.box_text(offer.when) for offer in offers})) or "nowhere"
