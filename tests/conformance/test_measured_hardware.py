"""The hardware on which each figure behind a measured rule was measured: the strength applies there, and not on related
hardware.

A line is `rule | setting | the rest of the policy`, under servers of the processor generation on the test bed, and,
behind `||`, under its relatives. The test beds, as the papers name them:

* the 11G paper: the caption of each figure has an R610, or 16 M610, with two X5570;
* the 12G paper: "All testing was done … with the Intel Xeon processor E5-2600 product family" (Introduction), in
  servers of two sockets ("a 16-core, dual-socket system", Logical Processor);
* the 14G paper: a C6420 with two Gold 6150 (Table 1);
* CERN: L5520, E5540 and X5570, two each (Section 3.1); test40 and tbb on the X5570 (Figures 9 to 14).
"""

from typing import NamedTuple

import pytest
from knowledge.refusals import spelt

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.plan.model import Cause, Loser, Plan
from support.ask import plan

MEASURED = """
platform m610; cpu x5570 | cpu e5540 | cpu nehalem || cpu x5570; sockets 1 | platform m610; cpu x5670 | cpu westmere
    apc-for-communication                | cpu-power-management | goal efficiency; workload comm-bound
    turbo-for-performance                | turbo                | goal performance; workload hpc; interconnect infiniband
    turbo-off-for-efficiency             | turbo                | goal efficiency; workload hpc
    c-states-on-for-idle-power           | c-states             | goal efficiency; workload interactive
platform r610; cpu x5570 | platform r710; cpu x5570 | cpu nehalem || platform r610; cpu x5670 | cpu westmere
    c-states-off-for-latency             | c-states             | goal latency; workload hpc
    node-interleaving-off-for-hpc        | node-interleaving    | goal performance; workload hpc
cpu e5-2600 | cpu e5-2690 || cpu e5-2400 | cpu e5-4600 | cpu e5-4600; sockets 4 | cpu e5-2690; sockets 1
    balanced-profile-12g                 | system-profile       | goal balanced
    turbo-for-throughput-12g             | turbo                | goal throughput
    turbo-for-efficiency-12g             | turbo                | goal efficiency
    c-states-for-efficiency-12g          | c-states             | goal efficiency
    c1e-for-efficiency-12g               | c1e                  | goal efficiency
    smt-throughput-12g                   | smt                  | goal throughput
    memory-mode-throughput-12g           | memory-mode          | goal throughput
    memory-mode-latency-12g              | memory-mode          | goal latency
platform c6420; cpu xeon-gold-6150 | cpu xeon-gold-6130; platform r740 | cpu skylake || cpu xeon-gold-6150; sockets 1
    snc-off-for-idle-power               | sub-numa-cluster     | goal efficiency; workload hpc
cpu l5520 | cpu x5550 | cpu nehalem || cpu e5540; sockets 1
    smt-for-physics-throughput           | smt                  | goal throughput; workload hep
    smt-for-physics-performance          | smt                  | goal performance; workload hep
    turbo-for-physics-throughput         | turbo                | goal throughput; workload hep
cpu e5540 || cpu e5540; sockets 1
    turbo-for-physics-energy-e5540       | turbo                | goal efficiency; workload hep
cpu l5520 || cpu l5520; sockets 1
    turbo-for-physics-energy-l5520       | turbo                | goal efficiency; workload hep
cpu x5570 || cpu x5570; sockets 1
    turbo-off-for-physics-energy-x5570   | turbo                | goal efficiency; workload hep
cpu x5570 | cpu l5520 | cpu nehalem || cpu x5570; sockets 1
    smt-for-physics-energy               | smt                  | goal efficiency; workload hep
    smt-for-physics-balance              | smt                  | goal balanced; workload hep
    physics-jobs-on-cores-first          | smt-placement        | goal throughput; workload hep; os slc 5
"""


class Line(NamedTuple):
    """A rule that rests on figures, under a policy and on a server."""

    rule: str
    setting: str
    policy: str
    server: str
    strength: str


def lines() -> list[Line]:
    """Each rule on the servers that were measured, where it is `measured`, and on related ones, where it is
    `vendor`."""
    found, servers = [], []
    for line in MEASURED.strip().splitlines():
        if not line.startswith(" "):
            sides = zip(("measured", "vendor"), line.split(" || "), strict=True)
            servers = [(server.strip(), strength) for strength, side in sides for server in side.split(" | ")]
            continue
        rule, setting, policy = (part.strip() for part in line.split(" | "))
        found += [Line(rule, setting, policy, server, strength) for server, strength in servers]
    return found


def strength(planned: Plan, setting: str, rule: str) -> str:
    """How much a rule weighs in a plan, whether it prevails or not."""
    decided = planned.setting(setting)
    assert decided is not None
    voices: list[Cause | Loser] = [*decided.because, *decided.beat]
    return next(voice.strength for voice in voices if voice.name == rule)


@pytest.mark.parametrize("line", lines(), ids=lambda line: f"{line.rule}, {line.server}")
def test_advice_is_measured_on_the_hardware_of_the_figure_and_elsewhere_the_vendors_word(line: Line) -> None:
    planned = plan(spelt(f"{line.policy}; {line.server}"))
    if planned.setting(line.setting) is None:  # one socket has nothing to interleave
        return
    assert strength(planned, line.setting, line.rule) == line.strength


def test_no_rule_that_rests_on_figures_is_left_out() -> None:
    """Every rule of strength measured names its hardware, and is listed above."""
    rules = [rule for rule in standard().rules if rule.strength == "measured"]
    assert {rule.name for rule in rules} == {line.rule for line in lines()}
    assert all(rule.measured_when for rule in rules)
