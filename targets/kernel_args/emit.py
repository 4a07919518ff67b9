"""Words to files: one template a form."""

import setpoint.targets.kernel_args as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._linux import identity
from setpoint.targets._shared.data import data
from setpoint.targets._shared.templates import render
from setpoint.targets.kernel_args.model import KernelArguments


def artifacts(model: KernelArguments) -> tuple[Artifact, ...]:
    """The files of the forms, in their order."""
    made = []
    for name in model.forms:
        form = data(package)["form"][name]
        text = render(package, form["template"], m=model, identity=identity(model.identification))
        made.append(Artifact(f"kernel-args/{form['path']}", text, 0o755 if form.get("executable") else 0o644))
    return tuple(made)
