"""The help texts of the BIOS: what they advise on the 13th to 15th generation, and what they exclude.

Each case is a policy, a setting with the value that its help text leads to, and the attribute whose text it is.
"""

import pytest

from knowledge.refusals import conflict, spelt
from support.ask import cites, decision, plan, warnings

SERVERS = {
    "cpu haswell": "R630 registry",
    "cpu skylake": "R740 and R750 registries",
    "cpu ice-lake": "R740 and R750 registries",
}
"""A processor of each generation, and what its help texts are cited of."""

ADVICE = [
    ("goal balanced; numa aware", "node-interleaving", "off", "NodeInterleave"),
    ("goal balanced; numa unaware", "node-interleaving", "on", "NodeInterleave"),
    ("goal latency", "cpu-power-management", "max-performance", "ProcPwrPerf"),
    ("goal latency", "uncore-frequency", "maximum", "UncoreFrequency"),
    ("goal latency", "energy-performance-bias", "performance", "EnergyPerformanceBias"),
]


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(("policy", "setting", "value", "attribute"), ADVICE)
def test_what_a_help_text_advises(server: str, policy: str, setting: str, value: str, attribute: str) -> None:
    found = decision(f"{policy}; {server}", setting)
    assert found.value == value
    assert cites(found.because, "dell-bios-registries", f"{SERVERS[server]}, {attribute} help text")


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("goal", ["performance", "throughput"])
def test_smt_is_recommended_but_not_for_hpc(server: str, goal: str) -> None:
    """ "The recommendation is to keep this enabled. However, there are some … workloads, including HPC workloads …" """
    for workload, value, strength in (("java", "on", "vendor"), ("wrf", "off", "test-first")):
        found = decision(f"goal {goal}; workload {workload}; {server}", "smt")
        assert (found.value, found.because[0].strength) == (value, strength)
        assert cites(found.because, "dell-bios-registries", f"{SERVERS[server]}, LogicalProc help text")


CAPACITY = [
    *(
        f"goal balanced; memory-need {need}; set memory-mode mirror"
        for need in ("three-quarters", "seven-eighths", "all")
    ),
    *(f"goal balanced; memory-need all; set memory-mode {mode}" for mode in ("spare", "spare-advanced-ecc")),
]
"""Memory modes that leave less than the work needs."""


@pytest.mark.parametrize(
    ("policy", "attribute"),
    [
        ("goal balanced; set collaborative-cpu-control on; set cpu-power-management os-dbpm",
         "CollaborativeCpuPerfCtrl"),
        *((policy, "MemOpMode") for policy in CAPACITY),
    ],
)  # fmt: skip
def test_what_a_help_text_of_the_13th_generation_excludes(policy: str, attribute: str) -> None:
    conflict(f"{policy}; cpu haswell", "dell-bios-registries", f"R630 registry, {attribute} help text")


@pytest.mark.parametrize("policy", CAPACITY)
def test_what_a_help_text_of_the_14th_generation_excludes(policy: str) -> None:
    conflict(f"{policy}; cpu skylake", "dell-bios-registries", "R740 registry, MemOpMode help text")


@pytest.mark.parametrize("memory", ["ranks-per-channel 2; memory-need three-quarters", "ranks-per-channel 1"])
def test_the_formula_for_sparing_is_of_the_12th_generation_alone(memory: str) -> None:
    policy = f"goal balanced; cpu haswell; {memory}; set memory-mode spare"
    assert plan(spelt(policy)).value("memory-mode") == "spare"


def test_what_was_measured_of_dense_configuration_only_warns_a_generation_later() -> None:
    policy = "goal performance; cpu haswell; set system-profile dense"
    (told,) = warnings(spelt(policy), "W0402")
    assert "dense-profile-vs-performance" in told


def test_the_15th_generation_idles_no_processors_under_max_performance() -> None:
    conflict(
        "goal balanced; cpu ice-lake; set cpu-power-management max-performance; set logical-processor-idling on",
        "dell-bios-registries",
        "R750 registry, DynamicCoreAllocation dependencies",
    )


@pytest.mark.parametrize(
    "policy",
    [
        "goal balanced; cpu ice-lake; set controlled-turbo on; set cpu-power-management os-dbpm",
        "goal balanced; cpu ice-lake; set controlled-turbo on; set turbo off",
    ],
)
def test_dell_controlled_turbo_needs_turbo_and_maximum_performance(policy: str) -> None:
    conflict(policy, "dell-bios-registries", "R750 registry, ControlledTurbo dependencies")


@pytest.mark.parametrize(
    ("profile", "energy_efficient_turbo"),
    [("dapc", "on"), ("os", "on"), ("performance", "off"), ("dense", "off")],
)
def test_a_profile_of_the_13th_generation_fixes_turbo_in_every_respect(
    profile: str, energy_efficient_turbo: str
) -> None:
    """ "EnergyEfficientTurbo" and both "TurboCoreNum" in the dependencies of the R630 registry on SysProfile."""
    here = plan(spelt(f"goal balanced; platform r630; sockets 2; set system-profile {profile}"))
    assert here.value("energy-efficient-turbo") == energy_efficient_turbo
    assert (here.value("turbo-cores-processor-1"), here.value("turbo-cores-processor-2")) == ("all", "all")
