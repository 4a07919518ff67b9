"""What guides say of servers for trade, line by line: tuned's profile, the makers of Solarflare's cards, and a bank.

Read at the places that the statements cite: profiles/network-latency/tuned.conf at 2bfa442, whose lines 2.21 has and
2.20 has not; pages 105 and 106 of the guide to the adapters, which names the handling of market data; README.md of the
bank's recommendations at 047b435.
"""

from __future__ import annotations

import pytest

from conformance.printed import advised, values_of
from support.plans import planned

TUNED = """
kernel.hung_task_timeout_secs = 600 | hung-task-timeout 600s
kernel.nmi_watchdog = 0             | nmi-watchdog off
vm.stat_interval = 10               | vm-statistics-interval 10s
kernel.timer_migration = 0          | timer-migration off
tsc=reliable                        | tsc-checks reliable
"""
SOLARFLARE = """
ethtool -C <ethX> adaptive-rx off   | adaptive-rx-coalescing off
ethtool -C <ethX> rx-usecs 0        | rx-interrupt-delay 0us
"""
BANK = "nosoftlockup | soft-lockup-detector off"

CASES = {"tuned-network-latency": TUNED, "solarflare-adapter-guide": SOLARFLARE, "swissquote-forex": BANK}


@pytest.mark.parametrize("source", CASES)
@pytest.mark.parametrize(
    "server", ["platform r760", "platform dl380a-gen11", "platform r7615", "platform sr650"]
)
def test_a_plan_for_trade_has_the_lines_of_the_guide(server: str, source: str) -> None:
    policy = f"goal latency; workload trading; {server}; os rhel 9"
    assert advised(policy, source) == values_of(CASES[source])


@pytest.mark.parametrize("source", CASES)
def test_other_goals_and_work_have_none_of_them(source: str) -> None:
    for intent in ("goal throughput; workload trading", "goal latency; workload latency-bound"):
        assert not advised(f"{intent}; platform r760; os rhel 9", source)


def test_debian_13_has_the_lines_from_the_release_that_it_ships() -> None:
    policy = "goal latency; workload trading; platform r760; os debian 13"
    assert advised(policy, "tuned-2.25") >= values_of(TUNED)
    assert not advised(policy, "tuned-network-latency")


@pytest.mark.parametrize("card", ["intel-700", "intel-800"])
def test_cards_of_intel_have_the_advice_of_their_driver(card: str) -> None:
    """The guide is to other cards; Onload is for those as well."""
    policy = f"goal latency; workload trading; platform r760; os rhel 9; network-card {card}"
    found = {each.setting: each for each in planned(policy).settings}["rx-interrupt-delay"]
    assert (found.value, found.because[0].strength) == ("0us", "test-first")
    assert "trading-without-huge-pages" not in {each.hazard for each in planned(policy).hazards}
