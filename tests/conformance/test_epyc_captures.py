"""What the library says of servers with EPYC 9004 that are known by values alone: Lenovo's ThinkSystem V3 and
Supermicro's AS-1115CS-TNR.

No registry of either is at hand. `LENOVO` and `SUPERMICRO` are typed from WEKA's collection of BIOS values
(defaults-db.yml of bios_tool, at 51e2a75): the attribute that a setting has, the value that the server had, and the
texts of other values, with where they were seen. A text that nobody has shown is `?`: the library has the value, and
leaves it to a person at the server's menu.
"""

from __future__ import annotations

import pytest

from conformance.printed import offered, policies, requests, rows, spelled
from setpoint.compiler.knowledge.model import Citation, Knowledge
from setpoint.targets.redfish import TARGET as REDFISH
from support.machines import GOALS
from support.plans import planned

LENOVO = """
operating-mode                | OperatingModes_ChooseOperatingMode      | maximum-efficiency MaximumEfficiency | custom CustomMode (bios_settings.yml), maximum-performance MaximumPerformance (SR655 V3)
c-states                      | Processors_GlobalC_stateControl         | on Enabled              | off Disabled (bios_settings.yml)
data-fabric-c-states          | Processors_DFC_States                   | on Enabled              | off Disabled (bios_settings.yml)
fabric-p-state                | Processors_SOCP_states                  | auto Auto               | p0 P0 (bios_settings.yml)
p-state-1                     | Processors_P_state1                     | on Enabled              | off Disabled (bios_settings.yml)
p-state-2                     | Processors_P_state2                     | on Enabled              | off Disabled (bios_settings.yml)
determinism                   | Processors_DeterminismSlider            | performance Performance | power ?
turbo                         | Processors_CorePerformanceBoost         | on Enabled              | off ?
cppc                          | Processors_CPPC                         | on Enabled              | off ?
monitor-mwait                 | Processors_MONITORMWAIT                 | on Enabled              | off ?
efficiency-mode               | Power_EfficiencyMode                    | on Enabled              |
pcie-power-brake              | Power_PCIePowerBrake                    | proactive Proactive     | off Disabled (bios_settings.yml)
memory-frequency              | Memory_MemorySpeed                      | maximum Maximum         |
dram-power-down               | Memory_MemoryPowerDownEnable            | on Enabled              | off ?
smt                           | Processors_SMTMode                      | on Enabled              | off Disabled (bios_settings.yml)
virtualization                | Processors_SVMMode                      | on Enabled              | off ?
iommu                         | DevicesandIOPorts_IOMMU                 | on Enabled              | off Disabled (bios_settings.yml of 2025)
sr-iov                        | DevicesandIOPorts_SRIOV                 | on Enabled              | off ?
mmio-above-4gb                | DevicesandIOPorts_PCI64BitResourceAllocation | auto Auto          |
x2apic                        | Processors_APICMode                     | auto Auto               |
numa-nodes-per-socket         | Memory_NUMANodesperSocket               | 1 NPS1                  |
l3-as-numa                    | Processors_ACPISRATL3CacheasNUMADomain  | off Disabled            | on ?
memory-channel-interleaving   | Memory_Interleave                       | on Enabled              | off ?
memory-refresh-rate           | Memory_DRAMRefreshRate                  | 1x DRAMRefreshRate_1x   |
l1-stream-prefetcher          | Processors_L1StreamHWPrefetcher         | on Enabled              | off ?
l1-stride-prefetcher          | Processors_L1StridePrefetcher           | on Enabled              | off ?
l1-region-prefetcher          | Processors_L1RegionPrefetcher           | on Enabled              | off ?
l2-stream-prefetcher          | Processors_L2StreamHWPrefetcher         | on Enabled              | off ?
l2-up-down-prefetcher         | Processors_L2UpDownPrefetcher           | on Enabled              | off ?
transparent-memory-encryption | Memory_TSME                             | off Disabled            | on ?
secure-memory-encryption      | Memory_SMEE                             | off Disabled            | on ?
"""

OF_THE_MODE = """
c-states data-fabric-c-states fabric-p-state p-state-1 p-state-2 determinism turbo cppc monitor-mwait efficiency-mode memory-frequency
dram-power-down
"""
"""What is about power and performance: the custom mode alone leaves it to a policy."""

SUPERMICRO = """
c-states                | GlobalC_stateControl_00CD        | auto Auto     | off Disabled (bios_settings.yml)
data-fabric-c-states    | DFCstates_7103                   | auto Auto     | off Disabled (bios_settings.yml)
fabric-power-management | APBDIS_00F6                      | auto Auto     | off ?
determinism-control     | DeterminismControl_00F4          | auto Auto     | manual Manual (bios_settings.yml)
amd-power-profile       | PowerProfileSelection_00F8       | high-performance High Performance Mode | maximum-io Maximum IO Performance Mode (bios_settings.yml)
smt                     | SMTControl_00CB                  | off Disabled  | on Enabled (bios_settings.yml of 2025)
virtualization          | SVMMode_00D8                     | on Enabled    | off ?
iommu                   | IOMMU_00EA                       | auto Auto     | on Enabled (bios_settings.yml), off Disabled (bios_settings.yml of 2025)
sr-iov                  | SR_IOVSupport_0067               | off Disabled  | on Enabled (ASG-1115S-NE316R)
numa-nodes-per-socket   | NUMANodesPerSocket_703E          | 4 NPS4        | 1 NPS1 (bios_settings.yml)
l3-as-numa              | ACPISRATL3CacheAsNUMADomain_0099 | auto Auto     | off Disabled (bios_settings.yml)
pcie-aspm               | ASPMSupport_006A                 | off Disabled  |
pcie-relaxed-ordering   | RelaxedOrdering_006D             | on Enabled    |
mmio-above-4gb          | Above4GDecoding_0065             | on Enabled    |
"""

SEEN = {"platform thinksystem-v3-amd": LENOVO, "platform as-1115cs-tnr": SUPERMICRO}
PLACE = {"platform thinksystem-v3-amd": "SR635 V3 factory values", "platform as-1115cs-tnr": "AS-1115CS-TNR"}
MODELS = {
    "platform thinksystem-v3-amd": ("sr635-v3", "sr655-v3"),
    "platform as-1115cs-tnr": ("as-1115cs-tnr",),
}


def seen(here: str) -> dict[str, tuple[str, dict[str, str], str]]:
    """Of each setting: its attribute, the text of each value ("?" where it is unknown), the value that the server
    had."""
    found = {}
    for setting, attribute, had, others in rows(SEEN[here]):
        pairs = [had, *(each.partition(" (")[0] for each in others.split(", ") if each)]
        texts = dict(each.split(" ", 1) for each in pairs)
        found[setting] = attribute, texts, had.split(" ", 1)[0]
    return found


@pytest.mark.parametrize("here", SEEN)
def test_what_is_offered_has_been_seen(knowledge: Knowledge, here: str) -> None:
    for setting, (attribute, texts, _) in seen(here).items():
        assert set(offered(knowledge, here, setting).values) == set(texts), setting
        (attributes_of,) = spelled(knowledge, here, setting)
        assert attributes_of.names == (attribute,)
        assert {one.value: one.text or "?" for one in attributes_of.texts} == texts, setting


@pytest.mark.parametrize("here", SEEN)
def test_nothing_else_is_offered(here: str) -> None:
    for model in MODELS[here]:
        plan = planned(f"goal balanced; platform {model}")
        assert {each.setting for each in plan.settings if each.layer == "firmware"} == set(seen(here))


@pytest.mark.parametrize("here", SEEN)
def test_places_are_those_of_what_was_seen(knowledge: Knowledge, here: str) -> None:
    """The attribute on the server, then where the other values were seen; the paper has the names of the modes."""
    for setting, attribute, _, others in rows(SEEN[here]):
        elsewhere = [each.partition("(")[2].rstrip(")") for each in others.split(", ") if "(" in each]
        at = offered(knowledge, here, setting).citation.at.removesuffix("; LP1977")
        assert at.split("; ") == [f"{PLACE[here]}, {attribute}", *dict.fromkeys(elsewhere)]


def test_lenovos_defaults_are_the_values_after_a_factory_reset(knowledge: Knowledge) -> None:
    here = "platform thinksystem-v3-amd"
    for setting, (_, _, had) in seen(here).items():
        offer = offered(knowledge, here, setting)
        assert (offer.default, offer.unknown) == (had, False), setting


def test_what_lenovos_preset_modes_fix_is_not_known(knowledge: Knowledge) -> None:
    here = "platform thinksystem-v3-amd"
    (preset,) = [one for one in knowledge.presets if knowledge.box_text(one.when) == here]
    assert preset.governor == "operating-mode"
    assert preset.columns == {
        "maximum-efficiency": {},
        "custom": dict.fromkeys(OF_THE_MODE.split(), "free"),
        "maximum-performance": {},
    }


def test_supermicros_server_was_set_otherwise_so_that_only_auto_is_a_default(knowledge: Knowledge) -> None:
    here = "platform as-1115cs-tnr"
    for setting, (_, _, had) in seen(here).items():
        offer = offered(knowledge, here, setting)
        assert (offer.default, offer.unknown) == (("auto", False) if had == "auto" else ("", True)), setting


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("here", SEEN)
def test_a_request_has_only_what_was_seen(here: str, goal: str) -> None:
    legal = {name: set(texts.values()) - {"?"} for name, texts, _ in seen(here).values()}
    of_the_mode = {seen(here)[each][0] for each in OF_THE_MODE.split()} if "thinksystem" in here else set()
    for text in policies(goal, MODELS[here]):
        sent = requests(planned(text))
        assert {name for name, value in sent.items() if value not in legal[name]} == set(), text
        custom = sent.get("OperatingModes_ChooseOperatingMode") == "CustomMode"
        assert custom or not sent.keys() & of_the_mode, text


def test_amds_advice_reaches_both_under_the_names_that_they_have() -> None:
    """Lenovo's has a P-state of the fabric in place of APBDIS, so that the one word of AMD's about it has no object
    there."""
    lenovo, supermicro = (planned(f"goal latency; platform {name}") for name in ("sr635-v3", "as-1115cs-tnr"))
    assert requests(lenovo)["Processors_DFC_States"] == "Disabled"
    assert requests(lenovo)["OperatingModes_ChooseOperatingMode"] == "CustomMode"
    assert requests(supermicro)["DFCstates_7103"] == "Disabled"
    assert supermicro.value("fabric-power-management") == "off"
    assert "fabric-power-management" in dict(REDFISH.emit(supermicro).left_out)


def test_a_fabric_that_sleeps_with_its_clock_fixed_is_reported() -> None:
    plan = planned('goal latency; platform as-1115cs-tnr; set data-fabric-c-states auto because "a test"')
    assert "fabric-clock-drops-in-package-c6" in {each.hazard for each in plan.hazards}


def test_a_driver_that_needs_cppc_is_reported() -> None:
    both = 'set cppc off because "a test"; set amd-pstate active because "a test";'
    waived = 'accept amd-pstate-without-cppc because "a test"'
    plan = planned(f"goal performance; platform sr635-v3; os debian 13; {both} {waived}")
    assert "amd-pstate-without-cppc" in {each.hazard for each in plan.hazards}


@pytest.mark.parametrize(
    ("platform", "settings"),
    [("sr635-v3", "/redfish/v1/Systems/1/Bios/Pending"), ("as-1115cs-tnr", "/redfish/v1/Systems/1/Bios/SD")],
)
def test_settings_go_where_the_makers_controllers_take_them(platform: str, settings: str) -> None:
    plan = planned(f"goal latency; platform {platform}")
    files = {each.path: each.text for each in REDFISH.emit(plan).artifacts}
    assert settings in files["redfish/apply.json"]


def test_the_modes_have_the_names_of_lenovos_paper(knowledge: Knowledge) -> None:
    offer = offered(knowledge, "platform thinksystem-v3-amd", "operating-mode")
    labels = dict(zip(offer.values, offer.labels, strict=True))
    assert labels["maximum-efficiency"] == "Maximum Efficiency"
    assert labels["maximum-performance"] == "Maximum Performance"
    assert offer.citation == Citation(
        "lenovo-amd-captures",
        "SR635 V3 factory values, OperatingModes_ChooseOperatingMode; bios_settings.yml; SR655 V3; LP1977",
    )
