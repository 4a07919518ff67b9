"""The profiles that tuned ships: the options of each, by release, as a table of the library states them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from setpoint.compiler.knowledge.library import library_table, stdlib_folder
from setpoint.compiler.knowledge.model import Citation, Knowledge, lineage
from setpoint.compiler.record import NamedTuple

TABLE = "tuned-profiles.toml"
"""The file of the library with what shipped profiles set."""

BETWEEN = " to "
"""Between the first and the last of several releases."""

RELEASES = "releases"


class Shipped(NamedTuple):
    """The table of shipped profiles: its releases, the oldest first, those of each system, the options of each profile,
    and where they are from."""

    releases: tuple[str, ...]
    systems: Mapping[str, Any]
    profiles: Mapping[str, Mapping[str, Any]]
    citation: Citation

    @property
    def fact(self) -> str:
        """The fact that says which releases a server can have."""
        return str(self.systems.get("fact", ""))

    def releases_of(self, knowledge: Knowledge, system: str) -> tuple[str, ...]:
        """The releases that a system can have, by the value of its fact; "" if that is not stated."""
        named = self.systems.get(RELEASES, {})
        above = [value.name for value in lineage(knowledge, self.fact, system)] if system else []
        known = next((named[name] for name in above if name in named), "")
        return self.between(known or self.systems.get("any", ""))

    def between(self, text: str) -> tuple[str, ...]:
        """The releases from one to another."""
        first, _, last = text.partition(BETWEEN)
        if first not in self.releases:
            return ()
        return self.releases[self.releases.index(first) : self.releases.index(last or first) + 1]

    def options(self, name: str, release: str) -> list[tuple[str, str, str]] | None:
        """Section, name and text of the options of a profile in a release; None if that does not ship it."""
        profile = self.profiles.get(name)
        if profile is None:
            return None
        if RELEASES in profile and not any(release in self.between(span) for span in profile[RELEASES]):
            return None
        options = []
        for key, texts in profile.items():
            if key != RELEASES:
                section, _, option = key[1:].partition("] ")
                ranges = texts.items() if isinstance(texts, dict) else [("", texts)]
                options += [
                    (section, option, text)
                    for span, text in ranges
                    if not span or release in self.between(span)
                ]
        return options


def shipped() -> Shipped:
    """The table of the library in use; an empty one if that has none."""
    return _read(stdlib_folder())


@cache
def _read(folder: str) -> Shipped:
    table = library_table(folder, TABLE)
    cited = table.get("citation", {})
    citation = Citation(cited.get("source", ""), cited.get("at", ""))
    return Shipped(
        tuple(table.get(RELEASES, ())), table.get("systems", {}), table.get("profiles", {}), citation
    )
