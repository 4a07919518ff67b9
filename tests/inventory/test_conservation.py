"""Nothing is lost on the way in: each entry of an inventory is a host or is left out with a reason, each field is read
or listed."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setpoint.compiler.inventory.hosts import Census, census
from setpoint.compiler.inventory.read import read_inventory
from setpoint.compiler.inventory.table import table
from setpoint.compiler.knowledge.load import standard

Entry = tuple[str, str]
"""A name and the product that the entry has."""

HEAD = "begin"
"""A first entry, so that there is an inventory."""

names = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "A",
        "web1.example.org",
        "x y",
        "all",
        "localhost",
        "-",
        "z" * 300,
        "1.2.3.4",
        "setpoint_x",
    ]
)
products = st.sampled_from(["", "PowerEdge R740", "PowerEdge R650xs", "PowerEdge R6500", "Somebody's", "n/a"])
inventories = st.lists(st.tuples(names, products), max_size=8).map(lambda made: [(HEAD, ""), *made])


def as_csv(entries: list[Entry], folder: Path) -> Path:
    text = io.StringIO()
    csv.writer(text).writerows([("host", "model"), *entries])
    path = folder / "hosts.csv"
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def as_ansible(entries: list[Entry], folder: Path) -> Path:
    path = folder / "hosts.json"
    variables = {name: {"ansible_product_name": product} for name, product in entries}
    path.write_text(json.dumps({"_meta": {"hostvars": variables}}), encoding="utf-8")
    return path


def as_puppetdb(entries: list[Entry], folder: Path) -> Path:
    path = folder / "facts.json"
    facts = [{"certname": name, "name": "productname", "value": product} for name, product in entries]
    path.write_text(json.dumps(facts), encoding="utf-8")
    return path


def as_captures(entries: list[Entry], folder: Path) -> Path:
    captures = folder / "captures"
    captures.mkdir()
    for name, product in entries:
        (captures / f"{name[:200]}.json").write_text(json.dumps({"Model": product}), encoding="utf-8")
    return captures


FORMS: dict[str, Callable[[list[Entry], Path], Path]] = {
    "CSV": as_csv,
    "Ansible": as_ansible,
    "PuppetDB": as_puppetdb,
    "captures": as_captures,
}


def census_of(path: Path) -> Census:
    knowledge = standard()
    places = table(knowledge, "")
    return census(read_inventory(str(path), places), places, knowledge)


@pytest.mark.parametrize("form", FORMS)
@given(entries=inventories)
@settings(max_examples=30, deadline=None)
def test_each_entry_is_a_host_or_left_out_with_a_reason(form: str, entries: list[Entry]) -> None:
    with TemporaryDirectory() as folder:
        found = census_of(FORMS[form](entries, Path(folder)))
    there = {name.strip()[:200] for name, _ in entries}
    hosts, left_out = (
        {name[:200] for name in found.hosts},
        {each.name.strip()[:200] for each in found.left_out},
    )
    spelled_once = {name.lower() for name in hosts | left_out}
    assert {name for name in there if name.lower() not in spelled_once} == set()
    assert hosts | left_out <= there
    assert all(each.why for each in found.left_out)
    assert not hosts & left_out


def test_entries_in_a_table_that_are_alike_count_once_and_all_others_once_each(tmp_path: Path) -> None:
    rows = [
        ("a", "PowerEdge R740"),
        ("a", "PowerEdge R740"),
        ("b", ""),
        ("b", "PowerEdge R740"),
        ("c d", ""),
        ("e", ""),
    ]
    found = census_of(as_csv(rows, tmp_path))
    assert sorted(found.hosts) == ["a", "e"]
    assert Counter(each.name for each in found.left_out) == {"b": 1, "c d": 1}


def test_a_host_of_which_no_file_is_a_capture_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "web1").mkdir()
    (tmp_path / "web1" / "os-release").write_text("ID=debian\nVERSION_ID=12\n", encoding="utf-8")
    (tmp_path / "web2").mkdir()
    (tmp_path / "web2" / "notes.txt").write_text("moved to rack 7\n", encoding="utf-8")
    found = census_of(tmp_path)
    assert list(found.hosts) == ["web1"]
    assert [(each.name, each.why) for each in found.left_out] == [("web2", "none of its files is a capture")]


def test_dmidecode_is_read_without_its_heading(tmp_path: Path) -> None:
    """As `dmidecode -q` prints it, or what is left of its text."""
    (tmp_path / "web1").mkdir()
    (tmp_path / "web1" / "dmidecode.txt").write_text(
        "System Information\n\tManufacturer: Dell Inc.\n\tProduct Name: PowerEdge R740\n", encoding="utf-8"
    )
    found = census_of(tmp_path)
    assert [dict(found.kinds[number].facts) for number in found.hosts.values()] == [{"platform": "r740"}]


def test_an_agent_of_openshift_is_read_and_its_other_fields_are_listed(tmp_path: Path) -> None:
    (tmp_path / "web1.json").write_text(
        json.dumps(
            {
                "systemVendor": {"productName": "PowerEdge R740"},
                "cpu": {"count": 2},
                "hostname": "x",
                "memory": {},
            }
        ),
        encoding="utf-8",
    )
    found = census_of(tmp_path)
    assert [dict(found.kinds[number].facts) for number in found.hosts.values()] == [{"platform": "r740"}]
    assert found.ignored == ("memory",)
