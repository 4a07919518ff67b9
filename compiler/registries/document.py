"""The external form of a registry and of current values: DMTF's AttributeRegistry and Bios, as far as they are read.

The names and the words are those of the schema AttributeRegistry.v1_4_0 (DMTF DSP8010, release 2025.3). One word is not
in it: `Value` as the property that a dependency changes, which some services use for the possible values that remain.
Unknown fields are ignored, and `null` counts as missing: services write both.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
)

LONGEST_PATH = 1_000
"""The maximum length of an attribute's path through the menus: ten times that of the longest. Each menu on it is looked
up by its own path."""

Scalar = StrictBool | StrictInt | StrictFloat | StrictStr | None

TYPES = Literal["Enumeration", "String", "Integer", "Boolean", "Password"]
OPERATORS = Literal["EQU", "NEQ", "GTR", "GEQ", "LSS", "LEQ"]
READ = Literal[
    "CurrentValue", "DefaultValue", "ReadOnly", "WriteOnly", "GrayOut", "Hidden", "LowerBound", "UpperBound",
    "MinLength", "MaxLength", "ScalarIncrement",
]  # fmt: skip
CHANGED = Literal[
    "CurrentValue", "DefaultValue", "ReadOnly", "WriteOnly", "GrayOut", "Hidden", "Immutable", "HelpText",
    "WarningText", "DisplayName", "DisplayOrder", "LowerBound", "UpperBound", "MinLength", "MaxLength",
    "ScalarIncrement", "ValueExpression", "Value",
]  # fmt: skip


def _unless_null(default: Any) -> BeforeValidator:
    """The default in place of `null`."""
    return BeforeValidator(lambda given: default if given is None else given)


Text = Annotated[str, _unless_null("")]
Flag = Annotated[bool, _unless_null(False)]


class DocumentModel(BaseModel):
    """A part of a document; its fields have the names of the schema."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ValueDocument(DocumentModel):
    """A possible value of an enumeration."""

    ValueName: str
    ValueDisplayName: Text = ""


class AttributeDocument(DocumentModel):
    """An attribute."""

    AttributeName: str = Field(min_length=1)
    Type: TYPES
    DisplayName: Text = ""
    MenuPath: Annotated[Text, Field(max_length=LONGEST_PATH)] = ""
    Value: Annotated[tuple[ValueDocument, ...], _unless_null(())] = ()
    DefaultValue: Scalar = None
    CurrentValue: Scalar = None
    ReadOnly: Flag = False
    WriteOnly: Flag = False
    GrayOut: Flag = False
    Hidden: Flag = False
    Immutable: Flag = False
    LowerBound: int | None = None
    UpperBound: int | None = None
    ScalarIncrement: int | None = None
    MinLength: int | None = None
    MaxLength: int | None = None
    ValueExpression: Text = ""

    @property
    def meaning(self) -> tuple[object, ...]:
        """What it is, wherever it is in the menus."""
        bounds = (self.LowerBound, self.UpperBound, self.ScalarIncrement, self.MinLength, self.MaxLength)
        return self.Type, self.Value, *bounds, self.ValueExpression


class MapFromDocument(DocumentModel):
    """A condition of a dependency. `MapTerms` has one term by the schema; some services write several."""

    MapFromAttribute: str
    MapFromProperty: READ = "CurrentValue"
    MapFromCondition: OPERATORS
    MapFromValue: Scalar = None
    MapTerms: Annotated[str, _unless_null(""), Field(pattern=r"^((AND|OR)(,(AND|OR))*)?$")] = ""


class DependencyDocument(DocumentModel):
    """The expression of a dependency."""

    MapFrom: tuple[MapFromDocument, ...] = Field(min_length=1)
    MapToAttribute: str
    MapToProperty: CHANGED
    MapToValue: Scalar | tuple[ValueDocument, ...] = None


class DependenciesDocument(DocumentModel):
    """A dependency. Other types than `Map` do not exist in the schema."""

    Type: Literal["Map"] = "Map"
    Dependency: DependencyDocument


class MenuDocument(DocumentModel):
    """A menu. Its path is either its own, or that of the menu above it."""

    MenuPath: Text = ""
    MenuName: Text = ""
    DisplayName: Text = ""


class EntriesDocument(DocumentModel):
    """The entries of a registry."""

    Attributes: tuple[AttributeDocument, ...]
    Dependencies: Annotated[tuple[DependenciesDocument, ...], _unless_null(())] = ()
    Menus: Annotated[tuple[MenuDocument, ...], _unless_null(())] = ()


class SystemDocument(DocumentModel):
    """A server that the registry is for."""

    ProductName: Text = ""
    SystemId: Text = ""
    FirmwareVersion: Text = ""


class RegistryDocument(DocumentModel):
    """A registry."""

    Id: Text = ""
    OwningEntity: Text = ""
    RegistryVersion: Text = ""
    Language: Text = ""
    SupportedSystems: Annotated[tuple[SystemDocument, ...], _unless_null(())] = ()
    RegistryEntries: EntriesDocument


class LinkDocument(DocumentModel):
    """A link to a resource."""

    address: Annotated[Text, Field(alias="@odata.id")] = ""


class SettingsDocument(DocumentModel):
    """What a resource says of the one that takes its settings."""

    SettingsObject: Annotated[LinkDocument, _unless_null({})] = LinkDocument()
    SupportedApplyTimes: Annotated[tuple[str, ...], _unless_null(())] = ()


class BiosDocument(DocumentModel):
    """The current values of a server, and where its settings are staged: its Bios resource."""

    Attributes: dict[str, Scalar]
    address: Annotated[Text, Field(alias="@odata.id")] = ""
    settings: Annotated[SettingsDocument, _unless_null({}), Field(alias="@Redfish.Settings")] = (
        SettingsDocument()
    )


class ProcessorsDocument(DocumentModel):
    """The processors of a server, all of one model."""

    Model: Text = ""


class ComputerSystemDocument(DocumentModel):
    """What a server says of itself: its ComputerSystem resource. Some say `null` for their model."""

    Model: Text
    BiosVersion: Text = ""
    ProcessorSummary: ProcessorsDocument = ProcessorsDocument()
    address: Annotated[Text, Field(alias="@odata.id")] = ""
