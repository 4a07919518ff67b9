"""Optimal BIOS Settings for HPC with PowerEdge 11G Servers (2010): Table 6, the text around it, and its figures."""

import pytest

from conformance.printed import Cell, cells, figure
from setpoint.compiler.knowledge.model import Citation, Knowledge
from support.ask import cites, decision, plan, warnings

PAPER = "dell-11g-hpc"

TABLE_6 = """
Setting           | Energy Efficiency | Max Performance | Balanced | Min. Latency
Power Management  | APC               | Max Performance | APC      | Max Performance
C-State           | Enabled           | Enabled         | Enabled  | Disabled
C1E               | Enabled           | Enabled         | Enabled  | Disabled
Node Interleaving | Disabled          | Disabled        | Disabled | Disabled
SMT               | Disabled          | Disabled        | Disabled | Disabled
Turbo Mode        | Disabled          | Enabled         | Enabled  | Enabled
DCU Streamer      | Disabled          | Enabled         | Enabled  | Enabled
Data Reuse        | Disabled          | Enabled         | Enabled  | Enabled
"""

WORDS = {
    "Power Management": "cpu-power-management",
    "C-State": "c-states",
    "C1E": "c1e",
    "Node Interleaving": "node-interleaving",
    "SMT": "smt",
    "Turbo Mode": "turbo",
    "DCU Streamer": "dcu-streamer-prefetcher",
    "Data Reuse": "data-reuse",
    "APC": "system-dbpm",
    "Max Performance": "max-performance",
    "Enabled": "on",
    "Disabled": "off",
}
GOALS = {
    "Energy Efficiency": ("efficiency",),
    "Max Performance": ("performance", "throughput"),
    "Balanced": ("balanced",),
    "Min. Latency": ("latency",),
}
ONLY_5600 = ("DCU Streamer", "Data Reuse")
IN_SCOPE = ("", "; workload hpc", "; workload comm-bound", "; workload cpu-bound", "; workload memory-bound",
            "; workload wrf", "; workload latency-bound", "; workload interactive")  # fmt: skip

# BIOS Settings: for trading and real-time signal processing, performance itself asks for C-states off.
# C1E goes off with them, as in the one column of the table that has them off.
DEVIATIONS = {
    ("C-State", "performance", "; workload latency-bound"): ("off", "BIOS Settings"),
    ("C1E", "performance", "; workload latency-bound"): ("off", "Table 6"),
}


@pytest.mark.parametrize("cpu", ["nehalem", "westmere"])
@pytest.mark.parametrize("cell", cells(TABLE_6), ids=str)
def test_table_6(cell: Cell, cpu: str) -> None:
    setting = WORDS[cell.row]
    for goal in GOALS[cell.column]:
        for workload in IN_SCOPE:
            policy = f"goal {goal}; cpu {cpu}{workload}"
            if cpu == "nehalem" and cell.row in ONLY_5600:
                assert plan(policy).setting(setting) is None
                continue
            decided = decision(policy, setting)
            apart = DEVIATIONS.get((cell.row, goal, workload))
            assert decided.value == (apart[0] if apart else WORDS[cell.text]), policy
            assert decided.written, policy
            if apart:
                assert cites(decided.because, PAPER, apart[1])
                assert f"dell-11g-hpc.table-6.{setting}.performance" in [lost.name for lost in decided.beat]
            else:
                assert cites(decided.because, PAPER, "Table 6"), policy


@pytest.mark.parametrize("cell", cells(TABLE_6), ids=str)
def test_each_cell_of_table_6_is_a_recommendation(cell: Cell, knowledge: Knowledge) -> None:
    """Also where a rule from the text says the same."""
    advised = {rule.name: rule.value for rule in knowledge.rules if rule.table}
    column = GOALS[cell.column][0]
    assert advised[f"{PAPER}.table-6.{WORDS[cell.row]}.{column}"] == WORDS[cell.text]


def test_table_6_applies_in_scope_and_nothing_else_is_cited_out_of_scope() -> None:
    for goals in GOALS.values():
        for goal in goals:
            for workload in IN_SCOPE:
                assert warnings(f"goal {goal}; cpu westmere{workload}", "W0301") == ()


# What the menus offer, the default first, as the overview of the options prints them.
MENUS = """
Menu                                              | Values
Memory Settings > Node Interleaving               | Disabled, Enabled
Processor Settings > Logical Processor            | Enabled, Disabled
Power Management                                  | OS Control, Active Power Controller, Custom, Static Max Performance
Processor Settings > Turbo Mode                   | Enabled, Disabled
Processor Settings > Intel QPI Bandwidth Priority | Compute, I/O
Processor Settings > DCU Stream Prefetcher        | Enabled, Disabled
Processor Settings > Data Reuse                   | Enabled, Disabled
"""


@pytest.mark.parametrize("cell", cells(MENUS), ids=str)
def test_menus_and_defaults(cell: Cell, knowledge: Knowledge) -> None:
    offers = [o for found in knowledge.offers.values() for o in found if o.citation.source == PAPER]
    (offer,) = [o for o in offers if o.menu == cell.row]
    # Under Custom several things are chosen one by one; of the CPU's choices only one is no profile of its own.
    labels = {
        v: label.removesuffix(" (CPU: Minimum Power)")
        for v, label in zip(offer.values, offer.labels, strict=True)
    }
    printed = cell.text.split(", ")
    assert labels[offer.default] == printed[0]
    assert sorted(labels.values()) == sorted(printed)


def test_c1e_is_on_by_default_and_c_states_have_no_stated_default() -> None:
    assert decision("goal balanced; cpu nehalem", "c1e").default == "on"
    assert decision("goal balanced; cpu nehalem", "c-states").default == ""


# ---------------------------------------------------------------------------------------------- the text around it


@pytest.mark.parametrize("goal", ["efficiency", "performance", "throughput", "balanced", "latency"])
def test_smt_is_to_be_tested_first(goal: str) -> None:
    policy = f"goal {goal}; cpu westmere; workload hpc"
    assert decision(policy, "smt").because[0].strength == "test-first"
    (to_test,) = warnings(policy, "W0303")
    assert "smt off" in to_test
    assert f"{PAPER}, Table 6" in to_test


@pytest.mark.parametrize(
    ("fact", "case"),
    [
        ("process-memory exceeds-socket", "first case"),
        ("memory-locality poor", "second case"),
        ("numa unaware", "third case"),
    ],
)
@pytest.mark.parametrize("goal", ["efficiency", "performance", "balanced", "latency"])
def test_node_interleaving_has_three_cases(fact: str, case: str, goal: str) -> None:
    decided = decision(f"goal {goal}; cpu nehalem; workload hpc; {fact}", "node-interleaving")
    assert decided.value == "on"
    assert cites(decided.because[:1], PAPER, f"Node Interleaving (Performance), {case}")
    assert (f"dell-11g-hpc.table-6.node-interleaving.{goal}", "withdrawn") in [
        (b.name, b.reason) for b in decided.beat
    ]


def test_node_interleaving_is_off_for_hpc_by_measurement() -> None:
    cause = decision("goal performance; cpu x5570; platform r610; workload hpc", "node-interleaving").because[
        0
    ]
    assert (cause.strength, cause.citation) == ("measured", Citation(PAPER, "Figure 6"))


@pytest.mark.parametrize("workload", ["virtualized", "java", "io-bound", "hep"])
@pytest.mark.parametrize("goal", ["performance", "throughput", "balanced", "efficiency", "latency"])
@pytest.mark.parametrize("cpu", ["nehalem", "westmere"])
def test_outside_of_hpc_nothing_is_derived_from_test_it_with_yours(
    workload: str, goal: str, cpu: str
) -> None:
    """The paper: "tested on a per application basis", and "may be inappropriate for enterprise workloads" at that."""
    decided = decision(f"goal {goal}; cpu {cpu}; workload {workload}", "smt")
    assert decided.value == "on"
    lost = {beaten.name: beaten.reason for beaten in decided.beat}
    column = "performance" if goal == "throughput" else goal
    if workload == "hep" and goal != "latency":  # CERN has advice of its own
        assert f"dell-11g-hpc.table-6.smt.{column}" in lost
    else:
        assert not decided.written
        assert lost[f"dell-11g-hpc.table-6.smt.{column}"] == "untested-here"


def test_a_single_socket_has_nothing_to_interleave() -> None:
    assert plan("goal performance; cpu nehalem; sockets 1").setting("node-interleaving") is None


@pytest.mark.parametrize(
    ("policy", "server", "setting", "value", "at"),
    [
        ("goal efficiency; workload comm-bound", "m610", "cpu-power-management", "system-dbpm", "Figure 12"),
        ("goal efficiency; workload hpc", "m610", "turbo", "off", "Figure 13"),
        ("goal performance; workload hpc; interconnect infiniband", "m610", "turbo", "on", "Figure 9"),
        ("goal latency; workload comm-bound", "r610", "c-states", "off", "Figure 10"),
        ("goal efficiency; workload interactive", "m610", "c-states", "on", "Figure 5"),
    ],
)
def test_what_was_measured_outweighs_the_table(
    policy: str, server: str, setting: str, value: str, at: str
) -> None:
    decided = decision(f"{policy}; cpu x5570; platform {server}", setting)
    assert decided.value == value
    assert decided.because[0].citation == Citation(PAPER, at)
    assert decided.because[0].strength == "measured"
    assert cites(decided.because[1:], PAPER, "Table 6")


def test_turbo_does_not_help_fluent_over_gigabit_ethernet() -> None:
    fluent = "goal performance; cpu nehalem; workload fluent; interconnect"
    assert any("turbo-for-fluent-on-gigabit" in w for w in warnings(f"{fluent} gigabit-ethernet", "W0401"))
    assert warnings(f"{fluent} infiniband", "W0401") == ()


@pytest.mark.parametrize("os", ["rhel 5.3", "slc 5", "rhel 6.4"])
def test_cpuspeed_runs_under_os_control_and_only_there(os: str) -> None:
    # Table 6 of this edition knows OS Control in no column; the text wants the service where it is chosen.
    advised = decision(f"goal balanced; cpu nehalem; os {os}", "cpuspeed-service")
    chosen = decision(f'goal balanced; cpu nehalem; os {os}; set cpu-power-management os-dbpm because "lab"',
                      "cpuspeed-service")  # fmt: skip
    assert (advised.value, chosen.value) == ("off", "on")
    assert chosen.because[0].citation == Citation(PAPER, "Turbo Mode and C-States")


def test_cpuspeed_is_gone_after_el6() -> None:
    assert plan("goal balanced; cpu nehalem; os rhel 7").setting("cpuspeed-service") is None


@pytest.mark.parametrize(("workload", "value"), [("hpc", "compute"), ("io-bound", "io")])
def test_qpi_bandwidth_priority_follows_the_traffic(workload: str, value: str) -> None:
    assert (
        decision(f"goal performance; cpu westmere; workload {workload}", "qpi-bandwidth-priority").value
        == value
    )


@pytest.mark.parametrize("workload", ["io-bound", "virtualized", "java", "hep"])
def test_outside_of_hpc_the_paper_is_quoted_with_a_warning(workload: str) -> None:
    policy = f"goal balanced; cpu westmere; workload {workload}"
    assert any("`dell-11g-hpc` does not cover this server or use" in w for w in warnings(policy, "W0301"))
    turbo = decision(policy, "turbo")
    assert (turbo.value, turbo.because[0].strength) == ("on", "out-of-scope")


# ---------------------------------------------------------------------------------------------------- its figures

PROFILE = "cpu-power-management system-dbpm from max-performance"
SLOWER = "cpu e5540 from x5570"


@pytest.mark.parametrize(
    ("printed", "at", "metric", "vary", "where"),
    [
        ("40", "Figure 3", "memory-bandwidth", "", {"cpu": "x5550"}),
        ("-32", "Figure 5", "idle-power", "c-states on from off", {"platform": "m610"}),
        ("7 to 10", "Figure 7", "performance", "smt on from off", {"workload": "fluent"}),
        ("-11", "Figure 7", "performance", "smt on from off",
         {"benchmark": "Ansys V12sp-5, one process for each logical core"}),
        ("7 to 10", "Figure 7", "performance", "smt on from off",
         {"benchmark": "Ansys V12ln-1, one process for each logical core"}),
        ("2.66 to 2.93", "Figure 8", "core-frequency", "", {"cpu": "x5550", "turbo": "on"}),
        ("2 to 4", "Figure 6", "performance", "node-interleaving on from off",
         {"benchmark": "three of nine benchmarks on one server"}),
        ("-13 to -4", "Figure 6", "performance", "node-interleaving on from off",
         {"benchmark": "four of nine benchmarks on one server"}),
        ("2 to 8", "Figure 9", "performance", "turbo on from off", {"interconnect": "infiniband"}),
        ("1 to 5", "Figure 9", "performance", "turbo on from off",
         {"interconnect": "gigabit-ethernet", "workload": "eclipse or npb-lu or wrf"}),
        ("-2", "Figure 9", "performance", "turbo on from off",
         {"interconnect": "gigabit-ethernet", "workload": "fluent"}),
        ("20", "Figure 10", "latency", "c-states on from off", {"interconnect": "infiniband"}),
        ("12", "Figure 10", "latency", "c-states on from off", {"interconnect": "gigabit-ethernet"}),
        ("5", "Figure 11", "performance", "", {"test": "Fluent truck_poly_14m"}),
        ("0", "Figure 11", "performance", "", {"test": "the other two tests"}),
        ("0", "Figure 11", "power", "", {"test": "Fluent truck_poly_14m"}),
        ("0", "Figure 11", "power", "", {"test": "the other two tests"}),
        ("-3 to 3", "Figure 12", "energy-efficiency", PROFILE, {"workload": "eclipse or fluent or npb-lu"}),
        ("8", "Figure 12", "energy-efficiency", PROFILE, {"workload": "wrf"}),
        ("12 to 21", "Figure 13", "power", "turbo on from off", {"interconnect": "infiniband"}),
        ("-2", "Figure 13", "performance", "turbo off from on", {"workload": "eclipse"}),
        ("-21", "Figure 13", "power", "turbo off from on", {"workload": "eclipse"}),
        ("18", "Figure 13", "energy-efficiency", "turbo off from on", {"workload": "eclipse"}),
        ("-19", "Figure 14", "power", SLOWER, {"workload": "eclipse"}),
        ("-14", "Figure 14", "performance", SLOWER, {"workload": "eclipse"}),
        ("5", "Figure 14", "energy-efficiency", SLOWER, {"workload": "eclipse"}),
        ("15", "Figure 14", "energy-efficiency", SLOWER, {"workload": "wrf"}),
    ],
)  # fmt: skip
def test_figures(
    printed: str, at: str, metric: str, vary: str, where: dict[str, str], knowledge: Knowledge
) -> None:
    assert figure(knowledge, PAPER, at, metric, vary, **where) == printed


TABLE_3 = """
CPU Frequency (GHz) | QPI Link (GT/s) | Memory Controller (GB/s) | QPI Link Speed (GB/s)
2.66 to 3.20        | 6.40            | 31.99                    | 25.60
2.26 to 2.53        | 5.86            | 25.58                    | 23.44
1.86 to 2.13        | 4.80            | 19.20                    | 19.20
"""
METRICS = {
    "QPI Link (GT/s)": "qpi-link",
    "Memory Controller (GB/s)": "memory-bandwidth",
    "QPI Link Speed (GB/s)": "qpi-bandwidth",
}


@pytest.mark.parametrize("cell", cells(TABLE_3), ids=str)
def test_table_3(cell: Cell, knowledge: Knowledge) -> None:
    printed = figure(knowledge, PAPER, "Table 3", METRICS[cell.column], cpu_frequency_ghz=cell.row)
    assert printed == cell.text


@pytest.mark.parametrize(("active", "steps"), [("4", "2"), ("3", "2"), ("2", "3"), ("1", "3")])
def test_turbo_rating_of_the_x5550(active: str, steps: str, knowledge: Knowledge) -> None:
    at = "Turbo Mode (Overview of 11G BIOS Options)"
    assert figure(knowledge, PAPER, at, "turbo-steps", cpu="x5550", active_cores=active) == steps
