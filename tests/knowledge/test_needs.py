"""What work needs of a server stays, whatever templates for servers in general say; and what takes it away is refused
by name."""

import pytest

from knowledge.refusals import spelt
from support.ask import decision, errors, outcome, plan

KEPT = [
    # policy; what would have been taken away, and by whose advice
    ("goal latency; workload dpdk; platform c220-m7", "iommu on", "cisco-bios-templates"),
    ("goal latency; workload nfv; platform dl385-gen10-plus-v2", "iommu on", "hpe-com-cmdlets"),
    ("goal latency; workload kubernetes-node; platform r7625", "iommu on", "cisco-bios-templates"),
    ("goal latency; workload kubernetes-node; platform r760", "virtualization on", "cisco-bios-templates"),
    ("goal latency; workload web; platform r7625; cpu epyc-9754; sockets 2", "iommu on", "cisco-bios-templates"),
]  # fmt: skip


@pytest.mark.parametrize(("policy", "kept", "template"), KEPT)
def test_advice_that_would_take_it_away_loses(policy: str, kept: str, template: str) -> None:
    name, value = kept.split()
    found = decision(policy, name)
    assert found.value == value
    assert template in {lost.citation.source for lost in found.beat if lost.citation}


REFUSED = [
    ("workload dpdk; platform r7625; set iommu off", "devices-of-programs-need-translation"),
    ("workload dpdk; platform r750; set virtualization off", "devices-of-programs-need-translation"),
    ("workload dpdk; os rhel 9; cpu ice-lake; set intel-iommu off", "devices-of-programs-need-translation"),
    ("workload vdi; platform r750; set virtualization off", "guests-need-virtualization"),
    ("platform r7625; cpu epyc-9754s; sockets 2; set x2apic off", "all-cores-of-two-sockets"),
    ("platform r7625; cpu epyc-9754; sockets 2; set iommu off", "all-cores-of-two-sockets"),
]


@pytest.mark.parametrize(("statements", "need"), REFUSED)
def test_a_set_that_would_take_it_away_is_an_error_that_names_the_need(statements: str, need: str) -> None:
    (error,) = errors(spelt(f"goal throughput; {statements}"))
    assert error.code == "E0301"
    assert any(note.startswith(f"{need}: ") for note in error.notes), error.notes


POSSIBLE = [
    # what is taken away on one maker's servers is not on another's
    "workload dpdk; platform dl380a-gen11; set virtualization off",
    "workload dpdk; platform sr670-v2; set virtualization off",
    # who needs nothing of it may have it off
    "workload web; platform r7625; set iommu off",
    "workload web; platform r750; set virtualization off",
    # the kernel's own drivers have the card
    "workload dpdk; device-access kernel-drivers; platform r7625; set iommu off",
    # as many cores with a number below 255 as there are
    "platform r7625; cpu epyc-9654; sockets 2; set smt off; set iommu off",
    "platform r7615; cpu epyc-9754; set smt off; set x2apic off",
]


@pytest.mark.parametrize("statements", POSSIBLE)
def test_what_nobody_needs_can_be_off(statements: str) -> None:
    assert not outcome(spelt(f"goal throughput; {statements}")).is_stopped


@pytest.mark.parametrize("goal", ["balanced", "efficiency", "density"])
@pytest.mark.parametrize("server", ["r6615", "r7615", "r6625", "r7625"])
def test_nothing_limits_idle_states_where_power_counts(goal: str, server: str) -> None:
    """The default profile of these servers is in dispute; no boot argument follows from it."""
    found = plan(f"goal {goal}; platform {server}; cpu epyc-genoa; os ubuntu 24.04")
    assert (found.value("c-states"), found.value("cpu-power-management")) == ("on", "os-dbpm")
    assert found.value("acpi-idle-limit") == "none"
    assert not found.hazards


@pytest.mark.parametrize("release", ["rhel 8", "rhel 9", "rhel 10", "debian 12", "ubuntu 24.04"])
def test_amds_processors_need_no_idle_limit_beside_the_firmwares(release: str) -> None:
    """acpi_idle is their driver, and keeps to the firmware's list; intel_idle and its C1E are Intel's."""
    found = plan(f'goal latency; platform r7625; cpu epyc-genoa; os {release}; set c-states off because "x"')
    assert found.value("acpi-idle-limit") == "none"
    assert {each.name: each.value for each in found.effects}.get("idle-states") == "unused"
    assert {each.name: each.value for each in found.effects}.get("c1e-use") == "unused"
