"""Settings of a site reach every artifact that can have them: a sysctl, a kernel argument with a set of CPUs, an
integer of the BIOS.

The servers are captured ones under a name that the library does not have, with the knowledge that `kb import` makes of
them. A value comes from a `set` of the policy, or from a rule of the site.
"""

from __future__ import annotations

import configparser
import json
import shlex
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from consumers.ansible_run import check_syntax
from consumers.puppet import of_modules, run
from registries.test_importing import A42, SUPERMICRO, made, written
from setpoint.compiler.lowering.target import emission_of
from setpoint.compiler.plan.model import Plan
from support.host import with_profile
from support.plans import plan_of_text
from support.transitions import end_state


class Server(NamedTuple):
    """A captured server, and an integer of its BIOS: the setting, its attribute, and a value that is not the vendor's.

    `racadm` is the name of the attribute in racadm, as the site has found it; "" if the server has no racadm.
    """

    capture: str
    setting: str
    attribute: str
    value: int
    racadm: str = ""


R750 = Server(
    "dell-15g-R750",
    "user-defined-delay-120s-to-600s",
    "AcPwrRcvryUserDelay",
    240,
    "BIOS.SysSecurity.AcPwrRcvryUserDelay",
)

SERVERS = (
    Server(A42, "minimum-sev-asid", "MinimumSevAsid", 100),
    Server(SUPERMICRO, "leaky-bucket-low-bit", "LeakyBucketLowBit_3C3A", 12),
    R750,
)

SITE = """
source lab {{ title "What our servers show"; publisher "Example Ltd"; }}

setting packet-cpus {{ title "CPUs of the packet driver"; layer boot; values none, cpu-list; }}
setting scheduler-statistics {{ title "Statistics of the scheduler"; layer os; values off, on; }}

options of lab when os rhel-9 {{
    packet-cpus           none, cpu-list  default none  at "Run 7";
    scheduler-statistics  off, on         default off   at "Run 8";
}}
spelling argument of lab when os rhel-9 {{ packet-cpus none absent, any "*" in "lab_packets.cpus" at "Run 7"; }}
spelling sysctl of lab when os rhel-9 {{ scheduler-statistics off "0", on "1" in "kernel.sched_schedstats" at "Run 8"; }}

goal latency; platform {platform}; os rhel 9;
"""

IN_RACADM = 'spelling racadm of lab when platform {platform} {{ {setting} in "{racadm}" at "Run 9"; }}\n'

SET = 'set {setting} {value} because "DESK-12";\n'

RULE = """
rule our-{setting} of lab at "DESK-12" {{
    when goal any, platform {platform}, os rhel-9;
    use {setting} {value};
    because "the desk looks at it";
}}
"""

CPUS = {SET: "2-15,34-47", RULE: "2-15"}
"""What a rule says of CPUs is one range: a list with gaps is for a `set`."""

SYSCTL = ("kernel.sched_schedstats", "1")


@cache
def plan_of(server: Server, statement: str) -> Plan:
    """The plan of a policy with one setting of each type, which `statement` gives its value."""
    platform = made(server.capture).platform.name
    values = {
        server.setting: str(server.value),
        "packet-cpus": CPUS[statement],
        "scheduler-statistics": "on",
    }
    stated = (
        statement.format(setting=setting, value=value, platform=platform) for setting, value in values.items()
    )
    site = SITE + (IN_RACADM if server.racadm else "")
    return plan_of_text(
        written(server.capture) + site.format(platform=platform, **server._asdict()) + "".join(stated)
    )


def argument(statement: str) -> str:
    """The kernel argument that gives the CPUs."""
    return f"lab_packets.cpus={CPUS[statement]}"


def files(plan: Plan, target: str) -> dict[str, str]:
    """The artifacts of a target, by path within its folder."""
    emission = emission_of(target, plan)
    assert emission is not None
    return {each.path.removeprefix(f"{target}/"): each.text for each in with_profile(emission.artifacts)}


def put(texts: dict[str, str], folder: Path) -> Path:
    """The artifacts of a target as files."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


EACH = [
    pytest.param(server, statement, id=f"{server.setting}-{how}")
    for server in SERVERS
    for how, statement in (("set", SET), ("rule", RULE))
]


@pytest.mark.parametrize(("server", "statement"), EACH)
def test_the_integer_is_in_the_redfish_body_as_a_number(server: Server, statement: str) -> None:
    texts = files(plan_of(server, statement), "redfish")
    written, expected = (json.loads(texts[name]) for name in ("settings.json", "expected.json"))
    for attributes in (written["Attributes"], end_state(expected)):
        value = attributes[server.attribute]
        assert (value, type(value)) == (server.value, int)


@pytest.mark.parametrize(("server", "statement"), EACH)
def test_the_set_of_cpus_is_on_the_argument_line(server: Server, statement: str) -> None:
    texts = files(plan_of(server, statement), "kernel-args")
    assert argument(statement) in shlex.split(texts["cmdline"])
    assert argument(statement) in texts["kernel-args.plan"]


@pytest.mark.parametrize(("server", "statement"), EACH)
def test_the_sysctl_is_in_the_tuned_profile(server: Server, statement: str) -> None:
    texts = files(plan_of(server, statement), "tuned")
    (profile,) = (text for path, text in texts.items() if path.endswith("/tuned.conf"))
    read = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    read.read_string(profile)
    assert read["sysctl"][SYSCTL[0]] == SYSCTL[1]


@pytest.mark.parametrize(("server", "statement"), EACH)
def test_all_are_in_the_ansible_role(server: Server, statement: str) -> None:
    texts = files(plan_of(server, statement), "ansible")
    role = "roles/setpoint_policy"
    expected = end_state(json.loads(texts["redfish/expected.json"]))
    assert expected[server.attribute] == server.value
    carried = {path.removeprefix(f"{role}/files/policy/"): text for path, text in texts.items()}
    assert argument(statement) in carried["kernel-args/kernel-args.plan"]
    assert f"{SYSCTL[0]}={SYSCTL[1]}" in carried["tuned/tuned.plan"]


@pytest.mark.parametrize(("server", "statement"), EACH)
def test_the_puppet_module_has_what_runs_on_the_server_and_names_the_rest(
    server: Server, statement: str
) -> None:
    texts = files(plan_of(server, statement), "puppet")
    module = "setpoint_policy"
    assert argument(statement) in texts["kernel-args/kernel-args.plan"]
    assert f"{SYSCTL[0]}={SYSCTL[1]}" in texts["tuned/tuned.plan"]
    text = texts[f"{module}/data/plans/policy.yaml"]
    data = yaml.safe_load(text)[f"{module}::plans"]["policy"]
    assert data.get("manage_firmware", False) is False
    settings, part = data["settings"], "racadm" if server.racadm else "-"
    assert settings["firmware"][part][server.setting] == str(server.value)
    if not server.racadm:
        why = f"no part of the module can set `{server.setting}` here"
        assert f"          '{server.setting}': '{server.value}'  # {why}\n" in text
    assert settings["boot"]["kernel-args"]["packet-cpus"] == CPUS[statement]
    assert settings["os"]["tuned"]["scheduler-statistics"] == "on"


@pytest.mark.parametrize("statement", [SET, RULE], ids=["set", "rule"])
def test_the_puppet_module_sets_the_integer_by_racadm_if_the_site_says_so(statement: str) -> None:
    texts = files(plan_of(R750, statement), "puppet")
    carried = texts["racadm/racadm.plan"]
    (line,) = (line for line in carried.splitlines() if f" {R750.racadm} " in line)
    assert line.split("#")[0].split() == ["want", R750.setting, R750.racadm, str(R750.value)]
    assert "SysSecurity" in carried.partition("\ngroups ")[2].partition("\n")[0].split()
    data = yaml.safe_load(texts["setpoint_policy/data/plans/policy.yaml"])
    (plan,) = data["setpoint_policy::plans"].values()
    assert "racadm" in plan["parts"]
    assert plan["manage_firmware"] is False
    assert R750.setting in plan["settings"]["firmware"]["racadm"]


def test_without_its_name_in_racadm_the_integer_is_named_with_the_reason() -> None:
    texts = files(plan_of(R750._replace(racadm=""), SET), "puppet")
    assert R750.attribute not in texts["racadm/racadm.plan"]
    why = f"no source says in which group racadm has {R750.attribute} on r750"
    row = f"          '{R750.setting}': '{R750.value}'  # {why}\n"
    assert row in texts["setpoint_policy/data/plans/policy.yaml"]


def test_nothing_is_left_to_hands() -> None:
    for server in SERVERS:
        for statement in (SET, RULE):
            plan = plan_of(server, statement)
            emissions = [emission_of(name, plan) for name in ("redfish", "kernel-args", "tuned")]
            expressed = {name for each in emissions if each is not None for name in each.expressed}
            assert {server.setting, "packet-cpus", "scheduler-statistics"} <= expressed


def test_ansible_reads_the_roles(tmp_path: Path) -> None:
    books = []
    for number, server in enumerate(SERVERS):
        folder = put(files(plan_of(server, RULE), "ansible"), tmp_path / str(number))
        books += [folder / "site.yml", folder / "verify.yml"]
    assert check_syntax(tmp_path, books) == ""


def test_puppet_reads_the_modules(tmp_path: Path) -> None:
    for number, server in enumerate(SERVERS):
        modules = put(files(plan_of(server, RULE), "puppet"), tmp_path / str(number))
        manifests = [*of_modules(modules, "manifests/*.pp"), *of_modules(modules, "types/*.pp")]
        assert manifests
        assert run("puppet", "parser", "validate", *manifests) == (0, "")
        assert run("puppet", "epp", "validate", *of_modules(modules, "templates/*.epp")) == (0, "")
