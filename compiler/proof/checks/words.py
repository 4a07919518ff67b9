"""Words that mean a value which no server offers where they apply (K21): an audit would never read them."""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.boxes import ANY
from setpoint.compiler.knowledge.model import Knowledge, meet


def idle_meanings(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """All findings on words, except those on the library's own that a site has extended."""
    for block in knowledge.words:
        for setting, value in () if knowledge.is_from_library(block.span) else block.means:
            offers = [
                offer
                for offer in knowledge.offers.get(setting, ())
                if meet(block.closed, offer.closed) is not None
                and (value == ANY or knowledge.variables[setting].listed(offer.values, value))
            ]
            if not offers:
                yield Diagnostic(
                    "K21",
                    f"words `{block.name}` mean `{setting} {value}`, which nothing offers where they apply",
                    block.span,
                    "never read",
                    help=("offer the value there, or drop the meaning",),
                )
