"""`setpoint fleet --registry`: each host is planned with the registry of its model and BIOS version, and one that none
fits is named."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from setpoint.compiler.binding.levels import candidates
from setpoint.compiler.binding.stated import HostFacts, family_member
from setpoint.compiler.fleet.registries import read_registries
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import read_text
from support.command import Ran, setpoint

POLICY = """
goal performance; workload hpc;
for host old { set turbo off because "runs hot, HW-881"; }
for host new { set turbo off because "runs hot, HW-881"; }
"""
HOSTS = """host,model,sockets,os,bios
old,PowerEdge R740,2,rhel 9.4,1.0
old-2,PowerEdge R740,2,rhel 9.4,1.0
new,PowerEdge R740,2,rhel 9.4,2.0
new-2,PowerEdge R740,2,rhel 9.4,2.0
"""


def registry(product: str, version: str, turbo: tuple[str, ...] = ("Enabled", "Disabled")) -> dict[str, Any]:
    """A registry with two attributes of a Dell; the server that it was read from has its turbo mode off."""
    values = {"ProcTurboMode": turbo, "LogicalProc": ("Enabled", "Disabled")}
    attributes = [
        {
            "AttributeName": name,
            "Type": "Enumeration",
            "Value": [{"ValueName": value} for value in found],
            "CurrentValue": found[-1],
        }
        for name, found in values.items()
    ]
    return {
        "Id": "BiosAttributeRegistry.v1_0_0",
        "OwningEntity": "Dell",
        "SupportedSystems": [{"ProductName": product, "FirmwareVersion": version}],
        "RegistryEntries": {"Attributes": attributes},
    }


def written(tmp_path: Path) -> Path:
    """A folder with a fleet, and registries of two BIOS versions: the newer one cannot turn turbo off."""
    (tmp_path / "site.tune").write_text(POLICY, encoding="utf-8")
    (tmp_path / "hosts.csv").write_text(HOSTS, encoding="utf-8")
    (tmp_path / "found").mkdir()
    for name, data in {
        "old": registry("PowerEdge R740", "1.0"),
        "new": registry("PowerEdge R740", "2.0", ("Enabled",)),
        "Bios": {"Attributes": {"ProcTurboMode": "Disabled"}},
    }.items():
        (tmp_path / "found" / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    return tmp_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A fleet and registries of its own."""
    return written(tmp_path)


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """The fleet, planned with both registries."""
    folder = written(tmp_path_factory.mktemp("planned"))
    return folder, run(folder, "found")


def run(folder: Path, *registries: str) -> Ran:
    """Plan the fleet with registries."""
    options = [word for path in registries for word in ("--registry", path)]
    return setpoint("fleet", "site.tune", "--inventory", "hosts.csv", *options, "-o", "out", cwd=folder)


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a table that was written."""
    with (folder / "out" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_host_is_planned_with_the_registry_of_its_bios(planned: tuple[Path, Ran]) -> None:
    folder, ran = planned
    assert ran.status == 5, ran.err
    assert {row["host"] for row in rows(folder, "hosts.csv")} == {"old", "old-2", "new-2"}
    registries = {row["class"]: row["registry"] for row in rows(folder, "classes.csv")}
    theirs = {row["host"]: registries[row["class"]] for row in rows(folder, "hosts.csv")}
    assert theirs["old"] == theirs["old-2"] == "old.json (PowerEdge R740, BIOS 1.0)"
    assert theirs["new-2"] == "new.json (PowerEdge R740, BIOS 2.0)"


def test_a_host_whose_registry_contradicts_its_plan_is_left_out_with_the_registry(
    planned: tuple[Path, Ran],
) -> None:
    folder, ran = planned
    (row,) = rows(folder, "left-out.csv")
    assert (row["host"], row["code"]) == ("new", "E0502")
    assert row["registry"] == "new.json (PowerEdge R740, BIOS 2.0)"
    assert "= new.json (PowerEdge R740, BIOS 2.0): ProcTurboMode takes Enabled" in ran.err
    found = json.loads((folder / "out/fleet.json").read_text(encoding="utf-8"))
    assert [each["registry"] for each in found["left_out"]] == [row["registry"]]


def test_the_values_of_the_server_that_was_read_are_not_those_of_others(planned: tuple[Path, Ran]) -> None:
    """Its logical processors were off; the attribute is written all the same, since those of other servers may be
    on."""
    folder, _ = planned
    (plan,) = {row["plan"] for row in rows(folder, "hosts.csv") if row["host"] == "old-2"}
    expected = json.loads((folder / "out/plans" / plan / "expected.json").read_text(encoding="utf-8"))
    assert expected["attributes"]["LogicalProc"]["wanted"] == "Disabled"


def test_without_registries_nothing_depends_on_the_bios(folder: Path) -> None:
    run(folder)
    before = (folder / "out/classes.csv").read_text(encoding="utf-8")
    (folder / "hosts.csv").write_text(HOSTS.replace("2.0", "3.0"), encoding="utf-8")
    assert "0 of them new or changed" in run(folder).out
    assert before == (folder / "out/classes.csv").read_text(encoding="utf-8")
    assert "registry" not in before


@pytest.mark.parametrize(
    ("version", "given", "said"),
    [
        ("3.0", ("found",), "their BIOS is `3.0`, and those of platform r740 are of BIOS `2.0` and `1.0`"),
        ("", ("found",), "the inventory has no version of their BIOS, and those of platform r740"),
        ("3.0", ("found/new.json",), "their BIOS is `3.0`, and those of platform r740 are of BIOS `2.0`"),
        ("", ("found/new.json",), ""),
        ("3.0", ("r740=found/new.json",), ""),
        ("3.0", ("found/old.json", "PowerEdge R740=found/new.json"), ""),
    ],
)
def test_the_registry_of_a_host(folder: Path, version: str, given: tuple[str, ...], said: str) -> None:
    knowledge = standard()
    (candidate,) = candidates(read_text("goal latency;").body, "site")
    registries = read_registries([path.replace("found", str(folder / "found")) for path in given], knowledge)
    fitting = registries.of(candidate.narrowed(), knowledge, HostFacts({"platform": "r740"}), version)
    assert fitting.why.startswith(said)
    assert fitting.registry.startswith("new.json") is not bool(said)


@pytest.mark.parametrize(
    ("product", "given", "registry_of", "said"),
    [
        ("PowerEdge M640", "m640.json", "PowerEdge M640", ""),
        ("PowerEdge M640 (SKU=1;ModelName=PowerEdge M640)", "m640.json", "PowerEdge M640", ""),
        ("m640", "m640.json", "PowerEdge M640", ""),
        ("PowerEdge M640", "PowerEdge M640=m640.json", "", ""),  # the name that is given counts
        ("PowerEdge FC640", "m640.json", "", "none is of platform `PowerEdge FC640`"),  # of the same family
        ("PowerEdge R640", "m640.json", "", "none is of platform r640"),
    ],
)
def test_the_registry_of_a_model_that_its_family_describes(
    tmp_path: Path, product: str, given: str, registry_of: str, said: str
) -> None:
    knowledge = standard()
    (tmp_path / "m640.json").write_text(json.dumps(registry("PowerEdge M640", "1.0")), encoding="utf-8")
    model, _, file = given.rpartition("=")
    path = str(tmp_path / file)
    registries = read_registries([f"{model}={path}" if model else path], knowledge)
    (candidate,) = candidates(read_text("goal latency;").body, "site")
    member = family_member(knowledge, "platform", product)
    found = HostFacts({}, (member,)) if member else HostFacts({"platform": "r640"})
    fitting = registries.of(candidate.narrowed(), knowledge, found, "1.0")
    assert fitting.why == said
    assert fitting.registry.startswith("m640.json") is not bool(said)
    assert registry_of in fitting.registry


def test_hosts_with_a_model_of_a_family_have_a_plan_with_its_registry(folder: Path) -> None:
    (folder / "m640.json").write_text(json.dumps(registry("PowerEdge M640", "1.0")), encoding="utf-8")
    (folder / "hosts.csv").write_text(HOSTS.replace("R740", "M640"), encoding="utf-8")
    ran = run(folder, "m640.json")
    assert "their BIOS is `2.0`, and those of platform `PowerEdge M640` are of BIOS `1.0`" in ran.err
    classes = {row["class"]: row["registry"] for row in rows(folder, "classes.csv")}
    theirs = {row["host"]: classes[row["class"]] for row in rows(folder, "hosts.csv")}
    assert theirs["old-2"] == "m640.json (PowerEdge M640, BIOS 1.0)"
    assert theirs["new-2"] == ""


def test_hosts_that_no_registry_fits_are_planned_without_one_and_counted(folder: Path) -> None:
    (folder / "hosts.csv").write_text(HOSTS.replace("2.0", "3.0"), encoding="utf-8")
    ran = setpoint("check", "site.tune", "--inventory", "hosts.csv", "--registry", "found", cwd=folder)
    assert ran.status == 0, ran.out
    assert "warning[W0702]: no registry fits these hosts: their BIOS is `3.0`, and" in ran.out
    assert "= 2 hosts: planned with all that the library offers" in ran.out


@pytest.mark.parametrize(
    ("name", "data", "given", "said"),
    [
        ("x", registry("SuperMicroServer", ""), "x.json", "it is of `SuperMicroServer`, which the library does not know"),
        ("x", registry("", "1"), "x.json", "it does not say which model it is of"),
        ("found/x", registry("PowerEdge R740", " 1.0"), "found", "another one is of the same platform and BIOS version: old.json"),
        ("empty/x", {"Attributes": {}}, "empty", "no file in it is a registry"),
        ("x", registry("PowerEdge R740", "1"), "r7400=x.json", "unknown platform `r7400`"),
        ("found/x", {"RegistryEntries": []}, "found", "error[E0609]"),
    ],
)  # fmt: skip
def test_registries_that_cannot_be_told_apart(
    folder: Path, name: str, data: dict[str, Any], given: str, said: str
) -> None:
    (folder / "empty").mkdir()
    (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    ran = run(folder, given)
    assert ran.status in (1, 2, 4)
    assert said in ran.err, ran.err
    assert not (folder / "out").exists()


def test_check_takes_the_registries_of_a_fleet(folder: Path) -> None:
    ran = setpoint("check", "site.tune", "--inventory", "hosts.csv", "--registry", "found", cwd=folder)
    assert ran.status == 1
    assert "error[E0502]: `turbo off` is not supported here" in ran.out
    assert "= 1 host: new" in ran.out


@pytest.mark.parametrize(
    ("host", "status", "said"),
    [
        ("new", 1, "error[E0502]: `turbo off` is not supported here"),
        ("old", 0, ""),
        ("old-2", 0, "warning[W0702]: no registry fits these hosts: their BIOS is `3.0`"),
    ],
)
def test_plan_takes_the_registries_of_a_fleet(folder: Path, host: str, status: int, said: str) -> None:
    hosts = HOSTS.replace("old-2,PowerEdge R740,2,rhel 9.4,1.0", "old-2,PowerEdge R740,2,rhel 9.4,3.0")
    (folder / "hosts.csv").write_text(hosts, encoding="utf-8")
    given = ("--inventory", "hosts.csv", "--registry", "found", "--format", "json")
    ran = setpoint("plan", "site.tune", *given, "--host", host, cwd=folder)
    plan = json.loads(ran.out)
    assert ran.status == status, ran.err
    found = [f"{each['severity']}[{each['code']}]: {each['message']}" for each in plan["diagnostics"]]
    assert any(each.startswith(said) for each in found) if said else "W0702" not in str(found)
    assert bool(plan.get("registry")) is (host == "old")


def test_diff_takes_the_registries_of_a_fleet(folder: Path) -> None:
    """A host whose registry lacks the new value loses its plan; the others change, and one of them has no registry."""
    (folder / "new.tune").write_text('goal performance; workload hpc; set turbo off because "HW-900";')
    (folder / "old.tune").write_text("goal performance; workload hpc;")
    (folder / "hosts.csv").write_text(HOSTS + "x,PowerEdge R740,2,rhel 9.4,3.0\n", encoding="utf-8")
    sides = ("diff", "old.tune", "new.tune", "--inventory", "hosts.csv", "--format", "json")
    ran = setpoint(*sides, "--registry", "found", cwd=folder)
    found = json.loads(ran.out)
    assert (ran.status, found["lost"]) == (3, ["new", "new-2"])
    assert [each["hosts"] for each in found["changes"]] == [["old", "old-2"], ["x"]]
    assert "= 1 host: planned with all that the library offers" in ran.err
    assert json.loads(setpoint(*sides, cwd=folder).out)["lost"] == []


@pytest.mark.parametrize(
    "option", [("--current", "found/Bios.json"), ("--registry", "found", "--new-registry", "found/new.json")]
)
def test_a_comparison_of_fleets_is_not_about_one_server(folder: Path, option: tuple[str, ...]) -> None:
    ran = setpoint("diff", "site.tune", "site.tune", "--inventory", "hosts.csv", *option, cwd=folder)
    assert ran.status == 2
    assert "--inventory: not together with --current or --new-registry" in ran.err
