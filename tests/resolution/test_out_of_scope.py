"""Advice out of scope: how the plan words it."""

import pytest

from setpoint.compiler.plan.as_json import plan_json
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.render.words import weight_of
from support.ask import decision, plan
from support.plans import plan_of_text


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


SERVERS = """
source studies { title "Studies"; publisher "Example Ltd"; scope model old; }
source later { title "Later studies"; publisher "Example Ltd"; scope model new; }
fact model { title "Model"; }
model old { title "Old"; }
model new { title "New"; follows old; }
model newest { title "Newest"; follows new; }
setting fans { title "Fans"; layer firmware; values low, high; }
setting doors { title "Doors"; layer firmware; values open, shut; }
options of studies when model old or new or newest {
    fans low "Low", high "High" default low at "Menu";
    doors open "Open", shut "Shut" default shut at "Menu";
}
hazard too-loud of studies at "Run 1" {
    when model old, goal latency, fans high, doors shut;
    because "the shelf rattled";
}
"""
NEARER = (
    'rule fast of later at "Run 2" { when model new, goal latency; use fans high; because "it gets hot"; }'
)
AS_FAR = (
    'rule fast of studies at "Run 2" { when model old, goal latency; use fans high; because "it gets hot"; }'
)


@pytest.mark.parametrize(
    ("model", "more", "arises"),
    [
        ("new", NEARER, False),  # what was studied on the new one comes before a warning from the old one
        ("newest", NEARER, False),  # one step away, and the warning two
        ("new", AS_FAR, True),  # advice and warning are from the same place
        ("old", f'{AS_FAR} accept too-loud because "it is in the cellar";', True),  # in scope
        ("new", f'{NEARER} set doors shut because "dust";', True),  # the policy has a part in it
    ],
)
def test_a_hazard_out_of_scope_yields_to_advice_that_is_nearer(model: str, more: str, arises: bool) -> None:
    found = plan_of_text(f"{SERVERS} {more} goal latency; model {model};")
    assert found.value("fans") == "high"
    assert [hazard.hazard for hazard in found.hazards] == ["too-loud"] * arises
