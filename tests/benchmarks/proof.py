"""The cost of `kb check`: CPU time and peak memory.

    make bench-proof            after each kind of edit, as somebody who writes the library makes them, and from nothing
    make bench-proof OF=10      of the library with ten vendors, from nothing

The vendors are copies of the library's servers (`support.copies`). What does not occur together should cost its sum,
so that the time for each vendor stays about the same.

Before an edit all of the library is proven, in the same run: so each cost is also a part of that from nothing, which
depends less on the machine.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.cost import Cost, FailedError, cost
from support.command import ROOT
from support.copies import write

VENDORS = (1, 4, 10)
LIMIT = 180
"""The CPU seconds that a check may take."""

NOTHING, NONE = "from nothing", "none"
"""The rows without an edit: nothing is proven yet, and all is."""

SYSCTL = 'in "vm.swappiness"'
CELL = 'governor                performance  at "latency-performance, [cpu] governor"'
REASON = "C-states are on here so that"
TUNING, LIMITS, SPELLING = "linux/tuning.tune", "linux/limits.tune", "linux/spelling.tune"


class Edit(NamedTuple):
    """Texts that are added to files, and what is replaced in one of them: its name, what is there, and what comes
    instead."""

    added: Mapping[str, str] = MappingProxyType({})
    replaced: tuple[str, str, str] | None = None

    def make(self, folder: Path) -> None:
        """Make the edit in a copy of the library."""
        for name, text in self.added.items():
            (folder / name).write_text((folder / name).read_text("utf-8") + text, encoding="utf-8")
        if self.replaced:
            name, old, new = self.replaced
            before = (folder / name).read_text("utf-8")
            assert before.count(old) >= 1, (name, old)
            (folder / name).write_text(before.replace(old, new, 1), encoding="utf-8")


EDITS = {
    "a sysctl added": Edit({
        "settings.tune": 'setting page-lock-unfairness { title "Page locks"; layer os; range 0 to 1000; }\n',
        LIMITS: 'options of linux-sysctl when os linux { page-lock-unfairness 0 to 1000 "*" default 5 at "vm: page_lock_unfairness"; }\n',
        SPELLING: 'spelling sysctl of linux-sysctl when os linux { page-lock-unfairness in "vm.page_lock_unfairness" at "vm: page_lock_unfairness"; }\n',
    }),
    "a rule's reason changed": Edit(replaced=(TUNING, REASON, REASON.replace("here so", "here, so"))),
    "a rule's value changed": Edit(replaced=(TUNING, CELL, CELL.replace("performance", "schedutil", 1))),
    "a rule added": Edit({TUNING: 'rule more-swap of tuned-profiles at "latency-performance, [sysctl] vm.swappiness" { when os rhel-8, goal latency, workload hpc; use swappiness 11; because "tried"; }\n'}),
    "a constraint added": Edit({TUNING: 'constraint swap-with-dirty of linux-vm-table at "vm_table: swappiness" { when swappiness 0; require dirty-ratio 5 to 100; because "tried"; }\n'}),
    "a server added": Edit({"firmware/cisco-ucs.tune": 'platform c480-m5 of cisco-bios-templates at "M5-Intel" { title "Cisco UCS C480 M5"; within ucs-m5; reported as product "UCSC-C480-M5*" of easyucs-catalogue at "catalog/racks"; }\n'}),
    "a processor added": Edit({"hardware/skylake.tune": 'cpu skylake-added of dell-14g-hpc at "Description of the Skylake processor" { title "Another"; within skylake; }\n'}),
    "a spelling changed": Edit(replaced=(SPELLING, SYSCTL, 'in "vm.swappines"')),
    "a source added": Edit({LIMITS: 'source further { title "Further"; publisher "Linux"; url "https://example.com/"; }\n'}),
    "a place added to a source's contents": Edit(replaced=(TUNING, '"[sysctl] vm.swappiness"', '"[sysctl] vm.swap", "[sysctl] vm.swappiness"')),
    "lines moved": Edit(replaced=(TUNING, "source ", "\n\nsource ")),
    "a typing error": Edit(replaced=(TUNING, "os rhel-7 or linux-4.12, workload hpc", "os rhl-7 or linux-4.12, workload hpc")),
}  # fmt: skip
"""What somebody who writes the library does between two checks."""

PROVEN = """
import json, resource, sys
from setpoint.compiler.cli.kb.check import run_check
from setpoint.compiler.proof.memory import KeptMemory

again = 0
learn = KeptMemory.learn

def counted(self, *learnt):
    global again
    again += 1
    learn(self, *learnt)

KeptMemory.learn = counted
try:
    status = run_check(["--quiet", sys.argv[1]])
except Exception:
    status = 1
used = resource.getrusage(resource.RUSAGE_SELF)
print()
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, status, again]))
"""
"""A check, which counts the parts that it has to prove."""


class Proven(NamedTuple):
    """What a check costs, and how many parts of the proof it had to prove."""

    cost: Cost
    again: int


def checked(vendors: int) -> Cost:
    """What a check of the library with so many vendors costs, with nothing kept from earlier ones.

    Raises TooLongError, and FailedError if it does not pass: beyond its bounds (K20) it proves nothing, which costs
    little.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        write(vendors, Path(folder))
        command = (sys.executable, "-m", "setpoint.compiler", "kb", "check", folder)
        env = {**os.environ, "XDG_CACHE_HOME": cache}
        cost(*command[:3], "plan", "-e", "goal latency", env=env)  # fills the cache of the library itself
        return cost(*command, limit=LIMIT, env=env)


def edited() -> Iterator[tuple[str, Proven]]:
    """What a check costs from nothing, then without an edit, then after each of them."""
    with tempfile.TemporaryDirectory() as place:
        library, warm, cache, copy = (Path(place) / name for name in ("library", "warm", "cache", "copy"))
        write(1, library)
        yield NOTHING, _proven(library, warm)
        for name, edit in {NONE: Edit(), **EDITS}.items():
            for folder, of in ((cache, warm), (copy, library)):
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(of, folder)
            edit.make(copy)
            yield name, _proven(copy, cache)


def _proven(library: Path, cache: Path) -> Proven:
    env = {
        **os.environ,
        "XDG_CACHE_HOME": str(cache),
        "PYTHONPATH": os.pathsep.join((str(ROOT / ".dev"), os.environ.get("PYTHONPATH", ""))),
    }
    command = (sys.executable, "-c", PROVEN, str(library))
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    cpu, memory, status, again = json.loads(done.stdout.splitlines()[-1])
    return Proven(Cost(cpu, memory, status), again)


def main() -> None:
    """Measure and print."""
    for vendors in map(int, sys.argv[1:]):
        try:
            used = checked(vendors)
        except FailedError:
            print(f"{vendors:3} vendors: not proven")
            continue
        print(
            f"{vendors:3} vendors: {used.cpu:6.1f} s CPU, {used.cpu / vendors:4.1f} s each; {used.memory:5.0f} MiB"
        )
    if not sys.argv[1:]:
        whole = 0.0
        for name, proven in edited():
            whole = whole or proven.cost.cpu
            part = f"{proven.cost.cpu / whole:5.0%} of all; {proven.again:3} parts proven"
            print(
                f"{name:38} {proven.cost.cpu:6.1f} s CPU, {proven.cost.memory:5.0f} MiB; {part}", flush=True
            )


if __name__ == "__main__":
    main()
