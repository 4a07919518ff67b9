"""BIOS Performance and Power Tuning Guidelines for PowerEdge 12G (2012): every number that its text gives for a
figure."""

import pytest

from conformance.printed import figure
from setpoint.compiler.knowledge.model import Knowledge

PAPER = "dell-12g-tuning"


@pytest.mark.parametrize(
    ("printed", "at", "metric", "vary", "where"),
    [
        ("100", "Figure 4", "capacity", "", {"memory_mode": "optimizer"}),
        ("100", "Figure 4", "capacity", "", {"memory_mode": "advanced-ecc"}),
        ("50", "Figure 4", "capacity", "", {"memory_mode": "mirror"}),
        ("90", "Figure 5", "bandwidth", "", {"memory_mode": "spare"}),
        ("55", "Figure 5", "bandwidth", "", {"memory_mode": "advanced-ecc"}),
        ("52", "Figure 5", "bandwidth", "", {"memory_mode": "spare-advanced-ecc"}),
        ("76", "Figure 5", "bandwidth", "", {"memory_mode": "mirror"}),
        ("225", "Figure 6", "loaded-latency", "memory-mode advanced-ecc from optimizer", {}),
        ("40", "Figure 6", "loaded-latency", "memory-mode mirror from optimizer", {}),
        ("55", "Figure 7", "performance", "", {"test": "STREAM, memory bandwidth"}),
        ("87", "Figure 7", "performance", "", {"test": "SPECint_rate_base2006", "os": "sles-11"}),
        ("71", "Figure 7", "performance", "", {"test": "SPECfp_rate_base2006", "os": "sles-11"}),
        ("97", "Figure 7", "performance", "", {"test": "SPECjbb2005", "os": "windows-server-2008-r2"}),
        ("-25", "Figure 8", "performance", "", {"test": "STREAM, memory bandwidth"}),
        ("-7", "Figure 8", "performance", "", {"test": "SPECint_rate_base2006", "os": "sles-11"}),
        ("-8.6", "Figure 8", "performance", "", {"test": "SPECfp_rate_base2006", "os": "sles-11"}),
        ("34", "Figure 10", "performance", "", {"test": "445.gobmk", "smt": "on"}),
        ("19", "Figure 10", "performance", "", {"test": "403.gcc", "smt": "on"}),
        ("11", "Figure 10", "performance", "", {"test": "456.hmmer", "smt": "on"}),
        ("9", "Figure 10", "performance", "", {"test": "462.libquantum", "smt": "on"}),
        ("22", "Figure 11", "performance", "", {"test": "435.gromacs", "smt": "on"}),
        ("0", "Figure 11", "performance", "", {"test": "470.lbm", "smt": "on"}),
        ("-10", "Figure 11", "performance", "", {"test": "436.cactusADM", "smt": "on"}),
        ("-2 to 0", "Figure 13", "performance", "system-profile dapc from performance", {}),
        ("-1 to 0", "Figure 13", "performance", "c-states on from off", {}),
        ("86", "Figures 13, 14, 15 and 16", "performance", "",
         {"test": "SPECpower_ssj2008, at 100% load", "os": "windows-server-2008-r2"}),
        ("87", "Figures 13, 14, 15 and 16", "performance", "",
         {"test": "400.perlbench (peak), SPEC CPU2006 rate", "os": "sles-11"}),
        ("86", "Figures 13, 14, 15 and 16", "performance", "",
         {"test": "471.omnetpp (base), SPEC CPU2006 rate", "os": "sles-11"}),
        ("85", "Figures 13, 14, 15 and 16", "performance", "",
         {"test": "410.bwaves (base), SPEC CPU2006 rate", "os": "sles-11"}),
        ("79", "Figures 14, 15 and 16", "power", "", {"test": "400.perlbench (peak)"}),
        ("84", "Figures 14, 15 and 16", "power", "", {"test": "471.omnetpp (base)"}),
        ("88", "Figures 14, 15 and 16", "power", "", {"test": "410.bwaves (base)"}),
        ("-1 to 1", "Figure 14", "performance", "system-profile dapc from performance", {}),
        ("-4 to -3", "Figure 14", "power", "system-profile dapc from performance", {}),
        ("-4 to -3", "Figure 14", "power", "c-states on from off", {}),
        ("-1 to 1", "Figure 15", "performance", "system-profile dapc from performance", {}),
        ("-1 to 1", "Figure 15", "power", "system-profile dapc from performance", {}),
        ("6", "Figure 18", "performance", "turbo on from off", {}),
        ("84", "Figure 18", "power", "turbo off from on", {}),
        ("9", "Figure 19", "performance", "turbo on from off", {}),
        ("82", "Figure 19", "power", "turbo off from on", {}),
        ("14", "Figure 20", "performance", "turbo on from off", {}),
        ("80", "Figure 20", "power", "turbo off from on", {}),
        ("66", "Figure 21", "idle-power", "", {"os": "windows", "c_states": "off", "c1e": "off"}),
        ("0", "Figure 22", "idle-power", "system-profile os from dapc", {"c_states": "on", "c1e": "on"}),
    ],
)  # fmt: skip
def test_figures(
    printed: str, at: str, metric: str, vary: str, where: dict[str, str], knowledge: Knowledge
) -> None:
    assert figure(knowledge, PAPER, at, metric, vary, **where) == printed
