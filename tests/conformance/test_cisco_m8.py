"""Cisco's tuning guide for its M8 servers with Xeon 6: what their BIOS offers, with the defaults, and what the guide
sets by workload.

The tables are those of the guide, with its own words; `.` is "Platform default", which sets nothing.
"""

import pytest

from conformance.printed import rows
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.plan.model import Decision
from support.plans import planned

SOURCE = "cisco-m8-intel-tuning"

TABLE_2 = """
    Intel Hyper-Threading Technology | smt                           | Enabled                | Enabled, Disabled
    CPU performance                  | cpu-performance-profile       | Custom                 | Custom, Enterprise, High-throughput, HPC
    Hardware prefetcher              | hardware-prefetcher           | Enabled                | Enabled, Disabled
    Adjacent cache line prefetcher   | adjacent-cache-line-prefetch  | Enabled                | Enabled, Disabled
    DCU IP prefetcher                | dcu-ip-prefetcher             | Enabled                | Enabled, Disabled
    DCU streamer prefetch            | dcu-streamer-prefetcher       | Enabled                | Enabled, Disabled
    LLC prefetch                     | llc-prefetch                  | Enabled                | Enabled, Disabled
    Intel Virtualization Technology  | virtualization                | Enabled                | Enabled, Disabled
    UPI link enablement              | upi-links                     | Auto                   | Auto, 1, 2, 3
    UPI power management             | cpu-interconnect-link-power   | Disabled               | Enabled, Disabled
    XPT remote prefetch              | remote-xpt-prefetch           | Auto                   | Auto, Enabled, Disabled
    KTI prefetch                     | upi-prefetch                  | Auto                   | Auto, Enabled, Disabled
    XPT prefetch                     | xpt-prefetch                  | Auto                   | Auto, Enabled, Disabled
    Sub-NUMA clustering              | sub-numa-cluster              | Disabled               | Auto, Enabled, Disabled
    LLC dead line                    | dead-line-llc-alloc           | Enabled                | Auto, Enabled, Disabled
    NUMA Optimized                   | numa-support                  | Enabled                | Enabled, Disabled
    Virtual NUMA                     | virtual-numa                  | Disabled               | Enabled, Disabled
    Select Memory RAS Configuration  | memory-ras                    | ADDDC Sparing          | ADDDC Sparing, Maximum Performance, Mirror Mode 1LM, Partial Mirror Mode 1LM
    Patrol scrub                     | memory-patrol-scrub           | Enable at End of POST  | Enable at End of POST, Disabled
    Enhanced CPU performance         | enhanced-cpu-performance      | Disabled               | Auto, Disabled
    Energy-efficient turbo mode      | energy-efficient-turbo        | Disabled               | Enabled, Disabled
    Intel Turbo Boost Technology     | turbo                         | Enabled                | Enabled, Disabled
    Processor C6 Report              | c-states                      | Auto                   | Auto, Enabled, Disabled
    Processor C1E                    | c1e                           | Enabled                | Enabled, Disabled
    Package C-state control          | package-c-state-limit         | C0/C1 State            | No Limit, Auto, C0/C1 State, C2, C6 Retention, C6 Nonretention
    Power performance tuning         | energy-performance-bias-owner | OS                     | OS, BIOS
    Processor EPP Profile            | epp-profile                   | Balanced Performance   | Performance, Balanced Performance, Power, Balanced Power
    Latency optimized mode           | latency-optimized-mode        | Disabled               | Enabled, Disabled
    Workload configuration           | workload-configuration        | I/O Sensitive          | Balanced, I/O Sensitive
"""
"""Each option with its setting here, its default and its values. UPI Link Frequency Select is left out, and PECI as a
value of power performance tuning. The default of KTI prefetch is that of Tables 3 and 4: Table 2 has `Done`.
"""

TABLES = {
    "Table 3": """
        BIOS token                       | CPU-intensive       | Energy-efficient | Low-latency
        Intel Hyper-Threading Technology | .                   | .                | Disabled
        Adjacent cache line prefetcher   | Disabled            | Disabled         | Disabled
        DCU streamer prefetch            | Disabled            | Disabled         | Disabled
        Intel Virtualization Technology  | .                   | .                | Disabled
        XPT remote prefetch              | Disabled            | .                | .
        KTI prefetch                     | Disabled            | .                | .
        XPT prefetch                     | Disabled            | .                | .
        Sub-NUMA clustering              | Enabled             | .                | .
        LLC dead line                    | Enabled             | .                | .
        Select Memory RAS Configuration  | Maximum Performance | .                | .
        Patrol scrub                     | Disabled            | .                | .
        Enhanced CPU performance         | Auto                | .                | .
        Energy-efficient turbo mode      | Enabled             | Enabled          | .
        Intel Turbo Boost Technology     | .                   | .                | Disabled
        Processor C6 Report              | Disabled            | Enabled          | Enabled
        Package C-state control          | .                   | C6 Nonretention  | .
        Power performance tuning         | BIOS                | BIOS             | BIOS
        Processor EPP Profile            | Performance         | Power            | Balanced Power
        Latency optimized mode           | Enabled             | .                | .
        Workload configuration           | Balanced            | Balanced         | Balanced
    """,
    "Table 4": """
        BIOS token                       | Virtualization and container | RDBMS       | Analytical database systems | AI/ML and HPC
        Intel Hyper-Threading Technology | .                            | .           | .                           | Disabled
        CPU performance                  | Enterprise                   | Enterprise  | Enterprise                  | HPC
        LLC prefetch                     | .                            | Disabled    | Disabled                    | .
        Intel Virtualization Technology  | .                            | Disabled    | Disabled                    | Disabled
        Sub-NUMA clustering              | .                            | Enabled     | Enabled                     | .
        LLC dead line                    | .                            | Disabled    | Disabled                    | Disabled
        Patrol scrub                     | .                            | Disabled    | Disabled                    | .
        Enhanced CPU performance         | .                            | Auto        | Auto                        | Auto
        Energy-efficient turbo mode      | Enabled                      | Enabled     | .                           | .
        Processor C1E                    | Disabled                     | Disabled    | .                           | .
        Power performance tuning         | BIOS                         | BIOS        | BIOS                        | BIOS
        Processor EPP Profile            | Performance                  | Performance | Performance                 | Performance
        Latency optimized mode           | Enabled                      | Enabled     | Enabled                     | Enabled
        Workload configuration           | Balanced                     | .           | .                           | .
    """,
}
"""The rows that set anything in any column."""

CELLS = {"Table 3": 33, "Table 4": 37}
"""How many cells of each table have a value."""

GENERAL = ("performance", "throughput")
POLICIES = {
    "CPU-intensive": [(goal, "cpu-intensive") for goal in GENERAL],
    "Energy-efficient": [("efficiency", use) for use in ("interactive", "postgresql", "hpc")],
    "Low-latency": [("latency", use) for use in ("interactive", "trading", "web")],
    "Virtualization and container": [
        (goal, use) for goal in GENERAL for use in ("virtualized", "kubernetes-node")
    ],
    "RDBMS": [
        (goal, use) for goal in GENERAL for use in ("relational-database", "oracle-database", "sql-server")
    ],
    "Analytical database systems": [(goal, use) for goal in GENERAL for use in ("olap", "sap-hana")],
    "AI/ML and HPC": [(goal, use) for goal in GENERAL for use in ("hpc", "gpu-training", "gpu-inference")],
}
"""The goals and workloads that each column is for."""

TEXTS = {"Mirror Mode 1LM": "mirror-mode-1lm", "Partial Mirror Mode 1LM": "partial-mirror-mode-1lm"} | {
    "ADDDC Sparing": "adddc-sparing",
    "Maximum Performance": "maximum-performance",
    "C0/C1 State": "C0 C1 State",
    "C6 Nonretention": "C6 Non Retention",
}
"""Where a token takes another text than the guide's."""


SETTINGS = {row[0]: row[1] for row in rows(TABLE_2)}


def token(text: str) -> str:
    """What the token takes for a value of the guide, in lower case."""
    return TEXTS.get(text, text).casefold()


def decision(policy: str, name: str) -> Decision:
    """The decision on the setting that is an option of the guide."""
    found = planned(policy).setting(SETTINGS[name])
    assert found is not None, name
    return found


def test_a_server_offers_the_values_of_table_2_with_their_defaults() -> None:
    knowledge = standard()
    bit = knowledge.variables["platform"].bit("c240-m8")
    offers = {
        (name, offer.citation.at.partition(", ")[2].partition(";")[0]): offer
        for name, several in knowledge.offers.items()
        for offer in several
        if knowledge.settings[name].layer == "firmware" and dict(offer.when).get("platform", 0) & bit
    }
    assert {(setting, option) for option, setting, *_ in rows(TABLE_2)} == set(offers)
    for option, setting, default, values in rows(TABLE_2):
        shown = decision("goal performance; platform c240-m8", option)
        offer = offers[setting, option]
        labels = dict(zip(offer.values, offer.labels, strict=True))
        assert {label.casefold() for label in labels.values()} == {
            token(text) for text in values.split(", ")
        }, option
        assert shown.default
        assert labels[shown.default].casefold() == token(default), option


@pytest.mark.parametrize("table", TABLES)
def test_a_plan_has_the_values_of_the_column_for_its_workload(table: str) -> None:
    head, *body = rows(TABLES[table])
    compared = 0
    for place, column in enumerate(head[1:], 1):
        expected = {row[0]: row[place] for row in body if row[place] != "."}
        compared += len(expected)
        for goal, use in POLICIES[column]:
            policy = f"goal {goal}; platform c240-m8; workload {use}"
            found = {name: decision(policy, name) for name in expected}
            assert {name: one.label.casefold() for name, one in found.items()} == {
                name: token(text) for name, text in expected.items()
            }, policy
            assert {one.cause.source for one in found.values()} == {SOURCE}, policy
            weak = {name for name, one in found.items() if one.cause.strength != "vendor"}
            assert weak <= {"Enhanced CPU performance"}, policy
    assert compared == CELLS[table]


@pytest.mark.parametrize("table", TABLES)
def test_a_column_sets_nothing_where_it_has_the_default(table: str) -> None:
    head, *body = rows(TABLES[table])
    for place, column in enumerate(head[1:], 1):
        for goal, use in POLICIES[column]:
            policy = f"goal {goal}; platform c240-m8; workload {use}"
            silent = [row[0] for row in body if row[place] == "."]
            rules = {decision(policy, name).cause.name for name in silent}
            assert not {name for name in rules if name.startswith(SOURCE)}, policy


def test_the_tables_have_no_other_rules() -> None:
    """A column for two goals is one rule."""
    found = [rule.citation.at for rule in standard().rules if rule.citation.source == SOURCE]
    assert len(found) == sum(CELLS.values())


def test_the_c220_does_not_offer_enhanced_cpu_performance() -> None:
    policy = "goal performance; platform c220-m8; workload cpu-intensive"
    assert planned(policy).setting("enhanced-cpu-performance") is None


def test_enhanced_cpu_performance_is_to_be_tested_first() -> None:
    policy = "goal performance; platform c240-m8; workload cpu-intensive"
    assert decision(policy, "Enhanced CPU performance").cause.strength == "test-first"


def test_no_clusters_are_made_for_work_that_does_not_find_its_memory() -> None:
    policy = "goal performance; platform c240-m8; workload oltp; memory-locality "
    assert [decision(policy + locality, "Sub-NUMA clustering").value for locality in ("good", "poor")] == [
        "on",
        "off",
    ]


def test_intels_guide_for_two_databases_turns_off_what_low_latency_has_on() -> None:
    policy = "goal latency; platform c240-m8; workload "
    found = {
        use: decision(policy + use, "Processor C6 Report").value for use in ("web", "mysql", "postgresql")
    }
    assert found == {"web": "on", "mysql": "off", "postgresql": "off"}


def test_a_host_of_virtual_machines_keeps_virtualization() -> None:
    for goal in standard().values["goal"]:
        found = decision(
            f"goal {goal}; platform c240-m8; workload virtualized", "Intel Virtualization Technology"
        )
        assert found.value == "on", goal


def test_on_dells_servers_with_the_same_processors_it_is_to_be_tested_first() -> None:
    """But for the column for low latency, which contradicts Dell's own page."""
    plan = planned("goal performance; platform r770; cpu granite-rapids; workload hpc")
    for setting, value in (("smt", "off"), ("dead-line-llc-alloc", "off")):
        decision = plan.setting(setting)
        assert decision is not None
        assert (decision.value, decision.cause.strength) == (value, "test-first")
    latency = planned("goal latency; platform r770; cpu granite-rapids")
    causes = {cause.source for decision in latency.settings for cause in decision.because}
    assert "cisco-m8-intel-tuning" not in causes
