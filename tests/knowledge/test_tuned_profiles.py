"""What tuned's own profiles advise, release by release: the profile that goes with a goal, and what it sets.

On Enterprise Linux 6 the profiles are shell scripts and govern through cpuspeed, if there is anything to govern.
"""

import pytest

from knowledge.refusals import spelt
from support.ask import cites, decision

LEFT_TO_LINUX = "set cpu-power-management os-dbpm; accept power-management-vs-latency"


@pytest.mark.parametrize(
    ("policy", "setting", "value", "source", "at"),
    [
        (f"goal latency; os rhel 6.4; {LEFT_TO_LINUX}", "governor", "performance",
         "tuned-el6", "ktune.sh: set_cpu_governor"),
        ("goal throughput; os rhel 6.4; set cpu-power-management os-dbpm", "governor", "performance",
         "tuned-el6", "ktune.sh: start()"),
        ("goal latency; os rhel 6.4", "transparent-hugepages", "never", "tuned-el6", "ktune.sh"),
        ("goal throughput; os rhel 6.4", "transparent-hugepages", "always", "tuned-el6", "ktune.sh"),
        (f"goal latency; os rhel 7; {LEFT_TO_LINUX}", "governor", "performance",
         "tuned-profiles", "latency-performance, [cpu] governor"),
        ("goal latency; os rhel 7", "busy-poll", "50us", "tuned-profiles", "network-latency, [sysctl]"),
        ("goal performance; os rhel 8; workload hpc", "transparent-hugepages", "always",
         "tuned-profiles", "hpc-compute, [vm]"),
        ("goal balanced; os rhel 8", "energy-perf-bias", "normal", "tuned-profiles", "[cpu] energy_perf_bias"),
        ("goal efficiency; os rhel 8", "governor", "conservative", "tuned-issue-582", "comment of 2024-01-25"),
        ("goal efficiency; os debian 12", "governor", "conservative", "tuned-issue-582", "comment of 2024-01-25"),
        ("goal efficiency; os rhel 8", "energy-perf-bias", "normal", "tuned-issue-582", "comment of 2024-01-25"),
    ],
)  # fmt: skip
def test_what_the_profile_of_a_goal_sets(policy: str, setting: str, value: str, source: str, at: str) -> None:
    found = decision(spelt(f"cpu e5-2680; {policy}"), setting)
    assert found.value == value
    assert cites(found.because, source, at)
