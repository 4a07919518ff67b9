"""What an artifact compares before it writes: is the plan for this server?

`identification` converts the plan's identity into a form whose texts need no quoting anywhere. Kinds without anything
to compare are listed as well, so that readers know what is not checked.
"""

from typing import Annotated, Literal

from pydantic import Field

from setpoint.compiler.plan.identity import Identity
from setpoint.compiler.plan.model import Plan
from setpoint.targets._shared.forms import Form

Kind = Literal["product", "sockets", "system", "distribution", "kernel"]
ReportedName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 .,()\[\]/+_-]*\*?$")]
"""A name that servers report. Of a product that ends with `*`, they report more."""

ReportedValue = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.+-]*$")]
Version = Annotated[str, Field(pattern=r"^[0-9]+(\.[0-9]+)*$")]

VERBS = {"stated": "states", "implied": "implies", "assumed": "assumes"}
"""The verb for a policy and its fact, by the fact's origin."""

LABELS: dict[Kind, str] = {
    "product": "product name",
    "sockets": "processor sockets",
    "system": "operating system",
    "distribution": "distribution",
    "kernel": "kernel",
}
"""The names of the kinds for readers."""


class Check(Form):
    """What a server must report of one kind: one of `names`, or one of the versions `since` or a later one.

    `value` is the value of the fact that requires it; `verb` says whether the policy states, implies or assumes that.
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
        return " or ".join([*self.names, *(f"{version} or later" for version in self.since)])


class Identification(Form):
    """The checks, and the kinds with nothing to compare: any report is accepted, or the names are unknown."""

    checks: tuple[Check, ...] = ()
    unchecked: tuple[Check, ...] = ()


def identification(plan: Plan) -> Identification:
    """What a server must report to be one that the plan is for."""
    return Identification(
        checks=tuple(_check(each) for each in plan.identity if each.is_compared),
        unchecked=tuple(_check(each) for each in plan.identity if not each.is_compared),
    )


def _check(identity: Identity) -> Check:
    return Check.model_validate(
        {
            "kind": identity.kind,
            "fact": identity.fact,
            "value": identity.value,
            "verb": VERBS[identity.origin],
            "names": identity.names,
            "since": identity.since,
        }
    )
