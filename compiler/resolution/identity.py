"""Which servers the plan is for: the identity that they must report, and the Redfish service that they have.

A plan for two sockets is wrong on a server with one, and a plan for one model is wrong on another. The plan's facts
state what it is for, and the knowledge base states how servers report these facts; this module combines both into the
values that an artifact compares.

The service is the one with the narrowest condition of those that apply. The words that only some services say come from
all that apply: what is known of a maker's services is so of the server that a site describes.
"""

from collections.abc import Mapping

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.model import Knowledge, narrowest
from setpoint.compiler.knowledge.reported import KINDS, PRODUCT, accepted_reports
from setpoint.compiler.plan.server import Identity, RedfishService
from setpoint.compiler.resolution.ground import neither_narrower


def identity(knowledge: Knowledge, context: Context) -> tuple[Identity, ...]:
    """What the facts of a context require a server to report, in the order of the kinds.

    Every kind that some value of a known fact is reported as is included; it has no name if this value is not reported.
    A model that only its family describes has the name that the policy or the inventory gives it, not those of the
    others.
    """
    reports = []
    for name, fact in context.facts.items():
        values = knowledge.values[name]
        for kind in knowledge.kinds[name].reported:
            if kind == PRODUCT and name in context.members:
                continue
            names, since = accepted_reports(knowledge.variables[name], values, fact.value, kind)
            if kind == PRODUCT and names:
                names = tuple(dict.fromkeys((*names, *context.products.get(name, ()))))
            reports.append(Identity(kind, name, fact.value, fact.origin, names, since))
    for name, (first, *others) in context.members.items():
        if PRODUCT in knowledge.kinds[name].reported:
            value = first.value or first.recognized.family.name
            products = tuple(filter(None, (member.product for member in (first, *others))))
            reports.append(Identity(PRODUCT, name, value, "stated", products, ()))
    order = list(KINDS)
    return tuple(sorted(reports, key=lambda report: order.index(report.kind)))


def service_of(knowledge: Knowledge, bits: Mapping[str, int], intent: Span) -> RedfishService | None:
    """The service for these facts; None if it is unknown.

    Raises SetpointError (E0304), at `intent`, if several apply and neither is narrower.
    """
    applying = [service for service in knowledge.services if holds(service.when, bits)]
    used = narrowest([service for service in applying if service.is_offered])
    if len(used) > 1:
        advice = "narrow the condition of one of them: name a model in its `when`"
        raise SetpointError(neither_narrower("services", [service.span for service in used], intent, advice))
    if not used:
        return None
    (service,) = used
    said = {
        (word, report.kind) for service in applying for report in service.reported for word in report.names
    }
    reported = () if service.because else tuple(sorted(said, key=lambda pair: pair[::-1]))
    return RedfishService(
        service.name,
        service.title,
        service.addresses,
        service.ways,
        service.because,
        reported,
        service.citation,
    )
