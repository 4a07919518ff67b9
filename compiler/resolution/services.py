"""Which Redfish service the servers of a plan have: the one with the narrowest condition of those that apply.

The words that only some services say come from all that apply: what is known of a maker's services is so of the server that a site describes.
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
    used = narrowest([one for one in applying if one.is_offered])
    if len(used) > 1:
        advice = "narrow the condition of one of them: name a model in its `when`"
        raise SetpointError(neither_narrower("services", [one.span for one in used], intent, advice))
    if not used:
        return None
    (one,) = used
    said = {(word, report.kind) for each in applying for report in each.reported for word in report.names}
    reported = () if one.because else tuple(sorted(said, key=lambda each: each[::-1]))
    return RedfishService(one.name, one.title, one.addresses, one.ways, one.because, reported, one.citation)
