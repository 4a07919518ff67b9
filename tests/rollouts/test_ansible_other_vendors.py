"""The role against controllers without jobs: those of HPE, Lenovo, Supermicro and AMI (`controllers`).

Each server has attributes of a captured server of its vendor. The role stages what differs, restarts the server, and
believes only what it reads afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from controllers import AMI, HPE, LENOVO, SUPERMICRO, Setup, bare_controllers, server

from consumers.ansible_run import Run, lint, play, programs
from consumers.redfish_service import certificate
from consumers.registry import Registry
from idrac import Controller
from setpoint.compiler.render.verification import Report
from setpoint.compiler.twin.rules import FirmwareRules as Rules
from setpoint.targets.ansible import TARGET
from support.ansible import fleet, through_controller, written

POLICY = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
platform shelf { title "Shelf"; reported as product any; }
platform shelf-hpe { title "A"; within shelf; implies vendor hpe; reported as product "Shelf A" of lab at "Run"; }
platform shelf-lenovo { title "B"; within shelf; implies vendor lenovo; reported as product "Shelf B" of lab at "Run"; }
platform shelf-supermicro { title "C"; within shelf; implies vendor supermicro; reported as product "Shelf C" of lab at "Run"; }
platform shelf-ami { title "D"; within shelf; reported as product "Shelf D" of lab at "Run"; }
options of lab when platform shelf {
    smt on, off default on at "Run";
    turbo on, off default on at "Run";
}
spelling attribute of lab when platform shelf-hpe {
    smt on "Enabled", off "Disabled" in "ProcSMT" at "Run";
    turbo on "Enabled", off "Disabled" in "ProcAMDBoost" at "Run";
}
spelling attribute of lab when platform shelf-lenovo {
    smt on "Enabled", off "Disabled" in "Processors_HyperThreading" at "Run";
    turbo on "Enabled", off "Disabled" in "Processors_TurboMode" at "Run";
}
spelling attribute of lab when platform shelf-supermicro or shelf-ami {
    smt on "Enable", off "Disable" in "Hyper_Threading_ALL__F27F" at "Run";
    turbo on "Enable", off "Disable" in "TurboMode_3D06" at "Run";
}
service megarac of lab at "Run" {
    title "MegaRAC";
    when platform shelf-ami;
    uri system "/redfish/v1/Systems/Self";
    uri bios "/redfish/v1/Systems/Self/Bios";
    uri settings "/redfish/v1/Systems/Self/Bios/SD";
    applies restart;
}
policy vendors {
    goal latency;
    for group hpe-servers { platform shelf-hpe; set smt off because "a test"; set turbo off because "a test"; }
    for group lenovo-servers { platform shelf-lenovo; set smt off because "a test"; set turbo off because "a test"; }
    for group supermicro-servers { platform shelf-supermicro; set smt off because "a test"; set turbo off because "a test"; }
    for group ami-servers { platform shelf-ami; set smt off because "a test"; set turbo off because "a test"; }
}
"""
"""AMI's controllers are in servers of several makers, so a site says which of its servers have one. They offer no
graceful restart."""

ROLE = "setpoint_vendors"
WANTED = {
    "hpe": {"ProcSMT": "Disabled", "ProcAMDBoost": "Disabled"},
    "lenovo": {"Processors_HyperThreading": "Disabled", "Processors_TurboMode": "Disabled"},
    "supermicro": {"Hyper_Threading_ALL__F27F": "Disable", "TurboMode_3D06": "Disable"},
    "ami": {"Hyper_Threading_ALL__F27F": "Disable", "TurboMode_3D06": "Disable"},
}
"""What the policy wants of each server."""


UNLOCKED = {
    "hpe-gen10plusv2-DL385-A42-2.60-amd": {"WorkloadProfile": "Custom"},
    "lenovo-SR670V2": {"OperatingModes_ChooseOperatingMode": "CustomMode"},
}
"""Any other profile locks the attributes that are set here."""


def captured(capture: str, **more: Any) -> dict[str, Any]:
    """The attributes of a captured server, and the rules of its registry."""
    registry = Registry.load(capture)
    current = {**registry.current, **UNLOCKED.get(capture, {})}
    return {"current": current, "rules": Rules.of(registry), **more}


def hpe(**more: Any) -> Setup:
    """A server of HPE."""
    return server(HPE, **captured("hpe-gen10plusv2-DL385-A42-2.60-amd", **{"model": "Shelf A", **more}))


SUPERMICRO_ATTRIBUTES = {"Hyper_Threading_ALL__F27F": "Enable", "TurboMode_3D06": "Enable"}
"""Its service calls values otherwise than its registry does, so the registry cannot judge them."""

SERVERS = {
    "hpe": hpe(),
    "lenovo": server(LENOVO, **captured("lenovo-SR670V2", model="Shelf B")),
    "supermicro": server(SUPERMICRO, SUPERMICRO_ATTRIBUTES, "Shelf C"),
    "ami": server(AMI, SUPERMICRO_ATTRIBUTES, "Shelf D"),
}
UNHAPPY = {
    "dropping": hpe(drops=("ProcSMT",)),
    "rejecting": hpe(rejects=("ProcSMT",)),
    "ignoring": hpe(ignored=("GracefulRestart",)),
    "meddled": hpe(staged={"Sriov": "Disabled"}),
    "mistaken": hpe(model="Shelf B"),
    "busy": hpe(busy=2),
}
"""Servers of HPE that make it harder."""

GROUPS = {f"{name}-servers": [name, *(UNHAPPY if name == "hpe" else ())] for name in SERVERS}


class Runs(NamedTuple):
    """The controllers, the requests of the runs up to check mode and roll-out, what came of the runs, and the reports.

    `after` has the attributes after the roll-out.
    """

    bmcs: dict[str, Controller]
    writes: dict[str, dict[str, list[str]]]
    after: dict[str, dict[str, Any]]
    checked: Run
    played: Run
    again: Run
    verified: Run
    back: Run
    reports: dict[str, dict[str, tuple[str, Any]]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    programs()
    folder = tmp_path_factory.mktemp("vendors")
    ansible = written(TARGET.emit_fleet(fleet(POLICY)), folder)
    with bare_controllers(SERVERS | UNHAPPY, *certificate(folder)) as bmcs:
        hosts = {
            name: through_controller(bmc, ROLE, setpoint_reboot=True, setpoint_reboot_force=name == "ami")
            | {f"{ROLE}_job_retries": 4}
            for name, bmc in bmcs.items()
        }

        def run(book: str, *more: str, on: dict[str, Setup] = SERVERS) -> Run:
            here = {name: hosts[name] for name in on}
            groups = {group: [name for name in members if name in here] for group, members in GROUPS.items()}
            options = ("--tags", "firmware", *more)
            return play(ansible / book, here, folder / "home", *options, groups=groups)

        def requests() -> dict[str, list[str]]:
            return {name: bmc.writes for name, bmc in bmcs.items()}

        checked = run("site.yml", "--check")
        writes = {"checked": requests()}
        played = run("site.yml", on=SERVERS | UNHAPPY)
        writes["played"] = requests()
        after = {name: dict(bmc.machine.current) for name, bmc in bmcs.items()}
        again = run("site.yml")
        writes["again"] = requests()
        verified = run("verify.yml", on={**SERVERS, "rejecting": UNHAPPY["rejecting"]})
        reports = {name: report(folder, name) for name in (*SERVERS, "rejecting")}
        yield Runs(bmcs, writes, after, checked, played, again, verified, run("rollback.yml"), reports)


def report(folder: Path, host: str) -> dict[str, tuple[str, Any]]:
    """The state and the value found of each setting, in the report of a server."""
    text = (folder / f"ansible/reports/{host}/{ROLE}.json").read_text(encoding="utf-8")
    read = Report.model_validate_json(text, strict=True)
    return {one.setting: (one.state, one.found) for one in read.results if one.layer == "firmware"}


each = pytest.mark.parametrize("vendor", SERVERS)


@each
def test_check_mode_sends_nothing_and_shows_the_change(runs: Runs, vendor: str) -> None:
    assert runs.checked.failed(vendor) == ""
    assert runs.writes["checked"][vendor] == []
    assert runs.checked.changed(vendor) == ["Stage the attributes"]


SETTINGS = {"hpe": "settings", "lenovo": "Pending", "supermicro": "SD", "ami": "SD"}


@each
def test_settings_are_staged_and_in_effect_after_one_restart(runs: Runs, vendor: str) -> None:
    assert runs.played.failed(vendor) == ""
    assert runs.writes["played"][vendor] == [f"PATCH {SETTINGS[vendor]}", "POST ComputerSystem.Reset"]
    assert runs.bmcs[vendor].patches[0] == {"Attributes": WANTED[vendor]}
    assert runs.after[vendor] == {**SERVERS[vendor].current, **WANTED[vendor]}


@each
def test_a_second_run_sends_nothing(runs: Runs, vendor: str) -> None:
    assert runs.again.failed(vendor) == ""
    assert runs.again.changed(vendor) == []
    assert runs.writes["again"][vendor] == runs.writes["played"][vendor]


@each
def test_a_verification_finds_them_in_effect(runs: Runs, vendor: str) -> None:
    assert runs.verified.failed(vendor) == ""
    (off,) = set(WANTED[vendor].values())
    assert runs.reports[vendor] == {"smt": ("ok", off), "turbo": ("ok", off)}


@each
def test_a_rollback_restores_what_was_before(runs: Runs, vendor: str) -> None:
    assert runs.back.failed(vendor) == ""
    assert runs.bmcs[vendor].machine.current == SERVERS[vendor].current


# ---------------------------------------------------------------------------------------- what goes wrong


def test_an_attribute_that_the_service_drops_is_missed(runs: Runs) -> None:
    failure = runs.played.failed("dropping")
    assert "The BMC reported success and dropped ProcSMT: Enabled -> Disabled" in failure
    assert runs.writes["played"]["dropping"] == ["PATCH settings"]


def test_an_attribute_that_the_bios_does_not_set_is_missed(runs: Runs) -> None:
    assert "ProcSMT: Enabled, wanted Disabled" in runs.played.failed("rejecting")
    failure = runs.verified.failed("rejecting")
    assert "ProcSMT: Enabled, wanted Disabled" in failure
    assert "What the service says of the last change: " in failure
    assert "Base.1.0.PropertyValueNotInList" in failure
    assert runs.reports["rejecting"]["smt"] == ("differs", "Enabled")


def test_a_restart_that_the_operating_system_ignores_is_not_believed(runs: Runs) -> None:
    failure = runs.played.failed("ignoring")
    assert "The BMC accepted GracefulRestart, and nothing shows that the server restarted" in failure
    assert "job" not in failure
    assert runs.bmcs["ignoring"].machine.staged == WANTED["hpe"]
    assert runs.bmcs["ignoring"].machine.boots == 0


def test_what_somebody_else_has_staged_is_not_applied(runs: Runs) -> None:
    assert "somebody else has staged Sriov = Disabled" in runs.played.failed("meddled")
    assert runs.writes["played"]["meddled"] == []


def test_another_server_is_left_alone(runs: Runs) -> None:
    assert "this server reports the product Shelf B" in runs.played.failed("mistaken")
    assert runs.writes["played"]["mistaken"] == []


def test_a_busy_controller_is_asked_again(runs: Runs) -> None:
    assert runs.played.failed("busy") == ""
    assert runs.after["busy"] == {**UNHAPPY["busy"].current, **WANTED["hpe"]}


@pytest.mark.repeated
def test_the_role_passes_its_linter(tmp_path: Path) -> None:
    programs()
    assert lint(tmp_path, written(TARGET.emit_fleet(fleet(POLICY)), tmp_path / "bundle")) == ""
