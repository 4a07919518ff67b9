"""The spelling of settings as BIOS attributes, held against the registries of real servers."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from registries import document
from setpoint.compiler.knowledge.load import standard
from setpoint.targets._bios.attributes import attributes, has_attributes, spell
from setpoint.targets._bios.forms import AHEAD, ALONG, FIRST, FIXED, THEN, WRITE, AttributeSpelling
from support.machines import MACHINES, R630, R720, R740, R750, Machine, attributes_of, changed, without_text
from support.plans import planned

SECOND_PROCESSOR = {R720: {"qpi-speed"}, R740: {"turbo-cores-processor-2"}}
"""Settings that a captured server of one processor has no attribute for."""

COUNTS = ("cores-per-processor", "turbo-cores-processor-1", "turbo-cores-processor-2")
"""Settings that count cores: a captured server lists as many as its processor has."""

GONE = {R740: {"CollaborativeCpuPerfCtrl", "EnergyEfficientTurbo"}}
"""Attributes that the firmware before release had, and the released one has not."""

MEMORY_AT_HAND = {("poweredge-12g", "spare"), ("poweredge-12g", "spare-advanced-ecc")}
"""Memory modes that the captured server did not list: they show with memory that suits them."""

RELEASED = {("poweredge-14g", "2933")}
"""Values that the released firmware has, and the captured one, of before the release, has not."""

UNSPELT = {("poweredge-14g", mode) for mode in ("mirror", "advanced-ecc", "spare", "spare-advanced-ecc")}
"""Memory modes of which the captured server has the menu's text, and not how the firmware spells them."""


@cache
def entries(machine: Machine) -> dict[str, dict[str, Any]]:
    """The registry's attributes by name, as a Redfish service shows them."""
    registry = document(machine.capture, "BiosRegistry")
    return {entry["AttributeName"]: entry for entry in registry["RegistryEntries"]["Attributes"]}


def captured(machine: Machine) -> list[AttributeSpelling]:
    """What our table says of the machine's generation, of the attributes that the machine has."""
    table = attributes_of(machine.generation).values()
    return [attribute for attribute in table if attribute.name in entries(machine)]


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_every_attribute_is_one_of_the_server(machine: Machine) -> None:
    absent = {one.setting for one in attributes_of(machine.generation).values()} - {
        one.setting for one in captured(machine)
    }
    assert absent == SECOND_PROCESSOR.get(machine, set())
    assert not [one.name for one in captured(machine) if entries(machine)[one.name]["Hidden"]]


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_every_value_is_one_of_the_server(machine: Machine) -> None:
    for attribute in captured(machine):
        known = {value["ValueName"] for value in entries(machine)[attribute.name]["Value"]}
        for word, value in attribute.values.items():
            if attribute.setting in COUNTS:
                continue  # As many as the processor at hand has.
            assert value in known or (machine.generation, word) in MEMORY_AT_HAND | RELEASED, (
                attribute.name,
                word,
            )


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_racadm_has_an_attribute_on_the_page_that_the_menu_has_it_on(machine: Machine) -> None:
    named = [attribute for attribute in captured(machine) if attribute.racadm]
    assert len(named) > 20
    for attribute in named:
        page = entries(machine)[attribute.name]["MenuPath"].rpartition("/")[2].removesuffix("Ref")
        assert attribute.racadm == f"BIOS.{page}.{attribute.name}"


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_the_locks_are_the_registrys(machine: Machine) -> None:
    """A lock of ours is a dependency of the registry, and the other way, among the attributes that we know."""
    table = attributes_of(machine.generation)
    ours = {
        (one.name, "Hidden" if lock.hides else "ReadOnly", table[lock.setting].name, lock.unless, value)
        for one in captured(machine)
        for lock in one.locks
        for value in [table[lock.setting].values[lock.value]]
    }
    names = {one.name for one in captured(machine)}
    words = {one.name: set(one.values.values()) for one in captured(machine)}
    theirs = {
        (one.attribute, one.prop, condition.attribute, not condition.equal, condition.value)
        for one in machine.registry().dependencies
        if one.prop in ("ReadOnly", "Hidden") and one.to is True and one.attribute in names
        for condition in one.conditions
        # A value that no word of ours leads to locks nothing for us.
        if condition.value in words.get(condition.attribute, ())
    }
    assert ours == theirs


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_what_keeps_its_value_under_a_lock_is_what_the_registry_does_not_set(machine: Machine) -> None:
    """A lock of ours sets an attribute where the registry forces one value while the lock is closed."""
    table, registry = attributes_of(machine.generation), machine.registry()
    forced = {
        (one.setting, lock.setting, word): len(
            registry.forced({table[lock.setting].name: value}).get(one.name, ())
        )
        for one in captured(machine)
        for lock in one.locks
        if not lock.hides and table[lock.setting] in captured(machine)
        for word, value in table[lock.setting].values.items()
        if (word == lock.value) is not lock.unless
        and value in registry.attributes[table[lock.setting].name].values
    }
    kept = {(one.setting, *each) for one in captured(machine) for each in one.kept}
    undecided = {(one.setting, *each) for one in captured(machine) for each in one.undecided}
    assert kept == {case for case, values in forced.items() if values == 0}
    assert undecided == {case for case, values in forced.items() if values > 1}


def test_every_offer_of_the_knowledge_base_can_be_spelt_and_means_what_the_menu_says() -> None:
    knowledge = standard()
    checked = 0
    for machine in MACHINES:
        bit = knowledge.variables["platform"].bit(machine.generation)
        table = attributes_of(machine.generation)
        for setting, offers in knowledge.offers.items():
            for offer in offers:
                if knowledge.settings[setting].layer != "firmware" or not dict(offer.when)["platform"] & bit:
                    continue
                shown = {
                    value["ValueName"]: value["ValueDisplayName"]
                    for value in entries(machine).get(table[setting].name, {}).get("Value", ())
                }
                for word, label in zip(offer.values, offer.labels, strict=True):
                    if " to " in word:
                        assert label == "*"
                        continue
                    if (machine.generation, word) in UNSPELT:
                        assert word not in table[setting].values
                        continue
                    counted = setting in COUNTS and word.isdigit()
                    value = word if counted else table[setting].values[word]
                    assert shown.get(value, label).casefold() == label.casefold(), (setting, word)
                    checked += value in shown
    assert checked > 250


def test_what_unlocks_others_comes_before_them() -> None:
    for machine in MACHINES:
        order = list(attributes_of(machine.generation))
        for attribute in attributes_of(machine.generation).values():
            for lock in attribute.locks:
                if lock.unless:
                    assert order.index(lock.setting) < order.index(attribute.setting)


def test_what_opens_a_lock_in_the_plan_comes_before_what_it_locks() -> None:
    """Virtualization locks x2APIC while it is off, and clustering and interleaving lock each other while one is on."""
    order = list(attributes(R630.plan("goal latency")))
    assert order.index("virtualization") < order.index("trusted-execution") < order.index("smt")
    assert order.index("virtualization") < order.index("x2apic")
    clustered = list(attributes(R750.plan('goal latency; set sub-numa-cluster on because "LAB-9"')))
    assert clustered.index("node-interleaving") < clustered.index("sub-numa-cluster")


def test_generations_spell_one_word_differently() -> None:
    assert attributes_of("poweredge-14g")["sub-numa-cluster"].values["on"] == "Enabled"
    assert attributes_of("poweredge-15g")["sub-numa-cluster"].values["on"] == "2-Way"
    assert attributes_of("poweredge-13g")["memory-frequency"].values["2666"] == "2667MHz"
    assert attributes_of("poweredge-14g")["memory-frequency"].values["2666"] == "2666MHz"
    assert attributes_of("poweredge-13g")["qpi-speed"].name == "QpiSpeed"
    assert attributes_of("poweredge-15g")["qpi-speed"].name == "CpuInterconnectBusSpeed"


def test_a_model_is_spelt_as_its_generation_and_an_older_one_not_at_all() -> None:
    assert has_attributes(R740.plan("goal latency"))
    assert not has_attributes(R720._replace(facts="platform r710").plan("goal latency"))


def test_a_named_profile_is_written_and_its_members_are_expected() -> None:
    spelling = spell(R630.plan("goal density"))
    assert spelling.having(WRITE)[0].value == "DenseCfgOptimized"
    fixed = {line.attribute: line.value for line in spelling.having(FIXED)}
    assert fixed["ProcTurboMode"] == "Disabled"
    assert "turbo" not in spelling.expressed


def test_a_profile_that_is_not_written_promises_nothing_of_its_members() -> None:
    plan = changed(R630.plan("goal density"), "system-profile", unwritten="default")
    assert spell(plan).having(FIXED) == ()


CLUSTERED = """goal latency; set sub-numa-cluster on because "LAB-9"; set logical-processor-idling off because "LAB-9";"""
"""Sub-NUMA clustering locks node interleaving, and the power management of the goal Logical Processor Idling."""


def test_what_the_end_state_locks_must_be_right_before() -> None:
    spelling = spell(R750.plan(CLUSTERED))
    ahead = {line.attribute: line.value for line in spelling.having(AHEAD)}
    assert ahead == {"DynamicCoreAllocation": "Disabled", "NodeInterleave": "Disabled"}
    assert {"logical-processor-idling", "node-interleaving"} <= spelling.expressed


def test_what_a_lock_sets_comes_along_and_what_it_keeps_goes_first() -> None:
    balanced = spell(R740.plan("goal balanced"))
    first = {"MemFrequency", "MonitorMwait", "WriteDataCrc", "Proc1TurboCoreNum"}
    assert {line.attribute for line in balanced.at(FIRST)} == first
    assert {line.attribute for line in balanced.having(FIXED)} == first | {
        line.attribute for line in balanced.at(ALONG)
    }
    assert balanced.at(THEN) == balanced.having(WRITE)
    for line in balanced.at(ALONG):
        assert line.governors == ("SysProfile",)
    for profile in ("dapc", "os"):
        plan = changed(R750.plan(f'goal balanced; set system-profile {profile} because "LAB-9"'), "controlled-turbo",
                       unwritten="")  # fmt: skip
        assert "ControlledTurbo" in {line.attribute for line in spell(plan).at(ALONG)}
    interleaving = spell(R750.plan(CLUSTERED)).at(FIRST)
    assert {line.attribute for line in interleaving} == {"DynamicCoreAllocation", "NodeInterleave"}


def test_dense_configuration_of_the_13th_generation_does_not_decide_on_power_management() -> None:
    """Its registry forces two values, which are not alike: who scales the frequency, the system or its software."""
    assert R630.registry().forced({"SysProfile": "DenseCfgOptimized"})["ProcPwrPerf"] == ("SysDbpm", "OsDbpm")
    (line,) = spell(R630.plan("goal density")).at(FIRST)
    assert (line.attribute, line.value, line.set_by) == ("ProcPwrPerf", "SysDbpm", ("SysProfile",))


def test_an_attribute_that_several_values_lock_is_ahead_under_each() -> None:
    for profile in ("dapc", "os"):
        plan = changed(R750.plan(f'goal balanced; set system-profile {profile} because "LAB-9"'), "controlled-turbo",
                       unwritten="")  # fmt: skip
        ahead = {line.attribute: line.value for line in spell(plan).having(AHEAD)}
        assert ahead["ControlledTurbo"] == "Disabled"


def test_dell_controlled_turbo_waits_for_the_mode_of_power_management() -> None:
    plan = R750.plan('goal performance; set controlled-turbo on because "LAB-9"')
    (line,) = [line for line in spell(plan).having(WRITE) if line.setting == "controlled-turbo"]
    assert line.racadm == "BIOS.DellControlledTurbo.ControlledTurbo"
    assert {(one.attribute, one.value, one.equal) for one in line.conditions} == {
        ("ProcPwrPerf", "MaxPerf", True),
        ("ProcTurboMode", "Disabled", False),
        ("SysProfile", "PerfPerWattOptimizedDapc", False),
        ("SysProfile", "PerfPerWattOptimizedOs", False),
    }


def test_under_custom_every_member_of_a_profile_is_written() -> None:
    """Under Custom a member stays as the profile before left it, so that even one without advice has to be written."""
    for machine in MACHINES:
        registry = machine.registry()
        locked = {
            one.attribute
            for one in registry.dependencies
            if one.prop == "ReadOnly" and one.to is True
            for condition in one.conditions
            if (condition.attribute, condition.value, condition.equal) == ("SysProfile", "Custom", False)
        }
        visible = {name for name in locked if not entries(machine)[name]["Hidden"]} - GONE.get(machine, set())
        custom = machine.plan('goal latency; set system-profile custom because "LAB-9"')
        assert visible <= {line.attribute for line in spell(custom).having(WRITE)}


def test_what_the_firmware_hides_is_neither_written_nor_asked_of_a_hand() -> None:
    plan = changed(
        R740._replace(facts="platform r740; sockets 2").plan("goal latency"), "node-interleaving", value="on"
    )
    spelling = spell(changed(plan, "sub-numa-cluster", value="off", unwritten=""))
    assert "SubNumaCluster" not in {line.attribute for line in spelling.lines}
    assert "sub-numa-cluster" in spelling.expressed
    assert spelling.left_out == {}


def test_what_a_policy_sets_and_the_firmware_hides_is_left_out_with_the_reason() -> None:
    """Nobody waits for advice without effect, but somebody does for a `set`. One to the vendor's value has what it
    wants."""
    policy = """
        goal latency; platform sys-821ge-tnhr; os rhel 9;
        set platform-power-maximum-1 {} because "the rack has 17 kW";
    """
    spelling = spell(planned(policy.format(300)))
    reason = "the firmware hides it while platform-power-limits is hardware"
    assert spelling.left_out == {"platform-power-maximum-1": reason}
    assert "platform-power-maximum-1" not in spelling.expressed
    assert spell(planned(policy.format(16383))).left_out == {}
    shown = policy.format(300) + 'set platform-power-limits manual because "the rack has 17 kW";'
    assert "PPL1MaximumPowerLimit_3D7F" in {line.attribute for line in spell(planned(shown)).lines}


def test_what_cannot_be_spelt_is_left_out_with_the_reason() -> None:
    plan = changed(
        R740.plan("goal latency"),
        "memory-mode",
        value="mirror",
        unwritten="",
        spelled=(without_text("MemOpMode"),),
    )
    plan = changed(plan, "turbo", setting="overdrive", title="Overdrive", spelled=())
    spelling = spell(plan)
    assert spelling.left_out == {
        "memory-mode": "MemOpMode has no known value for mirror on r740",
        "overdrive": "no BIOS attribute is known for Overdrive on r740",
    }
    assert not spelling.expressed & spelling.left_out.keys()
