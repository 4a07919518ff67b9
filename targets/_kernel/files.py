"""The files for the command line: the name of each form in a bundle, and its template."""

from collections.abc import Iterable
from typing import get_args

import setpoint.targets._kernel as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.record import NamedTuple
from setpoint.targets._kernel.model import FormName, WayName
from setpoint.targets._shared.data import data

FOLDER = "kernel-args"
"""Their folder in a bundle."""

PLAN: FormName = "plan"
"""The form that `host/setpoint-host` reads."""


class FormFile(NamedTuple):
    """A file: its path in the bundle, and its template, "" for the plan.

    `sets` says that a program reads it, so that nobody has to do anything; else `by_hand` says who uses it.
    """

    path: str
    template: str
    sets: bool
    by_hand: str


def file_of(form: FormName) -> FormFile:
    """The file of a form."""
    row = data(package)["form"][form]
    return FormFile(
        f"{FOLDER}/{row['path']}", row.get("template", ""), row.get("sets", False), row.get("by-hand", "")
    )


def files_of(artifacts: Iterable[Artifact]) -> dict[FormName, Artifact]:
    """The files for the command line among artifacts, by their forms."""
    forms: dict[str, FormName] = {file_of(form).path: form for form in get_args(FormName)}
    return {forms[artifact.path]: artifact for artifact in artifacts if artifact.path in forms}


def ways_of(artifacts: Iterable[Artifact]) -> tuple[WayName, ...]:
    """The ways to the boot loader that the plan among artifacts names; none if there is no plan."""
    plan = files_of(artifacts).get(PLAN)
    lines = plan.text.splitlines() if plan else []
    return tuple(way for way in get_args(WayName) if f"way {way}" in lines)
