"""Words to files: one template a form."""

import setpoint.targets.kernel_args as package
from setpoint.compiler.lowering.target import Artifact, Procedure
from setpoint.targets._kernel.files import file_of, files_of, grubby_files
from setpoint.targets._kernel.model import KernelArguments
from setpoint.targets._linux import identity, part
from setpoint.targets._shared.target import ON_SERVER, by_script
from setpoint.targets._shared.templates import render


def artifacts(model: KernelArguments) -> tuple[Artifact, ...]:
    """The files of the forms, in their order."""
    made = []
    for file in map(file_of, model.forms):
        text = render(
            package,
            file.template,
            m=model,
            identity=identity(model.identification),
            part=part,
            boot_files=grubby_files("files"),
            made_files=grubby_files("makes"),
            new_kernels_files=grubby_files("new-kernels"),
        )
        made.append(Artifact(file.path, text, 0o755 if file.executable else 0o644))
    return tuple(made)


def procedure(made: tuple[Artifact, ...]) -> Procedure:
    """How the files are used: by the script that changes the line, or by hand and by the script that verifies it."""
    files = [file_of(form) for form in files_of(made)]
    scripts = [file.path for file in files if file.executable and file.sets]
    if found := by_script(*scripts)(made):
        return found._replace(remark=_which(scripts))
    hands = [file.by_hand for file in files if file.by_hand]
    verify = next((f"sh {file.path}" for file in files if file.executable), "")
    return Procedure(ON_SERVER, verify=verify, remark=hands[-1] if hands else "")


def _which(scripts: list[str]) -> str:
    """Where a plan leaves the boot loader open, that there is a script for each."""
    _, *others = scripts
    named = " or ".join(f"`{path}`" for path in others)
    return f"where another boot loader is in use, {named} with the same options" if others else ""
