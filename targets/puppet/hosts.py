"""The hosts of a fleet, as data for Hiera: the group of each host by its certname.

A file for each host would be too many files, and one for all too large to be read for each catalog. So the hosts are in
files by the last characters of their names up to the first dot, where numbered hosts differ: `c0421.example.org` is in
`data/hosts/421.yaml`.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.lowering.target import Fleet, Hosts, Listing, identifier

LETTERS = 3
"""How many characters name a file."""


def listings(fleet: Fleet, hosts: Hosts) -> Iterator[Listing]:
    """A file for each ending of names."""
    module = f"setpoint_{identifier(fleet.policy)}"
    by_ending: dict[str, list[str]] = {}  # texts of a group and its names, since a million objects are large
    for group, every in hosts.items():
        of_group: dict[str, list[str]] = {}
        for name in every:
            of_group.setdefault(name.partition(".")[0][-LETTERS:].lower(), [group]).append(name)
        for ending, names in of_group.items():
            by_ending.setdefault(ending, []).append("\n".join(names))
    for ending in sorted(by_ending):
        yield Listing(f"puppet/{module}/data/hosts/{ending}.yaml", _pieces(module, by_ending.pop(ending)))


def _pieces(module: str, groups: Iterable[str]) -> Iterator[str]:
    yield f"---\n# The groups of hosts, by certname. Setpoint wrote this: to change it, compile the inventory again.\n{module}::hosts:\n"
    lines = (text.split("\n") for text in groups)
    placed = sorted((name, group) for group, *names in lines for name in names)
    yield from (f"  '{name.lower()}': '{group}'\n" for name, group in placed)
