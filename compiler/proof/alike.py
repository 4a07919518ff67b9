"""Facts as a question sees them: values that nothing distinguishes count once.

Most servers and processors are like others for most questions. They are made of the same families, and no statement in
question names one of them alone. The proof looks at one value of each class (`reachable`), and at one of each part into
which the conditions in question divide a class (`situations`). Any other changes only how many contexts there are. So
the fingerprint of a question has of the values that are alike only what they have in common: a server that is added,
and is like another one, proves again only the questions that tell them apart.

A condition on a fact is given by the values that fulfil it. A value that can be known without being stated has a class
of its own, and its name. Of the other classes the name is that of the widest value, by which the conditions of other
facts' values name them.
"""

from collections.abc import Iterator
from functools import cache

from setpoint.compiler.knowledge.model import UNSTATED, Box, FactValue, Knowledge, lineage
from setpoint.compiler.proof.reachable import equivalence_classes
from setpoint.compiler.proof.sets.masks import union


class Facts:
    """Some facts of a knowledge base, with all that these depend on, for any number of questions."""

    def __init__(self, knowledge: Knowledge, facts: tuple[str, ...]) -> None:
        self._facts = facts
        assumptions = tuple(assumption for assumption in knowledge.assumptions if assumption.fact in facts)
        self._knowledge = knowledge._replace(assumptions=assumptions)
        self._classes_of = cache(self._classes)
        self._entry = cache(self._in_common)

    def distinguished(self, conditions: Box) -> Iterator[str]:
        """The facts with what distinguishes their values, given the conditions in question."""
        knowledge = self._knowledge
        for fact in self._facts:
            kind, variable = knowledge.kinds[fact], knowledge.variables[fact]
            asked = [mask for name, mask in conditions if name == fact]
            yield repr((variable.name, kind.name, kind.role, kind.required, kind.fits))
            yield f"{_divided(UNSTATED, asked)}"
            yield from sorted(
                f"{self._entry(fact, first)} {_divided(values, asked)}"
                for first, values in self._classes_of(fact)
            )
        for assumption in knowledge.assumptions:
            yield repr(
                (
                    assumption.fact,
                    assumption.value,
                    assumption.layer,
                    [self._named(*pair) for pair in assumption.when],
                )
            )

    def _classes(self, fact: str) -> tuple[tuple[str, int], ...]:
        """The classes of a fact's values: the widest of each, and the set of all."""
        ((_, classes),) = equivalence_classes((self._knowledge,), (fact,)).items()

        def width(value: str) -> tuple[int, str]:
            return len(list(lineage(self._knowledge, fact, value))), value

        bit = self._knowledge.variables[fact].bit
        return tuple((min(names, key=width), union(map(bit, names))) for names in classes)

    def _in_common(self, fact: str, first: str) -> str:
        """What the values of a class have in common: the first of them, and those that it lies within, with what
        follows from each."""
        return repr((first, [self._following(value) for value in lineage(self._knowledge, fact, first)]))

    def _following(self, value: FactValue) -> tuple[object, ...]:
        allowed = [self._named(fact, mask) for fact, mask in value.allows]
        return value.name, value.one_of, value.implies, allowed

    def _named(self, fact: str, mask: int) -> tuple[object, ...]:
        """A condition by the classes that have a value in it, or a value below."""
        variable = self._knowledge.variables[fact]
        classes = (
            (first, bool(variable.bit(first) & mask))
            for first, _ in self._classes_of(fact)
            if variable.below(first) & mask
        )
        return fact, bool(mask & UNSTATED), sorted(classes)


def _divided(values: int, conditions: list[int]) -> list[int]:
    """The parts into which conditions divide a set of values: for each, which conditions its values fulfil."""
    parts = {0: values}
    for number, mask in enumerate(conditions):
        divided = {}
        for fulfilled, part in parts.items():
            if inside := part & mask:
                divided[fulfilled | 1 << number] = inside
            if outside := part & ~mask:
                divided[fulfilled] = outside
        parts = divided
    return sorted(parts)
