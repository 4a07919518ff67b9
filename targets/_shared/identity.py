"""What an artifact compares before it writes: is the plan for this server?

`identification` converts the plan's identity into a form whose texts need no quoting anywhere. Kinds without anything
to compare are listed as well, so that readers know what is not checked.
"""

from typing import Annotated, Any, Literal

from setpoint.compiler.knowledge.reported import PRODUCT
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.plan.server import Identity, accepted_reports_text
from setpoint.targets._shared.forms import Form, matching

Kind = Literal["product", "processor", "sockets", "system", "distribution", "kernel"]
ReportedName = Annotated[str, matching(r"^[A-Za-z0-9][A-Za-z0-9 .,()\[\]/+_-]*\*?$")]
"""A name that servers report. Of a product that ends with `*`, they report more."""

ReportedValue = Annotated[str, matching(r"^[A-Za-z0-9_][A-Za-z0-9_.+-]*$")]
Version = Annotated[str, matching(r"^[0-9]+(\.[0-9]+)*$")]

VERBS = {"stated": "states", "implied": "implies", "assumed": "assumes"}
"""The verb for a policy and its fact, by the fact's origin."""

LABELS: dict[Kind, str] = {
    "product": "product name",
    "processor": "processor",
    "sockets": "processor sockets",
    "system": "operating system",
    "distribution": "distribution",
    "kernel": "kernel",
}
"""The names of the kinds for readers."""


class Check(Form):
    """What a server must report of one kind: one of `names`, or one of the versions `since` or a later one.

    `value` is the value of the fact that requires it; `verb` says whether the policy states, implies or assumes that.
    With neither a name nor a version nobody knows what such a server reports, and only the operator can tell that this
    is one.
    """

    kind: Kind
    fact: ReportedValue
    value: ReportedValue
    verb: Literal["states", "implies", "assumes"]
    names: tuple[ReportedName, ...]
    since: tuple[Version, ...]

    @property
    def label(self) -> str:
        """The name of the kind for readers."""
        return LABELS[self.kind]

    @property
    def accepted(self) -> str:
        """The accepted reports, in words."""
        return accepted_reports_text(self.names, self.since) or "not known: no source shows it"


class Identification(Form):
    """The checks, and the kinds with nothing to compare: any report is accepted, or the names are unknown."""

    checks: tuple[Check, ...] = ()
    unchecked: tuple[Check, ...] = ()


def identification(plan: Plan, *, firmware: bool = False) -> Identification:
    """What a server must report to be one that the plan is for.

    What writes `firmware` values, which another server may take as well, has a check of the product in any case.
    Nothing passes it if no source shows the name, so that the operator has to confirm the server by passing over the
    check.
    """
    checked = [
        identity
        for identity in plan.identity
        if identity.is_compared or (firmware and identity.kind == PRODUCT)
    ]
    return Identification(
        checks=tuple(map(_check, checked)),
        unchecked=tuple(_check(identity) for identity in plan.identity if identity not in checked),
    )


def _check(identity: Identity) -> Check:
    said: dict[str, Any] = {
        "kind": identity.kind,
        "fact": identity.fact,
        "value": identity.value,
        "verb": VERBS[identity.origin],
        "names": identity.names,
        "since": identity.since,
    }
    return Check(**said)
