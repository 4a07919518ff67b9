"""How much the advice of papers and menus weighs: what a figure shows is measured, what is only said is the vendor's word.

`test-first` is what a source itself leaves to a test with one's own work, or compares without advising it.
"""

import pytest

from conformance.printed import asked
from setpoint.compiler.knowledge.model import Knowledge

PAPERS = ("dell-11g-hpc", "dell-11g-hpc-2009", "dell-12g-tuning", "dell-14g-hpc", "cern-nehalem")

TEST_FIRST = {
    # Enabling it "could have positive effects".
    ("dell-12g-tuning", "Node Interleaving"),
    # A gain of 1 to 7 %, not everywhere.
    ("cern-nehalem", "Figure 14"),
    # Text on Figure 7: to be tested application by application.
    ("dell-11g-hpc", "Table 6", "smt"),
    ("dell-11g-hpc-2009", "Table 6", "smt"),
}
NOT_BY_FIGURE = {
    ("dell-14g-hpc", "Figure 2"),  # no difference beyond the variation from run to run
    ("dell-14g-hpc", "System Profiles; Figure 4"),  # its power is of HPL alone
    ("dell-12g-tuning", "Figure 22, and the text after it"),  # the text after it has the advice
}
"""Advice that cites a figure, which does not show it."""

FOR_HPC = ("smt-for-hpc-12g", "smt-for-hpc-13g", "smt-for-hpc-14g")
"""What is said of HPC beside the recommendation for others: to be tested, whatever the place has."""

MENUS = """
R630 registry, EnergyPerformanceBias help text                  | test-first
R630 registry, UncoreFrequency help text                        | test-first
R740 and R750 registries, CpuInterconnectBusLinkPower help text | test-first
R740 and R750 registries, EnergyPerformanceBias help text       | test-first
R740 and R750 registries, PcieAspmL1 help text                  | test-first
R740 and R750 registries, ProcCStates help text                 | test-first
R740 and R750 registries, UncoreFrequency help text             | test-first
R720 registry, DcuIpPrefetcher help text                        | vendor
R720 registry, DcuStreamerPrefetcher help text                  | vendor
R630 registry, DcuIpPrefetcher help text                        | vendor
R630 registry, DcuStreamerPrefetcher help text                  | vendor
R630 registry, NodeInterleave help text                         | vendor
R630 registry, ProcCores help text                              | vendor
R630 registry, ProcPwrPerf help text                            | vendor
R630 registry, ProcVirtualization help text                     | vendor
R630 registry, QpiSpeed help text                               | vendor
R630 registry, RtidSetting help text                            | vendor
R740 and R750 registries, DcuIpPrefetcher help text             | vendor
R740 and R750 registries, DcuStreamerPrefetcher help text       | vendor
R740 and R750 registries, LogicalProc help text                 | vendor
R740 and R750 registries, NodeInterleave help text              | vendor
R740 and R750 registries, ProcCores help text                   | vendor
R740 and R750 registries, ProcPwrPerf help text                 | vendor
R740 and R750 registries, ProcVirtualization help text          | vendor
R750 registry, CpuInterconnectBusSpeed help text                | vendor
R720 registry, ProcAdjCacheLine help text                       | vendor
R630 registry, ProcAdjCacheLine help text                       | vendor
R740 and R750 registries, ProcAdjCacheLine help text            | vendor
R630 registry, CorrEccSmi help text                             | vendor
R740 and R750 registries, CorrEccSmi help text                  | vendor
R630 registry, LogicalProc help text                            | vendor
R740 and R750 registries, SubNumaCluster help text              | test-first
R720 registry, SriovGlobalEnable help text                      | test-first
R630 registry, SriovGlobalEnable help text                      | test-first
R740 and R750 registries, SriovGlobalEnable help text           | test-first
"""

SNOOP_MODES = {"early": "vendor", "home": "vendor", "cluster-on-die": "test-first"}
"""R630 registry, SnoopMode: early and home suit kinds of work; Cluster on Die has the worst remote latency, too."""


def expected(source: str, place: str, setting: str) -> str:
    """How much advice weighs that a paper gives at a place."""
    if {(source, place), (source, place, setting)} & TEST_FIRST:
        return "test-first"
    if source == "cern-nehalem" or ("Figure" in place and (source, place) not in NOT_BY_FIGURE):
        return "measured"
    return "vendor"


@pytest.mark.parametrize("paper", PAPERS)
def test_what_a_figure_shows_is_measured(paper: str, knowledge: Knowledge) -> None:
    rules = [r for r in knowledge.rules if r.citation.source == paper and r.name not in FOR_HPC]
    assert rules
    assert {rule.name: rule.strength for rule in rules} == {
        rule.name: expected(paper, rule.citation.at, rule.setting) for rule in rules
    }


# All had both sockets filled: X5550 and X5570 in the 11G paper (under Figures 4 to 13), E5-2600 (12G, Introduction), Gold
# 6150 (14G, Table 1), L5520 to X5570 on CERN's S5520UR (Section 3.1; Irwindale and the Core i7 are compared, not advised on).
TESTED = {
    "dell-11g-hpc": "cpu nehalem, sockets 2",
    "dell-12g-tuning": "cpu e5-2600, sockets 2",
    "dell-14g-hpc": "cpu skylake, sockets 2",
    "cern-nehalem": "cpu nehalem, sockets 2",
}


def test_measured_is_what_was_tested_where_it_was(knowledge: Knowledge) -> None:
    rules = [rule for rule in knowledge.rules if rule.strength == "measured"]
    assert {rule.citation.source for rule in rules} == TESTED.keys()
    expected = {rule.name: asked(TESTED[rule.citation.source], knowledge) for rule in rules}
    assert {rule.name: dict(rule.measured_when) for rule in rules} == expected


def test_menus_advise_or_compare(knowledge: Knowledge) -> None:
    for line in MENUS.strip().splitlines():
        place, strength = (cell.strip() for cell in line.split("|"))
        at = ("dell-bios-registries", place)
        rules = [rule for rule in knowledge.rules if rule.citation == at and rule.name not in FOR_HPC]
        assert {rule.strength for rule in rules} == {strength}, place


def test_snoop_modes(knowledge: Knowledge) -> None:
    at = ("dell-bios-registries", "R630 registry, SnoopMode help text")
    assert {rule.value: rule.strength for rule in knowledge.rules if rule.citation == at} == SNOOP_MODES


def test_every_help_text_is_here(knowledge: Knowledge) -> None:
    places = {line.split("|")[0].strip() for line in MENUS.strip().splitlines()}
    cited = {rule.citation.at for rule in knowledge.rules if rule.citation.source == "dell-bios-registries"}
    assert cited - {"R630 registry, SnoopMode help text"} == places


def test_what_is_said_of_hpc_beside_is_to_be_tested(knowledge: Knowledge) -> None:
    strengths = {rule.name: rule.strength for rule in knowledge.rules if rule.name in FOR_HPC}
    assert strengths == dict.fromkeys(FOR_HPC, "test-first")
