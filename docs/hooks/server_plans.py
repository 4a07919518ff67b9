"""The plan of each kind of server under each goal, made once when the manual is built: its pages and its search need
them."""

from functools import cache

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import planned, read_text
from setpoint.compiler.plan.model import Plan
from setpoint.docs.hooks.reference.platforms import Plans

PLATFORM, GOAL = "platform", "goal"
"""The facts that the pages and the columns are about."""


@cache
def plans() -> Plans:
    """The plan for each platform and goal."""
    platforms, goals = (standard().values[fact] for fact in (PLATFORM, GOAL))
    in_order = [goal.name for goal in sorted(goals.values(), key=lambda goal: goal.span)]
    return Plans(
        PLATFORM,
        GOAL,
        {platform: {goal: _plan(platform, goal) for goal in in_order} for platform in platforms},
    )


def _plan(platform: str, goal: str) -> Plan:
    (target,) = planned(read_text(f"{GOAL} {goal}; {PLATFORM} {platform};"), standard())
    if target.plan is None:
        raise ValueError(f"{platform} has no plan for {goal}: {target.findings.errors[0].message}")
    return target.plan
