"""What a reader should know of a plan that stands: warnings, none of which stops it.

Advice that is out of scope (W0301), a `set` that overrides advice (W0302), advice that depends on the
application (W0303), an intent that no source covers (W0304), advice that may be locked (W0306).
"""

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import IN_SCOPE, TEST_FIRST, Box, Knowledge
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.plan.model import Decision, FactEntry
from setpoint.compiler.resolution.solution import Solution, attempt


def advisories(
    knowledge: Knowledge, context: Context, solution: Solution, settings: tuple[Decision, ...]
) -> list[Diagnostic]:
    """The warnings of a plan."""
    return [
        *_out_of_scope(knowledge, context, settings),
        *_overridden(knowledge, context, solution, settings),
        *_to_be_tested(knowledge, context, settings),
        *_unspoken(knowledge, context, solution, settings),
        *_maybe_locked(context.intent(knowledge), settings),
    ]


def _out_of_scope(knowledge: Knowledge, context: Context, settings: tuple[Decision, ...]) -> list[Diagnostic]:
    quoted: dict[str, list[Decision]] = {}
    for decision in settings:
        cause = decision.because[0]
        if cause.steps != IN_SCOPE and cause.citation is not None:
            quoted.setdefault(cause.citation.source, []).append(decision)
    rules = {rule.name: rule for rule in knowledge.rules}
    found = []
    for name, decisions in sorted(quoted.items()):
        source = knowledge.sources[name]
        boxes = [source.scope, *(rules[d.because[0].name].when for d in decisions)]
        outside = _facts_outside(knowledge, context, boxes)
        notes = []
        if len(decisions) > 1:
            notes.append(f"settings: {', '.join(d.setting for d in decisions)}")
        notes += [f"{f.name} {f.text} is out of scope" for f in outside]
        notes += [f"its scope: {knowledge.box_text(source.scope)}"] if source.scope else []
        notes += [source.about] if source.about else []
        found.append(
            Diagnostic(
                "W0301",
                f"`{name}` does not cover this server or use; its advice on "
                + (f"{len(decisions)} settings" if len(decisions) > 1 else f"`{decisions[0].setting}`")
                + " is out of scope",
                outside[0].span if outside and outside[0].origin != "assumed" else context.intent(knowledge),
                "out of scope" if outside else "",
                notes=tuple(notes),
                help=(
                    f"`setpoint explain {decisions[0].setting}` shows what the advice was written for; "
                    "benchmark before you rely on it",
                ),
            )
        )
    return found


def _facts_outside(knowledge: Knowledge, context: Context, boxes: list[Box]) -> list[FactEntry]:
    """The facts of a context that lie outside of one of these boxes."""
    bits = context.bits(knowledge)
    names = {n for box in boxes for n, mask in box if n in context.facts and not bits[n] & mask}
    return [context.facts[name] for name in sorted(names)]


def _overridden(
    knowledge: Knowledge, context: Context, solution: Solution, settings: tuple[Decision, ...]
) -> list[Diagnostic]:
    """The `set`s without which the knowledge base would decide otherwise, on advice that it can cite."""
    found = []
    statements = {s.setting.text: s for s in context.sets}
    for decision in settings:
        against = [
            lost for lost in decision.beat if lost.value != decision.value and lost.citation is not None
        ]
        if decision.origin != "set" or not against:
            continue
        statement = statements[decision.setting]
        advised = _without(knowledge, context, solution, statement)
        if advised == decision.value:
            continue
        notes = [
            f"{lost.citation.source}, {lost.citation.at} ({lost.strength}): {lost.value}"
            + (f", because {lost.because}" if lost.because else "")
            for lost in against
            if lost.citation is not None
        ]
        found.append(
            Diagnostic(
                "W0302",
                f"`set {decision.setting} {decision.value}` overrides the recommendation of the knowledge base",
                statement.span,
                "a policy takes precedence over the knowledge base",
                notes=tuple(dict.fromkeys(notes)),
                help=(f"without this line it would be {decision.setting} {advised}",) if advised else (),
            )
        )
    return found


def _without(knowledge: Knowledge, context: Context, solution: Solution, statement: Set) -> str:
    """The value that a setting would have without its `set`; "" if that is undecided."""
    left = context._replace(sets=tuple(s for s in context.sets if s is not statement))
    try:
        other = attempt(knowledge, left, solution.problem)
    except SetpointError:
        return ""
    return other.values(knowledge)[statement.setting.text] if other is not None else ""


def _to_be_tested(knowledge: Knowledge, context: Context, settings: tuple[Decision, ...]) -> list[Diagnostic]:
    """One remark a source: what it advises and asks to be tested."""
    asked: dict[str, list[Decision]] = {}
    for decision in settings:
        cause = decision.because[0]
        if cause.claimed == TEST_FIRST and cause.citation is not None:
            asked.setdefault(cause.citation.source, []).append(decision)
    found = []
    for source in sorted(asked):
        decisions = asked[source]
        advised = ", ".join(f"`{d.setting} {d.value}`" for d in decisions)
        causes = [d.because[0] for d in decisions]
        found.append(
            Diagnostic(
                "W0303",
                f"{advised} depend{'s' * (len(decisions) == 1)} on the application: benchmark before you rely on it",
                context.intent(knowledge),
                "",
                notes=tuple(
                    f"{c.citation.source}, {c.citation.at}" + (f": {c.because}" if c.because else "")
                    for c in causes
                    if c.citation
                ),
                help=(
                    f'after benchmarking, record the result: `set {decisions[0].setting} VALUE because "…"`',
                ),
            )
        )
    return found


def _unspoken(
    knowledge: Knowledge, context: Context, solution: Solution, settings: tuple[Decision, ...]
) -> list[Diagnostic]:
    """No source speaks of this intent on this firmware, or no firmware is known at all."""
    if not any(d.layer == "firmware" for d in settings):
        telling = [f"the `{fact}`" for fact in _telling_firmware(knowledge)]
        return [
            Diagnostic(
                "W0304",
                "the plan has no firmware settings",
                context.intent(knowledge),
                "",
                help=(f"state {' or '.join(telling)}",) if telling else (),
            )
        ]
    intents = {name for name, kind in knowledge.kinds.items() if kind.role == "intent"}
    for name, choice in solution.choices.items():
        if knowledge.settings[name].layer == "firmware":
            for proposal in choice.winners:
                if any(fact in intents for fact, _ in proposal.rule.when):
                    return []
    intent = ", ".join(
        f"{f.name} {f.text}" for f in context.facts.values() if knowledge.kinds[f.name].role == "intent"
    )
    return [
        Diagnostic(
            "W0304",
            f"no source covers {intent} on this platform: the firmware is not tuned for it",
            context.intent(knowledge),
            "",
        )
    ]


def _maybe_locked(at: Span, settings: tuple[Decision, ...]) -> list[Diagnostic]:
    """The recommended values that are not written, since a profile may lock them."""
    return [
        Diagnostic(
            "W0306",
            f"`{d.setting} {d.value}` is recommended but not written: a profile may lock it",
            at,
            "",
            notes=tuple(note.text for note in d.notes if note.kind == "unknown"),
            help=("state in the `preset` what the profile does to it: a value, or `free`",),
        )
        for d in settings
        if d.unwritten == "unknown" and d.origin in ("rule", "preset")
    ]


def _telling_firmware(knowledge: Knowledge) -> tuple[str, ...]:
    """The facts that tell which firmware there is: what every offer of it asks for, then what implies such a fact."""
    asked = [
        {name for name, _ in offer.when if name in knowledge.kinds}
        for name, offers in knowledge.offers.items()
        if knowledge.settings[name].layer == "firmware"
        for offer in offers
    ]
    needed = set.intersection(*asked) if asked else set()
    implying = {
        fact
        for fact, values in knowledge.values.items()
        if any(name in needed for value in values.values() for name, _ in value.implies)
    }
    return (*sorted(needed), *sorted(implying - needed))
