"""What platforms offer: the values of each setting, the vendor's default, its place in the menu; and what they lack."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import Offer, Variable, filled
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Name, OfferStatement, OptionsTable

NOT_STATED = "unknown"
"""Instead of a default: the author of the offer has made sure that no source states one."""


def offers(vocabulary: Vocabulary) -> dict[str, tuple[Offer, ...]]:
    """The offers of all `options` blocks, by setting."""
    entries = [
        offer
        for block in vocabulary.of(OptionsTable)
        for written in block.offers
        if (offer := _offer(vocabulary, block, written))
    ]
    for name, offers in filled("offers", entries).items():
        vocabulary.report_repeated(f"the offer of `{name}`", [(o.when, o.span) for o in offers])
    return dict(filled("offers", sorted(entries, key=_sort_key)))


def _sort_key(offer: Offer) -> tuple[Any, ...]:
    """The content of an offer, for an order that does not depend on the files."""
    parts = offer.when, offer.citation, offer.values, offer.labels, offer.default, offer.menu, offer.span
    return offer.setting, *parts


def _offer(vocabulary: Vocabulary, block: OptionsTable, offer: OfferStatement) -> Offer | None:
    """One offer; None, with a finding, if its setting or its locator is missing."""
    when, citation = vocabulary.row_head("offer", block, offer, of_facts=False)
    if not vocabulary.has_setting(offer.setting):
        return None
    name = offer.setting.text
    offered = [(v, label) for v, label in offer.offered if vocabulary.has_values(name, v)]
    vocabulary.report_duplicates(f"offered value of `{name}`", [(v.text, v.span) for v, _ in offered])
    labels = [(label.text, label.span) for _, label in offered if label is not None]
    vocabulary.report_duplicates(f"label of a value of `{name}`", labels)
    values = tuple(v.text for v, _ in offered)
    default = offer.default.text if offer.default else ""
    is_unstated = default == NOT_STATED and NOT_STATED not in values
    vocabulary.findings.extend(_overlaps(vocabulary.variables[name], [v for v, _ in offered]))
    if (
        offer.default is not None
        and not vocabulary.variables[name].listed(values, default)
        and not is_unstated
    ):
        vocabulary.findings.append(unknown("offered value", offer.default, values, "E0202"))
    if citation is None:
        return None
    return Offer(
        setting=name,
        when=when,
        closed=vocabulary.closed(when),
        values=values,
        labels=tuple(label.text if label else "" for _, label in offered),
        default="" if is_unstated else default,
        unknown=is_unstated,
        menu=offer.menu.text if offer.menu else "",
        citation=citation,
        span=offer.span,
    )


def _overlaps(variable: Variable, offered: Iterable[Name]) -> Iterator[Diagnostic]:
    """Ranges with a common number, between which only their order could decide (K07)."""
    for a, b in combinations([v for v in offered if " " in v.text], 2):
        if variable.offered([a.text]) & variable.offered([b.text]):
            message = f"`{a.text}` and `{b.text}` of `{variable.name}` overlap"
            yield Diagnostic("K07", message, b.span, "again here", (Label(a.span, "first here"),))
