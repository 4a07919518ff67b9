"""A whole plan as text: first the facts, then the settings layer by layer with their reasons.

Values that artifacts or the policy set are shown in a table; vendor defaults, and values that a profile fixes, follow
in short, since nobody needs to do anything about them. `plan_brief` is the same plan on one screen.
"""

from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.grouping import Grouped, by_layer
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import visible_lines
from setpoint.compiler.render.words import (
    DEFAULT,
    FIXED_HERE,
    LAYER_TITLES,
    LEFT_TO_SYSTEM,
    TAKES_EFFECT,
    UNKNOWN_DEFAULT,
    assumption_notes,
    evidence_of,
    how_known,
    loser_source,
    loser_text,
    overridden,
    performed_note,
    registry_notes,
    right_note,
    value_notes,
    voice_of,
    waiver_end,
    weighed,
    why_not_written,
    withheld,
)


def plan_text(judged: Judged, width: int = 110) -> str:
    """The plan, ended by a line break; `width` in characters."""
    plan = judged.plan
    parts = [heading(judged), _facts(plan, width), registry_text(plan, width)]
    parts += [_layer(layer, groups, width) for layer, groups in by_layer(plan).items() if any(groups)]
    parts += [*what_follows(judged, width), evidence_and_reboot(plan, width, "\n")]
    return visible_lines("\n".join(part for part in parts if part))


def heading(judged: Judged) -> str:
    """The first line of a plan, which says if it is stopped."""
    stopped = " (stopped: nothing can be compiled from it)" if judged.is_stopped else ""
    return f"Policy {judged.plan.policy}{stopped}\n"


def what_follows(judged: Judged, width: int) -> list[str]:
    """The consequences of a plan's settings: effects, waivers, and what is withheld, each "" if there is none."""
    plan = judged.plan
    return [_effects(plan, width), _waivers(judged, width), _withheld(plan, width)]


def evidence_and_reboot(plan: Plan, width: int, between: str = "") -> str:
    """The last words on a plan, with a line between two of them."""
    parts = (_evidence(plan, width), _performed(plan, width), _reboot(plan, width))
    return between.join(part for part in parts if part)


def _facts(plan: Plan, width: int) -> str:
    rows = []
    for fact in plan.facts:
        rows.append((fact.name, fact.text, how_known(fact.origin, fact.because)))
    return table(rows, width) + "".join(paragraph(f"{note}.", width) for note in assumption_notes(plan))


def registry_text(plan: Plan, width: int) -> str:
    """What the registry of the server is and limits; "" for a plan without one."""
    if plan.registry is None:
        return ""
    lines = [f"planned for one server: {plan.registry.text}"]
    if note := right_note(plan):
        lines.append(note)
    return "Registry\n" + "".join(paragraph(line, width) for line in (*lines, *registry_notes(plan)))


def _layer(layer: str, groups: Grouped, width: int) -> str:
    lines = f"{LAYER_TITLES[layer]} (takes effect {TAKES_EFFECT[layer]})\n"
    rows = []
    listed, locked, defaulted, unknown, fixed, to_system = groups
    for decision in listed:
        cause = decision.because[0]
        why = voice_of(cause)
        if reason := why_not_written(decision):
            why += f"; {reason}"
        elif cause.kind == "preset" and not cause.profile:
            why += f", {cause.because}"
        rows.append((decision.setting, decision.value, why))
        rows += [("", "", f"overrides {loser_text(lost, decision.value)}") for lost in overridden(decision)]
    lines += table(rows, width)
    lines += "".join(paragraph(f"note: {note}", width) for note in value_notes(listed))
    lines += names_and_values("set by profile", locked, width)
    lines += names_and_values(FIXED_HERE, fixed, width)
    lines += names_and_values(DEFAULT, defaulted, width)
    lines += names_and_values(UNKNOWN_DEFAULT, unknown, width)
    if to_system:
        lines += paragraph(f"{LEFT_TO_SYSTEM}: {', '.join(d.setting for d in to_system)}", width)
    return lines


def names_and_values(title: str, decisions: list[Decision], width: int) -> str:
    """Settings with their values in short, after a title; "" for none."""
    if not decisions:
        return ""
    return paragraph(f"{title}: {', '.join(f'{d.setting} {d.value}' for d in decisions)}", width)


def _effects(plan: Plan, width: int) -> str:
    if not plan.effects:
        return ""
    rows = [(effect.name, effect.value, effect.title) for effect in plan.effects]
    return "Combined effects\n" + table(rows, width)


def _waivers(judged: Judged, width: int) -> str:
    if not judged.plan.waivers:
        return ""
    rows = [(waiver.name, waiver_end(waiver, judged), waiver.because) for waiver in judged.plan.waivers]
    return "Waivers\n" + table(rows, width)


def _withheld(plan: Plan, width: int) -> str:
    if not plan.evidence:
        return ""
    title = f"Withheld: weaker than {plan.evidence.strength} ({plan.evidence.because})"
    rows = [(d.setting, lost.value, weighed(loser_source(lost), lost.weight)) for d, lost in withheld(plan)]
    return paragraph(title, width, 0) + (table(rows, width) or "  nothing\n")


def _evidence(plan: Plan, width: int) -> str:
    return paragraph(f"Evidence: {evidence_of(plan)}.", width, 0) if plan.written else ""


def _performed(plan: Plan, width: int) -> str:
    return paragraph(f"{performed_note(plan)}.", width, 0) if plan.performed else ""


def _reboot(plan: Plan, width: int) -> str:
    waiting = [d for d in plan.written if d.reboot]
    if not waiting:
        return "No restart is needed.\n"
    counts = f"{len(waiting)} of {len(plan.written)} values take effect only after one"
    return paragraph(f"Restart: {counts}. Nothing here restarts by itself.", width, 0)
