"""Running `host/setpoint-host` with a plan, as a server would."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._host import program
from setpoint.targets._linux import part
from setpoint.targets._shared.identity import Identification
from support.shell import Ran, run

PROGRAM = program().text
"""The program, which is the same for every policy."""


def identity(identification: Identification) -> str:
    """The check of a server alone, of the pieces that the program has: `is_the_server || exit`."""
    checks = [
        " ".join(
            [
                *("must_report", check.kind, check.fact, check.value, check.verb),
                *(f"'{name}'" for name in check.names),
                *(f"{version}+" for version in check.since),
            ]
        )
        for check in identification.checks
    ]
    head = "\n    ".join(["identity() {", *(checks or [":"])])
    return f"{head}\n}}\nreport_of=server_reports other_checks=''\n\n{part('server')}\n{part('identity')}"


def plan_of(artifacts: Iterable[Artifact]) -> str:
    """The text of the only plan among artifacts."""
    (plan,) = [artifact.text for artifact in artifacts if artifact.path.endswith(".plan")]
    return plan


def with_profile(artifacts: Iterable[Artifact]) -> tuple[Artifact, ...]:
    """Artifacts, and the files of the profile of tuned that a plan among them has, in a folder with its name."""
    artifacts = tuple(artifacts)
    text = next((artifact.text for artifact in artifacts if artifact.path == "tuned/tuned.plan"), "")
    return (*artifacts, *profile_of(text))


def profile_of(plan: str) -> list[Artifact]:
    """The files of the profile that a plan for tuned has; none of a plan without any."""
    head, *files = re.split(r"^file ", plan, flags=re.MULTILINE)
    names = re.findall(r"^name (.*)$", head, re.MULTILINE)
    profile = []
    for file in files:
        first, *lines = [line for line in file.splitlines() if line]
        name, mode = first.split()
        text = "".join(f"{line[2:]}\n" for line in lines)
        profile.append(Artifact(f"tuned/{names[0]}/{name}", text, int(mode, 8)))
    return profile


def arguments_for(arguments: Iterable[str], plan: str = "-") -> list[str]:
    """The arguments of the program from a verb and its options; `apply` without any."""
    verb, *options = [*arguments] or ["apply"]
    return [verb, plan, *options]


def run_host(
    plan: str, *arguments: str, programs: Path | None = None, shell: str = "dash", **env: str
) -> Ran:
    """Run the program with the text of a plan, a verb and its options: see `support.shell.run`."""
    return run(PROGRAM, *arguments_for(arguments), programs=programs, shell=shell, SETPOINT_PLAN=plan, **env)


def words_of(plan: str) -> list[str]:
    """The lines of a plan as the program reads them: without comments, reasons and the comments of files in it."""
    lines = (line for line in plan.splitlines() if not line.startswith("#"))
    return [
        line.partition(" # ")[0].rstrip() if not line.startswith("|") else line
        for line in lines
        if not line.lstrip("| ").startswith("#")
    ]
