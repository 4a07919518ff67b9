"""What Setpoint says of the hosts of an inventory for programs fits the schema of the manual."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.command import ROOT, setpoint

SCHEMA = json.loads((ROOT / "compiler/fleet/fleet.schema.json").read_text(encoding="utf-8"))
GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
HOSTS = f"""host,group,model,processor,sockets,os
w1,web,PowerEdge R740,{GOLD},2,debian 12
w2,web,PowerEdge R740,{GOLD},2,debian 12
f1,front,PowerEdge R740,{GOLD},2,rhel 9.4
x1,front,NorthEdge R9999,,2,debian 12
two words,front,PowerEdge R740,,2,debian 12
"""
POLICY = """
workload interactive;
accept smt-vs-latency because "measured, OPS-4" until 2027-03-31;
for group web   { goal latency; set smt on because "licences, OPS-3"; }
for group front { goal latency; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A policy and an inventory, in which one model is unknown and one name is none."""
    (tmp_path / "site.tune").write_text(POLICY, encoding="utf-8")
    (tmp_path / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    return tmp_path


def said(folder: Path, *words: str) -> Any:
    """The JSON that a command prints, if it fits."""
    ran = setpoint(*words, "--format", "json", "--today", "2026-11-20", cwd=folder)
    return fits(ran.out)


def fits(text: str) -> Any:
    """The data of a text, if it fits."""
    data = json.loads(text)
    jsonschema.validate(data, SCHEMA, format_checker=jsonschema.FormatChecker())
    return data


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("more", [(), ("--all",), ("--today", "2027-04-01")])
def test_plans(folder: Path, more: tuple[str, ...]) -> None:
    (policy,) = said(folder, "plan", "site.tune", "--inventory", "hosts.csv", *more)["policies"]
    assert policy["hosts"]["planned"] == 3


def test_audits(folder: Path) -> None:
    (folder / "cmdline").write_text("quiet intel_idle.max_cstate=1 nohz=offf\n", encoding="utf-8")
    found = said(folder, "audit", "cmdline", "-e", "goal latency", "--inventory", "hosts.csv")
    assert found["audits"] and found["diagnostics"] and found["left_out"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("OPS-3", "OPS-7"),  # a reason
        ("smt on", "smt off"),  # a value
        ("2027-03-31", "2026-11-01"),  # a waiver that is over
        ("accept smt-vs-latency", "# accept smt-vs-latency"),  # a waiver that goes
        ("for group front { goal latency; }", ""),  # hosts that lose their plan
        ("for group web", "manage all; for group web"),
    ],
)
def test_differences(folder: Path, old: str, new: str) -> None:
    (folder / "new").mkdir()
    (folder / "new/site.tune").write_text(POLICY.replace(old, new), encoding="utf-8")
    found = said(folder, "diff", "site.tune", "new/site.tune", "--inventory", "hosts.csv")
    assert found["sides"]["old"]["planned"] == 3


def test_fleets(folder: Path) -> None:
    """With a table of facts, which explains the unknown model, so that one name is left out alone."""
    (folder / "own.toml").write_text('[values.platform]\n"NorthEdge R9999" = "r740"\n', encoding="utf-8")
    words = ("--inventory", "hosts.csv", "--facts", "own.toml", "--today", "2026-11-20", "-o", "out")
    setpoint("fleet", "site.tune", *words, cwd=folder)
    data = fits((folder / "out/fleet.json").read_text(encoding="utf-8"))
    assert (set(data["made_with"]), [each["host"] for each in data["left_out"]]) == (
        {"setpoint", "library", "facts"},
        ["two words"],
    )
