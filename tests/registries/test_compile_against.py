"""`compile --against`: a bundle for one captured server, without the BIOS attributes that it has already."""

import json
from pathlib import Path
from typing import Any

import pytest

from registries import document
from registries.test_fitting import R740, policy
from setpoint.compiler.captures.document import to_json
from setpoint.compiler.captures.model import Capture, Controller
from support.command import Ran, setpoint
from support.transitions import end_state

BIOS, SETTINGS = "/redfish/v1/Systems/1/Bios", "/redfish/v1/Systems/1/Bios/Settings"
REGISTRY = "/redfish/v1/Registries/BiosAttributeRegistry"


def captured(staged: dict[str, Any] | None = None, model: str = "PowerEdge R740") -> Capture:
    """The controller of the captured server, at the addresses of the standard's examples."""
    current = document(R740, "Bios")["Attributes"]
    read: dict[str, Any] = {
        "/redfish/v1": {
            "Systems": {"@odata.id": "/redfish/v1/Systems"},
            "Registries": {"@odata.id": "/redfish/v1/Registries"},
        },
        "/redfish/v1/Systems": {"Members": [{"@odata.id": "/redfish/v1/Systems/1"}]},
        "/redfish/v1/Systems/1": {"Model": model, "Bios": {"@odata.id": BIOS}},
        BIOS: {
            "@odata.id": BIOS,
            "Attributes": current,
            "@Redfish.Settings": {"SettingsObject": {"@odata.id": SETTINGS}},
        },
        SETTINGS: {"@odata.id": SETTINGS, "Attributes": staged or {}},
        "/redfish/v1/Registries": {"Members": [{"@odata.id": REGISTRY}]},
        REGISTRY: document(R740, "BiosRegistry"),
    }
    return Capture("c042", None, Controller(read, {}))


def compiled(folder: Path, capture: Capture, text: str = "", status: int = 0) -> Ran:
    """Compile the policy of that server against a capture, into the folder `out`."""
    (folder / "c042.json").write_text(json.dumps(to_json(capture)), encoding="utf-8")
    (folder / "web.tune").write_text(text or policy(R740), encoding="utf-8")
    ran = setpoint("compile", "web.tune", "--against", "c042.json", "-o", "out", cwd=folder)
    assert ran.status == status, ran.err
    return ran


def attributes(folder: Path, name: str) -> dict[str, Any]:
    """The attributes of a file of a bundle, by its path."""
    document = json.loads((folder / name).read_text("utf-8"))
    found: dict[str, Any] = end_state(document) if "attributes" in document else document["Attributes"]
    return found


def test_what_the_server_has_already_is_expected_and_not_written(tmp_path: Path) -> None:
    compiled(tmp_path, captured())
    current = document(R740, "Bios")["Attributes"]
    written, expected = (
        attributes(tmp_path, "out/redfish/settings.json"),
        attributes(tmp_path, "out/redfish/expected.json"),
    )
    assert {name for name, value in expected.items() if current[name] != value} == written.keys()
    assert {**current, **written}.items() >= expected.items()  # so writing them reaches the whole plan


def test_it_is_the_path_of_registry_and_current(tmp_path: Path) -> None:
    compiled(tmp_path, captured())
    for resource in ("BiosRegistry", "Bios"):
        (tmp_path / f"{resource}.json").write_text(json.dumps(document(R740, resource)), encoding="utf-8")
    by_files = ("--registry", "BiosRegistry.json", "--current", "Bios.json", "-o", "by-files")
    assert setpoint("compile", "web.tune", *by_files, cwd=tmp_path).status == 0
    for name in ("settings.json", "expected.json"):
        made = attributes(tmp_path, f"out/redfish/{name}")
        assert made == attributes(tmp_path, f"by-files/redfish/{name}")


def test_an_attribute_for_which_another_value_waits_is_written(tmp_path: Path) -> None:
    compiled(tmp_path, captured())
    expected, written = (
        attributes(tmp_path, "out/redfish/expected.json"),
        attributes(tmp_path, "out/redfish/settings.json"),
    )
    name = next(name for name in expected if name not in written)
    others = {"Enabled": "Disabled", "Disabled": "Enabled"}
    compiled(tmp_path, captured(staged={name: others.get(expected[name], "Other")}))
    assert attributes(tmp_path, "out/redfish/settings.json")[name] == expected[name]
    compiled(tmp_path, captured(staged={name: expected[name]}))  # nothing else waits
    assert name not in attributes(tmp_path, "out/redfish/settings.json")


def test_the_bundle_says_what_it_leaves_out(tmp_path: Path) -> None:
    compiled(tmp_path, captured())
    right = json.loads((tmp_path / "out/plan.json").read_text("utf-8"))["registry"]["right"]
    assert right == sorted(right, key=right.index)
    for page in ("README.md", "report.md"):
        text = (tmp_path / "out" / page).read_text("utf-8")
        assert f"{len(right)} of " in text
        assert "already as planned on c042" in text


def test_verify_of_such_a_bundle_judges_the_whole_plan(tmp_path: Path) -> None:
    compiled(tmp_path, captured())
    written, expected = (
        attributes(tmp_path, "out/redfish/settings.json"),
        attributes(tmp_path, "out/redfish/expected.json"),
    )
    # The server after a hand has changed what was right, and before anything was written.
    name = next(name for name in expected if name not in written)
    changed = captured()
    assert changed.controller is not None
    bios = changed.controller.read[BIOS]
    bios["Attributes"] = {**bios["Attributes"], name: "Other"}
    (tmp_path / "c042.json").write_text(json.dumps(to_json(changed)), encoding="utf-8")
    ran = setpoint("verify", "out", "--against", "c042.json", "--format", "json", cwd=tmp_path)
    differing = {
        reading["place"].rpartition(" ")[2]
        for each in json.loads(ran.out)["results"]
        if each["state"] in ("differs", "locked")
        for reading in each["readings"]
        if reading["kind"] == "configured"
    }
    assert {name, *written} <= differing


def test_what_the_server_is_does_not_have_to_be_stated(tmp_path: Path) -> None:
    compiled(tmp_path, captured(), "goal latency;")
    facts = json.loads((tmp_path / "out/plan.json").read_text("utf-8"))["facts"]
    assert facts["platform"]["value"] == "r740"


@pytest.mark.parametrize(
    ("capture", "text", "code"),
    [
        (captured(model="PowerEdge R650"), "", "E0624"),  # the policy states an R740
        (Capture("c042", captured().host, Controller({"/redfish/v1": {}}, {})), "", "E0622"),  # no attributes
    ],
)
def test_a_capture_that_cannot_be_compiled_for_writes_nothing(
    tmp_path: Path, capture: Capture, text: str, code: str
) -> None:
    ran = compiled(tmp_path, capture, text, status=2)
    assert ran.err.startswith(f"error[{code}]: ")
    assert not (tmp_path / "out").exists()


def test_several_servers_are_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.json").write_text(json.dumps(to_json(captured())), encoding="utf-8")
    ran = setpoint("compile", "-e", policy(R740), "--against", str(folder), "-o", str(tmp_path / "out"))
    assert (ran.status, ran.err.partition(":")[0]) == (2, "error[E0628]")
