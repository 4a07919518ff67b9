"""Find the artifacts that differ between two plans.

Plans made here are emitted on both sides and compared file by file, so that the targets themselves give the answer: a
fact alone can change a spelling. Both sides are emitted under one name, and unchanged values keep the reasons of the
old side, since another name or reason does not make another artifact. Nor does a page for people, which restates the
plan. So plans that differ in nothing else are emitted once, however many policies have them.

For a bundle, the manifest has the hashes; where these cannot be compared (another name, a target that the other bundle
was not made with), a target is assumed to express all of its layers.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from setpoint.compiler.comparison.entries import BundleFile, PlannedPolicy
from setpoint.compiler.plan.difference import Carrier, SettingChange
from setpoint.compiler.plan.model import Decision, FactEntry, Plan, PolicyPlaces
from setpoint.compiler.record import NamedTuple

KEPT = 64
"""For how many plans their artifacts are kept."""


class _TargetOutput(NamedTuple):
    """One target's output for a plan: settings expressed and files; None if unknown."""

    expressed: frozenset[str]
    files: frozenset[BundleFile] | None


def carriers(
    old: PlannedPolicy | None,
    new: PlannedPolicy | None,
    changes: tuple[SettingChange, ...],
    another_fact: bool = False,
) -> tuple[tuple[Carrier, ...], tuple[str, ...]]:
    """The artifacts that differ, each with the settings that differ in it; and the settings to be changed by hand.

    `another_fact` says that facts differ as well.
    """
    touched = [c.setting for c in changes if c.kind not in ("reason", "default")]
    if changes and not touched and not another_fact and not _planned(old, new):
        return (), ()  # reasons only: these are in the files, so their hashes differ anyway
    before, after = _outputs_of_both(old, new)
    artifacts = []
    for target in sorted({*before, *after}):
        was, is_ = before.get(target), after.get(target)
        expressed = {setting for outputs in (was, is_) if outputs for setting in outputs.expressed}
        settings = tuple(setting for setting in touched if setting in expressed)
        if was and is_ and was.files is not None and is_.files is not None:
            differs = was.files != is_.files
        else:
            differs = bool(settings)
        if differs:
            artifacts.append(Carrier(target, settings))
    asked = (
        [c.setting for c in changes if c.kind in ("value", "starts", "performs")] if before or after else []
    )
    expressed = {setting for outputs in (*before.values(), *after.values()) for setting in outputs.expressed}
    return tuple(artifacts), tuple(setting for setting in asked if setting not in expressed)


def still_set(new: PlannedPolicy | None, changes: tuple[SettingChange, ...]) -> tuple[SettingChange, ...]:
    """The changes, corrected for settings that the plan no longer writes and an artifact sets to another value.

    A target can write a default that nobody requests, so that its program does not choose a value itself.
    """
    if new is None or new.judged is None or all(change.kind != "stops" for change in changes):
        return changes
    outputs = _emitted(_without_words(new.judged.plan)).values()
    expressed = {setting for output in outputs for setting in output.expressed}
    return tuple(
        change._replace(kind="value", reboot=change.either.reboot)
        if change.kind == "stops" and change.setting in expressed
        else change
        for change in changes
    )


def _planned(old: PlannedPolicy | None, new: PlannedPolicy | None) -> bool:
    """Whether both sides were planned here."""
    return all(entry is not None and entry.origin is not None for entry in (old, new))


def _outputs_of_both(
    old: PlannedPolicy | None, new: PlannedPolicy | None
) -> tuple[dict[str, _TargetOutput], dict[str, _TargetOutput]]:
    """Each target's output on both sides, so that the files can be compared."""
    if old is None or new is None:
        return _outputs(old), _outputs(new)
    if old.origin and old.judged and new.origin and new.judged:
        before = old.judged.plan
        after = _with_reasons_of(new.judged.plan, before)
        if before == after:
            return {}, {}
        return _emitted(_without_words(before)), _emitted(_without_words(after))
    names = [entry.policy for entry in (old, new) if entry.origin is None]
    if len(set(names)) > 1:
        old, new = (entry._replace(files=frozenset()) for entry in (old, new))
    there = frozenset(old.targets) | frozenset(new.targets)
    return _outputs(old, names[0], there), _outputs(new, names[0], there)


def _outputs(
    entry: PlannedPolicy | None, policy: str = "", there: frozenset[str] = frozenset()
) -> dict[str, _TargetOutput]:
    """Each target's output on a side, to be compared with a bundle of the name `policy` that has files of the targets
    `there`; "" if there is no other side."""
    if entry is None:
        return {}
    if entry.origin and entry.judged:
        plan = entry.judged.plan
        return _emitted(plan._replace(policy=policy) if policy else _without_words(plan), there)
    if not entry.targets:
        return {}
    from setpoint.compiler.lowering.target import targets

    written = {name: s.layer for name, s in entry.settings.items() if s.written or s.is_performed}
    known = targets()
    return {
        name: _TargetOutput(
            frozenset(setting for setting, layer in written.items() if layer in known[name].layers),
            _acting(name, entry.files) or None,
        )
        for name in entry.targets
        if name in known and known[name].layers
    }


@lru_cache(KEPT)
def _emitted(plan: Plan, there: frozenset[str] = frozenset()) -> dict[str, _TargetOutput]:
    """Each target's output for a plan; none of targets whose files are made on request, except those `there`."""
    # Their templates are only needed if something changes.
    from setpoint.compiler.lowering.target import emission_of, spared, targets

    outputs: dict[str, _TargetOutput] = {}
    on_request = spared(plan, targets())
    for name in (name for name, target in targets().items() if target.layers):
        emission = None if name in on_request and name not in there else emission_of(name, plan)
        if emission is None:
            outputs[name] = _TargetOutput(frozenset(), frozenset())
            continue
        files = (
            BundleFile(a.path, f"{a.mode:04o}", hashlib.sha256(a.text.encode()).hexdigest())
            for a in emission.artifacts
        )
        outputs[name] = _TargetOutput(emission.expressed, _acting(name, files))
    return outputs


def _acting(target: str, files: Iterable[BundleFile]) -> frozenset[BundleFile]:
    """The files of a target that programs read, without pages for people and programs that all bundles have."""
    return frozenset(f for f in files if f.path.startswith(f"{target}/") and not f.path.endswith(".md"))


# ---------------------------------------------------------------------- the same plan in other words


def _with_reasons_of(new: Plan, old: Plan) -> Plan:
    """The new plan with the old one's name, and with its reasons for unchanged values."""
    facts = {fact.name: fact for fact in old.facts}
    settings = {decision.setting: decision for decision in old.settings}
    return old._replace(
        facts=tuple(_fact(fact, facts.get(fact.name)) for fact in new.facts),
        settings=tuple(_decision(decision, settings.get(decision.setting)) for decision in new.settings),
        effects=old.effects if [e[:3] for e in old.effects] == [e[:3] for e in new.effects] else new.effects,
        identity=new.identity,
        registry=new.registry,
    )


def _without_words(plan: Plan) -> Plan:
    """A plan as all policies have it that say the same: without its name, its reasons, and what is for people only.

    The request for a one-time action keeps its reason, which is a part of it.
    """

    def wordless(decision: Decision) -> Decision:
        if decision.origin != "set" or decision.is_performed:
            return decision
        own = decision.cause._replace(because="reason")
        return decision._replace(because=(own, *decision.because[1:]))

    return plan._replace(
        policy="policy",
        settings=tuple(map(wordless, plan.settings)),
        hazards=(),
        waivers=(),
        advisories=(),
        evidence=None,
        made_with=None,
        places=PolicyPlaces(),
    )


def _fact(new: FactEntry, old: FactEntry | None) -> FactEntry:
    return old if old and (old.value, old.text, old.above) == (new.value, new.text, new.above) else new


def _decision(new: Decision, old: Decision | None) -> Decision:
    if old is None or (old.value, old.unwritten) != (new.value, new.unwritten):
        return new
    if new.is_performed and new.request != old.request:
        return new
    return new._replace(origin=old.origin, because=old.because, beat=old.beat, notes=old.notes)
