"""The hosts and classes of a fleet as tables: CSV for spreadsheets and scripts, JSON for programs.

Rows are in the order of plans, classes and hosts, so that a change of one class changes lines in one place. If
registries are given, the tables of classes and of hosts without a plan have a last column with them.
"""

import json
from collections.abc import Iterator
from typing import Any

from setpoint.compiler.fleet.outcomes import FleetOutcome, PlannedFleet
from setpoint.compiler.inventory.names import LeftOut
from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.lowering.target import Artifact, Listing
from setpoint.compiler.render.table import csv_row, csv_text

SCHEMA = "setpoint.fleet/1"
"""The form of `fleet.json`."""

SEVERAL = 1000
"""How many hosts are listed at a time."""

HOSTS, CLASSES, LEFT_OUT, JSON = "hosts.csv", "classes.csv", "left-out.csv", "fleet.json"


def tables(fleet: PlannedFleet, rows: tuple[LeftOut, ...]) -> Iterator[Artifact | Listing]:
    """The tables of a fleet; `rows` are the rows of the inventory that are no hosts."""
    registry = ("registry",) * _has_registries(fleet)
    yield Artifact(
        CLASSES, csv_text(("class", "plan", "group", "hosts", "facts", *registry), _classes(fleet))
    )
    yield Listing(HOSTS, _hosts(fleet))
    yield Artifact(LEFT_OUT, csv_text(("host", "line", "code", "reason", *registry), _left_out(fleet, rows)))
    yield Listing(JSON, _json(fleet, rows))


def restarts(outcome: FleetOutcome) -> bool:
    """Whether a server needs a restart for a plan."""
    return any(decision.reboot for decision in outcome.plan.applied)


def _has_registries(fleet: PlannedFleet) -> bool:
    return any(class_.registry for class_ in fleet.members) or any(
        excluded.registry for excluded in fleet.excluded
    )


def _classes(fleet: PlannedFleet) -> Iterator[tuple[object, ...]]:
    has_registries = _has_registries(fleet)
    for outcome in fleet.outcomes:
        for class_ in outcome.classes:
            facts = "; ".join(f"{name} {value}" for name, value in class_.facts)
            registry = (class_.registry,) * has_registries
            yield class_.name, outcome.name, class_.group, len(fleet.members[class_]), facts, *registry


def _hosts(fleet: PlannedFleet) -> Iterator[str]:
    """The lines of the table of hosts. Names of hosts need no quoting."""
    yield csv_row(("host", "group", "class", "plan"))
    for outcome in fleet.outcomes:
        for class_ in outcome.classes:
            rest = f",{csv_row((class_.group, class_.name, outcome.name))}"
            hosts = [*fleet.members[class_]]
            for start in range(0, len(hosts), SEVERAL):
                yield rest.join([*hosts[start : start + SEVERAL], ""])


def _left_out(fleet: PlannedFleet, rows: tuple[LeftOut, ...]) -> Iterator[tuple[object, ...]]:
    has_registries = _has_registries(fleet)
    for excluded in fleet.excluded:
        codes = " ".join(dict.fromkeys(finding.code for finding in excluded.why))
        reason = "; ".join(dict.fromkeys(finding.message for finding in excluded.why))
        yield from (
            (host, "", codes, reason, *(excluded.registry,) * has_registries) for host in excluded.hosts
        )
    yield from ((row.name, row.line or "", "E0704", row.why, *("",) * has_registries) for row in rows)


def _json(fleet: PlannedFleet, rows: tuple[LeftOut, ...]) -> Iterator[str]:
    """The JSON, class by class."""
    plans = {outcome.name: _plan(fleet, outcome) for outcome in fleet.outcomes}
    yield f'{{\n "schema": "{SCHEMA}",\n "policy": {_text(fleet.policy)},\n'
    if fleet.made_with:
        yield f' "made_with": {_text(fleet.made_with.document)},\n'
    yield ' "plans": {'
    yield ",".join(f"\n  {_text(name)}: {_text(plan)}" for name, plan in plans.items())
    yield "\n },\n"
    yield ' "classes": {'
    before = ""
    for outcome in fleet.outcomes:
        for class_ in outcome.classes:
            entry = {"plan": outcome.name, "group": class_.group, "facts": dict(class_.facts)}
            if class_.registry:
                entry["registry"] = class_.registry
            yield f'{before}\n  {_text(class_.name)}: {_text(entry)[:-1]}, "hosts": {_text([*fleet.members[class_]])}}}'
            before = ","
    yield '\n },\n "left_out": ['
    left_out = (
        {"host": host, "line": line or None, "codes": str(codes).split(), "reason": reason}
        | dict(zip(("registry",), registry, strict=False))
        for host, line, codes, reason, *registry in _left_out(fleet, rows)
    )
    yield ",".join(f"\n  {_text(entry)}" for entry in left_out)
    yield "\n ]\n}\n"


def _plan(fleet: PlannedFleet, outcome: FleetOutcome) -> dict[str, Any]:
    written = outcome.plan.written
    own = {reasons.statement: dict(reasons.of_hosts) for reasons in outcome.plan.own_reasons}
    return {
        "group": outcome.group,
        "hosts": fleet.number_of(outcome),
        "restart": restarts(outcome),
        "facts": {fact.name: fact.value for fact in outcome.plan.facts},
        "settings": {layer: {d.setting: d.value for d in written if d.layer == layer} for layer in LAYERS},
    } | ({"own_reasons": own} if own else {})


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=True)
