"""Captures as inventories: a document, an archive or a folder of them names hosts, whose facts the table of places
finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from captures.archive import GOLD, SOS, SOS_LINKS, SUPPORTCONFIG, pack

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.inventory.hosts import Census, census
from setpoint.compiler.inventory.read import read_inventory
from setpoint.compiler.inventory.table import table
from setpoint.compiler.knowledge.load import standard

CPUINFO = f"processor\t: 0\nmodel name\t: {GOLD}\nsiblings\t: 36\nphysical id\t: 0\nflags\t\t: fpu vme"
PACKAGES = "/sys/devices/system/cpu/cpu*/topology/physical_package_id"
HOST = {
    "/etc/os-release": 'ID="rhel"\nVERSION_ID="9.4"',
    "/proc/cpuinfo": CPUINFO,  # a capture has the first of CPUs that are alike
    "/proc/cmdline": "ro quiet",
    "/sys/class/dmi/id/product_name": "PowerEdge R740",
    PACKAGES: {"0": "0-17,36-53", "1": "18-35,54-71"},
}
FACTS = {"platform": "r740", "cpu": "xeon-gold-6150", "sockets": "2", "os": "rhel-9"}
UUID = "4c4c4544-0035-3410-8050-c6c04f314733"
SYSTEM = {
    "@odata.id": "/redfish/v1/Systems/1",
    "@odata.type": "#ComputerSystem.v1_20_0.ComputerSystem",
    "UUID": UUID,
    "Model": "PowerEdge R740",
    "ProcessorSummary": {"Count": 2, "Model": GOLD},
}


def capture(host: object = None, controller: object = None) -> str:
    sides = {"host": host, "controller": controller}
    return json.dumps(
        {"schema": "setpoint.capture/1", **{side: {"read": read} for side, read in sides.items() if read}}
    )


def census_of(path: Path | str) -> Census:
    places = table(standard(), "")
    return census(read_inventory(str(path), places), places, standard())


def facts(found: Census) -> dict[str, dict[str, str]]:
    return {host: dict(found.kinds[kind].facts) for host, kind in found.hosts.items()}


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_document(tmp_path: Path) -> None:
    """It is called as its file. What no fact is read from is listed."""
    found = census_of(put(tmp_path / "web1.json", capture(HOST)))
    assert facts(found) == {"web1": FACTS}
    assert "/proc/cmdline" in found.ignored


def test_a_controller(tmp_path: Path) -> None:
    """Of its resources, the server and its Bios have facts: a controller has a model as well."""
    manager = {
        "@odata.id": "/redfish/v1/Managers/1",
        "@odata.type": "#Manager.v1_0_0.Manager",
        "Model": "14G Monolithic",
    }
    read = {each["@odata.id"]: each for each in (manager, SYSTEM)}
    found = facts(census_of(put(tmp_path / "bmc1.json", capture(controller=read))))
    assert found == {"bmc1": {fact: FACTS[fact] for fact in ("platform", "cpu", "sockets")}}


@pytest.mark.parametrize(
    ("files", "links", "os"), [(SOS, SOS_LINKS, "rhel-9"), (SUPPORTCONFIG, {}, "sles-15")]
)
def test_a_report_of_support(tmp_path: Path, files: dict[str, str], links: dict[str, str], os: str) -> None:
    (found,) = facts(census_of(pack(tmp_path / "report.tar.xz", files, links))).values()
    assert found.pop("platform", "r740") == "r740"
    assert found == {"cpu": FACTS["cpu"], "sockets": "2", "os": os}


def test_a_folder_of_everything(tmp_path: Path) -> None:
    """Host and controller of one server, in two files with one UUID, are one host; a capture that is cut off leaves its
    host out."""
    folder = tmp_path / "all"
    put(folder / "web1.json", capture(HOST | {"/sys/class/dmi/id/product_uuid": UUID}))
    put(folder / "bmc1.json", capture(controller={SYSTEM["@odata.id"]: SYSTEM}))
    put(folder / "web2.json", capture(HOST)[:-20])
    put(folder / "web3.json", '{"schema": "setpoint.capture/1", "host": {"read": []}}')
    pack(folder / "web4.tgz", SOS, SOS_LINKS)
    found = census_of(folder)
    assert {*found.hosts} == {"web1", "web1.example.org"}
    assert facts(found)["web1"] == FACTS
    assert [each.name for each in found.left_out] == ["web2", "web3"]


@pytest.mark.parametrize(
    ("flags", "hidden"),
    [("fpu vme", False), ("fpu hypervisor", True)],
)
def test_a_guest(tmp_path: Path, flags: str, hidden: bool) -> None:
    """The processor and the server that a virtual machine shows are its hypervisor's."""
    found = facts(
        census_of(
            put(tmp_path / "vm1.json", capture(HOST | {"/proc/cpuinfo": CPUINFO.replace("fpu vme", flags)}))
        )
    )
    assert found["vm1"] == ({"virtual-machine": "yes", "os": "rhel-9"} if hidden else FACTS)


def test_all_processors_of_cpuinfo(tmp_path: Path) -> None:
    """A whole /proc/cpuinfo says how many sockets there are; a part of it does not."""
    cpus = [f"processor: {n}\nmodel name: {GOLD}\nsiblings: 2\nphysical id: {n // 2}\n" for n in range(4)]
    for name, number in (("all", 4), ("part", 3)):
        folder = put(tmp_path / name / "web1/cpuinfo", "\n".join(cpus[:number])).parent.parent
        assert facts(census_of(folder))["web1"].get("sockets") == ("2" if number == 4 else None)


def test_a_document_that_is_no_capture(tmp_path: Path) -> None:
    with pytest.raises(SetpointError, match="is not a capture"):
        census_of(put(tmp_path / "web1.json", '{"schema": "setpoint.capture/1", "host": 1}'))
