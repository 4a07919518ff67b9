"""What of a bundle is carried out: the data for the client of controllers, the plans for hosts, and the settings of its
plan.

A bundle may come from a pull request. Its plans are read as data, and its program for hosts is run by its digest alone:
the compiler's own, or one that the user trusts by name.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.reading import parse_json, read_text
from setpoint.compiler.lowering.bundle import MANIFEST, Manifest, manifest_of
from setpoint.compiler.plan.as_json import plan_from_json
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.record import NamedTuple
from setpoint.targets._client.plan_files import plan_in
from setpoint.targets._client.wire import StopError
from setpoint.targets._host import PATH, program

FORM = "setpoint.plan/1 "
"""How a plan for hosts begins; the name of its part follows."""

CONTROLLER_FILES = ("redfish/apply.json", "redfish/expected.json")
FIRMWARE_PLANS = ("racadm", "syscfg")
"""The parts of plans for hosts that set what a controller sets as well."""


class HostPlan(NamedTuple):
    """A plan for the program for hosts: its part, such as kernel-args, and its text."""

    part: str
    text: str


class Deployable(NamedTuple):
    """A bundle as it is carried out.

    `controller` is the data for the client, None if the bundle has none. `plans` are in the order in which they are
    applied. `program` is the text of the program for hosts, "" if no host is changed. `settings` are those that a
    server is to have.
    """

    policy: str
    controller: Mapping[str, Any] | None
    plans: tuple[HostPlan, ...]
    program: str
    settings: tuple[Decision, ...]


def read_bundle(folder: str, trusted: str = "", on_hosts: bool = True) -> Deployable:
    """The bundle in a folder.

    Args:
        folder: Its path.
        trusted: The path of a program in the bundle that is run although it is not the compiler's own; "" for none.
        on_hosts: Whether a host is to be changed, so that the program is needed.

    Raises SetpointError (E0650, E0651), OSError and LinkError.
    """
    manifest = manifest_of(folder)
    if manifest is None:
        raise _no_bundle(folder, f"it has no {MANIFEST} of one")
    if manifest.policies or manifest.fleet:
        example = (
            f"`{os.path.join(folder, manifest.policies[0])}`" if manifest.policies else "a host's class in it"
        )
        raise _no_bundle(folder, "it has several", f"name one of them, such as {example}")
    texts = _texts(folder, manifest)
    run = _program(folder, texts, trusted) if on_hosts else ""
    try:
        judged = plan_from_json(parse_json(texts["plan.json"]))
    except KeyError:
        raise _no_bundle(folder, "it has no plan.json") from None
    try:
        controller = plan_in(Path(folder) / "redfish") if CONTROLLER_FILES[0] in texts else None
    except StopError as stop:
        raise _no_bundle(folder, str(stop).removeprefix("Nothing was changed: ")) from None
    plans = [HostPlan(_part(text), text) for path, text in texts.items() if path.endswith(".plan")]
    return Deployable(
        judged.plan.policy,
        controller,
        _ordered(plans),
        run,
        judged.plan.applied,
    )


def _program(folder: str, texts: Mapping[str, str], trusted: str) -> str:
    """The program for hosts that is run: the compiler's own, unless the user trusts the bundle's."""
    if trusted == PATH and PATH in texts:
        return texts[PATH]
    own = program().text
    if texts.get(PATH, own) != own:
        raise _not_own(folder, f"{PATH} is another program than that of this compiler", trusted=PATH)
    return own


def _texts(folder: str, manifest: Manifest) -> dict[str, str]:
    """The files that are carried out, by their paths, each as the manifest has it."""
    wanted = {PATH, "plan.json", *CONTROLLER_FILES}
    texts = {}
    for path, _, digest in manifest.files:
        if path in wanted or (path.endswith(".plan") and path.count("/") == 1):
            text = read_text(os.path.join(folder, path), folder)
            if hashlib.sha256(text.encode()).hexdigest() != digest:
                raise _not_own(folder, f"{path} is not as it was compiled")
            texts[path] = text
    return texts


def _part(text: str) -> str:
    first = text.partition("\n")[0]
    return first.removeprefix(FORM).strip() if first.startswith(FORM) else ""


def _ordered(plans: list[HostPlan]) -> tuple[HostPlan, ...]:
    """Firmware, then what waits for a restart, then what takes effect at once."""
    order = (*FIRMWARE_PLANS, "kernel-args")
    return tuple(sorted(plans, key=lambda plan: order.index(plan.part) if plan.part in order else len(order)))


def _no_bundle(
    folder: str, why: str, help_: str = "name a folder that `setpoint compile` has written"
) -> SetpointError:
    return SetpointError.of(
        "E0650",
        f"`{folder}` is no bundle that can be applied: {why}",
        help=(help_,),
        subject=folder,
    )


def _not_own(folder: str, why: str, trusted: str = "") -> SetpointError:
    help_ = ["compile the policy again, and compare the two bundles: `setpoint diff`"]
    if trusted:
        help_.append(f"if you know whose program that is, `--trust {trusted}` runs it")
    return SetpointError.of("E0651", f"`{folder}` is not trusted: {why}", help=tuple(help_))
