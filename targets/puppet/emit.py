"""Module to files: one template a file; the program for hosts and its plans stay as they are in the bundle."""

from collections.abc import Iterable

import setpoint.targets.puppet as package
from setpoint.compiler.lowering.target import Artifact, Procedure
from setpoint.compiler.render.escape import escape, prose
from setpoint.compiler.render.visible import json_records
from setpoint.targets._host import program
from setpoint.targets._linux import part
from setpoint.targets._shared.target import KEPT_ON_SERVER
from setpoint.targets._shared.templates import filled, render
from setpoint.targets.puppet.hosts import LETTERS
from setpoint.targets.puppet.model import Module, Row

TEMPLATES = {
    "hiera.yaml": "hiera.yaml.j2",
    "manifests/init.pp": "init.pp.j2",
    "functions/served.pp": "served.pp.j2",
    "types/path.pp": "path.pp.j2",
    "types/plan.pp": "plan.pp.j2",
    "templates/status.sh.epp": "status.sh.epp.j2",
    "README.md": "module.md.j2",
}
"""The files that every module has, by their templates."""

CHOICE = {"functions/plan_of.pp": "plan_of.pp.j2"}
"""A file of a module with several plans."""

LISTED = {"functions/hosts.pp": "hosts.pp.j2"}
"""A file of a module whose data has the plan of each host."""


def artifacts(module: Module) -> tuple[Artifact, ...]:
    """The files of the module's folder, in the order of their paths, and what it runs: the program for hosts and the
    plans, which the bundle has once.
    """
    texts = {
        path: _render(template, module, letters=LETTERS) for path, template in _templates(module).items()
    }
    texts |= {f"data/plans/{p.name}.yaml": _render("plan.yaml.j2", module, p=p) for p in module.plans}
    texts["metadata.json"] = json_records(_metadata(module))
    files = {f"puppet/{module.name}/{path}": text for path, text in texts.items()} | module.files
    return tuple(sorted((program(), *(Artifact(path, text) for path, text in files.items()))))


def _templates(module: Module) -> dict[str, str]:
    templates = dict(TEMPLATES)
    if module.chooses:
        templates |= CHOICE
    if module.is_listed:
        templates |= LISTED
    return templates


def _render(template: str, module: Module, **more: object) -> str:
    return render(package, template, m=module, escape=escape, prose=prose, part=part, pairs=_pairs, **more)


def _pairs(rows: Iterable[Row], indent: int) -> str:
    """Settings with their values, as what braces have between them in YAML."""
    return filled((f"'{row.setting}': '{row.value}'" for row in rows), indent)


def _metadata(module: Module) -> dict[str, object]:
    """metadata.json. The author's part of the name is that of the maker; a site that publishes the module has its own.

    The licence is for those whose policy it is to choose. `proprietary` grants nothing, and is the only word beside the
    list of SPDX that metadata-json-lint takes: not NOASSERTION, and not none at all. The target `ansible` says the
    same.
    """
    return {
        "name": f"setpoint-{module.name}",
        "version": "0.1.0",
        "author": "setpoint",
        "license": "proprietary",
        "summary": f"Applies the Setpoint policy {module.policy}: {module.parts}",
        "source": f"compiled by setpoint from the policy {module.policy}",
        "dependencies": [],
        "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0 < 9.0.0"}],
        "operatingsystem_support": [
            {"operatingsystem": name, "operatingsystemrelease": releases}
            for name, releases in _support(module).items()
        ],
    }


def _support(module: Module) -> dict[str, list[str]]:
    """The systems of all plans: the fact os.name, and its releases."""
    systems: dict[str, list[str]] = {}
    for plan in module.served:
        for name, releases in plan.support.items():
            known = systems.setdefault(name, [])
            known += [release for release in releases if release not in known]
    return systems


def procedure(policy: str, paths: frozenset[str]) -> Procedure:
    """How the module is used, once it is in an environment and its class is included; `policy` is its identifier."""
    del paths  # the same for all
    module = f"setpoint_{policy}"
    return Procedure(
        "on a server that includes the class, as root",
        "puppet agent --test --noop",
        "puppet agent --test",
        "sh /var/lib/setpoint/puppet/status.sh",
        f"puppet agent --test  # with {module}::ensure: 'absent' in the Hiera of the server",
        f"`puppet/{module}/README.md` says where the module goes. If the plan is new to the server, the dry run shows only its file. "
        "For its values, and for whether the server is one of this plan, use `try` of the single commands below",
        keeps=KEPT_ON_SERVER,
    )
