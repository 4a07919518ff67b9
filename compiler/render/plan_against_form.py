"""The form of what `setpoint plan --against` found, `setpoint.plan-against/1`. The JSON Schema is generated from these models; writing needs none
of them.
"""

from typing import Literal

from pydantic import Field

from setpoint.compiler.render.verification import ReportModel
from setpoint.compiler.render.verified_form import RefusedHost, VerifiedHost, VerifiedNote


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
