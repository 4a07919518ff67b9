"""The form of what `setpoint verify` found, `setpoint.verify/2`: that of the artifacts' own reports (`verification`), for many servers.

It has what these have of a setting, the same words for it, and more: the planned value as the policy has it, the readings that a
verdict rests on, what decided the value, and what would change it. Results with the same content are one, with their servers. The
JSON Schema is generated from these models; writing needs none of them.
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
