"""Databases on Linux: each gets what the profile of tuned for it has, also where the profile for its goal has another
value."""

import pytest

from support.plans import planned

POSTGRESQL = {
    "force-latency": "1us",
    "transparent-hugepages": "never",
    "dirty-background-bytes": "67108864",
    "dirty-bytes": "536870912",
    "swappiness": "3",
    "autogroup": "off",
}
ORACLE = {
    "swappiness": "10",
    "dirty-background-ratio": "3",
    "dirty-ratio": "40",
    "asynchronous-io": "1048576",
    "receive-buffer-maximum": "4194304",
    "send-buffer-maximum": "1048576",
    "numa-balancing": "off",
    "transparent-hugepages": "never",
}
SQL_SERVER = {
    "force-latency": "5us",
    "transparent-hugepages": "always",
    "swappiness": "1",
    "dirty-background-ratio": "3",
    "dirty-ratio": "80",
    "max-map-count": "1600000",
    "receive-buffer-maximum": "4194304",
    "send-buffer-maximum": "1048576",
    "numa-balancing": "off",
}


@pytest.mark.parametrize("system", ["rhel 8", "rhel 9", "debian 12", "ubuntu 22.04"])
@pytest.mark.parametrize("goal", ["performance", "throughput"])
@pytest.mark.parametrize(
    ("workload", "profile", "values"),
    [
        ("postgresql", "postgresql", POSTGRESQL),
        ("oracle-database", "oracle", ORACLE),
        ("sql-server", "mssql", SQL_SERVER),
    ],
)
def test_a_database_has_the_values_of_its_profile(
    workload: str, profile: str, values: dict[str, str], goal: str, system: str
) -> None:
    plan = planned(f"goal {goal}; cpu ice-lake; platform poweredge-15g; os {system}; workload {workload}")
    assert {name: plan.value(name) for name in values} == values
    causes = {d.setting: d.cause for d in plan.settings if d.setting in values}
    assert {cause.citation.at.split(",")[0] for cause in causes.values() if cause.citation} == {profile}


def test_dirty_memory_is_limited_in_bytes_or_in_percent() -> None:
    plan = planned("goal throughput; cpu ice-lake; platform poweredge-15g; os debian 12; workload postgresql")
    assert {plan.value("dirty-ratio"), plan.value("dirty-background-ratio")} == {"in-bytes"}
