"""Services of which two apply, neither with the narrower condition (K21): a policy that meets both would be refused.

As with spellings, conditions alone are compared.
"""

from collections.abc import Iterator
from itertools import combinations

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import Knowledge, covers, meet, narrower


def conflicting_services(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """All findings on services."""
    every = [service for service in knowledge.services if service.is_offered]
    for a, b in combinations(sorted(every, key=lambda service: service.span), 2):
        both = meet(a.closed, b.closed)
        if both is None or narrower(a, b) or narrower(b, a):
            continue
        if any(
            covers(service.when, both) and any(narrower(service, other) for other in every)
            for service in every
        ):
            continue
        yield Diagnostic(
            "K21",
            f"services `{a.name}` and `{b.name}` apply together, and neither is narrower",
            b.span,
            "another",
            (Label(a.span, "one of them"),),
            help=("narrow the condition of one of them: name a model in its `when`",),
        )
