"""The folder that a fleet is written to, as a source of plans: it can be compared, and a later fleet can set back what
it wrote.

`plans/NAME/plan.json` is each plan with its reasons, hazards and waivers, in the form that a bundle has it;
`fleet.json` has the hosts. Plans are written as on no day, as in a bundle, and judged when they are read, so that both
sides of a comparison are judged on the same day.
"""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from setpoint.compiler.comparison.sides import PLAN, plan_of_file
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.fleet.classes import Excluded, HostClass
from setpoint.compiler.fleet.outcomes import FleetOutcome, PlannedFleet
from setpoint.compiler.fleet.tables import JSON, SCHEMA
from setpoint.compiler.language.program import read
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.plan.as_json import plan_json, with_files
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.visible import json_records

PLANS = "plans"


class FleetFolder(NamedTuple):
    """The fleet in a folder, and the number of hosts that it has no plan for."""

    fleet: PlannedFleet
    left_out: int


def plan_files(fleet: PlannedFleet, names: Mapping[str, str]) -> Iterator[Artifact]:
    """The plans of a fleet. `names` has another name for each file that they speak of, as in a bundle."""
    for outcome in fleet.outcomes:
        data = with_files(plan_json(judge(outcome.plan)), lambda name: names.get(name, name))
        yield Artifact(f"{PLANS}/{outcome.name}/{PLAN}", json_records(data))


def read_fleet(folder: str, today: str) -> FleetFolder:
    """The fleet in a folder, judged on a day. Raises SetpointError (E0606 for another form, E06xx if unreadable)."""
    try:
        data = parse_json(read(os.path.join(folder, JSON), within=folder))
        if data["schema"] != SCHEMA:
            raise _not_a_fleet(folder, f"{JSON} is in the form {data['schema']}")
        members = {
            _class(name, entry): tuple(map(_text, entry["hosts"])) for name, entry in data["classes"].items()
        }
        plans: dict[str, list[HostClass]] = {_text(name): [] for name in data["plans"]}
        for class_ in members:
            plans[_text(data["classes"][class_.name]["plan"])].append(class_)
        policy, left_out = _text(data["policy"]), len(data["left_out"])
        excluded = _excluded(data["left_out"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _not_a_fleet(folder, f"{JSON} is not as `setpoint fleet` writes it: {error!r}") from None
    outcomes = tuple(_outcome(folder, name, classes, today) for name, classes in plans.items() if classes)
    return FleetFolder(PlannedFleet(policy, members, outcomes, excluded, {}), left_out)


def _class(name: str, data: Any) -> HostClass:
    facts = tuple((fact, _text(value)) for fact, value in sorted(data["facts"].items()))
    return HostClass(name, _text(data["group"]), "", facts, _text(data.get("registry", "")))


def _excluded(left_out: list[Any]) -> tuple[Excluded, ...]:
    """The hosts without a plan, by what was written about them."""
    hosts: dict[tuple[str, str], list[str]] = {}
    for entry in left_out:
        why = " ".join(map(_text, entry["codes"])), _text(entry["reason"])
        hosts.setdefault(why, []).append(_text(entry["host"]))
    return tuple(
        Excluded(tuple(names), (Diagnostic(codes, reason, NOWHERE),))
        for (codes, reason), names in hosts.items()
    )


def _outcome(folder: str, name: str, classes: list[HostClass], today: str) -> FleetOutcome:
    """A plan and its classes. A name from outside must not lead elsewhere."""
    path = os.path.join(folder, PLANS, name, PLAN)
    if os.path.basename(name) != name or not os.path.lexists(path):
        raise _not_a_fleet(folder, f"there is no {PLANS}/{name}/{PLAN} in it")
    judged = plan_of_file(path, folder).judged
    if judged is None:
        raise _not_a_fleet(folder, f"{PLANS}/{name}/{PLAN} has no settings")
    return FleetOutcome(judge(judged.plan, today), classes[0].group, tuple(classes))


def _text(data: Any) -> str:
    """A text. Raises TypeError for anything else."""
    if not isinstance(data, str):
        raise TypeError(f"{data!r} is not a text")
    return data


def _not_a_fleet(folder: str, note: str) -> SetpointError:
    message = f"`{folder}` is not a fleet in the form that this version writes"
    help_ = "plan the fleet again with `setpoint fleet`, or name its policy with `--inventory`"
    return SetpointError.of("E0606", message, notes=(note,), help=(help_,))
