"""Module to files: one template a file, but for what is carried as it is."""

import json

import setpoint.targets.puppet as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.render.escape import escape, prose
from setpoint.targets._shared.templates import render
from setpoint.targets.puppet.model import Module

TEMPLATES = {
    "hiera.yaml": "hiera.yaml.j2",
    "data/common.yaml": "common.yaml.j2",
    "manifests/init.pp": "init.pp.j2",
    "types/path.pp": "path.pp.j2",
    "templates/status.sh.epp": "status.sh.epp.j2",
    "spec/spec_helper.rb": "spec_helper.rb.j2",
    ".fixtures.yml": "fixtures.yml.j2",
    "README.md": "module.md.j2",
}
"""The files that every module has, by their templates."""

PROFILE = {
    "types/tuned_options.pp": "tuned_options.pp.j2",
    "templates/tuned.conf.epp": "tuned.conf.epp.j2",
}
"""The files of a module that writes a tuned.conf."""


def artifacts(module: Module) -> tuple[Artifact, ...]:
    """The files of the module's folder, in the order of their paths."""
    made = {path: _render(template, module) for path, template in _templates(module).items()}
    made |= {
        f"data/{family}.yaml": _render("family.yaml.j2", module, way=way) for way, family in _choices(module)
    }
    made["metadata.json"] = json.dumps(_metadata(module), indent=2, ensure_ascii=False) + "\n"
    made |= {f"files/{each.target}/{each.name}": each.text for each in module.files}
    # Modes are the class's business: Puppet gives each file the one that it is to have on the server.
    return tuple(Artifact(f"puppet/{module.name}/{path}", text) for path, text in sorted(made.items()))


def _templates(module: Module) -> dict[str, str]:
    found = {**TEMPLATES, f"spec/classes/{module.name}_spec.rb": "class_spec.rb.j2"}
    if module.tuned and module.tuned.sections:
        found |= PROFILE
    return found


def _choices(module: Module) -> tuple[tuple[str, str], ...]:
    """The ways to the boot loader, each with its family, where the server's family is to choose."""
    ways = module.kernel.ways if module.kernel else ()
    return ways if len(ways) > 1 else ()


def _render(template: str, module: Module, **more: str) -> str:
    return render(package, template, m=module, choices=_choices(module), escape=escape, prose=prose, **more)


def _metadata(module: Module) -> dict[str, object]:
    """metadata.json. The author's part of the name is that of the maker; a site that publishes the module has its own.

    The licence is for those whose policy it is to choose. `proprietary` grants nothing, and is the only word beside the
    list of SPDX that metadata-json-lint takes: not NOASSERTION, and not none at all. The target `ansible` says the same.
    """
    return {
        "name": f"setpoint-{module.name}",
        "version": "0.1.0",
        "author": "setpoint",
        "license": "proprietary",
        "summary": f"Brings servers to the Setpoint policy {module.policy}: {module.parts}",
        "source": f"compiled by setpoint from the policy {module.policy}",
        "dependencies": [],
        "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0 < 9.0.0"}],
        "operatingsystem_support": [
            {"operatingsystem": name, "operatingsystemrelease": list(releases)}
            for name, releases in module.support.items()
        ],
    }
