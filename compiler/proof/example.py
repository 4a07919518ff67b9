"""Counterexamples as policies that the reader can paste.

A policy is shown only if it does what the finding claims. So the candidates are compiled before one is chosen.
"""

from collections.abc import Iterable

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Box, Knowledge
from setpoint.compiler.knowledge.quantity import is_cell
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.proof.sets.space import FactPairs, Space

Sets = tuple[tuple[str, str], ...]
"""Settings with the values that a policy sets."""

WHY = 'because "check"'


def policy(knowledge: Knowledge, stated: FactPairs, sets: Sets = ()) -> str:
    """The text of a policy: its intent, its facts and its `set`s."""
    intent = [fact for fact, _ in stated if knowledge.kinds[fact].role == "intent"]
    facts = sorted(stated, key=lambda pair: (pair[0] not in intent, pair[0]))
    words = [f"{fact} {value}" for fact, value in facts]
    words += [f"set {setting} {value} {WHY}" for setting, value in sets]
    return "; ".join(words)


def sets_for(knowledge: Knowledge, box: Box) -> Sets:
    """The `set`s that satisfy a condition on settings, each with the first suitable value, without absent settings."""
    variables = knowledge.variables
    return tuple(
        (name, settable(knowledge, name, names[0]))
        for name, mask in box
        if (names := variables[name].names(mask))
    )


def settable(knowledge: Knowledge, setting: str, value: str) -> str:
    """A value that a policy can set, for one of the domain: of a cell the lowest number that any platform offers."""
    variable = knowledge.variables[setting]
    offered = [candidate for offer in knowledge.offers.get(setting, ()) for candidate in offer.values]
    return (is_cell(value) and variable.lowest(offered, value)) or variable.example(value)


def codes_of(knowledge: Knowledge, text: str) -> tuple[str, ...]:
    """The codes of all diagnostics of a policy, warnings included."""
    try:
        (subject,) = planned(program_of_text(text), knowledge)
    except SetpointError as error:
        return tuple(d.code for d in error.diagnostics)
    return tuple(d.code for d in subject.findings)


def confirmed(knowledge: Knowledge, candidates: Iterable[str], code: str) -> str:
    """The first of these policies for which the compiler reports this code; "" if there is none."""
    return next((text for text in candidates if code in codes_of(knowledge, text)), "")


def note(text: str) -> str:
    """The note of a diagnostic that shows a policy."""
    return f"for example: {text}"


def extent(space: Space, where: int) -> str:
    """The share of contexts that a set of situations has."""
    here, everywhere = space.contexts(where), space.all_contexts()
    return f"in {here:,} of {everywhere:,} contexts"
