"""BIOS attributes of every type and with any text, through the role: staged, applied, verified and rolled back.

The server is a captured R750 with attributes of other vendors added: a Boolean of Lenovo's registry, an enumeration of
HPE's, and one whose name and values would be templates of Ansible, commands of a shell or markup if anything took them
for code. Its BIOS judges each request by the types of the registry, as a service does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from consumers.ansible_run import Run, lint, play, programs
from consumers.redfish_service import certificate
from consumers.registry import Registry
from idrac import Behaviour, Controller, controllers
from setpoint.compiler.language.written import quote
from setpoint.compiler.render.verification import Report
from setpoint.compiler.twin.entries import TwinAttribute
from setpoint.compiler.twin.rules import FirmwareRules as Rules
from setpoint.targets._client.plan_files import plan_in
from support.ansible import role_of, through_controller

ROLE = "setpoint_types"
OWNED = "/tmp/setpoint-owned"
NAME = "{{ 7 * 7 }} %d $(touch " + OWNED + ") `id` <a href='x'> \"q\" \\ # : | [x](y)"
TEXT = "{{ lookup('ansible.builtin.pipe', 'touch " + OWNED + "') }} {% raw %} ]]> & 'x' \"y\" \\n # : *a !b"
NOT_YET = "Quadrant   (4-clusters)"

POLICY = f"""
source lab {{ title "Notes on our servers"; publisher "Our lab"; }}
setting power-delay {{ title "Delay after a power loss"; layer firmware; range 120 to 600 in s; }}
setting source-check {{ title "Source validation"; layer firmware; values on, off; }}
setting preset-profile {{ title "Workload profile"; layer firmware; values io, hpc; }}
setting strange {{ title "Strange"; layer firmware; values no, yes; }}
options of lab when platform poweredge-15g {{
    power-delay       120 to 600s  default 120s  menu "Security"    at "Menu";
    source-check      on, off      default off   menu "Processors"  at "Menu";
    preset-profile  io, hpc      default io    menu "Workload"    at "Menu";
    strange           no, yes      default no    menu "Strange"     at "Menu";
}}
spelling attribute of lab when platform poweredge-15g {{
    power-delay       in "AcPwrRcvryUserDelay" as integer                                            at "Menu";
    source-check      on "true", off "false" in "Processors_SourceValidation" as boolean             at "Menu";
    preset-profile  io "I/OThroughput", hpc "HighPerformanceCompute(HPC)" in "Workload_Profile"    at "Menu";
    strange           no {quote(NOT_YET)}, yes {quote(TEXT)} in {quote(NAME)}  at "Menu";
}}
policy types {{
    goal latency; platform r750; sockets 2;
    set power-delay 300s because "a test";
    set source-check on because "a test";
    set preset-profile hpc because "a test";
    set strange yes because "a test";
}}
"""
WANTED = {
    "AcPwrRcvryUserDelay": 300,
    "Processors_SourceValidation": True,
    "Workload_Profile": "HighPerformanceCompute(HPC)",
    NAME: TEXT,
}
BEFORE: dict[str, str | int | None] = {
    "AcPwrRcvryUserDelay": 120,
    "Processors_SourceValidation": False,
    "Workload_Profile": "I/OThroughput",
    NAME: NOT_YET,
}


def behaviour(**current: Any) -> Behaviour:
    """The server, with other values of some attributes."""
    registry = Registry.load("dell-15g-R750")
    more = (
        Registry.load("lenovo-SR670V2").attributes["Processors_SourceValidation"],
        Registry.load("hpe-gen10plusv2-DL385-A42-2.60-amd")
        .attributes["WorkloadProfile"]
        ._replace(name="Workload_Profile"),
        registry.attributes["BootMode"]._replace(name=NAME, values=(NOT_YET, TEXT)),
    )
    attributes: dict[str, TwinAttribute] = {**registry.attributes, **{one.name: one for one in more}}
    registry = registry._replace(attributes=attributes, current={**registry.current, **BEFORE})
    return Behaviour.captured(
        "dell-15g-R750",
        current={**registry.current, **current},
        rules=Rules.of(registry, lockdown=True),
    )


class Runs(NamedTuple):
    """The folder, the controllers, what one had after the roll-out, the reports of the verification, and the runs."""

    folder: Path
    bmcs: dict[str, Controller]
    after: dict[str, Any]
    reports: dict[str, dict[str, dict[str, Any]]]
    played: Run
    again: Run
    verified: Run
    back: Run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    programs()
    folder = tmp_path_factory.mktemp("types")
    ansible = role_of(POLICY, folder)
    wrong = {**WANTED, "AcPwrRcvryUserDelay": 301, "Processors_SourceValidation": False}
    servers = {
        "plain": behaviour(),
        "drifted": behaviour(**wrong),
        "as-text": behaviour(**{**WANTED, "AcPwrRcvryUserDelay": "300"}),
        "strange": behaviour(**{**WANTED, NAME: NOT_YET}),
    }
    with controllers(servers, *certificate(folder)) as bmcs:
        hosts = {name: through_controller(bmc, ROLE, setpoint_reboot=True) for name, bmc in bmcs.items()}

        def run(book: str, *names: str) -> Run:
            chosen = {name: hosts[name] for name in names}
            return play(ansible / book, chosen, folder / "home", "--tags", "firmware")

        played = run("site.yml", "plain")
        after = dict(bmcs["plain"].machine.current)
        again = run("site.yml", "plain")
        verified = run("verify.yml", *hosts)
        reports = {name: report(folder, name) for name in hosts}
        yield Runs(folder, bmcs, after, reports, played, again, verified, run("rollback.yml", "plain"))


def report(folder: Path, host: str) -> dict[str, dict[str, Any]]:
    """The results in the report of a server, by setting. The report has the form that its schema says."""
    text = (folder / f"ansible/reports/{host}/{ROLE}.json").read_text(encoding="utf-8")
    return {one.setting: one.model_dump() for one in Report.model_validate_json(text, strict=True).results}


def reported(runs: Runs, host: str) -> dict[str, tuple[str, Any, Any]]:
    """What the report of a server says of each of the settings: the state, and the values wanted and found."""
    names = ("power-delay", "source-check", "preset-profile", "strange")
    found = runs.reports[host]
    return {name: (found[name]["state"], found[name]["wanted"], found[name]["found"]) for name in names}


def test_values_are_sent_and_applied_with_their_types(runs: Runs) -> None:
    assert runs.played.failed("plain") == ""
    (patch, *_) = runs.bmcs["plain"].patches
    sent = {name: patch["Attributes"][name] for name in WANTED}
    assert json.dumps(sent) == json.dumps(WANTED)
    assert {name: runs.after[name] for name in WANTED} == WANTED
    assert runs.again.failed("plain") == ""
    assert runs.again.changed("plain") == []


def test_what_is_in_effect_is_found_to_be(runs: Runs) -> None:
    assert reported(runs, "plain") == {
        "power-delay": ("ok", "300", "300"),
        "source-check": ("ok", "true", "true"),
        "preset-profile": ("ok", "HighPerformanceCompute(HPC)", "HighPerformanceCompute(HPC)"),
        "strange": ("ok", TEXT, TEXT),
    }


def test_what_differs_is_found_to_differ(runs: Runs) -> None:
    found = reported(runs, "drifted")
    assert found["power-delay"] == ("differs", "300", "301")
    assert found["source-check"] == ("differs", "true", "false")
    assert {found[name][0] for name in ("preset-profile", "strange")} == {"ok"}
    assert "AcPwrRcvryUserDelay: 301, wanted 300" in runs.verified.failed("drifted")
    assert reported(runs, "strange")["strange"] == ("differs", TEXT, NOT_YET)
    assert f"{NAME}: {NOT_YET}, wanted {TEXT}" in runs.verified.failed("strange")


def test_a_number_shown_as_a_text_is_of_another_type(runs: Runs) -> None:
    one = runs.reports["as-text"]["power-delay"]
    assert (one["state"], one["found"]) == ("differs", "300")
    assert one["reason"] == "AcPwrRcvryUserDelay has another type on this server"


def test_a_rollback_restores_the_values_with_their_types(runs: Runs) -> None:
    kept = json.loads((runs.folder / f"ansible/snapshots/plain/{ROLE}-bios.json").read_text(encoding="utf-8"))
    assert {name: kept["attributes"][name] for name in WANTED} == BEFORE
    assert runs.back.failed("plain") == ""
    patch = runs.bmcs["plain"].patches[-1]
    assert json.dumps({name: patch["Attributes"][name] for name in WANTED}) == json.dumps(BEFORE)
    assert runs.bmcs["plain"].machine.current == behaviour().current


def test_no_text_is_executed(runs: Runs) -> None:
    assert runs.back.status == 0
    assert not Path(OWNED).exists()


@pytest.mark.repeated
def test_the_role_passes_its_linter(tmp_path: Path) -> None:
    """Where a text is no template: the linter parses those that Ansible is told not to."""
    programs()
    policy = POLICY.replace(quote(NAME), '"C: a \\"b\\" # (c) %d"').replace(
        quote(TEXT), "\"$(x) `y` 'z' ]]> & <w>\""
    )
    assert lint(tmp_path, role_of(policy, tmp_path / "bundle")) == ""


def test_the_client_of_the_role_has_the_values_as_they_are(tmp_path: Path) -> None:
    role_of(POLICY, tmp_path)
    bios = plan_in(tmp_path / "redfish")["bios"]
    assert {name: bios["write"][name] for name in WANTED} == WANTED
