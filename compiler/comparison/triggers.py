"""Find which part of the change causes a new value.

A change is divided into the changes of the policy (facts, `set`s, `manage all`, `require strength`) and of the
knowledge: the library and the site's own. Each part is undone by itself and the policy is planned again: a part without
which the old value returns is the cause. If only several parts together have that effect, the unnecessary ones are
dropped one by one. So causes are tested, not guessed.

A bundle has its plan and the statements of its policy, but not its knowledge. If it was made with other knowledge, its
statements are planned with the new one: a value that differs although the policy says the same comes from the
knowledge. A bundle on the new side cannot be planned again; then the two plans are compared.
"""

from collections.abc import Iterable
from functools import cache

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.facts import INVENTORY
from setpoint.compiler.binding.levels import Level, Plain, Subject
from setpoint.compiler.comparison.entries import PlanInputs, PlannedPolicy
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.library import KnowledgeDigests
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Evidence, Fact, Manage, Name, Reason, Set
from setpoint.compiler.plan.difference import FactChange, SettingChange, Trigger
from setpoint.compiler.plan.made_with import VERSION, MadeWith
from setpoint.compiler.plan.model import Decision, FactEntry
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.resolve import decide

KNOWLEDGE = ("knowledge", "")
"""The part of a change that concerns the knowledge, of the library or the site."""

MANAGED = ("manage", "all")
"""The part of a change that concerns `manage all`."""

Part = tuple[str, str]
"""A part of a change: its kind (`fact`, `set`, `manage`, `require`, `knowledge`) and its name."""

Outcome = dict[str, tuple[str, str]]
"""The result of planning: for each setting its value, and why it is not written ("" if it is)."""


class _StatedParts(NamedTuple):
    """The statements of a policy, part by part, in the words of the language."""

    statements: dict[Part, Plain]
    texts: dict[Part, str]


def with_triggers(
    changes: tuple[SettingChange, ...],
    old: PlannedPolicy,
    new: PlannedPolicy,
    facts: tuple[FactChange, ...],
) -> tuple[SettingChange, ...]:
    """The changes, each with its causes. `facts` are the stated facts that differ."""
    before, after = (side.judged.plan.made_with if side.judged else None for side in (old, new))
    can_be_tried = old.origin is not None or (old.judged is not None and before != after)
    if new.origin is None or not can_be_tried:
        return tuple(c._replace(triggers=_from_plans(c, facts)) for c in changes)
    search = _TriggerSearch(old, new.origin)
    return tuple(c._replace(triggers=search.triggers(c)) for c in changes)


def _outcome(subject: Subject, knowledge: Knowledge) -> Outcome | None:
    try:
        context = bind(subject, knowledge)
        decisions = decide(knowledge, context).settings
    except SetpointError:
        return None
    return {d.setting: (d.value, d.unwritten) for d in decisions}


class _TriggerSearch:
    """Plans between the old side and the new one."""

    def __init__(self, before: PlannedPolicy, new: PlanInputs) -> None:
        self.old, self.new = before.origin, new
        self.new_statements = _stated(new.context)
        self.old_statements = (
            _stated(before.origin.context) if before.origin else _stated_in_plan(before, self.new_statements)
        )
        self.parts = _parts(self.old_statements, self.new_statements)
        self._before = {d.setting: (d.value, d.unwritten) for d in before.settings.values()}
        self._outcome = cache(self._planned)
        self._made_with = before.judged.plan.made_with if before.judged else None
        if before.origin is None or _differ(before.origin, new):
            self.parts.append(KNOWLEDGE)

    def triggers(self, change: SettingChange) -> tuple[Trigger, ...]:
        """The causes of a change, beginning with the policy's statement about the setting itself.

        A `set` that is there now is sufficient, whatever else would have led to the same value.
        """
        if _is_a_reason(change):
            return ()
        own = ("set", change.setting)
        if own in self.parts and own in self.new_statements.texts:
            return (self._trigger(own, change),)
        if len(self.parts) == 1 and self.old is not None:
            return (self._trigger(self.parts[0], change),)  # without it, the new side is the old one
        parts = [part for part in self.parts if self._restores({part}, change)]
        if not parts and self._is_of_knowledge(change):
            parts = [KNOWLEDGE]
        if not parts:
            parts = list(self.parts)
            for part in self.parts:
                fewer = [p for p in parts if p != part]
                if self._restores(set(fewer), change):
                    parts = fewer
        parts.sort(key=lambda part: (part != own, self.parts.index(part)))
        return tuple(self._trigger(part, change) for part in parts)

    def _is_of_knowledge(self, change: SettingChange) -> bool:
        """Whether an earlier policy, of which only the plan is known, has the new value with the new knowledge."""
        if self.old is not None:
            return False
        outcome = self._outcome(frozenset(self.parts) - {KNOWLEDGE})
        new = (change.new.value, change.new.unwritten) if change.new is not None else None
        return outcome is not None and outcome.get(change.setting) == new

    def _restores(self, undone: set[Part], change: SettingChange) -> bool:
        """Whether the old value returns if these parts of the change are undone."""
        outcome = self._outcome(frozenset(undone))
        old = (change.old.value, change.old.unwritten) if change.old is not None else None
        return outcome is not None and outcome.get(change.setting) == old

    def _planned(self, undone: frozenset[Part]) -> Outcome | None:
        """The result of the new side without these parts of the change; None if that is not a valid policy."""
        if KNOWLEDGE in undone and self.old is None:  # the knowledge of a bundle is not known
            return self._before if undone == {*self.parts} else None
        kept = {p: s for p, s in self.new_statements.statements.items() if p not in undone}
        back = {p: s for p, s in self.old_statements.statements.items() if p in undone}
        is_old = self.old is not None and KNOWLEDGE in undone
        knowledge = self.old.knowledge if self.old and is_old else self.new.knowledge
        subject = Subject("", (Level("file", "", (*kept.values(), *back.values())),), span=NOWHERE)
        return _outcome(subject, knowledge)

    def _trigger(self, part: Part, change: SettingChange) -> Trigger:
        kind, name = part
        if part == KNOWLEDGE:
            return self._of_knowledge(change)
        statement = self.new_statements.statements.get(part) or self.old_statements.statements.get(part)
        because = statement.because.text if isinstance(statement, Set | Evidence) else ""
        layer = "inventory" if kind == "fact" and self._is_of_inventory(name) else ""
        old, new = self.old_statements.texts.get(part, ""), self.new_statements.texts.get(part, "")
        return Trigger(kind, name, old, new, because, layer)

    def _is_of_inventory(self, fact: str) -> bool:
        """Whether the inventory states a fact, on the new side or, where that does not have it, on the old one."""
        stated = self.new.context.facts.get(fact) or (self.old and self.old.context.facts.get(fact))
        return stated is not None and stated.because == INVENTORY

    def _of_knowledge(self, change: SettingChange) -> Trigger:
        """The statement of the knowledge that causes a change, and whose it is."""
        if self.old is None:
            digests, versions = self.new.knowledge.digests, self._made_with
            if versions is not None and (versions.library, versions.site) == tuple(digests):
                return Trigger("compiler", "", versions.setpoint, VERSION, layer="compiler")
            trigger = _of_plan(change, self.new.knowledge)
        else:
            trigger = _of_knowledge(change, self.old.knowledge, self.new.knowledge) or (
                _of_facts(self.old.context, self.new.context) or _of_other_weight(change)
            )
        return trigger._replace(layer=self._layer(change, trigger))

    def _layer(self, change: SettingChange, trigger: Trigger) -> str:
        old = self.old.knowledge if self.old else None
        return _layer(change, trigger, old.digests if old else self._made_with, self.new.knowledge, old)


def _differ(old: PlanInputs, new: PlanInputs) -> bool:
    return old.site != new.site or old.knowledge.digests.library != new.knowledge.digests.library


def _stated_in_plan(before: PlannedPolicy, new: _StatedParts) -> _StatedParts:
    """What the policy of a bundle states, as its plan has it; `manage all` is not there, so it counts as unchanged."""
    assert before.judged is not None
    plan = before.judged.plan
    stated = _of_facts_stated(plan.facts)
    for decision in plan.settings:
        if decision.cause.kind == "set":
            name, value = Name(decision.setting, span=NOWHERE), Name(decision.value, span=NOWHERE)
            because = Reason(decision.cause.because, span=NOWHERE)
            stated.statements["set", decision.setting] = Set(name, value, because, span=NOWHERE)
            stated.texts["set", decision.setting] = decision.value
    if plan.evidence:
        strength, because = (
            Name(plan.evidence.strength, span=NOWHERE),
            Reason(plan.evidence.because, span=NOWHERE),
        )
        stated.statements["require", "strength"] = Evidence(strength, because, span=NOWHERE)
        stated.texts["require", "strength"] = plan.evidence.strength
    if MANAGED in new.statements:
        stated.statements[MANAGED], stated.texts[MANAGED] = new.statements[MANAGED], new.texts[MANAGED]
    return stated


def _of_facts_stated(facts: Iterable[FactEntry]) -> _StatedParts:
    """The stated facts among some."""
    stated = [fact for fact in facts if fact.origin == "stated"]
    return _StatedParts(
        {
            ("fact", f.name): Fact(Name(f.name, span=NOWHERE), Name(f.text, span=NOWHERE), span=NOWHERE)
            for f in stated
        },
        {("fact", f.name): f.text for f in stated},
    )


def _stated(context: Context) -> _StatedParts:
    statements, texts = stated = _of_facts_stated(context.facts.values())
    for statement in context.sets:
        statements["set", statement.setting.text] = statement
        texts["set", statement.setting.text] = statement.value.text
    if context.manage_all:
        statements[MANAGED] = Manage(Name("all", span=NOWHERE), span=NOWHERE)
        texts[MANAGED] = "all"
    if context.evidence:
        statements["require", "strength"] = context.evidence
        texts["require", "strength"] = context.evidence.strength.text
    return stated


def _parts(old: _StatedParts, new: _StatedParts) -> list[Part]:
    """The parts in which two sides differ, sorted by name."""
    return sorted(p for p in {*old.texts, *new.texts} if old.texts.get(p) != new.texts.get(p))


def _layer(
    change: SettingChange,
    trigger: Trigger,
    before: MadeWith | KnowledgeDigests | None,
    knowledge: Knowledge,
    old: Knowledge | None,
) -> str:
    """Whose knowledge it is: what differs from what was there `before`, and if both do, whose the statement is."""
    if before is not None and before.library == knowledge.digests.library:
        return "site"
    if before is not None and before.site == knowledge.digests.site:
        return "library"
    side = change.old if trigger.kind == "rule-gone" else change.new
    is_own = side is not None and _is_of_site(side, old, knowledge)
    return "site" if is_own else "library"


def _is_of_site(decision: Decision, *bases: Knowledge | None) -> bool:
    """Whether a statement of a site's own is the cause of a value: it has its citation, and its name if any."""
    cause = decision.cause
    return any(
        statement.span.file in base.site
        for base in filter(None, bases)
        for field in (base.rules, base.constraints, base.presets, base.offers.get(decision.setting, ()))
        for statement in field
        if statement.citation == cause.citation and getattr(statement, "name", cause.name) == cause.name
    )


def _of_knowledge(change: SettingChange, old: Knowledge, new: Knowledge) -> Trigger | None:
    """The cause of a change in the knowledge: the rule that wins now, or that won before; None if all stayed."""
    if change.old is None or change.new is None:
        return _offered(change)
    before, after = change.old.cause.name, change.new.cause.name
    source = new.sources.get(change.new.cause.source)
    if source and source.supersedes == change.old.cause.source and source.name not in old.sources:
        return Trigger("supersedes", source.name, change.old.cause.source, "")
    was, is_ = _knowledge_statements(old), _knowledge_statements(new)
    if after and after not in was:
        return Trigger("new-rule", after, "", after)
    if before and before not in is_:
        return Trigger("rule-gone", before, before, "")
    if after and was.get(after) != is_.get(after):
        return Trigger("rule-changed", after, before, after)
    return None


def _of_other_weight(change: SettingChange) -> Trigger:
    """The cause of a change if neither its rules nor facts are other ones."""
    before, after = (side.cause.name if side else "" for side in (change.old, change.new))
    if not before and not after and change.old and change.new:
        return Trigger("rule-changed", change.setting, change.old.value, change.new.value)
    return Trigger("outweighed", after or before, before, after)


def _offered(change: SettingChange) -> Trigger:
    """The cause of a change of a setting that only one side offers."""
    return Trigger(
        "offered", change.setting, *(side.setting if side else "" for side in (change.old, change.new))
    )


def _of_plan(change: SettingChange, knowledge: Knowledge) -> Trigger:
    """The cause of a change in the knowledge, if the earlier knowledge is only known by its plan."""
    if change.old is None or change.new is None:
        return _offered(change)
    before, after = change.old.cause.name, change.new.cause.name
    known = _knowledge_statements(knowledge)
    applied = {cause.name for cause in change.old.because} | {loser.name for loser in change.old.beat}
    if before and before not in known:
        return Trigger("rule-gone", before, before, "")
    if after and after not in applied:
        return Trigger("applies", after, "", after)
    return Trigger("rule-changed" if before == after else "outweighed", after or before, before, after)


def _knowledge_statements(knowledge: Knowledge) -> dict[str, object]:
    """The content of rules and constraints by name, without their places."""
    rules: dict[str, object] = {r.name: (r.setting, r.value, r.when, r.strength) for r in knowledge.rules}
    limits: dict[str, list[object]] = {}
    for constraint in knowledge.constraints:
        limits.setdefault(constraint.name, []).append((constraint.when, constraint.require))
    return rules | limits


def _of_facts(old: Context, new: Context) -> Trigger | None:
    """A fact that nobody states, and whose assumed or implied value has changed."""
    for name in sorted({*old.facts, *new.facts}):
        was, is_ = old.facts.get(name), new.facts.get(name)
        if (was and was.value) != (is_ and is_.value):
            return Trigger("fact", name, was.text if was else "", is_.text if is_ else "")
    return None


def _is_a_reason(change: SettingChange) -> bool:
    """Whether the statement about the setting says all: its reason changes, or it asks for an action that was asked for
    before."""
    asked_before = change.old is not None and change.old.is_performed
    return change.kind in ("reason", "performed") or (change.kind == "performs" and asked_before)


def _from_plans(change: SettingChange, facts: tuple[FactChange, ...]) -> tuple[Trigger, ...]:
    """The cause of a change as far as the two plans show it: their `set`s, else stated facts, else the rules."""
    old, new = change.old, change.new
    if _is_a_reason(change):
        return ()
    was = old.value if old and old.cause.kind == "set" else ""
    is_ = new.value if new and new.cause.kind == "set" else ""
    if was or is_:
        because = new.cause.because if is_ and new else old.cause.because if old else ""
        return (Trigger("set", change.setting, was, is_, because),)
    if facts:
        return tuple(Trigger("fact", f.name, f.old, f.new) for f in facts)
    before, after = (old.cause.name if old else ""), (new.cause.name if new else "")
    if before == after:
        return ()
    return (Trigger("outweighed", after or before, before, after),)
