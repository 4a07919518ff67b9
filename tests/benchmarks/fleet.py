"""What a fleet costs: CPU time and memory of `setpoint fleet`, from a table of hosts to the artifacts, on one core.

    make bench-fleet

Each row is a run in a process of its own, with an empty folder. CPU time is that of a bare interpreter's multiple as well, since absolute
times depend on the machine. The last lines have the growth exponents: with the number of hosts at the same classes, and with that of
classes at the same hosts. 1 is linear, 0 is no growth. `check` is measured with blocks for many hosts.
"""

import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

HOSTS, CLASSES = (10_000, 100_000, 1_000_000), (125, 500)
BLOCKS = (1_000, 4_000)

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


class Cost(NamedTuple):
    """CPU seconds, and the peak of memory in MiB."""

    cpu: float
    memory: float


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


def cost(*command: str, status: int = 0) -> Cost:
    """What a command costs, as the kernel accounts for it."""
    code = (
        "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    ended, cpu, memory = done.stdout.split()
    assert int(ended) == status, command
    return Cost(float(cpu), int(memory) / 1024)


def main() -> None:
    """Measure and print."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    setpoint = (sys.executable, "-m", "setpoint.compiler")
    bare = min(cost(sys.executable, "-c", "pass").cpu for _ in range(5))
    cost(*setpoint, "plan", "-e", "goal latency")  # warm: the byte code, the knowledge base
    found: dict[tuple[int, int], Cost] = {}
    print(f"{'hosts':>9} {'classes':>8} {'CPU':>8} {'of a bare interpreter':>22} {'memory':>9}")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        policy, table = folder / "site.tune", folder / "hosts.csv"
        policy.write_text(POLICY, encoding="utf-8")
        for hosts, classes in [*((hosts, CLASSES[-1]) for hosts in HOSTS), (HOSTS[0], CLASSES[0])]:
            with table.open("w", encoding="utf-8") as file:
                file.writelines(rows(hosts, classes))
            used = cost(
                *setpoint,
                "fleet",
                str(policy),
                "--inventory",
                str(table),
                "-o",
                str(folder / f"{hosts}-{classes}"),
            )
            found[hosts, classes] = used
            print(
                f"{hosts:>9,} {classes:>8,} {used.cpu:>6.1f} s {used.cpu / bare:>22,.0f} {used.memory:>5.0f} MiB"
            )
        checks = {}
        for blocks in BLOCKS:
            lines = (
                f'for host c{n:06} {{ set turbo off because "runs hot, HW-{n}"; }}\n' for n in range(blocks)
            )
            policy.write_text(
                "goal performance; platform c6420; os rhel-9;\n" + "".join(lines), encoding="utf-8"
            )
            checks[blocks] = cost(*setpoint, "check", str(policy))
            print(
                f"check with {blocks:,} blocks for hosts: {checks[blocks].cpu:.1f} s, {checks[blocks].memory:.0f} MiB"
            )
    by_hosts = _exponent(HOSTS[1:], [found[each, CLASSES[-1]].cpu for each in HOSTS[1:]])
    by_classes = _exponent(CLASSES, [found[HOSTS[0], each].cpu for each in CLASSES])
    by_blocks = _exponent(BLOCKS, [checks[each].cpu for each in BLOCKS])
    print(
        f"growth with hosts {by_hosts:.2f}, with classes {by_classes:.2f}, of check with blocks for hosts {by_blocks:.2f}"
    )


def _exponent(sizes: tuple[int, ...], costs: list[float]) -> float:
    return math.log(costs[-1] / costs[0]) / math.log(sizes[-1] / sizes[0])


if __name__ == "__main__":
    main()
