"""The shape that nearly all targets have: lower a plan to a model, and make files of the model.

A target is then its names and three functions. One whose program keeps many servers has two more: `combined` makes one
model of all plans of a fleet, and `listings` the files that list hosts.
"""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from setpoint.compiler.lowering.target import (
    Artifact,
    Emission,
    Fleet,
    Hosts,
    Listing,
    PlanCoverage,
    Procedure,
    Variant,
    identifier,
)
from setpoint.compiler.plan.model import Plan
from setpoint.targets._shared.forms import Lowered

Model = TypeVar("Model")
Combined = TypeVar("Combined")


class _Lowering(Generic[Model]):
    """What both shapes have.

    Args:
        name: The folder of its files in a bundle.
        title: What it is called for readers.
        layers: The layers that it is for.
        unsupported_reason: Why it cannot serve a plan, in a sentence; "" if it can.
        lower: Its model of a plan; none where there is nothing that it can carry.
    """

    def __init__(
        self,
        name: str,
        title: str,
        layers: tuple[str, ...],
        unsupported_reason: Callable[[Plan], str],
        lower: Callable[[Plan], Lowered[Model]],
    ) -> None:
        self.name, self.title, self.layers = name, title, layers
        self.unsupported_reason, self._lower = unsupported_reason, lower


ON_SERVER = "on the server, as root"

KEPT_ON_SERVER = "`/var/lib/setpoint` on the server"
"""Where the program for hosts keeps what was there before."""


def by_plan(
    path: str,
    where: str = ON_SERVER,
    remark: str = "",
    stand_ins: tuple[str, ...] = (),
    restart: str = "",
    first: str = "",
) -> Callable[[tuple[Artifact, ...]], Procedure | None]:
    """How a target is used whose files are carried out by the program for hosts with the plan of this path. `first` is
    the word of a plan's lines that must be in effect before the others are set.
    """

    def procedure(artifacts: tuple[Artifact, ...]) -> Procedure | None:
        plan = next((artifact for artifact in artifacts if artifact.path == path), None)
        if plan is None:
            return None
        preview, apply, verify, undo = (
            f"sh host/setpoint-host {verb} {path}" for verb in ("try", "apply", "verify", "undo")
        )
        return Procedure(
            where,
            preview,
            apply,
            verify,
            undo,
            remark,
            KEPT_ON_SERVER,
            stand_ins,
            statuses=True,
            restart=restart,
            twice=bool(first) and f"\n{first} " in plan.text,
        )

    return procedure


class PlanTarget(_Lowering[Model]):
    """A `Target` whose artifacts are for one plan.

    Args:
        artifacts: The files of a model.
        procedure: How files are used, from all that were made.
    """

    def __init__(
        self,
        name: str,
        title: str,
        layers: tuple[str, ...],
        unsupported_reason: Callable[[Plan], str],
        lower: Callable[[Plan], Lowered[Model]],
        artifacts: Callable[[Model], tuple[Artifact, ...]],
        procedure: Callable[[tuple[Artifact, ...]], Procedure | None],
    ) -> None:
        super().__init__(name, title, layers, unsupported_reason, lower)
        self._artifacts, self._procedure = artifacts, procedure

    def emit(self, plan: Plan) -> Emission:
        """The files; none if the plan has nothing for them."""
        return self._lower(plan).emission(self._artifacts, self._procedure)


class ListedFleetTarget(_Lowering[Model], Generic[Model, Combined]):
    """A `FleetTarget`: its artifacts are for all plans of a policy.

    Args:
        combined: Its model of a fleet; none where no plan has anything that it can carry.
        artifacts: The files of a fleet's model.
        listings: The files that list the hosts of each plan.
        procedure: How the artifacts are used, from the identifier of the policy and their paths.
    """

    def __init__(
        self,
        name: str,
        title: str,
        layers: tuple[str, ...],
        unsupported_reason: Callable[[Plan], str],
        lower: Callable[[Plan], Lowered[Model]],
        combined: Callable[[Fleet], Combined | None],
        artifacts: Callable[[Combined], tuple[Artifact, ...]],
        listings: Callable[[Fleet, Hosts], Iterator[Listing]],
        procedure: Callable[[str, frozenset[str]], Procedure],
    ) -> None:
        super().__init__(name, title, layers, unsupported_reason, lower)
        self._combined, self._artifacts, self._procedure = combined, artifacts, procedure
        self.list_hosts = listings

    def emit(self, plan: Plan) -> Emission:
        """The artifacts of a fleet that has only this plan."""
        _, expressed, left_out, _ = self._lower(plan)
        files = self.emit_fleet(Fleet(plan.policy, (Variant(plan),)))
        paths = frozenset(artifact.path for artifact in files)
        used = self._procedure(identifier(plan.policy), paths) if files else None
        return Emission(files, expressed, left_out, used)

    def coverage(self, plan: Plan) -> PlanCoverage:
        """What the artifacts set of a plan."""
        return self._lower(plan).coverage

    def emit_fleet(self, fleet: Fleet) -> tuple[Artifact, ...]:
        """The artifacts for all plans of a policy."""
        model = self._combined(fleet)
        return () if model is None else self._artifacts(model)
