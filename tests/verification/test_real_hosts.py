"""Real hosts: no false alarm on one that is as its plan, and every fault is found, with the layer that is to blame.

The hosts are those of `hosts.json`, of which the commit draws some by day.
"""

import pytest

from setpoint.compiler.verification.model import DIFFERENCES, SettingVerdict
from setpoint.compiler.verification.questions import PlanQuestions
from setpoint.compiler.verification.verdicts import verdicts
from verification.found import SERVERS, found_host
from verification.hosts import facts
from verification.mutations import LAYERS, Fault, faults

LEAST_HOSTS, LEAST_FAULTS = 30, 20

WITHOUT_WORD = {"energy-perf-bias": "7"}
"""What some hosts show that no value of the setting stands for, so that their plan has another one."""


def test_there_are_enough_hosts_of_both_makers() -> None:
    makers = {facts["cpuinfo"]["vendor_id"] for facts in facts().values()}
    assert len(SERVERS) >= LEAST_HOSTS
    assert set(SERVERS) == set(facts())
    assert makers == {"GenuineIntel", "AuthenticAMD"}


@pytest.mark.alike
@pytest.mark.parametrize("name", SERVERS)
def test_a_host_that_is_as_planned_gets_no_alarm(name: str) -> None:
    host = found_host(name)
    wrong = {each.setting: each.found for each in differing(verdicts(host.asked, host.capture).verdicts)}
    assert wrong.items() <= WITHOUT_WORD.items()


@pytest.mark.alike
@pytest.mark.parametrize("name", SERVERS)
def test_every_fault_is_found(name: str) -> None:
    host = found_host(name)
    before = {each.setting for each in differing(verdicts(host.asked, host.capture).verdicts)}
    written = frozenset(each.decision.setting for each in host.asked.settings) - before
    made = list(faults(host.capture, written))
    assert len(made) >= LEAST_FAULTS
    assert [fault.what for fault in made if not is_found(fault, host.asked)] == []


def differing(found: tuple[SettingVerdict, ...]) -> list[SettingVerdict]:
    return [each for each in found if each.state in DIFFERENCES]


def is_found(fault: Fault, asked: PlanQuestions) -> bool:
    """Whether the verdict on the setting of a fault is a difference, of the right layer, and blames the right one."""
    found = verdicts(asked, fault.capture).verdicts
    (verdict,) = (each for each in found if each.setting == fault.setting)
    right = LAYERS[fault.blamed], fault.blamed
    return verdict.state in DIFFERENCES and (verdict.layer, verdict.decided) == right
