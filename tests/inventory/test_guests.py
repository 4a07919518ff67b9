"""Virtual machines in inventories are hosts, whatever processor and server their hypervisor shows them; what is not
used is listed."""

import json
from pathlib import Path

import pytest

from setpoint.compiler.inventory.hosts import Census, Kind, census
from setpoint.compiler.inventory.read import read_inventory
from setpoint.compiler.inventory.table import table
from setpoint.compiler.knowledge.load import standard
from support.command import setpoint

GUEST = {"virtual-machine": "yes"}
UNKNOWN = "Virtual CPU 714389bda930"
PHYSICAL = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"


def census_of(folder: Path, *captures: dict[str, object]) -> Census:
    (folder / "web1").mkdir()
    for number, capture in enumerate(captures):
        (folder / "web1" / f"{number}.json").write_text(json.dumps(capture), encoding="utf-8")
    places = table(standard(), "")
    return census(read_inventory(str(folder), places), places, standard())


def kind_of(folder: Path, *captures: dict[str, object]) -> Kind:
    (kind,) = census_of(folder, *captures).kinds
    return kind


def lscpu(**fields: str) -> dict[str, object]:
    return {"lscpu": [{"field": f"{name}:", "data": value} for name, value in fields.items()]}


@pytest.mark.parametrize(
    ("capture", "facts", "unused"),
    [
        # by Ansible's role of the system, with a product that nothing recognizes
        (
            {
                "ansible_product_name": "CloudCIX",
                "ansible_virtualization_role": "guest",
                "ansible_processor": ["0", "GenuineIntel", UNKNOWN],
            },
            GUEST,
            (f"cpu `{UNKNOWN}`", "platform `CloudCIX`"),
        ),
        # with the host's product and processor, as hypervisors can pass them on
        (
            {
                "ansible_product_name": "PowerEdge R740",
                "ansible_virtualization_role": "guest",
                "ansible_processor": ["0", "GenuineIntel", PHYSICAL],
            },
            GUEST,
            (f"cpu `{PHYSICAL}`", "platform `PowerEdge R740`"),
        ),
        # by facter, and by lscpu
        ({"is_virtual": True, "processors": {"models": [PHYSICAL]}}, GUEST, (f"cpu `{PHYSICAL}`",)),
        (lscpu(**{"Model name": UNKNOWN, "Virtualization type": "full"}), GUEST, (f"cpu `{UNKNOWN}`",)),
        # a product of a hypervisor is what says it, so it stays
        (
            {"dmi": {"product": {"name": "KVM"}}, "processors": {"models": [UNKNOWN], "physicalcount": 2}},
            {},
            (f"cpu `{UNKNOWN}`", "sockets `2`"),
        ),
        # no guests
        ({"ansible_virtualization_role": "host", "ansible_product_name": "PowerEdge R740"}, {"platform": "r740"}, ()),
        ({"ansible_virtualization_role": "NA", "ansible_product_name": "PowerEdge R740"}, {"platform": "r740"}, ()),
        ({"is_virtual": False, "productname": "PowerEdge R740"}, {"platform": "r740"}, ()),
    ],
)  # fmt: skip
def test_what_a_guest_shows_of_its_processor_is_not_used_but_listed(
    tmp_path: Path, capture: dict[str, object], facts: dict[str, str], unused: tuple[str, ...]
) -> None:
    kind = kind_of(tmp_path, capture)
    assert kind.wrong == ()
    assert dict(kind.facts) == facts
    assert kind.unused == unused


def test_a_product_of_a_hypervisor_is_compared_though_the_processor_is_not(tmp_path: Path) -> None:
    kind = kind_of(tmp_path, {"ansible_product_name": "KVM", "ansible_processor_count": 1})
    assert [member.product for member in kind.members] == ["KVM"]


def test_a_processor_that_a_hypervisor_made_up_shows_the_guest(tmp_path: Path) -> None:
    """With a server that passes its own product on to its guests."""
    capture: dict[str, object] = {
        "ansible_product_name": "PowerEdge R740",
        "ansible_processor": ["0", "x", "Common KVM processor"],
    }
    kind = kind_of(tmp_path, capture)
    assert (dict(kind.facts), kind.unused) == ({}, ("platform `PowerEdge R740`",))
    assert [member.text for member in kind.members] == ["Common KVM processor"]


def test_an_unknown_processor_of_no_guest_leaves_its_host_out(tmp_path: Path) -> None:
    kind = kind_of(tmp_path, lscpu(**{"Model name": "Elbrus-8C", "Virtualization type": "none"}))
    assert [each.message for each in kind.wrong] == ["unknown cpu `Elbrus-8C`"]


def test_a_fleet_says_what_it_does_not_use(tmp_path: Path) -> None:
    (tmp_path / "captures").mkdir()
    (tmp_path / "captures" / "web1.json").write_text(
        json.dumps({"ansible_product_name": "KVM", "ansible_processor": ["0", "GenuineIntel", UNKNOWN]}),
        encoding="utf-8",
    )
    policy = "goal performance; os debian 12"
    done = setpoint("fleet", "-e", policy, "--inventory", "captures", "-o", "out", cwd=tmp_path)
    assert done.status == 0, done.err
    assert f"not used, since another fact hides it: cpu `{UNKNOWN}`\n" in done.err
    assert not (tmp_path / "out" / "left-out.csv").read_text(encoding="utf-8").splitlines()[1:]
