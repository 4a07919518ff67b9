"""One-time actions: only a `set` asks for one, and nothing of it is part of the end state."""

import pytest
from proof.both_forms import context
from proof.small import BASE, knowledge

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.as_json import plan_from_json, plan_json
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.resolution.resolve import resolve

ACTION = """
setting wipe { title "Wipe"; layer firmware; values none, keys, all; once; }
options of paper { wipe none, keys, all default none at "Menu"; }
"""
NEEDS_FANS = (
    'constraint wipe-needs-fans of paper at "K" { when wipe not none; require fans high; because "k"; }'
)
HARMS = 'hazard wipe-harms of paper at "H" { when goal fast, wipe all; because "h"; }'


def known(*statements: str) -> Knowledge:
    """A small knowledge base with an action."""
    return knowledge(*statements, base=BASE + ACTION)


def planned(base: Knowledge, *, manage_all: bool = False, **sets: str) -> Plan:
    """The plan of a policy with the goal `fast`."""
    one = context(base, {"goal": "fast"}, sets)
    assert one is not None
    return resolve(base, one._replace(manage_all=manage_all))


@pytest.mark.parametrize(
    ("sets", "manage_all", "value", "unwritten", "performed"),
    [
        ({}, False, "none", "default", []),
        ({}, True, "none", "default", []),  # Not even `manage all` writes what performs nothing.
        ({"wipe": "none"}, False, "none", "default", []),
        ({"wipe": "keys"}, False, "keys", "once", ["wipe"]),
        ({"wipe": "keys"}, True, "keys", "once", ["wipe"]),
    ],
)
def test_only_a_set_of_another_value_than_the_default_performs_it(
    sets: dict[str, str], manage_all: bool, value: str, unwritten: str, performed: list[str]
) -> None:
    plan = planned(known(), manage_all=manage_all, **sets)
    decision = plan.setting("wipe")
    assert decision is not None
    assert (decision.value, decision.unwritten, decision.once) == (value, unwritten, True)
    assert [d.setting for d in plan.performed] == performed
    assert "wipe" not in [d.setting for d in plan.written]
    again = plan_from_json(plan_json(judge(plan))).plan.setting("wipe")
    assert again is not None
    assert (again.unwritten, again.once, again.request) == (unwritten, True, decision.request)


def test_a_constraint_says_what_an_action_needs_and_binds_nothing_without_it() -> None:
    base = known(NEEDS_FANS)
    assert planned(base).value("fans") == "low"
    assert planned(base, wipe="all").value("fans") == "high"
    with pytest.raises(SetpointError) as refused:
        planned(base, wipe="all", fans="low")
    assert [d.code for d in refused.value.diagnostics] == ["E0301"]


def test_hazards_see_an_action_as_any_value() -> None:
    base = known(HARMS)
    assert [h.hazard for h in planned(base, wipe="all").hazards] == ["wipe-harms"]
    assert planned(base, wipe="keys").hazards == ()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            'rule wipe-fast of paper at "R" { when goal fast; use wipe keys; because "r"; }',
            "`wipe-fast` recommends `wipe`, a one-time action",
        ),
        (
            'table "Table 1" of paper { goal fast; wipe all; }',
            "`paper.table-1.wipe.fast` recommends `wipe`, a one-time action",
        ),
        (
            'preset "Menu" of paper { fans low mid high; wipe none free free; }',
            "`wipe` is a one-time action, and no part of a profile",
        ),
        (
            'preset "Menu" of paper { wipe none keys all; fans low free free; }',
            "`wipe` is a one-time action, and no part of a profile",
        ),
        (
            'options of paper when model m1 { wipe none, all default unknown at "Menu"; }',
            "the offer of the one-time action `wipe` has no default",
        ),
        (
            'constraint k of paper at "K" { when boost off; require wipe not none; because "k"; }',
            "constraint `k` excludes `wipe none`, which performs nothing",
        ),
        (
            'constraint k of paper at "K" { when boost off, wipe none or keys; forbid; because "k"; }',
            "constraint `k` excludes `wipe none`, which performs nothing",
        ),
        (
            'constraint k of paper at "K" { when wipe all; require boost any; kept; because "k"; }',
            "constraint `k` has the one-time action `wipe` lock another setting",
        ),
    ],
)
def test_nothing_but_a_policy_asks_for_an_action(statement: str, message: str) -> None:
    with pytest.raises(SetpointError) as refused:
        known(statement)
    assert [(d.code, d.message) for d in refused.value.diagnostics] == [("K07", message)]


def test_a_constraint_may_lock_an_action_at_the_value_that_performs_nothing() -> None:
    base = known('constraint k of paper at "K" { when boost off; require wipe none; hidden; because "k"; }')
    decision = planned(base).setting("wipe")
    assert decision is not None
    assert [lock.setting for lock in decision.locks] == ["boost"]
    with pytest.raises(SetpointError):
        planned(base, wipe="all", boost="off")
