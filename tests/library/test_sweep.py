"""Plans of all servers for all that the library knows, of which no policy sets anything: what is true of each of them
(`support.soundness`).

By day the commit draws a part of the plans, at night there are plans of each server with each goal, workload and
operating system. Slips that are planted in a small knowledge base show that each kind of fault is found.
"""

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from proof import small

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.resolution import decisions
from support.effort import is_complete
from support.schedule import commit
from support.soundness import Fault, Soundness
from support.sweep import Cell, cells, outcome, part

GOALS = ("latency", "performance", "throughput", "balanced", "efficiency", "density")

SHOWN = 3
"""How many policies are named for each fault."""


@pytest.mark.parametrize("goal", GOALS)
def test_plans_of_which_the_library_decides_all_are_sound(goal: str) -> None:
    knowledge, random = standard(), Random(commit())
    check = Soundness(knowledge)
    texts = [cell.drawn(knowledge, random) for cell in _today() if ("goal", goal) in cell.facts]
    assert texts
    found: dict[Fault, list[str]] = {}
    for text in texts:
        for fault in faults(check, knowledge, text):
            found.setdefault(fault, []).append(text)
    if found:
        shown = (f"{': '.join(fault)}\n    " + "\n    ".join(texts[:SHOWN]) for fault, texts in found.items())
        pytest.fail("\n".join(shown), pytrace=False)


def faults(check: Soundness, knowledge: Knowledge, text: str) -> list[Fault]:
    """What is wrong with the plan of a policy; nothing if its facts contradict each other."""
    done = outcome(knowledge, text)
    if done is None:
        return []
    errors = [Fault("stopped", each.code, each.message) for each in done.findings.errors]
    return [*errors, *(check.faults(done.plan) if done.plan else ())]


@cache
def _today() -> list[Cell]:
    whole = cells(standard(), is_complete())
    return whole if is_complete() else part(whole, commit())


def test_each_goal_is_planned() -> None:
    assert {*GOALS} == {*standard().values["goal"]}


def test_a_few_commits_draw_all_cells() -> None:
    whole = cells(standard(), is_whole=False)
    days = range(-(-len(whole) // len(part(whole, 0))) + 1)
    assert {cell for day in days for cell in part(whole, day)} == {*whole}


# ------------------------------------------------------------------------------------------- slips that are found


class Slip(NamedTuple):
    """A change to the small knowledge base, and a policy whose plan then has a fault of a kind, about something."""

    pattern: str
    instead: str
    policy: str
    kind: str
    what: str


SLIPS = {
    "a hazard that is for all goals": Slip(
        "goal not latency, c-states off", "c-states off", "goal latency", "warns of its own advice", "idle-power"
    ),
    "advice that is for all goals": Slip(
        r"goal latency;\s+use c-states off", "goal any; use c-states off", "goal balanced",
        "limits idle states under balanced", "c-states",
    ),
    "an argument that nothing asks for": Slip(
        r"c-states off, goal any;\s+use intel-idle", "os linux, goal any; use intel-idle", "goal efficiency; os linux",
        "limits idle states under efficiency", "intel-idle",
    ),
    "a need that is forgotten": Slip(
        r"constraint devices .*", "", "goal latency; workload dpdk", "unmet need", "devices by VFIO"
    ),
    "a way to take a need away that is forgotten": Slip(
        r"case gone when vendor .*", "", "goal latency; workload dpdk; vendor dell; cpu small", "unmet need", "devices by VFIO"
    ),
    "guests that are forgotten": Slip(
        "workload virtualized; require", "workload web; require", "goal latency; workload virtualized", "unmet need", "guests"
    ),
    "CPUs that are forgotten": Slip(
        r"case few when x2apic off;", "", "goal latency; cpu big; sockets 2", "unmet need", "CPUs above number 255"
    ),
    "the other maker's driver": Slip(
        "os linux, cpu-vendor not amd", "os linux", "goal latency; os linux; cpu big",
        "names the other maker's on amd", "intel-idle",
    ),
    "the other maker's warning": Slip(
        r"not latency, c-states off;\s+because .*?;", 'latency, c-states off; because "SVM is off";', "goal latency; cpu small",
        "names the other maker's on intel", "idle-power",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_found(name: str) -> None:
    slip = SLIPS[name]
    text, number = re.subn(slip.pattern, slip.instead, SOUND)
    assert number == 1
    knowledge = small.knowledge(base=text)
    found = faults(Soundness(knowledge), knowledge, slip.policy)
    assert (slip.kind, slip.what) in {(fault.kind, fault.what) for fault in found}


def test_a_value_that_nobody_asked_for_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the statements are, it takes a slip of the compiler to write one."""
    monkeypatch.setattr(decisions, "unasked", lambda *_: set())
    knowledge = small.knowledge(base=SOUND)
    found = faults(Soundness(knowledge), knowledge, "goal balanced")
    assert [(fault.kind, fault.what) for fault in found] == [("written unasked", "fans")]


SOUND = Path(__file__).with_name("sound.tune").read_text(encoding="utf-8")


@pytest.mark.parametrize("policy", [slip.policy for slip in SLIPS.values()])
def test_without_a_slip_nothing_is_found(policy: str) -> None:
    knowledge = small.knowledge(base=SOUND)
    assert faults(Soundness(knowledge), knowledge, policy) == []
