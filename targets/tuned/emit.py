"""Profile to files."""

import setpoint.targets.tuned as package
from setpoint.compiler.lowering.target import Artifact, Procedure
from setpoint.targets._host import file_lines, plan_text, program
from setpoint.targets._linux import part
from setpoint.targets._linux.live import live_lines
from setpoint.targets._shared.target import by_plan
from setpoint.targets._shared.templates import render
from setpoint.targets._tuned.model import Ktune, TunedProfile

PROFILE = (("tuned.conf", "tuned.conf.j2", 0o644),)
"""The file of a profile of tuned 2, its template and mode."""

CARDS = (("network-cards.sh", "network-cards.sh.j2", 0o755),)
"""The script of a profile that has values for network cards."""

PLAN = "tuned/tuned.plan"

HOLDER = "/usr/libexec/tuned/pmqos-static.py"
"""The daemon of tuned 0.2 that holds a request for a latency. The version does not tell: packages of 0.2.19 have it
added."""

KTUNE = (
    ("tuned.conf", "ktune.tuned.conf.j2", 0o644),
    ("ktune.sh", "ktune.sh.j2", 0o755),
    ("ktune.sysconfig", "ktune.sysconfig.j2", 0o644),
    ("sysctl.ktune", "sysctl.ktune.j2", 0o644),
)
"""The files of a profile of tuned 0.2. ktune runs the script only if it may be executed."""


def artifacts(model: TunedProfile | Ktune) -> tuple[Artifact, ...]:
    """The program for hosts, and its plan, which has the files of the profile in it."""
    files = KTUNE if isinstance(model, Ktune) else PROFILE + (CARDS if model.cards else ())
    texts = [(name, render(package, template, m=model, part=part), mode) for name, template, mode in files]
    lines = [f"name {model.name}"]
    if isinstance(model, TunedProfile) and model.included:
        lines.append(f"includes {model.included}")
    lines += live_lines(model.compared, model.cards, model.masks)
    for name, text, mode in texts:
        lines += ["", *file_lines(name, text, f"{mode:o}")]
    part_of = "ktune" if model.is_ktune else "tuned"
    plan = plan_text(part_of, model.policy, "The profile of tuned", model.identification, lines)
    return program(), Artifact(PLAN, plan)


def procedure(files: tuple[Artifact, ...]) -> Procedure | None:
    """How the files are used: by the program for hosts. What tuned they need is of the profile; a request for a latency
    is in its plan."""
    usage = by_plan(PLAN)(files)
    if usage is None:
        return None
    plan = next(artifact.text for artifact in files if artifact.path == PLAN)
    is_ktune = plan.startswith("setpoint.plan/1 ktune\n")
    needed = f"tuned with `{HOLDER}`" if is_ktune and "\nheld " in plan else "tuned"
    return usage._replace(
        remark=f"{needed} must be installed. The new profile takes the place of the active one, which `tuned-adm active` names, and the values that only that one has end with it. "
        "What the server has no file for, such as a governor where the firmware keeps the frequency, is reported as not applicable, and is no difference",
        stand_ins=("tuned 0.2",) if is_ktune else (),
    )
