"""Advice out of scope: how the plan words it."""

import pytest

from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.to_json import plan_json
from setpoint.compiler.render.words import weight_of
from support.ask import decision, plan


@pytest.mark.parametrize(
    ("policy", "setting", "weight", "steps"),
    [
        ("goal performance; cpu haswell", "memory-mode", "out of scope, written for poweredge-12g", 1),
        ("goal performance; cpu skylake", "memory-mode", "out of scope, written for poweredge-12g", 1),
        ("goal performance; platform poweredge-15g; cpu ice-lake", "memory-mode", "out of scope, written for poweredge-12g", 2),
        ("goal performance; platform poweredge-15g; cpu ice-lake", "system-profile",
         "out of scope, written for poweredge-14g", 1),
        ("goal performance; cpu e5-2680; workload hpc", "memory-mode", "out of scope", 0),
        ("goal performance; cpu e5-2680", "memory-mode", "vendor", -1),
    ],
)  # fmt: skip
def test_advice_for_other_hardware_names_that_hardware(
    policy: str, setting: str, weight: str, steps: int
) -> None:
    """Not the number of steps: the 14th generation follows the 12th in one step, although there is a 13th."""
    cause = decision(policy, setting).because[0]
    assert (weight_of(cause), cause.steps) == (weight, steps)
    data = plan_json(judge(plan(policy)))["settings"][setting]["because"][0]
    assert data.get("studied", "") == weight.partition("written for ")[2]
