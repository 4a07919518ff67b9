"""Explained decisions: who decided each setting, who lost, and whether it is written (`fates`)."""

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.followers import inherited_from, studied_conditions
from setpoint.compiler.knowledge.model import UNSTATED, Box, Citation, Knowledge, Rule
from setpoint.compiler.language.syntax import Set
from setpoint.compiler.plan.model import Cause, Decision, Loser, Note, Reference, changes_nothing
from setpoint.compiler.plan.server import FEWER
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.cascade import Choice, Rejected
from setpoint.compiler.resolution.fates import Fate, fate_of, fate_of_action, is_fixed
from setpoint.compiler.resolution.ground import Problem, Proposal
from setpoint.compiler.resolution.locks import Locks
from setpoint.compiler.resolution.narrow import Removal
from setpoint.compiler.resolution.profiles import fixed_by, members_of, profiles_of
from setpoint.compiler.resolution.relied_on import requiring, with_relied_on
from setpoint.compiler.resolution.solution import Solution
from setpoint.compiler.resolution.spellings import spelled_values
from setpoint.compiler.resolution.unasked import SatisfiedAlone, satisfied_alone, unasked

_IDLE = Note("default", "not written: it is the vendor's default, and only advice out of scope asks for it")


class _Reasons(NamedTuple):
    """The origin of a value, and its causes, beginning with the deciding one."""

    origin: str
    causes: tuple[Cause, ...]


class _Requests(NamedTuple):
    """What is requested: the origin of each value, `default` if nobody asks for it, and the settings `asked` for.

    `idle` are those of which only advice out of scope has the default, `bound` those that can have no value but their
    default, and `alone` the clauses that one value satisfies.
    """

    origins: dict[str, str]
    asked: set[str]
    idle: set[str]
    bound: list[str]
    alone: tuple[SatisfiedAlone, ...]


def explain_decisions(knowledge: Knowledge, context: Context, solution: Solution) -> tuple[Decision, ...]:
    """One decision for each setting, in the published order."""
    values = solution.values(knowledge, context)
    sets = {s.setting.text: s for s in context.sets}
    reasons = {
        name: _reasons(knowledge, context, solution, choice, values[name], sets.get(name))
        for name, choice in solution.choices.items()
    }
    requests = _requests(context, solution, values, reasons)
    origins, asked = requests.origins, requests.asked
    profiles = profiles_of(solution.problem.presets, values)
    bits, intent = context.bits(knowledge), context.intent(knowledge)
    locks = Locks(knowledge, solution.problem, bits)
    decisions = []
    for name, choice in solution.choices.items():
        if knowledge.settings[name].once:
            fate = fate_of_action(context, solution, name, values[name], reasons[name].origin)
        else:
            fate = fate_of(context, solution, values, profiles, name, origins[name], name in asked)
        decision = _decision(knowledge, solution.problem, choice, values[name], reasons[name], fate)
        rests_on = _rests_on(context, solution.problem, choice, decision.origin)
        spelled = spelled_values(knowledge, name, values[name], bits, intent)
        decision = decision._replace(
            notes=(*decision.notes, *_excluded(knowledge, context, solution, choice))
        )
        decisions.append(decision._replace(rests_on=rests_on, spelled=spelled, locks=locks.of(name)))
    decisions = with_relied_on(
        decisions,
        against=lambda name: locks.against(name, solution.choices[name].bit),
        required=requiring(knowledge, requests.alone, requests.bound),
        requested=lambda name: fate_of(context, solution, values, profiles, name, origins[name], asked=True),
    )
    return tuple(
        decision._replace(notes=(*decision.notes, _IDLE))
        if decision.setting in requests.idle and decision.unwritten == "default"
        else decision
        for decision in decisions
    )


def _requests(
    context: Context, solution: Solution, values: dict[str, str], reasons: dict[str, _Reasons]
) -> _Requests:
    defaults = solution.problem.defaults
    idle = {
        name
        for name, why in reasons.items()
        if changes_nothing(values[name], defaults.get(name, ""), why.causes)
    }
    bound = [
        name
        for name, choice in solution.choices.items()
        if choice.how == "only" and values[name] == defaults.get(name)
    ]
    wanted = {name for name, why in reasons.items() if why.origin == "set" or _is_advised(why)} - idle
    without_advice = {name for name, why in reasons.items() if why.origin in ("forced", "preset")} - wanted
    alone = tuple(satisfied_alone(solution))
    without_request = (
        idle | without_advice.intersection(bound) | unasked(solution, alone, without_advice, wanted)
    )
    origins = {name: "default" if name in without_request else why.origin for name, why in reasons.items()}
    asked = {name for name, origin in origins.items() if origin in ("set", "rule")}
    moved = {name for name, origin in origins.items() if origin != "default" and not is_fixed(context, name)}
    asked |= {
        preset.governor
        for preset in solution.problem.presets
        if moved & {*preset.members} and preset.governor not in solution.problem.standing
    }
    return _Requests(origins, asked, idle, bound, alone)


def _is_advised(why: _Reasons) -> bool:
    """Whether a recommendation asks for a value, by itself or through a profile."""
    return any(cause.strength for cause in why.causes)


def _decision(
    knowledge: Knowledge, problem: Problem, choice: Choice, value: str, reasons: _Reasons, fate: Fate
) -> Decision:
    setting, offer = knowledge.settings[choice.setting], problem.offers[choice.setting]
    losers = [_loser(lost) for lost in choice.losers]
    if reasons.origin == "set":
        losers = [
            lost._replace(reason="overridden-by-set", by="set")
            for lost in losers
            if lost.reason != "withdrawn"
        ]
    label = knowledge.label(offer, value)
    return Decision(
        setting=setting.name,
        title=setting.title,
        layer=setting.layer,
        value=value,
        label=label or value,
        origin=reasons.origin,
        because=reasons.causes,
        beat=tuple(losers),
        position=setting.position,
        menu=offer.menu,
        default=problem.defaults.get(setting.name, ""),
        unwritten=fate.unwritten,
        notes=fate.notes,
        governs=members_of(problem.presets, setting.name),
        once=setting.once,
    )


def _excluded(knowledge: Knowledge, context: Context, solution: Solution, choice: Choice) -> tuple[Note, ...]:
    """The note on values that the server's registry excludes, if somebody recommends one or it is the default."""
    name, problem = choice.setting, solution.problem
    limited = context.limit(name)
    if limited is None or limited.kind != FEWER:
        return ()
    variable = knowledge.variables[name]
    wanted = [lost.proposal.value for lost in choice.losers if lost.reason == "blocked"]
    wanted += filter(None, [problem.defaults.get(name, "")])
    if all(variable.bit(value) & problem.domains[name] for value in wanted) and problem.defaults.get(name):
        return ()
    return (Note("registry", context.says(name)),)


def _rests_on(context: Context, problem: Problem, choice: Choice, origin: str) -> tuple[str, ...]:
    """The assumed facts that a value depends on: those required by the setting's offer, or by every rule for the value.

    A condition that is also true if the fact is not known requires nothing. A value that the policy sets depends on no
    rule.
    """
    assumed = {name for name, fact in context.facts.items() if fact.origin == "assumed"}
    needed = _asked_of(problem.offers[choice.setting].when)
    advised = [] if origin == "set" else [_asked_of(proposal.rule.when) for proposal in choice.winners]
    if advised:
        needed |= set.intersection(*advised)
    return tuple(sorted(assumed & needed))


def _asked_of(box: Box) -> set[str]:
    """The facts that must be known for these conditions to be true."""
    return {name for name, mask in box if not mask & UNSTATED}


def _reasons(
    knowledge: Knowledge,
    context: Context,
    solution: Solution,
    choice: Choice,
    value: str,
    statement: Set | None,
) -> _Reasons:
    advice = tuple(_advice(knowledge, context, proposal) for proposal in choice.winners)
    governs = any(choice.setting == preset.governor for preset in solution.problem.presets)
    forcing = [step for step in solution.steps if step.setting == choice.setting]
    if statement is not None:
        own = Cause("set", because=statement.because.text)
        return _Reasons("set", (own, *advice))
    if is_fixed(context, choice.setting):
        return _Reasons("forced", (_as_it_is(solution.problem, choice), *advice))
    if choice.how == "only" and forcing:
        forced = _forced(forcing[-1])
        if governs:
            forced = forced._replace(name="", because="derived: no named profile has all these members")
        if forced.kind == "preset" and not (governs and advice):
            return _Reasons("preset", (forced, *advice))
        if not any(cause.kind == "rule" for cause in advice):
            return _Reasons("forced", (forced, *advice))
        return _Reasons(
            "rule", (*advice, forced)
        )  # no other value was possible, but this one was also recommended
    if advice and choice.how != "default":
        origin = "preset" if all(cause.kind == "preset" for cause in advice) else "rule"
        return _Reasons(origin, advice)
    if choice.how == "derived":
        return _Reasons("preset", (_derived(solution.problem, choice, value),))
    if choice.how == "default" and choice.setting in solution.problem.starting:
        return _Reasons("default", (_start(knowledge, solution, choice), *advice))
    if choice.how != "fallback":
        return _Reasons("default", (_default(solution.problem, choice), *advice))
    return _Reasons("forced", (_default(solution.problem, choice),))


def _derived(problem: Problem, choice: Choice, value: str) -> Cause:
    """The cause of a derived profile: it fixes or frees the requested members, and nobody names it."""
    preset = next(preset for preset in problem.presets if preset.governor == choice.setting)
    because = "derived: it has all these members"
    if not fixed_by(problem.presets, choice.setting, value):
        because = "derived: no named profile has all these members"
    return Cause("preset", citation=preset.citation, because=because)


def _advice(knowledge: Knowledge, context: Context, proposal: Proposal) -> Cause:
    rule, note = proposal.rule, proposal.rule.note
    if not proposal.preset and proposal.value != rule.value:
        offered = f"It recommends {rule.value}, of which {proposal.value} is offered here."
        note = f"{note} {offered}".lstrip()
    return Cause(
        kind="preset" if proposal.preset else "rule",
        name=rule.name,
        citation=rule.citation,
        strength=proposal.strength,
        claimed=rule.strength,
        steps=proposal.steps,
        studied=studied(knowledge, context, rule) if proposal.steps > 0 else "",
        because=rule.because,
        note=note,
        written_for=knowledge.box_text(
            studied_conditions(rule.when, knowledge.sources[rule.citation.source].scope)
        ),
        profile=proposal.preset,
    )


def studied(knowledge: Knowledge, context: Context, rule: Rule) -> str:
    """The value that a rule was written for, if this server only follows it."""
    scope = knowledge.sources[rule.citation.source].scope
    values = (
        inherited_from(
            mask, scope, knowledge.variables[name], context.facts[name].value, knowledge.values[name]
        )
        for name, mask in rule.when
        if name in context.facts and name in knowledge.values
    )
    return next(filter(None, values), "")


def _forced(step: Removal) -> Cause:
    clause = step.clause
    return Cause(clause.kind, clause.name, clause.citation, because=clause.because)


def _default(problem: Problem, choice: Choice) -> Cause:
    offer = problem.offers[choice.setting]
    citation: Citation | None = offer.citation
    because = "the vendor's default"
    if choice.how == "fallback":
        default = problem.usual(choice.setting)
        because, citation = (
            f"the first possible value: the vendor's default, {default}, is impossible here",
            None,
        )
    elif choice.setting not in problem.defaults:
        because, citation = "no source states the vendor's default; this is the first value offered", None
    elif not offer.default:
        preset = next(
            p for p in problem.presets if choice.setting in p.members and p.governor in problem.defaults
        )
        because = f"the vendor's default: {preset.governor} {problem.defaults[preset.governor]} has it"
        citation = preset.citation
    return Cause("default", citation=citation, because=because)


def _as_it_is(problem: Problem, choice: Choice) -> Cause:
    """The cause of a value that the server has, and takes no other for."""
    offer = problem.offers[choice.setting]
    because = "the server has this value, and takes no other"
    return Cause("constraint", citation=offer.citation, because=because)


def _start(knowledge: Knowledge, solution: Solution, choice: Choice) -> Cause:
    """The cause of a value that a member has at first under the profile that the policy sets."""
    preset = next(p for p in solution.problem.presets if choice.setting in p.members)
    profile = knowledge.variables[preset.governor].name_of(solution.choices[preset.governor].bit)
    because = f"{preset.governor} {profile} sets it to this, and leaves it free"
    return Cause("preset", citation=preset.citation, because=because)


def _loser(lost: Rejected) -> Loser:
    rule = lost.proposal.rule
    return Loser(
        rule.name,
        lost.proposal.value,
        lost.reason,
        lost.by,
        rule.citation,
        lost.proposal.strength,
        rule.because,
        lost.proposal.preset,
    )


def references(knowledge: Knowledge, cited: frozenset[str]) -> tuple[Reference, ...]:
    """The sources that decisions cite."""
    sources = [knowledge.sources[name] for name in sorted(cited)]
    return tuple(Reference(s.name, s.title, s.publisher, s.date, s.url) for s in sources)
