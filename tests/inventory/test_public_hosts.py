"""No host of the public captures is lost: each is planned as what it is, or is left out for a reason that its row in
the table names.

public-hosts.tsv has the facts of real servers, guests and simulators as public repositories have them. Its last four
columns say what the machine is; they were written from the names of the machines, not from what Setpoint makes of them.
Here the hosts become captures again, in each of the forms in which their facts can be captured. Names from linuxhw/DMI
were published under CC-BY-4.0.

| column | content |
|---|---|
| `form` | `redfish` (ComputerSystem), `proc` (/proc/cpuinfo or lscpu), `dmi` (dmidecode, or the kernel's line of it) |
| `manufacturer` | of the server, or the vendor of the processor as `proc` has it |
| `hypervisor` | `yes` where the flags of the processor have `hypervisor`, or lscpu says so |
| `os` | of the package that the running kernel came from |
| `cpu`, `platform` | values of the facts; `-` and a word if the library lacks the processor; else empty |
| `guest` | `yes` for a virtual machine |
| `left_out` | why the host cannot be planned |
"""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from setpoint.compiler.inventory.hosts import Census, Kind, census
from setpoint.compiler.inventory.read import read_inventory
from setpoint.compiler.inventory.table import table
from setpoint.compiler.knowledge.load import standard
from support.command import setpoint

TABLE = Path(__file__).parent / "public-hosts.tsv"

ABROAD = "-"
"""How processors begin that the library does not have."""

GUEST = "virtual-machine"

PARTLY = 5
"""The exit status of a fleet of which some hosts are left out."""

Row = dict[str, str]


def redfish(row: Row) -> dict[str, str]:
    count = int(row["sockets"]) if row["sockets"] else None
    system = {
        "@odata.type": "#ComputerSystem.v1_20_0.ComputerSystem",
        "Manufacturer": row["manufacturer"] or None,
        "Model": row["product"] or None,
        "ProcessorSummary": {"Model": row["processor"] or None, "Count": count},
    }
    return {"system.json": json.dumps(system)}


def fields_of_lscpu(row: Row) -> dict[str, str]:
    fields = {
        "Architecture": "x86_64" if row["signature"] else "",
        "CPU(s)": row["cpus"],
        "Vendor ID": row["manufacturer"],
        "Model name": row["processor"],
        "Socket(s)": row["sockets"],
        "Virtualization type": "full" if row["hypervisor"] else "",
    }
    return {name: value for name, value in fields.items() if value or name == "Architecture"}


def lscpu_json(row: Row) -> dict[str, str]:
    fields = [{"field": f"{name}:", "data": value} for name, value in fields_of_lscpu(row).items()]
    return {"lscpu.json": json.dumps({"lscpu": fields}), **product(row), **os_release(row)}


def lscpu_text(row: Row) -> dict[str, str]:
    lines = [f"{name + ':':<24}{value}\n" for name, value in fields_of_lscpu(row).items()]
    return {"lscpu.txt": "".join(lines), **product(row), **os_release(row)}


def ansible(row: Row) -> dict[str, str]:
    name, _, version = row["os"].partition(" ")
    facts = {
        "product_name": row["product"] or "NA",
        "processor": ["0", row["manufacturer"], row["processor"]] if row["processor"] else ["0"],
        "processor_count": int(row["sockets"] or 1),
        "virtualization_role": "guest" if row["guest"] else "NA",
        **({"distribution": name.title(), "distribution_version": version} if name else {}),
    }
    return {
        "facts.json": json.dumps({"ansible_facts": {f"ansible_{key}": value for key, value in facts.items()}})
    }


def product(row: Row) -> dict[str, str]:
    """The text of dmidecode, if the capture has the product; with the processors, unless another program said them."""
    if not row["product"]:
        return {}
    is_whole = row["form"] == "dmi"
    manufacturer = row["manufacturer"] if is_whole else "Not Specified"
    sections = [f"System Information\n\tManufacturer: {manufacturer}\n\tProduct Name: {row['product']}\n"]
    if is_whole and row["processor"]:
        processor = f"Processor Information\n\tVersion: {row['processor']}\n\tStatus: Populated, Enabled\n"
        sections += [processor] * int(row["sockets"])
    text = "\n".join(f"Handle {n:#06x}, DMI type 0\n{each}" for n, each in enumerate(sections))
    return {"dmidecode.txt": f"# dmidecode 3.3\n\n{text}"}


def os_release(row: Row) -> dict[str, str]:
    name, _, version = row["os"].partition(" ")
    return {"os-release": f"ID={name}\nVERSION_ID={version}\n"} if name else {}


FORMS: dict[str, tuple[Callable[[Row], dict[str, str]], ...]] = {
    "redfish": (redfish,),
    "proc": (lscpu_json, lscpu_text, ansible),
    "dmi": (product, ansible),
}


def rows() -> list[Row]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def captured() -> Iterator[tuple[str, Row, dict[str, str]]]:
    """Each host in each form: its name there, its row, its files."""
    for row in rows():
        for form in FORMS[row["form"]]:
            yield f"{row['host']}.{form.__name__.replace('_', '-')}", row, form(row)


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("public") / "captures"
    for host, _, files in captured():
        (folder / host).mkdir(parents=True)
        for name, text in files.items():
            (folder / host / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def found(captures: Path) -> Census:
    knowledge = standard()
    places = table(knowledge, "")
    return census(read_inventory(str(captures), places), places, knowledge)


def kinds(found: Census) -> Iterator[tuple[str, Row, Kind]]:
    for host, row, _ in captured():
        yield host, row, found.kinds[found.hosts[host]]


def is_guest(kind: Kind) -> bool:
    """Whether it is said to be a guest, or has a name of which that follows."""
    implied = {fact for each in kind.members for fact, _ in each.recognized.family.implies}
    return GUEST in implied or GUEST in kind.facts


def test_each_host_is_read(found: Census) -> None:
    assert {host for host, _, _ in captured()} == set(found.hosts)
    assert found.left_out == ()


def test_a_host_is_recognized_as_what_it_is(found: Census) -> None:
    wrong = []
    for host, row, kind in kinds(found):
        if row["left_out"]:
            continue
        expected = {"cpu": "" if row["cpu"].startswith(ABROAD) else row["cpu"], "platform": row["platform"]}
        wrong += [
            (host, f, kind.facts.get(f, ""), value)
            for f, value in expected.items()
            if kind.facts.get(f, "") != value
        ]
        if is_guest(kind) != bool(row["guest"]):
            wrong.append((host, GUEST, str(is_guest(kind)), row["guest"]))
        if not row["guest"] and row["sockets"] and kind.facts.get("sockets") != row["sockets"]:
            wrong.append((host, "sockets", kind.facts.get("sockets", ""), row["sockets"]))
    assert wrong == []


def test_a_fleet_has_each_host_with_a_plan_or_with_why_it_has_none(captures: Path, tmp_path: Path) -> None:
    fleet = tmp_path / "fleet"
    policy = "policy p { goal balanced; }"
    ran = setpoint(
        "fleet", "-e", policy, "--inventory", str(captures), "--target", "ansible", "-o", str(fleet)
    )
    assert ran.status == PARTLY, ran.err
    planned, left_out = (listed(fleet / name) for name in ("hosts.csv", "left-out.csv"))
    hosts = [host for host, _, _ in captured()]
    assert sorted([*planned, *left_out]) == sorted(hosts)
    assert left_out.keys() == {host for host, row, _ in captured() if row["left_out"]}, left_out


def listed(path: Path) -> dict[str, Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["host"]: row for row in csv.DictReader(file)}
