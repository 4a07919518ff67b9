"""What a reader should know of a plan that stands: warnings, none of which stops it.

Advice that is out of scope (W0301), a `set` that overrides advice (W0302), advice to be tested first (W0303), an intent
that no source covers (W0304), advice that may be locked (W0306), firmware of a server that artifacts cannot tell from
others (W0506).

A message begins with what becomes of the server. The commands in its help leave the policy open (EXPLAIN): what it is
called on a command line is known where the finding is shown. A warning that the policy waives is kept with its waiver;
so one for several settings is about those that are waived alike.
"""

from collections.abc import Iterable

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import IN_SCOPE, TEST_FIRST, Box, Knowledge, offering
from setpoint.compiler.knowledge.remembered import remembered
from setpoint.compiler.knowledge.reported import PRODUCT
from setpoint.compiler.plan.model import Decision, FactEntry
from setpoint.compiler.plan.waivers import ADVICE, FIRMWARE, OMISSION, OVERRIDE, Coverage, way_to_waive
from setpoint.compiler.resolution.decided import DecidedSettings

EXPLAIN = "setpoint explain POLICY"
"""The command that explains a setting, where nobody knows yet what the policy is called on a command line."""

MOST_NAMED = 3
"""The maximum number of values to be tested that a message itself names."""


def advisories(
    knowledge: Knowledge,
    context: Context,
    decided: DecidedSettings,
    coverage: Coverage,
) -> list[Diagnostic]:
    """The warnings of a plan that its policy does not waive; the others are added to their waivers."""
    findings, settings = [], decided.noted
    for finding in (
        *context.findings,
        *_overridden(context, decided),
        *_unspoken(knowledge, context, decided),
        *_maybe_locked(context.intent(knowledge), settings),
    ):
        if waiver := coverage.waiver(finding.code, finding.subject):
            coverage.add(waiver, finding)
        else:
            findings.append(finding)
    out_of_scope = [d for d in settings if d.because[0].steps != IN_SCOPE and not d.changes_nothing]
    for waiver, decisions in _by_source(out_of_scope, "W0301", coverage):
        finding = _out_of_scope(knowledge, context, decided, decisions)
        coverage.add(waiver, finding) if waiver else findings.append(finding)
    test_first = [d for d in settings if TEST_FIRST in (d.because[0].claimed, d.because[0].strength)]
    for waiver, decisions in _by_source(test_first, "W0303", coverage):
        finding = _to_be_tested(knowledge, context.intent(knowledge), decisions)
        coverage.add(waiver, finding) if waiver else findings.append(finding)
    return findings + _of_unknown_product(context, decided)


NOT_COMPARED = "scripts that set its firmware change nothing until the check of the product is passed over"


def _of_unknown_product(context: Context, decided: DecidedSettings) -> list[Diagnostic]:
    """The warning for values of firmware on a server whose product is not known: no source shows it, or the policy does
    not name it as servers report it (W0506).
    """
    reports = [report for report in decided.reports if report.kind == PRODUCT and not report.is_compared]
    if not reports or not any(d.written and d.layer == FIRMWARE for d in decided.settings):
        return []
    findings = []
    for report in reports:
        fact = report.fact
        if named := context.members.get(fact, ()):
            at = named[0].at(context.places)
            why = f"`{fact} {named[0].text}` names no product that servers report"
            help_ = f'state it as the server reports it, brand included: {fact} "…"'
        else:
            at = context.places.of_fact(context.facts[fact])
            why = f"no source shows which product `{fact} {report.value}` reports"
            help_ = f"if you know the name, add a {fact} within {report.value} that is `reported as product` to a site file"
        findings.append(
            Diagnostic(
                "W0506",
                f"{why}: artifacts cannot tell it from other servers",
                at,
                "nothing to compare",
                notes=(NOT_COMPARED,),
                help=(help_,),
            )
        )
    return findings


def _by_source(
    decisions: Iterable[Decision], code: str, coverage: Coverage
) -> list[tuple[str, list[Decision]]]:
    """Decisions that one warning is about: those on advice of one source, with the same waiver ("" for none)."""
    groups: dict[tuple[str, str], list[Decision]] = {}
    for decision in decisions:
        source = decision.because[0].source
        if source:
            waiver = coverage.waiver(code, decision.setting, source)
            groups.setdefault((source, waiver), []).append(decision)
    return [(waiver, group) for (_, waiver), group in sorted(groups.items(), key=lambda item: item[0])]


def _out_of_scope(
    knowledge: Knowledge, context: Context, decided: DecidedSettings, decisions: list[Decision]
) -> Diagnostic:
    """The warning for settings whose value one source advises, which does not cover this server or use (W0301)."""
    name = decisions[0].because[0].source
    source = knowledge.sources[name]
    advice = {p.rule.name: p.rule for d in decisions for p in decided.choices[d.setting].winners}
    boxes = [source.scope, *(advice[d.because[0].name].when for d in decisions)]
    outside = _facts_outside(knowledge, context, boxes)
    what, notes = _named(decisions, 1)
    notes += [f"{f.name} {f.text} is out of scope" for f in outside]
    notes += [f"its scope: {knowledge.box_text(source.scope)}"] if source.scope else []
    notes += [source.about] if source.about else []
    return Diagnostic(
        "W0301",
        f"{what} {'follow' if len(decisions) > 1 else 'follows'} advice that is out of scope: "
        f"`{name}` does not cover this server or use",
        context.places.of_fact(outside[0])
        if outside and outside[0].origin != "assumed"
        else context.intent(knowledge),
        "out of scope" if outside else "",
        notes=tuple(notes),
        help=(
            f"benchmark before you rely on it; `{EXPLAIN} {decisions[0].setting}` shows what the advice was written for",
            way_to_waive(f"{ADVICE} of {name}"),
        ),
        subject=name,
    )


def _named(decisions: list[Decision], most: int) -> tuple[str, list[str]]:
    """What a message calls these values: their names, or their number if there are more than `most`, and a note."""
    values = [f"{d.setting} {d.value}" for d in decisions]
    if len(values) > most:
        return f"{len(values)} settings", [f"settings: {', '.join(values)}"]
    return ", ".join(f"`{value}`" for value in values), []


def _facts_outside(knowledge: Knowledge, context: Context, boxes: list[Box]) -> list[FactEntry]:
    """The facts of a context that lie outside of one of these boxes."""
    bits = context.bits(knowledge)
    names = {n for box in boxes for n, mask in box if n in context.facts and not bits[n] & mask}
    return [context.facts[name] for name in sorted(names)]


def _overridden(context: Context, decided: DecidedSettings) -> list[Diagnostic]:
    """The `set`s without which the knowledge base would decide otherwise, on advice that it can cite."""
    findings = []
    statements = {s.setting.text: s for s in context.sets}
    for decision in decided.noted:
        against = [
            lost for lost in decision.beat if lost.value != decision.value and lost.citation is not None
        ]
        if decision.origin != "set" or not against:
            continue
        statement = statements[decision.setting]
        advised = decided.without(statement)
        if advised == decision.value:
            continue
        notes = [
            f"{lost.citation.source}, {lost.citation.at} ({lost.strength}): {lost.value}"
            + (f", because {lost.because}" if lost.because else "")
            for lost in against
            if lost.citation is not None
        ]
        findings.append(
            Diagnostic(
                "W0302",
                f"`{decision.setting}` will be `{decision.value}`: the policy overrides what the knowledge base recommends",
                statement.span,
                "a policy takes precedence over the knowledge base",
                notes=tuple(dict.fromkeys(notes)),
                help=(
                    *((f"drop the line to get `{decision.setting} {advised}`",) if advised else ()),
                    way_to_waive(f"{OVERRIDE} of {decision.setting}"),
                ),
                subject=decision.setting,
            )
        )
    return findings


def _to_be_tested(knowledge: Knowledge, at: Span, decisions: list[Decision]) -> Diagnostic:
    """The warning for values that one source advises, and that are to be tested (W0303).

    Either the source asks for that, or what it studied is only related to this server.
    """
    causes = [d.because[0] for d in decisions]
    source = causes[0].source
    related = knowledge.sources[source].related if any(c.claimed != TEST_FIRST for c in causes) else None
    what, listed = _named(decisions, MOST_NAMED)
    if related:
        why = f"suit this server: `{source}` studied others"
    else:
        why = f"suit your application: `{source}` asks to benchmark {'them' if len(decisions) > 1 else 'it'}"
    reasons = (f"{c.source}, {c.at}" + (f": {c.because}" if c.because else "") for c in causes)
    return Diagnostic(
        "W0303",
        f"{what} may not {why}",
        at,
        "",
        notes=(
            *listed,
            *dict.fromkeys(reasons),
            *((f"related: {related.because}",) if related else ()),
        ),
        help=(
            f'after benchmarking, record the result: `set {decisions[0].setting} {decisions[0].value} because "…";`',
            way_to_waive(f"{ADVICE} of {source}"),
        ),
        subject=source,
    )


def _unspoken(knowledge: Knowledge, context: Context, decided: DecidedSettings) -> list[Diagnostic]:
    """No source speaks of this intent on this firmware, or no firmware is known at all."""
    at = context.intent(knowledge)
    waive = way_to_waive(f"{OMISSION} of {FIRMWARE}")
    if not any(d.layer == FIRMWARE for d in decided.settings):
        facts: tuple[str, ...] = remembered(knowledge).of(
            (_telling_firmware,), lambda: _telling_firmware(knowledge)
        )
        missing = [f"the `{fact}`" for fact in facts if fact not in context.facts.keys() | context.members]
        guest = "or waive this for a virtual machine, which has no firmware settings"
        advice = (f"state {' or '.join(missing)}, {guest}",) if missing else ()
        if any(fact in context.members for fact in facts):
            advice = ("`setpoint kb import` describes this server from its BIOS attribute registry",)
        message = "no firmware setting will be changed: nothing is known of the firmware of this server"
        return [Diagnostic("W0304", message, at, "", help=(*advice, waive), subject=FIRMWARE)]
    intent = [f for f in context.facts.values() if knowledge.kinds[f.name].role == "intent"]
    covered = decided.about & {f.name for f in intent}
    uncovered = [f for f in intent if f.name not in covered]
    if not uncovered:
        return []
    beside = f"with {_in_words(f for f in intent if f.name in covered)}, " if covered else ""
    return [
        Diagnostic(
            "W0304",
            f"the firmware is not tuned for {_in_words(uncovered)}: {beside}no source covers it on this platform",
            context.places.of_fact(uncovered[0]) if covered and uncovered[0].origin != "assumed" else at,
            "",
            help=("`setpoint kb list sources` shows what is covered", waive),
            subject=FIRMWARE,
        )
    ]


def _in_words(facts: Iterable[FactEntry]) -> str:
    """These facts as a policy states them."""
    return ", ".join(f"{fact.name} {fact.text}" for fact in facts)


def _maybe_locked(at: Span, settings: tuple[Decision, ...]) -> list[Diagnostic]:
    """The recommended values that are not written, since a profile may lock them."""
    return [
        Diagnostic(
            "W0306",
            f"`{d.setting} {d.value}` will not be set, although it is recommended: a profile may lock it",
            at,
            "",
            notes=tuple(note.text for note in d.notes if note.kind == "unknown"),
            help=(
                "state in the `preset` what the profile does to it: a value, or `free`",
                way_to_waive(f"{OMISSION} of {d.setting}"),
            ),
            subject=d.setting,
        )
        for d in settings
        if d.unwritten == "unknown" and d.origin in ("rule", "preset")
    ]


def _telling_firmware(knowledge: Knowledge) -> tuple[str, ...]:
    """The facts that tell which firmware there is: what every offer of it asks for, then what implies such a fact."""
    asked = [
        {name for name, _ in offer.when if name in knowledge.kinds}
        for setting in knowledge.offers
        if knowledge.settings[setting].layer == FIRMWARE
        for offer in offering(knowledge, setting)
    ]
    needed = set.intersection(*asked) if asked else set()
    implying = {
        fact
        for fact, values in knowledge.values.items()
        if any(name in needed for value in values.values() for name, _ in value.implies)
    }
    return (*sorted(needed), *sorted(implying - needed))
