"""`audit --inventory`: files of settings checked for each class of the hosts of an inventory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.command import ROOT, setpoint

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
HOSTS = f"""host,group,model,processor,sockets,os
w1,web,PowerEdge R740,{GOLD},2,debian 12
w2,web,PowerEdge R740,{GOLD},2,debian 12
f1,front,PowerEdge R640,{GOLD},2,debian 12
a1,front,PowerEdge R7725,AMD EPYC 9755 128-Core Processor,2,debian 12
x1,front,NorthEdge R9999,,2,debian 12
"""
POLICY = """
for group web   { goal latency; workload interactive; }
for group front { goal performance; workload hpc; accept advice of dell-12g-tuning because "tried"; }
"""
BOOT = "intel_pstate=passive selinux=0 isolcpu=1-3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A boot line, sysctls, a policy and an inventory."""
    files = {"cmdline": BOOT, "99.conf": "vm.swappiness = 60\n", "site.tune": POLICY, "hosts.csv": HOSTS}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def audited(folder: Path, *arguments: str) -> Any:
    """Audit the boot line on the hosts."""
    return setpoint("audit", "cmdline", *arguments, "--inventory", "hosts.csv", cwd=folder)


def hosts_with(found: Any, code: str) -> list[tuple[str, str]]:
    """The findings with a code, each with the note on its hosts."""
    return [(each["message"], each["notes"][-1]) for each in found["diagnostics"] if each["code"] == code]


def test_a_finding_is_there_once_with_its_hosts(folder: Path) -> None:
    found = json.loads(audited(folder, "--for", "site.tune", "--format", "json").out)
    (misspelt,) = hosts_with(found, "E0902")
    assert misspelt == (
        "`isolcpu` is misspelt: it is not the name of a kernel argument",
        "4 hosts: a1, f1, w1, w2",
    )
    ((message, hosts),) = hosts_with(found, "W0904")  # a processor of AMD does not have this driver
    assert (message.partition("`")[2].partition("`")[0], hosts) == ("intel_pstate=passive", "1 host: a1")
    assert hosts_with(found, "E0701") == [("unknown platform `NorthEdge R9999`", "1 host: x1")]


def test_classes_with_the_same_result_are_one(folder: Path) -> None:
    """The two Intel servers have different goals, so what is missing differs."""
    ran = audited(folder, "99.conf", "--for", "site.tune")
    assert ran.status == 1, ran.err
    heads = [
        line
        for line in ran.out.splitlines()
        if "cmdline: read as" in line or line.startswith(("1 host", "2 hosts"))
    ]
    assert heads == [
        "2 hosts: w1, w2 (cpu xeon-gold-6150, os debian-12, platform r740, sockets 2)",
        "cmdline: read as arguments, 3 entries, 1 setting of the knowledge base",
        "1 host: a1 (cpu epyc-9755, os debian-12, sockets 2)",
        "cmdline: read as arguments, 3 entries, 0 settings of the knowledge base",
        "1 host: f1 (cpu xeon-gold-6150, os debian-12, platform r640, sockets 2)",
        "cmdline: read as arguments, 3 entries, 1 setting of the knowledge base",
    ]
    assert "\n  goal latency " in ran.out and "\n  goal performance " in ran.out
    same = json.loads(audited(folder, "-e", "goal latency", "--format", "json").out)
    assert [sorted(h for c in each["classes"].values() for h in c["hosts"]) for each in same["audits"]] == [
        ["f1", "w1", "w2"],
        ["a1"],
    ]


def test_each_result_for_programs_is_an_audit(folder: Path) -> None:
    found = json.loads(audited(folder, "--for", "site.tune", "--format", "json").out)
    schema = json.loads((ROOT / "compiler/audit/audit.schema.json").read_text(encoding="utf-8"))
    for each in found["audits"]:
        facts = next(iter(each.pop("classes").values()))["facts"]
        its = [{"name": name, "value": value, "origin": "stated"} for name, value in facts.items()]
        jsonschema.validate({"schema": "setpoint.audit/1", "facts": its, **each}, schema)
    assert found["left_out"] == [
        {"host": "x1", "codes": ["E0701"], "reason": "unknown platform `NorthEdge R9999`"}
    ]
    results = json.loads(audited(folder, "--format", "sarif").out)["runs"][0]["results"]
    assert {each["ruleId"] for each in results} >= {"E0902", "E0701"}


REGISTRY = {
    "Id": "BiosAttributeRegistry.v1_0_0",
    "OwningEntity": "Dell",
    "SupportedSystems": [{"ProductName": "PowerEdge R740", "FirmwareVersion": "2.22.1"}],
    "RegistryEntries": {
        "Attributes": [
            {"AttributeName": "ProcTurboMode", "Type": "Enumeration", "Value": [{"ValueName": "Enabled"}]}
        ]
    },
}


def test_each_class_is_checked_with_its_registry(folder: Path) -> None:
    """What the BIOS of some hosts does not take is an error on these alone."""
    (folder / "registry.json").write_text(json.dumps(REGISTRY), encoding="utf-8")
    (folder / "bios").write_text("ProcTurboMode = Disabled\nProcC1E = Disabled\n", encoding="utf-8")
    words = ("audit", "bios", "-e", "goal latency", "--inventory", "hosts.csv", "--registry", "registry.json")
    found = json.loads(setpoint(*words, "--format", "json", cwd=folder).out)
    assert [note for _, note in hosts_with(found, "E0907")] == ["2 hosts: w1, w2"] * 2
    assert hosts_with(found, "W0702")  # the R640 has none


def test_without_a_policy_every_goal_is_compared(folder: Path) -> None:
    text = audited(folder).out
    assert "\n  goal throughput " in text and "\n  goal balanced " in text


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--export", "-"), 2, "not together with --export"),
        (("--for", "two.tune"), 2, "the file has several policies"),
        (("empty",), 1, "error[E0901]: `empty` has no settings"),
    ],
)
def test_what_is_refused(folder: Path, arguments: tuple[str, ...], status: int, says: str) -> None:
    """A file that is not one of settings is so for every server: it is one error."""
    (folder / "empty").write_text("# nothing\n", encoding="utf-8")
    (folder / "two.tune").write_text(
        "policy a { goal latency; } policy b { goal latency; }", encoding="utf-8"
    )
    ran = audited(folder, *arguments)
    assert (ran.status, says in ran.err) == (status, True)


def test_a_model_of_a_known_family_can_have_waivers(folder: Path) -> None:
    """That its family alone is known (W0201) is a warning that no waiver is about."""
    (folder / "hosts.csv").write_text(
        "\n".join(HOSTS.splitlines()[:1] + HOSTS.splitlines()[4:5]), encoding="utf-8"
    )
    ran = setpoint("plan", "site.tune", "--inventory", "hosts.csv", "--host", "a1", cwd=folder)
    assert (ran.status, "W0201" in ran.err) == (0, True)
