"""What a target is, and how targets are found.

A target turns a plan into artifacts that some program reads. It lives in a folder of its own under
`targets/` (or in an outside package that registers the entry point `setpoint.targets`), exposes
`TARGET`, and is found without a list to edit. It is pure: equal plans give equal bytes.

A target says which layers it is for and which settings it carried. What a target of a layer should
carry and none could is not dropped: it becomes a manual step, with the menu path that the source gives.

Most artifacts are for one plan. A target that hands plans to a program which keeps many servers makes one artifact for
all groups and hosts of a policy (`FleetTarget`), so that no server finds two that compete for it. A target that shows a
plan to people together with the measurements behind it gets both (`PageTarget`), since the plan does not have them.
"""

import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import setpoint.targets
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.words import source_of

if TYPE_CHECKING:
    from setpoint.compiler.render.html import Page


class Artifact(NamedTuple):
    """A file of the bundle: its path within it (`tuned/tuned.plan`), its text, its mode (0o644 or 0o755).

    `version` is that of a program which is the same in every bundle; "" for files that are made from a plan.
    """

    path: str
    text: str
    mode: int = 0o644
    version: str = ""


class Procedure(NamedTuple):
    """How a person carries out what a target's files have: commands for a shell in the folder of the bundle, "" for one
    that there is not.

    `where` says where they are run, as `on the server, as root`; `remark` is a sentence on what else to know, with
    names in backticks. `keeps` is the place of the values from before, and `stand_ins` are what was not to be had, so
    that the commands were tried with stand-ins for it. `statuses` says that the commands exit as all scripts of bundles
    do (see `front_page_use`).

    `restart` says with which option a command restarts the server, "" if none does. `twice` says that some values can
    be set only after a restart for others. `caution` is what the commands do not compare with the server. `on_first` is
    added to a command of many servers for the first one.
    """

    where: str
    preview: str = ""
    apply: str = ""
    verify: str = ""
    undo: str = ""
    remark: str = ""
    keeps: str = ""
    stand_ins: tuple[str, ...] = ()
    statuses: bool = False
    restart: str = ""
    twice: bool = False
    caution: str = ""
    on_first: str = ""

    @property
    def is_on_server(self) -> bool:
        """Whether the commands are run on the server itself, in a copy of the bundle's folder."""
        return self.verify.startswith("sh ")


class Emission(NamedTuple):
    """What a target made of a plan: files, the settings they carry, why it left others out, and how the files are used.

    `expressed` has every setting that the files set, also one that the plan does not write and that a target spells out
    so that its program does not choose a value by itself. `left_out` maps a setting's name to the reason, in a
    sentence. `procedure` is None where the files are not for people to use.
    """

    artifacts: tuple[Artifact, ...]
    expressed: frozenset[str]
    left_out: dict[str, str]
    procedure: Procedure | None = None


class PlanCoverage(NamedTuple):
    """Which settings of a plan a target's files set, why they leave others out, and whether there are any files for it.

    `expressed` and `left_out` are those of `Emission`. `carries` names the targets whose plans this one has
    carried out.
    """

    expressed: frozenset[str]
    left_out: dict[str, str]
    has_files: bool
    carries: frozenset[str] = frozenset()


class Target(Protocol):
    """What the compiler asks of a target. `layers` are those of `setpoint.compiler.knowledge.model.LAYERS`."""

    name: str
    title: str
    layers: tuple[str, ...]

    def unsupported_reason(self, plan: Plan) -> str:
        """Why this target cannot serve the plan's platform or OS, in a sentence; "" if it can."""

    def emit(self, plan: Plan) -> Emission:
        """The artifacts. Called only where `unsupported_reason` says nothing."""


class Variant(NamedTuple):
    """A policy's plan for the servers of a group, or for one host; for all of its servers where both are ""."""

    plan: Plan
    group: str = ""
    host: str = ""

    @property
    def name(self) -> str:
        """What the plan is called: `fleet-compute-c042`."""
        return self.plan.policy


class Fleet(NamedTuple):
    """A policy with its plans: one, or one for each of its groups and hosts.

    If it is planned for an inventory, the plans are for classes of hosts: `group` is then an identifier of the class,
    and the target lists the hosts of each (`FleetTarget.list_hosts`).
    """

    policy: str
    variants: tuple[Variant, ...]
    is_listed: bool = False


Hosts = Mapping[str, Sequence[str]]
"""The hosts of each group of a fleet's variants, sorted by name. Names have letters, digits, `.`, `_` and `-` only."""


class Listing(NamedTuple):
    """A file that lists hosts: its path, and its text in pieces, since it can be larger than all other files."""

    path: str
    pieces: Iterable[str]


@runtime_checkable
class FleetTarget(Target, Protocol):
    """A target whose program keeps many servers: its artifacts serve all groups and hosts of a policy together.

    Each plan of a fleet has a bundle that says what these artifacts set, so this has to be known without making them.
    """

    def coverage(self, plan: Plan) -> PlanCoverage:
        """What the artifacts set of a plan. Called only where `unsupported_reason` says nothing."""

    def emit_fleet(self, fleet: Fleet) -> tuple[Artifact, ...]:
        """The artifacts for all plans of a policy. For one plan alone they are those that `emit` makes."""

    def list_hosts(self, fleet: Fleet, hosts: Hosts) -> Iterator[Listing]:
        """The files that say which plan each host of an inventory has. Called only for a fleet that `is_listed`."""


@runtime_checkable
class PageTarget(Target, Protocol):
    """A target that shows the plan to people, with the measurements that are relevant to its settings.

    They are no part of the plan, so they are handed to it; its other artifacts are made from the plan alone.
    """

    def emit_page(self, page: "Page") -> tuple[Artifact, ...]:
        """The artifacts for a plan with its figures."""


OUTSIDE = "setpoint.targets"
"""The group of entry points in which outside packages have targets."""

KEPT = 512
"""For how many plans it is kept what targets that serve fleets make of them: of a fleet, each is asked for twice."""

OF_A_PLAN = 64
"""How much of what single targets make is kept. All that is made of a plan is asked for before the next one, and it can
be large."""


def identifier(policy: str) -> str:
    """A policy's name as part of an identifier: lower-case letters, digits and `_`.

    A name that consists of more than lower-case letters, digits and hyphens gets its check sum behind it, so that no
    two policies have one identifier.
    """
    plain = re.sub("[^a-z0-9]", "_", policy.lower())
    return plain if re.fullmatch("[a-z0-9-]+", policy) else f"{plain}_{zlib.crc32(policy.encode()):08x}"


@cache
def targets() -> Mapping[str, Target]:
    """All targets by name, in the order of their names. They are looked for once."""
    known = {target.name: target for target in _built_in()}
    known.update({target.name: target for target in _registered()})
    return MappingProxyType(dict(sorted(known.items())))


def _built_in() -> Iterator[Target]:
    from importlib import import_module
    from pkgutil import iter_modules

    for module in iter_modules(setpoint.targets.__path__):
        if module.ispkg and not module.name.startswith("_"):
            yield import_module(f"setpoint.targets.{module.name}").TARGET


def _registered() -> Iterator[Target]:
    """The targets of outside packages. The library that lists them is loaded only if one has any."""
    if any(map(_may_register, sys.path)):
        from importlib.metadata import entry_points

        for entry in entry_points(group=OUTSIDE):
            yield entry.load()


def _may_register(place: str) -> bool:
    """Whether a package in a folder of Python's path may have targets; one in an archive may."""
    try:
        packages = [name for name in os.listdir(place or ".") if name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return os.path.isfile(place)
    for package in packages:
        with suppress(OSError), open(os.path.join(place, package, "entry_points.txt"), "rb") as file:
            if OUTSIDE.encode() in file.read():
                return True
    return False


@lru_cache(maxsize=OF_A_PLAN)
def emission_of(name: str, plan: Plan) -> Emission | None:
    """What a target makes of the plan; None if there is no such target or it cannot serve the plan.

    Also for targets that carry what others spell, as a configuration-management role carries scripts. Since
    targets are pure, what one made is kept: of one bundle each target is asked once.
    """
    target = targets().get(name)
    return None if target is None or target.unsupported_reason(plan) else target.emit(plan)


@lru_cache(maxsize=KEPT)
def coverage_of(name: str, plan: Plan) -> PlanCoverage | None:
    """What a target's files set of the plan; None if it cannot serve the plan. A `FleetTarget` makes none for this."""
    target = targets().get(name)
    if isinstance(target, FleetTarget):
        return None if target.unsupported_reason(plan) else target.coverage(plan)
    emission = emission_of(name, plan)
    return (
        None
        if emission is None
        else PlanCoverage(emission.expressed, emission.left_out, bool(emission.artifacts))
    )


def why_absent(target: Target, plan: Plan) -> str:
    """Why the target makes no file of the plan, in a sentence; "" if it makes one.

    A target can fit the platform and yet have nothing to do: then it is as little a part of the bundle as one
    that does not fit.
    """
    coverage = coverage_of(target.name, plan)
    if coverage is None:
        return target.unsupported_reason(plan)
    return "" if coverage.has_files else "this policy sets nothing that it can carry"


def spared(plan: Plan, chosen: Mapping[str, Target]) -> dict[str, str]:
    """The targets whose files a bundle has on request alone, each with the target that sets all that they set.

    One way to each value is enough. So a target for one layer is spared if another with a command to apply its files
    sets the same settings or more, unless a third one has its files carried out. Of two that set the same, the one
    stays that was tried with more than a stand-in.
    """
    ways = {
        name: way for name, target in chosen.items() if len(target.layers) == 1 and (way := _way(name, plan))
    }
    covered = (coverage_of(name, plan) for name, target in chosen.items() if isinstance(target, FleetTarget))
    carried = {name for coverage in covered if coverage is not None for name in coverage.carries}

    def weight(name: str) -> tuple[int, bool, str]:
        expressed, procedure = ways[name]
        return -len(expressed), bool(procedure.stand_ins), name

    substitutes: dict[str, str] = {}
    stay: list[str] = []
    for name in sorted(ways, key=weight):
        expressed, procedure = ways[name]
        others = (other for other in stay if chosen[other].layers == chosen[name].layers)
        wider = next((other for other in others if expressed <= ways[other][0]), "")
        if wider and name not in carried:
            substitutes[name] = wider
        elif procedure.apply:
            stay.append(name)
    return dict(sorted(substitutes.items()))


def _way(name: str, plan: Plan) -> tuple[frozenset[str], Procedure] | None:
    """The settings that a target's files set, and how these are used; None if there is nothing to use."""
    emission = emission_of(name, plan)
    return (
        (emission.expressed, emission.procedure)
        if emission is not None and emission.procedure is not None
        else None
    )


def one_line(text: str) -> str:
    """A text that a user wrote, fit for a comment: one line, printable characters only."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def cite(plan: Plan, setting: str) -> str:
    """Who says so, on one line, for a comment in an artifact: `dell-11g-hpc, Table 6`."""
    decision = plan.setting(setting)
    return one_line(source_of(decision.because[0])) if decision else ""
