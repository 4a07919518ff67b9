"""What reading an inventory yields: rows of texts, before anybody knows what these mean.

A row is a plain tuple, and its texts are in the order of `Rows.places`. Hosts of a fleet are alike, so the texts of a
row, its *profile*, are interpreted once for all hosts that have the same (`hosts.py`). So a million hosts cost a
million small tuples, one after the other, and what is kept of each is its name.
"""

from collections.abc import Callable, Iterable, Iterator

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.inventory.table import Place
from setpoint.compiler.record import NamedTuple

Profile = tuple[str, ...]
"""What an inventory says of a host: the names of its groups, separated by spaces, then a text for each place."""

Row = tuple[str, Profile]
"""A host: its name and its profile."""

GROUPS = "groups"
"""The place of the groups, which come first in a profile."""


class FactPlace(NamedTuple):
    """A place of a fact that the inventory has."""

    fact: str
    place: Place


class Broken(NamedTuple):
    """A row that is no host: the line, and why; where there are no lines, 0 and the name of the host."""

    line: int
    why: str
    name: str = ""


class Rows(NamedTuple):
    """The rows of an inventory.

    `form` describes it in words (`CSV`), `ignored` has the columns or fields that no fact is read from. While the rows
    are read, `broken` and the fields grow, and `line` returns the line of the last one, 0 where there are no lines.
    """

    form: str
    places: tuple[FactPlace, ...]
    rows: Iterator[Row]
    broken: list[Broken]
    line: Callable[[], int] = lambda: 0
    ignored: Iterable[str] = ()


def not_an_inventory(path: str, why: str, *help_: str) -> SetpointError:
    """The error about a file in which no hosts can be found (E0610)."""
    return SetpointError.of("E0610", f"`{path}` is not an inventory: {why}", help=help_)
