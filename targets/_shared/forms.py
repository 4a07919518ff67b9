"""What every target lowers a plan to: a model, checked as it is made, and what of the plan is in it.

What becomes code or data in an artifact has a type whose pattern leaves nothing to quote. Here are those that several
targets ask for; what one alone asks for is with its model.
"""

from typing import Annotated, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from setpoint.compiler.record import distinct

PolicyName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+-]+$")]

AttributeName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9]*$")]
"""A BIOS attribute: `ProcTurboMode`."""

Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.-]*$")]
"""A word that no shell and no reader of YAML takes for more, such as the value of a BIOS attribute."""

Uri = Annotated[str, Field(pattern=r"^/redfish/v1/[A-Za-z0-9./]+$")]

Reason = Annotated[str, Field(pattern=r"^[^\n\r]+\)$")]
"""Half a sentence on one line, closed by a bracket: see `setpoint.targets._linux.reason`."""


class Form(BaseModel):
    """A model that neither changes nor takes what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Model = TypeVar("Model")


@distinct
class Lowered(NamedTuple, Generic[Model]):
    """A target's model (None where there is nothing for it to do), what it carries of the plan, and what it does not.

    `left_out` maps a setting's name to the reason, in a sentence.
    """

    model: Model | None
    expressed: frozenset[str]
    left_out: dict[str, str]
