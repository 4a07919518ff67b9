"""Tables as a paper prints them and lines as a manual has them, and what the knowledge base and its plans have of
them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Citation, Knowledge, Measurement, Offer, Spelling
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets.redfish import TARGET as REDFISH
from support.effort import is_complete
from support.machines import GOALS
from support.plans import planned


class Cell(NamedTuple):
    """A cell of a printed table: its row, its column, and its content."""

    row: str
    column: str
    text: str

    def __str__(self) -> str:
        return f"{self.row} / {self.column}"


def rows(table: str) -> list[list[str]]:
    """The lines of a table whose columns are separated by `|`, in cells."""
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def values_of(lines: str) -> set[str]:
    """The values in lines of a source, without its own words in the first column."""
    return {line.rpartition("|")[2].strip() for line in lines.splitlines() if line.strip()}


def advised(policy: str, source: str) -> set[str]:
    """The values of a plan that a source decides, or agrees with what does: `smt off`."""
    return {
        f"{decision.setting} {decision.value}"
        for decision in planned(policy).settings
        for cause in decision.because
        if cause.source == source
    }


def attributes(decisions: Iterable[Decision]) -> dict[str, str]:
    """Each BIOS attribute of some decisions with its value's text."""
    return {
        name: one.text or ""
        for decision in decisions
        for one in decision.spelled_in("attribute")
        for name in one.names
    }


def offered(knowledge: Knowledge, here: str, setting: str) -> Offer:
    """What the servers of a condition, as `box_text` has it, offer of a setting."""
    (offer,) = [one for one in knowledge.offers[setting] if knowledge.box_text(one.when) == here]
    return offer


def spelled(knowledge: Knowledge, here: str, setting: str) -> list[Spelling]:
    """The BIOS attributes of a setting on the servers of a condition."""
    return [
        one
        for one in knowledge.spellings.get(setting, ())
        if one.interface == "attribute" and knowledge.box_text(one.when) == here
    ]


def requests(plan: Plan) -> dict[str, str]:
    """The attributes that the target `redfish` sends at last."""
    files = {each.path: each.text for each in REDFISH.emit(plan).artifacts}
    sent: dict[str, str] = json.loads(files.get("redfish/settings.json", "{}")).get("Attributes", {})
    return sent


def policies(goal: str, models: Sequence[str]) -> Iterator[str]:
    """Policies for a goal, for each workload and for none, on each model; by default, each workload on one of the
    models."""
    for number, workload in enumerate(["", *standard().values["workload"]]):
        chosen = models if is_complete() else [models[(number + GOALS.index(goal)) % len(models)]]
        for model in chosen:
            yield f"goal {goal}; platform {model};" + (f" workload {workload};" if workload else "")


def cells(table: str) -> list[Cell]:
    """The cells of a table whose first row is the head, and whose first column names the rows."""
    head, *body = rows(table)
    return [
        Cell(row[0], column, text) for row in body for column, text in zip(head[1:], row[1:], strict=True)
    ]


def figure(knowledge: Knowledge, source: str, at: str, metric: str, vary: str = "", **where: str) -> str:
    """The one figure that a source has at a locator: `40`, or `2 to 8` where it gives a range.

    Args:
        knowledge: The knowledge base, with its measurements.
        source: The paper.
        at: The table, figure or section.
        metric: What was measured.
        vary: What was changed, if that is what the figure is about: `turbo on from off`.
        where: Facts, settings and labels that it was measured with; `_` stands for `-`.
    """
    wanted = {(name.replace("_", "-"), value) for name, value in where.items()}
    change = tuple(word for word in vary.split() if word != "from") or None
    found = [
        m
        for m in knowledge.measurements
        if m.citation == Citation(source, at)
        and m.metric == metric
        and m.varied == change
        and wanted <= _context(m)
    ]
    assert len(found) == 1, f"{source}, {at}, {metric}, {vary}, {where}: {len(found)} figures"
    (only,) = found
    return only.low if only.low == only.high else f"{only.low} to {only.high}"


def _context(measurement: Measurement) -> set[tuple[str, str]]:
    return {*measurement.when, *measurement.labels, *measurement.held}


def asked(where: str, knowledge: Knowledge) -> dict[str, int]:
    """Conditions as sets of values: `goal latency or balanced, os not rhel-5`; none in `always`."""
    found: dict[str, int] = {}
    for condition in where.split(", ") if where != "always" else ():
        name, _, allowed = condition.partition(" ")
        variable, values = knowledge.variables[name], 0
        for alternative in allowed.removeprefix("not ").split(" or "):
            values |= variable.meant(alternative)
            assert variable.meant(alternative), condition
        values = variable.covered(values)
        mask = variable.everything & ~values if allowed.startswith("not ") else values
        found[name] = found.get(name, variable.everything) & mask
    return found
