"""Cisco's templates of BIOS policies for its servers: what they set by workload, token by token, as it is written
there.

A plan for a server of Cisco's has the value of each cell, and its label is the text of the token. On the servers of
others with the same processors, the templates are advice out of scope.
"""

import pytest

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import IN_SCOPE
from setpoint.compiler.plan.model import Decision, Plan
from support.plans import planned

TEMPLATES = {
    "M5-Intel": """
        token                           | AnalyticalDatabaseSystems | EnergyEfficiency | HighPerformanceComputing | JavaApplicationServer | LowLatency | MaximumPerformance | OnlineTransactionProcessing | Virtualization
        auto_cc_state                   | .                         | enabled          | .                        | .                     | .          | .                  | .                           | .
        cpu_power_management            | custom                    | custom           | .                        | custom                | custom     | custom             | custom                      | custom
        imc_interleave                  | .                         | .                | .                        | .                     | .          | 1-way Interleave   | .                           | .
        intel_hyper_threading_tech      | .                         | .                | disabled                 | .                     | disabled   | .                  | .                           | .
        intel_turbo_boost_tech          | .                         | disabled         | .                        | .                     | .          | .                  | .                           | .
        intel_virtualization_technology | .                         | .                | disabled                 | disabled              | disabled   | disabled           | .                           | .
        intel_vt_for_directed_io        | disabled                  | .                | disabled                 | disabled              | disabled   | disabled           | .                           | .
        package_cstate_limit            | .                         | C6 Retention     | .                        | .                     | .          | .                  | .                           | .
        processor_c1e                   | disabled                  | .                | .                        | disabled              | disabled   | disabled           | disabled                    | disabled
        processor_c6report              | disabled                  | .                | .                        | disabled              | disabled   | disabled           | disabled                    | disabled
        snc                             | .                         | .                | .                        | .                     | .          | enabled            | .                           | .
        work_load_config                | .                         | .                | Balanced                 | .                     | Balanced   | Balanced           | .                           | .
    """,
    "M6-AMD": """
        token                              | ComputationIntensive | EnergyEfficiency | HighPerformanceComputing | IOIntensive | LowLatency | VDI      | Virtualization
        cbs_cmn_apbdis                     | 1                    | 0                | 1                        | 1           | Auto       | 1        | 1
        cbs_cmn_cpu_cpb                    | Auto                 | Auto             | Auto                     | Auto        | disabled   | Auto     | Auto
        cbs_cmn_cpu_global_cstate_ctrl     | Auto                 | Auto             | Auto                     | Auto        | disabled   | disabled | Auto
        cbs_cmn_cpu_l1stream_hw_prefetcher | Auto                 | disabled         | Auto                     | Auto        | Auto       | Auto     | Auto
        cbs_cmn_cpu_l2stream_hw_prefetcher | Auto                 | disabled         | Auto                     | Auto        | Auto       | Auto     | Auto
        cbs_cmn_determinism_slider         | Power                | Performance      | Power                    | Power       | Power      | Power    | Power
        cbs_cmn_efficiency_mode_en         | Auto                 | Auto             | Auto                     | Auto        | Auto       | Auto     | Auto
        cbs_cmn_fixed_soc_pstate           | P0                   | P3               | P0                       | P0          | Auto       | P0       | P0
        cbs_cmn_gnb_nb_iommu               | Auto                 | Auto             | disabled                 | Auto        | disabled   | Auto     | Auto
        cbs_cpu_smt_ctrl                   | Auto                 | Auto             | disabled                 | Auto        | disabled   | Auto     | Auto
        cbs_df_cmn_acpi_srat_l3numa        | enabled              | Auto             | Auto                     | Auto        | Auto       | enabled  | enabled
        cbs_df_cmn_dram_nps                | NPS4                 | NPS1             | NPS4                     | NPS4        | Auto       | NPS4     | NPS4
        cisco_xgmi_max_speed               | enabled              | disabled         | enabled                  | enabled     | disabled   | enabled  | disabled
        svm_mode                           | enabled              | enabled          | disabled                 | enabled     | enabled    | enabled  | enabled
    """,
    "M6-Intel": """
        token                           | AnalyticalDatabaseSystems | AzureStack    | CPUIntensive | DataAnalytics | EnergyEfficiency | HighPerformanceComputing | IOIntensive | LowLatency | RelationalDatabaseSystems | Virtualization
        adjacent_cache_line_prefetch    | .                         | enabled       | disabled     | .             | disabled         | .                        | disabled    | .          | .                         | .
        cpu_perf_enhancement            | Auto                      | disabled      | Auto         | Auto          | .                | Auto                     | .           | .          | Auto                      | Auto
        cpu_performance                 | .                         | custom        | .            | .             | .                | .                        | .           | enterprise | .                         | .
        energy_efficient_turbo          | enabled                   | disabled      | .            | enabled       | enabled          | .                        | .           | enabled    | .                         | enabled
        hardware_prefetch               | .                         | enabled       | .            | .             | disabled         | .                        | disabled    | .          | .                         | .
        intel_turbo_boost_tech          | .                         | enabled       | .            | .             | .                | .                        | .           | disabled   | .                         | .
        intel_virtualization_technology | disabled                  | enabled       | .            | .             | .                | disabled                 | .           | disabled   | .                         | .
        intel_vt_for_directed_io        | disabled                  | enabled       | .            | disabled      | .                | disabled                 | .           | disabled   | .                         | .
        ip_prefetch                     | .                         | enabled       | .            | .             | disabled         | .                        | .           | .          | .                         | .
        kti_prefetch                    | .                         | enabled       | enabled      | .             | .                | .                        | .           | .          | .                         | .
        llc_alloc                       | .                         | enabled       | disabled     | .             | .                | disabled                 | .           | .          | disabled                  | .
        llc_prefetch                    | .                         | disabled      | disabled     | .             | .                | disabled                 | disabled    | .          | disabled                  | .
        memory_refresh_rate             | 1x Refresh                | .             | 1x Refresh   | .             | .                | 1x Refresh               | .           | 1x Refresh | 1x Refresh                | .
        package_cstate_limit            | .                         | C0 C1 State   | .            | .             | C6 Non Retention | .                        | .           | .          | .                         | .
        patrol_scrub                    | disabled                  | enabled       | disabled     | .             | .                | disabled                 | .           | disabled   | disabled                  | .
        processor_c1e                   | .                         | disabled      | enabled      | enabled       | enabled          | .                        | .           | .          | .                         | enabled
        processor_c6report              | enabled                   | .             | enabled      | enabled       | enabled          | .                        | .           | .          | enabled                   | enabled
        snc                             | .                         | disabled      | enabled      | .             | .                | enabled                  | .           | .          | enabled                   | .
        streamer_prefetch               | .                         | enabled       | disabled     | .             | disabled         | .                        | disabled    | .          | .                         | .
        upi_link_enablement             | .                         | Auto          | 1            | .             | .                | .                        | .           | .          | .                         | .
        upi_power_management            | .                         | disabled      | enabled      | .             | .                | enabled                  | .           | .          | enabled                   | .
        work_load_config                | Balanced                  | I/O Sensitive | Balanced     | Balanced      | Balanced         | Balanced                 | .           | Balanced   | .                         | .
        xpt_prefetch                    | .                         | enabled       | enabled      | .             | .                | enabled                  | .           | .          | enabled                   | .
    """,
    "M7-Intel": """
        token                           | AnalyticalDatabaseSystems | AzureStack    | CPUIntensive        | DataAnalytics | EnergyEfficient  | HighPerformanceComputing | LowLatency | RelationalDatabaseSystems | Virtualization
        energy_efficient_turbo          | .                         | disabled      | .                   | .             | enabled          | .                        | .          | .                         | .
        intel_hyper_threading_tech      | .                         | enabled       | .                   | .             | .                | .                        | disabled   | .                         | .
        intel_turbo_boost_tech          | .                         | enabled       | .                   | .             | .                | .                        | disabled   | .                         | .
        intel_virtualization_technology | disabled                  | enabled       | .                   | disabled      | .                | disabled                 | disabled   | .                         | .
        intel_vt_for_directed_io        | .                         | enabled       | .                   | .             | .                | .                        | disabled   | .                         | .
        kti_prefetch                    | .                         | enabled       | enabled             | .             | .                | .                        | .          | .                         | .
        llc_alloc                       | .                         | enabled       | disabled            | .             | .                | disabled                 | .          | disabled                  | .
        llc_prefetch                    | .                         | disabled      | disabled            | .             | .                | disabled                 | .          | disabled                  | .
        package_cstate_limit            | .                         | C0 C1 State   | .                   | .             | C6 Non Retention | .                        | .          | .                         | .
        patrol_scrub                    | .                         | enabled       | disabled            | .             | .                | .                        | .          | disabled                  | .
        processor_c1e                   | .                         | disabled      | .                   | .             | enabled          | .                        | .          | .                         | .
        processor_c6report              | enabled                   | .             | enabled             | enabled       | enabled          | enabled                  | .          | .                         | enabled
        select_memory_ras_configuration | .                         | .             | maximum-performance | .             | .                | .                        | .          | .                         | .
        snc                             | .                         | disabled      | SNC4                | .             | .                | .                        | .          | Auto                      | .
        upi_link_enablement             | .                         | Auto          | 2                   | .             | .                | .                        | .          | .                         | .
        upi_power_management            | .                         | disabled      | enabled             | .             | .                | .                        | .          | .                         | .
        work_load_config                | Balanced                  | I/O Sensitive | .                   | .             | Balanced         | Balanced                 | Balanced   | .                         | Balanced
        xpt_prefetch                    | .                         | enabled       | enabled             | .             | .                | .                        | .          | enabled                   | .
    """,
    "M8-AMD": """
        token                              | Analytics             | CPUIntensive          | EnergyEfficiency | HPC                   | IOIntensive                 | LowLatency            | RDBMS                       | Virtualization
        cbs_cmn_apbdis                     | 1                     | 1                     | Auto             | 1                     | 1                           | Auto                  | 1                           | 0
        cbs_cmn_apbdis_df_pstate_rs        | 0                     | 0                     | 0                | 0                     | 0                           | 0                     | 0                           | 0
        cbs_cmn_cpu_cpb                    | Auto                  | Auto                  | Auto             | Auto                  | Auto                        | disabled              | Auto                        | Auto
        cbs_cmn_cpu_global_cstate_ctrl     | Auto                  | Auto                  | Auto             | Auto                  | Auto                        | Auto                  | Auto                        | Auto
        cbs_cmn_cpu_l1stream_hw_prefetcher | Auto                  | Auto                  | disabled         | Auto                  | Auto                        | Auto                  | Auto                        | Auto
        cbs_cmn_cpu_l2stream_hw_prefetcher | Auto                  | Auto                  | disabled         | Auto                  | Auto                        | Auto                  | Auto                        | Auto
        cbs_cmn_determinism_slider         | Auto                  | Power                 | Power            | Power                 | Power                       | Performance           | Auto                        | Power
        cbs_cmn_efficiency_mode_en_rs      | High Performance Mode | High Performance Mode | Efficiency Mode  | High Performance Mode | Maximum IO Performance Mode | High Performance Mode | Maximum IO Performance Mode | High Performance Mode
        cbs_cmn_gnb_nb_iommu               | Auto                  | Auto                  | Auto             | Auto                  | Auto                        | disabled              | Auto                        | Auto
        cbs_cmn_gnb_smu_df_cstates         | Auto                  | Auto                  | Auto             | Auto                  | disabled                    | disabled              | disabled                    | Auto
        cbs_cmn_gnb_smucppc                | enabled               | Auto                  | enabled          | Auto                  | Auto                        | Auto                  | Auto                        | enabled
        cbs_cpu_smt_ctrl                   | disabled              | Auto                  | Auto             | disabled              | Auto                        | disabled              | enabled                     | enabled
        cbs_df_cmn4link_max_xgmi_speed     | Auto                  | Auto                  | Auto             | Auto                  | Auto                        | Auto                  | Auto                        | Auto
        cbs_df_cmn_acpi_srat_l3numa        | disabled              | enabled               | Auto             | Auto                  | Auto                        | Auto                  | Auto                        | Auto
        cbs_df_cmn_dram_nps                | Auto                  | NPS4                  | Auto             | NPS4                  | NPS4                        | Auto                  | NPS4                        | Auto
        cbs_df_cmn_mem_intlv_control       | Auto                  | Auto                  | Auto             | Auto                  | Auto                        | disabled              | Auto                        | Auto
        cpu_perf_enhancement               | Disabled              | Auto                  | Disabled         | Auto                  | Disabled                    | Disabled              | Disabled                    | Disabled
        svm_mode                           | .                     | enabled               | enabled          | .                     | enabled                     | disabled              | .                           | .
    """,
}
"""defaults.yaml of terraform-intersight-policies, commit 5ac40a6: a row for each token, a column for each template, `.`
for what a template does not set. `pcie_slots_cdn_enable` is left out, and the tokens that AzureStack alone has.
"""

NOT_HERE = {"cbs_df_cmn4link_max_xgmi_speed"}
"""A token that has the same value in all templates, and whose other values are not documented."""

SERVERS = {
    "M5-Intel": "ucs-m5",
    "M6-AMD": "ucs-m6-amd",
    "M6-Intel": "c220-m6",
    "M7-Intel": "c240-m7",
    "M8-AMD": "ucs-m8-amd",
}

WORKLOADS = {
    "AnalyticalDatabaseSystems": "olap",
    "Analytics": "data-analytics",
    "AzureStack": "azure-stack",
    "CPUIntensive": "cpu-intensive",
    "ComputationIntensive": "cpu-intensive",
    "DataAnalytics": "data-analytics",
    "HPC": "hpc",
    "HighPerformanceComputing": "hpc",
    "IOIntensive": "io-bound",
    "JavaApplicationServer": "java",
    "OnlineTransactionProcessing": "oltp",
    "RDBMS": "relational-database",
    "RelationalDatabaseSystems": "relational-database",
    "VDI": "vdi",
    "Virtualization": "virtualized",
}
GOALS = {
    "LowLatency": "latency",
    "EnergyEfficiency": "efficiency",
    "EnergyEfficient": "efficiency",
    "MaximumPerformance": "performance",
}

SETTINGS = {
    "adjacent_cache_line_prefetch": "adjacent-cache-line-prefetch",
    "auto_cc_state": "autonomous-core-c-states",
    "cbs_cmn_apbdis": "fabric-power-management",
    "cbs_cmn_apbdis_df_pstate_rs": "fabric-p-state",
    "cbs_cmn_cpu_cpb": "turbo",
    "cbs_cmn_cpu_global_cstate_ctrl": "c-states",
    "cbs_cmn_cpu_l1stream_hw_prefetcher": "l1-stream-prefetcher",
    "cbs_cmn_cpu_l2stream_hw_prefetcher": "l2-stream-prefetcher",
    "cbs_cmn_determinism_slider": "determinism",
    "cbs_cmn_efficiency_mode_en": "efficiency-mode",
    "cbs_cmn_efficiency_mode_en_rs": "amd-power-profile",
    "cbs_cmn_fixed_soc_pstate": "fabric-p-state",
    "cbs_cmn_gnb_nb_iommu": "iommu",
    "cbs_cmn_gnb_smu_df_cstates": "data-fabric-c-states",
    "cbs_cmn_gnb_smucppc": "cppc",
    "cbs_cpu_smt_ctrl": "smt",
    "cbs_df_cmn_acpi_srat_l3numa": "l3-as-numa",
    "cbs_df_cmn_dram_nps": "numa-nodes-per-socket",
    "cbs_df_cmn_mem_intlv_control": "memory-interleaving-control",
    "cisco_xgmi_max_speed": "xgmi-maximum-speed",
    "cpu_perf_enhancement": "enhanced-cpu-performance",
    "cpu_performance": "cpu-performance-profile",
    "cpu_power_management": "power-technology",
    "energy_efficient_turbo": "energy-efficient-turbo",
    "hardware_prefetch": "hardware-prefetcher",
    "imc_interleave": "memory-controller-interleaving",
    "intel_hyper_threading_tech": "smt",
    "intel_turbo_boost_tech": "turbo",
    "intel_virtualization_technology": "virtualization",
    "intel_vt_for_directed_io": "iommu",
    "ip_prefetch": "dcu-ip-prefetcher",
    "kti_prefetch": "upi-prefetch",
    "llc_alloc": "dead-line-llc-alloc",
    "llc_prefetch": "llc-prefetch",
    "memory_refresh_rate": "memory-refresh-rate",
    "package_cstate_limit": "package-c-state-limit",
    "patrol_scrub": "memory-patrol-scrub",
    "processor_c1e": "c1e",
    "processor_c6report": "c-states",
    "select_memory_ras_configuration": "memory-ras",
    "snc": "sub-numa-cluster",
    "streamer_prefetch": "dcu-streamer-prefetcher",
    "svm_mode": "virtualization",
    "upi_link_enablement": "upi-links",
    "upi_power_management": "cpu-interconnect-link-power",
    "work_load_config": "workload-configuration",
    "xpt_prefetch": "xpt-prefetch",
}

CELLS = {"M5-Intel": 38, "M6-AMD": 98, "M6-Intel": 95, "M7-Intel": 53, "M8-AMD": 132}
"""How many cells of each table have a value."""


def columns(table: str) -> dict[str, dict[str, str]]:
    """The templates of a generation, each with the texts of its tokens."""
    head, *rows = [
        [cell.strip() for cell in line.split("|")] for line in TEMPLATES[table].strip().splitlines()
    ]
    return {
        name: {row[0]: row[place] for row in rows if row[0] not in NOT_HERE}
        for place, name in enumerate(head)
        if place
    }


def policies(table: str, template: str) -> list[str]:
    """The policies that a template is for."""
    if template in GOALS:
        policy = f"goal {GOALS[template]}; platform {SERVERS[table]}"
        return [policy, f"{policy}; workload interactive", f"{policy}; workload postgresql"]
    goals = ("performance", "throughput")
    return [f"goal {goal}; platform {SERVERS[table]}; workload {WORKLOADS[template]}" for goal in goals]


def setting(plan: Plan, token: str) -> Decision:
    """The decision on the setting that is a token."""
    found = plan.setting(SETTINGS[token])
    assert found is not None, token
    return found


@pytest.mark.parametrize("table", TEMPLATES)
def test_a_plan_has_the_values_of_the_template_for_its_workload(table: str) -> None:
    compared = 0
    for template, tokens in columns(table).items():
        compared += sum(text != "." for text in tokens.values())
        for policy in policies(table, template):
            plan = planned(policy)
            decided = {token: setting(plan, token) for token, text in tokens.items() if text != "."}
            shown = {token: one.label.casefold() for token, one in decided.items()}
            assert shown == {token: tokens[token].casefold() for token in decided}, policy
            assert {one.cause.source for one in decided.values()} == {"cisco-bios-templates"}, policy
            assert {one.cause.strength for one in decided.values()} == {"vendor"}, policy
    assert compared == CELLS[table]


@pytest.mark.parametrize("table", TEMPLATES)
def test_what_a_template_does_not_set_no_other_template_sets(table: str) -> None:
    """One template is applied to a server, so that those for wider uses do not fill the gaps of one for a narrower."""
    for template, tokens in columns(table).items():
        for policy in policies(table, template):
            causes = {token: setting(planned(policy), token).cause.source for token in tokens}
            filled = {token for token, text in tokens.items() if text == "." and causes[token]}
            assert {token for token in filled if causes[token] == "cisco-bios-templates"} == set(), policy


@pytest.mark.parametrize("table", TEMPLATES)
def test_the_templates_of_a_generation_have_no_other_rules(table: str) -> None:
    """A column for two goals is one rule."""
    rules = [rule for rule in standard().rules if rule.citation.source == "cisco-bios-templates"]
    assert len([rule for rule in rules if rule.citation.at.startswith(table)]) == CELLS[table]


@pytest.mark.parametrize("table", TEMPLATES)
def test_a_server_of_ciscos_offers_the_tokens_of_its_templates_and_nothing_else(table: str) -> None:
    knowledge = standard()
    bit = knowledge.variables["platform"].bit(SERVERS[table])
    offered = {
        (name, offer.citation.at)
        for name, offers in knowledge.offers.items()
        for offer in offers
        if knowledge.settings[name].layer == "firmware" and dict(offer.when).get("platform", 0) & bit
    }
    tokens = next(iter(columns(table).values()))
    assert offered == {(SETTINGS[token], token) for token in tokens}


OTHERS = (
    "r740",
    "r750",
    "r760",
    "r7615",
    "sr670-v2",
    "sr650-v3",
    "sr635-v3",
    "dl360-gen10-plus",
    "dl380a-gen11",
    "sys-821ge-tnhr",
    "dl385-gen10-plus-v2",
    "as-1115cs-tnr",
)
"""Servers of other makers with processors that Cisco has templates for."""


@pytest.mark.parametrize("server", OTHERS)
def test_on_servers_of_others_the_templates_are_to_be_tested_first_or_out_of_scope(server: str) -> None:
    strength, in_scope = ("out-of-scope", False) if server == "r740" else ("test-first", True)
    for goal in ("latency", "performance", "throughput", "efficiency"):
        for workload in dict.fromkeys(WORKLOADS.values()):
            plan = planned(f"goal {goal}; platform {server}; workload {workload}")
            for decision in plan.settings:
                for cause in decision.because:
                    if cause.source == "cisco-bios-templates":
                        assert (cause.steps == IN_SCOPE, cause.strength) == (in_scope, strength)
                for lost in decision.beat:
                    if lost.citation and lost.citation.source == "cisco-bios-templates":
                        assert lost.strength == strength


@pytest.mark.parametrize(
    ("policy", "values"),
    [
        ("goal efficiency; platform r740; workload java", {"turbo": "off"}),
        (
            "goal performance; platform r750; workload oltp",
            {"llc-prefetch": "off", "dead-line-llc-alloc": "off", "sub-numa-cluster": "on"},
        ),
        (
            "goal throughput; platform r750; workload hpc",
            {"llc-prefetch": "off", "memory-patrol-scrub": "off", "sub-numa-cluster": "on"},
        ),
        (
            "goal performance; platform r7615; workload postgresql",
            {"numa-nodes-per-socket": "4"},
        ),
        ("goal performance; platform sr670-v2; workload olap", {"iommu": "off", "virtualization": "off"}),
        ("goal performance; platform r760; workload oltp", {"llc-prefetch": "off", "xpt-prefetch": "on"}),
        ("goal throughput; platform sr650-v3; workload hpc", {"llc-prefetch": "off", "c-states": "on"}),
        ("goal performance; platform sr635-v3; workload virtualized", {"determinism": "power", "cppc": "on"}),
        (
            "goal performance; platform as-1115cs-tnr; workload oltp",
            {"numa-nodes-per-socket": "4", "amd-power-profile": "maximum-io"},
        ),
        (
            "goal throughput; platform sr670-v2; workload oltp",
            {"sub-numa-cluster": "on", "memory-patrol-scrub": "off"},
        ),
        (
            "goal performance; platform dl360-gen10-plus; workload oltp",
            {"sub-numa-cluster": "snc2", "memory-patrol-scrub": "off", "xpt-prefetch": "on"},
        ),
        (
            "goal performance; platform sys-821ge-tnhr; workload cpu-intensive",
            {"sub-numa-cluster": "snc4", "upi-prefetch": "on"},
        ),
        ("goal performance; platform dl380a-gen11; workload cpu-intensive", {"sub-numa-cluster": "snc4"}),
        (
            "goal performance; platform dl385-gen10-plus-v2; workload virtualized",
            {"l3-as-numa": "on", "numa-nodes-per-socket": "4"},
        ),
    ],
)
def test_a_workload_changes_firmware_of_other_makers_servers(policy: str, values: dict[str, str]) -> None:
    plan = planned(policy)
    for name, value in values.items():
        decision = plan.setting(name)
        assert decision is not None
        assert (decision.value, decision.written) == (value, True), name
        assert decision.cause.source == "cisco-bios-templates", name


@pytest.mark.parametrize(
    ("policy", "name", "value"),
    [
        ("goal throughput; platform r750; workload hpc", "xpt-prefetch", "on"),
        ("goal performance; platform sys-821ge-tnhr; workload cpu-intensive", "llc-prefetch", "off"),
    ],
)
def test_a_default_that_a_template_asks_for_is_written_where_its_advice_is_related(
    policy: str, name: str, value: str
) -> None:
    decision = planned(policy).setting(name)
    assert decision is not None
    assert (decision.value, decision.default, decision.written) == (value, value, True)
    assert (decision.cause.source, decision.notes) == ("cisco-bios-templates", ())


@pytest.mark.parametrize("server", OTHERS)
def test_where_a_vendors_word_is_required_nothing_is_written_of_the_templates(server: str) -> None:
    policy = f'goal performance; platform {server}; workload hpc; require strength vendor because "OPS-12"'
    assert not any(d.cause.source == "cisco-bios-templates" for d in planned(policy).written)


def test_the_makers_own_word_comes_first_in_scope() -> None:
    """Dell's own text on virtualization is for every goal; the template for analytical databases has it off."""
    decision = planned("goal performance; platform r750; workload olap").setting("virtualization")
    assert decision is not None
    assert (decision.value, decision.cause.source) == ("on", "dell-bios-registries")
    assert ("off", "test-first") in {(lost.value, lost.strength) for lost in decision.beat}


def test_dells_own_study_of_sub_numa_clustering_is_an_exception_to_ciscos() -> None:
    """On the 14th generation both are out of scope: Dell's by the workload, Cisco's by the server."""
    decision = planned("goal performance; platform r740; workload interactive").setting("sub-numa-cluster")
    assert decision is not None
    assert decision.value == "off"
    decision = planned("goal performance; platform ucs-m5").setting("sub-numa-cluster")
    assert decision is not None
    assert decision.value == "on"


def test_a_host_of_virtual_machines_keeps_virtualization_under_every_goal() -> None:
    """LowLatency turns it off, and is not for such hosts."""
    for server in SERVERS.values():
        for goal in standard().values["goal"]:
            plan = planned(f"goal {goal}; platform {server}; workload virtualized")
            decision = plan.setting("virtualization")
            assert decision is None or decision.value == "on" or not decision.written, (server, goal)
