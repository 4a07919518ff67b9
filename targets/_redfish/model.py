"""The Redfish requests, and the data that goes with them.

The forms are those of DMTF's Bios and Settings resources. A value is a JSON text, number or Boolean, as the registry of
the server has it: a service refuses another type.
"""

from typing import Literal

from setpoint.targets._shared.forms import (
    AttributeName,
    AttributeValue,
    Form,
    Meaning,
    ReportedWord,
    Uri,
    field,
)
from setpoint.targets._shared.identity import ReportedName, ReportedValue

FOR_CLIENT = ("apply.json", "expected.json")
"""The files that the client reads, which the role has as well."""


class ApplyTime(Form):
    """When the service applies the staged settings."""

    apply_time: Literal["OnReset"] = field(default="OnReset", name="ApplyTime")


class Body(Form):
    """The body of a `PATCH …/Bios/Settings`, which only stages."""

    attributes: dict[AttributeName, AttributeValue] = field(name="Attributes")


class Members(Form):
    """Members that a request adds to the body of its file."""

    apply_time: ApplyTime = field(name="@Redfish.SettingsApplyTime")


class Request(Form):
    """One request: the file with its body, else an empty object, and what the body has beside it; for a GET, the file
    to compare its answer with."""

    method: Literal["GET", "PATCH", "POST"]
    uri: Uri
    file: str | None = None
    adds: Members | None = None


class ApplyWay(Form):
    """Requests in order, and their requirements."""

    name: Literal["on-reset", "job", "restart"]
    needs: str
    requests: tuple[Request, ...]


class First(Form):
    """Requests to send first, with a restart of their own, if one of the attributes in `differs` is not as expected.

    `opens` has the values that make an attribute writable until the rest is written.
    """

    needs: str
    differs: tuple[AttributeName, ...]
    opens: dict[AttributeName, dict[AttributeName, AttributeValue]]
    requests: tuple[Request, ...]


class Need(Form):
    """A condition for writing an attribute: another one has a value, or does not have it."""

    attribute: AttributeName
    be: AttributeValue | None = field(default=None, name="is")
    be_not: AttributeValue | None = field(default=None, name="is-not")


class Writable(Form):
    """When attributes can be written: while something is so."""

    needs: Need = field(name="while")
    attributes: tuple[AttributeName, ...]


Property = Literal["Model", "ProcessorId", "ProcessorSummary.Count"]
"""What of a server is compared: of its system, or of its processors (`ProcessorId`)."""


class Expected(Form):
    """The required value of a property of a server: one of `accepts`, because the policy states, implies or assumes
    (`verb`) a fact.

    Without any in `accepts`, nobody knows what such a server reports.
    """

    property: Property
    accepts: tuple[ReportedName | int, ...]
    verb: Literal["states", "implies", "assumes"]
    fact: ReportedValue
    value: ReportedValue


class Identify(Form):
    """What to check before anything is sent: whether this is the right server."""

    method: Literal["GET"] = "GET"
    uri: Uri
    expects: tuple[Expected, ...]


class Apply(Form):
    """How to apply: `identify`; one of the ways, after `first` if needed; a restart; then `verify`.

    `firmware` is the BIOS version of the registry that the plan was made with, if it was made with one. `writable` says
    when attributes can be written: one that is there twice needs both, one that is not there nothing. `along` has the
    attributes that others set, and those others. `assumed` has the attributes that the policy leaves alone. `cancel`
    withdraws the staged settings, before the restart, if the service has an action for that. `reported` has words that
    only some services say, with their meanings: `busy` is a message after which a request is to be sent again later.
    """

    form: Literal["setpoint.redfish.apply/2"] = field(default="setpoint.redfish.apply/2", name="schema")
    service: str
    firmware: str | None = None
    identify: Identify
    first: First | None
    ways: tuple[ApplyWay, ...]
    verify: Request
    cancel: Request | None
    reported: dict[ReportedWord, Meaning] | None
    writable: tuple[Writable, ...]
    along: dict[AttributeName, tuple[AttributeName, ...]]
    assumed: dict[AttributeName, AttributeValue]


class ExpectedAttribute(Form):
    """The value that an attribute is to have, and its reason: the setting and its value in the policy's terms, and
    their source.

    `role` is `write`; `ahead`, written and locked in the end state; or `fixed`, locked and not written. `step` is when
    it becomes right: `first`, `then`, or `along` with the attribute that sets it. `racadm` is its name there, where a
    source has it.
    """

    wanted: AttributeValue
    setting: str
    value: str
    role: Literal["ahead", "write", "fixed"]
    step: Literal["first", "then", "along"]
    cause: str
    because: str
    racadm: str | None


class EndState(Form):
    """What the BIOS is to have in the end, attribute by attribute."""

    form: Literal["setpoint.redfish.expected/1"] = field(default="setpoint.redfish.expected/1", name="schema")
    policy: str
    attributes: dict[AttributeName, ExpectedAttribute]


class Update(Form):
    """All requests and data, before they are text. The bodies are present only if needed. `job` makes a job of the
    staged settings. `in_place`: the BIOS has no settings resource, and takes attributes at its own top level."""

    first: Body | None
    settings: Body | None
    job: dict[ReportedWord, Uri] | None
    expected: EndState
    apply: Apply
    in_place: bool = False
