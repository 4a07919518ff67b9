"""The external form of a plan: the output of `plan --format json`, and plan.json in a bundle.

These models are its only description. The JSON Schema is generated from them, and foreign input is validated against
them before it becomes a plan. Unknown fields are ignored, since a later version may add some. `to_json.py` writes the
form without loading a schema library.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr, model_validator

from setpoint.compiler.knowledge.interfaces import INTERFACES, TYPES
from setpoint.compiler.plan.document_findings import DocumentModel, FindingDocument, WaiverDocument

HOW_KNOWN = Literal["stated", "implied", "assumed"]
STRENGTH = Literal["measured", "vendor", "practice", "test-first", "out-of-scope"]


class FactDocument(DocumentModel):
    """A fact of the context."""

    value: str
    origin: HOW_KNOWN = Field(alias="from")
    written: str | None = Field(
        None, description="As written in the policy, if different: a version for its series."
    )
    because: str = Field("", description="What implies it, or why it is assumed.")
    within: tuple[str, ...] = Field((), description="The values that it lies within, the nearest first.")
    role: Literal["intent", "fact"] = Field(
        "fact", description="`intent` for the purpose of the server, `fact` for the server as it is."
    )


class IdentityDocument(DocumentModel):
    """What a server must report to be one that the plan is for."""

    reports: Literal["product", "sockets", "system", "distribution", "kernel"]
    fact: str = Field(description="The fact whose value it is.")
    value: str
    origin: HOW_KNOWN = Field(alias="from")
    names: tuple[str, ...] = Field(
        description="The accepted names; with neither names nor versions there is nothing to compare."
    )
    or_later: tuple[str, ...] = Field(
        (), description="Versions; each is accepted, and so is every later one."
    )


class CauseDocument(DocumentModel):
    """Why a value is what it is."""

    kind: Literal["set", "rule", "preset", "constraint", "default"]
    rule: str = ""
    source: str | None = None
    at: str = Field("", description="Table, figure or section of the source.")
    strength: STRENGTH | Literal[""] = Field("", description="As the plan weighed it.")
    claimed: STRENGTH | None = Field(None, description="As the source has it, if different.")
    out_of_scope: Annotated[int, Field(ge=0)] | None = Field(
        None,
        description="Present if the source did not study this: 0 for another use, n for n steps of `follows`.",
    )
    studied: str = Field("", description="What the advice was written for; this server only follows it.")
    where: str = Field("", description="The conditions of the rule, as text.")
    because: str = ""
    profile: str = Field("", description="The recommended profile that implies the value.")
    note: str = ""
    file: str = ""
    line: int = 0


class LoserDocument(DocumentModel):
    """A recommendation that applied and did not win."""

    rule: str
    value: str
    reason: Literal[
        "out-of-scope",
        "site",
        "weaker-evidence",
        "farther-from-scope",
        "brought-by-profile",
        "broader",
        "untested-here",
        "withheld",
        "withdrawn",
        "blocked",
        "overridden-by-set",
    ]
    by: str = ""
    source: str | None = None
    at: str = ""
    strength: STRENGTH | Literal[""] = ""
    because: str = ""
    profile: str = Field("", description="The recommended profile that would have implied the value.")


class NoteDocument(DocumentModel):
    """A remark on a value, in addition to its causes."""

    kind: Literal[
        "derived",
        "written-out",
        "set-back",
        "profile",
        "changed",
        "default",
        "opens",
        "required",
        "locked",
        "unknown",
        "registry",
    ]
    text: str


class ShownDocument(DocumentModel):
    """A file in which the running system shows a value."""

    file: str
    text: str
    compare: Literal["at-least", "first-offered", "energy-bias", "exit-latency"] | None = Field(
        None, description="How to compare; by the whole text where it is absent."
    )
    differs: bool = Field(False, description="Whether the file must not have this text.")


class SpelledDocument(DocumentModel):
    """What a value is where it is written."""

    interface: str = Field(description="`argument`, `sysctl`, `tuned` …")
    names: tuple[str, ...]
    text: str | None = Field(description="Null if no text of the value is known there.")
    type: Literal["integer", "boolean"] | None = Field(
        None, description="What the interface takes: a JSON number, or a Boolean; text if it is absent."
    )
    texts: dict[str, str] = Field({}, description="The text of each value that has one.")
    absent: bool = Field(False, description="Whether the names must not be there, or not with this text.")
    shown: tuple[ShownDocument, ...] = ()
    place: int = Field(0, description="Its place in the list of spellings that has it.")

    @model_validator(mode="after")
    def _has_the_form_of_its_interface(self) -> "SpelledDocument":
        """Artifacts contain these names and texts, so they must be what a knowledge file could have said."""
        interface = INTERFACES.get(self.interface)
        if interface is None:
            return self
        wrong = [name for name in self.names if not interface.name.fullmatch(name)]
        texts = [*([self.text] if self.text is not None and not self.absent else []), *self.texts.values()]
        forms = [interface.text, *([TYPES[self.type]] if self.type else [])] if interface.has_texts else []
        wrong += [text for text in texts if not all(form.fullmatch(text) for form in forms)]
        if wrong or not self.names or (self.absent and not interface.has_absence):
            raise ValueError(f"not a name or a text of {interface.title}: {(*wrong, '')[0]!r}")
        return self


class LockDocument(DocumentModel):
    """A setting that puts another out of use."""

    setting: str
    values: tuple[str, ...] = Field(description="The values with which it does.")
    unless: bool = Field(False, description="Whether it does with all values except this one.")
    hides: bool = Field(False, description="Whether the other one cannot even be read.")
    kept: tuple[str, ...] = Field((), description="The values under which the other one keeps its value.")
    undecided: tuple[str, ...] = Field(
        (), description="The values under which the firmware sets the other one to one of several."
    )


class SettingDocument(DocumentModel):
    """A setting with its value."""

    title: str
    value: str
    origin: Literal["set", "rule", "preset", "forced", "default"] = Field(alias="from")
    layer: Literal["firmware", "boot", "os"]
    because: tuple[CauseDocument, ...] = Field(min_length=1)
    beat: tuple[LoserDocument, ...]
    default: str | None = Field(description="The vendor's default; null where no source states it.")
    written: bool = Field(description="Whether artifacts set the value.")
    unwritten: Literal["default", "locked", "profile", "unknown", "fixed", "once"] | None = Field(
        description="Why they do not: `fixed` if the server takes no other value, `once` if it is performed once."
    )
    reboot: bool = Field(description="Whether the value takes effect only after a restart.")
    menu: str | None = Field(description="Its place in the setup menu.")
    label: str = Field(description="The value's label in the menu.")
    notes: tuple[NoteDocument, ...]
    order: Annotated[int, Field(ge=1)] = Field(description="Its place in the order of decision.")
    rests_on: tuple[str, ...] = Field(
        (),
        description="The assumed facts without which the setting would not be offered, or the value not recommended.",
    )
    governs: tuple[str, ...] = Field(
        (), description="The settings that can be set once this one has its value."
    )
    spelled: tuple[SpelledDocument, ...] = Field(
        (), description="What the value is in each interface that has it, if any is known."
    )
    locks: tuple[LockDocument, ...] = Field(
        (),
        description="The settings that put this one out of use, so that the firmware takes no value for it.",
    )
    once: bool = Field(False, description="Whether the setting is a one-time action, performed or not.")


class EffectDocument(DocumentModel):
    """A combined effect of settings of several layers."""

    title: str
    value: str
    source: str
    at: str


class HazardDocument(DocumentModel):
    """A hazard that occurs for the values of the plan."""

    hazard: str
    state: Literal["stops", "warns", "accepted"]
    what: str = Field(description="What the hazard is.")
    stops: bool = Field(description="Whether it stops the build unless it is waived.")
    graded: Literal["error", "warning"] = Field(description="The source's own grade.")
    source: str
    at: str
    where: str = Field(description="The conditions of the hazard, as text.")
    out_of_scope: Annotated[int, Field(ge=0)] | None = None
    help: str = ""


class SourceDocument(DocumentModel):
    """A source that the plan cites."""

    title: str
    publisher: str
    date: str | None
    url: str | None


class ServiceDocument(DocumentModel):
    """What the Redfish services of these servers offer for BIOS settings."""

    name: str
    title: str
    addresses: dict[str, str] = Field(description="The addresses of its resources, by their names.")
    applies: dict[str, str] = Field(
        description="How staged settings take effect, each with a firmware that was seen to do so, or none."
    )
    because: str = Field("", description="Why there is no such service.")
    source: str
    at: str


class LimitedDocument(DocumentModel):
    """A setting of which the server's registry offers less than the knowledge base."""

    setting: str
    kind: Literal["absent", "fixed", "fewer"] = Field(
        description="The server does not have it, takes no other value than it has, or takes fewer values."
    )
    because: str = Field(description="What the registry says.")


class RegistryDocument(DocumentModel):
    """The attribute registry of the one server that the plan is for."""

    file: str = Field(description="The name of its file, without a folder.")
    product: str = Field("", description="The product that it names.")
    firmware: str = Field("", description="The BIOS version that it names.")
    limited: tuple[LimitedDocument, ...] = ()
    current: dict[str, StrictStr | StrictBool | StrictInt] = Field(
        {}, description="The values of the settings' attributes when the server was read."
    )
    right: tuple[str, ...] = Field(
        (), description="The attributes that have the plan's values already, and are not written."
    )


class EvidenceDocument(DocumentModel):
    """How strong the policy requires recommendations to be."""

    strength: STRENGTH
    because: str


class PlanDocument(DocumentModel):
    """The output of `setpoint plan --format json`, and plan.json in a bundle."""

    form: Literal["setpoint.plan/2"] = Field(alias="schema")
    policy: str
    facts: dict[str, FactDocument]
    identity: tuple[IdentityDocument, ...] = Field((), description="A plan that failed has none.")
    service: ServiceDocument | None = Field(None, description="Absent if it is not known.")
    settings: dict[str, SettingDocument] = Field(description="Empty if there is no plan.")
    effects: dict[str, EffectDocument]
    hazards: tuple[HazardDocument, ...]
    waivers: tuple[WaiverDocument, ...]
    sources: dict[str, SourceDocument] = Field(description="The sources that the plan cites.")
    diagnostics: tuple[FindingDocument, ...]
    registry: RegistryDocument | None = Field(
        None,
        description="Present if the plan was made with the registry or the current values of one server.",
    )
    evidence: EvidenceDocument | None = Field(
        None,
        description="Present if the policy requires a strength: weaker recommendations are withheld.",
    )


def schema() -> dict[str, Any]:
    """The JSON Schema of the form."""
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A Setpoint plan, version 2"}
    made = PlanDocument.model_json_schema(by_alias=True)
    return {**title, **{key: value for key, value in made.items() if key != "title"}}
