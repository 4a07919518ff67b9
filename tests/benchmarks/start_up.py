"""How fast a plan and a bundle come: CPU time as a multiple of a bare interpreter, measured in the same run.

    make bench-start-up

Five figures: the version, a plan on the command line and a bundle with all targets, each of a text that was never seen
before; and in one process the cost of one more policy, and of one that says something else than those before. Absolute
times depend on the machine; the multiple hardly does.
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.cost import Cost, cost

ROUNDS = 15
POLICY = "goal latency; cpu westmere; workload comm-bound"
GOALS = ("latency", "performance", "throughput", "balanced", "efficiency", "density")
SERVERS = (
    "platform r640; cpu skylake",
    "platform r750; cpu ice-lake",
    "platform dl380-gen10; cpu skylake",
    "cpu haswell",
)
WORK = ("hpc", "comm-bound", "cpu-bound", "memory-bound", "io-bound", "virtualized", "java", "interactive")
SYSTEMS = ("rhel-8", "rhel-9", "debian-12", "ubuntu-22.04")
SETS = ("smt off", "turbo off", "swappiness 1", "numa-balancing off", "transparent-hugepages never")
BARE = (sys.executable, "-c", "pass")
SETPOINT = (sys.executable, "-m", "setpoint.compiler")


def start_up(env: Mapping[str, str]) -> dict[str, Cost]:
    """What a bare interpreter, the version, a plan and a bundle cost, in turns: the least of each, by its name.

    Other work on the machine takes the caches of the processor from a larger program more than from a bare interpreter.
    """
    found: dict[str, list[Cost]] = {"bare": [], "version": [], "plan": [], "compile": []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS + 1):
            new = f"{POLICY}; # seen by nobody, {number}"
            commands = (
                BARE,
                (*SETPOINT, "--version"),
                (*SETPOINT, "plan", "-e", new),
                (*SETPOINT, "compile", "-e", new, "-o", f"{folder}/{number}"),
            )
            for runs, command in zip(found.values(), commands, strict=True):
                runs.append(cost(*command, env=env))
    # The first round fills the caches: the byte code, the knowledge base, the tables of the grammar.
    return {name: min(runs[1:]) for name, runs in found.items()}


def one_more_policy(says: Callable[[int], str] = lambda number: f"{POLICY}; sockets 2;") -> float:
    """CPU seconds for one more policy in a process that has planned before: parse, bind, resolve. `says` is the text of
    each."""
    from setpoint.compiler.diagnostics.source import SourceText
    from setpoint.compiler.knowledge.load import standard
    from setpoint.compiler.language.parse import parse
    from setpoint.compiler.language.program import Program
    from setpoint.compiler.pipeline import planned

    knowledge = standard()
    rounds = 200
    start = time.process_time()
    for number in range(rounds):
        body = parse(SourceText(f"host-{number}.tune", f"# host {number}\n{says(number)}")).body
        planned(Program(f"host-{number}", body, (), {}), knowledge)
    return (time.process_time() - start) / rounds


def differing(number: int) -> str:
    """A policy as sites write them; few others say the same."""
    chance = random.Random(number)
    facts = f"goal {chance.choice(GOALS)}; {chance.choice(SERVERS)}; workload {chance.choice(WORK)}; os {chance.choice(SYSTEMS)};"
    return f'{facts} set {chance.choice(SETS)} because "measured, LAB-{number}";'


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "XDG_CACHE_HOME": cache}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        found = start_up(env)
    bare = found["bare"].cpu
    print(f"bare interpreter            {1000 * bare:6.1f} ms CPU (least of {ROUNDS})")
    for name in ("version", "plan", "compile"):
        cpu = found[name].cpu
        print(
            f"{name:8} on the command line {1000 * cpu:6.1f} ms CPU, {cpu / bare:.1f} times the bare interpreter"
        )
    print(f"one more policy in process  {1000 * one_more_policy():6.1f} ms CPU")
    print(f"one more that says something else {1000 * one_more_policy(differing):6.1f} ms CPU")


if __name__ == "__main__":
    main()
