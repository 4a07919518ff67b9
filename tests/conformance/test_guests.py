"""tuned's profile for SAP HANA in a virtual machine of KVM, read at commit 2bfa442: its lines of its own.

    [sysfs] /sys/devices/system/clocksource/clocksource0/current_clocksource=tsc
    [bootloader] cmdline_saphana=skew_tick=1

It includes sap-hana. The module cpuidle-haltpoll and its parameters have no setting here.
"""

import pytest

from support.plans import planned

FACTS = "os rhel 9; workload sap-hana"


@pytest.mark.parametrize("goal", ["latency", "performance", "throughput"])
def test_a_guest_of_kvm_gets_the_lines_of_its_profile(goal: str) -> None:
    plan = planned(f"goal {goal}; {FACTS}; virtual-machine kvm")
    found = {s: (plan.value(s), plan.setting(s).because[0].source) for s in ("clock-source", "swappiness")}  # type: ignore[union-attr]
    assert found == {"clock-source": ("tsc", "tuned-kvm-guest"), "swappiness": ("10", "tuned-profiles")}
    assert plan.value("skew-tick") == "on"


@pytest.mark.parametrize("machine", ["", "virtual-machine yes", "virtual-machine no"])
def test_no_other_server_does(machine: str) -> None:
    plan = planned(f"goal throughput; {FACTS}; {machine}")
    assert (plan.value("clock-source"), plan.value("skew-tick")) == ("kernel-default", "off")


def test_a_guest_alone_gets_no_values_of_firmware() -> None:
    plan = planned("goal throughput; os rhel 9; virtual-machine yes; workload web")
    assert {decision.layer for decision in plan.settings} == {"boot", "os"}
    assert (plan.value("dirty-ratio"), plan.value("swappiness")) == ("30", "30")
