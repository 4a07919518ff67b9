"""Find which part of the change causes a new value.

A change is divided into the changes of the policy (facts, `set`s, `manage all`, `require strength`) and of the site's own
knowledge. Each part is undone by itself and the policy is planned again: a part without which the old value returns is the cause. If
only several parts together have that effect, the unnecessary ones are dropped one by one. So causes are tested, not
guessed. A bundle cannot be planned again; then the two plans are compared.
"""

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import Level, Plain, Subject
from setpoint.compiler.comparison.entries import PlanInputs
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Evidence, Fact, Manage, Name, Set
from setpoint.compiler.plan.difference import FactChange, SettingChange, Trigger
from setpoint.compiler.policies.same_blocks import Text, text
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.resolution.decisions import explain_decisions
from setpoint.compiler.resolution.resolve import solve

KNOWLEDGE = ("knowledge", "")
"""The part of a change that concerns the site's own knowledge."""

KEPT = 256
"""How many results of planning are kept."""

Part = tuple[str, str]
"""A part of a change: its kind (`fact`, `set`, `manage`, `require`, `knowledge`) and its name."""

Outcome = dict[str, tuple[str, str]]
"""The result of planning: for each setting its value, and why it is not written ("" if it is)."""


@distinct
class _StatedParts(NamedTuple):
    """The statements of a policy, part by part, in the words of the language."""

    statements: dict[Part, Plain]
    texts: dict[Part, str]


def with_triggers(
    changes: tuple[SettingChange, ...],
    old: PlanInputs | None,
    new: PlanInputs | None,
    facts: tuple[FactChange, ...],
    trials: "Trials | None" = None,
) -> tuple[SettingChange, ...]:
    """The changes, each with its causes. `facts` are the stated facts that differ; `trials` what was tried for other policies."""
    if old is None or new is None:
        return tuple(c._replace(triggers=_from_plans(c, facts)) for c in changes)
    search = _TriggerSearch(old, new, trials or Trials())
    return tuple(c._replace(triggers=search.triggers(c)) for c in changes)


class Trials:
    """What policies between the two sides come to. Those that say the same are tried once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, Text], tuple[Knowledge, Outcome | None]] = {}

    def outcome(self, subject: Subject, knowledge: Knowledge) -> Outcome | None:
        """The result of planning; None if that is not a valid policy."""
        key = id(knowledge), text(subject)
        if key not in self._known:
            # Kept with its knowledge base, so that no other one gets that one's number meanwhile.
            self._known[key] = knowledge, _outcome(subject, knowledge)
        _, found = self._known[key]
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return found


def _outcome(subject: Subject, knowledge: Knowledge) -> Outcome | None:
    try:
        context = bind(subject, knowledge)
        decisions = explain_decisions(knowledge, context, solve(knowledge, context))
    except SetpointError:
        return None
    return {d.setting: (d.value, d.unwritten) for d in decisions}


class _TriggerSearch:
    """Plans between the old side and the new one."""

    def __init__(self, old: PlanInputs, new: PlanInputs, trials: Trials) -> None:
        self.old, self.new, self.trials = old, new, trials
        self.old_statements, self.new_statements = _stated(old.context), _stated(new.context)
        self.parts = _parts(self.old_statements, self.new_statements)
        if old.site != new.site:
            self.parts.append(KNOWLEDGE)
        self._known: dict[frozenset[Part], Outcome | None] = {}

    def triggers(self, change: SettingChange) -> tuple[Trigger, ...]:
        """The causes of a change, beginning with the policy's statement about the setting itself.

        A `set` that is there now is sufficient, whatever else would have led to the same value.
        """
        if _is_a_reason(change):
            return ()
        own = ("set", change.setting)
        if own in self.parts and own in self.new_statements.texts:
            return (self._trigger(own, change),)
        found = [part for part in self.parts if self._restores({part}, change)]
        if not found:
            found = list(self.parts)
            for part in self.parts:
                fewer = [p for p in found if p != part]
                if self._restores(set(fewer), change):
                    found = fewer
        found.sort(key=lambda part: (part != own, self.parts.index(part)))
        return tuple(self._trigger(part, change) for part in found)

    def _restores(self, undone: set[Part], change: SettingChange) -> bool:
        """Whether the old value returns if these parts of the change are undone."""
        outcome = self._outcome(frozenset(undone))
        old = (change.old.value, change.old.unwritten) if change.old is not None else None
        return outcome is not None and outcome.get(change.setting) == old

    def _outcome(self, undone: frozenset[Part]) -> Outcome | None:
        """The result of the new side without these parts of the change; None if that is not a valid policy."""
        if undone not in self._known:
            self._known[undone] = self._planned(undone)
        return self._known[undone]

    def _planned(self, undone: frozenset[Part]) -> Outcome | None:
        kept = {p: s for p, s in self.new_statements.statements.items() if p not in undone}
        back = {p: s for p, s in self.old_statements.statements.items() if p in undone}
        knowledge = self.old.knowledge if KNOWLEDGE in undone else self.new.knowledge
        subject = Subject("", (Level("file", "", (*kept.values(), *back.values())),), NOWHERE)
        return self.trials.outcome(subject, knowledge)

    def _trigger(self, part: Part, change: SettingChange) -> Trigger:
        kind, name = part
        if part == KNOWLEDGE:
            return _of_knowledge(change, self.old, self.new)
        statement = self.new_statements.statements.get(part) or self.old_statements.statements.get(part)
        because = statement.because.text if isinstance(statement, Set | Evidence) else ""
        old, new = self.old_statements.texts.get(part, ""), self.new_statements.texts.get(part, "")
        return Trigger(kind, name, old, new, because)


def _stated(context: Context) -> _StatedParts:
    statements: dict[Part, Plain] = {}
    texts: dict[Part, str] = {}
    for fact in context.facts.values():
        if fact.origin == "stated":
            part = ("fact", fact.name)
            statements[part] = Fact(Name(fact.name, fact.span), Name(fact.text, fact.span), fact.span)
            texts[part] = fact.text
    for each in context.sets:
        statements["set", each.setting.text] = each
        texts["set", each.setting.text] = each.value.text
    if context.manage_all:
        statements["manage", "all"] = Manage(Name("all", NOWHERE), NOWHERE)
        texts["manage", "all"] = "all"
    if context.evidence:
        statements["require", "strength"] = context.evidence
        texts["require", "strength"] = context.evidence.strength.text
    return _StatedParts(statements, texts)


def _parts(old: _StatedParts, new: _StatedParts) -> list[Part]:
    """The parts in which two sides differ, sorted by name."""
    return sorted(p for p in {*old.texts, *new.texts} if old.texts.get(p) != new.texts.get(p))


def _of_knowledge(change: SettingChange, old: PlanInputs, new: PlanInputs) -> Trigger:
    """The cause of a change in the site's knowledge: the rule that wins now, or that won before, or a fact."""
    before = change.old.cause.name if change.old else ""
    after = change.new.cause.name if change.new else ""
    source = new.knowledge.sources.get(change.new.cause.source) if change.new else None
    if (
        source
        and change.old
        and source.supersedes == change.old.cause.source
        and source.name not in old.knowledge.sources
    ):
        return Trigger("supersedes", source.name, change.old.cause.source, "")
    was, is_ = _knowledge_statements(old.knowledge), _knowledge_statements(new.knowledge)
    if after and after not in was:
        return Trigger("new-rule", after, "", after)
    if before and before not in is_:
        return Trigger("rule-gone", before, before, "")
    if after and was.get(after) != is_.get(after):
        return Trigger("rule-changed", after, before, after)
    return _of_facts(old.context, new.context) or Trigger("outweighed", after or before, before, after)


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
    """Whether the statement about the setting says all: its reason changes, or it asks for an action that was asked for before."""
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
