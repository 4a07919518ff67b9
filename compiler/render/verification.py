"""The report of a verification: the output of every artifact for `--verify --json`, whatever its layer.

Scripts print it on the servers, without Python; these models describe the form. The JSON Schema is generated from them.
Unknown fields are ignored, since a later version may add some.
"""

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from setpoint.compiler.verification.model import MEANINGS

State = Literal[
    "ok", "pending", "differs", "locked", "unreadable", "not-applicable", "not-compared", "rolled-back"
]

STATES: dict[State, str] = {
    **{state: MEANINGS[state] for state in get_args(State)},
    "ok": "in effect",
    "unreadable": "it could not be compared",
}
"""The meaning of the states."""


class ReportModel(BaseModel):
    """A part of the report."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Result(ReportModel):
    """One setting, compared with the server, in the terms of the system: a BIOS attribute's, a kernel argument's."""

    setting: str = Field(description="By its name in the policy.")
    layer: Literal["firmware", "boot", "os"]
    wanted: str = Field(description="`absent` for a kernel argument that is not to be there.")
    found: str | None = Field(description="What is in effect; null where that is not known.")
    pending: str | None = Field(description="What the next restart brings, where that is something else.")
    state: State = Field(description="; ".join(f"`{state}`: {meaning}" for state, meaning in STATES.items()))
    reason: str = Field(description="What explains the state, in words; may be empty.")


class Report(ReportModel, title="A Setpoint verification, version 1"):
    """The result of one artifact on one server."""

    form: Literal["setpoint.verify/1"] = Field(alias="schema")
    host: str = Field(description="`uname -n`, or what SETPOINT_HOST has.")
    policy: str
    plan: str = Field(
        default="",
        description="What tells the plan from another: the SHA-256 of what it sets. Only the role has it.",
    )
    rollout: str = Field(
        default="", description="The name of the roll-out to this server. Only the role has it."
    )
    results: tuple[Result, ...]
    notes: tuple[str, ...] = Field(
        default=(),
        description="What was found beside the settings: checks of the server that were passed over although something differs, values of "
        "somebody else that wait, jobs that are open.",
    )
