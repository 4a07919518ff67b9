"""racadm: the BIOS set by the iDRAC, with Dell's racadm: on the server, remotely, or over SSH.

    Plan --lower--> RacadmPlan (rows) --artifacts--> racadm.plan, which `host/setpoint-host` carries out

racadm stages values; a job sets them when the server restarts. Until there is a job, `clearpending` takes back all that
is staged. So a run stages everything, reads it back, and makes the job last: what fails before leaves nothing behind.
The iDRAC has one set of staged values and one BIOS job for everybody, so the program looks at both before it changes
anything, and stops where they are somebody else's.

The lines are those of the attributes' steps (`setpoint.targets._bios`): what must be in effect before the rest is
staged, what is staged, and what a profile brings along. The groups that racadm has the attributes in are their pages in
the menu.

What is known of the commands and their answers, with sources, is at the head of the stand-in that the tests use.
"""

from setpoint.targets._shared.target import PlanTarget, by_plan
from setpoint.targets.racadm.lower import lower, unsupported_reason
from setpoint.targets.racadm.model import PATH, artifacts

TARGET = PlanTarget(
    "racadm",
    "A plan for Dell's racadm",
    ("firmware",),
    unsupported_reason,
    lower,
    artifacts,
    by_plan(
        PATH,
        where="on the server, as root, with Dell's racadm; or from elsewhere with `--ssh USER@IDRAC` (a key, no racadm needed), or with "
        "`--host IDRAC --user USER` (racadm, and `SETPOINT_IDRAC_PASSWORD`), the same options each time",
        restart="--restart graceful",
        first="first",
        stand_ins=("Dell's `racadm`",),
    ),
)
