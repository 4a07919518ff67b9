"""Two policies side by side for the page, as `setpoint compare` has them."""

from typing import Any

from setpoint.compiler.comparison.differences import intents_compared
from setpoint.compiler.comparison.entries import PlannedPolicy
from setpoint.compiler.comparison.sides import Side, side_of_program
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.playground.findings import findings_data
from setpoint.compiler.playground.session import POLICY, Asked, Opened, Session
from setpoint.compiler.render.difference_settings import why
from setpoint.compiler.render.side_by_side import SidePair, side_parts, side_sentences


def compare(session: Session, asked: Asked) -> dict[str, Any]:
    """The findings of the `other` policy, or the first in it, and how it differs from the one that is shown.

    `verdict` says in a sentence why nothing is compared, or that nothing differs; "" with a difference.
    """
    first = session.opened(asked.files, asked.today)
    other = session.opened({**asked.files, POLICY: asked.other}, asked.today, "b")
    data: dict[str, Any] = {"findings": findings_data(other, other.document.findings), "verdict": ""}
    a, b = _intent(first, asked.plan), _intent(other)
    if a is None or b is None:
        which, opened = ("first", first) if a is None else ("second", other)
        what = "has errors" if opened.document.text.strip() else "is empty"
        return data | {"verdict": f"The {which} policy {what}."}
    compared = intents_compared(*a, *b)
    if not compared.differences:
        return data | {"verdict": "Both policies have the same plan."}
    (difference,) = compared.differences
    return data | {
        "parts": [
            {"title": part.title, "rows": list(map(_row, part.rows))} for part in side_parts(difference)
        ],
        "sentences": list(side_sentences(difference)),
    }


def _intent(opened: Opened, name: str = "") -> tuple[Side, PlannedPolicy] | None:
    """The policies of a file, and that with a name, else the first one; None if something is in error."""
    program = opened.document.program
    if program is None:
        return None
    try:
        side = side_of_program(program, opened.selection)
    except SetpointError:
        return None  # which is among the findings
    entry = side.entries.get(name) or next(iter(side.entries.values()), None)
    planned = entry.planned() if entry else None
    return None if planned is None or planned.errors else (side, planned)


def _row(pair: SidePair) -> dict[str, Any]:
    """A row: its name, and for each policy the value and who recommends it, in whose words."""
    return {
        "name": pair.name,
        "values": list(pair.values),
        "reasons": [why(decision) if decision else "" for decision in pair.decisions or (None, None)],
    }
