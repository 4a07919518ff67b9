"""The pages of hazards and constraints."""

from setpoint.compiler.knowledge.model import Hazard, Knowledge
from setpoint.docs.hooks.reference.pieces import (
    Links,
    code,
    grid,
    opening,
    plain,
    required,
    sentence,
    where,
)

HAZARDS = """
Combinations of settings that are possible, but defeat the goal or have an unexpected cost. An error stops the build until
the policy is changed or waives it: `accept NAME because "…";`. A warning does not stop the build. Out of scope, on another
platform or for another use than the source studied, an error becomes a warning ([E0401](../diagnostics/E0401.md),
[W0401](../diagnostics/W0401.md), [W0402](../diagnostics/W0402.md)).
"""

CONSTRAINTS = """
Combinations that the hardware or its firmware refuses, and the values to which system profiles fix their members. A policy
that asks for an impossible combination does not compile ([E0301](../diagnostics/E0301.md)).
"""


def hazards_page(knowledge: Knowledge) -> str:
    """Every hazard, by name."""
    return "\n".join(
        [opening("Hazards", HAZARDS), *(_hazard(knowledge, h) for h in knowledge.hazards.values())]
    )


def _hazard(knowledge: Knowledge, hazard: Hazard) -> str:
    text = (
        f"## {hazard.name}\n\n**{hazard.severity.capitalize()}** where {where(knowledge, hazard.when)}.\n\n"
    )
    text += f"{sentence(hazard.because)} Source: {Links().cite(hazard.citation)}.\n"
    text += f"\nIt depends on {hazard.asks}.\n" if hazard.asks else ""
    return text + (f"\nWay out: {sentence(hazard.help)}\n" if hazard.help else "")


def constraints_page(knowledge: Knowledge) -> str:
    """Every constraint, by name, and every preset."""
    rows = (
        (
            code(c.name),
            where(knowledge, c.when),
            required(knowledge, c),
            plain(c.because),
            Links().cite(c.citation),
        )
        for c in knowledge.constraints
    )
    constraints = "## Constraints\n\n" + grid(("name", "where", "must be", "because", "source"), rows)
    return "\n".join(
        [opening("Constraints and profiles", CONSTRAINTS), constraints, "## Profiles\n", *_presets(knowledge)]
    )


def _presets(knowledge: Knowledge) -> list[str]:
    links, texts = Links(), []
    for preset in sorted(knowledge.presets, key=lambda preset: preset.span):
        heads = (links.setting(preset.governor), *map(code, preset.columns))
        rows = (
            (links.setting(member), *(members.get(member, "") for members in preset.columns.values()))
            for member in preset.members
        )
        texts.append(
            f"{where(knowledge, preset.when)}, {links.cite(preset.citation)}:\n\n{grid(heads, rows)}"
        )
    return texts
