"""From the requests to files: JSON, in the order of the model."""

import json

from setpoint.compiler.lowering.target import Artifact, Procedure
from setpoint.targets._redfish.model import Update
from setpoint.targets._shared.forms import Form


def artifacts(update: Update) -> tuple[Artifact, ...]:
    """The files of the bundle, in the order of their use. Files without content are left out."""
    files = {
        "apply.json": update.apply,
        "settings-first.json": update.first,
        "settings.json": update.settings,
        "settings-on-reset.json": update.on_reset,
        "job.json": update.job,
        "expected.json": update.expected,
        "reasons.json": update.reasons,
    }
    return tuple(Artifact(f"redfish/{name}", _text(form)) for name, form in files.items() if form is not None)


def procedure(made: tuple[Artifact, ...]) -> Procedure:
    """How the requests are used: by a program, since each needs what an answer before it says."""
    del made  # the same for all
    return Procedure(
        "where Redfish reaches the controller",
        remark="`redfish/apply.json` has the requests in their order, for a program; the manual's page on this target sends them with curl",
    )


def _text(form: Form) -> str:
    document = form.document()
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
