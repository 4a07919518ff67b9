"""The tables of a plan's JSON: the output of `plan --format json`, and plan.json in a bundle.

They are its only description. A field that is added to a record of `model.py` is a row here, or in `setting_fields.py`, and is
then written, read, checked and in the schema.
"""

from typing import Any

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.knowledge.model import IN_SCOPE, Citation
from setpoint.compiler.plan.form import (
    COUNT,
    NUMBER,
    TEXT,
    TEXTS,
    TRUTH,
    Each,
    JsonField,
    Named,
    Nullable,
    Pairs,
    Part,
    Plain,
    one_of,
    optional,
)
from setpoint.compiler.plan.identity import Identity
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.model import (
    ArisingHazard,
    EffectValue,
    FactEntry,
    Reference,
    RequiredStrength,
    Waiver,
)
from setpoint.compiler.plan.registry import Limited, RegistryEntry
from setpoint.compiler.plan.service import RedfishService
from setpoint.compiler.plan.setting_fields import SETTING, STRENGTH
from setpoint.compiler.plan.waivers import HAZARD

SCHEMA = "setpoint.plan/2"

HOW_KNOWN = one_of("stated", "implied", "assumed")


def _fact(
    name: str, value: str, text: str | None, because: str, above: tuple[str, ...], **rest: str
) -> FactEntry:
    return FactEntry(
        name, value, value if text is None else text, because=because, span=NOWHERE, above=above, **rest
    )


FACT = Part(
    "FactDocument",
    "A fact of the context.",
    _fact,
    JsonField("value", TEXT),
    JsonField("from", HOW_KNOWN, of="origin"),
    optional(
        "written",
        Nullable(TEXT, None),
        "As written in the policy, if different: a version for its series.",
        of="text",
        get=lambda fact, _: None if fact.text == fact.value else fact.text,
    ),
    optional("because", TEXT, "What implies it, or why it is assumed."),
    optional("within", TEXTS, "The values that it lies within, the nearest first.", of="above"),
    JsonField(
        "role",
        one_of("intent", "fact"),
        "`intent` for the purpose of the server, `fact` for the server as it is.",
        default="fact",
    ),
)

IDENTITY = Part(
    "IdentityDocument",
    "What a server must report to be one that the plan is for.",
    Identity,
    JsonField("reports", one_of("product", "sockets", "system", "distribution", "kernel"), of="kind"),
    JsonField("fact", TEXT, "The fact whose value it is."),
    JsonField("value", TEXT),
    JsonField("from", HOW_KNOWN, of="origin"),
    JsonField(
        "names", TEXTS, "The accepted names; with neither names nor versions there is nothing to compare."
    ),
    optional("or_later", TEXTS, "Versions; each is accepted, and so is every later one.", of="since"),
)


def _effect(name: str, title: str, value: str, source: str, at: str) -> EffectValue:
    return EffectValue(name, title, value, Citation(source, at))


EFFECT = Part(
    "EffectDocument",
    "A combined effect of settings of several layers.",
    _effect,
    JsonField("title", TEXT),
    JsonField("value", TEXT),
    JsonField("source", TEXT, of="citation.source"),
    JsonField("at", TEXT, of="citation.at"),
)


def _hazard(source: str, at: str, **rest: Any) -> ArisingHazard:
    return ArisingHazard(citation=Citation(source, at), at=NOWHERE, **rest)


ARISING = Part(
    "HazardDocument",
    "A hazard that occurs for the values of the plan.",
    _hazard,
    JsonField("hazard", TEXT),
    JsonField(
        "state",
        one_of("stops", "warns", "accepted"),
        get=lambda hazard, judgement: judgement.states[hazard.hazard],
        follows=True,
    ),
    JsonField("what", TEXT, "What the hazard is."),
    JsonField("stops", TRUTH, "Whether it stops the build unless it is waived."),
    JsonField("graded", one_of("error", "warning"), "The source's own grade."),
    JsonField("source", TEXT, of="citation.source"),
    JsonField("at", TEXT, of="citation.at"),
    JsonField("where", TEXT, "The conditions of the hazard, as text.", of="condition"),
    optional("out_of_scope", Nullable(COUNT, IN_SCOPE), of="steps"),
    optional("help", TEXT),
)


def _related(file: str, line: int, column: int, text: str) -> Label:
    return Label(Span(file, line, column, line, column), text)


RELATED = Part(
    "RelatedDocument",
    "Another place that contributes to a finding.",
    _related,
    JsonField("file", TEXT, of="span.file"),
    JsonField("line", NUMBER, of="span.line"),
    JsonField("column", NUMBER, of="span.column"),
    JsonField("text", TEXT),
)


def _finding(file: str, line: int, column: int, end_line: int, end_column: int, **rest: Any) -> Diagnostic:
    return Diagnostic(at=Span(file, line, column, end_line, end_column), **rest)


FINDING = Part(
    "FindingDocument",
    "An error or a warning.",
    _finding,
    JsonField("code", Plain(str, pattern="^[EWK][0-9]{2,4}$")),
    JsonField("severity", one_of("error", "warning"), follows=True),
    JsonField("message", TEXT),
    JsonField("file", TEXT, "Empty if it is not about a file.", of="at.file"),
    JsonField("line", NUMBER, of="at.line"),
    JsonField("column", NUMBER, of="at.column"),
    JsonField("end_line", NUMBER, of="at.end_line"),
    JsonField("end_column", NUMBER, of="at.end_column"),
    JsonField("label", TEXT, "A few words about that place; may be empty."),
    JsonField("related", Each(RELATED), of="others"),
    JsonField("notes", TEXTS),
    JsonField("help", TEXTS),
    optional("subject", TEXT, "The hazard, setting or source that it is about, if it is about one."),
    optional(
        "judged",
        TRUTH,
        "Whether it was found by judging the plan on a day, not by making it.",
        get=lambda finding, judgement: finding in judgement.judged,
        follows=True,
    ),
)


def _waiver(name: str, hazard: str, **rest: Any) -> Waiver:
    return Waiver(name=hazard or name, span=NOWHERE, **rest)


WAIVER = Part(
    "WaiverDocument",
    "A hazard, or warnings, that the policy waives.",
    _waiver,
    JsonField("kind", one_of("hazard", "advice", "override", "omission"), default="hazard"),
    optional(
        "name",
        TEXT,
        "What is waived, as the policy states it; that of a hazard is `hazard`.",
        get=lambda waiver, _: "" if waiver.kind == HAZARD else waiver.name,
    ),
    optional(
        "hazard",
        Nullable(TEXT),
        "The hazard; absent if warnings are waived.",
        get=lambda waiver, _: waiver.name if waiver.kind == HAZARD else "",
    ),
    JsonField("what", TEXT, "What the hazard is, or the messages of the waived warnings."),
    JsonField("because", TEXT, "Why the policy waives it."),
    JsonField("until", Nullable(Plain(str, format="date"))),
    JsonField("stands", TRUTH, "Whether the hazard or the warnings occur in this plan at all."),
    optional("inherited", TRUTH, "Whether a wider level than the plan's own waives it."),
    optional(
        "expired",
        TRUTH,
        "Whether the waiver has expired; never in a bundle, which has no date.",
        get=lambda waiver, judgement: waiver.name in judgement.expired,
        follows=True,
    ),
    optional("source", TEXT, "The source of the advice that the warnings are about."),
    optional("setting", TEXT, "The setting that the warnings are about."),
    optional("covers", Each(FINDING), "The warnings that the plan would have without it."),
)

SOURCE = Part(
    "SourceDocument",
    "A source that the plan cites.",
    Reference,
    JsonField("title", TEXT),
    JsonField("publisher", TEXT),
    JsonField("date", Nullable(TEXT)),
    JsonField("url", Nullable(TEXT)),
)


def _service(source: str, at: str, **rest: Any) -> RedfishService:
    return RedfishService(citation=Citation(source, at), **rest)


SERVICE = Part(
    "ServiceDocument",
    "What the Redfish services of these servers offer for BIOS settings.",
    _service,
    JsonField("name", TEXT),
    JsonField("title", TEXT),
    JsonField("addresses", Pairs(str), "The addresses of its resources, by their names."),
    JsonField(
        "applies",
        Pairs(str),
        "How staged settings take effect, each with a firmware that was seen to do so, or none.",
        of="ways",
    ),
    optional("because", TEXT, "Why there is no such service."),
    JsonField("source", TEXT, of="citation.source"),
    JsonField("at", TEXT, of="citation.at"),
)

LIMITED = Part(
    "LimitedDocument",
    "A setting of which the server's registry offers less than the knowledge base.",
    Limited,
    JsonField("setting", TEXT),
    JsonField(
        "kind",
        one_of("absent", "fixed", "fewer"),
        "The server does not have it, takes no other value than it has, or takes fewer values.",
    ),
    JsonField("because", TEXT, "What the registry says."),
)

REGISTRY = Part(
    "RegistryDocument",
    "The attribute registry of the one server that the plan is for.",
    RegistryEntry,
    JsonField("file", TEXT, "The name of its file, without a folder."),
    optional("product", TEXT, "The product that it names.", stays=True),
    optional("firmware", TEXT, "The BIOS version that it names.", stays=True),
    optional("limited", Each(LIMITED), stays=True),
    optional(
        "current",
        Pairs(str | bool | int),
        "The values of the settings' attributes when the server was read.",
        stays=True,
    ),
    optional(
        "right", TEXTS, "The attributes that have the plan's values already, and are not written.", stays=True
    ),
)

EVIDENCE = Part(
    "EvidenceDocument",
    "How strong the policy requires recommendations to be.",
    RequiredStrength,
    JsonField("strength", STRENGTH),
    JsonField("because", TEXT),
)

DIGEST = Plain(str, pattern="^[0-9a-f]{64}$")

MADE_WITH = Part(
    "MadeWithDocument",
    "The compiler and the knowledge that the plan was made with.",
    MadeWith,
    JsonField("setpoint", TEXT, "The version of the compiler."),
    JsonField("library", DIGEST, "The digest of the library."),
    optional("site", Nullable(DIGEST), "The digest of the site's own knowledge, if there is any."),
)

PLAN = Part(
    "PlanDocument",
    "The output of `setpoint plan --format json`, and plan.json in a bundle.",
    dict,
    JsonField("schema", one_of(SCHEMA), get=lambda *_: SCHEMA, follows=True),
    JsonField("policy", TEXT, of="plan.policy"),
    optional("made_with", Nullable(MADE_WITH, None), "A plan that failed has none.", of="plan.made_with"),
    JsonField("facts", Named(FACT), of="plan.facts"),
    optional("identity", Each(IDENTITY), "A plan that failed has none.", of="plan.identity", stays=True),
    optional("service", Nullable(SERVICE, None), "Absent if it is not known.", of="plan.service"),
    JsonField("settings", Named(SETTING), "Empty if there is no plan.", of="plan.settings"),
    JsonField("effects", Named(EFFECT), of="plan.effects"),
    JsonField("hazards", Each(ARISING), of="plan.hazards"),
    JsonField("waivers", Each(WAIVER), of="plan.waivers"),
    JsonField("sources", Named(SOURCE), "The sources that the plan cites.", of="plan.sources"),
    JsonField("diagnostics", Each(FINDING)),
    optional(
        "registry",
        Nullable(REGISTRY, None),
        "Present if the plan was made with the registry or the current values of one server.",
        of="plan.registry",
    ),
    optional(
        "evidence",
        Nullable(EVIDENCE, None),
        "Present if the policy requires a strength: weaker recommendations are withheld.",
        of="plan.evidence",
    ),
)
"""The record is a judged plan. What is read are the values of its fields."""
