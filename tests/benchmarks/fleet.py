"""What a fleet costs: CPU time and memory of `setpoint fleet`, from a table of hosts to the artifacts, on one core.

    make bench-fleet

Each row is a run in a process of its own, with an empty folder. CPU time is that of a bare interpreter's multiple as
well, since absolute times depend on the machine. The last lines have the growth exponents: with the number of hosts at
the same classes, and with that of classes at the same hosts. 1 is linear, 0 is no growth. `check` is measured with
blocks for many hosts.
"""

import random
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.cost import Cost, cost, exponent, on_one_processor, typical

HOSTS, CLASSES = (10_000, 100_000, 1_000_000), (125, 500)
BLOCKS = (1_000, 4_000, 10_000)
LIMIT = 180
"""The CPU seconds that a fleet may take."""

SETPOINT = (sys.executable, "-m", "setpoint.compiler")

POLICY = """goal performance; workload cpu-bound;
for group compute { goal throughput; }
for group login { goal balanced; workload interactive; }
for group db { goal latency; workload io-bound; }
for group web { goal efficiency; workload io-bound; }
"""
SERVERS = {
    "PowerEdge R720": ("CPU E5-2630 0 @ 2.30GHz", "CPU E5-2670 0 @ 2.60GHz"),
    "PowerEdge R630": ("CPU E5-2680 v3 @ 2.50GHz", "CPU E5-2690 v3 @ 2.60GHz"),
    "PowerEdge R640": ("Gold 6126 CPU @ 2.60GHz", "Gold 6148 CPU @ 2.40GHz"),
    "PowerEdge R740": ("Gold 6130 CPU @ 2.10GHz", "Gold 6142 CPU @ 2.60GHz", "Gold 6150 CPU @ 2.70GHz"),
    "PowerEdge R750": ("Gold 6330 CPU @ 2.00GHz", "Gold 6354 CPU @ 3.00GHz"),
}
GROUPS = ("compute", "login", "db", "web")
SYSTEMS = ("rhel 8.10", "debian 12", "ubuntu 22.04")
NETWORKS = ("infiniband", "ethernet-10g", "gigabit-ethernet")


def rows(hosts: int, classes: int) -> Iterator[str]:
    """The lines of a table with this many hosts in this many classes."""
    chance = random.Random(1)
    servers = [(model, cpu) for model, cpus in SERVERS.items() for cpu in cpus]
    kinds = [
        f"{group},{model},Intel(R) Xeon(R) {cpu},{sockets},{system},{network}\n"
        for group, (model, cpu), sockets, system, network in product(GROUPS, servers, "12", SYSTEMS, NETWORKS)
    ]
    chance.shuffle(kinds)
    yield "host,serial,group,model,processor,sockets,os,interconnect\n"
    for number in range(hosts):
        kind = kinds[number % classes] if number < classes else kinds[chance.randrange(classes)]
        yield f"c{number:07}.example.org,S{number},{kind}"


def fleets(folder: Path) -> Iterator[tuple[int, int, Cost]]:
    """Hosts, classes and cost of each of the fleets. Raises TooLongError."""
    policy, table = folder / "site.tune", folder / "hosts.csv"
    policy.write_text(POLICY, encoding="utf-8")
    for hosts, classes in [(HOSTS[0], CLASSES[0]), *((hosts, CLASSES[-1]) for hosts in HOSTS)]:
        with table.open("w", encoding="utf-8") as file:
            file.writelines(rows(hosts, classes))
        out = folder / f"{hosts}-{classes}"
        command = (*SETPOINT, "fleet", str(policy), "--inventory", str(table), "-o", str(out))
        yield hosts, classes, cost(*command, limit=LIMIT)


def checks(folder: Path) -> Iterator[tuple[int, Cost]]:
    """What `check` costs for each number of blocks for hosts, no two of which say the same. Raises TooLongError."""
    policy = folder / "blocks.tune"
    for blocks in BLOCKS:
        lines = (f'for host c{n:06} {{ set turbo off because "runs hot, HW-{n}"; }}\n' for n in range(blocks))
        text = "goal performance; platform c6420; os rhel-9;\n" + "".join(lines)
        policy.write_text(text, encoding="utf-8")
        yield blocks, typical(*SETPOINT, "check", str(policy))


def main() -> None:
    """Measure and print."""
    on_one_processor()
    bare = min(cost(sys.executable, "-c", "pass").cpu for _ in range(5))
    cost(*SETPOINT, "plan", "-e", "goal latency")  # warm: the byte code, the knowledge base
    found: dict[tuple[int, int], Cost] = {}
    checked: dict[int, Cost] = {}
    print(f"{'hosts':>9} {'classes':>8} {'CPU':>8} {'of a bare interpreter':>22} {'memory':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for hosts, classes, used in fleets(Path(folder)):
            found[hosts, classes] = used
            print(
                f"{hosts:>9,} {classes:>8,} {used.cpu:>6.1f} s {used.cpu / bare:>22,.0f} {used.memory:>5.0f} MiB"
            )
        for blocks, used in checks(Path(folder)):
            checked[blocks] = used
            print(f"check with {blocks:,} blocks for hosts: {used.cpu:.1f} s, {used.memory:.0f} MiB")
    by_hosts = exponent(HOSTS[1:], [found[each, CLASSES[-1]].cpu for each in HOSTS[1:]])
    by_classes = exponent(CLASSES, [found[HOSTS[0], each].cpu for each in CLASSES])
    by_blocks = exponent(BLOCKS, [checked[each].cpu for each in BLOCKS])
    print(
        f"growth with hosts {by_hosts:.2f}, with classes {by_classes:.2f}, of check with blocks for hosts {by_blocks:.2f}"
    )


if __name__ == "__main__":
    main()
