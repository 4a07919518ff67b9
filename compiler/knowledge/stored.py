"""The knowledge base as the cache has it: its frame is in memory, and all else is read when somebody asks for it.

The frame has the names of everything that a policy can name. What is known of each server, processor and source is a
part of its own in the cache, since a plan asks about a dozen of each (`OnDemand`).
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, lru_cache

from setpoint.compiler.hints import Any
from setpoint.compiler.knowledge.model import ASIDE, IN_SECTIONS, Knowledge
from setpoint.compiler.knowledge.sections import Places, Section, joined, numbers_for

KEPT = 256
"""For how many kinds of servers a process keeps the statements."""

READ_WHOLE = 500
"""Up to how many sections are read at once where several servers are asked for: a tenth of a second."""


class OnDemand(dict[str, Any]):
    """A dictionary, sorted by name, that reads each of its values when somebody first asks for it.

    INVARIANT: it cannot be told from the dictionary with all values, other than by its time and its memory.
    `places` has the names, each with the number of its part in the cache, counted from `first`; `read` reads a part.
    The dictionary itself has the values that were read.
    """

    __slots__ = ("_first", "_places", "_read")

    def __init__(self, places: Mapping[str, int], first: int, read: Callable[[int], Any]) -> None:
        self._places, self._first, self._read = places, first, read

    def __missing__(self, name: str) -> Any:
        value = self[name] = self._read(self._first + self._places[name])
        return value

    def whole(self) -> dict[str, Any]:
        """A dictionary with all values."""
        return {name: self[name] for name in self}

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def __reversed__(self) -> Iterator[str]:
        return reversed(self.whole())

    def __len__(self) -> int:
        return len(self._places)

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name, else the default."""
        return self[name] if name in self._places else default

    def keys(self) -> Any:
        """All names."""
        return self.whole().keys()

    def values(self) -> Any:
        """All values."""
        return self.whole().values()

    def items(self) -> Any:
        """All names with their values."""
        return self.whole().items()

    def copy(self) -> dict[str, Any]:
        """A dictionary with all values."""
        return self.whole()

    def __or__(self, other: Any) -> Any:
        return self.whole() | other

    def __ror__(self, other: Any) -> Any:
        return other | self.whole()

    def __eq__(self, other: object) -> bool:
        return self.whole() == (other.whole() if isinstance(other, OnDemand) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __repr__(self) -> str:
        return repr(self.whole())

    def __reduce__(self) -> Any:
        return dict, (self.whole(),)


class StoredKnowledge(Knowledge):
    """A knowledge base of which statements, words and other names are read when they are asked for.

    `section` reads one of its sections, of which there are `count`; `aside` reads what no plan needs.
    """

    def __init__(
        self,
        frame: Knowledge,
        places: Places,
        count: int,
        section: Callable[[int], Section],
        aside: Callable[[], dict[str, Any]],
    ) -> None:
        read = {
            name: value
            for name, value in vars(frame).items()
            if name not in IN_SECTIONS and name not in ASIDE
        }
        vars(self).update(read)
        self._frame, self._places, self._count, self._aside = frame, places, count, aside
        self._section = cache(section)
        self._joined = lru_cache(KEPT)(self._with_sections)

    def near(self, bits: Mapping[str, int]) -> Knowledge:
        """The knowledge base without statements that need other facts. It has no words, aliases or observations."""
        return self._joined(numbers_for(self._places, bits))

    @cached_property
    def dividing(self) -> frozenset[str]:
        """The facts that need the most sections, each more than its share; none in a knowledge base that is quickly
        read as a whole."""
        if self._count <= READ_WHOLE:
            return frozenset()
        return frozenset(
            name
            for name, needing in self._places.items()
            if name and len(set().union(*set(needing.values()))) * len(self._places) > self._count
        )

    def around(self, values: Mapping[str, int]) -> Knowledge:
        """The knowledge base for servers with these values of the facts that divide it."""
        every = {name: self.variables[name].everything for name in self.kinds}
        return self._with_sections(numbers_for(self._places, {**every, **values})) if values else self

    def _with_sections(self, numbers: tuple[int, ...]) -> Knowledge:
        sections = [self._section(number) for number in numbers]
        return self._frame._replace(**{field: joined(sections, field) for field in IN_SECTIONS})

    def __getattr__(self, name: str) -> Any:
        """A field that nobody has asked for yet; it is there from now on, with all that are read along with it."""
        if name in ASIDE:
            vars(self).update(self._aside())
        elif name in IN_SECTIONS:
            whole = self._joined(tuple(range(self._count)))
            vars(self).update({field: getattr(whole, field) for field in IN_SECTIONS})
        else:
            raise AttributeError(name)
        return vars(self)[name]

    def __reduce__(self) -> Any:
        """How to pickle it: as the whole that it is, since what it reads from does not go along."""
        return object.__new__, (Knowledge,), vars(self._replace())
