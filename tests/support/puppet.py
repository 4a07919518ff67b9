"""The plans that the target puppet is tested with, and their modules as folders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from consumers.puppet import HERE, run, system
from consumers.requirement import unmet
from setpoint.compiler.lowering.target import Artifact, emission_of
from setpoint.compiler.plan.model import Plan
from setpoint.targets.puppet import TARGET
from setpoint.targets.puppet.model import Module
from support.plans import planned

SPECS = HERE / "specs"
"""The templates of specs for rspec-puppet, by the data of a module."""

GOALS = ("latency", "performance", "throughput", "balanced", "efficiency", "density")


class Server(NamedTuple):
    """A kind of server: its facts in a policy, and the system that a policy for it is compiled on."""

    name: str
    facts: str
    family: str
    release: str
    product: str

    def policy(self, goal: str) -> str:
        """The policy of a goal; each has a name, and so a module, of its own."""
        return f"policy {self.name}-{goal} {{ goal {goal}; {self.facts} }}"

    def plan(self, goal: str) -> Plan:
        """The plan of a goal."""
        return planned(self.policy(goal))

    def module(self, goal: str) -> str:
        """The name of its module."""
        return f"setpoint_{self.name}_{goal}"

    @property
    def system(self) -> dict[str, Any]:
        """The facts that Puppet gets."""
        return system(self.family, self.release, self.product)


EL6 = Server(
    "el6",
    "platform r710; os rhel 6.4; "
    'set force-latency none because "the daemon that holds it in tuned 0.2 is not in the sandbox"',
    "RedHat",
    "6",
    "PowerEdge R710",
)
EL7 = Server("el7", "platform r720; os rhel 7", "RedHat", "7", "PowerEdge R720")
MODERN = Server("modern", "platform r740; os modern-linux", "RedHat", "9", "PowerEdge R740")
SERVERS = (EL6, EL7, MODERN)

LATENCY = EL6.policy("latency")
DEBIAN = "policy debian { goal latency; platform r710; os debian-12 }"
LONG = "policy a-policy-with-a-long-name-for-a-site-with-many.of.them { goal latency; platform r740 }"
EVERYTHING = "policy everything { goal efficiency; platform r740; manage all }"
WITHOUT_TUNED = (
    "policy untuned { goal latency; platform r740; os ubuntu 24.04; tuned unused; workload comm-bound }"
)
SLES_12 = "policy sles-12 { goal latency; platform r740; os sles 12 }"
SLES_15_SP3 = "policy sles-15-sp3 { goal latency; platform r740; os sles 15.3 }"
UBUNTU_20_04 = "policy ubuntu-20.04 { goal latency; platform r740; os ubuntu 20.04 }"
SUSE = "policy suse { goal latency; platform r740; os sles 15 }"
EL5 = "policy el5 { goal latency; platform r710; os rhel 5 }"


def passed(modules: Path, *models: Module) -> int:
    """How many examples rspec-puppet has for these modules in the folder `modules`: the specs are written of their
    plans. All must pass."""
    templates = Environment(
        loader=FileSystemLoader(SPECS),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    specs = [modules / model.name / "spec" for model in models]
    for model, folder in zip(models, specs, strict=True):
        (folder / "classes").mkdir(parents=True)
        for template, path in (
            ("spec_helper.rb", "spec_helper.rb"),
            ("class_spec.rb", "classes/class_spec.rb"),
        ):
            (folder / path).write_text(templates.get_template(f"{template}.j2").render(m=model))
    ran = run("rspec", "-I", specs[0], *(folder / "classes" for folder in specs))
    if "cannot load such file -- rspec-puppet" in ran.said:
        unmet("rspec-puppet is not installed (tests/install-consumers)")
    assert ran.status == 0, ran.said
    return int(re.findall(r"(\d+) examples, 0 failures", ran.said)[0])


def put(plan: Plan, modules: Path) -> None:
    """Put the module of a plan into the folder `modules`, as its README says: with what it runs."""
    install(TARGET.emit(plan).artifacts, modules)


def install(artifacts: Iterable[Artifact], modules: Path) -> None:
    """Put these files of a module, and what it runs, into the folder `modules`."""
    files = list(artifacts)
    (module,) = {artifact.path.split("/")[1] for artifact in files if artifact.path.startswith("puppet/")}
    for artifact in files:
        own = artifact.path.startswith("puppet/")
        path = modules / (artifact.path.removeprefix("puppet/") if own else f"{module}/files/{artifact.path}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")


def text_of(plan: Plan, name: str) -> str:
    """A file of the module, by its path in it."""
    (text,) = (a.text for a in TARGET.emit(plan).artifacts if a.path.split("/", 2)[2:] == [name])
    return text


def made_by(target: str, plan: Plan) -> tuple[Artifact, ...]:
    """What another target makes of a plan."""
    emission = emission_of(target, plan)
    return emission.artifacts if emission else ()


def changes(said: str) -> set[str]:
    """The resources that a run reports as changed, or with --noop as to be changed."""
    return set(re.findall(r"/((?:Exec|File|Service)\[[^]]+\])/(?!notify)\w+: ", said))
