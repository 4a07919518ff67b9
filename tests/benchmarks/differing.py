"""Policies, and blocks for hosts, that differ in what they say: goal, platform, system, workload and `set`s, as sites
write them.

    make bench-differing

measures what `check` of them costs, least of some runs, and puts the figures into the page on speed, with what a bare
interpreter took meanwhile. No two say the same, and none has an error. Reasons differ everywhere, and decide nothing.
"""

import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.cost import Cost, cost, on_one_processor

SIZES = (1_000, 2_000)
BLOCKS = (1_000, 4_000, 10_000)
ROUNDS = 2
LIMIT = 300
"""The CPU seconds that a run may take."""

SETPOINT = (sys.executable, "-m", "setpoint.compiler")

GOALS = ("balanced", "efficiency", "latency", "performance", "throughput")
WORKLOADS = (
    "comm-bound",
    "cpu-bound",
    "io-bound",
    "interactive",
    "hpc",
    "postgresql",
    "java",
    "kubernetes-node",
    "oltp",
)
PLATFORMS = ("r720", "r630", "r640", "r740", "c6420", "r750", "r760", "r6625", "r650", "dl360-gen10")
SYSTEMS = ("rhel-8", "rhel-9", "debian-12", "ubuntu-22.04", "sles-15")
SETS = (
    "turbo off",
    "smt off",
    "numa-balancing off",
    "transparent-hugepages madvise",
    "nmi-watchdog off",
    "governor performance",
)
NUMBERS = ("swappiness {}", "listen-backlog {}", "inotify-watches {}", "max-map-count {}")


def _sets(chance: random.Random, number: int) -> Iterator[str]:
    """The `set`s of a policy: some that many have, and on some a number that few have."""
    for one in chance.sample(SETS, chance.randrange(3)):
        yield f'set {one} because "measured, LAB-{number}";'
    if chance.random() < 0.5:
        steps = chance.randrange(1, 100)
        name = chance.choice(NUMBERS)
        amount = steps if name.startswith("swappiness") else 65_536 + 1_024 * steps
        yield f'set {name.format(amount)} because "asked for, REQ-{number}";'


def bodies(chance: random.Random) -> Iterator[str]:
    """What policies say, without end; no two the same."""
    seen: set[str] = set()
    for number in count():
        facts = f"goal {chance.choice(GOALS)}; workload {chance.choice(WORKLOADS)}; platform {chance.choice(PLATFORMS)}; os {chance.choice(SYSTEMS)};"
        body = " ".join((facts, *_sets(chance, number)))
        said = body.replace(f"-{number}", "")
        if said not in seen:
            seen.add(said)
            yield body


def policies(size: int) -> str:
    """A file with so many policies."""
    return "".join(
        f"policy p{number} {{ {body} }}\n"
        for number, body in enumerate(islice(bodies(random.Random(1)), size))
    )


def host_bodies(chance: random.Random) -> Iterator[str]:
    """What the blocks of hosts say: a number that few hosts have, and two `set`s of some; no two the same."""
    for number in count():
        sets = " ".join(f'set {one} because "measured, LAB-{number}";' for one in chance.sample(SETS, 2))
        listen, watches = 1_024 + number % 97, 65_536 + number // 97
        yield f'{sets} set listen-backlog {listen} because "REQ-{number}"; set inotify-watches {watches} because "REQ-{number}";'


def blocks(size: int) -> str:
    """A policy with so many blocks for hosts."""
    head = "goal performance; workload cpu-bound; platform c6420; os rhel-9;\n"
    return head + "".join(
        f"for host c{number:06} {{ {body} }}\n"
        for number, body in enumerate(islice(host_bodies(random.Random(1)), size))
    )


def checks(folder: Path, text: Callable[[int], str], sizes: Sequence[int]) -> dict[int, Cost]:
    """What `check` of a file with so many of them costs, the least of some runs, by size. Raises TooLongError."""
    found = {}
    for size in sizes:
        path = folder / "differing.tune"
        path.write_text(text(size), encoding="utf-8")
        found[size] = min(cost(*SETPOINT, "check", str(path), limit=LIMIT) for _ in range(ROUNDS))
    return found


def main() -> None:
    """Measure, and write the rows of these into the measurements and the page."""
    from benchmarks import page  # only needed to write it, and the page's own module measures with this one

    on_one_processor()
    data = json.loads(page.DATA.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, sizes) in SERIES.items():
            series = checks(Path(folder), text, sizes)
            print(name, series, flush=True)
            data["costs"][name] = {
                str(size): [round(each.cpu, 5), round(each.memory)] for size, each in series.items()
            }
        bare = min(cost(sys.executable, "-c", "pass").cpu for _ in range(10))
    data.setdefault("later", {})["policies and blocks that differ in what they say"] = round(bare, 5)
    page.DATA.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    page.write(data)


SERIES = {"differing policies": (policies, SIZES), "differing blocks": (blocks, BLOCKS)}
"""The names of the measurements, what they are of, and how many."""


if __name__ == "__main__":
    main()
