"""racadm: a shell script that sets the BIOS by the iDRAC, with Dell's racadm: on the server, remotely, or over SSH.

    Plan --lower--> RacadmScript (a table) --emit--> racadm.sh

racadm stages values; a job sets them when the server restarts. Until there is a job, `clearpending` takes back all that is
staged. So a run stages everything, reads it back, and makes the job last: what fails before leaves nothing behind. The
iDRAC has one set of staged values and one BIOS job for everybody, so the script looks at both before it changes anything,
and stops where they are somebody else's.

The table is that of the attributes' steps (`setpoint.targets._bios`): what must be in effect before the rest is staged,
what is staged, and what a profile brings along. The groups that racadm has the attributes in are their pages in the menu.

What is known of the commands and their answers, with sources, is at the head of the stand-in that the tests use.
"""

from setpoint.compiler.lowering.target import Emission
from setpoint.compiler.plan.model import Plan
from setpoint.targets.racadm.emit import artifact
from setpoint.targets.racadm.lower import lower, unsupported_reason


class Racadm:
    """The target. See `setpoint.compiler.lowering.target.Target`."""

    name = "racadm"
    title = "A shell script for Dell's racadm"
    layers: tuple[str, ...] = ("firmware",)

    def unsupported_reason(self, plan: Plan) -> str:
        """Why racadm cannot set the BIOS of the plan's platform; "" if it can."""
        return unsupported_reason(plan)

    def emit(self, plan: Plan) -> Emission:
        """The script; none where the plan sets nothing that it can say."""
        return lower(plan).emission(lambda script: (artifact(script),))


TARGET = Racadm()
