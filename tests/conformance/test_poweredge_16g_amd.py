"""What the library says of Dell's servers with EPYC 9004: attributes, values and defaults, as two servers had them.

No registry of such a server is at hand. `SEEN` is typed from what is: the attribute that a setting has, the values of
an R7615 as it was captured and of an R6615 after a factory reset, which are the same, and the texts of other values,
with where they were seen. A text that nobody has shown is `?`: the library has the value, and leaves it to a person at
the server's menu.
"""

from __future__ import annotations

import re

import pytest

from conformance.printed import offered, policies, requests, rows, spelled
from registries import read
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Citation, Knowledge
from setpoint.compiler.plan.model import Plan
from setpoint.targets.kernel_args import TARGET as KERNEL_ARGS
from setpoint.targets.redfish import TARGET as REDFISH
from support.machines import GOALS
from support.plans import planned

CAPTURE = "dell-16g-R7615-amd"
HERE = "platform poweredge-16g-amd"

SEEN = """
system-profile                | SysProfile               | performance PerfOptimized             | custom Custom (R6615 of a WEKApod)
cpu-power-management          | ProcPwrPerf              | max-performance MaxPerf               | os-dbpm OsDbpm (EPYC 9004 page)
memory-frequency              | MemFrequency             | maximum MaxPerf                       |
turbo                         | ProcTurboMode            | on Enabled                            | off Disabled (XE8545 menu)
c-states                      | ProcCStates              | off Disabled                          | on Enabled (EPYC 9004 page)
memory-patrol-scrub           | MemPatrolScrub           | standard Standard                     |
memory-refresh-rate           | MemRefreshRate           | 1x 1x                                 |
pcie-aspm                     | PcieAspmL1               | off Disabled                          | on Enabled (R7515 menu)
determinism                   | DeterminismSlider        | power PowerDeterminism                | performance PerfDeterminism (R6615 of a WEKApod)
fabric-power-management       | ApbDis                   | on Disabled                           | off Enabled (EPYC 9004 page)
amd-power-profile             | PowerProfileSelect       | high-performance HighPerformanceMode  | maximum-io MaxIOPerformanceMode (R6615 of a WEKApod)
data-fabric-c-states          | DfCState                 | on Enabled                            | off Disabled (R6615 of a WEKApod)
fabric-frequency-optimizer    | DfPstateFreqOptimizer    | on Enabled                            | off Disabled (R6615 of a WEKApod)
fabric-latency-optimizer      | DfPstateLatencyOptimizer | on Enabled                            | off Disabled (R6615 of a WEKApod)
smt                           | LogicalProc              | on Enabled                            | off Disabled (R6615 of a WEKApod)
virtualization                | ProcVirtualization       | on Enabled                            | off Disabled (R6615 of a WEKApod)
iommu                         | IommuSupport             | on Enabled                            | off Disabled (bios_settings.yml)
x2apic                        | ProcX2Apic               | on Enabled                            | off Disabled (bios_settings.yml)
numa-nodes-per-socket         | NumaNodesPerSocket       | 1 1                                   | 2 2 (EPYC 9004 page), 4 4 (dell.go)
l3-as-numa                    | CcxAsNumaDomain          | off Disabled                          | on Enabled (EPYC 9004 page)
l1-stream-prefetcher          | L1StreamHwPrefetcher     | on Enabled                            | off ?
l2-stream-prefetcher          | L2StreamHwPrefetcher     | on Enabled                            | off ?
l1-stride-prefetcher          | L1StridePrefetcher       | on Enabled                            | off ?
l1-region-prefetcher          | L1RegionPrefetcher       | on Enabled                            | off ?
l2-up-down-prefetcher         | L2UpDownPrefetcher       | on Enabled                            | off ?
configurable-tdp              | ProcConfigTdp            | maximum Maximum                       | minimum ?
madt-core-enumeration         | MadtCoreEnumeration      | linear Linear                         |
transparent-memory-encryption | TransparentSme           | off Disabled                          | on ?
correctable-ecc-smi           | CorrEccSmi               | on Enabled                            | off Disabled (R750)
memory-test                   | MemTest                  | off Disabled                          | on Enabled (R750)
sr-iov                        | SriovGlobalEnable        | off Disabled                          | on Enabled (R750)
"""

PROFILE_PAGE = """
system-profile cpu-power-management memory-frequency turbo c-states memory-patrol-scrub memory-refresh-rate pcie-aspm determinism
fabric-power-management amd-power-profile data-fabric-c-states fabric-frequency-optimizer fabric-latency-optimizer
"""
"""The settings of the page System Profile Settings: of the R7515's menu, and of the script that lists the page of later
ones."""

INTEL_ONLY = """
monitor-mwait c1e uncore-frequency energy-performance-bias energy-efficient-turbo sub-numa-cluster node-interleaving
hardware-prefetcher adjacent-cache-line-prefetch dcu-ip-prefetcher dcu-streamer-prefetcher llc-prefetch upi-prefetch xpt-prefetch
cpu-interconnect-link-power qpi-speed directory-atos dead-line-llc-alloc memory-mode
"""
"""What a server of the same generation has with Intel's processors (R760xa), and the R7615 has not."""


MENUS = """
System Profile Settings | system-profile             | System Profile                               | Performance, Custom
System Profile Settings | cpu-power-management       | CPU Power Management                         | Maximum Performance, OS DBPM
System Profile Settings | memory-frequency           | Memory Frequency                             | Maximum Performance
System Profile Settings | turbo                      | Turbo Boost                                  | Enabled, Disabled
System Profile Settings | c-states                   | C States                                     | Enabled, Disabled
System Profile Settings | memory-patrol-scrub        | Memory Patrol Scrub                          | Standard
System Profile Settings | memory-refresh-rate        | Memory Refresh Rate                          | 1x
System Profile Settings | pcie-aspm                  | PCI ASPM L1 Link Power Management            | Enabled, Disabled
System Profile Settings | determinism                | Determinism Slider                           | Power Determinism, Performance Determinism
System Profile Settings | fabric-power-management    | Algorithm Performance Boost Disable (ApbDis) | Disabled, Enabled
System Profile Settings | amd-power-profile          | Power Profile Select                         | ,
System Profile Settings | data-fabric-c-states       | DF CState                                    | Enabled, Disabled
System Profile Settings | fabric-frequency-optimizer | DF PState Frequency Optimizer                | Enabled, Disabled
System Profile Settings | fabric-latency-optimizer   | DF PState Latency Optimizer                  | Enabled, Disabled
Processor Settings | smt                           | Logical Processor                            | Enabled, Disabled
Processor Settings | virtualization                | Virtualization Technology                    | Enabled, Disabled
Processor Settings | iommu                         | IOMMU Support                                | Enabled, Disabled
Processor Settings | x2apic                        | x2APIC Mode                                  | Enabled, Disabled
Processor Settings | numa-nodes-per-socket         | NUMA Nodes Per Socket                        | 1, 2, 4
Processor Settings | l3-as-numa                    | L3 cache as NUMA Domain                      | Disabled, Enabled
Processor Settings | l1-stream-prefetcher          | L1 Stream HW Prefetcher                      | Enabled,
Processor Settings | l2-stream-prefetcher          | L2 Stream HW Prefetcher                      | Enabled,
Processor Settings | configurable-tdp              | Configurable TDP                             | Maximum, Minimum
Processor Settings | madt-core-enumeration         | MADT Core Enumeration                        | Linear
Processor Settings | transparent-memory-encryption | Transparent Secure Memory Encryption         | Disabled,
Memory Settings    | correctable-ecc-smi           | Correctable Memory ECC SMI                   | Enabled, Disabled
Memory Settings    | memory-test                   | System Memory Testing                        | Disabled, Enabled
Integrated Devices | sr-iov                        | SR-IOV Global Enable                         | Disabled, Enabled
"""
"""The menus: of an R7515 and an XE8545, of the script for what is newer, and of the R750 for memory and devices."""


def seen() -> dict[str, tuple[str, dict[str, str], str]]:
    """Of each setting: its attribute, the text of each value ("?" where it is unknown), the value that both servers
    had."""
    found = {}
    for setting, attribute, had, others in rows(SEEN):
        pairs = [had, *(each.partition(" (")[0] for each in others.split(", ") if each)]
        texts = dict(each.split(" ", 1) for each in pairs)
        found[setting] = attribute, texts, had.split(" ", 1)[0]
    return found


def of_the_firmware(plan: Plan) -> dict[str, str]:
    return {each.setting: each.value for each in plan.settings if each.layer == "firmware"}


def test_the_server_had_the_values_that_the_library_has_for_its_defaults() -> None:
    current = read(CAPTURE)["current"]
    assert {name: current[name] for name, _, _ in seen().values()} == {
        name: texts[default] for name, texts, default in seen().values()
    }
    plan = planned("goal performance; platform r7615")
    assert of_the_firmware(plan) == {setting: default for setting, (_, _, default) in seen().items()}


def test_the_defaults_are_known_but_for_the_profile(knowledge: Knowledge) -> None:
    members = set(PROFILE_PAGE.split()) - {"system-profile"}
    for setting, (_, _, default) in seen().items():
        offer = offered(knowledge, HERE, setting)
        is_open = setting in members or setting == "system-profile"
        assert (offer.default, offer.unknown) == ("" if is_open else default, is_open), setting


def test_what_is_offered_has_been_seen(knowledge: Knowledge) -> None:
    for setting, (attribute, texts, _) in seen().items():
        offer = offered(knowledge, HERE, setting)
        assert set(offer.values) == set(texts), setting
        (attributes_of,) = spelled(knowledge, HERE, setting)
        assert attributes_of.names == (attribute,)
        assert {one.value: one.text or "?" for one in attributes_of.texts} == texts, setting


def test_menus_and_their_words_are_those_of_servers_like_these(knowledge: Knowledge) -> None:
    found = {}
    for setting in seen():
        offer = offered(knowledge, HERE, setting)
        found[setting] = offer.menu, tuple(offer.labels)
    expected = {
        setting: (f"{page} > {label}", tuple(word.strip() for word in words.split(",")))
        for page, setting, label, words in rows(MENUS)
    }
    assert found == expected | dict.fromkeys(found.keys() - expected.keys(), ("", ("Enabled", "")))


def test_places_are_those_of_what_was_seen(knowledge: Knowledge) -> None:
    """The attribute on the R7615, then where the other values were seen; for labels alone, the script."""
    for setting, attribute, _, others in rows(SEEN):
        offer = offered(knowledge, HERE, setting)
        places = [f"R7615, {attribute}", *dict.fromkeys(re.findall(r"\((.*?)\)", others))]
        at = offer.citation.at.removesuffix("; inventory script").split("; ")
        assert at == places or (at[:-1], setting) == (places, "configurable-tdp")


def test_nothing_that_only_intels_processors_have_is_offered() -> None:
    names = set(of_the_firmware(planned("goal latency; platform poweredge-16g-amd")))
    assert names == set(seen())
    assert not names & set(INTEL_ONLY.split())
    assert set(INTEL_ONLY.split()) <= standard().settings.keys()


def test_only_the_custom_profile_leaves_its_page_to_a_policy(knowledge: Knowledge) -> None:
    (preset,) = [one for one in knowledge.presets if knowledge.box_text(one.when) == HERE]
    members = {setting: seen()[setting][2] for setting in PROFILE_PAGE.split() if setting != "system-profile"}
    assert (preset.governor, preset.columns["performance"]) == ("system-profile", members)
    assert preset.columns["custom"] == dict.fromkeys(members, "free")


@pytest.mark.parametrize("goal", GOALS)
def test_a_request_has_only_what_servers_were_seen_with(goal: str) -> None:
    on_its_page = {seen()[setting][0] for setting in PROFILE_PAGE.split() if setting != "system-profile"}
    legal = {name: set(texts.values()) - {"?"} for name, texts, _ in seen().values()}
    reached = set()
    for text in policies(goal, ("r7615", "r6625")):
        sent = requests(planned(text))
        assert {name for name, value in sent.items() if value not in legal[name]} == set(), text
        reached |= set(sent)
        assert sent.get("SysProfile") == "Custom" or not sent.keys() & on_its_page
    assert reached <= read(CAPTURE)["current"].keys()


RULES = """
fabric-c-states-for-latency-epyc-9004         | vendor   | cpu epyc-genoa-or-turin, goal latency                                            | data-fabric-c-states off
fabric-c-states-for-io-epyc-9004              | vendor   | cpu epyc-genoa-or-turin, goal performance or throughput, workload io-bound       | data-fabric-c-states off
fabric-clock-for-latency-epyc-9004            | vendor   | cpu epyc-genoa-or-turin, goal latency                                            | fabric-power-management off
fabric-clock-for-hpc-and-databases-epyc-9004  | vendor   | cpu epyc-genoa-or-turin, goal performance or throughput, workload hpc or relational-database | fabric-power-management off
determinism-for-databases-epyc-9004           | vendor   | cpu epyc-genoa-or-turin, goal performance or throughput, workload relational-database | determinism power
power-profile-for-java-epyc-9004              | vendor   | cpu epyc-genoa-or-turin, goal latency or performance or throughput, workload java | amd-power-profile high-performance
power-profile-for-cpu-intensive-work-epyc-9004 | vendor  | cpu epyc-genoa-or-turin, goal performance or throughput, workload cpu-intensive  | amd-power-profile high-performance
virtualization-for-guests-16g-amd             | vendor   | platform poweredge-16g-amd, workload virtualized                        | virtualization on
x2apic-for-azure-local-16g-amd                | vendor   | platform poweredge-16g-amd, workload azure-stack                        | x2apic on
sr-iov-for-guests-16g-amd                     | vendor   | platform poweredge-16g-amd, workload virtualized                        | sr-iov on
performance-profile-for-guests-16g-amd        | vendor   | goal performance or throughput, platform poweredge-16g-amd, workload virtualized | system-profile performance
performance-profile-16g-amd                   | practice | goal performance or throughput, platform r6615 or r6625, workload not weka | system-profile performance
performance-profile-in-use-16g-amd            | practice | goal latency or performance or throughput, platform poweredge-16g-amd, workload not weka | system-profile performance
poweredge-amd-captures.epyc-9004-page.cpu-power-management.balanced | test-first | goal balanced or density or efficiency, platform poweredge-16g-amd, workload not weka | cpu-power-management os-dbpm
poweredge-amd-captures.epyc-9004-page.c-states.balanced | test-first | goal balanced or density or efficiency, platform poweredge-16g-amd, workload not weka | c-states on
"""
"""Advice for these servers and processors, beside WEKA's: how strong it is, when it applies, and the value."""

PLACES = {
    "fabric-c-states-for-latency": "Section 4.4.4",
    "fabric-c-states-for-io": "Section 4.4.4",
    "fabric-clock-for-latency": "Section 4.4.3",
    "fabric-clock-for-hpc-and-databases": "Chapter 5",
    "determinism-for-databases": "Chapter 5",
    "power-profile": "Section 4.2.1; Chapter 5",
}


def test_advice(knowledge: Knowledge) -> None:
    rules = {rule.name: rule for rule in knowledge.rules}
    for name, strength, when, use in rows(RULES):
        rule = rules[name]
        assert (rule.strength, f"{rule.setting} {rule.value}") == (strength, use)
        assert knowledge.box_text(rule.when) == when
        if name.endswith("epyc-9004"):
            place = next(at for begin, at in PLACES.items() if name.startswith(begin))
            assert rule.citation == Citation("amd-epyc-9004-tuning", place)


AMDS_GUIDE = [
    # use, DF C-states, power management of the fabric. Of the latter AMD says nothing for I/O.
    ("goal latency", "off", "off"),
    ("goal throughput; workload io-bound", "off", "on"),
    ("goal throughput; workload postgresql", "off", "off"),
    ("goal throughput; workload relational-database", "off", "off"),
    ("goal performance; workload hpc", "on", "off"),
    ("goal performance; workload java", "on", "on"),
    ("goal efficiency", "on", "on"),
]


@pytest.mark.parametrize(("use", "c_states", "clock"), AMDS_GUIDE)
def test_the_fabric_is_as_amds_guide_has_it(use: str, c_states: str, clock: str) -> None:
    plan = planned(f"{use}; platform r7615")
    assert (plan.value("data-fabric-c-states"), plan.value("fabric-power-management")) == (c_states, clock)
    assert (
        plan.value("amd-power-profile") == "high-performance"
    )  # Cisco's for I/O yields to the server's own profile


@pytest.mark.parametrize(
    "use", ["relational-database", "oltp", "mysql", "postgresql", "oracle-database", "sql-server"]
)
def test_every_database_has_the_fixed_clock_of_the_fabric(use: str) -> None:
    decision = planned(f"goal throughput; platform r7615; workload {use}").setting("fabric-power-management")
    assert decision is not None
    assert decision.value == "off"
    assert (decision.cause.source, decision.cause.strength) == ("amd-epyc-9004-tuning", "vendor")


@pytest.mark.parametrize(
    ("server", "value", "source"),
    [
        ("platform r7615", "power", "amd-epyc-9004-tuning"),
        ("platform ucs-m8-amd", "auto", "cisco-bios-templates"),
        ("platform ucs-m8-amd; cpu epyc-genoa", "auto", "cisco-bios-templates"),
    ],
)
def test_a_database_has_the_determinism_of_its_column(server: str, value: str, source: str) -> None:
    """On Cisco's own servers Cisco's template comes first, whether or not their processor is stated."""
    decision = planned(f"goal throughput; {server}; workload mysql").setting("determinism")
    assert decision is not None
    assert (decision.value, decision.cause.source) == (value, source)


@pytest.mark.parametrize("use", ["cpu-intensive", "rendering", "build"])
def test_cpu_intensive_work_has_the_power_profile_of_its_column(use: str) -> None:
    decision = planned(f"goal throughput; platform r7615; workload {use}").setting("amd-power-profile")
    assert decision is not None
    assert decision.value == "high-performance"
    assert (decision.cause.source, decision.cause.strength) == ("amd-epyc-9004-tuning", "vendor")


def test_the_column_for_cpu_intensive_work_is_not_that_for_hpc() -> None:
    decision = planned("goal throughput; platform r7615; workload cpu-bound").setting("amd-power-profile")
    assert decision is not None
    assert decision.cause.source == "understack-r7615"
    assert "cisco-bios-templates" in {each.citation.source for each in decision.because if each.citation}


def test_guests_have_what_dell_gives_its_own_nodes() -> None:
    plan = planned("goal throughput; platform r7615; workload virtualized")
    asked = {
        name: plan.value(name) for name in ("virtualization", "x2apic", "sr-iov", "iommu", "system-profile")
    }
    assert asked == {
        "virtualization": "on",
        "x2apic": "on",
        "sr-iov": "on",
        "iommu": "on",
        "system-profile": "performance",
    }


@pytest.mark.parametrize("goal", GOALS)
def test_no_argument_of_intels_drivers_is_written(goal: str) -> None:
    plan = planned(f"goal {goal}; platform r7615; workload virtualized")
    files = {each.path: each.text for each in KERNEL_ARGS.emit(plan).artifacts}
    assert "intel" not in files["kernel-args/cmdline"]
    assert not [
        each.setting
        for each in plan.settings
        if each.setting in ("intel-idle", "intel-pstate", "intel-iommu", "energy-performance-preference")
    ]


def test_a_value_whose_text_nobody_shows_is_a_manual_step() -> None:
    plan = planned('goal balanced; platform r7615; set l1-stream-prefetcher off because "LAB-7"')
    assert "L1StreamHwPrefetcher" not in requests(plan)
    assert dict(REDFISH.emit(plan).left_out).keys() == {"l1-stream-prefetcher"}
