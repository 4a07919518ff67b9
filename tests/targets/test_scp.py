"""Server Configuration Profiles: held against the documented form, and against the registries of real servers."""

from __future__ import annotations

import json
from itertools import product
from xml.etree import ElementTree

import pytest

from setpoint.compiler.plan.model import Plan
from setpoint.compiler.twin.rules import check
from setpoint.targets.redfish import TARGET as REDFISH
from setpoint.targets.scp import TARGET
from support.machines import GOALS, MACHINES, R630, R720, R740, Machine, changed, without_text
from support.plans import HOSTILE, because, planned

CASES = [pytest.param(m, g, id=f"{m}-{g}") for m, g in product(MACHINES, GOALS)]

EXPORTED = """<SystemConfiguration Model="PowerEdge R740" ServiceTag="G123456" TimeStamp="Tue Jul 21 13:56:41 2020">
<Component FQDD="BIOS.Setup.1-1">
<Attribute Name="SysProfile">Custom</Attribute>
<!-- <Attribute Name="ProcTurboMode">Enabled</Attribute> -->
</Component>
</SystemConfiguration>
"""
"""The form of an export, from sections 2.1 and 2.2 of Dell's Reference Guide (2020), for a component of the BIOS."""


def files(plan: Plan) -> dict[str, str]:
    """The text of each file, by name."""
    return {one.path.removeprefix("scp/"): one.text for one in TARGET.emit(plan).artifacts}


def attributes(text: str) -> dict[str, str]:
    """What a profile sets, and that it has no more than an export has, and nothing of a server."""
    form = ElementTree.fromstring(EXPORTED)
    root = ElementTree.fromstring(text)
    (component,) = root
    (sample,) = form
    assert (root.tag, root.attrib) == (form.tag, {})
    assert (component.tag, component.attrib) == (sample.tag, sample.attrib)
    assert {(one.tag, *one.attrib, len(one)) for one in component} == {("Attribute", "Name", 0)}
    found = {one.attrib["Name"]: one.text or "" for one in component}
    assert len(found) == len(component)
    return found


def which(made: dict[str, str]) -> list[str]:
    """The profiles that there are, in order: "-first" and ""."""
    return [end for end in ("-first", "") if f"settings{end}.xml" in made]


@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_what_a_profile_sets_is_what_the_server_has_and_takes(machine: Machine, goal: str) -> None:
    made = files(machine.plan(f"goal {goal}"))
    registry = machine.registry()
    for end in which(made):
        body = attributes(made[f"settings{end}.xml"])
        assert {
            name: registry.attributes[name].objection(value) for name, value in body.items()
        } == dict.fromkeys(body)
        verdict = check(registry, {"Attributes": body}, ignore_lockdown=machine.lockdown)
        assert verdict.refused == ()


@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_it_leads_where_redfish_leads(machine: Machine, goal: str) -> None:
    plan = machine.plan(f"goal {goal}")
    made = files(plan)
    bodies = {one.path: one.text for one in REDFISH.emit(plan).artifacts}
    for end in which(made):
        assert (
            attributes(made[f"settings{end}.xml"])
            == json.loads(bodies[f"redfish/settings{end}.json"])["Attributes"]
        )
    assert ("redfish/settings-first.json" in bodies) == ("settings-first.xml" in made)
    assert TARGET.emit(plan).expressed == REDFISH.emit(plan).expressed


@pytest.mark.parametrize(("machine", "goal"), CASES)
def test_the_profile_and_the_bodies_say_the_same(machine: Machine, goal: str) -> None:
    made = files(machine.plan(f"goal {goal}"))
    for end in which(made):
        body = attributes(made[f"settings{end}.xml"])
        for name in ("preview", "import"):
            assert attributes(json.loads(made[f"{name}{end}.json"])["ImportBuffer"]) == body


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_the_bodies_are_what_the_actions_of_the_captured_controllers_take(machine: Machine) -> None:
    """`Actions` of the managers of all four: import takes BIOS and a shutdown type, its preview ALL only."""
    made = files(machine.plan("goal latency"))
    documents = {name: json.loads(text) for name, text in made.items() if name.endswith(".json")}
    for document in documents.values():
        document.pop("ImportBuffer", None)
    assert documents["preview.json"] == {"ShareParameters": {"Target": ["ALL"]}}
    assert documents["import.json"] == {"ShareParameters": {"Target": ["BIOS"]}, "ShutdownType": "NoReboot"}
    assert not [name for name, text in made.items() if "Forced" in text]


def test_nothing_of_a_user_is_in_it() -> None:
    plain = files(R720.plan("goal latency"))
    for text in HOSTILE:
        assert files(because(R720.plan("goal latency"), text)) == plain


def test_what_must_be_right_before_is_a_profile_of_its_own() -> None:
    made = files(R740.plan("goal balanced"))
    first, then = attributes(made["settings-first.xml"]), attributes(made["settings.xml"])
    assert (first["SysProfile"], then["SysProfile"]) == ("Custom", "PerfPerWattOptimizedDapc")
    assert "MonitorMwait" in first
    assert "MonitorMwait" not in then
    assert "- MonitorMwait\n" in made["README.md"]


def test_the_page_says_what_to_compare_and_no_more_than_is_there() -> None:
    made = files(R740.plan("goal balanced"))
    assert (
        "| product name | PowerEdge R740 |\n| processor | GenuineIntel family 6 model 85 stepping "
        in made["README.md"]
    )
    assert "|\n| processor sockets | 1 |\n" in made["README.md"]
    single = files(R720.plan("goal latency"))
    assert "settings-first" not in single["README.md"]
    dense = files(R630.plan("goal density"))["README.md"]
    assert (
        "- ProcPwrPerf, unless SysProfile is right already: then the firmware has chosen otherwise\n" in dense
    )
    for name in ("settings.xml", "preview.json", "import.json"):
        assert name in single["README.md"]
        assert name in single


def test_where_there_is_no_profile_the_reason_is_said() -> None:
    assert TARGET.unsupported_reason(planned("goal latency; platform r710")) == (
        "no Server Configuration Profile is known for r710"
    )
    assert "states no platform" in TARGET.unsupported_reason(planned("goal latency; os rhel 6.4"))
    assert TARGET.emit(R720.plan("goal latency")._replace(settings=())).artifacts == ()


def test_what_cannot_be_spelt_is_left_out_by_name() -> None:
    plan = changed(
        R720.plan("goal latency"), "smt", value="sometimes", spelled=(without_text("LogicalProc"),)
    )
    emission = TARGET.emit(plan)
    assert emission.left_out == {"smt": "LogicalProc has no known value for sometimes on r720"}
    assert "smt" not in emission.expressed
