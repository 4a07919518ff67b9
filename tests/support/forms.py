"""The forms of what `setpoint verify` and `setpoint plan --against` print for programs, as models of which the tests
make the JSON Schemas.

`setpoint.verify/2` is the form of the artifacts' own reports (`compiler/render/verification.py`), for many servers. It
has what these have of a setting, the same words for it, and more: the planned value as the policy has it, the readings
that a verdict rests on, what decided the value, and what would change it. Results with the same content are one, with
their servers. `setpoint.plan-against/1` has what was found there for each setting. Writing needs none of the models.
"""

from typing import Literal

from pydantic import Field

from setpoint.compiler.render.verification import ReportModel
from setpoint.compiler.verification.model import DIFFERENCES, MEANINGS


class VerifiedReading(ReportModel):
    """A reading that a verdict rests on."""

    kind: Literal["configured", "pending", "in effect"] = Field(
        description="By the controller or the boot line; from the next restart on; on the host."
    )
    place: str = Field(description="The place in the capture, with the bits or the attribute that count.")
    text: str = Field(description="What was read there; of many different texts the first.")


class VerifiedWaiver(ReportModel):
    """The policy's waiver of a difference."""

    because: str
    until: str | None = Field(description="Its last day; null if it has no end.")
    expired: bool = Field(description="Whether it has expired, so that the difference counts.")
    state: str = Field(
        description="What the state is without the waiver.",
        json_schema_extra={"enum": [*sorted(DIFFERENCES)]},
    )


class VerifiedResult(ReportModel):
    """One setting, compared with the servers that have the same verdict."""

    setting: str = Field(description="By its name in the policy.")
    layer: Literal["firmware", "boot", "os"]
    value: str = Field(description="The planned value, as in the policy.")
    wanted: str = Field(
        description="The same in the terms of the system; `absent` for a kernel argument that is not to be there."
    )
    found: str | None = Field(description="What was found; null where that is not known.")
    pending: str | None = Field(description="What the next restart brings, where that is something else.")
    state: str = Field(
        description="; ".join(f"`{state}`: {meaning}" for state, meaning in MEANINGS.items()),
        json_schema_extra={"enum": list(MEANINGS)},
    )
    reason: str = Field(description="What explains the state, in words; may be empty.")
    readings: tuple[VerifiedReading, ...]
    decided_by: str = Field(description="The layer or the program that decided what was found; may be empty.")
    change: str = Field(description="What would change the verdict; empty if nothing has to.")
    waiver: VerifiedWaiver | None = Field(
        default=None, description="What the policy says of this difference; absent if it waives none."
    )
    policy: str
    hosts: tuple[str, ...]


class VerifiedHost(ReportModel):
    """A server that was compared, and its policy."""

    host: str = Field(description="The name of the capture.")
    policy: str


class VerifiedNote(ReportModel):
    """What was found beside the settings: values of somebody else that wait, jobs that are open."""

    text: str
    hosts: tuple[str, ...]


class RefusedHost(ReportModel):
    """A capture that was compared with no plan, and why."""

    host: str
    reason: str


class UnneededWaiver(ReportModel):
    """A waiver of a difference that no server has which was compared (W0917)."""

    waiver: str = Field(description="What it waives, in the words of the policy.")
    file: str
    line: int


class VerificationReport(ReportModel, title="A Setpoint verification, version 2"):
    """The verdicts on all servers."""

    form: Literal["setpoint.verify/2"] = Field(alias="schema")
    made_with: dict[str, str] | None = None
    hosts: tuple[VerifiedHost, ...]
    counts: dict[str, int] = Field(description="How many settings of servers have each state.")
    results: tuple[VerifiedResult, ...]
    notes: tuple[VerifiedNote, ...]
    refused: tuple[RefusedHost, ...]
    unneeded_waivers: tuple[UnneededWaiver, ...] = ()


class FoundResult(ReportModel):
    """Something that was found, and the servers that have it."""

    kind: Literal["changes", "pending", "foreign", "left-over", "not-known", "right"] = Field(
        description="The plan writes it; it waits for a restart; somebody else has staged it; nothing writes it, and it is not as the plan "
        "assumes; the capture does not show it; it is as planned."
    )
    name: str = Field(
        description="The setting by its name in the policy; else an attribute, a boot argument, a sysctl, or `tuned profile`."
    )
    setting: str = Field(description="The setting that the name belongs to; may be empty.")
    layer: Literal["firmware", "boot", "os"]
    configured: str | None = Field(
        description="What the controller, the boot line or a file asks for; null if that is not known."
    )
    pending: str | None = Field(description="What the next restart brings, where that is something else.")
    in_effect: str | None = Field(description="What the host shows; null if that is not known.")
    wanted: str | None = Field(
        description="The planned value in the terms of the system; null if the plan has none."
    )
    value: str = Field(description="The planned value, as in the policy; may be empty.")
    restart: bool = Field(description="Whether the planned value comes into effect by a restart.")
    locked: bool = Field(description="Whether another setting, in `why`, does not let it be written now.")
    why: str = Field(description="What explains the row, in words; may be empty.")
    decided_by: str = Field(
        description="The layer, the file or the program that decided what was found; may be empty."
    )
    hosts: tuple[str, ...]


class ServerClass(ReportModel):
    """Servers whose plan has the same facts."""

    policy: str
    facts: dict[str, str]
    hosts: tuple[str, ...]


class PlanAgainst(ReportModel, title="Setpoint plans beside servers, version 1"):
    """What plans do to servers: each row once, with the servers that have it."""

    form: Literal["setpoint.plan-against/1"] = Field(alias="schema")
    made_with: dict[str, str] | None = None
    hosts: tuple[VerifiedHost, ...]
    classes: tuple[ServerClass, ...]
    results: tuple[FoundResult, ...]
    notes: tuple[VerifiedNote, ...]
    refused: tuple[RefusedHost, ...]
