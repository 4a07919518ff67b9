"""`options`: which offer of a setting applies."""

from meaning.conditions import Order, State, all_hold
from meaning.knowledge import Knowledge, Offer


def offers(knowledge: Knowledge, order: Order, state: State) -> dict[str, Offer] | None:
    """*`options`*: of each setting the offer with the narrowest condition; None for E0304. If it has no values, the
    setting is absent."""
    found = {}
    for setting, every in knowledge.offers.items():
        fitting = [offer for offer in every if all_hold(offer.when, state)]
        best = [o for o in fitting if not any(order.narrower(p.when, o.when) for p in fitting)]
        if len({(offer.written, offer.default) for offer in best}) > 1:
            return None
        if best:
            found[setting] = best[0]
    return found
