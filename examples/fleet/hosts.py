"""Print the inventory of a mixed fleet as CSV: the same 3,200 hosts each time.

    python hosts.py > hosts.csv

The servers are Dell's of the 11th to the 16th generation, and some of HPE, Lenovo and Supermicro, in four groups. Some
rows are as inventories are: a virtual machine among the servers, a processor in the wrong server, hosts in no group or
in two, rows that are cut off, and one host twice.
"""

import random
from collections.abc import Iterator

HOSTS = 3000

SERVERS = {
    "PowerEdge R710": ("Intel(R) Xeon(R) CPU X5570 @ 2.93GHz", "Intel(R) Xeon(R) CPU E5540 @ 2.53GHz"),
    "PowerEdge R720": (
        "Intel(R) Xeon(R) CPU E5-2630 0 @ 2.30GHz",
        "Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz",
    ),
    "PowerEdge R630": (
        "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz",
        "Intel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz",
    ),
    "PowerEdge R740": (
        "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz",
        "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz",
    ),
    "PowerEdge R750": (
        "Intel(R) Xeon(R) Gold 6330 CPU @ 2.00GHz",
        "Intel(R) Xeon(R) Gold 6354 CPU @ 3.00GHz",
    ),
}
OTHERS = (
    ("PowerEdge R7615", 1),
    ("ProLiant DL380a Gen11", 2),
    ("ProLiant DL385 Gen10 Plus v2", 2),
    ("ThinkSystem SR670 V2", 2),
    ("SYS-821GE-TNHR", 2),
)
"""Newer servers, with their numbers of processors; the inventory does not say which these are."""

SYSTEMS = {"PowerEdge R710": ("CentOS release 6.10 (Final)",)}
"""The systems of servers that do not run one of the usual."""

USUAL = ("debian 12", "rhel 8.10", "rhel 9.4", "ubuntu 22.04")
EXCEPTIONS = ("compute-0042.", "front-0007.")
"""The hosts with statements of their own in the policy."""

GROUPS = ("compute", "front", "store", "web")


def rows() -> Iterator[str]:
    """The lines of the table."""
    chance = random.Random(2026)
    yield "host,group,rack,model,processor,sockets,os"
    for number in range(HOSTS):
        group = GROUPS[number % len(GROUPS)]
        name = f"{group}-{number // len(GROUPS):04}.example.org"
        model = "PowerEdge R750" if name.startswith(EXCEPTIONS) else chance.choice([*SERVERS])
        system = "debian 12" if name.startswith(EXCEPTIONS) else chance.choice(SYSTEMS.get(model, USUAL))
        yield f"{name},{group},{chance.randrange(40)},{model},{chance.choice(SERVERS[model])},2,{system}"
    for number in range(200):
        group, (model, sockets) = GROUPS[number % len(GROUPS)], OTHERS[number // len(GROUPS) % len(OTHERS)]
        yield f"new-{group}-{number:03}.example.org,{group},{40 + number % 4},{model},,{sockets},rhel 9.4"
    for number in range(25):
        yield f"build-{number}.example.org,web,0,Standard PC (i440FX + PIIX 1996),,1,debian 12"
    yield "odd-1.example.org,compute,3,PowerEdge R720,Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz,2,debian 12"
    yield "odd-2.example.org,,3,PowerEdge R740,,2,debian 12"
    yield "odd-3.example.org,store web,3,PowerEdge R740,,2,debian 12"
    yield "odd-4.example.org,store"
    yield ",store,3,PowerEdge R740,,2,debian 12"
    yield "compute-0000.example.org,compute,3,PowerEdge R740,,1,debian 12"


if __name__ == "__main__":
    print("\n".join(rows()))
