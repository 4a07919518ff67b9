"""Words to files: one template a form."""

import setpoint.targets.kernel_args as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._kernel.files import file_of, grubby_files
from setpoint.targets._kernel.model import KernelArguments
from setpoint.targets._linux import identity, part
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
