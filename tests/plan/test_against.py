"""`setpoint plan --against`: what a plan does to captured servers, one and many."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from verification.hosts import with_controller, with_places

from setpoint.compiler.captures.document import to_json
from setpoint.compiler.captures.model import Capture, Readings
from support.command import ROOT, Ran, setpoint
from support.forms import PlanAgainst
from support.golden import compare_schema

SCHEMA = ROOT / "compiler/render/plan_against.schema.json"

R750 = {
    "/sys/class/dmi/id/product_name": "PowerEdge R750",
    "/etc/os-release": 'ID="rhel"\nVERSION_ID="9.4"\n',
}
POLICY = 'goal latency; set swappiness 10 because "a test"; set skew-tick on because "a test";'
SWAPPINESS = "/proc/sys/vm/swappiness"
LINE = "/proc/cmdline"
NEXT = "run grubby --info=DEFAULT"


def server(
    places: Mapping[str, Any],
    current: Mapping[str, Any] | None = None,
    staged: Mapping[str, Any] | None = None,
) -> Capture:
    """A server of Dell with these readings, and with these attributes if its controller was read."""
    capture = with_places(Capture("c042", Readings({}, {}), None), {**R750, **places})
    return with_controller(capture, dict(current), dict(staged or {})) if current else capture


def written(folder: Path, **servers: Capture) -> str:
    """A folder with these captures."""
    folder.mkdir(exist_ok=True)
    for name, capture in servers.items():
        (folder / f"{name}.json").write_text(json.dumps(to_json(capture)), encoding="utf-8")
    return str(folder)


def against(tmp_path: Path, policy: str = POLICY, **servers: Capture) -> Ran:
    """The plan beside these servers, as JSON."""
    return setpoint(
        "plan", "-e", policy, "--against", written(tmp_path / "all", **servers), "--format", "json"
    )


def results(ran: Ran, kind: str) -> dict[str, dict[str, Any]]:
    """The rows of a kind by name."""
    return {each["name"]: each for each in json.loads(ran.out)["results"] if each["kind"] == kind}


def test_a_row_has_the_three_readings_beside_the_planned_value(tmp_path: Path) -> None:
    no_turbo = "/sys/devices/system/cpu/intel_pstate/no_turbo"
    capture = server({no_turbo: "0"}, {"ProcTurboMode": "Enabled"}, {"ProcTurboMode": "Disabled"})
    (row,) = [
        each
        for each in json.loads(against(tmp_path, c042=capture).out)["results"]
        if each["setting"] == "turbo" and each["name"] == "turbo"
    ]
    readings = {name: row[name] for name in ("configured", "pending", "in_effect", "wanted", "value")}
    assert readings == {
        "configured": "Enabled",  # by the controller, now
        "pending": "Disabled",  # staged there
        "in_effect": "0 (on)",  # what the host shows
        "wanted": "Disabled",  # what artifacts write
        "value": "off",  # what the policy calls that
    }
    assert (row["kind"], row["restart"]) == ("pending", True)


def test_what_the_system_takes_at_once_needs_no_restart(tmp_path: Path) -> None:
    ran = against(tmp_path, c042=server({SWAPPINESS: "60", LINE: "ro"}))
    changes = results(ran, "changes")
    assert changes["swappiness"]["restart"] is False  # a sysctl
    assert changes["skew-tick"]["restart"] is True  # a boot argument
    assert ran.status == 0


def test_a_locked_setting_names_what_locks_it(tmp_path: Path) -> None:
    capture = server({}, {"SysProfile": "PerfOptimized", "ProcTurboMode": "Enabled"})
    row = results(against(tmp_path, c042=capture), "changes")["turbo"]
    assert (row["locked"], row["why"]) == (True, "system-profile is performance")


def test_what_somebody_else_has_staged_is_named_with_its_value(tmp_path: Path) -> None:
    capture = server(
        {
            LINE: "ro quiet",
            # Of these words, the library knows one, and the plan does not want it.
            NEXT: 'args="ro quiet nohz_full=4-7 site.word=1"\nroot="/dev/sda1"\n',
        },
        {"ProcTurboMode": "Disabled", "AssetTag": "a"},
        {
            "ProcTurboMode": "Enabled",  # the plan wants another value
            "AssetTag": "b",  # the plan wants none
        },
    )
    foreign = results(against(tmp_path, c042=capture), "foreign")
    assert {name: (row["configured"], row["pending"], row["wanted"]) for name, row in foreign.items()} == {
        "ProcTurboMode": ("Disabled", "Enabled", "Disabled"),
        "AssetTag": ("a", "b", None),
        "nohz_full": ("absent", "nohz_full=4-7", None),
    }
    assert foreign["nohz_full"]["setting"] == "tickless-cpus"


def test_what_an_earlier_plan_or_a_hand_has_left_is_named_with_its_place(tmp_path: Path) -> None:
    capture = server(
        {
            LINE: "ro quiet isolcpus=2-5 idle=poll skew_tick=1",
            "/etc/sysctl.d/*.conf": {
                # The plan writes the first, leaves the second to the kernel, and nobody knows the third.
                "vm.swappiness = 30\nvm.laptop_mode = 5\nkernel.mine = 1\n": "50-hand",
            },
            "/usr/lib/sysctl.d/*.conf": {"vm.laptop_mode = 5\n": "10-package"},  # a package's, not a hand's
        }
    )
    policy = f"{POLICY} fact-free;".replace(" fact-free;", "")
    left = results(against(tmp_path, policy, c042=capture), "left-over")
    assert left["isolcpus"]["configured"] == "isolcpus=2-5"
    assert left["isolcpus"]["decided_by"] == LINE
    assert "skew_tick" not in left  # the plan wants it
    assert "kernel.mine" not in left
    assert "vm.swappiness" not in left


def test_a_boot_argument_that_artifacts_remove_is_a_change(tmp_path: Path) -> None:
    changes = results(against(tmp_path, c042=server({LINE: "ro idle=poll"})), "changes")
    assert changes["idle-poll"]["wanted"] == "absent"


def test_an_active_profile_of_tuned_is_replaced_by_the_plans(tmp_path: Path) -> None:
    active = "/etc/tuned/active_profile"
    ran = against(tmp_path, "goal latency;", c042=server({active: "throughput-performance"}))
    row = results(ran, "changes")["tuned profile"]
    assert (row["configured"], row["wanted"]) == ("throughput-performance", "setpoint-policy")
    same = against(tmp_path, "goal latency;", c042=server({active: "setpoint-policy"}))
    assert "tuned profile" not in results(same, "changes")


def test_of_many_servers_each_cause_is_said_once(tmp_path: Path) -> None:
    wrong, right = server({SWAPPINESS: "60"}), server({SWAPPINESS: "10"})
    folder = written(tmp_path / "all", c1=wrong, c2=wrong, c3=right)
    text = setpoint("plan", "-e", POLICY, "--against", folder).out
    assert "swappiness: in effect 60, planned 10 (2 of 3 servers: c1, c2)" in text
    assert text.startswith("policy on 3 servers in 1 class:")
    table = setpoint("plan", "-e", POLICY, "--against", folder, "--format", "markdown").out
    assert "| 2 of 3 servers: c1, c2 | swappiness | `60` | `10` |" in table


def test_the_json_has_classes_and_is_of_its_schema(tmp_path: Path) -> None:
    other = with_places(server({}), {"/sys/class/dmi/id/product_name": "PowerEdge R740"})
    ran = against(tmp_path, c1=server({SWAPPINESS: "60"}), c2=server({SWAPPINESS: "60"}), c3=other)
    data = json.loads(ran.out)
    jsonschema.validate(data, json.loads(SCHEMA.read_text(encoding="utf-8")))
    PlanAgainst.model_validate(data)
    classes = {each["facts"]["platform"]: each["hosts"] for each in data["classes"]}
    assert classes == {"r750": ["c1", "c2"], "r740": ["c3"]}


def test_the_schema_is_that_of_the_models(update: bool) -> None:
    compare_schema(PlanAgainst, SCHEMA, update)


def test_what_a_server_is_does_not_have_to_be_stated(tmp_path: Path) -> None:
    captured = against(tmp_path, "goal latency;", c042=server({}, {"ProcTurboMode": "Enabled"}))
    stated = against(
        tmp_path, "goal latency; platform r750; os rhel 9.4;", c042=server({}, {"ProcTurboMode": "Enabled"})
    )
    assert results(captured, "changes")["turbo"]["wanted"] == "Disabled"
    assert results(captured, "changes") == results(stated, "changes")


def test_facts_that_the_capture_contradicts_are_an_error(tmp_path: Path) -> None:
    info = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Platinum 8360Y CPU @ 2.40GHz\n"
    ran = against(tmp_path, "goal latency; cpu skylake;", c042=server({"/proc/cpuinfo": info}))
    assert (ran.status, json.loads(ran.out)["results"]) == (1, [])
    assert ran.err.startswith("error[E0624]: `c042`: a capture of another server")


def test_a_server_without_a_plan_does_not_stop_the_others(tmp_path: Path) -> None:
    # This processor has no such setting, and nobody knows what else the second server is.
    policy = 'goal latency; set data-reuse off because "a test";'
    ran = against(tmp_path, policy, c1=server({}), c2=server({}))
    assert ran.status == 1
    assert "E05" in ran.err


@pytest.mark.parametrize("also", [("--inventory", "x.csv"), ("--registry", "x.json"), ("--format", "html")])
def test_what_a_capture_shows_is_not_named_as_well(tmp_path: Path, also: tuple[str, str]) -> None:
    folder = written(tmp_path / "all", c042=server({}))
    assert setpoint("plan", "-e", POLICY, "--against", folder, *also).status == 2


def test_the_controllers_registry_limits_the_plan(tmp_path: Path) -> None:
    registry = {
        "@odata.id": "/redfish/v1/Registries/BiosAttributeRegistry",
        "@odata.type": "#AttributeRegistry.v1_3_0.AttributeRegistry",
        "Id": "R",
        "Language": "en",
        "OwningEntity": "Dell",
        "RegistryVersion": "1.0",
        "RegistryEntries": {
            "Attributes": [
                {
                    "AttributeName": "ProcTurboMode",
                    "Type": "Enumeration",
                    # This BIOS takes no other value.
                    "Value": [{"ValueName": "Enabled", "ValueDisplayName": "Enabled"}],
                }
            ]
        },
    }
    capture = server({}, {"ProcTurboMode": "Enabled"})
    assert capture.controller is not None
    assert results(against(tmp_path, "goal latency;", c042=capture), "changes")["turbo"]["value"] == "off"
    read = dict(capture.controller.read)
    read["/redfish/v1"] |= {"Registries": {"@odata.id": "/redfish/v1/Registries"}}
    read["/redfish/v1/Registries"] = {
        "Members": [{"@odata.id": "/redfish/v1/Registries/BiosAttributeRegistry"}]
    }
    read["/redfish/v1/Registries/BiosAttributeRegistry"] = registry
    limited = capture._replace(controller=capture.controller._replace(read=read))
    assert "turbo" not in results(against(tmp_path, "goal latency;", c042=limited), "changes")
