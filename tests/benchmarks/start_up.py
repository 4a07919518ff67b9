"""How fast a plan comes: CPU time as a multiple of a bare interpreter, measured in the same run.

    make bench

Two figures: a plan on the command line, of a text that was never seen before; and in one process the cost of
one more policy. Absolute times depend on the machine; the multiple hardly does.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from statistics import median

ROUNDS = 15
POLICY = "goal latency; cpu westmere; workload comm-bound"


def cpu_of(command: list[str], env: dict[str, str]) -> float:
    """The CPU seconds, user and system, of one run of a command as the kernel accounts for them."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def one_more_policy() -> float:
    """CPU seconds for one more policy in a process that has planned before: parse, bind, resolve."""
    from setpoint.compiler.diagnostics.source import SourceText
    from setpoint.compiler.knowledge.load import standard
    from setpoint.compiler.language.parse import parse
    from setpoint.compiler.language.program import Program
    from setpoint.compiler.pipeline import planned

    knowledge = standard()
    rounds = 200
    start = time.process_time()
    for number in range(rounds):
        text = f"# host {number}\n{POLICY}; sockets 2;"
        body = parse(SourceText(f"host-{number}.tune", text)).body
        planned(Program(f"host-{number}", body, (), {}), knowledge)
    return (time.process_time() - start) / rounds


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "XDG_CACHE_HOME": cache}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        bare = [sys.executable, "-c", "pass"]
        plan = [sys.executable, "-m", "setpoint.compiler", "plan", "-e"]
        for command in (bare, [*plan, POLICY]):
            cpu_of(command, env)  # warm: the byte code, the knowledge base, the tables of the grammar
        rounds = []
        for number in range(ROUNDS):
            new = f"{POLICY}; # seen by nobody, {number}"
            rounds.append((cpu_of(bare, env), cpu_of([*plan, new], env)))
    floor, cold = (median(column) for column in zip(*rounds, strict=True))
    print(f"bare interpreter            {1000 * floor:6.1f} ms CPU (median of {ROUNDS})")
    print(
        f"a plan on the command line  {1000 * cold:6.1f} ms CPU, {cold / floor:.1f} times the bare interpreter"
    )
    print(f"one more policy in process  {1000 * one_more_policy():6.1f} ms CPU")


if __name__ == "__main__":
    main()
