"""A policy's facts about hardware are checked as well: memory against the workload's need, and facts against each
other.
"""

from fractions import Fraction

import pytest

from knowledge.refusals import conflict, hazard, refusal, spelt
from support.ask import cites, decision, plan, warnings

# --------------------------------------------------------------------------------------------------------- memory


@pytest.mark.parametrize("rated", ["", "; dimm-voltage 1.35v"])
def test_1333_at_three_dimms_per_channel_without_1_5_volts(rated: str) -> None:
    policy = f"goal performance; cpu e5-2680; dimms-per-channel 3{rated}; set memory-frequency 1333"
    assert decision(spelt(policy), "memory-voltage").value == "1.5v", "the compiler raises it on its own"
    hazard(f"{policy}; set memory-voltage auto", "three-dimms-at-low-voltage",
           "dell-12g-tuning", "Memory operating voltage")  # fmt: skip


def test_dimms_rated_at_1_5_volts_need_no_raising() -> None:
    policy = (
        "goal performance; cpu e5-2680; dimms-per-channel 3; dimm-voltage 1.5v; set memory-frequency 1333"
    )
    assert decision(spelt(policy), "memory-voltage").value == "auto"


def test_at_three_dimms_per_channel_the_fastest_rate_is_advised_and_not_a_number() -> None:
    found = decision("goal throughput; cpu e5-2680; dimms-per-channel 3", "memory-frequency")
    assert found.value == "maximum"
    assert cites(found.because, "dell-12g-tuning", "Memory frequency")


def test_low_voltage_dimms_run_at_low_voltage_for_efficiency() -> None:
    found = decision("goal efficiency; cpu e5-2680; dimm-voltage 1.35v", "memory-voltage")
    assert found.value == "auto"
    assert cites(found.because, "dell-12g-tuning", "Memory operating voltage")


def test_sandy_bridge_runs_memory_at_up_to_1600() -> None:
    conflict("goal performance; cpu e5-2680; set memory-frequency 1866", "dell-12g-tuning", "Introduction")
    assert (
        plan(spelt("goal performance; cpu e5-2680; set memory-frequency 1600")).value("memory-frequency")
        == "1600"
    )
    assert (
        plan(spelt("goal performance; platform r720; set memory-frequency 1866")).value("memory-frequency")
        == "1866"
    )


NEEDS = {
    "half": Fraction(1, 2),
    "three-quarters": Fraction(3, 4),
    "seven-eighths": Fraction(7, 8),
    "all": Fraction(1),
}
MODES = "Overview of memory mode selections"


@pytest.mark.parametrize("mode", ["spare", "spare-advanced-ecc"])
@pytest.mark.parametrize("need", NEEDS)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 6, 8])
def test_sparing_against_the_memory_that_the_work_needs(ranks: int, need: str, mode: str) -> None:
    # The paper's formula: of n ranks on a channel, n - 1 remain.
    left = Fraction(ranks - 1, ranks)
    policy = (
        f"goal balanced; cpu e5-2680; ranks-per-channel {ranks}; memory-need {need}; set memory-mode {mode}"
    )
    if left < NEEDS[need]:
        conflict(policy, "dell-12g-tuning", MODES)
    else:
        assert plan(spelt(policy)).value("memory-mode") == mode
        assert warnings(spelt(policy), "W0401") == ()


def test_sparing_of_the_only_rank() -> None:
    conflict(
        "goal balanced; cpu e5-2680; ranks-per-channel 1; set memory-mode spare", "dell-12g-tuning", MODES
    )


@pytest.mark.parametrize("need", NEEDS)
def test_mirroring_against_the_memory_that_the_work_needs(need: str) -> None:
    policy = f"goal balanced; cpu e5-2680; memory-need {need}; set memory-mode mirror"
    if NEEDS[need] > Fraction(1, 2):
        conflict(policy, "dell-12g-tuning", MODES)
    else:
        assert plan(spelt(policy)).value("memory-mode") == "mirror"


@pytest.mark.parametrize("need", NEEDS)
def test_mirroring_halves_the_memory_of_the_11th_generation_too(need: str) -> None:
    policy = f"goal balanced; platform r710; memory-need {need}; set memory-mode mirror"
    if NEEDS[need] > Fraction(1, 2):
        conflict(policy, "dell-t610-manual", "Memory Mirroring Support")
    else:
        assert plan(spelt(policy)).value("memory-mode") == "mirror"


@pytest.mark.parametrize(
    ("policy", "name"),
    [
        ("set memory-mode mirror", "mirror-capacity-unknown"),
        ("set memory-mode spare", "spare-capacity-unknown"),
        ("ranks-per-channel 2; set memory-mode spare", "spare-capacity-unknown"),
        ("memory-need half; set memory-mode spare", "spare-ranks-unknown"),
    ],
)
def test_a_check_that_lacks_a_fact_is_reported(policy: str, name: str) -> None:
    (shown,) = warnings(spelt(f"goal balanced; cpu e5-2680; {policy}"), "W0401")
    assert shown.startswith(f"hazard `{name}`")


# ---------------------------------------------------------------------------------------------------------- facts


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ("cpu skylake; platform poweredge-11g", "platform poweredge-11g contradicts cpu skylake"),
        ("cpu x5670; platform r740", "cpu x5670 contradicts platform r740"),
        ("platform r740; os rhel 5", "os rhel 5 contradicts platform r740"),
        ("platform poweredge-11g; os rhel 10", "os rhel 10 contradicts platform poweredge-11g"),
        ("platform poweredge-15g; cpu ice-lake; os rhel 6", "os rhel 6 contradicts platform poweredge-15g"),
        ("cpu e5-2690; sockets 4", "cpu e5-2690 contradicts sockets 4"),
        ("cpu e5-4650; platform r720", "platform r720 contradicts cpu e5-4650"),
        ("cpu e5-2690; platform r320", "platform r320 contradicts cpu e5-2690"),
        ("cpu e5-2430; platform r820", "platform r820 contradicts cpu e5-2430"),
        ("cpu e5-2430-v2; platform r720", "platform r720 contradicts cpu e5-2430-v2"),
        ("cpu e5-4650-v2; platform r720", "platform r720 contradicts cpu e5-4650-v2"),
        ("cpu e5-2697-v2; platform r420", "platform r420 contradicts cpu e5-2697-v2"),
        ("cpu e5-1650-v3; platform r730", "platform r730 contradicts cpu e5-1650-v3"),
        ("cpu e7-8890-v3; platform r730", "platform r730 contradicts cpu e7-8890-v3"),
        ("cpu e5-1650-v4; sockets 2", "cpu e5-1650-v4 contradicts sockets 2"),
        ("cpu xeon-gold-6209u; sockets 2", "cpu xeon-gold-6209u contradicts sockets 2"),
        ("cpu irwindale; platform r720", "platform r720 contradicts cpu irwindale"),
        ("cpu core-i7-965; platform r740", "platform r740 contradicts cpu core-i7-965"),
        ("platform r740; os rhel 9; numa unaware", "os rhel 9 contradicts numa unaware"),
        ("platform r610; dimms-per-channel 3", "platform r610 contradicts dimms-per-channel 3"),
    ],
)
def test_facts_that_cannot_be_together(facts: str, message: str) -> None:
    error = refusal(f"goal balanced; {facts}")
    assert (error.code, error.message) == ("E0204", message)


@pytest.mark.parametrize("facts", ["cpu e5-4650", "platform r820", "cpu e5-4650; platform r820"])
def test_a_server_with_four_sockets_is_assumed_to_be_full(facts: str) -> None:
    assert (
        plan(f"goal throughput; {facts}; process-memory exceeds-socket").value("node-interleaving") == "off"
    )
    half = f"goal throughput; {facts}; sockets 2; process-memory exceeds-socket"
    assert plan(half).value("node-interleaving") == "on"


@pytest.mark.parametrize("fact", ["goal latency", "cpu westmere", "os rhel 6"])
def test_a_fact_stated_twice(fact: str) -> None:
    policy = "goal latency; cpu westmere; os rhel 6"
    error = refusal(f"{policy}; {fact}")
    assert (error.code, error.message) == ("E0203", f"`{fact.split()[0]}` is stated twice")
