"""The service as the plan wants it."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Service(BaseModel):
    """On or off, both now and at the next start; the reason is one line, closed by a bracket."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy: str
    on: bool
    reason: Annotated[str, Field(pattern=r"^[^\n\r]+\)$")]
