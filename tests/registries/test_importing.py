"""Every captured registry becomes knowledge that is accepted as it is, and that a policy can use."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from controllers import SUPERMICRO as JUDGING_AT_ONCE
from controllers import Server, Setup

from consumers.registry import Registry
from registries import document
from registries.test_reading import WHOLE, registry
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.fitting.server import server_of
from setpoint.compiler.knowledge.load import standard, with_site
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.syntax import Block
from setpoint.compiler.lowering.target import emission_of
from setpoint.compiler.pipeline import Selection, knowledge_for, planned, read_text
from setpoint.compiler.proof.prove import prove
from setpoint.compiler.registries.imported import DESCRIBED, MAPPED, NEW, Import
from setpoint.compiler.registries.importing import NO_SERVICE, imported
from setpoint.compiler.registries.model import BiosResource, System
from setpoint.compiler.registries.model import Registry as Described
from setpoint.compiler.registries.read import read_system, registry_of
from setpoint.compiler.registries.words import kebab
from setpoint.compiler.registries.write import knowledge_text, summary
from setpoint.compiler.twin.rules import FirmwareRules as Rules
from support.command import setpoint
from support.plans import plan_of_text
from support.transitions import requests

U46, A42 = "hpe-gen10plus-DL360-U46-1.56", "hpe-gen10plusv2-DL385-A42-2.60-amd"
LENOVO, SUPERMICRO = "lenovo-SR670V2", "supermicro-SYS-821GE-TNHR"

COUNTS = {
    "dell-12g-R720": (1, 37, 25),
    "dell-13g-R630": (0, 107, 41),
    "dell-14g-R740": (4, 164, 32),
    "dell-15g-R750": (6, 233, 19),
    U46: (73, 410, 0),
    A42: (53, 8, 0),
    "hpe-gen11-DL380a-U58-2.44": (38, 13, 0),
    LENOVO: (74, 143, 0),
    "nvidia-GB200-arm": (0, 364, 0),
    SUPERMICRO: (94, 28, 0),
}
"""How many attributes of each server are mapped to settings of the library, new, and described there already."""

PLATFORMS = {
    "dell-12g-R720": "r720",
    U46: "dl4-sample",
    A42: "dl1-sample",
    "hpe-gen11-DL380a-U58-2.44": "dl2-sample",
    LENOVO: "sr3-sample",
}


NEW_PRODUCTS = {
    U46: "ProLiant DL4 Sample",
    A42: "ProLiant DL1 Sample",
    "hpe-gen11-DL380a-U58-2.44": "ProLiant DL2 Sample",
    LENOVO: "ThinkSystem SR3 Sample",
    SUPERMICRO: "SYS-4 Sample",
}
"""Servers of other makers that the library describes are imported as models that it does not have."""


LARGE = ("dell-13g-R630", "dell-15g-R750", U46, "nvidia-GB200-arm")
"""Large registries of which the others have the kinds of attributes."""

EACH = [pytest.param(name, marks=[pytest.mark.repeated] if name in LARGE else []) for name in WHOLE]


@cache
def sample(name: str) -> Described:
    """The registry of a captured server."""
    found, product = registry(name), NEW_PRODUCTS.get(name)
    return found._replace(systems=(System(product, "", ""),)) if product else found


def smallest(name: str) -> Described:
    """The registry of a captured server with its first attributes alone, for what does not depend on them."""
    found = sample(name)
    return found._replace(attributes=dict(list(found.attributes.items())[:8]), dependencies=())


@cache
def made(name: str) -> Import:
    """The import of a captured server."""
    return imported(standard(), sample(name), BiosResource(document(name, "Bios")["Attributes"]))


@cache
def written(name: str) -> str:
    """The knowledge file of a captured server."""
    return knowledge_text(made(name))


def test_the_same_registry_has_the_same_text() -> None:
    assert knowledge_text(made.__wrapped__(A42)) == written(A42)


@pytest.mark.parametrize("name", EACH)
def test_every_attribute_is_imported_or_left_out_for_a_reason(name: str) -> None:
    found = made(name)
    assert tuple(len(found.of(origin)) for origin in (MAPPED, NEW, DESCRIBED)) == COUNTS[name]
    names = [e.attribute.name for e in found.settings] + [n for each in found.left_out.values() for n in each]
    assert len(names) == len(set(names))
    assert set(registry(name).attributes) <= set(names)
    assert next(summary(found)).startswith(f"{len(names)} attributes: ")
    assert found.platform.name == PLATFORMS.get(name, found.platform.name)


@pytest.mark.parametrize("name", EACH)
def test_the_text_is_canonical_and_well_formed_knowledge(name: str) -> None:
    text = written(name)
    assert format_source(SourceText("import.tune", text)) == text
    site = with_site((parse(SourceText("import.tune", text)),))
    assert made(name).platform.name in site.variables[made(name).platform.fact].values


@pytest.mark.parametrize("with_values", [True, False])
@pytest.mark.parametrize("name", EACH)
def test_kb_check_has_no_findings(name: str, with_values: bool, complete: bool) -> None:
    """By default of one that the library does not know, by the guide: `docs.test_commands`."""
    if not complete:
        pytest.skip("run with --complete")
    found = made(name) if with_values else imported(standard(), sample(name))
    site = with_site((parse(SourceText("import.tune", knowledge_text(found))),))
    assert [(d.code, d.message) for d in prove(site).findings] == []


def test_a_profile_whose_locks_nobody_knows_becomes_constraints() -> None:
    """The R720 keeps the ports of its SATA controller when that is off, at values that only its current ones show."""
    with_values, without = made("dell-12g-R720"), imported(standard(), sample("dell-12g-R720"))
    assert [each.governor.name for each in with_values.presets] == ["embedded-sata"]
    assert without.presets == ()
    ports = {
        (each.causes, each.values, each.flag) for each in without.limits if each.setting.name == "port-a"
    }
    assert ports == {(("off",), (), "kept"), (("ahci-mode", "raid-mode"), ("auto",), "locked")}


def test_a_server_that_the_library_describes_needs_no_knowledge() -> None:
    """Not even a source, which nothing would cite."""
    described = registry(A42)
    text = knowledge_text(imported(standard(), described._replace(dependencies=())))
    assert all(line.startswith("# ") for line in text.splitlines())
    assert text.endswith("# nothing to import: the library describes dl385-gen10-plus-v2\n")
    assert "nothing to import" not in written(LENOVO)


@pytest.mark.parametrize("name", EACH)
def test_an_import_takes_less_than_five_seconds(name: str) -> None:
    """In time of this process, since others may have the machine."""
    begun = time.process_time()
    knowledge_text(imported(standard(), sample(name), BiosResource(document(name, "Bios")["Attributes"])))
    assert time.process_time() - begun < 5


def test_what_is_write_only_is_a_one_time_action() -> None:
    """DMTF's schema says that such an attribute reverts to its initial value. Without a default, nothing says which
    that is."""
    values = [{"ValueName": "No"}, {"ValueName": "Yes"}]
    common = {"Type": "Enumeration", "Value": values, "WriteOnly": True, "MenuPath": "./Logs"}
    entries = {
        "Attributes": [
            {"AttributeName": "ClearLog", "DisplayName": "Clear the Log", "DefaultValue": "No", **common},
            {"AttributeName": "ClearKeys", "DisplayName": "Clear Keys", **common},
        ]
    }
    system = {"ProductName": "Example R1 Gen2", "FirmwareVersion": "1"}
    found = imported(
        standard(),
        registry_of({"SupportedSystems": [system], "RegistryEntries": entries}, "registry.json"),
    )
    text = knowledge_text(found)
    assert "values off, on; once; }" in text
    assert found.left_out == {"one-time actions without a default": ("ClearKeys",)}
    assert with_site((parse(SourceText("import.tune", text)),)).settings["clear-the-log"].once


def _named(found: Import, attribute: str) -> Any:
    return next(each for each in found.settings if each.attribute.name == attribute)


def test_names_of_the_library_are_found_by_name_label_and_alias() -> None:
    hpe, lenovo = made(A42), made(LENOVO)
    assert _named(hpe, "ProcAMDBoost").name == "turbo"
    assert _named(hpe, "ProcSMT").name == "smt"
    assert _named(lenovo, "Processors_HyperThreading").name == "smt"
    assert _named(lenovo, "Processors_TurboMode").name == "turbo"
    assert [v.name for v in _named(lenovo, "Processors_TurboMode").values] == ["off", "on"]


def test_doubtful_matches_and_missing_values_are_marked() -> None:
    lenovo, hpe = made(LENOVO), made(A42)
    assert _named(lenovo, "DevicesandIOPorts_VMDforDirectAssign").reviews == (
        'may be `vmd-direct-assign`, which has no value for "Enabled"',
    )
    assert _named(hpe, "Nbio1LclkDpmLevel").reviews == (
        "may be `lclk-dpm-level`, which is Nbio0LclkDpmLevel already",
    )


def test_values_that_a_setting_of_the_library_does_not_have_are_added() -> None:
    data = document(LENOVO, "BiosRegistry")
    data["SupportedSystems"] = [{"ProductName": "ThinkSystem SR3 Sample"}]
    for each in data["RegistryEntries"]["Attributes"]:
        if each["AttributeName"] == "Processors_CStates":
            each["Value"].append({"ValueName": "Deep", "ValueDisplayName": "Deep"})
    text = knowledge_text(imported(standard(), registry_of(data, "r.json")))
    assert "# review: may be within another value of `c-states`\nc-states deep of" in text


def test_booleans_and_integers_have_their_types() -> None:
    lenovo, nvidia = written(LENOVO), written("nvidia-GB200-arm")
    assert '"true", off "false"' in nvidia
    assert " as boolean at " in " ".join(nvidia.split())
    assert " as integer at " in " ".join(lenovo.split())


def test_a_policy_can_set_what_was_imported() -> None:
    """A profile that sets and locks its members: the profile is written, and what it locks is not."""
    plan = plan_of_text(
        written(A42) + "goal latency; platform dl1-sample; sockets 2;\n"
        'set workload-profile low-latency because "the feed handler runs here";\n'
        'set smt off because "one thread a core";\n'
    )
    found = {each.setting: each for each in plan.settings}
    assert found["workload-profile"].value == "low-latency"
    assert found["workload-profile"].spelled[0].text == "LowLatency"
    assert (found["smt"].value, found["smt"].written) == ("off", True)
    assert (found["turbo"].value, found["turbo"].written) == ("off", False)
    assert (found["x2apic"].value, found["x2apic"].written) == ("auto", False)


HOSTILE = 'x"; } policy p { goal latency; }\n\r\u2028# \u202e \\" \x1b[2J'


@pytest.mark.parametrize("name", [A42, LENOVO, SUPERMICRO, "nvidia-GB200-arm"])
def test_an_import_and_its_registry_say_the_same(name: str) -> None:
    """So does a plan for the very server."""
    program = read_text(f"{written(name)} goal latency; platform {made(name).platform.name};")
    server = server_of(sample(name), document(name, "Bios")["Attributes"], "registry.json")
    knowledge = knowledge_for(program)
    (here,), (everywhere,) = (
        planned(program, knowledge, Selection(server=where)) for where in (server, None)
    )
    assert here.plan is not None
    assert everywhere.plan is not None
    assert [each for each in here.findings if each.code == "W0503"] == []
    assert here.plan.registry is not None
    assert here.plan.registry.limited == ()
    for one, other in zip(here.plan.settings, everywhere.plan.settings, strict=True):
        assert (one.value, one.locks) == (other.value, other.locks)


def test_texts_of_values_are_written_blank_by_blank() -> None:
    """Labels are for people, on one line. What a service calls a value is compared character by character."""
    (line,) = [each for each in written(SUPERMICRO).splitlines() if "Quadrant   (" in each]
    assert line.strip() == (
        'uma-clustering off "Disable   (All2All)", hemisphere "Hemisphere (2-clusters)", quadrant "Quadrant   (4-clusters)"'
    )
    assert 'quadrant "Quadrant (4-clusters)"' in written(SUPERMICRO)


def _hostile(change: Callable[[dict[str, Any]], None]) -> str:
    data = document(A42, "BiosRegistry")
    entries = data["RegistryEntries"]
    entries["Attributes"], entries["Dependencies"] = (
        entries["Attributes"][:8] + entries["Attributes"][-8:],
        [],
    )
    data["SupportedSystems"][0]["ProductName"] = NEW_PRODUCTS[A42]  # else it would be described already
    change(data)
    return knowledge_text(imported(standard(), registry_of(data, "r.json")))


@pytest.mark.parametrize(
    "field", ["AttributeName", "DisplayName", "MenuPath", "OwningEntity", "ProductName", "Value"]
)
def test_text_of_a_registry_never_becomes_a_statement(field: str) -> None:
    def change(data: dict[str, Any]) -> None:
        attributes = data["RegistryEntries"]["Attributes"]
        if field == "Value":
            for attribute in attributes:
                for value in attribute.get("Value", ())[:1]:
                    value.update(ValueName=HOSTILE, ValueDisplayName=HOSTILE)
        elif field == "OwningEntity":
            data[field] = HOSTILE
        elif field == "ProductName":
            data["SupportedSystems"][0][field] = HOSTILE
        else:
            attributes[-1][field] = HOSTILE

    text = _hostile(change)
    assert "policy p" in text
    tree = parse(SourceText("import.tune", text))
    assert {each.kind for each in tree.body if isinstance(each, Block)} <= {
        "source",
        "setting",
        "constraint",
        "value",
        made(A42).platform.fact,
    }
    with_site((tree,))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Node Interleaving", "node-interleaving"),
        ("NodeInterleaving", "node-interleaving"),
        ("I/O Throughput (x16)", "i-o-throughput-x16"),
        ("ProLiant DL385 Gen10 Plus v2", "pro-liant-dl385-gen10-plus-v2"),
        ("1.5V", "1.5v"),
        ("漢字", ""),
    ],
)
def test_names_are_kebab_case(text: str, name: str) -> None:
    assert kebab(text) == name


def test_the_command_writes_the_file_and_a_summary(tmp_path: Path) -> None:
    for resource in ("BiosRegistry", "Bios"):
        (tmp_path / f"{resource}.json").write_text(json.dumps(document(LENOVO, resource)), encoding="utf-8")
    output = tmp_path / "server.tune"
    ran = setpoint(
        "kb", "import", str(tmp_path / "BiosRegistry.json"), "--current", str(tmp_path / "Bios.json"),
        "--platform", "farm-gpu", "-o", str(output),
    )  # fmt: skip
    assert (
        "221 attributes: 0 mapped to settings of the library, 143 new, 74 described there already" in ran.err
    )
    assert "platform farm-gpu {" in output.read_text(encoding="utf-8")
    output.write_text("reviewed", encoding="utf-8")
    again = setpoint("kb", "import", str(tmp_path / "BiosRegistry.json"), "-o", str(output))
    assert (again.status, output.read_text(encoding="utf-8")) == (2, "reviewed")
    assert "exists already" in again.err
    for name, code in {"Bios.json": "E0609", "none.json": "E0601"}.items():
        ran = setpoint("kb", "import", str(tmp_path / name))
        assert (ran.status, ran.out, ran.err[:12]) == (2, "", f"error[{code}]")


@pytest.mark.parametrize(
    ("product", "wanted", "platform", "within"),
    [
        ("PowerEdge R740", "", "r740", ""),
        ("PowerEdge R740", "farm-node", "farm-node", "r740"),
        ("PowerEdge T430", "", "t430", "poweredge-13g"),
        ("SYS-821GE-TNHR", "", "sys-821ge-tnhr", ""),
        ("SYS-421GE-TNRT", "", "sys-421ge-tnrt", ""),
        ("ThinkSystem SR650 V2", "", "sr650-v2", ""),
    ],
)
def test_the_server_is_called_by_its_model(product: str, wanted: str, platform: str, within: str) -> None:
    """A model of the library is that; a new one has a name of its own, within the generation that it belongs to."""
    system = System(product, "", "1.4")
    found = imported(standard(), smallest(SUPERMICRO), system=system, name=wanted)
    assert (found.platform.name, found.platform.within) == (platform, within)
    with_site((parse(SourceText("import.tune", knowledge_text(found))),))


@pytest.mark.parametrize(
    ("product", "within", "implies"),
    [
        ("PowerEdge M640", "poweredge-14g", {"cpu": "skylake-or-cascade-lake"}),
        ("PowerEdge R6525", "poweredge-15g-amd", {}),
        ("PowerEdge R6715", "", {"vendor": "dell", "cpu": "epyc-turin"}),
        ("RS700-E9-RS12", "", {"vendor": "asus"}),
        ("Unheard-of 1", "", {"vendor": "dell"}),  # what the registry says of its owner
    ],
)
def test_a_model_that_its_family_describes_is_what_the_family_says(
    product: str, within: str, implies: dict[str, str]
) -> None:
    data = {
        "OwningEntity": "Dell",
        "SupportedSystems": [{"ProductName": product}],
        "RegistryEntries": {"Attributes": [{"AttributeName": "Boost", "Type": "Boolean"}]},
    }
    found = imported(standard(), registry_of(data, "registry.json"))
    assert (found.platform.within, dict(found.platform.implies)) == (within, implies)
    text = knowledge_text(found)
    assert all(f"    implies {fact} {value};" in text for fact, value in implies.items())
    with_site((parse(SourceText("import.tune", text)),))


@pytest.mark.parametrize(
    ("name", "processor", "implied"),
    [
        (A42, "", ["implies vendor hpe;"]),
        (A42, "AMD EPYC 7763 64-Core Processor", ["implies vendor hpe;", "implies cpu-vendor amd;"]),
        ("hpe-gen11-DL380a-U58-2.44", "INTEL(R) XEON(R) GOLD 6530", ["implies vendor hpe;", "implies cpu-vendor intel;"]),
        (LENOVO, "", ["implies vendor lenovo;"]),
        (SUPERMICRO, "Example 1", ["implies vendor supermicro;"]),
        ("nvidia-GB200-arm", "", []),
        # The library has this server, and the maker of its generation.
        ("dell-15g-R750", "", []),
    ],
)  # fmt: skip
def test_the_makers_follow_from_the_registry_and_from_what_the_server_says(
    name: str, processor: str, implied: list[str]
) -> None:
    first = next(iter(sample(name).systems), System("", "", ""))
    system = first._replace(processor=processor) if processor else None
    text = knowledge_text(imported(standard(), smallest(name), system=system))
    assert [line.strip() for line in text.splitlines() if "implies" in line] == implied


def test_a_registry_that_names_no_server_says_what_it_is_called() -> None:
    found = imported(standard(), smallest("nvidia-GB200-arm"))
    assert found.platform.name == "nvidia-server"
    note = "the registry names no server: it is called nvidia-server, and artifacts do not compare its name"
    assert found.notes == (note, NO_SERVICE)
    assert "reported as product any;" in knowledge_text(found)


def test_a_server_of_a_maker_whose_controllers_are_known_needs_no_service() -> None:
    for name in (A42, LENOVO, SUPERMICRO, "dell-14g-R740"):
        assert not [note for note in made(name).notes if "controller" in note]
    of_nobody = smallest(LENOVO)._replace(owner="Example")
    assert [note for note in imported(standard(), of_nobody).notes if "controller" in note]


def test_the_place_of_a_product_is_where_it_was_read() -> None:
    said = System("ThinkSystem SR4 Sample", "", "")
    texts = [knowledge_text(imported(standard(), smallest(LENOVO), system=system)) for system in (None, said)]
    places = ["registry, SupportedSystems", "ComputerSystem, Model"]
    assert [f'at "{place}"' in text for place, text in zip(places, texts, strict=True)] == [True, True]


def test_a_system_without_a_model_is_read(tmp_path: Path) -> None:
    """Some services say `null` for the model of a server."""
    (tmp_path / "System.json").write_text(json.dumps(document("nvidia-GB200-arm", "System")))
    assert read_system(str(tmp_path / "System.json")) == System("", "", "", "ARMv9")
    (tmp_path / "Bios.json").write_text(json.dumps(document("nvidia-GB200-arm", "Bios")))
    with pytest.raises(SetpointError, match="is not a ComputerSystem resource"):
        read_system(str(tmp_path / "Bios.json"))


def test_an_imported_server_of_a_known_vendor_has_requests() -> None:
    plan = plan_of_text(
        written(LENOVO) + 'goal latency; platform sr3-sample; set turbo off because "a test";'
    )
    emission = emission_of("redfish", plan)
    assert emission is not None
    files = {
        one.path.removeprefix("redfish/"): json.loads(one.text)
        for one in emission.artifacts
        if one.path.endswith(".json")
    }
    mode = "OperatingModes_ChooseOperatingMode"
    # The default mode keeps and locks Turbo, so it is left for the time of one restart.
    assert files["settings-first.json"]["Attributes"] == {
        mode: "CustomMode",
        "Processors_TurboMode": "Disabled",
    }
    assert files["settings.json"]["Attributes"] == {mode: "Efficiency_FavorPerformance"}
    assert files["apply.json"]["ways"][0]["requests"][0]["uri"] == "/redfish/v1/Systems/1/Bios/Pending"
    rules = Rules.of(Registry.load(LENOVO))
    server = Server(Setup(JUDGING_AT_ONCE, rules.registry.current, rules=rules, starting=0))
    while body := next(requests(server.current, files), None):
        server.stage(body)
        server.reset("GracefulRestart")
    assert (server.boots, server.current) == (
        2,
        {**rules.registry.current, "Processors_TurboMode": "Disabled"},
    )
