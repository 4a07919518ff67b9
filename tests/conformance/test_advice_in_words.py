"""What papers, help texts and manuals advise in words, not in tables: where each is quoted, and that it is nowhere
else.

This is the knowledge base a second time, as double entry has it: each line was read off its source, and is compared
with who is heard in the plans of a grid of policies, whether or not he prevails. A line is
`setting value | where | place`.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest
from knowledge.refusals import spelt

from conformance.printed import asked
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import IN_SCOPE, Knowledge
from setpoint.compiler.plan.model import Cause, Loser, Plan
from support.ask import outcome

ADVICE = """
dell-11g-hpc | platform poweredge-11g
    BIOS Settings                                    | c-states off                     | goal performance, workload latency-bound
    Figure 10                                        | c-states off                     | goal latency, workload hpc or latency-bound
    Figure 12                                        | cpu-power-management system-dbpm | goal efficiency, workload comm-bound
    Figure 13                                        | turbo off                        | goal efficiency, workload hpc
    Figure 5                                         | c-states on                      | goal efficiency, workload interactive
    Figure 6                                         | node-interleaving off            | goal performance, workload hpc
    Figure 9                                         | turbo on                         | goal performance, interconnect infiniband, workload hpc
    New options introduced in Intel Xeon 5600 series | qpi-bandwidth-priority compute   | cpu westmere, goal balanced or efficiency or latency or performance or throughput, workload not io-bound
    New options introduced in Intel Xeon 5600 series | qpi-bandwidth-priority io        | cpu westmere, workload io-bound
    Node Interleaving (Performance), first case      | node-interleaving on             | process-memory exceeds-socket
    Node Interleaving (Performance), second case     | node-interleaving on             | memory-locality poor
    Node Interleaving (Performance), third case      | node-interleaving on             | numa unaware
    Table 6                                          | c1e off                         | c-states off, goal not efficiency
    Table 4                                          | cpuspeed-service off             | cpu-power-management max-performance or system-dbpm, os rhel-5 or rhel-6
    Turbo Mode and C-States                          | cpuspeed-service on              | cpu-power-management os-dbpm, os rhel-5 or rhel-6
    Turbo Mode and C-States                          | force-latency none               | c-states on, goal performance or throughput, os linux-4.12 or rhel-7, turbo on, workload hpc
dell-12g-tuning | platform poweredge-12g
    Alternate RTID setting                | alternate-rtid off              | always
    C-States and C1E options; Figure 21   | c-states on                     | goal efficiency
    C-States and C1E options; Figure 21   | c1e on                          | goal efficiency
    CPU Power Management modes            | cpuspeed-service on             | cpu-power-management os-dbpm, os rhel-5 or rhel-6
    Collaborative CPU Performance Control | collaborative-cpu-control off   | always
    Execute disable                       | execute-disable on              | always
    Figure 22, and the text after it      | intel-idle off                  | c-states off, goal latency, virtual-machine not yes
    Figure 6                              | memory-mode optimizer           | goal latency
    Figures 18, 19 and 20                 | turbo off                       | goal efficiency
    Figures 18, 19 and 20                 | turbo on                        | goal throughput
    Figures 5 and 7                       | memory-mode optimizer           | goal throughput
    Logical Processor                     | smt off                         | goal not latency, workload hpc
    Logical Processor                     | smt on                          | goal balanced or density
    Logical Processor; Figures 10 and 11  | smt on                          | goal throughput
    Logical processor idling              | logical-processor-idling off    | always
    Memory Management section             | memory-patrol-scrub standard    | goal latency or performance or throughput
    Memory Management section             | memory-refresh-rate 1x          | goal latency or performance or throughput
    Memory Management section             | memory-voltage auto             | goal latency or performance or throughput
    Memory frequency                      | memory-frequency maximum        | dimms-per-channel 3, goal latency or performance or throughput
    Memory operating voltage              | memory-voltage 1.5v             | dimm-voltage not 1.5v, dimms-per-channel 3, memory-frequency 1333
    Memory operating voltage              | memory-voltage auto             | dimm-voltage 1.35v, goal efficiency
    Monitor/Mwait                         | monitor-mwait on                | goal latency, smt on
    Node Interleaving                     | node-interleaving on            | goal balanced or performance or throughput, memory-locality poor
    Node Interleaving                     | node-interleaving on            | goal balanced or performance or throughput, process-memory exceeds-socket
    Node Interleaving                     | node-interleaving on            | numa unaware
    Number of cores per processor         | cores-per-processor all         | always
    Processor prefetchers                 | adjacent-cache-line-prefetch on | always
    Processor prefetchers                 | adjacent-cache-line-prefetch on | workload virtualized
    Processor prefetchers                 | dcu-ip-prefetcher on            | always
    Processor prefetchers                 | dcu-ip-prefetcher on            | workload virtualized
    Processor prefetchers                 | dcu-streamer-prefetcher on      | always
    Processor prefetchers                 | dcu-streamer-prefetcher on      | workload virtualized
    Processor prefetchers                 | hardware-prefetcher on          | always
    Processor prefetchers                 | hardware-prefetcher on          | workload virtualized
    QPI Speed                             | qpi-speed maximum               | sockets 2 or 4
    System Profiles comparison            | system-profile dense            | goal density
    System Profiles comparison; Figure 13 | system-profile dapc             | goal balanced
    Virtualization technology             | virtualization on               | always
dell-14g-hpc | platform poweredge-14g
    Conclusion                  | system-profile performance | goal performance or throughput
    Figure 2                    | sub-numa-cluster off       | goal performance or throughput, memory-locality good
    Figure 4                    | sub-numa-cluster off       | goal efficiency
    Sub-NUMA cluster            | sub-numa-cluster off       | goal balanced or efficiency or performance or throughput
    System Profiles; Conclusion | system-profile dapc        | goal balanced
    System Profiles; Figure 4   | system-profile dapc        | goal efficiency
cern-nehalem
    Figure 14                  | smt-placement loose-no-smt | goal efficiency, smt on, workload hep
    Section 4.4.1              | turbo on                   | goal throughput, workload hep
    Section 5.4.1; Section 5.5 | smt-placement loose-no-smt | goal throughput, smt on, workload hep
cern-nehalem | platform poweredge-11g
    Final conclusion | smt on | goal performance, workload hep
    Final conclusion | smt on | goal throughput, workload hep
    Section 5.4      | smt on | goal efficiency, workload hep
    Section 5.4.2    | smt on | goal balanced, workload hep
dell-bios-registries | platform poweredge-12g | R720 registry
    DcuIpPrefetcher help text       | dcu-ip-prefetcher on       | workload hpc
    DcuStreamerPrefetcher help text | dcu-streamer-prefetcher on | workload hpc
    ProcAdjCacheLine help text      | adjacent-cache-line-prefetch off | memory-access random
    SriovGlobalEnable help text     | sr-iov on                  | workload virtualized
dell-bios-registries | platform poweredge-13g | R630 registry
    CorrEccSmi help text            | correctable-ecc-smi off              | goal latency
    ProcAdjCacheLine help text      | adjacent-cache-line-prefetch off     | memory-access random
    ProcAdjCacheLine help text      | adjacent-cache-line-prefetch on      | memory-access sequential
    SnoopMode help text             | snoop-mode early                     | goal balanced or latency
    SnoopMode help text             | snoop-mode home                      | goal performance or throughput, numa not unaware, workload memory-bound
    SnoopMode help text             | snoop-mode cluster-on-die            | goal performance or throughput, memory-locality good, numa not unaware, workload not memory-bound
    SriovGlobalEnable help text     | sr-iov on                            | workload virtualized
    DcuIpPrefetcher help text       | dcu-ip-prefetcher on                 | workload hpc
    DcuStreamerPrefetcher help text | dcu-streamer-prefetcher on           | workload hpc
    EnergyPerformanceBias help text | energy-performance-bias performance  | goal latency
    LogicalProc help text           | smt off                              | goal performance or throughput, workload hpc
    LogicalProc help text           | smt on                               | goal performance or throughput, workload not hpc
    NodeInterleave help text        | node-interleaving off                | numa not unaware
    NodeInterleave help text        | node-interleaving on                 | numa unaware
    ProcCores help text             | cores-per-processor all              | always
    ProcPwrPerf help text           | cpu-power-management max-performance | goal latency
    ProcVirtualization help text    | virtualization on                    | always
    QpiSpeed help text              | qpi-speed maximum                    | sockets 2 or 4
    RtidSetting help text           | alternate-rtid off                   | always
    UncoreFrequency help text       | uncore-frequency maximum             | goal latency
dell-bios-registries | platform poweredge-14g or poweredge-15g | R740 and R750 registries
    CorrEccSmi help text                  | correctable-ecc-smi off              | goal latency
    ProcAdjCacheLine help text            | adjacent-cache-line-prefetch off     | memory-access random
    ProcAdjCacheLine help text            | adjacent-cache-line-prefetch on      | memory-access sequential
    SriovGlobalEnable help text           | sr-iov on                            | workload virtualized
    SubNumaCluster help text              | sub-numa-cluster on                  | goal latency, memory-locality good, snc-support yes
    CpuInterconnectBusLinkPower help text | cpu-interconnect-link-power off      | goal latency
    DcuIpPrefetcher help text             | dcu-ip-prefetcher on                 | workload hpc
    DcuStreamerPrefetcher help text       | dcu-streamer-prefetcher on           | workload hpc
    EnergyPerformanceBias help text       | energy-performance-bias performance  | goal latency
    LogicalProc help text                 | smt off                              | goal performance or throughput, workload hpc
    LogicalProc help text                 | smt on                               | goal performance or throughput, workload not hpc
    NodeInterleave help text              | node-interleaving off                | numa not unaware
    NodeInterleave help text              | node-interleaving on                 | numa unaware
    PcieAspmL1 help text                  | pcie-aspm off                        | goal latency
    ProcCStates help text                 | c-states off                         | goal latency
    ProcCores help text                   | cores-per-processor all              | always
    ProcPwrPerf help text                 | cpu-power-management max-performance | goal latency
    ProcVirtualization help text          | virtualization on                    | always
    UncoreFrequency help text             | uncore-frequency maximum             | goal latency
dell-bios-registries | platform poweredge-15g | R750 registry
    CpuInterconnectBusSpeed help text | qpi-speed maximum | sockets 2 or 4
ibm-h207000
    Symptom | intel-idle off | c-states off, os sles-11, virtual-machine not yes
linux-cpuidle
    Idle States Control Via Kernel Command Line | acpi-idle-limit c1 | c-states off, cpu-vendor not amd, os linux, virtual-machine not yes
linux-intel-idle
    Enumeration of Idle States                              | intel-idle off | c-states off, os linux, os not rhel-5, virtual-machine not yes
    intel_idle_off_by_default(); CPUIDLE_FLAG_ALWAYS_ENABLE | intel-idle off | c-states off, os modern-linux, virtual-machine not yes
linux-intel-idle-before-5.6
    intel_idle_cpuidle_driver_init() | intel-idle off | c-states off, os sles-12 or sles-15-sp1 or sles-15-sp2 or sles-15-sp3 or ubuntu-20.04, virtual-machine not yes
redhat-202743
    Environment; Why the OS might ignore BIOS settings | intel-idle off     | c-states off, os rhel-8, virtual-machine not yes
    Resolution: kernel 2.6.18-371.1.2.el5              | acpi-idle-limit c1 | c-states off, os rhel-5, virtual-machine not yes
    Resolution: kernel 2.6.32-431.el6                  | acpi-idle-limit c1 | c-states off, cpu-vendor not amd, os rhel-6 or rhel-7 or rhel-8 or rhel-9, virtual-machine not yes
    Resolution: kernel 2.6.32-431.el6                  | intel-idle off     | c-states off, os rhel-6 or rhel-7, virtual-machine not yes
redhat-60365
    Resolution | intel-idle off | c-states off, cpu nehalem or westmere, os rhel-6, virtual-machine not yes
redhat-el10-c-states
    Disabling C-states by using a kernel command line option | acpi-idle-limit c1 | c-states off, cpu-vendor not amd, os rhel-10, virtual-machine not yes
    Disabling C-states by using a kernel command line option | intel-idle off     | c-states off, os rhel-10, virtual-machine not yes
"""

SERVERS = {
    "poweredge-11g": ("cpu nehalem", "cpu westmere"),
    "poweredge-12g": ("cpu e5-2600", "cpu e5-4600; sockets 4"),
    "poweredge-13g": ("cpu haswell; sockets 2", "platform poweredge-13g; sockets 4"),
    "poweredge-14g": ("cpu skylake",),
    "poweredge-15g": ("cpu ice-lake; platform poweredge-15g",),
}
GOALS = ("latency", "performance", "throughput", "balanced", "efficiency", "density")
BESIDES = (
    "",
    "workload hpc",
    "workload hpc; interconnect infiniband",
    "workload comm-bound",
    "workload latency-bound",
    "workload interactive",
    "workload io-bound",
    "workload virtualized",
    "workload hep",
    "workload hep; set smt on",
    "numa unaware",
    "numa aware",
    "process-memory exceeds-socket",
    "memory-locality poor",
    "memory-locality good",
    "memory-locality good; snc-support yes",
    "memory-locality good; workload memory-bound",
    "memory-access random",
    "memory-access random; workload virtualized",
    "memory-access sequential",
    "dimms-per-channel 3",
    "dimms-per-channel 3; set memory-frequency 1333",
    "dimm-voltage 1.35v",
    "os rhel 6.4; set cpu-power-management os-dbpm",
    "os rhel 7; workload hpc; set turbo on; set c-states on",
    "sockets 1",
    "set smt on",
    *(f"os {os}{besides}" for besides in ("", "; set c-states off") for os in
      ("linux", "rhel 5.3", "rhel 6.4", "rhel 7", "rhel 8", "rhel 9", "rhel 10", "sles 11", "sles 12", "windows")),
)  # fmt: skip

FOLLOWED = {
    "poweredge-13g": ("poweredge-12g",),
    "poweredge-14g": ("poweredge-12g",),
    "poweredge-15g": ("poweredge-14g", "poweredge-12g"),
}
"""The generations whose advice is used, out of scope, for a generation that has none itself."""


class Said(NamedTuple):
    """That a source advises a value in some place."""

    source: str
    place: str
    advice: str


class Line(NamedTuple):
    """A statement, the generations that it is for (none: for any), and its conditions."""

    said: Said
    platforms: tuple[str, ...]
    where: str


def lines() -> Iterator[Line]:
    """The lines of the advice above."""
    source, prefix = "", ""
    platforms: tuple[str, ...] = ()
    for line in ADVICE.strip().splitlines():
        parts = [part.strip() for part in line.split(" | ")]
        if line.startswith(" "):
            place, advice, where = parts
            yield Line(Said(source, prefix + place, advice), platforms, where)
        else:
            source = parts[0]
            platforms = tuple(parts[1].removeprefix("platform ").split(" or ")) if len(parts) > 1 else ()
            prefix = f"{parts[2]}, " if len(parts) > 2 else ""


LINES = tuple(lines())
IN_WORDS = {rule.name: rule.setting for rule in standard().rules if "." not in rule.name}
"""The rules outside of tables, and their settings; a profile may imply other settings."""


def true_of(planned: Plan) -> dict[str, set[str]]:
    """The values of the facts and settings of a plan."""
    values = {fact.name: {fact.value, *fact.above} for fact in planned.facts}
    return values | {decision.setting: {decision.value} for decision in planned.settings}


def holds(where: str, values: dict[str, set[str]]) -> bool:
    """Whether conditions are true for the facts and settings of a plan."""
    for condition in where.split(", ") if where != "always" else ():
        name, *words = condition.split()
        wanted = {word for word in words if word not in ("or", "not")}
        if bool(wanted & values.get(name, set())) == ("not" in words):
            return False
    return True


def heard(planned: Plan) -> set[Said]:
    """The advice of sources on the settings of a plan, outside of tables, whether or not it wins."""
    found = set()
    for decision in planned.settings:
        voices: list[Cause | Loser] = [*decision.because, *decision.beat]
        for voice in voices:
            value = voice.value if isinstance(voice, Loser) else decision.value
            if voice.citation and IN_WORDS.get(voice.name) == decision.setting:
                found.add(Said(voice.citation.source, voice.citation.at, f"{decision.setting} {value}"))
    return found


@cache
def plans(generation: str) -> dict[str, Plan]:
    """A plan for each policy of the grid that has one."""
    found = {}
    for server, goal, besides in product(SERVERS[generation], GOALS, BESIDES):
        policy = spelt(f"goal {goal}; {server}; {besides}".rstrip("; "))
        if (done := outcome(policy)).plan is not None and not done.is_stopped:
            found[policy] = done.plan
    return found


@pytest.mark.parametrize("generation", SERVERS)
def test_a_source_is_cited_where_it_applies_and_nowhere_else(generation: str) -> None:
    followed = (generation, *FOLLOWED.get(generation, ()))
    for policy, planned in plans(generation).items():
        values = true_of(planned)
        speak = [line for line in LINES if holds(line.where, values)]
        at_home = {said for said, platforms, _ in speak if not platforms or generation in platforms}
        allowed = {said for said, platforms, _ in speak if not platforms or set(platforms) & set(followed)}
        found = heard(planned)
        offered = {decision.setting for decision in planned.settings}
        assert {said for said in at_home if said.advice.split()[0] in offered} <= found, policy
        assert found <= allowed, policy


@pytest.mark.parametrize("generation", ["poweredge-13g", "poweredge-14g", "poweredge-15g"])
def test_a_help_text_is_in_scope_on_its_own_generation(generation: str) -> None:
    for policy, planned in plans(generation).items():
        values = true_of(planned)
        at_home = {line.said for line in LINES if generation in line.platforms and holds(line.where, values)}
        for decision in planned.settings:
            for cause in decision.because:
                if (
                    cause.citation
                    and cause.citation.source == "dell-bios-registries"
                    and cause.name in IN_WORDS
                ):
                    said = Said(
                        cause.citation.source, cause.citation.at, f"{decision.setting} {decision.value}"
                    )
                    assert (cause.steps == IN_SCOPE) == (said in at_home), policy


def test_the_grid_has_a_policy_for_each_line_and_one_without() -> None:
    every = [true_of(planned) for generation in SERVERS for planned in plans(generation).values()]
    for line in LINES:
        assert any(holds(line.where, values) for values in every), line
        assert line.where == "always" or any(not holds(line.where, values) for values in every), line


def test_a_rule_in_words_has_the_conditions_of_its_line(knowledge: Knowledge) -> None:
    """The grid shows the effect of each condition; this shows that there are no others, and that none is missing that
    the grid cannot show.
    """
    expected = set()
    for said, platforms, where in LINES:
        of = f"platform {' or '.join(platforms)}" if platforms else "always"
        expected.add((said, tuple(sorted({**asked(of, knowledge), **asked(where, knowledge)}.items()))))
    rules = [rule for rule in knowledge.rules if rule.name in IN_WORDS]
    found = {
        (Said(*rule.citation, f"{rule.setting} {rule.value}"), tuple(sorted(rule.when))) for rule in rules
    }
    assert expected <= found
