"""Which Redfish service the servers of a plan have: the one with the narrowest condition of those that apply.

Messages that say "not now" come from all that apply: what is known of a maker's services is so of the server that a site describes.
"""

from collections.abc import Mapping

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.model import Knowledge, narrowest
from setpoint.compiler.plan.server import RedfishService
from setpoint.compiler.resolution.ground import neither_narrower


def service_of(knowledge: Knowledge, bits: Mapping[str, int], intent: Span) -> RedfishService | None:
    """The service for these facts; None if it is unknown.

    Raises SetpointError (E0304), at `intent`, if several apply and neither is narrower.
    """
    applying = [one for one in knowledge.services if holds(one.when, bits)]
    used = narrowest(applying)
    if len(used) > 1:
        advice = "narrow the condition of one of them: name a model in its `when`"
        raise SetpointError(neither_narrower("services", [one.span for one in used], intent, advice))
    keys = (key for one in applying for report in one.busy for key in report.names)
    busy = tuple(sorted(set(keys)))
    return next(
        (
            RedfishService(one.name, one.title, one.addresses, one.ways, one.because, busy, one.citation)
            for one in used
        ),
        None,
    )
