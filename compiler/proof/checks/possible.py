"""Which facts can be true together: for conditions that no component has, such as those of figures, words and scopes.

The proof enumerates the contexts of settings. What these conditions need is less: whether some policy can state them,
and whether they imply others. Their widest values are tried, completed as those of a policy are; assumptions are left
out.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice, product

from setpoint.compiler.binding.facts import complete
from setpoint.compiler.knowledge.model import UNSTATED, Box, Knowledge, covers, meet
from setpoint.compiler.proof.combinations import fact_entries

MOST_TRIED = 200
"""The maximum number of combinations of facts that are tried for a condition with several values of several facts."""


class PossibleFacts:
    """The questions about the facts of a knowledge base. Each answer is computed once."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge._replace(assumptions=())
        self._why_not = cache(self._contradiction)

    def why_not(self, *boxes: Box) -> str:
        """Why no policy can meet these conditions together, as far as facts decide it; "" if one can."""
        both: Box = ()
        for box in boxes:
            met = meet(both, box)
            if met is None:
                return "the conditions exclude each other"
            both = met
        return self._why_not(self._stated(both))

    def implies(self, box: Box, other: Box) -> bool:
        """Whether the facts of a condition imply another condition on facts, whatever else is known."""
        if covers(other, box):
            return True
        variables = self._knowledge.variables
        for values in self._combinations(self._stated(box)):
            completed = complete(self._knowledge, fact_entries(values))
            if completed.errors:
                continue
            known = {name: variables[name].below(entry.value) for name, entry in completed.facts.items()}
            if any(known.get(name, variables[name].everything | UNSTATED) & ~mask for name, mask in other):
                return False
        return True

    def _stated(self, box: Box) -> Box:
        """The facts that a condition requires to be known."""
        return tuple(
            (name, mask) for name, mask in box if name in self._knowledge.kinds and not mask & UNSTATED
        )

    def _combinations(self, facts: Box) -> Iterator[tuple[tuple[str, str], ...]]:
        names = [fact for fact, _ in facts]
        choices = [self._knowledge.variables[fact].widest(mask) for fact, mask in facts]
        for values in islice(product(*choices), MOST_TRIED):
            yield tuple(zip(names, values, strict=True))

    def _contradiction(self, facts: Box) -> str:
        why = ""
        for values in self._combinations(facts):
            errors = complete(self._knowledge, fact_entries(values)).errors
            if not errors:
                return ""
            why = why or errors[0].message
        return why
