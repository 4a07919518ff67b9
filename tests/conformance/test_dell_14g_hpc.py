"""BIOS characterization for HPC with Intel Skylake processor (2017): its advice, which is in no table, and its
figures."""

import pytest

from conformance.printed import Cell, cells, figure
from setpoint.compiler.knowledge.model import Citation, Knowledge
from support.ask import decision, plan, warnings

PAPER = "dell-14g-hpc"

# The advice of the sections on Sub-NUMA clustering and on system profiles, and of the conclusion.
ADVICE = """
Option           | Maximum performance | Balance of performance and power | Least power
Sub-NUMA cluster | disabled            | disabled                         | disabled
System Profile   | Performance         | DAPC                             | DAPC
"""
SETTINGS = {"Sub-NUMA cluster": "sub-numa-cluster", "System Profile": "system-profile"}
VALUES = {"disabled": "off", "Performance": "performance", "DAPC": "dapc"}
GOALS = {
    "Maximum performance": ("performance", "throughput"),
    "Balance of performance and power": ("balanced",),
    "Least power": ("efficiency",),
}
IN_SCOPE = ("", "; workload hpc", "; workload comm-bound", "; workload wrf", "; workload fluent")


@pytest.mark.parametrize("cpu", ["skylake", "xeon-gold-6150; platform c6420; os rhel 7.3"])
@pytest.mark.parametrize("cell", cells(ADVICE), ids=str)
def test_advice(cell: Cell, cpu: str) -> None:
    for goal in GOALS[cell.column]:
        for workload in IN_SCOPE:
            decided = decision(f"goal {goal}; cpu {cpu}{workload}", SETTINGS[cell.row])
            assert decided.value == VALUES[cell.text]
            citation = decided.because[0].citation
            assert citation is not None
            assert citation.source == PAPER
            assert decided.because[0].steps < 0


def test_snc_is_off_by_default_and_to_be_tested_case_by_case() -> None:
    decided = decision("goal performance; cpu skylake; workload hpc", "sub-numa-cluster")
    assert decided.default == "off"
    assert "case by case" in decided.because[0].note


def test_good_locality_gained_too_little_to_turn_snc_on() -> None:
    decided = decision(
        "goal performance; cpu skylake; workload hpc; memory-locality good", "sub-numa-cluster"
    )
    assert (decided.value, decided.because[0].citation) == ("off", Citation(PAPER, "Figure 2"))


def test_poor_locality_is_warned_of_snc() -> None:
    poor = 'goal performance; cpu skylake; memory-locality poor; set sub-numa-cluster on because "lab"'
    assert any("snc-with-poor-locality" in w for w in warnings(poor, "W0401"))


def test_without_support_there_is_no_snc() -> None:
    assert plan("goal performance; cpu skylake; snc-support no").setting("sub-numa-cluster") is None


def test_dapc_keeps_turbo_on_and_says_what_earlier_papers_recommend() -> None:
    """What the 12G paper warns of yields to the nearer paper, unless the policy itself wants it."""
    policy = "goal efficiency; cpu skylake; workload hpc"
    turbo = decision(policy, "turbo")
    assert (turbo.value, turbo.origin) == ("on", "preset")
    assert ("turbo-for-efficiency-12g", "off") in [(lost.name, lost.value) for lost in turbo.beat]
    assert not warnings(policy, "W0402")
    wanted = f'{policy}; set turbo on because "the nightly batch"'
    assert any("turbo-vs-efficiency-12g" in w for w in warnings(wanted, "W0402"))


def test_power_was_measured_for_hpl_alone_so_that_dapc_is_the_vendors_word() -> None:
    """Figure 4 has the power of HPL, and Figure 3 has HPL as the one workload that is slower under DAPC."""
    (cause, *_) = decision("goal efficiency; cpu xeon-gold-6150; workload hpc", "system-profile").because
    assert (cause.name, cause.strength) == ("dapc-for-efficiency", "vendor")
    assert "peak of HPL" in cause.because
    assert "not measured" in cause.note


def test_figure_3_shows_that_only_hpl_gained_and_gives_no_number(knowledge: Knowledge) -> None:
    (shown,) = [m for m in knowledge.measurements if m.citation == Citation(PAPER, "Figure 3")]
    assert shown.varied == ("system-profile", "performance", "dapc")
    assert (shown.metric, shown.low) == ("performance", "")
    assert "few percent more for HPL alone" in shown.note


@pytest.mark.parametrize(("goal", "written"), [("performance", True), ("balanced", False)])
def test_outside_of_hpc_the_paper_is_quoted_with_a_warning_if_it_changes_anything(
    goal: str, written: bool
) -> None:
    """For efficiency, Cisco's word on Turbo alone leaves no room for the profile. For balance, it is the vendor's
    default."""
    policy = f"goal {goal}; cpu skylake; workload java"
    quoted = [w for w in warnings(policy, "W0301") if "`dell-14g-hpc` does not cover this server or use" in w]
    assert bool(quoted) is written
    profile = decision(policy, "system-profile")
    assert (profile.because[0].source, profile.because[0].strength) == ("dell-14g-hpc", "out-of-scope")
    assert profile.written is written


def test_later_processors_follow_it_out_of_scope() -> None:
    """Where another maker says nothing of the use; for HPC, Cisco's word is on the later processors themselves."""
    profile = decision("goal performance; platform poweredge-15g; cpu ice-lake", "system-profile")
    assert (profile.value, profile.because[0].name) == ("performance", "performance-profile")
    assert (profile.because[0].strength, profile.because[0].steps) == ("out-of-scope", 1)


def test_a_site_can_override_a_measurement_and_the_rest_still_applies() -> None:
    policy = 'goal performance; workload fluent; cpu skylake; set smt on because "measured +7% on truck-poly, LAB-31"'
    smt = decision(policy, "smt")
    assert (smt.value, smt.origin) == ("on", "set")
    assert smt.because[0].because == "measured +7% on truck-poly, LAB-31"
    assert plan(policy).value("system-profile") == "performance"
    assert plan(policy).value("sub-numa-cluster") == "off"


# ---------------------------------------------------------------------------------------------------- its figures


@pytest.mark.parametrize(
    ("printed", "at", "metric", "vary", "where"),
    [
        ("195", "Figure 1", "bandwidth", "", {"access": "full system - 36 threads"}),
        ("101", "Figure 1", "bandwidth", "", {"access": "local socket - 18 threads"}),
        ("50", "Figure 1", "bandwidth", "", {"access": "local NUMA node - 9 threads"}),
        ("50", "Figure 1", "bandwidth", "", {"access": "remote to same socket"}),
        ("-54", "Figure 1", "bandwidth", "",
         {"benchmark": "cores of one NUMA node, memory of a node on the other socket"}),
        ("2", "Figure 2", "performance", "sub-numa-cluster on from off", {"memory_locality": "good"}),
        ("28", "Figure 4", "idle-power", "system-profile performance from dapc", {}),
        ("-16", "Figure 4", "peak-power", "system-profile dapc from performance", {}),
        ("-5", "Figure 4", "idle-power", "sub-numa-cluster off from on", {}),
    ],
)  # fmt: skip
def test_figures(
    printed: str, at: str, metric: str, vary: str, where: dict[str, str], knowledge: Knowledge
) -> None:
    assert figure(knowledge, PAPER, at, metric, vary, **where) == printed


def test_all_figures_were_measured_on_one_kind_of_server(knowledge: Knowledge) -> None:
    # Table 1: a C6420 with two Gold 6150 under Enterprise Linux 7.3.
    for m in knowledge.measurements:
        if m.citation.source == PAPER:
            assert {
                ("platform", "c6420"),
                ("cpu", "xeon-gold-6150"),
                ("sockets", "2"),
                ("os", "rhel-7"),
            } <= set(m.when)
