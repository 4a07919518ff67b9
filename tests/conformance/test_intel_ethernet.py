"""What Intel's drivers say of latency: the manuals of i40e and ice in Linux 6.1, section "Performance Optimization".

Both disable the adaptive interrupt throttling rate, and the throttling itself, by
`adaptive-rx off adaptive-tx off rx-usecs 0 tx-usecs 0`; and both say of all of the section that they "recommend
experimenting" with it.
"""

import pytest

from support.ask import decision, warnings

VALUES = {
    "adaptive-rx-coalescing": "off",
    "adaptive-tx-coalescing": "off",
    "rx-interrupt-delay": "0us",
    "tx-interrupt-delay": "0us",
}
SOURCES = {"intel-700": "linux-i40e", "intel-800": "linux-ice"}


@pytest.mark.parametrize("card", SOURCES)
@pytest.mark.parametrize("setting", VALUES)
def test_cards_of_intel_interrupt_at_once_for_latency(card: str, setting: str) -> None:
    policy = f"goal latency; cpu ice-lake; os rhel 9; network-card {card}"
    found = decision(policy, setting)
    assert (found.value, found.written, found.because[0].strength) == (VALUES[setting], True, "test-first")
    assert found.because[0].citation is not None
    assert found.because[0].citation.source == SOURCES[card]
    assert any(setting in warning for warning in warnings(policy, "W0303"))


@pytest.mark.parametrize("facts", ["goal throughput; network-card intel-800", "goal latency"])
@pytest.mark.parametrize("setting", VALUES)
def test_other_cards_and_goals_keep_what_they_have(facts: str, setting: str) -> None:
    found = decision(f"{facts}; cpu ice-lake; os rhel 9", setting)
    assert (found.value, found.written) == ("unmanaged", False)
