"""The tables of a setting's JSON in a plan: its value, the causes, the advice that lost, and what the value is where it is written."""

from typing import Any

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
    Nullable,
    Opposite,
    Pairs,
    Part,
    Plain,
    one_of,
    optional,
)
from setpoint.compiler.plan.model import Cause, Decision, Lock, Loser, Note, Shown, SpelledValue

STRENGTHS = ("measured", "vendor", "practice", "test-first", "out-of-scope")
STRENGTH = one_of(*STRENGTHS)
STRENGTH_OR_NONE = one_of(*STRENGTHS, "")


def _source(record: Any, _: object) -> str | None:
    return record.citation.source if record.citation else None


def _at(record: Any, _: object) -> str:
    return record.citation.at if record.citation else ""


def _citation(source: str | None, at: str) -> Citation | None:
    return None if source is None else Citation(source, at)


def _cause(source: str | None, at: str, claimed: str | None, file: str, line: int, **rest: Any) -> Cause:
    span = Span(file, line, 0, line, 0) if file else NOWHERE
    claimed = rest["strength"] if claimed is None else claimed
    return Cause(span=span, citation=_citation(source, at), claimed=claimed, **rest)


CAUSE = Part(
    "CauseDocument",
    "Why a value is what it is.",
    _cause,
    JsonField("kind", one_of("set", "rule", "preset", "constraint", "default")),
    optional("rule", TEXT, of="name"),
    optional("source", Nullable(TEXT, None), get=_source),
    optional("at", TEXT, "Table, figure or section of the source.", get=_at),
    optional("strength", STRENGTH_OR_NONE, "As the plan weighed it."),
    optional(
        "claimed",
        Nullable(STRENGTH, None),
        "As the source has it, if different.",
        get=lambda cause, _: None if cause.claimed == cause.strength else cause.claimed,
    ),
    optional(
        "out_of_scope",
        Nullable(COUNT, IN_SCOPE),
        "Present if the source did not study this: 0 for another use, n for n steps of `follows`.",
        of="steps",
    ),
    optional("studied", TEXT, "What the advice was written for; this server only follows it."),
    optional("where", TEXT, "The conditions of the rule, as text.", of="written_for"),
    optional("because", TEXT),
    optional("profile", TEXT, "The recommended profile that implies the value."),
    optional("note", TEXT),
    optional("file", TEXT, get=lambda cause, _: cause.span.file if cause.kind == "set" else ""),
    optional("line", NUMBER, get=lambda cause, _: cause.span.line if cause.kind == "set" else 0),
)


def _loser(source: str | None, at: str, **rest: Any) -> Loser:
    return Loser(citation=_citation(source, at), **rest)


LOSER = Part(
    "LoserDocument",
    "A recommendation that applied and did not win.",
    _loser,
    JsonField("rule", TEXT, of="name"),
    JsonField("value", TEXT),
    JsonField(
        "reason",
        one_of(
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
        ),
    ),
    optional("by", TEXT),
    optional("source", Nullable(TEXT, None), get=_source),
    optional("at", TEXT, get=_at),
    optional("strength", STRENGTH_OR_NONE),
    optional("because", TEXT),
    optional("profile", TEXT, "The recommended profile that would have implied the value."),
)

NOTE = Part(
    "NoteDocument",
    "A remark on a value, in addition to its causes.",
    Note,
    JsonField(
        "kind",
        one_of(
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
        ),
    ),
    JsonField("text", TEXT),
)

SHOWN = Part(
    "ShownDocument",
    "A file in which the running system shows a value.",
    Shown,
    JsonField("file", TEXT),
    JsonField("text", TEXT),
    optional(
        "compare",
        Nullable(one_of("at-least", "first-offered", "energy-bias", "exit-latency")),
        "How to compare; by the whole text where it is absent.",
        of="comparison",
    ),
    optional("differs", Opposite(), "Whether the file must not have this text.", of="is_same"),
)

SPELLED = Part(
    "SpelledDocument",
    "What a value is where it is written.",
    SpelledValue,
    JsonField("interface", TEXT, "`argument`, `sysctl`, `tuned` …"),
    JsonField("names", TEXTS),
    JsonField("text", Nullable(TEXT, None), "Null if no text of the value is known there."),
    optional(
        "type",
        Nullable(one_of("integer", "boolean")),
        "What the interface takes: a JSON number, or a Boolean; text if it is absent.",
    ),
    optional("texts", Pairs(str), "The text of each value that has one."),
    optional("absent", TRUTH, "Whether the names must not be there, or not with this text.", of="is_absent"),
    optional("shown", Each(SHOWN)),
    optional("place", NUMBER, "Its place in the list of spellings that has it."),
)

LOCK = Part(
    "LockDocument",
    "A setting that puts another out of use.",
    Lock,
    JsonField("setting", TEXT),
    JsonField("values", TEXTS, "The values with which it does."),
    optional("unless", TRUTH, "Whether it does with all values except this one."),
    optional("hides", TRUTH, "Whether the other one cannot even be read."),
    optional("kept", TEXTS, "The values under which the other one keeps its value."),
    optional("undecided", TEXTS, "The values under which the firmware sets the other one to one of several."),
)

SETTING = Part(
    "SettingDocument",
    "A setting with its value.",
    Decision,
    JsonField("title", TEXT),
    JsonField("value", TEXT),
    JsonField("from", one_of("set", "rule", "preset", "forced", "default"), of="origin"),
    JsonField("layer", one_of("firmware", "boot", "os")),
    JsonField("because", Each(CAUSE, 1)),
    JsonField("beat", Each(LOSER)),
    JsonField("default", Nullable(TEXT), "The vendor's default; null where no source states it."),
    JsonField("written", TRUTH, "Whether artifacts set the value.", follows=True),
    JsonField(
        "unwritten",
        Nullable(one_of("default", "locked", "profile", "unknown", "fixed", "once")),
        "Why they do not: `fixed` if the server takes no other value, `once` if it is performed once.",
    ),
    JsonField("reboot", TRUTH, "Whether the value takes effect only after a restart.", follows=True),
    JsonField("menu", Nullable(TEXT), "Its place in the setup menu."),
    JsonField("label", TEXT, "The value's label in the menu."),
    JsonField("notes", Each(NOTE)),
    JsonField("order", Plain(int, least=1), "Its place in the order of decision.", of="position"),
    optional(
        "rests_on",
        TEXTS,
        "The assumed facts without which the setting would not be offered, or the value not recommended.",
    ),
    optional("governs", TEXTS, "The settings that can be set once this one has its value."),
    optional("spelled", Each(SPELLED), "What the value is in each interface that has it, if any is known."),
    optional(
        "locks",
        Each(LOCK),
        "The settings that put this one out of use, so that the firmware takes no value for it.",
    ),
    optional("once", TRUTH, "Whether the setting is a one-time action, performed or not."),
)
