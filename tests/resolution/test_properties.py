"""What holds of every policy on the real knowledge base.

The constraints and the presets are read here anew, from the knowledge base as it is loaded: what the resolver makes
of them on its way is not asked.
"""

from typing import Any

from hypothesis import HealthCheck, assume, event, example, given, settings
from hypothesis import strategies as st

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import FREE, UNSTATED, Box, Knowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.plan.as_json import plan_json
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.words import REASONS
from support.effort import examples
from support.policies import Draft, offers_of, policies, quarrels, set_to, vocabulary, wild_policies

PLACES = ("file", "line", "column", "end_line", "end_column")


# ------------------------------------------------------------------------------------- every outcome


@given(wild_policies())
@settings(max_examples=examples(200), deadline=None)
def test_every_outcome_is_a_plan_or_coded_errors(text: str) -> None:
    program = program_of_text(text)
    try:
        done = planned(program, vocabulary())
    except SetpointError as error:
        unclear = {d.code for d in error.diagnostics}
        event(f"unclear what to plan: {sorted(unclear)}")
        assert unclear <= {"E0201", "E0206", "E0207", "E0208", "E0616"}
        return
    for each in done:
        errors = each.findings.errors
        assert each.plan is not None or errors
        assert each.is_stopped == bool(errors)
        assert {d.code[:3] for d in errors} <= {"E02", "E03", "E04", "E05"}
        assert "E0303" not in {d.code for d in errors}, "the standard library has a tie"


@given(policies() | quarrels())
@example(Draft(("goal balanced", "os rhel-6")))
@settings(max_examples=examples(150), deadline=None)
def test_a_plan_satisfies_every_constraint_every_preset_and_every_set(draft: Draft) -> None:
    plan = _plan_of(draft)
    knowledge = vocabulary()
    values = {decision.setting: decision.value for decision in plan.settings}
    for statement in draft.sets:
        _, setting, value, *_ = statement.split()
        assert values[setting] == value
    for setting, offered in offers_of(draft).items():
        assert values.pop(setting) in offered
    assert not values, "a setting that is not offered"
    bits = _bits(knowledge, plan)
    for constraint in knowledge.constraints:
        lacks = [name for name, _ in constraint.when if name in knowledge.settings and name not in bits]
        if _holds(constraint.when, bits) and not lacks:  # else it does not apply, also with a `not`
            assert constraint.require is not None, constraint.name
            name, mask = constraint.require
            assert bits.get(name, mask) & mask, constraint.name
    for preset in knowledge.presets:
        if _holds(preset.when, bits) and plan.setting(preset.governor) is not None:
            fixed = {
                m: v for m, v in preset.columns.get(plan.value(preset.governor), {}).items() if v != FREE
            }
            assert {m: plan.value(m) for m in fixed if plan.setting(m)} == {
                m: v for m, v in fixed.items() if plan.setting(m)
            }


@given(policies(), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_setting_a_value_that_holds_anyway_changes_nothing(draft: Draft, data: st.DataObject) -> None:
    plan = _plan_of(draft)
    free = [d for d in plan.settings if d.origin != "set"]
    assume(free)
    chosen = data.draw(st.lists(st.sampled_from(free), min_size=1, max_size=4, unique_by=lambda d: d.setting))
    done = draft.adding(*(set_to(d.setting, d.value) for d in chosen)).plan()
    pinned = done.plan
    assert pinned is not None
    assert _values(pinned) == _values(plan)
    assert not [
        d.message for d in done.findings if d.code == "W0302" and "`set " + chosen[0].setting in d.message
    ]


@given(policies(most_sets=3))
@settings(max_examples=examples(30), deadline=None)
def test_a_complete_plan_can_be_restated_as_sets(draft: Draft) -> None:
    """As a lock file would: every value is pinned, and the plan is the same."""
    plan = _plan_of(draft)
    pins = [set_to(d.setting, d.value) for d in plan.settings if d.origin != "set"]
    locked = draft.adding(*pins).plan().plan
    assert locked is not None
    assert _values(locked) == _values(plan)


@given(policies(), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_stating_what_follows_or_a_wider_value_of_it_changes_nothing(
    draft: Draft, data: st.DataObject
) -> None:
    plan = _plan_of(draft)
    implied = [f for f in plan.facts if f.origin == "implied"]
    assume(implied)
    fact = data.draw(st.sampled_from(implied))
    value = data.draw(st.sampled_from((fact.value, *fact.above)))
    again = draft.adding(f"{fact.name} {value}").plan().plan
    assert again is not None
    assert [(f.name, f.value) for f in again.facts] == [(f.name, f.value) for f in plan.facts]
    assert again.settings == plan.settings


# ----------------------------------------------------------------------------------- written settings


@given(policies(most_sets=3))
@settings(max_examples=examples(100), deadline=None)
def test_a_set_value_is_written_or_fixed_by_a_written_profile(draft: Draft) -> None:
    plan = _plan_of(draft)
    presets = vocabulary().presets
    for decision in plan.settings:
        if decision.unwritten == "default":
            assert decision.origin not in ("set", "rule") or _changes_nothing(decision)
            assert decision.value == decision.default or not decision.default
        elif (
            decision.unwritten == "locked"
            and decision.origin in ("set", "rule")
            and not _changes_nothing(decision)
        ):
            governors = {p.governor for p in presets if decision.setting in p.members}
            found = [governor for name in governors if (governor := plan.setting(name))]
            assert any(governor.written for governor in found), decision.setting


def _changes_nothing(decision: Decision) -> bool:
    """Whether a value is the vendor's default, and only advice out of scope asks for it."""
    asking = [cause for cause in decision.because if cause.kind in ("set", "rule", "preset")]
    return decision.value == decision.default and all(cause.weight == "out of scope" for cause in asking)


# -------------------------------------------------------------------------------- reasons and losers


@given(policies(most_sets=3))
@settings(max_examples=examples(60), deadline=None)
def test_every_value_has_a_cause_and_every_loser_a_reason(draft: Draft) -> None:
    for decision in _plan_of(draft).settings:
        assert decision.because, decision.setting
        names = {cause.name for cause in decision.because}
        for lost in decision.beat:
            assert lost.reason in REASONS
            if lost.reason == "overridden-by-set":
                assert decision.origin == "set"
            elif lost.reason in ("blocked", "untested-here"):
                assert lost.by == ""
                assert lost.value != decision.value
            elif lost.reason == "withdrawn":
                assert lost.by in {rule.name for rule in vocabulary().rules if lost.name in rule.withdraws}
            else:
                assert lost.by in names, f"{decision.setting}: {lost}"
                assert lost.value != decision.value


@given(policies(most_sets=3), st.data())
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_a_blocked_value_really_is_impossible(draft: Draft, data: st.DataObject) -> None:
    """Together with everything that was decided before it, the blocked value has no plan."""
    plan = _plan_of(draft)
    blocked = [(d, lost) for d in plan.settings for lost in d.beat if lost.reason == "blocked"]
    assume(blocked)
    decision, lost = data.draw(st.sampled_from(blocked))
    earlier = [
        set_to(d.setting, d.value)
        for d in plan.settings
        if d.position < decision.position and d.origin != "set"
    ]
    outcome = draft.adding(*earlier, set_to(decision.setting, lost.value)).plan()
    assert {d.code for d in outcome.findings.errors} & {"E0301", "E0502"}


# -------------------------------------------------------------------------------------- permutations


@given(policies() | quarrels(), st.randoms(use_true_random=False))
@settings(max_examples=examples(60), deadline=None)
def test_the_order_of_statements_decides_nothing(draft: Draft, random: Any) -> None:
    shuffled = list(draft.statements)
    random.shuffle(shuffled)
    one, other = draft.plan(), Draft(tuple(shuffled)).plan()
    if one.judged is None or other.judged is None:
        assert one.judged is other.judged is None
        assert {d.code for d in one.findings.errors} == {d.code for d in other.findings.errors}
        return
    assert _without_places(plan_json(one.judged)) == _without_places(plan_json(other.judged))


# ------------------------------------------------------------------------------------------- helpers


def _plan_of(draft: Draft) -> Plan:
    """The plan of a policy; policies without one are passed over."""
    plan = draft.plan().plan
    assume(plan is not None)
    assert plan is not None
    return plan


def _values(plan: Plan) -> dict[str, str]:
    return {decision.setting: decision.value for decision in plan.settings}


def _bits(knowledge: Knowledge, plan: Plan) -> dict[str, int]:
    known = [*((f.name, f.value) for f in plan.facts), *((d.setting, d.value) for d in plan.settings)]
    return {name: knowledge.variables[name].bit(value) for name, value in known}


def _holds(box: Box, bits: dict[str, int]) -> bool:
    return all(bits.get(name, UNSTATED) & mask for name, mask in box)


def _without_places(data: Any) -> Any:
    """A plan's JSON without lines and columns, and with its diagnostics in an order that does not follow them."""
    if isinstance(data, dict):
        kept = {key: _without_places(value) for key, value in data.items() if key not in PLACES}
        if "diagnostics" in kept:
            kept["diagnostics"] = sorted(kept["diagnostics"], key=repr)
        if "related" in kept:
            kept["related"] = sorted(kept["related"], key=repr)
        return kept
    return [_without_places(item) for item in data] if isinstance(data, list) else data
