"""BIOS Performance and Power Tuning Guidelines for PowerEdge 12G (2012): Tables 1 and 2, and the text."""

import pytest

from conformance.printed import Cell, asked, cells
from setpoint.compiler.knowledge.model import Citation, Knowledge
from support.ask import cites, decision, plan, warnings

PAPER = "dell-12g-tuning"

TABLE_1 = """
configuration                     | Performance Per Watt (DAPC) | Performance Per Watt (OS) | Performance         | Dense Configuration
CPU power management              | System DBPM                 | OS DBPM                   | Maximum performance | System DBPM
Memory frequency                  | Maximum performance         | Maximum performance       | Maximum performance | Maximum performance
Turbo                             | Enabled                     | Enabled                   | Enabled             | Disabled
C1E                               | Enabled                     | Enabled                   | Disabled            | Enabled
C-States                          | Enabled                     | Enabled                   | Disabled            | Enabled
Monitor/Mwait                     | Enabled                     | Enabled                   | Enabled             | Enabled
Memory patrol scrub               | Standard                    | Standard                  | Standard            | Extended
Memory refresh rate               | 1x                          | 1x                        | 1x                  | 2X
Memory operating voltage          | Auto                        | Auto                      | Auto                | 1.5V
Collaborative CPU performance control | Disabled                | Disabled                  | Disabled            | Disabled
"""

TABLE_2 = """
Profile              | Performance Optimized | Power Efficient   | Latency Sensitive
Memory Mode          | Optimizer             | Optimizer         | Optimizer
Node Interleave      | Disabled              | Disabled          | Disabled
Logical Processor    | Enabled               | Enabled           | Disabled
QPI Frequency        | Maximum Frequency     | Maximum Frequency | Maximum Frequency
System Profile       | Performance           | DAPC              | Custom
CPU Power Management | Maximum Performance   | System DBPM       | Maximum Performance
Turbo Boost          | Enabled               | Disabled          | Disabled
C1E                  | Disabled              | Enabled           | Disabled
C-States             | Disabled              | Enabled           | Disabled
Monitor/Mwait        | Enabled               | Enabled           | Disabled
Memory Frequency     | Maximum Frequency     | Maximum Frequency | Maximum Frequency
"""

SETTINGS = {
    "CPU power management": "cpu-power-management",
    "Memory frequency": "memory-frequency",
    "Turbo": "turbo",
    "C1E": "c1e",
    "C-States": "c-states",
    "Monitor/Mwait": "monitor-mwait",
    "Memory patrol scrub": "memory-patrol-scrub",
    "Memory refresh rate": "memory-refresh-rate",
    "Memory operating voltage": "memory-voltage",
    "Collaborative CPU performance control": "collaborative-cpu-control",
    "Memory Mode": "memory-mode",
    "Node Interleave": "node-interleaving",
    "Logical Processor": "smt",
    "QPI Frequency": "qpi-speed",
    "System Profile": "system-profile",
    "CPU Power Management": "cpu-power-management",
    "Turbo Boost": "turbo",
    "Memory Frequency": "memory-frequency",
}
VALUES = {
    "Enabled": "on",
    "Disabled": "off",
    "System DBPM": "system-dbpm",
    "OS DBPM": "os-dbpm",
    "Maximum performance": "maximum",
    "Maximum Performance": "max-performance",
    "Maximum Frequency": "maximum",
    "2X": "2x",
    "1.5V": "1.5v",
}
PROFILES = {
    "Performance Per Watt (DAPC)": "dapc",
    "Performance Per Watt (OS)": "os",
    "Performance": "performance",
    "Dense Configuration": "dense",
}
GOALS = {
    "Performance Optimized": ("performance", "throughput"),
    "Power Efficient": ("efficiency",),
    "Latency Sensitive": ("latency",),
}
IN_SCOPE = ("", "; workload io-bound", "; workload virtualized", "; workload java", "; workload latency-bound",
            "; workload interactive", "; workload hep")  # fmt: skip

# DAPC fixes Turbo on (Table 1), which the same column disables: the members stand, and the profile becomes Custom.
DEVIATIONS = {("System Profile", "Power Efficient"): "custom"}
NEED_TWO_SOCKETS = ("Node Interleave", "QPI Frequency")


def ours(cell: Cell) -> str:
    """The value for a printed one. `Maximum performance` means one thing for a CPU, and another for memory."""
    if cell.row == "CPU power management" and cell.text == "Maximum performance":
        return "max-performance"
    return VALUES.get(cell.text, cell.text.lower())


@pytest.mark.parametrize("cell", cells(TABLE_1), ids=str)
def test_table_1(cell: Cell) -> None:
    profile = PROFILES[cell.column]
    policy = f'goal balanced; cpu sandy-bridge; set system-profile {profile} because "fleet standard"'
    decided = decision(policy, SETTINGS[cell.row])
    assert decided.value == ours(cell)
    assert decided.unwritten == "locked"


@pytest.mark.parametrize("cpu", ["sandy-bridge", "e5-2600", "e5-4640; sockets 4"])
@pytest.mark.parametrize("cell", cells(TABLE_2), ids=str)
def test_table_2(cell: Cell, cpu: str) -> None:
    apart = DEVIATIONS.get((cell.row, cell.column))
    for goal in GOALS[cell.column]:
        for workload in IN_SCOPE:
            policy = f"goal {goal}; cpu {cpu}{workload}"
            decided = decision(policy, SETTINGS[cell.row])
            assert decided.value == (apart or ours(cell)), policy
            if not apart:
                assert cites(decided.because, PAPER, "Table 2"), policy


@pytest.mark.parametrize("cell", cells(TABLE_2), ids=str)
def test_each_cell_of_table_2_is_a_recommendation(cell: Cell, knowledge: Knowledge) -> None:
    """Even if another rule, or a profile, recommends the same."""
    advised = {rule.name: rule.value for rule in knowledge.rules if rule.table}
    column = GOALS[cell.column][0]
    assert advised[f"{PAPER}.table-2.{SETTINGS[cell.row]}.{column}"] == ours(cell)


def test_two_rows_of_table_2_need_a_second_socket(knowledge: Knowledge) -> None:
    """Node Interleaving needs both banks of memory (Node Interleaving), and QPI joins two processors (QPI Speed)."""
    needing = {r.setting for r in knowledge.rules if r.table and r.citation == Citation(PAPER, "Table 2")
               and ("sockets", asked("sockets 2 or 4", knowledge)["sockets"]) in r.when}  # fmt: skip
    assert needing == {SETTINGS[row] for row in NEED_TWO_SOCKETS}


def test_power_efficient_is_dapc_but_for_turbo() -> None:
    efficient = plan("goal efficiency; cpu sandy-bridge")
    profile = decision("goal efficiency; cpu sandy-bridge", "system-profile")
    assert [(lost.value, lost.reason) for lost in profile.beat] == [("dapc", "blocked")]
    (note,) = profile.notes
    assert note.kind == "derived"
    assert "turbo on (here: off)" in note.text
    assert f"{PAPER}, Table 2" in note.text
    for cell in cells(TABLE_1):
        if cell.column == "Performance Per Watt (DAPC)" and cell.row != "Turbo":
            assert efficient.value(SETTINGS[cell.row]) == ours(cell)
            member = decision("goal efficiency; cpu sandy-bridge", SETTINGS[cell.row])
            assert member.written, "Custom has no defaults: every member is written out"
    assert efficient.value("turbo") == "off"


@pytest.mark.parametrize(
    ("goal", "setting", "footnote"),
    [
        ("efficiency", "qpi-speed", "A slower QPI link can give more work per watt"),
        ("latency", "turbo", "Turbo may be worth its extra latency jitter"),
        ("efficiency", "memory-frequency", "Slower memory can give more work per watt"),
    ],
)
def test_footnotes_of_table_2(goal: str, setting: str, footnote: str) -> None:
    causes = decision(f"goal {goal}; cpu sandy-bridge", setting).because
    assert any(cause.note.startswith(footnote) for cause in causes)


@pytest.mark.parametrize("row", NEED_TWO_SOCKETS)
def test_one_socket_has_neither_links_nor_nodes(row: str) -> None:
    assert plan("goal latency; platform r320").setting(SETTINGS[row]) is None


# Figures 3 and 9, and the sections on the memory modes, node interleaving and the profiles: what is set at first.
DEFAULTS = """
Menu                                                                         | Default
Memory Settings > Memory Operating Mode                                      | Optimizer Mode
Memory Settings > Node Interleaving                                          | Disabled
Processor Settings > Logical Processor                                       | Enabled
Processor Settings > QPI Speed                                               | Maximum data rate
Processor Settings > Alternate RTID (Requestor Transaction ID) Setting       | Disabled
Processor Settings > Virtualization Technology                               | Enabled
Processor Settings > Adjacent Cache Line Prefetch                            | Enabled
Processor Settings > Hardware Prefetcher                                     | Enabled
Processor Settings > DCU Streamer Prefetcher                                 | Enabled
Processor Settings > DCU IP Prefetcher                                       | Enabled
Processor Settings > Execute Disable                                         | Enabled
Processor Settings > Logical Processor Idling                                | Disabled
Processor Settings > Number of Cores per Processor                           | All
System Profile Settings > System Profile                                     | Performance Per Watt (DAPC)
"""


@pytest.mark.parametrize("cell", cells(DEFAULTS), ids=str)
def test_menus_and_defaults(cell: Cell, knowledge: Knowledge) -> None:
    offers = [offer for found in knowledge.offers.values() for offer in found]
    (offer,) = [o for o in offers if o.menu == f"System BIOS > {cell.row}"]
    assert dict(zip(offer.values, offer.labels, strict=True))[offer.default] == cell.text


@pytest.mark.parametrize("row", [cell.row for cell in cells(TABLE_1) if cell.column == "Performance"])
def test_members_of_a_profile_have_no_defaults_themselves(row: str, knowledge: Knowledge) -> None:
    offers = [
        o
        for o in knowledge.offers[SETTINGS[row]]
        if o.menu.startswith("System BIOS > System Profile Settings")
    ]
    assert [offer.default for offer in offers] == [""]


# ---------------------------------------------------------------------------------------------- the text around it


@pytest.mark.parametrize(
    ("goal", "setting", "value", "at"),
    [
        ("balanced", "system-profile", "dapc", "System Profiles comparison; Figure 13"),
        ("density", "system-profile", "dense", "System Profiles comparison"),
        ("efficiency", "turbo", "off", "Figures 18, 19 and 20"),
        ("throughput", "turbo", "on", "Figures 18, 19 and 20"),
        ("efficiency", "c-states", "on", "C-States and C1E options; Figure 21"),
        ("efficiency", "c1e", "on", "C-States and C1E options; Figure 21"),
        ("throughput", "smt", "on", "Logical Processor; Figures 10 and 11"),
        ("balanced", "smt", "on", "Logical Processor"),
        ("latency", "intel-idle", "off", "Figure 22, and the text after it"),
        ("throughput", "memory-mode", "optimizer", "Figures 5 and 7"),
        ("latency", "memory-mode", "optimizer", "Figure 6"),
        ("balanced", "hardware-prefetcher", "on", "Processor prefetchers"),
        ("balanced", "adjacent-cache-line-prefetch", "on", "Processor prefetchers"),
        ("balanced", "dcu-streamer-prefetcher", "on", "Processor prefetchers"),
        ("balanced", "dcu-ip-prefetcher", "on", "Processor prefetchers"),
        ("latency", "virtualization", "on", "Virtualization technology"),
        ("latency", "execute-disable", "on", "Execute disable"),
        ("latency", "alternate-rtid", "off", "Alternate RTID setting"),
        ("latency", "cores-per-processor", "all", "Number of cores per processor"),
        ("latency", "logical-processor-idling", "off", "Logical processor idling"),
        ("latency", "collaborative-cpu-control", "off", "Collaborative CPU Performance Control"),
    ],
)
def test_advice_of_the_text(goal: str, setting: str, value: str, at: str) -> None:
    decided = decision(f"goal {goal}; cpu e5-2680", setting)
    assert decided.value == value
    assert decided.because[0].citation == Citation(PAPER, at)


@pytest.mark.parametrize("goal", ["latency", "performance", "throughput"])
def test_the_driver_is_advised_against_for_latency_alone_and_never_by_a_figure(goal: str) -> None:
    """Figure 22 is a picture; the text after it is about latency. Other goals follow the kernel's own sources."""
    decided = decision(f'goal {goal}; cpu e5-2680; set c-states off because "a test"', "intel-idle")
    assert (decided.value, decided.because[0].strength) == ("off", "vendor")
    assert cites(decided.because, "linux-intel-idle", "intel_idle_off_by_default()")
    assert cites(decided.because, PAPER, "Figure 22") is (goal == "latency")


@pytest.mark.parametrize(
    "prefetcher",
    ["hardware-prefetcher", "adjacent-cache-line-prefetch", "dcu-streamer-prefetcher", "dcu-ip-prefetcher"],
)
def test_prefetchers_stay_on_for_guests_too_with_the_papers_one_exception_as_a_note(prefetcher: str) -> None:
    decided = decision("goal throughput; cpu e5-2680; workload virtualized", prefetcher)
    assert {cause.citation for cause in decided.because} == {Citation(PAPER, "Processor prefetchers")}
    assert (decided.value, decided.beat) == ("on", ())
    assert any("very random and intensive" in cause.note for cause in decided.because)


@pytest.mark.parametrize("goal", ["performance", "throughput", "balanced"])
@pytest.mark.parametrize("fact", ["process-memory exceeds-socket", "memory-locality poor", "numa unaware"])
def test_node_interleaving_could_help_and_is_to_be_tested(goal: str, fact: str) -> None:
    decided = decision(f"goal {goal}; cpu e5-2600; {fact}", "node-interleaving")
    assert (decided.value, decided.because[0].strength) == ("on", "test-first")
    assert decided.because[0].citation == Citation(PAPER, "Node Interleaving")


@pytest.mark.parametrize("fact", ["process-memory exceeds-socket", "memory-locality poor", "numa unaware"])
def test_four_processors_do_not_support_it(fact: str) -> None:
    policy = f"goal performance; cpu e5-4650; sockets 4; {fact}"
    decided = decision(policy, "node-interleaving")
    assert (decided.value, decided.origin) == ("off", "forced")
    assert decided.because[0].name == "node-interleaving-four-sockets-12g"


def test_monitor_mwait_stays_on_where_somebody_keeps_smt() -> None:
    policy = 'goal latency; cpu e5-2600; set smt on because "lab"; accept smt-vs-latency because "lab"'
    decided = decision(policy, "monitor-mwait")
    assert (decided.value, decided.because[0].name) == ("on", "monitor-mwait-with-smt-12g")


@pytest.mark.parametrize("workload", ["hpc", "comm-bound", "fluent"])
def test_the_paper_excludes_hpc_and_is_quoted_there_with_a_warning(workload: str) -> None:
    for goals in GOALS.values():
        for goal in goals:
            policy = f"goal {goal}; cpu sandy-bridge; workload {workload}"
            assert any(
                "`dell-12g-tuning` does not cover this server or use" in w for w in warnings(policy, "W0301")
            )
            assert decision(policy, "turbo").because[0].strength == "out-of-scope"


@pytest.mark.parametrize("prefetcher", ["dcu-streamer-prefetcher", "dcu-ip-prefetcher"])
def test_the_menu_covers_hpc_where_the_paper_does_not(prefetcher: str) -> None:
    decided = decision("goal performance; cpu sandy-bridge; workload hpc", prefetcher)
    assert (decided.value, decided.beat) == ("on", ())
    assert cites(decided.because[:1], "dell-bios-registries", "R720 registry")


def test_the_processors_of_the_paper_are_in_scope() -> None:
    for cpu in ("e5-2400", "e5-2600", "e5-4600"):
        assert warnings(f"goal latency; cpu {cpu}", "W0301") == ()


@pytest.mark.parametrize("goal", ["performance", "throughput", "balanced", "efficiency", "density"])
@pytest.mark.parametrize("workload", ["hpc", "wrf"])
def test_hpc_is_exempted_from_the_advice_on_logical_processors(goal: str, workload: str) -> None:
    """ "with the exception of a handful of … workloads, including HPC workloads like Linpack": the default is left."""
    decided = decision(f"goal {goal}; cpu e5-2600; workload {workload}", "smt")
    assert (decided.value, decided.written) == ("on", False)
    assert ("smt-for-hpc-12g", "off", "untested-here") in [(b.name, b.value, b.reason) for b in decided.beat]
    others = [b.reason for b in decided.beat if b.citation and b.citation.source == PAPER and b.value == "on"]
    assert others
    assert set(others) == {"withdrawn"}


def test_general_work_keeps_the_advice_on_logical_processors() -> None:
    decided = decision("goal throughput; cpu e5-2600; workload java", "smt")
    assert (decided.value, decided.because[0].name) == ("on", "smt-throughput-12g")
