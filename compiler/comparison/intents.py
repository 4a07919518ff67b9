"""Two intents side by side, whatever their policies are called: one policy of each side, compared as if both had one name."""

from setpoint.compiler.comparison.differences import differences
from setpoint.compiler.comparison.entries import PlannedPolicy
from setpoint.compiler.comparison.sides import Side
from setpoint.compiler.plan.difference import Comparison


def intents_compared(one: Side, a: PlannedPolicy, other: Side, b: PlannedPolicy) -> Comparison:
    """The difference between policy `a` of one side and policy `b` of the other."""
    name = a.policy if a.policy == b.policy else f"{a.policy}-to-{b.policy}"
    return differences(_alone(one, a, name), _alone(other, b, name))


def _alone(whole: Side, entry: PlannedPolicy, name: str) -> Side:
    """A side with this policy alone, under the name that both have for the comparison."""
    judged = entry.judged
    if judged is not None:
        judged = judged._replace(plan=judged.plan._replace(policy=name))
    alone = entry._replace(policy=name, judged=judged)
    return whole._replace(entries={name: alone}, failed={}, hosts=None)
