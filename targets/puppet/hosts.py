"""The hosts of a fleet, as data for Hiera: the group of each host by its certname.

A file for each host would be too many files, and one for all too large to be read for each catalog. So the hosts are in files by the
last characters of their names up to the first dot, where numbered hosts differ: `c0421.example.org` is in `data/hosts/421.yaml`.
"""

from array import array
from collections.abc import Iterator, Sequence

from setpoint.compiler.lowering.target import Fleet, Hosts, Listing, identifier

LETTERS = 3
"""How many characters name a file."""


def listings(fleet: Fleet, hosts: Hosts) -> Iterator[Listing]:
    """A file for each ending of names."""
    module = f"setpoint_{identifier(fleet.policy)}"
    groups = [*hosts]
    by_ending: dict[
        str, tuple[list[str], array[int]]
    ] = {}  # names, and numbers of groups: of a million hosts both count
    for number, group in enumerate(groups):
        for name in hosts[group]:
            ending = name.partition(".")[0][-LETTERS:].lower()
            found = by_ending.get(ending)
            if found is None:
                found = by_ending[ending] = ([], array("I"))
            found[0].append(name)
            found[1].append(number)
    for ending in sorted(by_ending):
        names, numbers = by_ending.pop(ending)
        theirs = [groups[number] for number in numbers]
        yield Listing(f"puppet/{module}/data/hosts/{ending}.yaml", _pieces(module, names, theirs))


def _pieces(module: str, names: Sequence[str], groups: Sequence[str]) -> Iterator[str]:
    yield f"---\n# The groups of hosts, by certname. Setpoint wrote this: to change it, compile the inventory again.\n{module}::hosts:\n"
    yield from (f"  '{name.lower()}': '{group}'\n" for name, group in sorted(zip(names, groups, strict=True)))
