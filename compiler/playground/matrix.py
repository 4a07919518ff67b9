"""The settings of a server under each value of one fact, such as its purpose: what depends on it, and what does not.

The columns are those of `setpoint matrix` for a policy that states nothing but the facts that the page asks for.
"""

from typing import Any

from setpoint.compiler.comparison.matrix import matrix as planned_matrix
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.pipeline import Selection, chosen_subjects, read_text
from setpoint.compiler.plan.matrix import MatrixRow, matrix_rows
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.playground.session import Asked, Session
from setpoint.compiler.render.words import LAYER_TITLES, source_of


def values(session: Session, asked: Asked) -> dict[str, Any]:
    """The values of a fact, with their titles, as a tree: `depth` is how many wider values each is within."""
    knowledge = _knowledge(session, asked)
    of_fact = knowledge.values.get(asked.name, {})
    below: dict[str, list[str]] = {}
    for value in of_fact.values():
        below.setdefault(value.within, []).append(value.name)
    entries: list[dict[str, Any]] = []

    def add(within: str, depth: int) -> None:
        for name in sorted(below.get(within, ())):
            entries.append({"name": name, "title": of_fact[name].title, "depth": depth})
            add(name, depth + 1)

    add("", 0)
    return {"values": entries}


def matrix(session: Session, asked: Asked) -> dict[str, Any]:
    """The settings under each value of the fact `name`, given `facts`: rows in the order of decision, by layer."""
    knowledge, selection = _knowledge(session, asked), Selection(today=asked.today)
    policy = read_text(" ".join(f"{name} {value};" for name, value in asked.facts.items()))
    (subject,) = chosen_subjects(policy, knowledge, selection)
    compared = planned_matrix(
        subject, knowledge, selection, asked.name, knowledge.variables[asked.name].outermost
    )
    rows = matrix_rows(knowledge, {value: judged.plan for value, judged in compared.columns.items()})
    layers = [
        (title, [_row(row) for row in rows if row.setting.layer == layer])
        for layer, title in LAYER_TITLES.items()
    ]
    return {
        "columns": list(compared.columns),
        "layers": [{"title": title, "rows": rows} for title, rows in layers if rows],
        "failed": [[value, errors[0].message] for value, errors in compared.failed.items()],
    }


def _knowledge(session: Session, asked: Asked) -> Knowledge:
    """The library, with the site's own knowledge if the policy includes it, and if that is not in error."""
    return session.opened(asked.files, asked.today).document.knowledge


def _row(row: MatrixRow) -> dict[str, Any]:
    cells = [_cell(decision) for decision in row.decisions]
    return {"setting": row.setting.name, "title": row.setting.title, "cells": cells, "differs": row.differs}


def _cell(decision: Decision | None) -> dict[str, Any] | None:
    """A value, who recommends it, and whether it is written; None for a setting that the server does not have."""
    if decision is None:
        return None
    return {
        "value": decision.value,
        "source": source_of(decision.because[0]),
        "written": decision.written,
    }
