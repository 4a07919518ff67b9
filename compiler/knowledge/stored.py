"""The knowledge base as the cache has it: its frame is in memory, and everything else is read when somebody asks for it."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from setpoint.compiler.hints import Any
from setpoint.compiler.knowledge.model import ASIDE, IN_SECTIONS, Knowledge
from setpoint.compiler.knowledge.sections import Places, Section, joined, numbers_for

KEPT = 256
"""For how many kinds of servers a process keeps the statements."""


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
