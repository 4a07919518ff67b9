"""The tables of a plan's JSON: the output of `plan --format json`, and plan.json in a bundle.

They are its only description: from them it is written, read, checked and described in the schema. A field of a record
needs a row only if its JSON has another name or form, or a description, or if its order matters.
"""

from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import IN_SCOPE
from setpoint.compiler.plan import model, server
from setpoint.compiler.plan.form import (
    REQUIRED,
    TEXT,
    Each,
    JsonField,
    Nullable,
    Opposite,
    Pairs,
    Part,
    Plain,
    one_of,
    optional,
)
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.waivers import HAZARD

COUNT = Plain(int, least=0)
SCHEMA = "setpoint.plan/2"

HOW_KNOWN = "stated implied assumed"

STRENGTH = "measured vendor practice test-first out-of-scope"
STRENGTH_OR_NONE = Plain(str, (*STRENGTH.split(), ""))

CITED = JsonField("source", of="citation.source"), JsonField("at", of="citation.at")
"""The source that a record always has."""

DIGEST = Plain(str, pattern="^[0-9a-f]{64}$")


def _perhaps_cited(about: str = "") -> tuple[JsonField, JsonField]:
    """The source that a record may have."""
    return (
        optional(
            "source",
            kind=Nullable(TEXT, None),
            of="citation.source",
            get=lambda record, _: record.citation and record.citation.source,
        ),
        optional(
            "at",
            about,
            kind=str,
            of="citation.at",
            get=lambda record, _: record.citation.at if record.citation else "",
        ),
    )


FACT = Part(
    "FactDocument",
    "A fact of the context.",
    model.FactEntry,
    "value",
    JsonField("from", kind=HOW_KNOWN, of="origin"),
    JsonField(
        "written",
        "As written in the policy, if different: a version for its series.",
        kind=str,
        of="text",
        like="value",
    ),
    optional("because", "What implies it, or why it is assumed."),
    JsonField("within", "The values that it lies within, the nearest first.", of="above"),
    JsonField(
        "role", "`intent` for the purpose of the server, `fact` for the server as it is.", kind="intent fact"
    ),
    named=True,
    without=("follows",),
)

IDENTITY = Part(
    "IdentityDocument",
    "What a server must report to be one that the plan is for.",
    server.Identity,
    JsonField("reports", kind="product processor sockets system distribution kernel", of="kind"),
    JsonField("fact", "The fact whose value it is."),
    "value",
    JsonField("from", kind=HOW_KNOWN, of="origin"),
    JsonField("names", "The accepted names; with neither names nor versions there is nothing to compare."),
    optional("or_later", "Versions; each is accepted, and so is every later one.", of="since"),
)

EFFECT = Part(
    "EffectDocument",
    "A combined effect of settings of several layers.",
    model.EffectValue,
    "title",
    "value",
    *CITED,
    named=True,
)

ARISING = Part(
    "HazardDocument",
    "A hazard that occurs for the values of the plan.",
    model.ArisingHazard,
    "hazard",
    JsonField(
        "state",
        kind="stops warns accepted",
        get=lambda hazard, judgement: judgement.states[hazard.hazard],
        follows=True,
    ),
    JsonField("what", "What the hazard is."),
    JsonField("stops", "Whether it stops the build unless it is waived."),
    JsonField("graded", "The source's own grade.", kind="error warning"),
    *CITED,
    JsonField("where", "The conditions of the hazard, as text.", of="condition"),
    optional("out_of_scope", kind=Nullable(COUNT, IN_SCOPE), of="steps"),
    optional("help"),
    without=("stated",),
)

RELATED = Part(
    "RelatedDocument",
    "Another place that contributes to a finding.",
    Label,
    *(JsonField(key, of=f"span.{key}") for key in ("file", "line", "column")),
    "text",
)

FINDING = Part(
    "FindingDocument",
    "An error or a warning.",
    Diagnostic,
    JsonField("code", kind=Plain(str, pattern="^[EWK][0-9]{2,4}$")),
    JsonField("severity", kind="error warning", follows=True),
    "message",
    JsonField("file", "Empty if it is not about a file.", of="at.file"),
    *(JsonField(key, of=f"at.{key}") for key in ("line", "column", "end_line", "end_column")),
    JsonField("label", "A few words about that place; may be empty.", kind=str, default=REQUIRED),
    JsonField("related", of="others", default=REQUIRED),
    JsonField("notes", default=REQUIRED),
    JsonField("help", default=REQUIRED),
    JsonField("subject", "The hazard, setting or source that it is about, if it is about one."),
    optional(
        "judged",
        "Whether it was found by judging the plan on a day, not by making it.",
        kind=bool,
        get=lambda finding, judgement: finding in judgement.judged,
        follows=True,
    ),
    without=("fixes",),
)

CAUSE = Part(
    "CauseDocument",
    "Why a value is what it is.",
    model.Cause,
    JsonField("kind", kind="set rule preset constraint default"),
    JsonField("rule", of="name"),
    *_perhaps_cited("Table, figure or section of the source."),
    JsonField("strength", "As the plan weighed it.", kind=STRENGTH_OR_NONE),
    JsonField("claimed", "As the source has it, if different.", kind=STRENGTH, like="strength"),
    JsonField(
        "out_of_scope",
        "Present if the source did not study this: 0 for another use, n for n steps of `follows`.",
        kind=Nullable(COUNT, IN_SCOPE),
        of="steps",
    ),
    JsonField("studied", "What the advice was written for; this server only follows it."),
    JsonField("where", "The conditions of the rule, as text.", of="written_for"),
    "because",
    JsonField("profile", "The recommended profile that implies the value."),
    "note",
    optional("file", kind=str, get=lambda *_: "", follows=True),
    optional("line", kind=int, get=lambda *_: 0, follows=True),
)
"""A cause. The place of a `set` is beside the plan, and is put into its cause here (`as_json`)."""

LOSER = Part(
    "LoserDocument",
    "A recommendation that applied and did not win.",
    model.Loser,
    JsonField("rule", of="name"),
    "value",
    JsonField(
        "reason",
        kind="out-of-scope site weaker-evidence farther-from-scope brought-by-profile broader untested-here withheld withdrawn blocked overridden-by-set",
    ),
    optional("by"),
    *_perhaps_cited(),
    optional("strength", kind=STRENGTH_OR_NONE),
    optional("because"),
    JsonField("profile", "The recommended profile that would have implied the value."),
)

NOTE = Part(
    "NoteDocument",
    "A remark on a value, in addition to its causes.",
    model.Note,
    JsonField(
        "kind",
        kind="derived written-out set-back profile changed default opens required locked unknown registry",
    ),
)

SHOWN = Part(
    "ShownDocument",
    "A file in which the running system shows a value.",
    model.Shown,
    "file",
    "text",
    optional(
        "compare",
        "How to compare; by the whole text where it is absent.",
        kind=Nullable(one_of("at-least first-offered energy-bias exit-latency")),
        of="comparison",
    ),
    optional("differs", "Whether the file must not have this text.", kind=Opposite(), of="is_same"),
)

SPELLED = Part(
    "SpelledDocument",
    "What a value is where it is written.",
    model.SpelledValue,
    JsonField("interface", "`argument`, `sysctl`, `tuned` …"),
    "names",
    JsonField("text", "Null if no text of the value is known there."),
    JsonField(
        "type",
        "What the interface takes: a JSON number, or a Boolean; text if it is absent.",
        kind=Nullable(one_of("integer boolean")),
    ),
    JsonField("texts", "The text of each value that has one."),
    optional("absent", "Whether the names must not be there, or not with this text.", of="is_absent"),
    optional("shown"),
    JsonField("place", "Its place in the list of spellings that has it."),
)

LOCK = Part(
    "LockDocument",
    "A setting that puts another out of use.",
    model.Lock,
    "setting",
    JsonField("values", "The values with which it does."),
    optional("unless", "Whether it does with all values except this one."),
    JsonField("hides", "Whether the other one cannot even be read."),
    JsonField("kept", "The values under which the other one keeps its value."),
    JsonField("undecided", "The values under which the firmware sets the other one to one of several."),
)

SETTING = Part(
    "SettingDocument",
    "A setting with its value.",
    model.Decision,
    "title",
    "value",
    JsonField("from", kind="set rule preset forced default", of="origin"),
    JsonField("layer", kind="firmware boot os"),
    JsonField("because", kind=Each(CAUSE, 1)),
    "beat",
    JsonField("default", "The vendor's default; null where no source states it.", kind=Nullable(TEXT)),
    JsonField("written", "Whether artifacts set the value.", kind=bool, follows=True),
    JsonField(
        "unwritten",
        "Why they do not: `fixed` if the server takes no other value, `once` if it is performed once.",
        kind=Nullable(one_of("default locked profile unknown fixed once")),
    ),
    JsonField("reboot", "Whether the value takes effect only after a restart.", kind=bool, follows=True),
    JsonField("menu", "Its place in the setup menu.", kind=Nullable(TEXT)),
    JsonField("label", "The value's label in the menu."),
    "notes",
    JsonField("order", "Its place in the order of decision.", kind=Plain(int, least=1), of="position"),
    JsonField(
        "rests_on",
        "The assumed facts without which the setting would not be offered, or the value not recommended.",
    ),
    JsonField("governs", "The settings that can be set once this one has its value."),
    JsonField("spelled", "What the value is in each interface that has it, if any is known."),
    JsonField(
        "locks", "The settings that put this one out of use, so that the firmware takes no value for it."
    ),
    JsonField("once", "Whether the setting is a one-time action, performed or not."),
    named=True,
)


def _waiver(name: str, hazard: str, **rest: Any) -> model.Waiver:
    return model.Waiver(name=hazard or name, **rest)


WAIVER = Part(
    "WaiverDocument",
    "A hazard, warnings, or a difference between plan and server, that the policy waives.",
    model.Waiver,
    JsonField("kind", kind="hazard advice override omission difference", default=HAZARD),
    optional(
        "name",
        "What is waived, as the policy states it; that of a hazard is `hazard`.",
        kind=str,
        get=lambda waiver, _: "" if waiver.kind == HAZARD else waiver.name,
    ),
    optional(
        "hazard",
        "The hazard; absent if something else is waived.",
        kind=Nullable(TEXT),
        get=lambda waiver, _: waiver.name if waiver.kind == HAZARD else "",
    ),
    JsonField("what", "What the hazard is, or the messages of the waived warnings."),
    JsonField("because", "Why the policy waives it."),
    JsonField("until", kind=Nullable(Plain(str, format="date"))),
    JsonField(
        "stands",
        "Whether the hazard or the warnings occur in this plan at all; of a difference, whether the plan has the setting.",
    ),
    JsonField("inherited", "Whether a wider level than the plan's own waives it."),
    optional(
        "expired",
        "Whether the waiver has expired; never in a bundle, which has no date.",
        kind=bool,
        get=lambda waiver, judgement: waiver.name in judgement.expired,
        follows=True,
    ),
    JsonField("source", "The source of the advice that the warnings are about."),
    JsonField("setting", "The setting that the warnings or the difference are about."),
    JsonField("covers", "The warnings that the plan would have without it."),
    make=_waiver,
)

SOURCE = Part(
    "SourceDocument",
    "A source that the plan cites.",
    model.Reference,
    "title",
    "publisher",
    JsonField("date", kind=Nullable(TEXT)),
    JsonField("url", kind=Nullable(TEXT)),
    named=True,
)

SERVICE = Part(
    "ServiceDocument",
    "What the Redfish services of these servers offer for BIOS settings.",
    server.RedfishService,
    "name",
    "title",
    JsonField("addresses", "The addresses of its resources, by their names."),
    JsonField(
        "applies",
        "How staged settings take effect, each with a firmware that was seen to do so, or none.",
        of="ways",
    ),
    optional("because", "Why there is no such service."),
    optional(
        "reported",
        "Words that only some services say, each with its meaning: `busy` is a message that a request is to be sent again later.",
    ),
    *CITED,
)

LIMITED = Part(
    "LimitedDocument",
    "A setting of which the server's registry offers less than the knowledge base.",
    server.Limited,
    "setting",
    JsonField(
        "kind",
        "The server does not have it, takes no other value than it has, or takes fewer values.",
        kind="absent fixed fewer",
    ),
    JsonField("because", "What the registry says."),
)

REGISTRY = Part(
    "RegistryDocument",
    "The attribute registry of the one server that the plan is for.",
    server.RegistryEntry,
    JsonField("file", "The name of its file, without a folder."),
    optional("product", "The product that it names.", stays=True),
    optional("firmware", "The BIOS version that it names.", stays=True),
    JsonField("limited", stays=True),
    JsonField(
        "current",
        "The values of the settings' attributes when the server was read.",
        kind=Pairs(str | bool | int),
        stays=True,
    ),
    JsonField(
        "right", "The attributes that have the plan's values already, and are not written.", stays=True
    ),
)

EVIDENCE = Part(
    "EvidenceDocument",
    "How strong the policy requires recommendations to be.",
    model.RequiredStrength,
    JsonField("strength", kind=STRENGTH),
)

MADE_WITH = Part(
    "MadeWithDocument",
    "The compiler and the knowledge that the plan was made with.",
    MadeWith,
    JsonField("setpoint", "The version of the compiler."),
    JsonField("library", "The digest of the library.", kind=DIGEST),
    JsonField("site", "The digest of the site's own knowledge, if there is any.", kind=Nullable(DIGEST)),
    without=("facts",),
)

OWN_REASONS = Part(
    "OwnReasonsDocument",
    "The reasons of the hosts of a fleet for a statement that all of them have, each with its own.",
    model.OwnReasons,
    JsonField("about", "The setting, or what is waived."),
    JsonField("hosts", "Each host with its reason.", of="of_hosts"),
    named=True,
)

PLAN = Part(
    "PlanDocument",
    "The output of `setpoint plan --format json`, and plan.json in a bundle.",
    model.Plan,
    JsonField("schema", kind=SCHEMA, get=lambda *_: SCHEMA, follows=True),
    "policy",
    JsonField("made_with", "A plan that failed has none."),
    "facts",
    JsonField("identity", "A plan that failed has none.", stays=True),
    JsonField("service", "Absent if it is not known."),
    JsonField("settings", "Empty if there is no plan."),
    "effects",
    "hazards",
    "waivers",
    JsonField("sources", "The sources that the plan cites."),
    JsonField("diagnostics", of="advisories", get=lambda _, judgement: judgement.findings),
    JsonField(
        "registry", "Present if the plan was made with the registry or the current values of one server."
    ),
    JsonField("evidence", "Present if the policy requires a strength: weaker recommendations are withheld."),
    JsonField(
        "own_reasons",
        "Present in the plan of a fleet whose hosts have different reasons for what they have alike.",
    ),
    without=("places",),
)
