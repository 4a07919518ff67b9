"""The policies whose roles are run, a bundle's folder with the role in it, and the variables of a host that has an
iDRAC."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from consumers.redfish_service import PASSWORD, USER, Service
from idrac import PASSWORD as CONTROLLER_PASSWORD
from idrac import USER as CONTROLLER_USER
from idrac import Controller
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.lowering.target import Artifact, Fleet, Variant, emission_of, identifier
from setpoint.compiler.pipeline import Selection, knowledge_for
from setpoint.compiler.pipeline import planned as plans
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.policies.check import hosts
from setpoint.targets.ansible import TARGET
from support.plans import planned
from support.transitions import end_state

R750 = "policy r750-any { goal latency; platform r750; sockets 2; }"
"""Redfish, with an attribute that must be in effect before the rest; a Linux that is not known; tuned 2."""

R740 = "policy r740 { goal latency; platform r740; sockets 1; os debian-12; }"
"""Redfish on a service that does not make jobs automatically."""

R710 = (
    "policy r710.EL6 { goal latency; cpu westmere; workload comm-bound; platform r710; os rhel 6.4; manage all; "
    'set governor performance because "a test"; set cpuspeed-service on because "a test"; '
    'accept os-control-without-cpuspeed because "a test" }'
)
"""Neither Redfish nor a Python that Ansible could use: syscfg, grubby, cpuspeed, tuned 0.2."""

R710_EL5 = "policy r710-el5 { goal latency; cpu x5570; platform r710; os rhel 5.8; }"


def expected(policy: str) -> dict[str, str]:
    """The BIOS attributes of a policy's end state."""
    emission = emission_of("redfish", planned(policy))
    assert emission is not None
    text = next(a.text for a in emission.artifacts if a.path == "redfish/expected.json")
    return end_state(json.loads(text))


def bundle(plan: Plan, folder: Path) -> Path:
    """The folder `ansible` of the plan's bundle, written into `folder`."""
    return written(TARGET.emit(plan).artifacts, folder)


def written(artifacts: Iterable[Artifact], folder: Path) -> Path:
    """The folder `ansible` of these artifacts, written into `folder`."""
    for artifact in artifacts:
        path = folder / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
        path.chmod(artifact.mode)
    return folder / "ansible"


def role_of(policy: str, folder: Path) -> Path:
    """The same, of a policy."""
    return bundle(planned(policy), folder)


def fleet(text: str) -> Fleet:
    """All plans of a policy, as `setpoint compile` hands them to a target."""
    program = program_of_text(text)
    knowledge = knowledge_for(program)
    done = [*plans(program, knowledge), *(host.planned for host in hosts(program, knowledge, Selection()))]
    variants = [Variant(plan.plan, plan.subject.group, plan.subject.host) for plan in done if plan.plan]
    return Fleet(done[0].subject.policy, tuple(variants))


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """YAML with Ansible's tag for texts that are no templates."""


_Loader.add_constructor("!unsafe", _Loader.construct_scalar)


def plan_data(text: str) -> dict[str, Any]:
    """The data of a plan, from the text of its file in a role."""
    (data,) = yaml.load(text, _Loader).values()
    values: dict[str, Any] = data
    return values


def plan_for(ansible: Path, host: str, **attributes: str) -> None:
    """Give a host of a role for one plan a plan of its own: the policy's, with other BIOS attributes to be written."""
    (role,) = ansible.glob("roles/*")
    plans = role / "vars/plans"
    (policy,) = (path for path in plans.iterdir() if f"setpoint_{identifier(path.stem)}" == role.name)
    text = policy.read_text(encoding="utf-8")
    (plans / f"{host}.yml").write_text(text.replace("bios: redfish\n", f"bios: {host}\n"), encoding="utf-8")
    shutil.copytree(ansible.parent / "redfish", ansible.parent / host)
    with_attributes(ansible.parent / host, attributes)
    tasks = role / "tasks/plan.yml"
    has_own = "(role_path ~ '/vars/plans/' ~ inventory_hostname ~ '.yml') is file"
    chosen = f"{{{{ inventory_hostname if {has_own} else '{policy.stem}' }}}}"
    text = tasks.read_text(encoding="utf-8")
    tasks.write_text(
        text.replace(f"file: plans/{policy.stem}.yml", f'file: "plans/{chosen}.yml"'), encoding="utf-8"
    )


def with_attributes(folder: Path, attributes: Mapping[str, str]) -> None:
    """Have the client's files in a folder of a bundle write these attributes, too."""
    file = folder / "expected.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    for name, value in attributes.items():
        document["attributes"].setdefault(name, {"setting": name, "step": "then"})["wanted"] = value
    file.write_text(json.dumps(document), encoding="utf-8")


def account(bmc: Service, **more: object) -> dict[str, object]:
    """The variables of a host whose iDRAC is this service."""
    return {**_logged_in(bmc, USER, PASSWORD), **more}


def through_controller(bmc: Controller | Controller, role: str, **more: object) -> dict[str, object]:
    """The variables of a host that is reached, and restarted, through this emulated controller, which needs no
    delays."""
    return {
        **_logged_in(bmc, CONTROLLER_USER, CONTROLLER_PASSWORD),
        "setpoint_reboot_through": "bmc",
        f"{role}_read_delay": 0,
        f"{role}_job_delay": 0,
        **more,
    }


def _logged_in(bmc: Service | Controller | Controller, user: str, password: str) -> dict[str, object]:
    return {
        "setpoint_bmc_host": bmc.address,
        "setpoint_bmc_user": user,
        "setpoint_bmc_password": password,
        "setpoint_bmc_ca": str(bmc.ca),
        "setpoint_check_server": False,  # all services of one capture have the UUID of that
    }
