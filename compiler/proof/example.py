"""Counterexamples as policies: what a reader pastes to see for himself.

A policy is worth showing only if it does what is claimed of it, so that candidates are run through the
compiler before one is chosen.
"""

from collections.abc import Iterable

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.model import Box, Knowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.resolution.sets.space import Space, Values

Sets = tuple[tuple[str, str], ...]
"""Settings and the values that a policy sets them to."""

WHY = 'because "check"'


def policy(knowledge: Knowledge, stated: Values, sets: Sets = ()) -> str:
    """The text of a policy: what it is for, what is there, what it sets."""
    intent = [fact for fact, _ in stated if knowledge.kinds[fact].role == "intent"]
    facts = sorted(stated, key=lambda pair: (pair[0] not in intent, pair[0]))
    words = [f"{fact} {value}" for fact, value in facts]
    words += [f"set {setting} {value} {WHY}" for setting, value in sets]
    return "; ".join(words)


def sets_for(knowledge: Knowledge, box: Box) -> Sets:
    """The `set`s that bring a condition on settings about, as far as these are there: of each the first value that will do."""
    variables = knowledge.variables
    return tuple((name, names[0]) for name, mask in box if (names := variables[name].names(mask)))


def codes_of(knowledge: Knowledge, text: str) -> tuple[str, ...]:
    """The codes of what the compiler finds in a policy, warnings and all."""
    try:
        (one,) = planned(program_of_text(text), knowledge)
    except SetpointError as error:
        return tuple(d.code for d in error.diagnostics)
    return tuple(d.code for d in one.findings)


def confirmed(knowledge: Knowledge, candidates: Iterable[str], code: str) -> str:
    """The first of these policies in which the compiler finds that code; "" if it finds it in none."""
    return next((text for text in candidates if code in codes_of(knowledge, text)), "")


def note(text: str) -> str:
    """The note of a diagnostic that shows a policy."""
    return f"for example: {text}"


def extent(space: Space, where: int) -> str:
    """How much of all that can be stated a set of situations is."""
    here, everywhere = space.contexts(where), space.contexts(space.everywhere)
    return f"in {here:,} of {everywhere:,} contexts"
