"""What the library says of HPE's ProLiant Gen11 with Xeon: what SAP sets on two models, as the registry of a third one
has it.

The table is typed from hpe-dl380-gen11.yaml, hpe-dl560-gen11-latest-kvm.yaml and hpe-dl560-gen11-sci.yaml
(sapcc/helm-charts at 14641da), without cooling and how a server starts. The last two columns are what the library calls
the attribute and the value, with the other state of a switch, which it leaves to a person.
"""

from __future__ import annotations

import pytest

from conformance.printed import advised, attributes, offered, policies, requests, rows, spelled
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.targets.redfish import TARGET as REDFISH
from support.machines import GOALS
from support.plans import planned

HERE = "platform proliant-gen11-intel"
REGISTERED = "platform dl380a-gen11"
MODELS = ("proliant-gen11-intel", "dl380-gen11", "dl560-gen11", '"ProLiant DL360 Gen11"')

SHARED = """
WorkloadProfile      | Custom         | workload-profile custom              |
CollabPowerControl   | Disabled       | collaborative-power-control off      | on
EnergyEfficientTurbo | Disabled       | energy-efficient-turbo off           | on
EnergyPerfBias       | MaxPerf        | energy-performance-bias performance  |
MemPatrolScrubbing   | Disabled       | memory-patrol-scrub off              | standard
MinProcIdlePkgState  | NoState        | package-c-state-limit c0-c1          |
MinProcIdlePower     | NoCStates      | c-states off                         | on
NumaGroupSizeOpt     | Clustered      | numa-group-size clustered            |
PowerRegulator       | StaticHighPerf | cpu-power-management max-performance |
SubNumaClustering    | Disabled       | sub-numa-cluster off                 |
UncoreFreqScaling    | Maximum        | uncore-frequency maximum             |
"""

PROTECTED = """
AdvancedMemProtection | FastFaultTolerantADDDC | memory-protection fast-fault-tolerant-adddc |
"""
PROTECTED_DL560 = f"""{PROTECTED.rstrip()}
AdvancedMemProtection | AdvancedEcc | memory-protection advanced-ecc |
"""
"""The DL560 has one for nodes of Kubernetes and the other for virtual machines, so that nothing is advised there."""

OWN = {"dl380-gen11": PROTECTED, "dl560-gen11": ""}


def printed() -> dict[str, tuple[str, dict[str, str], set[str]]]:
    """Of each setting: its attribute, the text of each value that SAP sets, the values without a text."""
    found: dict[str, tuple[str, dict[str, str], set[str]]] = {}
    for attribute, text, meant, other in rows(SHARED + PROTECTED_DL560.lstrip()):
        setting, value = meant.split()
        found.setdefault(setting, (attribute, {}, set(other.split())))[1][value] = text
    return found


def test_what_is_offered_is_set_by_sap_or_a_switchs_other_state(knowledge: Knowledge) -> None:
    for setting, (attribute, texts, others) in printed().items():
        offer = offered(knowledge, HERE, setting)
        assert set(offer.values) == texts.keys() | others, setting
        assert (offer.default, offer.unknown) == ("", True), setting
        assert offer.citation.at == f"DL380 Gen11 and DL560 Gen11, {attribute}"
        (attributes_of,) = spelled(knowledge, HERE, setting)
        assert attributes_of.names == (attribute,)
        assert {one.value: one.text for one in attributes_of.texts if one.text} == texts, setting


def test_the_registry_of_another_model_has_the_same_names_and_texts(knowledge: Knowledge) -> None:
    for setting, (attribute, texts, others) in printed().items():
        (there,) = spelled(knowledge, REGISTERED, setting)
        assert there.names == (attribute,)
        assert {one.value: one.text for one in there.texts}.items() >= texts.items()
        assert set(offered(knowledge, REGISTERED, setting).values) >= others


@pytest.mark.parametrize("model", MODELS)
def test_nothing_else_is_offered(model: str) -> None:
    plan = planned(f"goal balanced; platform {model}")
    assert {each.setting for each in plan.settings if each.layer == "firmware"} == printed().keys()


def test_all_of_it_is_free_under_the_custom_profile(knowledge: Knowledge) -> None:
    (preset,) = [one for one in knowledge.presets if knowledge.box_text(one.when) == HERE]
    members = printed().keys() - {"workload-profile"}
    assert preset.governor == "workload-profile"
    assert preset.columns == {"custom": dict.fromkeys(members, "free")}


@pytest.mark.parametrize("goal", ["performance", "throughput"])
@pytest.mark.parametrize("workload", ["virtualized", "kubernetes-node"])
@pytest.mark.parametrize("model", OWN)
def test_hosts_have_what_sap_sets(model: str, workload: str, goal: str) -> None:
    policy = f"goal {goal}; platform {model}; workload {workload}"
    table = rows(SHARED + OWN[model].lstrip())
    assert advised(policy, "sap-metal-settings") == {meant for _, _, meant, _ in table}
    sent = attributes(planned(policy).settings)
    assert sent.items() >= {attribute: text for attribute, text, _, _ in table}.items()


@pytest.mark.parametrize("goal", GOALS)
def test_a_request_has_only_what_sap_sends(goal: str) -> None:
    """And the custom profile with it."""
    legal = {attribute: set(texts.values()) for attribute, texts, _ in printed().values()}
    for policy in policies(goal, ("proliant-gen11-intel", "dl380-gen11", "dl560-gen11")):
        sent = requests(planned(policy))
        assert all(text in legal[name] for name, text in sent.items())
        assert not sent or sent["WorkloadProfile"] == "Custom"


def test_a_value_that_sap_does_not_send_is_a_manual_step() -> None:
    plan = planned('goal latency; platform dl380-gen11; set c-states on because "a test"')
    assert "c-states" in dict(REDFISH.emit(plan).left_out)
