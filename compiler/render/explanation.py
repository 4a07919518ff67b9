"""Why a setting has its value: every voice that spoke of it, and the figures that bear on it.

turbo = off    Turbo Mode, firmware, decided 21st of 36
  wins   off  measured   dell-11g-hpc, Figure 13
  lost   on   vendor     weaker evidence
"""

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.load import measurements
from setpoint.compiler.knowledge.model import IN_SCOPE, OUT_OF_SCOPE, Knowledge, absent, covered
from setpoint.compiler.plan.model import Cause, Decision, Loser, Plan
from setpoint.compiler.render.figures import figures
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import visible_lines
from setpoint.compiler.render.words import loser_reason, loser_source, source_of, weight_of


def explanation(knowledge: Knowledge, context: Context, plan: Plan, name: str, width: int) -> str:
    """The explanation of one setting of a plan, ended by a line break."""
    return visible_lines(_explanation(knowledge, context, plan, name, width))


def _explanation(knowledge: Knowledge, context: Context, plan: Plan, name: str, width: int) -> str:
    decision = plan.setting(name)
    setting = knowledge.settings[name]
    if decision is None and plan.registry and (why := plan.registry.says(name)):
        return paragraph(f"{name}: not available on this server. {why}", width, 0)
    if decision is None:
        where = covered(knowledge, name)
        if lacks := absent(knowledge, name, context.bits(knowledge)):
            says = f"absent on this server [{lacks.source}, {lacks.at}]. Available where: {where}"
        else:
            says = f"not covered: no source says whether this server has it. Covered where: {where}"
        return f"{name}: {says}\n"
    order = f"{_ordinal(plan.settings.index(decision) + 1)} of {len(plan.settings)}"
    text = f"{name} = {decision.value}    {setting.title}, {setting.layer}, decided {order}\n\n"
    text += table(_voices(decision), width)
    text += _disagreement(knowledge, decision, width)
    for cause in decision.because:
        text += _why(knowledge, cause, width)
    for note in decision.notes:
        text += "\n" + paragraph(note.text, width, 2)
    if decision.is_performed:
        text += "\n  A one-time action: it is performed once, and then neither compared nor set back.\n"
    elif not decision.written:
        text += "\n  Artifacts do not carry it.\n"
    evidence = [*measurements(), *knowledge.measurements]
    shown = figures(knowledge, plan, decision, evidence, width)
    return text + shown.text + _sources(knowledge, plan, decision, shown.sources, width)


def _sources(
    knowledge: Knowledge, plan: Plan, decision: Decision, measured: frozenset[str], width: int
) -> str:
    """The sources of the recommendations and the figures, each once, with the data to find it in a library."""
    citations = [*(cause.citation for cause in decision.because), *(lost.citation for lost in decision.beat)]
    cited = measured | {citation.source for citation in citations if citation is not None}
    of_plan = {reference.name: reference for reference in plan.sources}
    rows = []
    for name in sorted(cited):
        source = knowledge.sources.get(name) or of_plan[name]
        parts = (source.title, source.publisher, source.date, source.url)
        rows.append((name, ", ".join(part for part in parts if part)))
    return "\nSources\n" + table(rows, width) if rows else ""


def _ordinal(number: int) -> str:
    last = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{last}"


def _voices(decision: Decision) -> list[tuple[str, str, str, str]]:
    rows = []
    for number, cause in enumerate(decision.because):
        rows.append(
            (
                "wins" if number == 0 else "agrees",
                decision.value,
                weight_of(cause) or cause.kind,
                source_of(cause),
            )
        )
    for loser in decision.beat:
        rows.append(("lost", loser.value, loser.strength, _of_loser(loser, decision.value)))
    return rows


def _disagreement(knowledge: Knowledge, decision: Decision, width: int) -> str:
    """The values that different sources recommend within their scope, if there are several (`proof.disputes`)."""
    voices = [
        (decision.value, cause.source)
        for cause in decision.because
        if cause.strength and cause.steps == IN_SCOPE
    ]
    taken_back = _taken_back(knowledge, decision)
    voices += [
        (lost.value, lost.citation.source)
        for lost in decision.beat
        if lost.citation and lost.strength != OUT_OF_SCOPE and lost not in taken_back
    ]
    if not any(voice[0] != other[0] and voice[1] != other[1] for voice in voices for other in voices):
        return ""
    by_value: dict[str, dict[str, None]] = {}
    for value, source in voices:
        by_value.setdefault(value, {})[source] = None
    parts = (
        f"{' and '.join(sources)} recommend{'s' * (len(sources) == 1)} {value}"
        for value, sources in by_value.items()
    )
    return "\n" + paragraph(f"Sources that cover this server disagree: {'; '.join(parts)}.", width, 2)


def _taken_back(knowledge: Knowledge, decision: Decision) -> list[Loser]:
    """The losers that their own source withdraws by an exception, and what withdrawn profiles would have implied."""
    names = {cause.name for cause in decision.because} | {lost.name for lost in decision.beat}
    exceptions = {
        (rule.citation.source, name)
        for rule in knowledge.rules
        if rule.name in names
        for name in rule.withdraws
    }
    return [
        lost
        for lost in decision.beat
        if lost.reason == "withdrawn"
        and (lost.profile or (lost.citation and (lost.citation.source, lost.name) in exceptions))
    ]


def _of_loser(loser: Loser, winner: str) -> str:
    return ": ".join(part for part in (loser_source(loser), loser_reason(loser, winner)) if part)


def _why(knowledge: Knowledge, cause: Cause, width: int) -> str:
    text = ""
    if cause.written_for:
        text += (
            "\n" + paragraph(cause.name, width, 2) + paragraph(f"written for: {cause.written_for}", width, 4)
        )
        if cause.because:
            text += paragraph(f"because: {cause.because}", width, 4)
        if cause.note:
            text += paragraph(f"note: {cause.note}", width, 4)
        for at in (rule.span for rule in knowledge.rules if rule.name == cause.name):
            text += paragraph(f"defined in {at.file}:{at.line}", width, 4)
    elif cause.kind in ("constraint", "preset"):
        text += "\n" + paragraph(": ".join(filter(None, (cause.name, cause.because))), width, 2)
    return text
