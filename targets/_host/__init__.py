"""The program for hosts, `host/setpoint-host`, and the form of the data files that it reads.

A bundle carries the program once. It is the same in every bundle of every policy: what differs between policies is in
the plans, one data file for each target, in which each line has its reason. The program reads them and never runs them,
so that no text of a policy can become a command.

It is made of pieces: those in `shell/` here, and those of `setpoint.targets._linux` that other scripts have as well.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

import setpoint.targets._host as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import part
from setpoint.targets._shared.identity import Identification

PATH = "host/setpoint-host"
"""The path of the program in a bundle."""

PIECES = (
    "head", "_calls", "plan", "_lock", "_files", "_rollback", "_services", "_report", "_server", "_identity", "_sysfs", "_live",
    "_cards", "_live_cards", "_masks", "boot", "grubby", "drop_in", "pbl", "bls", "rpm_ostree", "values", "tuned", "ktune", "systemd", "cpuspeed",
    "_journal", "options", "racadm", "staging", "racadm_run", "racadm_undo", "_notes", "syscfg", "parts", "main",
)  # fmt: skip
"""The pieces of the program in their order; those with an underscore are of `setpoint.targets._linux`."""


def placed(path: str, plan: str) -> str:
    """Where a bundle of several plans has the file of one of them that is at `path` in a bundle of its own."""
    return f"plans/{plan}/{path.rpartition('/')[2]}"


@cache
def program() -> Artifact:
    """The program."""
    pieces = (part(name[1:]) if name.startswith("_") else part(name, package) for name in PIECES)
    text = "".join(pieces)
    (version,) = re.findall(r"^version=([0-9]+)$", text, re.MULTILINE)
    return Artifact(PATH, text, 0o755, version)


def plan_text(
    kind: str, policy: str, title: str, identification: Identification, lines: Sequence[str]
) -> str:
    """A plan for the program, of a part that it knows: see `shell/plan.sh` for the lines.

    Args:
        kind: What the plan is for: kernel-args, tuned, ktune, systemd, cpuspeed, racadm or syscfg.
        policy: The name of the policy.
        title: What the plan sets, for a comment.
        identification: What the server must report.
        lines: The rest.
    """
    head = [
        f"setpoint.plan/1 {kind}",
        f"# {title} of policy {policy}. Compiled by Setpoint: to change a value, change the policy.",
        "# Behind each value is its reason. `sh setpoint-host try` with this file says what it would change; `apply` changes it.",
        f"policy {policy}",
        "",
        "# What the server must report.",
        *_servers(identification),
        "",
    ]
    return "\n".join([*head, *lines]) + "\n"


def _servers(identification: Identification) -> Iterable[str]:
    for check in identification.checks:
        reports = [*check.names, *(f"{version}+" for version in check.since)]
        yield " | ".join([f"server {check.kind} {check.fact} {check.value} {check.verb}", *reports])
    for check in identification.unchecked:
        yield f"# nothing to compare: the {check.label} of {check.fact} {check.value}"


def columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows of words in columns, each with its reason, the last of a row, behind ` # `."""
    if not rows:
        return []
    widths = [max(len(cell) for cell in column) for column in zip(*(row[:-1] for row in rows), strict=True)]
    return [
        (" ".join(map(str.ljust, row[:-1], widths)) + (f"  # {row[-1]}" if row[-1] else "")).rstrip()
        for row in rows
    ]


def file_lines(path: str, text: str, mode: str) -> list[str]:
    """A file of a plan with its text."""
    return [
        f"file {path} {mode}",
        *(f"| {line}" if line else "|" for line in text.removesuffix("\n").split("\n")),
    ]
