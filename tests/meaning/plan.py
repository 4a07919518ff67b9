"""Meaning: the plan of a policy, from its facts and statements to values, effects and hazards.

`Meaning` holds a knowledge base, `Situation` all that depends on a policy's facts alone. Both only keep what the
definitions below give, so that many policies can be asked about.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from meaning.advice import GRADES, STRENGTHS, Advice, Heard, is_withheld, standing, unbeaten, withdrawals
from meaning.conditions import Order, State, all_hold, holds
from meaning.facts import Known, complete, state_of
from meaning.knowledge import LAYERS, Condition, Conditions, Constraint, Knowledge, Lock, Rule
from meaning.numbers import OTHER
from meaning.offers import offers
from meaning.possible import Combination, Parts, Possible
from meaning.presets import FREE, UNKNOWN, Governed, governed
from meaning.scope import IN_SCOPE, Scopes, steps


class Policy(NamedTuple):
    """What a policy says: facts, `set`s, accepted hazards, whether it manages all, and which strength it requires."""

    facts: dict[str, str]
    sets: Mapping[str, str] = MappingProxyType({})
    accepts: frozenset[str] = frozenset()
    manage: bool = False
    required: str = STRENGTHS[0]


class Decision(NamedTuple):
    """One setting's value: who decided it, why it is not written, the deciding rules, and all rules for the same value.

    `only` says that no other value was possible, which can be explained in several ways.
    """

    value: str
    origin: str
    unwritten: str
    decisive: frozenset[str]
    rules: frozenset[str]
    only: bool = False


class Result(NamedTuple):
    """What a policy means: the codes of its errors, or a plan."""

    errors: frozenset[str]
    facts: dict[str, tuple[str, str]]
    settings: dict[str, Decision]
    effects: dict[str, str]
    hazards: dict[str, str]


def refused(*codes: str) -> Result:
    """No plan."""
    return Result(frozenset(codes), {}, {}, {}, {})


class Candidate(NamedTuple):
    """A rule whose conditions on facts are true, with its remaining conditions."""

    heard: Heard
    reads: Conditions


class Warned(NamedTuple):
    """A hazard whose conditions on facts are true: its remaining conditions, its code if it occurs, and how far out of
    scope it is."""

    reads: Conditions
    code: str
    steps: int


class Situation(NamedTuple):
    """What a policy's facts decide: offers, possible values, profiles, and what can be heard."""

    known: Known
    state: State
    absent: frozenset[str]
    domains: dict[str, tuple[str, ...]]
    offers: dict[str, tuple[str, ...]]
    defaults: dict[str, str]
    governed: dict[str, Governed]
    governors: dict[str, tuple[str, ...]]
    possible: Possible
    candidates: dict[str, list[Candidate]]
    hazards: dict[str, Warned]


class Meaning:
    """The plans of policies on one knowledge base."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.order = Order(knowledge)
        self.taken_back = withdrawals(knowledge)
        self.sequence = sequence(knowledge)
        self._rules: dict[str, list[Rule]] = {}
        for rule in knowledge.rules:
            self._rules.setdefault(rule.setting, []).append(rule)
        self._parts = Parts()

    # --------------------------------------------------------------------------------- Facts and intent

    def situation(self, stated: dict[str, str]) -> Situation | str:
        """The consequences of the facts of a policy; or the code of their error.

        Raises UndecidedError if the manual does not determine them.
        """
        known = complete(self.knowledge, self.order, stated)
        if known is None:
            return "E0204"
        state = state_of(self.knowledge, known.values)
        counting = offers(self.knowledge, self.order, state)
        if counting is None:
            return "E0304"
        absent = frozenset(name for name, offer in counting.items() if not offer.written)
        counting = {name: offer for name, offer in counting.items() if name not in absent}
        domains = {
            name: tuple(v for v in self.knowledge.settings[name].values if v in offer.values)
            for name, offer in counting.items()
        }
        tables = governed(self.knowledge, state, frozenset(domains))
        defaults = {name: offer.default for name, offer in counting.items()}
        for table in tables.values():
            defaults |= table.given(defaults[table.governor])
        governors = {
            name: tuple(sorted(g for g, table in tables.items() if name in table.members)) for name in domains
        }
        scopes = Scopes(self.knowledge, known.values)
        candidates = {name: self._candidates(name, known, state, scopes) for name in domains}
        return Situation(
            known,
            state,
            absent,
            domains,
            {name: offer.written for name, offer in counting.items()},
            defaults,
            tables,
            governors,
            self._possible_of(domains, tables.values(), state),
            candidates,
            self._hazards(known, state, scopes),
        )

    def _possible_of(
        self, domains: dict[str, tuple[str, ...]], tables: Iterable[Governed], state: State
    ) -> Possible:
        combinations = [
            *(
                c
                for constraint in self.knowledge.constraints
                for c in forbidden(self.knowledge, constraint, domains, state)
            ),
            *(c for table in tables for c in fixing(table, domains)),
        ]
        return self._parts.possible(domains, combinations)

    def _candidates(self, name: str, known: Known, state: State, scopes: Scopes) -> list[Candidate]:
        found = []
        for rule in self._rules.get(name, ()):
            paper = self.knowledge.sources[rule.source]
            distance = steps(self.knowledge, rule.when, paper.scope, known.values, state)
            if distance is None:
                continue
            strength = rule.strength
            if strength == "measured" and not scopes.within(rule.measured_when):
                strength = "vendor"
            if distance == 0 and scopes.within(paper.scope):
                distance = IN_SCOPE
            elif distance == 0 and paper.related and scopes.within(paper.related):
                distance, strength = IN_SCOPE, min(strength, paper.related_strength, key=GRADES.index)
            found.append(Candidate(Heard(rule, distance, strength), on_settings(self.knowledge, rule.when)))
        return found

    def _hazards(self, known: Known, state: State, scopes: Scopes) -> dict[str, Warned]:
        found = {}
        for name, hazard in self.knowledge.hazards.items():
            distance = steps(
                self.knowledge, hazard.when, self.knowledge.sources[hazard.source].scope, known.values, state
            )
            if distance is None:
                continue
            inside = distance == 0 and scopes.within(self.knowledge.sources[hazard.source].scope)
            code = severity_code(hazard.severity, inside=inside)
            if code:
                found[name] = Warned(
                    on_settings(self.knowledge, hazard.when), code, IN_SCOPE if inside else distance
                )
        return found

    # ------------------------------------------------------------------------------------------ Meaning

    def plan(self, policy: Policy) -> Result:
        """*Meaning*: the result of a policy."""
        situation = self.situation(policy.facts)
        return refused(situation) if isinstance(situation, str) else self.decide(situation, policy)

    def decide(self, situation: Situation, policy: Policy) -> Result:
        """*Meaning*, once the facts are complete: narrow, cascade, look for hazards."""
        scales = self.knowledge.scales
        wrong = {
            "E0501" if name in situation.absent else "E0502" if name in situation.domains else "E0508"
            for name, value in policy.sets.items()
            if not (
                scales[name].offers(situation.offers.get(name, ()), value)
                if name in scales
                else value in situation.domains.get(name, ())
            )
        }
        if wrong:
            return refused(*wrong)
        said = policy.sets
        policy = policy._replace(
            sets={n: scales[n].representative(value) if n in scales else value for n, value in said.items()}
        )
        if not situation.possible.can_be(policy.sets):
            return refused("E0301")
        decided = Cascade(self, situation, policy)
        if decided.tied:
            return refused("E0303")
        settings, errors = written(situation, policy, decided)
        for name in scales.keys() & settings.keys():
            value = said.get(name) or scales[name].concrete(situation.offers[name], settings[name].value)
            if value == OTHER:
                return refused("E0306")
            settings[name] = settings[name]._replace(value=value)
        state = decided.state
        effects = {
            name: value
            for name, effect in self.knowledge.effects.items()
            if (value := next((v for v, when in effect.cases if all_hold(when, state)), effect.otherwise))
        }
        state = {**state, **{name: frozenset((value,)) for name, value in effects.items()}}
        hazards = {
            name: hazard.code
            for name, hazard in situation.hazards.items()
            if name not in policy.accepts and all_hold(hazard.reads, state)
            if not settled_nearer(hazard, policy, decided)
        }
        errors |= {"E0401"} & set(hazards.values())
        facts = {n: (v, situation.known.origins[n]) for n, v in situation.known.values.items()}
        return Result(frozenset(errors), facts, settings, effects, hazards)


class Choice(NamedTuple):
    """The value of a setting in the cascade: who decided it, the deciding rules, and all rules for the same value.

    `steps` says how far out of scope each of the latter is.
    """

    value: str
    origin: str
    decisive: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    only: bool = False
    steps: frozenset[int] = frozenset()

    @property
    def far(self) -> bool:
        """Whether there are such rules, and all of them are out of scope."""
        return bool(self.steps) and IN_SCOPE not in self.steps


class Cascade:
    """*Cascade*: the settings one after the other, each with the strongest advice that is still possible."""

    def __init__(self, meaning: Meaning, situation: Situation, policy: Policy) -> None:
        self.meaning = meaning
        self.situation = situation
        self.sets = policy.sets
        self.required = policy.required
        self.values = dict(policy.sets)
        self.state: dict[str, frozenset[str]] = dict(situation.state)
        self.choices: dict[str, Choice] = {}
        self.tied = False
        for name in meaning.sequence:
            if name not in situation.domains:
                continue
            choice = self._choose(name)
            self.choices[name] = choice
            self.values[name] = choice.value
            self.state[name] = frozenset((choice.value,))

    def _choose(self, name: str) -> Choice:
        if name in self.sets:
            agreeing = self._advice(name, (self.sets[name],))
            return Choice(self.sets[name], "set", rules=names(agreeing if self._heeded(agreeing) else ()))
        possible = self.situation.possible.values(name, self.values)
        advice = self._advice(name, possible)
        heeded = self._heeded(advice)
        best = unbeaten(self.meaning.order, self._deciding(name, heeded, possible))
        advice = advice if best else heeded
        if len({each.value for each in best}) > 1:
            self.tied = True
        table = self.situation.governed.get(name)
        derives = len(self.situation.domains[name]) > 1 and not self.meaning.knowledge.stands(name)
        table = table if table and table.members and derives else None
        value = best[0].value if best else possible[0]
        agreeing = [each for each in advice if each.value == value] if best or len(possible) == 1 else []
        only = len(possible) == 1 and len(self.situation.domains[name]) > 1
        found = Choice(value, "", names(best), names(agreeing), only, distances(agreeing))
        if best:
            own = any(not each.implied_by_profile for each in agreeing)
            return found._replace(origin="rule" if own else "preset")
        if only:
            return found._replace(origin="forced")
        if table:
            derived = self._derived(table, possible)
            agreeing = [each for each in advice if each.value == derived.value]
            if agreeing and derived.origin == "preset":  # `test-first` advice, which decides nothing alone
                agreed = names(agreeing)
                return Choice(derived.value, "rule", agreed, agreed, steps=distances(agreeing))
            return derived
        default = self._usual(name)
        if default in possible:
            return Choice(default, "default")
        fallback = "preset" if name in self.situation.governed else "forced"
        return Choice(possible[0], fallback if default else "first")

    def _advice(self, name: str, possible: Collection[str]) -> list[Advice]:
        """*Which recommendation is stronger*: the advice on a setting that is not withdrawn and still possible."""
        own = self._heard(name)
        implied_by_profile = {g: self._heard(g) for g in self.situation.governors[name]}
        left = standing(
            self.meaning.taken_back, [*own, *(h for every in implied_by_profile.values() for h in every)]
        )
        advice = [
            Advice(heard, self._offered(name, heard.rule.value), implied_by_profile=False)
            for heard in left
            if heard.rule.setting == name
        ]
        for governor in implied_by_profile:
            table = self.situation.governed[governor]
            for heard in left:
                value = self._offered(governor, heard.rule.value)
                if heard.rule.setting == governor and name in (given := table.given(value)):
                    advice.append(Advice(heard, given[name], implied_by_profile=True))
        return [each for each in advice if each.value in possible]

    def _heeded(self, advice: list[Advice]) -> list[Advice]:
        return [each for each in advice if not is_withheld(each, self.required)]

    def _offered(self, name: str, value: str) -> str:
        """*Values of settings*: a recommended value as it is offered, if not itself, then by the only one within it."""
        offered = self.situation.domains[name]
        nested = {*self.meaning.knowledge.nested.get(name, {}).get(value, ())} & {*offered}
        return min(nested) if value not in offered and len(nested) == 1 else value

    def _deciding(self, name: str, advice: list[Advice], possible: Collection[str]) -> list[Advice]:
        """*Out of scope*: without advice weaker than a vendor's, if the vendor's default is known and possible."""
        if self._usual(name) not in possible:
            return advice
        return [
            a
            for a in advice
            if a.heard.steps == IN_SCOPE or a.heard.strength not in ("test-first", "practice")
        ]

    def _usual(self, name: str) -> str:
        """*`preset`*: what a setting is that nobody asks for: at first under a profile that is set, else the
        default."""
        for governor in self.situation.governors[name]:
            if governor in self.sets:
                given = self.situation.governed[governor].given(self.sets[governor])
                if name in given:
                    return given[name]
        return self.situation.defaults[name]

    def _heard(self, name: str) -> list[Heard]:
        return [c.heard for c in self.situation.candidates[name] if all_hold(c.reads, self.state)]

    def _derived(self, table: Governed, possible: Collection[str]) -> Choice:
        """*Presets*: a governor that nobody sets or recommends. All its members are decided before it."""
        governor = table.governor
        default = self.situation.defaults[governor]
        asked = [member for member in table.members if self.asked(member)]
        moved = any(self.values[m] != (self.situation.defaults[m] or self.values[m]) for m in table.members)
        doubtful = any(table.cell(default, member) == UNKNOWN for member in asked)
        if default in possible and not moved and not doubtful:
            return Choice(default, "default")
        tried = sorted(possible, key=lambda value: value != default)
        for fits in (
            lambda value: all(table.cell(value, m) not in (FREE, UNKNOWN) for m in table.members),
            lambda value: all(table.cell(value, m) != UNKNOWN for m in table.members),
            lambda value: all(table.cell(value, m) != UNKNOWN for m in asked),
        ):
            for value in filter(fits, tried):
                return Choice(value, "default" if value == default else "preset")
        return (
            Choice(default, "default")
            if default in possible
            else Choice(tried[0], "forced" if default else "first")
        )

    def asked(self, name: str) -> bool:
        """*Presets*: whether a setting was set, recommended, forced to one of several values, or derived itself."""
        return self.choices[name].origin in ("set", "rule", "preset", "forced")

    def counts(self, name: str) -> bool:
        """*What is written*: whether a setting was asked, and not only by advice out of scope for the vendor's default,
        or by being the only value that is possible.
        """
        choice = self.choices[name]
        weak = choice.far or choice.origin == "forced"
        if not self.asked(name) or (weak and choice.value == self.situation.defaults[name]):
            return False
        return bool(choice.decisive) or choice.origin in ("set", "rule") or name in self.led_to

    @cached_property
    def led_to(self) -> set[str]:
        """*What is written*: what was asked for, and what has no other value because of that, or of facts alone."""
        choices = self.choices.items()
        found = {n for n, c in choices if (c.decisive or c.origin in ("set", "rule")) and self.counts(n)}
        left = {n: c for n, c in choices if n not in found and c.origin in ("forced", "preset")}
        found |= {n for n, c in left.items() if not c.only and self.situation.defaults[n]}
        for governor in self.sets.keys() & self.situation.governed.keys():
            given = self.situation.governed[governor].given(self.values[governor])
            found |= {
                n for n, v in given.items() if self.choices[n].origin == "default" and self.values[n] == v
            }
        ways = [(name, others) for name, others, _ in alone(self.situation, self) if name in left]
        for name in left.keys() & self.situation.governed.keys():
            if not left[name].only:
                ways += [(name, {member}) for member in self.situation.governed[name].members]
        while more := {n for n, others in ways if n not in found and (not others or others & found)}:
            found |= more
        return found


def settled_nearer(hazard: Warned, policy: Policy, decided: Cascade) -> bool:
    """*Out of scope*: whether nearer advice asks for a setting that a hazard names, and the policy sets none of
    them."""
    named = {c.name for c in hazard.reads} & decided.choices.keys()
    nearest = [min(decided.choices[name].steps, default=hazard.steps) for name in named]
    return not named & policy.sets.keys() and any(steps < hazard.steps for steps in nearest)


def written(situation: Situation, policy: Policy, decided: Cascade) -> tuple[dict[str, Decision], set[str]]:
    """*What is written*: of each setting why artifacts leave it out; and E0505 for a `set` that cannot be written."""
    found, errors = {}, set()
    reasons = {name: left_out(situation, policy, decided, name) for name in decided.choices}
    reasons |= relied_on(situation, decided, reasons)
    for name, choice in decided.choices.items():
        unwritten = reasons[name]
        if unwritten == "unknown" and choice.origin == "set":
            errors.add("E0505")
        origin = "default" if choice.origin == "first" else choice.origin
        found[name] = Decision(choice.value, origin, unwritten, choice.decisive, choice.rules, choice.only)
    return found, errors


def left_out(situation: Situation, policy: Policy, decided: Cascade, name: str) -> str:
    """*Presets*, *What is written*: `locked` by a profile, `unknown` if it may be, a `default`, performed `once`; "" if
    it is written.
    """
    default = situation.defaults[name]
    if decided.meaning.knowledge.settings[name].once:
        return "once" if name in policy.sets and policy.sets[name] != default else "default"
    managed = policy.manage and bool(default)
    asked = decided.counts(name)
    profiles = {each: decided.values[each] for each in situation.governors[name]}
    stands = decided.meaning.knowledge.stands
    if any(name in situation.governed[each].fixed(profile) for each, profile in profiles.items()):
        return "locked"
    for governor, profile in profiles.items():
        if stands(governor):
            continue
        cell = situation.governed[governor].cell(profile, name)
        is_default = profile == situation.defaults[governor]
        if cell == FREE:
            asked = asked or (bool(default) and not is_default)
        elif asked or policy.manage or not is_default:
            return "unknown"
    for governor in filter(stands, profiles):
        table = situation.governed[governor]
        given = table.given(profiles[governor]).get(name)
        if given is not None and (asked or decided.values[name] != given):
            return ""
        if given is not None or (not asked and table.cell(profiles[governor], name) == UNKNOWN):
            return "unknown" if given is None else "profile"
    if name in situation.governed and not stands(name):
        derived = decided.choices[name].origin == "preset" and not decided.choices[name].decisive
        moved = decided.values[name] != (default or decided.values[name])
        members = situation.governed[name].members
        asked = (asked and not derived) or moved or any(map(decided.counts, members))
    return "" if asked or managed else "default"


def relied_on(situation: Situation, decided: Cascade, reasons: dict[str, str]) -> dict[str, str]:
    """*What is written*: the defaults that are written, since with other values a written setting could be locked at
    another value than the plan's, or since a written value excludes every other.

    A value that a profile fixes is relied on through the profile. One that may be locked stays `unknown`.
    """
    locks = decided.meaning.knowledge.locks
    bound = {
        name: others
        for name, others in excluding(situation, decided).items()
        if decided.choices[name].only and decided.values[name] == situation.defaults[name]
    }
    found: dict[str, str] = {}
    looked_at: set[str] = set()
    waiting = [name for name, reason in reasons.items() if not reason]
    while waiting:
        name = waiting.pop()
        once = decided.meaning.knowledge.settings[name].once
        if name in looked_at or once or reasons[name] not in ("", "default", "locked"):
            continue
        if reasons[name] == "default" and not situation.defaults[name]:
            continue
        looked_at.add(name)
        is_fixed = reasons[name] == "locked"
        if reasons[name] == "default":
            profiles = {each: decided.values[each] for each in situation.governors[name]}
            doubtful = any(situation.governed[g].cell(v, name) == UNKNOWN for g, v in profiles.items())
            found[name] = "unknown" if doubtful else ""
            if doubtful:
                continue
        table = situation.governed.get(name)
        members = {m for m in table.fixed(decided.values[name]) if reasons[m] == "locked"} if table else set()
        waiting += [other for other, by in bound.items() if by & {name, *members}]
        for governor in situation.governors[name]:
            table = situation.governed[governor]
            fixing = {value for value, member in table.said if member == name and name in table.fixed(value)}
            differs = any(
                table.cell(value, name) != decided.values[name] or (value, name) in table.loose
                for value in fixing
            )
            if is_fixed if decided.values[governor] in fixing else differs and not is_fixed:
                waiting.append(governor)
        for lock in () if is_fixed else (each for each in locks if each.setting == name):
            for condition in on_offered(situation, lock):
                locking = values_of(situation, condition)
                is_open = locking and decided.values[condition.name] not in locking
                if is_open and may_differ(situation, locks, lock, condition, decided.values[name]):
                    waiting.append(condition.name)
    return found


def excluding(situation: Situation, decided: Cascade) -> dict[str, set[str]]:
    """Of each setting those whose decided values exclude a value of it that the server offers, if firmware does not set
    it then."""
    found: dict[str, set[str]] = {}
    for name, others, is_set in alone(situation, decided):
        if not is_set:
            found.setdefault(name, set()).update(others)
    return found


def alone(situation: Situation, decided: Cascade) -> list[tuple[str, set[str], bool]]:
    """The settings that have a decided value because of those of others, with these; and whether firmware sets it
    then."""
    knowledge = decided.meaning.knowledge
    sets = {(lock.setting, lock.when) for lock in knowledge.locks if not lock.kept}
    combinations = [
        (combination, constraint.require.name if constraint.require else "", constraint.when)
        for constraint in knowledge.constraints
        for combination in forbidden(knowledge, constraint, situation.domains, situation.state)
    ]
    for table in situation.governed.values():
        combinations += ((combination, "", ()) for combination in fixing(table, situation.domains))
    found = []
    for combination, required, when in combinations:
        avoided = [name for name, bad in combination.items() if decided.values[name] not in bad]
        if len(avoided) == 1:
            is_set = avoided[0] == required and (required, when) in sets
            found.append((avoided[0], combination.keys() - set(avoided), is_set))
    return found


def may_differ(situation: Situation, locks: list[Lock], lock: Lock, condition: Condition, value: str) -> bool:
    """Whether a setting may have another value than this while the condition locks it.

    Where it is kept, it has none that would have set the locking setting otherwise.
    """
    others = {*situation.domains[lock.setting]} - {value}
    if not lock.kept:
        return bool(others & values_of(situation, lock.to) if lock.to else others)
    locking = values_of(situation, condition)
    for back in locks:
        if back.setting != condition.name or back.kept or not back.to:
            continue
        if not values_of(situation, back.to) & locking:
            for each in on_offered(situation, back):
                others -= values_of(situation, each) if each.name == lock.setting else set()
    return bool(others)


def values_of(situation: Situation, condition: Condition) -> set[str]:
    """The offered values of a setting for which a condition holds."""
    return {v for v in situation.domains[condition.name] if (v in condition.values) != condition.negated}


def on_offered(situation: Situation, lock: Lock) -> list[Condition]:
    """The conditions of a lock on settings that the server has; none if its facts do not hold here."""
    about = [c for c in lock.when if c.name in situation.domains]
    facts = tuple(c for c in lock.when if c not in about)
    return about if all_hold(facts, situation.state) else []


# ------------------------------------------------------------------------------------------- definitions


def distances(advice: Iterable[Advice]) -> frozenset[int]:
    """How far out of scope pieces of advice are."""
    return frozenset(each.heard.steps for each in advice)


def names(advice: Iterable[Advice]) -> frozenset[str]:
    """The names of the rules that give advice."""
    return frozenset(each.heard.rule.name for each in advice)


def severity_code(severity: str, *, inside: bool) -> str:
    """*Hazards*, *Out of scope*: the code of a hazard that occurs; "" if it is not reported."""
    if inside:
        return "E0401" if severity == "error" else "W0401"
    return "W0402" if severity == "error" else ""


def on_settings(knowledge: Knowledge, conditions: Conditions) -> Conditions:
    """The conditions that name no fact."""
    return tuple(c for c in conditions if c.name not in knowledge.facts)


def forbidden(
    knowledge: Knowledge, constraint: Constraint, domains: dict[str, tuple[str, ...]], state: State
) -> list[Combination]:
    """*`constraint`*: the combinations that it excludes; none if it does not apply."""
    if constraint.require is not None and (effect := knowledge.effects.get(constraint.require.name)):
        _, values, negated = constraint.require
        return [
            each
            for value, when in effect.cases
            if (value in values) == negated
            for each in forbidden(knowledge, Constraint((*constraint.when, *when), None), domains, state)
        ]
    required = () if constraint.require is None else (constraint.require,)
    found: Combination = {}
    for condition in (*constraint.when, *(c._replace(negated=not c.negated) for c in required)):
        name = condition.name
        if name in domains:
            bad = frozenset(v for v in domains[name] if (v in condition.values) != condition.negated)
            found[name] = found.get(name, bad) & bad
        elif name in knowledge.settings or not holds(condition, state):
            return []
    return [found] if all(found.values()) else []


def fixing(table: Governed, domains: dict[str, tuple[str, ...]]) -> list[Combination]:
    """*`preset`*: a governing value with another value of a member that it fixes."""
    found = []
    for (value, member), said in table.said.items():
        for fixed in sorted(said - {FREE}):
            other = frozenset(domains[member]) - {fixed}
            if value in domains[table.governor] and other:
                found.append({table.governor: frozenset((value,)), member: other})
    return found


def sequence(knowledge: Knowledge) -> tuple[str, ...]:
    """*Cascade*: firmware, boot, operating system; within a layer after the settings that are read, a governor after
    its members.
    """
    after: dict[str, set[str]] = {name: set() for name in knowledge.settings}
    for rule in knowledge.rules:
        read = {c.name for c in rule.when if c.name in knowledge.settings}
        after[rule.setting] |= read
        for preset in knowledge.presets:
            if preset.governor == rule.setting:
                for member in {m for cells in preset.cells.values() for m in cells}:
                    after[member] |= read - {member}
    for preset in knowledge.presets:
        after[preset.governor] |= {m for cells in preset.cells.values() for m in cells}
    found: list[str] = []
    for layer in LAYERS:
        left = sorted(name for name, setting in knowledge.settings.items() if setting.layer == layer)
        while left:
            ready = [name for name in left if not after[name] & (set(left) - {name})]
            found.append(ready[0])
            left.remove(ready[0])
    return tuple(found)
