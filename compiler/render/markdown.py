"""A plan as Markdown, for a pull request or a change ticket.

Its readers may never have seen Setpoint. It begins with what is set, on whose advice, and what was overridden, and goes
on with what to mind: what is left to do by hand, warnings and waivers. Facts, and settings that
nothing is done about, are at the end.
"""

from collections.abc import Iterable

from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import Cause, Decision, Plan, Reference
from setpoint.compiler.render.escape import code, escape, head, link, prose, row
from setpoint.compiler.render.grouping import Grouped, by_layer, left_alone, to_mind
from setpoint.compiler.render.words import (
    LAYER_TITLES,
    LEFT_TO_SYSTEM,
    TAKES_EFFECT,
    WORTH_KNOWING,
    assumption_notes,
    count,
    evidence_of,
    how_known,
    identity_note,
    loser_source,
    loser_text,
    overridden,
    performed_note,
    place_by_hand,
    reason_of,
    registry_notes,
    right_note,
    value_notes,
    voice_of,
    waiver_end,
    weighed,
    weight_of,
    why_not_written,
    withheld,
)

WEIGHTS = {
    "measured": "supported by a measurement",
    "vendor": "the vendor recommends it",
    "practice": "somebody runs it in production",
    "test-first": "benchmark first",
    "out of scope": "advice for other hardware or another use",
}
"""The meaning of the weights of recommendations in the tables."""


def plan_markdown(judged: Judged, by_hand: tuple[Decision, ...] = ()) -> str:
    """The whole report, ended by a line break. `by_hand` has the settings that no artifact of the bundle sets."""
    plan = judged.plan
    parts = [
        f"# Server tuning: {escape(plan.policy)}\n",
        _stopped(judged),
        _summary(judged, by_hand),
        _legend(plan),
    ]
    layers = by_layer(plan)
    parts += [_layer(layer, groups) for layer, groups in layers.items()]
    parts += [
        _by_hand(by_hand),
        _attention(judged),
        _waivers(judged),
        _withheld(plan),
        _effects(plan),
        _facts(plan),
        _left_alone(layers.values()),
        _sources(plan),
        f"Made with {prose(plan.made_with.text)}.\n" if plan.made_with else "",
    ]
    return "\n".join(part for part in parts if part)


def _stopped(judged: Judged) -> str:
    if not judged.is_stopped:
        return ""
    return "**Stopped:** nothing can be compiled from this policy as it is; see *Worth knowing*.\n"


def _summary(judged: Judged, by_hand: tuple[Decision, ...]) -> str:
    """A sentence on what this is, and the figures that reviewers ask for first."""
    plan = judged.plan
    intent = ", ".join(f"{f.name} **{escape(f.text)}**" for f in plan.intent)
    waiting = sum(1 for d in plan.written if d.reboot)
    over = [d for d in plan.settings if d.origin == "set" and overridden(d)]
    by_artifacts = len(plan.written) - len(by_hand)
    lines = [
        "What a server of this policy is set to, and why. Setpoint derived it from what the server is for "
        "and from published recommendations; each value names who recommends it and where.",
        "",
        f"- Intent: {intent}.",
        f"- {count(len(plan.written), 'setting')} {'is' if len(plan.written) == 1 else 'are'} set, {waiting} of which take effect after a restart. "
        "Nothing here restarts a server by itself."
        + (f" Artifacts set {by_artifacts}, and {len(by_hand)} are left to do by hand." if by_hand else ""),
    ]
    if plan.written:
        lines.append(f"- Evidence: {evidence_of(plan)}.")
    if plan.performed:
        lines.append(f"- {escape(performed_note(plan))}.")
    if over:
        lines.append(f"- The policy overrides advice on {', '.join(code(d.setting) for d in over)}.")
    if plan.waivers:
        lines.append(f"- {_waiver_counts(judged)}.")
    if mind := to_mind(judged):
        lines.append(f"- To mind: {mind}; see [{WORTH_KNOWING}](#{WORTH_KNOWING.lower().replace(' ', '-')}).")
    return "\n".join(lines) + "\n"


def _waiver_counts(judged: Judged) -> str:
    """How many waivers are valid; expired waivers and those without effect are counted separately."""
    waivers = judged.plan.waivers
    without_effect = sum(1 for w in waivers if not w.stands)
    expired = sum(1 for w in waivers if w.stands and w.name in judged.expired)
    valid = len(waivers) - without_effect - expired
    parts = [f"{valid} waiver{'s' * (valid > 1)}"] if valid else []
    parts += [f"{without_effect} waiver{'s' * (without_effect > 1)} without effect"] if without_effect else []
    parts += [f"{expired} expired waiver{'s' * (expired > 1)}"] if expired else []
    return "; ".join(parts)


def _facts(plan: Plan) -> str:
    text = "## Facts about the server\n\n" + head("fact", "value", "how it is known")
    for fact in plan.facts:
        text += row(fact.name, escape(fact.text), escape(how_known(fact.origin, fact.because)))
    if note := identity_note(plan):
        text += f"\n{escape(note)}.\n"
    if plan.registry is not None:
        text += f"\nPlanned for one server, by its registry: {escape(plan.registry.text)}.\n"
        notes = [*filter(None, (right_note(plan),)), *registry_notes(plan)]
        text += "\n" * bool(notes) + "".join(f"- {escape(note)}.\n" for note in notes)
    return text


def _layer(layer: str, groups: Grouped) -> str:
    """What artifacts set in a layer, and what a profile sets there; "" for nothing."""
    listed, locked = groups.listed, groups.locked
    if not listed and not locked:
        return ""
    text = f"## {LAYER_TITLES[layer]}\n\nTakes effect {TAKES_EFFECT[layer]}.\n"
    if listed:
        text += "\n" + head("setting", "value", "source", "why", "overridden")
        text += "".join(_setting(decision) for decision in listed)
        text += "".join(f"\n{escape(note)}.\n" for note in value_notes(listed))
    if locked:
        text += "\nFixed by the profile, which the firmware locks there:\n\n"
        text += head("setting", "value", "source")
        text += "".join(row(code(d.setting), escape(d.value), _who(d.because[0])) for d in locked)
    return text


def _left_alone(layers: Iterable[Grouped]) -> str:
    """The settings that get no value, with the values that they have or are assumed to have; "" for none."""
    text = ""
    for title, left in left_alone(layers):
        named = (code(d.setting) + (f" {escape(d.value)}" if title != LEFT_TO_SYSTEM else "") for d in left)
        text += f"\n{title[0].upper()}{title[1:]}: {', '.join(named)}.\n"
    return text and f"## Not set\n{text}"


def _setting(decision: Decision) -> str:
    cause = decision.because[0]
    against = "; ".join(escape(loser_text(lost, decision.value)) for lost in overridden(decision))
    name = code(decision.setting)
    if decision.title and decision.title != decision.setting:
        name = f"{escape(decision.title)} {name}"
    who = f"the default; {_who(cause)}" if decision.changes_nothing else _who(cause)
    if reason := why_not_written(decision):
        who += f"; {reason}"
    return row(name, f"**{escape(decision.value)}**", who, _why(cause), against)


def _who(cause: Cause) -> str:
    """The source of a value; for a `set` the policy itself, with its reason in the next column."""
    return "this policy" if cause.kind == "set" else escape(voice_of(cause))


def _why(cause: Cause) -> str:
    why = cause.because if cause.kind == "set" else reason_of(cause)
    return escape("; ".join(part for part in (why, f"note: {cause.note}" if cause.note else "") if part))


def _legend(plan: Plan) -> str:
    """The meaning of the words in brackets that occur in the tables."""
    weights = {weight_of(d.because[0]).partition(",")[0] for d in plan.written}
    meanings = [f"*{word}*: {meaning}" for word, meaning in WEIGHTS.items() if word in weights]
    return f"The strength of the evidence is in brackets: {'; '.join(meanings)}.\n" if meanings else ""


def _effects(plan: Plan) -> str:
    if not plan.effects:
        return ""
    text = "## Combined effects\n\n" + head("effect", "value", "source")
    for effect in plan.effects:
        text += row(
            escape(effect.title), effect.value, escape(f"{effect.citation.source}, {effect.citation.at}")
        )
    return text


def _waivers(judged: Judged) -> str:
    if not judged.plan.waivers:
        return ""
    text = "## Waivers\n\n" + head("waived", "what it means", "reason", "until")
    for waiver in judged.plan.waivers:
        text += row(code(waiver.name), prose(waiver.what), escape(waiver.because), waiver_end(waiver, judged))
    return text


def _withheld(plan: Plan) -> str:
    if not plan.evidence:
        return ""
    text = f"## Withheld\n\nThis policy requires strength *{plan.evidence.strength}*: {escape(plan.evidence.because)}. "
    rows = [
        row(code(d.setting), escape(lost.value), escape(weighed(loser_source(lost), lost.weight)))
        for d, lost in withheld(plan)
    ]
    if not rows:
        return text + "No recommendation is weaker.\n"
    return text + "These recommendations are weaker:\n\n" + head("setting", "value", "source") + "".join(rows)


def _by_hand(decisions: tuple[Decision, ...]) -> str:
    if not decisions:
        return ""
    text = "## Left to do by hand\n\nNo artifact sets these.\n\n" + head("setting", "set it to", "where")
    for d in decisions:
        value = f"**{escape(d.value)}**{spelled(d)}"
        text += row(f"{escape(d.title)} {code(d.setting)}", value, escape(place_by_hand(d)))
    return text


def spelled(decision: Decision) -> str:
    """The name of a value for setting it by hand, in Markdown: in the menu, or in the system."""
    if decision.label == decision.value:
        return ""
    word = f"*{escape(decision.label)}*"
    return f" (the menu says {word})" if decision.layer == "firmware" else f" ({word})"


def _attention(judged: Judged) -> str:
    """What to mind: facts that are guesses, then warnings and errors; "" for nothing of either."""
    text = "".join(f"- {prose(note)}.\n" for note in assumption_notes(judged.plan))
    for diagnostic in sorted(judged.diagnostics, key=lambda d: (d.code, d.message)):
        text += f"- {prose(diagnostic.message)} ({diagnostic.code})\n"
        text += "".join(f"  - {prose(note)}\n" for note in diagnostic.notes)
    return text and f"## {WORTH_KNOWING}\n\n{text}"


def _sources(plan: Plan) -> str:
    if not plan.sources:
        return ""
    text = "## Sources\n\n"
    return text + "".join(source_line(source) for source in plan.sources)


def source_line(source: Reference) -> str:
    """A source in a list: its short name, its title, where to find it."""
    rest = [escape(part) for part in (source.publisher, source.date) if part]
    rest += [link(source.url)] if source.url else []
    return f"- {code(source.name)}: *{escape(source.title)}*, {', '.join(rest)}\n"
