"""The identity that a server must report to be one that the plan is for.

A plan for two sockets is wrong on a server with one, and a plan for one model is wrong on another. The plan's facts
state what it is for, and the knowledge base states how servers report these facts; this module combines both into the
values that an artifact compares.
"""

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import KINDS, PRODUCT, accepted_reports
from setpoint.compiler.plan.server import Identity


def identity(knowledge: Knowledge, context: Context) -> tuple[Identity, ...]:
    """What the facts of a context require a server to report, in the order of the kinds.

    Every kind that some value of a known fact is reported as is included; it has no name if this value is not reported. A model
    that only its family describes has the name that the policy or the inventory gives it, not those of the others.
    """
    found = []
    for name, fact in context.facts.items():
        values = knowledge.values[name]
        for kind in knowledge.kinds[name].reported:
            if kind == PRODUCT and name in context.members:
                continue
            names, since = accepted_reports(knowledge.variables[name], values, fact.value, kind)
            if kind == PRODUCT and names:
                names = tuple(dict.fromkeys((*names, *context.products.get(name, ()))))
            found.append(Identity(kind, name, fact.value, fact.origin, names, since))
    for name, (first, *others) in context.members.items():
        if PRODUCT in knowledge.kinds[name].reported:
            value = first.value or first.recognized.family.name
            products = tuple(filter(None, (member.product for member in (first, *others))))
            found.append(Identity(PRODUCT, name, value, "stated", products, ()))
    order = list(KINDS)
    return tuple(sorted(found, key=lambda each: order.index(each.kind)))
