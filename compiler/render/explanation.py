"""Why a setting has its value: every voice that spoke of it, and the figures that bear on it.

turbo = off                     Turbo Mode, firmware, decided 21st
  wins   off  measured   goal efficiency, …     dell-11g-hpc, Figure 13
  lost   on   vendor     …                      weaker evidence
"""

from collections.abc import Iterable

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.load import measurements
from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.plan import Cause, Decision, Plan
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.words import figure_of, held_of, loser_text, source_of, weight_of


def explanation(knowledge: Knowledge, context: Context, plan: Plan, name: str, width: int) -> str:
    """The explanation of one setting of a plan, ended by a line break."""
    decision = plan.setting(name)
    setting = knowledge.settings[name]
    if decision is None:
        where = (
            "; or ".join(knowledge.box_text(offer.when) for offer in knowledge.offers.get(name, ()))
            or "nowhere"
        )
        return f"{name}: there is no such setting here. It is offered where: {where}\n"
    text = f"{name} = {decision.value}    {setting.title}, {setting.layer}, decided {_ordinal(decision.position)}\n\n"
    text += table(_voices(decision), width)
    for cause in decision.because:
        text += _why(cause, width)
    for note in decision.notes:
        text += "\n" + paragraph(note, width, 2)
    if not decision.written:
        text += "\n  Artifacts do not carry it.\n"
    evidence = [*measurements(), *knowledge.measurements]
    figures = [m for m in dict.fromkeys(evidence) if m.varied and m.varied[0] == name]
    if figures:
        text += f"\nMeasured of {name}\n" + table([row for m in figures for row in _figure(m)], width)
    return text


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
        rows.append(
            ("lost", loser.value, loser.strength, loser_text(loser, decision.value).partition(" ")[2])
        )
    return rows


def _why(cause: Cause, width: int) -> str:
    text = ""
    if cause.written_for:
        text += (
            "\n" + paragraph(cause.name, width, 2) + paragraph(f"written for: {cause.written_for}", width, 4)
        )
        if cause.because:
            text += paragraph(f"because: {cause.because}", width, 4)
        if cause.note:
            text += paragraph(f"note: {cause.note}", width, 4)
        text += paragraph(f"stands in {cause.span.file}:{cause.span.line}", width, 4)
    elif cause.kind in ("constraint", "preset"):
        text += "\n" + paragraph(": ".join(filter(None, (cause.name, cause.because))), width, 2)
    return text


def _figure(measurement: Measurement) -> Iterable[tuple[str, ...]]:
    """The figure, and below it what it must not be read without: what was held, and the remark that goes with it."""
    assert measurement.varied is not None
    _, to, from_ = measurement.varied
    yield (
        f"{to} against {from_}",
        f"{figure_of(measurement)} {measurement.unit}".strip(),
        measurement.metric,
        _where(measurement),
    )
    below = ("held", held_of(measurement)), ("note", measurement.note), ("measurement", measurement.name)
    yield from (("", "", "", f"{what}: {text}") for what, text in below if text)


def _where(measurement: Measurement) -> str:
    parts: Iterable[str] = (f"{name} {value}" for name, value in (*measurement.labels, *measurement.when))
    place = f"[{measurement.citation.source}, {measurement.citation.at}]"
    return f"{', '.join(parts)} {place}".strip()
