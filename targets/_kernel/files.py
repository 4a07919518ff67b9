"""The files for the command line: the name of each form in a bundle, and its template."""

from collections.abc import Iterable
from typing import Literal, get_args

import setpoint.targets._kernel as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.targets._kernel.model import FormName
from setpoint.targets._shared.data import data

FOLDER = "kernel-args"
"""Their folder in a bundle."""


@distinct
class FormFile(NamedTuple):
    """A file: its path in the bundle, its template, and whether it is executable.

    `sets` says that a program runs or reads it, so that nobody has to do anything; else `by_hand` says who uses it.
    """

    path: str
    template: str
    executable: bool
    sets: bool
    by_hand: str


def file_of(form: FormName) -> FormFile:
    """The file of a form."""
    row = data(package)["form"][form]
    return FormFile(
        f"{FOLDER}/{row['path']}",
        row["template"],
        row.get("executable", False),
        row.get("sets", False),
        row.get("by-hand", ""),
    )


def grubby_files(key: Literal["files", "makes", "new-kernels"]) -> tuple[str, ...]:
    """The files in which grubby may change a command line, as patterns of the shell; those that it makes; or those of
    which kernels that are installed later get theirs."""
    return tuple(data(package)["grubby"][key])


def files_of(artifacts: Iterable[Artifact]) -> dict[FormName, Artifact]:
    """The files for the command line among artifacts, by their forms."""
    forms: dict[str, FormName] = {file_of(form).path: form for form in get_args(FormName)}
    return {forms[artifact.path]: artifact for artifact in artifacts if artifact.path in forms}
