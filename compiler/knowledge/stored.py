"""The knowledge base as the cache has it: its frame is in memory, and everything else is read when somebody asks for it."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any

from setpoint.compiler.knowledge.model import (
    Alias,
    Constraint,
    Family,
    Hazard,
    Knowledge,
    KnownWords,
    Observation,
    Offer,
    Preset,
    Rule,
    Service,
    Spelling,
    Unseen,
)
from setpoint.compiler.knowledge.sections import FIELDS, Places, Section, joined, numbers_for

KEPT = 256
"""For how many kinds of servers a process keeps the statements."""


class StoredKnowledge(Knowledge):
    """A knowledge base of which statements, words and other names are read when they are asked for.

    As a tuple it is that of the whole knowledge base, too.
    """

    _frame: Knowledge
    _places: Places
    _count: int
    _section: Callable[[int], Section]
    _names: Callable[[], dict[str, Any]]

    @classmethod
    def of(
        cls,
        frame: Knowledge,
        places: Places,
        count: int,
        section: Callable[[int], Section],
        names: Callable[[], dict[str, Any]],
    ) -> "StoredKnowledge":
        """The knowledge base with this frame; `section` reads one of its sections, `names` its words, families, aliases and observations."""
        made = cls(*frame)
        made._frame, made._places, made._count, made._names = frame, places, count, cache(names)
        made._section = cache(section)
        made._joined = lru_cache(KEPT)(made._joined)  # type: ignore[method-assign]
        return made

    def near(self, bits: Mapping[str, int]) -> Knowledge:
        """The knowledge base without statements that need other facts. It has no words, aliases or observations."""
        return self._joined(numbers_for(self._places, bits))

    @cached_property
    def whole(self) -> Knowledge:
        """The whole knowledge base."""
        return self._joined(tuple(range(self._count)))._replace(**self._names())

    def _joined(self, numbers: tuple[int, ...]) -> Knowledge:
        sections = [self._section(number) for number in numbers]
        return self._frame._replace(**{field: joined(sections, field) for field in FIELDS})

    def __iter__(self) -> Iterator[Any]:
        return iter(self.whole)

    def __eq__(self, other: object) -> bool:
        return self.whole == (other.whole if isinstance(other, StoredKnowledge) else other)

    __hash__ = Knowledge.__hash__

    def __reduce__(self) -> Any:
        return self.whole.__reduce__()

    def _replace(self, **fields: Any) -> Any:
        return self.whole._replace(**fields)

    @property
    def offers(self) -> dict[str, tuple[Offer, ...]]:
        return self.whole.offers

    @property
    def spellings(self) -> dict[str, tuple[Spelling, ...]]:
        return self.whole.spellings

    @property
    def presets(self) -> tuple[Preset, ...]:
        return self.whole.presets

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self.whole.rules

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return self.whole.constraints

    @property
    def hazards(self) -> dict[str, Hazard]:
        return self.whole.hazards

    @property
    def services(self) -> tuple[Service, ...]:
        return self.whole.services

    @property
    def aliases(self) -> tuple[Alias, ...]:
        return self.whole.aliases

    @property
    def words(self) -> tuple[KnownWords, ...]:
        return self.whole.words

    @property
    def families(self) -> tuple[Family, ...]:
        found: tuple[Family, ...] = self._names()[
            "families"
        ]  # not all, since an unknown model needs only these
        return found

    @property
    def observations(self) -> dict[str, tuple[Observation, ...]]:
        return self.whole.observations

    @property
    def unseen(self) -> dict[str, tuple[Unseen, ...]]:
        return self.whole.unseen


def near(knowledge: Knowledge, bits: Mapping[str, int]) -> Knowledge:
    """A knowledge base for resolution with these facts: without statements that need others, where they need not be read."""
    return knowledge.near(bits) if isinstance(knowledge, StoredKnowledge) else knowledge
