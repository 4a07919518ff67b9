"""Recommendations that do not name the required facts (K18).

Advice depends on the facts that policies must state: a setting may be best on for one goal and off for another. A rule
that does not name the goal competes with all that do, backed by a figure that was measured for one goal only. So a rule
names every required fact, or declares that any value will do: `goal any`.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.words import ANY


def rules_without_goal(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The rules whose conditions do not mention a required fact (K18)."""
    for rule in knowledge.rules:
        named = {*rule.regardless, *(name for name, _ in rule.when)}
        missing = sorted(knowledge.required - named)
        if missing and not knowledge.is_from_library(rule.span):
            names = " and ".join(f"`{name}`" for name in missing)
            first = knowledge.variables[missing[0]].values[0]
            yield Diagnostic(
                "K18",
                f"`{rule.name}` does not state its {names}",
                rule.span,
                "would apply to all of them",
                notes=(f"condition: {knowledge.box_text(rule.when)}",) if rule.when else (),
                help=(
                    f"name what it was found for: `{missing[0]} {first}` or another",
                    f"if it applies to all of them, state `{missing[0]} {ANY}`",
                ),
            )
