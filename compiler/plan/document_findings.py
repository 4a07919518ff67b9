"""The findings of a plan in its external form, and what the policy waives of them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class DocumentModel(BaseModel):
    """A part of the document; its fields have the names of the JSON."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class RelatedDocument(DocumentModel):
    """Another place that contributes to a finding."""

    file: str
    line: int
    column: int
    text: str


class FindingDocument(DocumentModel):
    """An error or a warning."""

    code: Annotated[str, Field(pattern="^[EWK][0-9]{2,4}$")]
    severity: Literal["error", "warning"]
    message: str
    file: str = Field(description="Empty if it is not about a file.")
    line: int
    column: int
    end_line: int
    end_column: int
    label: str = Field(description="A few words about that place; may be empty.")
    related: tuple[RelatedDocument, ...]
    notes: tuple[str, ...]
    help: tuple[str, ...]
    subject: str = Field(
        "", description="The hazard, setting or source that it is about, if it is about one."
    )
    judged: bool = Field(
        False, description="Whether it was found by judging the plan on a day, not by making it."
    )


class WaiverDocument(DocumentModel):
    """A hazard, or warnings, that the policy waives."""

    kind: Literal["hazard", "advice", "override", "omission"] = "hazard"
    name: str = Field(
        "", description="What is waived, as the policy states it; that of a hazard is `hazard`."
    )
    hazard: str | None = Field(None, description="The hazard; absent if warnings are waived.")
    what: str = Field(description="What the hazard is, or the messages of the waived warnings.")
    because: str = Field(description="Why the policy waives it.")
    until: str | None = Field(json_schema_extra={"format": "date"})
    stands: bool = Field(description="Whether the hazard or the warnings occur in this plan at all.")
    inherited: bool = Field(False, description="Whether a wider level than the plan's own waives it.")
    expired: bool = Field(
        False,
        description="Whether the waiver has expired; never in a bundle, which has no date.",
    )
    source: str = Field("", description="The source of the advice that the warnings are about.")
    setting: str = Field("", description="The setting that the warnings are about.")
    covers: tuple[FindingDocument, ...] = Field(
        (), description="The warnings that the plan would have without it."
    )
