"""syscfg: the BIOS set from within Linux, with the tool of Dell's Deployment Toolkit.

    Plan --lower--> SyscfgPlan (rows) --artifacts--> syscfg.plan, which `host/setpoint-host` carries out

For servers without Redfish, and for sites without a management network. The plan has option, value and reason line by
line; the program reads each, sets what differs, compares, and puts back.

What is known of the tool, and shapes the mechanism (Dell's 11G HPC paper, Appendix B; public scripts for an R720):

* a value that was set reads back at once, but takes effect at the next start. Not so the power profile of the 11th
  generation: the tool shows the one in effect until then. The program therefore notes what it has set, with the boot
  id, and reports `pending` where a start is still to come;
* from the 12th generation on options are BIOS attributes. Members of a system profile can be set only while it is
  `Custom`, so the profile comes first, and what a named profile fixes is compared and never set;
* administrators report that setting is less reliable than reading. Each write is therefore read back, and the first
  that fails stops the run and takes back what it had changed: half a policy is a configuration that nobody asked for.
"""

from setpoint.targets._shared.target import PlanTarget, by_plan
from setpoint.targets.syscfg.lower import lower, unsupported_reason
from setpoint.targets.syscfg.model import PATH, artifacts

TARGET = PlanTarget(
    "syscfg",
    "A plan for Dell's syscfg",
    ("firmware",),
    unsupported_reason,
    lower,
    artifacts,
    by_plan(
        PATH,
        remark="Dell's syscfg must be on the server, at `/opt/dell/toolkit/bin/syscfg` or where the variable `SYSCFG` names it; "
        "`SETPOINT_SETUP_PASSWORD` is the password of the server's setup, if it has one; "
        "the role has it in `setpoint_setup_password`, which Ansible shows at `-vvv`. `syscfg/syscfg.plan` says for which servers its options are known",
        stand_ins=("Dell's `syscfg`",),
    ),
)
