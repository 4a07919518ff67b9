"""What goes over the wire, and what goes with it.

The forms are those of DMTF's Bios and Settings resources; the names of attributes and the values are checked
to be of the shape that Dell's have, so that nothing else can get into a request.
"""

from typing import Literal

from pydantic import Field

from setpoint.targets._shared.forms import AttributeName, Form, Uri, Word
from setpoint.targets._shared.identity import ReportedName


class ApplyTime(Form):
    """When the service is to carry out what is staged."""

    apply_time: Literal["OnReset"] = Field(default="OnReset", serialization_alias="ApplyTime")


class Body(Form):
    """The body of a `PATCH …/Bios/Settings`; without an apply time it only stages, and is also the form of an end state."""

    attributes: dict[AttributeName, Word] = Field(serialization_alias="Attributes")
    apply_time: ApplyTime | None = Field(default=None, serialization_alias="@Redfish.SettingsApplyTime")


class Job(Form):
    """The body of the POST that makes a job of what is staged."""

    target: Uri = Field(serialization_alias="TargetSettingsURI")


class Request(Form):
    """One request: the file that is its body, else an empty object; for a GET, what its answer is compared with."""

    method: Literal["GET", "PATCH", "POST"]
    uri: Uri
    file: str | None = None


class Way(Form):
    """Requests in order, and what they need."""

    name: Literal["on-reset", "job"]
    needs: str
    requests: tuple[Request, ...]


class First(Form):
    """What goes before, with a restart of its own, where one of the attributes `differs` is not as expected.

    `opens` has the values that let an attribute be written until the rest is.
    """

    needs: str
    differs: tuple[AttributeName, ...]
    opens: dict[AttributeName, dict[AttributeName, Word]]
    requests: tuple[Request, ...]


class Need(Form):
    """A condition of writing an attribute: another one has a value, or has it not."""

    attribute: AttributeName
    be: Word | None = Field(default=None, serialization_alias="is")
    be_not: Word | None = Field(default=None, serialization_alias="is-not")

    @property
    def value(self) -> str:
        """The value that it has, or has not."""
        return self.be or self.be_not or ""


class Expected(Form):
    """What a property of the system must be to be one that the plan is for: one of `accepts`, since the policy has a fact."""

    property: Literal["Model", "ProcessorSummary.Count"]
    accepts: tuple[ReportedName | int, ...]
    since: str


class Identify(Form):
    """What to look at before anything is sent: whether this is the right server."""

    method: Literal["GET"] = "GET"
    uri: Uri
    expects: tuple[Expected, ...]


class Apply(Form):
    """How to apply: `identify`; one of the ways, after `first` where its need arises; a restart; then `verify`.

    `writable` says when an attribute can be written; one that is not in it always can. `along` has the attributes that
    others set, and those others. `assumed` has what the policy leaves alone. `cancel` takes back what is staged, before
    the restart.
    """

    form: Literal["setpoint.redfish.apply/1"] = Field(
        default="setpoint.redfish.apply/1", serialization_alias="schema"
    )
    service: str
    identify: Identify
    first: First | None
    ways: tuple[Way, ...]
    verify: Request
    cancel: Request
    writable: dict[AttributeName, tuple[Need, ...]]
    along: dict[AttributeName, tuple[AttributeName, ...]]
    assumed: dict[AttributeName, Word]


class AttributeReason(Form):
    """Why an attribute is to have its value: the setting and its value in the policy's words, and who says so.

    `role` is `write`; `ahead`, written and locked in the end state; or `fixed`, locked and not written. `step` is when it
    becomes right: `first`, `then`, or `along` with what sets it.
    """

    setting: str
    value: str
    role: Literal["ahead", "write", "fixed"]
    step: Literal["first", "then", "along"]
    cause: str
    because: str
    racadm: str


class Reasons(Form):
    """The sidecar of the end state: attribute by attribute."""

    form: Literal["setpoint.redfish.reasons/1"] = Field(
        default="setpoint.redfish.reasons/1", serialization_alias="schema"
    )
    policy: str
    attributes: dict[AttributeName, AttributeReason]


class Update(Form):
    """All of it, before it is text. `first`, `on_reset` only where there is need or a way."""

    first: Body | None
    settings: Body
    on_reset: Body | None
    job: Job
    expected: Body
    apply: Apply
    reasons: Reasons
