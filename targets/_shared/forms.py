"""The models that targets lower plans to: validated when they are made, and reporting which settings they express.

Everything that becomes code in an artifact has a type whose pattern leaves nothing to quote. Names and values of BIOS
attributes can be any printable text: they become data only, and each target quotes them for its format. Types that
several targets use are here; those of a single one are with its model.
"""

from collections.abc import Callable
from typing import Annotated, Generic, NamedTuple, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictInt

from setpoint.compiler.knowledge.interfaces import INTERFACES, SHOWN_IN, TextForm
from setpoint.compiler.lowering.target import Artifact, Emission, PlanCoverage, Procedure
from setpoint.compiler.record import distinct

WORD = r"^[A-Za-z0-9_][A-Za-z0-9_.+-]*$"

PolicyName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+-]+$")]


def _having(form: TextForm) -> AfterValidator:
    """Require a form of texts."""

    def check(text: str) -> str:
        if not form.fullmatch(text):
            raise ValueError("not printable, or empty")
        return text

    return AfterValidator(check)


AttributeName = Annotated[str, _having(INTERFACES["attribute"].name)]
"""A BIOS attribute: `ProcTurboMode`, `Processors_C-States`. It needs quoting."""

AttributeText = Annotated[str, _having(INTERFACES["attribute"].text)]
"""The text of an attribute's value. It needs quoting."""

AttributeValue = StrictBool | StrictInt | AttributeText
"""The value of a BIOS attribute, of the type that JSON has for it. A text needs quoting."""

Word = Annotated[str, Field(pattern=WORD)]
"""A plain word to every shell, such as the name of a setting."""

KernelPath = Annotated[str, Field(pattern=f"^{SHOWN_IN.pattern}$")]
"""A file in which the running system shows a setting, or files, by a pattern of the shell."""

Uri = Annotated[str, Field(pattern=r"^/redfish/v1(/[A-Za-z0-9_.-]+)+/?$")]

Sentence = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.,+` -]*$")]
"""Why a target has nothing to do, for an error message; "" if it has something."""

Reason = Annotated[str, Field(pattern=r"^[^\n\r]+\)$")]
"""Half a sentence on one line, closed by a bracket: see `setpoint.targets._linux.reason`."""


class Form(BaseModel):
    """A model that is immutable and rejects unknown fields. Its validator is built with the first one: no plan needs all models."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


Model = TypeVar("Model")


@distinct
class Lowered(NamedTuple, Generic[Model]):
    """A target's model (None if it has nothing to do), the settings that it expresses, and those that it leaves out.

    `left_out` maps a setting's name to the reason, in a sentence.
    """

    model: Model | None
    expressed: frozenset[str]
    left_out: dict[str, str]

    def emission(
        self,
        artifacts: Callable[[Model], tuple[Artifact, ...]],
        procedure: Callable[[tuple[Artifact, ...]], Procedure | None],
    ) -> Emission:
        """The emission with the files that `artifacts` makes of the model, and how they are used; without files if there is no model."""
        made = artifacts(self.model) if self.model is not None else ()
        return Emission(made, self.expressed, self.left_out, procedure(made) if made else None)

    @property
    def coverage(self) -> PlanCoverage:
        """The settings, without files."""
        return PlanCoverage(self.expressed, self.left_out, self.model is not None)
