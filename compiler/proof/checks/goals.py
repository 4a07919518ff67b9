"""Recommendations that do not say what they are for (K18).

What policies must state is what advice depends on: for one goal a setting is best on, for another off. A rule that
does not name it argues with all that do, on the strength of a figure that was measured for one of them. So a rule
names every fact that policies must state, or says that any value of it will do: `goal any`.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.words import ANY


def rules_without_goal(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The rules whose conditions leave out a fact that every policy states (K18)."""
    for rule in knowledge.rules:
        named = {*rule.regardless, *(name for name, _ in rule.when)}
        missing = sorted(knowledge.required - named)
        if missing and not knowledge.is_given(rule.span):
            names = " and ".join(f"`{name}`" for name in missing)
            first = knowledge.variables[missing[0]].values[0]
            yield Diagnostic(
                "K18",
                f"`{rule.name}` does not say for which {names} it holds",
                rule.span,
                "would hold for all of them",
                notes=(f"condition: {knowledge.box_text(rule.when)}",) if rule.when else (),
                help=(
                    f"name what it was found for: `{missing[0]} {first}` or another",
                    f"if it holds whatever a policy states, say so: `{missing[0]} {ANY}`",
                ),
            )
