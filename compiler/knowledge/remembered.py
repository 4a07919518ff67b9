"""What a process remembers of what it decided with a knowledge base: one table for each, keyed by meaning.

Whoever asks names a meaning and how to find what it means; what is found is kept, and is the same for everybody who
means the same. A meaning has neither places nor reasons in it. It is a tuple that begins with what it is the meaning
of, so that no two things in the table have equal ones. The answer is never changed by those who get it; places and
reasons are put into copies of it.

The table is bounded: what nobody asked for longest is forgotten first. What there is very much of has a section with
a bound of its own, so that it displaces nothing else.
"""

from collections.abc import Callable, Hashable

from setpoint.compiler.hints import Any
from setpoint.compiler.knowledge.model import Knowledge

KEPT_BASES = 2
"""For how many knowledge bases a process remembers anything: a comparison needs two."""

KEPT_MEANINGS = 8_192
"""How many meanings are remembered."""

_NOTHING = object()


class Remembered:
    """What is remembered of one knowledge base."""

    def __init__(self, knowledge: Knowledge, most: int = KEPT_MEANINGS) -> None:
        self.knowledge = knowledge
        self._most = most
        self._found: dict[Hashable, Any] = {}

    def of(self, meaning: Hashable, find: Callable[[], Any]) -> Any:
        """What has this meaning. It is found once."""
        kept = self._found.pop(meaning, _NOTHING)
        self.keep(meaning, kept := find() if kept is _NOTHING else kept)
        return kept

    def known(self, meaning: Hashable) -> Any:
        """What has this meaning; None if it is not remembered."""
        kept = self._found.get(meaning)
        if kept is not None:
            self.keep(meaning, self._found.pop(meaning))
        return kept

    def section(self, of: Hashable, most: int) -> "Remembered":
        """The table of one kind of meaning, with a bound of its own."""
        section: Remembered = self.of((Remembered, of), lambda: Remembered(self.knowledge, most))
        return section

    def keep(self, meaning: Hashable, result: Any) -> None:
        """Remember what has this meaning, as that which somebody asked for last."""
        self._found[meaning] = result
        if len(self._found) > self._most:
            del self._found[next(iter(self._found))]


_remembered: dict[int, Remembered] = {}
"""By the identity of the knowledge base, which stays its own while it is here."""


def remembered(knowledge: Knowledge) -> Remembered:
    """What is remembered of a knowledge base."""
    memory = _remembered.get(id(knowledge))
    if memory is None:
        memory = _remembered[id(knowledge)] = Remembered(knowledge)
        if len(_remembered) > KEPT_BASES:
            del _remembered[next(iter(_remembered))]
    return memory
