"""One-time actions, for targets whose files keep no record of what was performed: they leave them out.

Whatever runs such files again would perform an action again, and nothing would tell it not to.
"""

from setpoint.compiler.plan.model import Plan

NO_RECORD = "it is to be performed once, and these files keep no record of what was performed"


def unrecorded(plan: Plan) -> dict[str, str]:
    """The actions of the firmware that a plan performs, each with the reason for leaving it out."""
    return {d.setting: NO_RECORD for d in plan.performed if d.layer == "firmware"}
