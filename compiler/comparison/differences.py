"""The differences of two sides, policy by policy: what changes, why, and what has to be rolled out.

A policy that only has another name, another order or another layout has the same plan and no change. A changed policy
with another name is the same policy if its facts are the same. The name of a group is significant: it selects the
group's servers, so another name is another group.
"""

from setpoint.compiler.comparison.artifacts import carriers, still_set
from setpoint.compiler.comparison.entries import PlannedPolicy
from setpoint.compiler.comparison.hazards import hazard_changes, waiver_changes
from setpoint.compiler.comparison.planner import Entry, says_the_same
from setpoint.compiler.comparison.renames import renamed_policies
from setpoint.compiler.comparison.settings import setting_changes
from setpoint.compiler.comparison.sides import HostEntry, Side, located
from setpoint.compiler.comparison.triggers import with_triggers
from setpoint.compiler.plan.difference import (
    BuildError,
    Comparison,
    EffectChange,
    FactChange,
    PolicyDifference,
    SettingChange,
)
from setpoint.compiler.plan.model import FactEntry, Reference

NOTHING = PlannedPolicy()
"""A policy that does not exist on a side."""

UNKNOWN = FactEntry("", "", "", "", "")
"""A fact that a side does not know."""

NO_EFFECT = "none"
"""How an effect reads that has no value in a plan."""


def differences(old: Side, new: Side) -> Comparison:
    """What changes from one side to the other, most serious first; unchanged policies are left out."""
    renamed = renamed_policies(old.entries, new.entries)
    former = {is_: was for was, is_ in renamed.items()}
    compared = sorted({*old.entries, *new.entries} - set(renamed))
    policies = [*_files(old, new)]
    references: tuple[dict[str, Reference], dict[str, Reference]] = ({}, {})
    for name in compared:
        was = former.get(name, name)
        pair = old.entries.get(was), new.entries.get(name)
        if says_the_same(*pair) or _lost_with_its_file(*pair, old, new):
            continue
        before, after = (entry.planned() if entry else None for entry in pair)
        for known, entry in zip(references, (before, after), strict=True):
            known |= _references(entry)
        if difference := _compare(name, was, before, after):
            policies.append(difference)
    if old.hosts is not None and new.hosts is not None:
        policies += _hosts(old, new)
    gravest_first = sorted(
        (f._replace(errors=tuple(located(e, new) for e in f.errors)) for f in policies),
        key=lambda f: (not f.stops, not f.hazards, not f.acting, not f.artifacts, f.policy),
    )
    listed = {
        difference.policy
        for difference in gravest_first
        if difference.errors or difference.status in ("added", "broken")
    }
    unplanned = [file for file in new.failed if file in old.failed and file not in listed]
    unplanned += [name for name, entry in new.entries.items() if name not in listed and entry.stopped]
    sources = _cited(gravest_first, references[0] | references[1])
    made_with = old.made_with, new.made_with
    return Comparison(
        len(compared), tuple(gravest_first), sources, tuple(sorted(unplanned)), made_with=made_with
    )


def _references(entry: PlannedPolicy | None) -> dict[str, Reference]:
    """The sources that the plan of a policy cites, by name."""
    return {source.name: source for source in entry.judged.plan.sources} if entry and entry.judged else {}


def _cited(policies: list[PolicyDifference], known: dict[str, Reference]) -> tuple[Reference, ...]:
    """The sources that changed values cite, on either side."""
    cited = {
        side.cause.source
        for difference in policies
        for c in difference.settings
        for side in (c.old, c.new)
        if side is not None
    }
    return tuple(source for name, source in sorted(known.items()) if name in cited)


# --------------------------------------------------------------------------------------------- pairing


def _lost_with_its_file(old: Entry | None, new: Entry | None, before: Side, after: Side) -> bool:
    """Whether a policy is on one side only because the other side cannot read its file at all."""
    return bool(
        (new is None and old is not None and old.file in after.failed)
        or (old is None and new is not None and new.file in before.failed)
    )


def _files(old: Side, new: Side) -> list[PolicyDifference]:
    """The files that are unreadable on one side because of their own errors."""
    files = []
    for file in sorted({*old.failed, *new.failed}):
        before, after = old.failed.get(file), new.failed.get(file)
        if _words(before) == _words(after):
            continue
        if after is None:
            status = "fixed" if file in new.files else "removed"
        else:
            status = "changed" if before else "broken" if file in old.files else "added"
        files.append(PolicyDifference(file, status, errors=after or (), stops=bool(after)))
    return files


def _hosts(old: Side, new: Side) -> list[PolicyDifference]:
    """The changes for single hosts that their groups do not share."""
    hosts = []
    shared: dict[str, set[object]] = {}
    had, has = old.hosts or {}, new.hosts or {}
    for name in sorted({*had, *has}):
        if name in had and name in has and says_the_same(had[name].entry, has[name].entry):
            continue
        before, after = _complete(had.get(name)), _complete(has.get(name))
        base = after.base if after else before.base if before else ""
        was, is_ = old.entries.get(base), new.entries.get(base)
        if was is None or is_ is None:
            continue  # the group itself is new or gone, which includes its hosts
        if base not in shared:
            shared[base] = _gist(_compare(base, base, was.planned(), is_.planned()))
        pair = (before.entry if before else was).planned(), (after.entry if after else is_).planned()
        difference = _compare(name, name, *pair)
        if difference and _gist(difference) - shared[base]:
            hosts.append(difference)
    return hosts


def _complete(host: HostEntry | None) -> HostEntry | None:
    """A host's block; None if it states too little where the host is in no group, and so can only be in one."""
    return None if host is None or host.entry.verdict.lacks_what_is_required else host


def _gist(difference: PolicyDifference | None) -> set[object]:
    """Changes worth reporting, without their causes."""
    if difference is None:
        return set()
    settings = {(c.setting, c.kind, c.old and c.old.value, c.new and c.new.value) for c in difference.acting}
    return {*difference.facts, *settings, *difference.hazards, *difference.waivers, *difference.errors}


# ----------------------------------------------------------------------------------- one pair of policies


def _compare(
    name: str, was: str, old: PlannedPolicy | None, new: PlannedPolicy | None
) -> PolicyDifference | None:
    before, after = old or NOTHING, new or NOTHING
    former = was if before.policy != after.policy and was != name else ""
    if after.errors or before.errors:
        return _compare_broken(name, former, old, new)
    facts = (*_facts(before.facts, after.facts), *_registry(before, after))
    settings = setting_changes(before.settings, after.settings)
    if not after.stopped:
        settings = still_set(new, settings)
    difference = plans_compared(name, former, old, new, facts, settings)
    effects = _effects(before, after) if old and new else ()
    if not after.stopped:
        another_fact = any(f.has_another_value for f in difference.facts)
        artifacts, by_hand = carriers(old, new, difference.settings, another_fact)
        difference = difference._replace(artifacts=artifacts, by_hand=by_hand)
    if old and new and not (difference.changes or effects or difference.artifacts):
        return None
    return difference._replace(effects=effects, stops=after.stopped)


def plans_compared(
    name: str,
    former: str,
    old: PlannedPolicy | None,
    new: PlannedPolicy | None,
    facts: tuple[FactChange, ...],
    settings: tuple[SettingChange, ...],
) -> PolicyDifference:
    """The difference of two plans, with its causes, in these `facts` and `settings`; or all of the only one."""
    before, after = old or NOTHING, new or NOTHING
    hazards = hazard_changes(before.hazards, after.hazards) if new else ()
    waivers = waiver_changes(before.judged, after.judged) if new else ()
    if old and new:
        stated = tuple(f for f in facts if f.how in ("stated", "") and f.has_another_value)
        settings = with_triggers(settings, old, new, stated)
    else:
        settings = tuple(c for c in settings if c.acts)
        facts = tuple(f for f in facts if f.how == "stated")
    return PolicyDifference(name, _status(old, new), former, facts, settings, hazards, waivers=waivers)


def _status(old: PlannedPolicy | None, new: PlannedPolicy | None) -> str:
    if old is None:
        return "added"
    if new is None:
        return "removed"
    if old.stopped == new.stopped:
        return "changed"
    return "broken" if new.stopped else "fixed"


def _compare_broken(
    name: str, former: str, old: PlannedPolicy | None, new: PlannedPolicy | None
) -> PolicyDifference | None:
    """Compare the errors, since one side has no plan."""
    before, after = old or NOTHING, new or NOTHING
    if _words(before.errors) == _words(after.errors):
        return None
    return PolicyDifference(name, _status(old, new), former, errors=after.errors, stops=after.stopped)


def _words(errors: tuple[BuildError, ...] | None) -> list[list[str]] | None:
    """Error messages without locations, normalised for comparison; two names may appear in either order."""
    return None if errors is None else sorted(sorted(error.text.split()) for error in errors)


def _facts(old: tuple[FactEntry, ...], new: tuple[FactEntry, ...]) -> tuple[FactChange, ...]:
    """The facts whose value changes, or how they are known: an assumption may be wrong, a statement is not."""
    before, after = ({fact.name: fact for fact in facts} for facts in (old, new))
    changes = []
    for name in sorted({*before, *after}):
        was, is_ = before.get(name, UNKNOWN), after.get(name, UNKNOWN)
        if (was.text, was.origin) != (is_.text, is_.origin):
            changes.append(FactChange(name, was.text, is_.text, is_.origin, is_.because, was.origin))
    return tuple(changes)


def _registry(old: PlannedPolicy, new: PlannedPolicy) -> tuple[FactChange, ...]:
    """The registry that one plan is made with and the other is not; it is shown as a fact about the server."""
    was, is_ = (entry.judged.plan.registry if entry.judged else None for entry in (old, new))
    texts = (was.text if was else "", is_.text if is_ else "")
    if not (old.judged and new.judged) or texts[0] == texts[1]:
        return ()
    known = ["stated" if text else "" for text in texts]
    return (FactChange("registry", *texts, known[1], "", known[0]),)


def _effects(old: PlannedPolicy, new: PlannedPolicy) -> tuple[EffectChange, ...]:
    if not (old.judged and new.judged):
        return ()
    before, after = (
        {effect.name: effect.value for effect in entry.plan.effects} for entry in (old.judged, new.judged)
    )
    changes = (
        EffectChange(name, before.get(name, NO_EFFECT), after.get(name, NO_EFFECT))
        for name in {*before, *after}
    )
    return tuple(sorted(change for change in changes if change.old != change.new))


def intents_compared(left: Side, a: PlannedPolicy, right: Side, b: PlannedPolicy) -> Comparison:
    """The difference between policy `a` of one side and policy `b` of the other."""
    name = a.policy if a.policy == b.policy else f"{a.policy}-to-{b.policy}"
    return differences(_alone(left, a, name), _alone(right, b, name))


def _alone(whole: Side, entry: PlannedPolicy, name: str) -> Side:
    """A side with this policy alone, under the name that both have for the comparison."""
    judged = entry.judged
    if judged is not None:
        judged = judged._replace(plan=judged.plan._replace(policy=name))
    alone = entry._replace(policy=name, judged=judged)
    return whole._replace(entries={name: alone}, failed={}, hosts=None)
