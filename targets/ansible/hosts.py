"""The hosts of a fleet, as an inventory for Ansible: a folder with a file for each plan, used beside the site's own
inventory.

Each host is in the group of its plan, and all of these are in the group of the role. Addresses, accounts and passwords
stay in the site's inventory. A file for each plan means that a change of one plan leaves the others' files as they are.
"""

from collections.abc import Collection, Iterator

from setpoint.compiler.lowering.target import Fleet, Hosts, Listing, identifier
from setpoint.targets.ansible.emit import key

FOLDER = "ansible/inventory"

SEVERAL = 1000
"""How many hosts are listed at a time."""


def listings(fleet: Fleet, hosts: Hosts) -> Iterator[Listing]:
    """A file for each plan."""
    for variant in fleet.variants:
        path = f"{FOLDER}/{variant.group}.yml"
        yield Listing(
            path, _pieces(f"setpoint_{identifier(fleet.policy)}", variant.group, hosts[variant.group])
        )


def _pieces(role: str, group: str, hosts: Collection[str]) -> Iterator[str]:
    names = [*hosts]
    yield f"---\n# The hosts of a plan: {len(names)}. Setpoint wrote this; the plan is in vars/plans/ of the role.\n"
    yield f"{role}:\n  children:\n    {key(group)}:\n      hosts:\n"
    for start in range(0, len(names), SEVERAL):
        between = "':\n        '".join(names[start : start + SEVERAL])
        yield f"        '{between}':\n"
