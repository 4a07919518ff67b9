"""The bundle: everything that a plan is carried out with, as one folder, whole or not at all.

Beside the artifacts it holds a front page, the plan itself, the steps that are left to a human, and a manifest with
the hash of every file. It is first made in a workspace beside its place and then put there by renaming; an
earlier bundle in that place is replaced, and anything else is left alone and reported.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.links import folder_written
from setpoint.compiler.files.reading import parse_json, read_text
from setpoint.compiler.files.workspace import DRAFT, put_in_place, workspace
from setpoint.compiler.files.writing import write_new
from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Name
from setpoint.compiler.lowering.front_page import FRONT_PAGE, front_page, how_to_use
from setpoint.compiler.lowering.front_page_use import UsableTarget
from setpoint.compiler.lowering.manual_steps import manual_steps
from setpoint.compiler.lowering.target import (
    Artifact,
    Fleet,
    FleetTarget,
    PageTarget,
    PlanCoverage,
    Target,
    coverage_of,
    emission_of,
    spared,
    targets,
    why_absent,
)
from setpoint.compiler.plan.as_json import plan_json, with_files
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.plan.waivers import OMISSION, Coverage, way_to_waive
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.visible import json_records

if TYPE_CHECKING:
    from setpoint.compiler.render.html import Page

MANIFEST = "manifest.json"
SCHEMA = "setpoint.bundle/1"
SCHEMA_OF_SEVERAL = "setpoint.bundles/1"
SCHEMA_OF_FLEET = "setpoint.fleet-bundle/1"
FILE = ("path", "mode", "sha256")
"""What a manifest says of a file."""


class Bundle(NamedTuple):
    """The files of a bundle by path, what to say about making it, and the versions in it, if known.

    `spared` are the targets that would have files if they were asked for, each with the one that sets all that they
    set.
    """

    policy: str
    files: tuple[Artifact, ...]
    findings: tuple[Diagnostic, ...]
    made_with: MadeWith | None = None
    spared: Mapping[str, str] = MappingProxyType({})


def choose(names: tuple[str, ...]) -> dict[str, Target]:
    """The targets of these names; all for none. Raises SetpointError (E0504) for a name that there is not."""
    known = targets()
    for name in names:
        if name not in known:
            raise SetpointError(unknown("target", Name(name, span=NOWHERE), known, "E0504"))
    return {name: target for name, target in known.items() if name in names or not names}


def bundle(
    plan: Plan,
    chosen: Mapping[str, Target],
    asked: bool,
    names: Mapping[str, str] = MappingProxyType({}),
    in_fleet: bool = False,
    page: "Page | None" = None,
) -> Bundle:
    """Make the bundle of a plan, which is the same on any day: a waiver counts in it as it is written.

    `names` has another name for each file that the plan speaks of, so that a bundle is the same wherever it is made.

    `asked` says that the targets were named by the user: then one that has no file for this plan is an error (E0503);
    otherwise it is left out, as is one that sets nothing that another does not set (see `spared`). `in_fleet` says that
    the plan is one of several of its policy: then the files of targets that serve them together are not in it (see
    `shared`). `page` is the plan with its measurements, for targets that show them; None makes none of their pages.
    """
    spare = {} if asked else spared(plan, chosen)
    chosen = {name: target for name, target in chosen.items() if name not in spare}
    lacking = {name: why for name, target in chosen.items() if (why := why_absent(target, plan))}
    if asked and lacking:
        raise _unable(plan, lacking)
    covered = {name: coverage for name in chosen if (coverage := coverage_of(name, plan)) is not None}
    layers = {layer for target in chosen.values() for layer in target.layers} if asked else set(LAYERS)
    by_hand, elsewhere = _set_by_none(plan, covered.values(), layers)
    files = [*once(_emitted(plan, chosen, in_fleet))]
    data = with_files(plan_json(judge(plan)), lambda name: names.get(name, name))
    files.append(Artifact("plan.json", json_records(data)))
    steps = {decision.layer for decision in by_hand}
    able = {name: why for name, why in lacking.items() if steps & {*chosen[name].layers}}
    files.append(Artifact("manual-steps.md", manual_steps(plan, by_hand, elsewhere, covered, able)))
    has_report = any(file.path == "report.md" for file in files)
    usable = [*_usable(plan, chosen, in_fleet)]
    files.append(Artifact(FRONT_PAGE, front_page(plan, usable, by_hand, has_report, in_fleet, spare)))
    if page is not None:
        use = how_to_use(plan, usable, by_hand, in_fleet, spare)
        files += _pages(chosen, page._replace(use=use))
    files.sort(key=lambda artifact: artifact.path)
    whole = (*files, _manifest(plan, files, sorted(covered.keys() - lacking.keys())))
    return Bundle(plan.policy, whole, _left_to_do(plan, by_hand), plan.made_with, spare)


def _unable(plan: Plan, lacking: Mapping[str, str]) -> SetpointError:
    """The error that targets were asked for that have no file for a plan (E0503)."""
    help_ = (_others(plan),)
    return SetpointError(
        *(
            Diagnostic("E0503", f"target `{name}` cannot serve this policy: {why}", plan.at, help=help_)
            for name, why in lacking.items()
        )
    )


def _set_by_none(
    plan: Plan, coverages: Iterable[PlanCoverage], layers: set[str]
) -> tuple[list[Decision], list[Decision]]:
    """The decisions that no target expresses: those of the layers, which are set by hand, and those elsewhere."""
    expressed = {name for coverage in coverages for name in coverage.expressed}
    unset = [decision for decision in plan.applied if decision.setting not in expressed]
    by_hand = [decision for decision in unset if decision.layer in layers]
    return by_hand, [decision for decision in unset if decision.layer not in layers]


def _emitted(plan: Plan, chosen: Mapping[str, Target], in_fleet: bool) -> Iterator[Artifact]:
    """The files of the targets, except in a fleet of those that serve all of it."""
    for name, target in chosen.items():
        if not (in_fleet and isinstance(target, FleetTarget)) and (emission := emission_of(name, plan)):
            yield from emission.artifacts


def _pages(chosen: Mapping[str, Target], page: "Page") -> Iterator[Artifact]:
    """The pages of the targets that have one."""
    for target in chosen.values():
        if isinstance(target, PageTarget):
            yield from target.emit_page(page)


def once(artifacts: Iterable[Artifact]) -> Iterator[Artifact]:
    """Each file the first time that it comes, since several targets can need the same program or plan.

    Texts are kept as hashes: those of a fleet are larger than the memory. Raises ValueError for two files with one
    path.
    """
    hashes: dict[str, int] = {}
    for artifact in artifacts:
        if artifact.path not in hashes:
            hashes[artifact.path] = hash(artifact)
            yield artifact
        elif hashes[artifact.path] != hash(artifact):
            raise ValueError(f"two files of the bundle have the path `{artifact.path}`")


def _left_to_do(plan: Plan, by_hand: Sequence[Decision]) -> tuple[Diagnostic, ...]:
    """The warnings that settings must be set by hand (W0501), those of a waiver together."""
    findings = []
    for waiver, unset in Coverage(plan.waivers).grouped("W0501", [d.setting for d in by_hand]):
        findings.append(
            Diagnostic(
                "W0501",
                f"{', '.join(f'`{name}`' for name in unset)} must be set by hand: no artifact sets "
                + ("it" if len(unset) == 1 else "them"),
                plan.at,
                help=(
                    "manual-steps.md says what to do by hand, and where",
                    way_to_waive(f"{OMISSION} of {unset[0]}", unset[0] if len(unset) > 1 else ""),
                ),
                subject=waiver,
            )
        )
    return tuple(findings)


def _usable(plan: Plan, chosen: Mapping[str, Target], in_fleet: bool) -> Iterator[UsableTarget]:
    """The targets with files in the bundle, and how these are used."""
    for name, target in chosen.items():
        if in_fleet and isinstance(target, FleetTarget):
            continue
        if (emission := emission_of(name, plan)) is not None and emission.procedure is not None:
            yield UsableTarget(target.title, target.layers, emission.expressed, emission.procedure)


def shared(fleet: Fleet, chosen: Mapping[str, Target]) -> tuple[Artifact, ...]:
    """The files that the plans of a policy have in common, in a folder that is named after the policy."""
    artifacts = (
        artifact._replace(path=f"{fleet.policy}/{artifact.path}")
        for target in chosen.values()
        if isinstance(target, FleetTarget)
        for artifact in target.emit_fleet(fleet)
    )
    return tuple(sorted(once(artifacts)))


def _others(plan: Plan) -> str:
    able = [name for name, target in targets().items() if target.layers and not why_absent(target, plan)]
    if not able:
        return "no target can; without `--target`, manual-steps.md says what to do by hand"
    return f"these can: {', '.join(able)}"


def _manifest(plan: Plan, files: list[Artifact], there: list[str]) -> Artifact:
    manifest: dict[str, Any] = {"schema": SCHEMA, "policy": plan.policy}
    if plan.made_with is not None:
        manifest["made_with"] = plan.made_with.document
    manifest |= {"targets": there, "files": _entries(files)}
    return Artifact(MANIFEST, json_records(manifest))


def _entries(files: Iterable[Artifact]) -> list[dict[str, str]]:
    return [
        {
            "path": artifact.path,
            "mode": f"{artifact.mode:04o}",
            "sha256": hashlib.sha256(artifact.text.encode()).hexdigest(),
            **({"version": artifact.version} if artifact.version else {}),
        }
        for artifact in files
    ]


def write(bundles: tuple[Bundle, ...], folder: str, common: tuple[Artifact, ...] = ()) -> None:
    """Put the bundles into `folder`, of several each in a folder of its own, beside `common` files.

    Raises SetpointError (E0605) where something else is in the way, OSError, which names the folder as it was given,
    where the disk refuses, and LinkError where the way to it is not followed.
    """
    if len(bundles) > 1 and MANIFEST in {output.policy for output in bundles}:
        raise SetpointError.of(
            "E0605",
            f"a policy named `{MANIFEST}` would take the place of the manifest",
            help=("give it another name, or compile it alone: `--policy`",),
        )
    replace_folder(folder, lambda draft: _make(bundles, draft, common))


def replace_folder(folder: str, make: Callable[[str], None]) -> None:
    """Put a folder into place that `make` fills, completely or not at all. An earlier bundle there is replaced.

    Raises SetpointError (E0605), OSError and LinkError, as `write` does.
    """
    named, folder = folder, folder_written(folder)
    if os.path.lexists(folder) and (why := _in_the_way(folder)):
        raise _left_alone(named, why)

    def check(old: str) -> None:
        """What somebody has put into the earlier bundle since it was looked at is not lost either."""
        if why := _foreign(old):
            raise _left_alone(named, why)

    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with workspace(folder) as place:
            os.makedirs(os.path.join(place, DRAFT))
            make(os.path.join(place, DRAFT))
            put_in_place(place, folder, check)
    except OSError as error:
        raise OSError(error.errno, error.strerror, named) from None


def _left_alone(named: str, why: str) -> SetpointError:
    help_ = "name a new folder: only an earlier bundle or an empty folder is replaced"
    return SetpointError.of("E0605", f"`{named}` exists and {why}", help=(help_,))


def _in_the_way(folder: str) -> str:
    """Why what is there must not be replaced; "" for an empty folder and for a bundle with nothing else in it."""
    if os.path.isdir(folder) and not os.path.islink(folder):
        here = os.getcwd()
        if os.path.commonpath([here, os.path.realpath(folder)]) == os.path.realpath(folder):
            return "is the folder that this runs in, or holds it"
    return _foreign(folder)


def _foreign(folder: str) -> str:
    """What in a folder is not of a bundle, in half a sentence; "" for an empty folder and for a bundle."""
    if os.path.islink(folder) or not os.path.isdir(folder):
        return "is not a bundle"
    there = {os.path.relpath(path, folder) for path in _ends(folder)}
    if not there:
        return ""
    ours = _listed(folder)
    if not ours:
        return "is not a bundle"
    others = sorted(there - ours)
    return f"holds `{others[0]}`, which is not of the bundle there" if others else ""


def _ends(folder: str) -> Iterator[str]:
    """All below a folder that holds nothing further: files, links, and empty folders."""
    for place, folders, names in os.walk(folder):
        for path in (os.path.join(place, name) for name in folders):
            if os.path.islink(path) or not os.listdir(path):
                yield path
        yield from (os.path.join(place, name) for name in names)


def _listed(folder: str) -> set[str]:
    """The files of the bundle, or bundles, that a folder's manifest lists, with itself; none if it is not ours."""
    manifest = manifest_of(folder)
    if manifest is None or not manifest.policies:
        return {MANIFEST, *map(os.path.normpath, manifest.paths)} if manifest else set()
    below = {name: manifest_of(os.path.join(folder, name), folder) for name in manifest.policies}
    return {MANIFEST, *map(os.path.normpath, manifest.paths)} | {
        os.path.normpath(os.path.join(name, path))
        for name, inner in below.items()
        if inner is not None
        for path in (MANIFEST, *inner.paths)
    }


class Manifest(NamedTuple):
    """The contents of a manifest: targets of a bundle, policies of several or the one of a fleet, and files."""

    targets: tuple[str, ...] = ()
    files: tuple[tuple[str, ...], ...] = ()
    policies: tuple[str, ...] = ()
    fleet: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the files."""
        return tuple(path for path, *_ in self.files)


def manifest_of(folder: str, within: str = "") -> Manifest | None:
    """The manifest in a folder, which can lie in a wider one; None if none of ours can be read."""
    try:
        data = parse_json(read_text(os.path.join(folder, MANIFEST), within or folder))
        files = tuple(_texts([file[key] for key in FILE]) for file in data.get("files", ()))
        if data["schema"] == SCHEMA_OF_SEVERAL:
            return Manifest(files=files, policies=_texts(data["policies"]))
        if data["schema"] == SCHEMA_OF_FLEET:
            (policy,) = _texts([data["policy"]])
            return Manifest(files=files, fleet=policy)
        if data["schema"] == SCHEMA:
            return Manifest(_texts(data["targets"]), files)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        pass
    return None


def is_fleet(path: str) -> bool:
    """Whether a path is a folder that `setpoint fleet` has written."""
    if not os.path.lexists(os.path.join(path, MANIFEST)):
        return False
    manifest = manifest_of(path)
    return manifest is not None and bool(manifest.fleet)


def _texts(data: Any) -> tuple[str, ...]:
    """A list of texts. Raises TypeError for anything else."""
    if not isinstance(data, list) or not all(isinstance(text, str) for text in data):
        raise TypeError("no list of texts")
    return tuple(data)


def _make(bundles: tuple[Bundle, ...], draft: str, common: tuple[Artifact, ...]) -> None:
    if len(bundles) == 1:
        _put(bundles[0].files, draft)
        return
    for output in bundles:
        _put(output.files, os.path.join(draft, output.policy))
    own = [file._replace(path=f"{output.policy}/{file.path}") for output in bundles for file in output.files]
    common = tuple(once((*own, *common)))[len(own) :]  # without programs that such a bundle has, too
    top: dict[str, Any] = {"schema": SCHEMA_OF_SEVERAL}
    if made_with := _made_with(bundles):
        top["made_with"] = made_with.document
    top |= {"policies": [output.policy for output in bundles], "files": _entries(common)}
    _put((*common, Artifact(MANIFEST, json_records(top))), draft)


def _made_with(bundles: tuple[Bundle, ...]) -> MadeWith | None:
    """The versions that all bundles are made with; without the site's knowledge if they differ in that."""
    versions = {output.made_with for output in bundles}
    if len(versions) > 1:
        versions = {version and version._replace(site="") for version in versions}
    return versions.pop() if len(versions) == 1 else None


def _put(files: tuple[Artifact, ...], folder: str) -> None:
    for artifact in files:
        path = os.path.join(folder, *artifact.path.split("/"))
        write_new(path, (artifact.text.encode(),), artifact.mode)
