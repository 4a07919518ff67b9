"""From the requests to files: JSON, in the order of the model, and the program that carries them out."""

from typing import Any

from setpoint.compiler.lowering.target import Artifact, Procedure
from setpoint.compiler.render.visible import json_records, json_text
from setpoint.targets._client import PATH, client
from setpoint.targets._redfish.model import Body, Update
from setpoint.targets._shared.forms import AttributeName, AttributeValue, Form


def artifacts(update: Update) -> tuple[Artifact, ...]:
    """The files of the bundle, in the order of their use. Files without content are left out."""
    files = {
        "apply.json": update.apply,
        "settings-first.json": _body(update, update.first),
        "settings.json": _body(update, update.settings),
        "job.json": update.job,
        "expected.json": update.expected,
    }
    documents = [
        Artifact(f"redfish/{name}", _text(name, form)) for name, form in files.items() if form is not None
    ]
    return (*documents, client())


def procedure(files: tuple[Artifact, ...]) -> Procedure:
    """How the files are used: by the client that is beside them."""
    run = f"python3 {PATH}"
    return Procedure(
        "on a machine that reaches the controller",
        preview=f"{run} try BMC",
        apply=f"{run} apply BMC",
        verify=f"{run} verify BMC",
        undo=f"{run} undo BMC",
        remark="`BMC` is the address of the server's controller. `SETPOINT_REDFISH_USER` and `SETPOINT_REDFISH_PASSWORD` have the account, "
        f"or `~/.netrc`, or the program asks. It needs Python 3.9 or later; `python3 {PATH} --help` has its options",
        keeps="`~/.local/state/setpoint/controllers` where the client ran",
        statuses=True,
        restart="--restart now",
        twice="redfish/settings-first.json" in {artifact.path for artifact in files},
        caution="through a controller, product, processor and sockets are compared, not the system, and not which of several such servers you mean: look at the address twice",
    )


def _body(update: Update, body: Body | None) -> Body | dict[AttributeName, AttributeValue] | None:
    """A body as the service takes it: without `Attributes` around them if the BIOS takes them itself."""
    return body.attributes if body is not None and update.in_place else body


def _text(name: str, form: Form | dict[str, Any]) -> str:
    """A file: bodies of requests with a line for each attribute, the rest with a line for each record."""
    return (json_records if name in ("apply.json", "expected.json") else json_text)(
        form.document() if isinstance(form, Form) else form
    )
