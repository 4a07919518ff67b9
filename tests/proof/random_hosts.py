"""Compare single and set-valued resolution on random hosts:

    PYTHONPATH=.dev:tests python -m proof.random_hosts --hosts 1000000 --seed 1

A seed stands for one rack of hosts (`hosts.py`); the same seeds give the same hosts on any machine. Racks are compared
in blocks (`blocks.py`), each in one pass of set-valued resolution. The first disagreement of a block is printed as a
policy to paste, as small as it can be made. Exit status 3 if there is one.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache

from meaning.comparison import Tally, minimal
from meaning.plan import Policy
from meaning.policies import text

from proof.blocks import Columns, differing, hosts_of, singly, together
from proof.hosts import PER_RACK, Rack, rack, rack_of
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.sets.space import numbers
from support.policies import SERVERS
from support.seeds import Work, chunks, each

PER_BLOCK = 500
"""Racks that are resolved in one pass."""


def main() -> int:
    """Run the requested comparison."""
    parser = argparse.ArgumentParser(prog="python -m proof.random_hosts")
    parser.add_argument("--hosts", type=int, default=10_000, help="random hosts")
    parser.add_argument("--seed", type=int, default=0, help="the first of the seeds")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    asked = parser.parse_args()
    work: list[Work[Tally]] = [
        (compare_seeds, seeds) for seeds in chunks(asked.seed, -(-asked.hosts // PER_RACK), PER_BLOCK)
    ]
    total = Tally()
    for tally in each(work, asked.jobs):
        for line in tally.disagreements:
            print(line, flush=True)
        total = total.plus(tally)
    for outcome, count in sorted(total.outcomes.items(), key=lambda pair: -pair[1]):
        print(f"{count:10,}  {outcome}")
    seconds = sum(os.times()[:4])
    print(
        f"{total.policies:,} hosts, {len(total.disagreements):,} disagreements, {seconds:,.0f} s of CPU time"
    )
    return 3 if total.disagreements else 0


def compare_seeds(seeds: Iterable[int]) -> Tally:
    """Compare the hosts of some seeds, in one pass."""
    return compare([rack(seed) for seed in seeds])


def compare(racks: Sequence[Rack]) -> Tally:
    """Compare the hosts of some racks, in one pass. The first that differs is reduced and described."""
    ordered = sorted(racks, key=_server)
    ours, theirs = both(ordered)
    codes = {code: where for (name, code), where in ours.items() if not name}
    counts = {code: where.bit_count() for code, where in codes.items() if where}
    policies = [policy for each in ordered for policy in each.hosts]
    counts["a plan"] = len(policies) - sum(counts.values())
    differ = [policies[place] for place in numbers(differing(ours, theirs))]
    return Tally(counts, (*map(described, differ[:1]), *map(text, differ[1:])))


def _server(rack: Rack) -> list[str]:
    """The order of racks in a block: those of the same servers are neighbours, as most knowledge is about one kind of
    server."""
    return [rack.facts.facts[name].value if name in rack.facts.facts else "" for name in reversed(SERVERS)]


def both(racks: Sequence[Rack]) -> tuple[Columns, Columns]:
    """The results of the hosts, one at a time and all at once."""
    return singly(standard(), racks), together(_whole(), hosts_of(racks))


@cache
def _whole() -> Knowledge:
    """The standard library with all of its statements in memory."""
    return standard()._replace()


# ----------------------------------------------------------------------------------------- disagreements


def described(policy: Policy) -> str:
    """The smallest policy that shows the disagreement of a host, with what differs."""
    subjects = {line.partition(":")[0] for line in differences(policy)[:1]}

    def still(smaller: Policy) -> bool:
        return any(line.partition(":")[0] in subjects for line in differences(smaller))

    small = minimal(policy, still) if subjects else policy
    return "\n    ".join((text(small), *differences(small)))


def differences(policy: Policy) -> list[str]:
    """What the two forms say differently of one host, a line each."""
    one = rack_of(policy)
    if one is None:
        return []
    ours, theirs = ({name: value for (name, value), where in each.items() if where} for each in both([one]))
    return [
        f"{name or 'error'}: singly {ours.get(name, 'none')}, together {theirs.get(name, 'none')}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    ]


if __name__ == "__main__":
    sys.exit(main())
