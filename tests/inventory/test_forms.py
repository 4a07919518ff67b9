"""Inventories in every form are read to the same hosts and facts, texts understood as machines print them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from consumers.ansible_run import programs
from consumers.requirement import require
from setpoint.compiler.binding.names import IS_GROUP
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.inventory.hosts import Census, census
from setpoint.compiler.inventory.read import read_inventory
from setpoint.compiler.inventory.table import table
from setpoint.compiler.knowledge.model import Knowledge

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
E5 = "Intel(R) Xeon(R) CPU E5-2630 0 @ 2.30GHz"
WEB = {"platform": "r740", "cpu": "xeon-gold-6150", "sockets": "2", "os": "rhel-8"}
DB = {"platform": "r720", "cpu": "e5-2630", "sockets": "1", "os": "debian-12"}
BOTH = {"web1.example.org": ({"web"}, WEB), "db1": ({"db"}, DB)}

Read = Callable[..., Census]


@pytest.fixture
def read(knowledge: Knowledge, tmp_path: Path) -> Read:
    """A function that reads an inventory: a text, or a path."""

    def read(content: str | Path, name: str = "hosts", facts: str = "") -> Census:
        site = ""
        if facts:
            site = str(tmp_path / "facts.toml")
            Path(site).write_text(facts, encoding="utf-8")
        if isinstance(content, str):
            (tmp_path / name).write_text(content, encoding="utf-8")
            content = tmp_path / name
        places = table(knowledge, site)
        return census(read_inventory(str(content), places), places, knowledge)

    return read


def hosts(found: Census) -> dict[str, tuple[set[str], dict[str, str]]]:
    """The groups and facts of each host; nothing may be wrong."""
    assert [kind.wrong for kind in found.kinds if kind.wrong] == []
    return {
        name: (set(found.kinds[number].groups), dict(found.kinds[number].facts))
        for name, number in found.hosts.items()
    }


def wrong(found: Census) -> dict[str, list[str]]:
    """What is wrong with each host: codes and messages."""
    return {
        name: [f"{each.code} {each.message}" for each in found.kinds[number].wrong]
        for name, number in found.hosts.items()
        if found.kinds[number].wrong
    }


# ------------------------------------------------------------------------------------------ tables

CSV = f"""Host,Group,Model,Processor,Sockets,Operating system,Rack
web1.example.org,web,PowerEdge R740,{GOLD},2,rhel 8.10,a
db1,db,poweredge  r720,{E5},1,Debian 12.11,b
"""


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table(read: Read, delimiter: str) -> None:
    found = read(CSV.replace(",", delimiter), "hosts.csv")
    assert hosts(found) == BOTH
    assert found.ignored == ("Rack",)


def test_a_table_needs_no_particular_name(read: Read) -> None:
    assert hosts(read(f"\ufeff{CSV}", "export.txt")) == BOTH


def test_columns_can_be_called_like_facts(read: Read) -> None:
    assert hosts(read("host,platform,interconnect\nc1,R740,infiniband\n", "h.csv"))["c1"][1] == {
        "platform": "r740",
        "interconnect": "infiniband",
    }


def test_a_row_that_is_no_host_is_reported_with_its_line(read: Read) -> None:
    rows = [
        "host,model,sockets",
        "c1,PowerEdge R740,2",
        "c2",
        "",
        ",PowerEdge R740,2",
        "c 4,x,1",
        "c1,PowerEdge R740,1",
        "c1,PowerEdge R740,2",
    ]
    found = read("\n".join(rows), "h.csv")
    assert list(found.hosts) == []
    assert [(each.name, each.line, each.why) for each in found.left_out] == [
        ("", 3, "it has 1 of 3 columns"),
        ("", 5, "it has no name"),
        ("c 4", 6, "its name is not that of a host"),
        ("c1", 7, "it is in the inventory twice, with other facts"),
    ]


def test_bytes_that_are_not_utf8_spoil_their_own_row_only(read: Read, tmp_path: Path) -> None:
    rows = [f"c{number},PowerEdge R740" for number in range(5000)]
    content = "\n".join(["host,model", *rows]).encode() + b"\nc\xe4,PowerEdge R740\n"
    (tmp_path / "hosts.csv").write_bytes(content)
    found = read(tmp_path / "hosts.csv")
    assert len(found.hosts) == 5000
    assert [(each.name, each.line) for each in found.left_out] == [("c\\xe4", 5002)]


def test_a_broken_quotation_is_reported(read: Read) -> None:
    found = read('host,model\nc1,"PowerEdge" R740\nc2,PowerEdge R740\n', "h.csv")
    assert [each.line for each in found.left_out] == [2]
    assert list(found.hosts) == ["c2"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("all", "its name is that of a group of Ansible"),
        ("Ungrouped", "its name is that of a group of Ansible"),
        ("setpoint_site", "its name begins like those of groups in artifacts"),
        ("SETPOINT_site_a", "its name begins like those of groups in artifacts"),
        ("localhost", "its name means the machine that rolls out"),
        ("LocalHost", "its name means the machine that rolls out"),
        ("localhost.localdomain", "its name means the machine that rolls out"),
        ("localhost6", "its name means the machine that rolls out"),
        ("ip6-localhost", "its name means the machine that rolls out"),
        ("ip6-loopback", "its name means the machine that rolls out"),
        ("web.localhost", "its name means the machine that rolls out"),
        ("127.0.0.1", "its name means the machine that rolls out"),
        ("127.1", "its name means the machine that rolls out"),
        ("0x7f.1", "its name means the machine that rolls out"),
        ("2130706433", "its name means the machine that rolls out"),
        ("0", "its name means the machine that rolls out"),
        ("0.0.0.0", "its name means the machine that rolls out"),
        ("=cmd|'/C calc'!A0", "its name is not that of a host"),
        ("a/../b", "its name is not that of a host"),
        ("c[1:9]", "its name is not that of a host"),
        ("all.example.org", ""),
        ("all-1", ""),
        ("allium", ""),
        ("localhost-1", ""),
        ("127", ""),
        ("10.0.0.1", ""),
        ("0c", ""),
        ("1u-node3", ""),
        ("c1.localhost.example.org", ""),
    ],
)
def test_what_a_host_can_be_called(read: Read, name: str, why: str) -> None:
    found = read(f'host,model\n"{name}",PowerEdge R740\n', "h.csv")
    assert [each.why for each in found.left_out] == [why] * bool(why)
    assert list(found.hosts) == [name] * (not why)


def test_a_host_is_not_called_like_a_group(read: Read) -> None:
    """It would hide the group from Ansible, for which another case of letters is another name."""
    found = read("host,group\nc1,web db\nweb,web\nDB,db\nc2,c1\nweb.example.org,db\n", "h.csv")
    assert sorted(found.hosts) == ["DB", "c2", "web.example.org"]
    assert [(each.name, each.why) for each in found.left_out] == [("c1", IS_GROUP), ("web", IS_GROUP)]


def test_names_that_differ_in_case_are_one_host(read: Read) -> None:
    """For DNS, Puppet and blocks of policies they are."""
    rows = ["host,sockets", "C1,1", "c1,2", "C2,1", "c2,1", "C3,1", "c4,2"]
    found = read("\n".join(rows), "h.csv")
    assert list(found.hosts) == ["C2", "C3", "c4"]
    why = "it is in the inventory twice, in another case of letters with other facts"
    assert [(each.name, each.why) for each in found.left_out] == [("C1", why), ("c1", why)]


# ------------------------------------------------------------------------------------------ Ansible

INI = f"""[web]
web1.example.org model="PowerEdge R740" processor="{GOLD}" setpoint_sockets=2 setpoint_os="rhel 8.10"
[db]
db1
[all:children]
web
db
"""


@pytest.fixture
def ansible(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real `ansible-inventory` among the programs."""
    monkeypatch.setenv("PATH", f"{programs()}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.mark.usefixtures("ansible")
def test_an_inventory_of_ansible_is_read_by_ansible(read: Read, tmp_path: Path) -> None:
    """In INI with variables beside it, as a folder, and what `ansible-inventory --list` prints of it, are the same."""
    folder = tmp_path / "inventory"
    (folder / "host_vars").mkdir(parents=True)
    (folder / "hosts.ini").write_text(INI, encoding="utf-8")
    variables = {
        "ansible_product_name": "PowerEdge R720",
        "ansible_processor": ["0", "GenuineIntel", E5],
        "ansible_processor_count": 1,
        "ansible_distribution": "Debian",
        "ansible_distribution_version": "12.11",
    }
    (folder / "host_vars/db1.json").write_text(json.dumps(variables), encoding="utf-8")
    listed = subprocess.run(
        ["ansible-inventory", "-i", str(folder), "--list"], capture_output=True, text=True, check=True
    )
    for inventory in (folder, folder / "hosts.ini"):
        assert hosts(read(inventory)) == {**BOTH, "web1.example.org": ({"web"}, WEB)}
    assert hosts(read(listed.stdout, "hosts.json")) == BOTH


@pytest.mark.parametrize(
    ("version", "os"), [("15.3", "sles-15-sp3"), ("15.4", "sles-15-sp4"), ("12.5", "sles-12")]
)
def test_a_service_pack_is_that_of_its_version(read: Read, version: str, os: str) -> None:
    facts = {"ansible_distribution": "SLES", "ansible_distribution_version": version}
    listed = {"_meta": {"hostvars": {"c1": facts}}, "all": {"hosts": ["c1"]}}
    assert hosts(read(json.dumps(listed), "h.json")) == {"c1": (set(), {"os": os})}


def test_a_group_within_a_group_counts(read: Read) -> None:
    data = {
        "_meta": {"hostvars": {"c1": {"platform": "r740"}}},
        "all": {"children": ["site"]},
        "site": {"children": ["web"]},
        "web": {"hosts": ["c1"], "children": ["site"]},
    }
    assert hosts(read(json.dumps(data), "h.json")) == {"c1": ({"site", "web"}, {"platform": "r740"})}


def nested(levels: int, **more: object) -> str:
    """An inventory with a host in the last of groups within groups."""
    groups: dict[str, object] = {f"g{each:05}": {"children": [f"g{each + 1:05}"]} for each in range(levels)}
    groups[f"g{levels:05}"] = {"hosts": ["c1"], **more}
    return json.dumps({"_meta": {"hostvars": {}}, **groups})


def test_groups_can_be_nested_deeply_and_in_circles(read: Read) -> None:
    for text in (nested(3_000), nested(3_000, children=["g00000"])):
        ((groups, _),) = hosts(read(text, "h.json")).values()
        assert len(groups) == 3_001


def test_the_time_for_nested_groups_grows_with_their_number(read: Read) -> None:
    def effort(levels: int) -> float:
        begin = process_time()
        read(nested(levels, children=["g00000"]), "h.json")
        return process_time() - begin

    effort(1_000)
    assert effort(64_000) < 30 * effort(8_000) + 1


def test_hosts_in_far_too_many_groups_are_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of groups puts each of its hosts into all groups before it."""
    monkeypatch.setattr("setpoint.compiler.inventory.structured.MOST_STEPS", 1_000)
    chain = {f"g{each}": {"hosts": [f"c{each}"], "children": [f"g{each + 1}"]} for each in range(100)}
    with pytest.raises(SetpointError, match="in more than 1,000 groups"):
        read(json.dumps({"_meta": {"hostvars": {}}, **chain}), "h.json")


def test_lists_within_lists_and_paths_into_them(read: Read) -> None:
    """A place can be of any length, and its text in lists of any depth."""
    deep: object = "PowerEdge R740"
    for _ in range(90):
        deep = [deep]
    listed = {"_meta": {"hostvars": {"c1": {"model": deep, "x": [1]}}}, "all": {"hosts": ["c1"]}}
    facts = f'[facts]\nsockets = ["x.{"9" * 5_000}", "x{".0" * 5_000}"]\n'
    assert hosts(read(json.dumps(listed), "h.json", facts)) == {"c1": (set(), {"platform": "r740"})}


def test_without_ansible_its_inventories_cannot_be_read(
    read: Read, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetpointError) as caught:
        read("all:\n  hosts:\n    c1:\n", "hosts.yml")
    (finding,) = caught.value.diagnostics
    assert finding.code == "E0611"
    assert "--list > hosts.json" in finding.help[0]


@pytest.mark.usefixtures("ansible")
def test_what_ansible_cannot_read_is_not_an_inventory(read: Read) -> None:
    with pytest.raises(SetpointError) as caught:
        read("all: [\n", "hosts.yml")
    assert [each.code for each in caught.value.diagnostics] == ["E0611"]


# ------------------------------------------------------------------------------- Puppet and facter

FACTER = {
    "dmi": {"product": {"name": "PowerEdge R740"}},
    "processors": {"models": [GOLD] * 36, "physicalcount": 2},
    "os": {"name": "RedHat", "release": {"full": "8.10", "major": "8"}},
    "networking": {"fqdn": "web1.example.org", "hostname": "web1"},
}
LEGACY = {
    "productname": "PowerEdge R740",
    "processor0": GOLD,
    "physicalprocessorcount": 2,
    "operatingsystem": "RedHat",
    "operatingsystemrelease": "8.10",
}
TRUSTED = {"extensions": {"pp_role": "web"}}


@pytest.mark.parametrize(
    "data",
    [
        [{"certname": "web1.example.org", "facts": FACTER, "trusted": TRUSTED}],
        [
            {"certname": "web1.example.org", "name": name, "value": value}
            for name, value in (FACTER | {"trusted": TRUSTED}).items()
        ],
        [
            {
                "certname": "web1.example.org",
                "facts": {"data": [{"name": name, "value": value} for name, value in LEGACY.items()]},
                "trusted": TRUSTED,
            }
        ],
    ],
    ids=["inventory", "facts", "factsets"],
)
def test_what_puppetdb_answers(read: Read, data: object) -> None:
    assert hosts(read(json.dumps(data), "h.json")) == {"web1.example.org": ({"web"}, WEB)}


def test_what_facter_prints(read: Read) -> None:
    assert hosts(read(json.dumps(FACTER), "h.json")) == {"web1.example.org": (set(), WEB)}


def test_the_real_facter(read: Read) -> None:
    """Its facts of this machine are read, whatever they are."""
    printed = subprocess.run(
        [str(require("facter")), "--json"], capture_output=True, text=True, check=False
    ).stdout
    assert len(read(printed, "h.json").hosts) == 1


# ------------------------------------------------------------------------------------- captures

SYSTEM = {
    "@odata.type": "#ComputerSystem.v1_1_0.ComputerSystem",
    "Model": "PowerEdge R740",
    "ProcessorSummary": {"Count": 2, "Model": GOLD},
}
BIOS = {
    "@odata.type": "#Bios.v1_0_0.Bios",
    "Attributes": {"SystemModelName": "PowerEdge R740", "Proc1Brand": GOLD},
}
LSCPU = {
    "lscpu": [
        {"field": "Vendor ID:", "data": "GenuineIntel", "children": [{"field": "Model name:", "data": E5}]},
        {"field": "Socket(s):", "data": "1"},
    ]
}
DMIDECODE = f"""# dmidecode 3.4
Handle 0x0100, DMI type 1, 27 bytes
System Information
\tManufacturer: Dell Inc.
\tProduct Name: PowerEdge R720

Handle 0x0400, DMI type 4, 42 bytes
Processor Information
\tSocket Designation: CPU1
\tVersion: {E5}
\tStatus: Populated, Enabled

Handle 0x0401, DMI type 4, 42 bytes
Processor Information
\tSocket Designation: CPU2
\tVersion: Not Specified
\tStatus: Unpopulated
"""


def test_a_folder_of_captures(read: Read, tmp_path: Path) -> None:
    """A folder for each host; what the files are shows in their content."""
    captures = {
        "web1.example.org/a": json.dumps(SYSTEM),
        "web1.example.org/b": json.dumps(BIOS),
        "web1.example.org/os-release": 'NAME="Red Hat Enterprise Linux"\nID="rhel"\nVERSION_ID="8.10"\n',
        "db1/lscpu.json": json.dumps(LSCPU),
        "db1/dmidecode.txt": DMIDECODE,
        "db1/os-release": "ID=debian\nVERSION_ID='12'\n",
        "db1/notes.txt": "nothing\n",
    }
    for name, text in captures.items():
        (tmp_path / "captures" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "captures" / name).write_text(text, encoding="utf-8")
    assert hosts(read(tmp_path / "captures")) == {"web1.example.org": (set(), WEB), "db1": (set(), DB)}


def test_what_lscpu_prints_as_text(read: Read, tmp_path: Path) -> None:
    """Also as newer versions indent it."""
    (tmp_path / "captures/web1").mkdir(parents=True)
    text = "Architecture:            x86_64\n  CPU op-mode(s):        32-bit, 64-bit\nVendor ID:               AuthenticAMD\n"
    text += "  Model name:            AMD EPYC 7543 32-Core Processor\n    Socket(s):           2\n"
    (tmp_path / "captures/web1/lscpu").write_text(text, encoding="utf-8")
    assert hosts(read(tmp_path / "captures")) == {"web1": (set(), {"cpu": "epyc-7543", "sockets": "2"})}


def test_a_folder_of_facts(read: Read, tmp_path: Path) -> None:
    """A file for each host, such as a cache of Ansible's facts."""
    facts = tmp_path / "facts"
    facts.mkdir()
    (facts / "web1.json").write_text(json.dumps({"ansible_product_name": "PowerEdge R740"}), encoding="utf-8")
    (facts / "web2.json").write_text(json.dumps(FACTER), encoding="utf-8")
    assert hosts(read(facts)) == {"web1": (set(), {"platform": "r740"}), "web2": (set(), WEB)}


def test_a_host_with_a_capture_that_is_broken_off_is_left_out(read: Read, tmp_path: Path) -> None:
    """What the rest of the file would have said must not be taken for unknown."""
    for name, text in {
        "web1/system.json": json.dumps(SYSTEM),
        "web1/os-release": "ID=debian\nVERSION_ID='12'\n",
        "web2/system.json": json.dumps(SYSTEM)[:-9],  # the connection was lost
        "web2/os-release": "ID=debian\nVERSION_ID='12'\n",
        "web3.json": '{"ansible_product_name": ',
    }.items():
        (tmp_path / "captures" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "captures" / name).write_text(text, encoding="utf-8")
    found = read(tmp_path / "captures")
    assert list(hosts(found)) == ["web1"]
    assert [(each.name, each.why.partition(":")[0]) for each in found.left_out] == [
        ("web2", "its file `system.json` is not JSON"),
        ("web3", "its file `web3.json` is not JSON"),
    ]


def test_a_quotation_that_is_not_closed(read: Read, tmp_path: Path) -> None:
    (tmp_path / "hosts.csv").write_text('host,model\nweb1,PowerEdge R740\nweb2,"PowerEdge R740\nweb3,\n')
    found = read(tmp_path / "hosts.csv")
    assert list(hosts(found)) == ["web1"]
    assert [each.why for each in found.left_out] == ["a quotation is not closed"]


def test_a_folder_of_captures_that_are_all_broken_off_is_none_of_ansible(read: Read, tmp_path: Path) -> None:
    (tmp_path / "captures/web1").mkdir(parents=True)
    (tmp_path / "captures/web1/system.json").write_text('{"Model": ', encoding="utf-8")
    (left_out,) = read(tmp_path / "captures").left_out
    assert left_out.name == "web1"


def test_what_this_machine_prints(read: Read, tmp_path: Path) -> None:
    """The real lscpu and os-release are recognised; in a virtual machine, what lscpu says of the processor is not
    used."""
    here = tmp_path / "captures/here"
    here.mkdir(parents=True)
    printed = subprocess.run([str(require("lscpu")), "-J"], capture_output=True, text=True, check=True).stdout
    (here / "cpu").write_text(printed, encoding="utf-8")
    shutil.copy("/etc/os-release", here / "os")
    found = read(tmp_path / "captures")
    (kind,) = found.kinds
    unused = {text.partition(" ")[0] for text in kind.unused}
    known = {*kind.facts, *unused, *(each.subject for each in kind.wrong)}
    assert "sockets" in known
    assert found.form == "folder of captures"


# ---------------------------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("column", "text", "value"),
    [
        ("os", "CentOS Linux release 6.10 (Final)", None),
        ("os", "CentOS release 6.10 (Final)", "rhel-6"),
        ("os", "CentOS 6.10", "rhel-6"),
        ("os", "Red Hat Enterprise Linux Server release 6.4 (Santiago)", "rhel-6"),
        ("os", "OracleLinux 9.3", "rhel-9"),
        ("os", "Ubuntu 22.04", "ubuntu-22.04"),
        ("os", "ubuntu 22.10", None),
        ("os", "rhel 80", None),
        ("platform", "PowerEdge R740xd", "poweredge-14g"),
        ("platform", "NorthEdge R74", None),
        ("cpu", "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz", "xeon-gold-6150"),
        ("cpu", "Intel Xeon Gold 6150", "xeon-gold-6150"),
        ("cpu", "Gold 6150", None),
        ("sockets", "3", None),
    ],
)  # fmt: skip
def test_texts_are_understood_as_machines_print_them(
    read: Read, column: str, text: str, value: str | None
) -> None:
    found = read(f"host,{column}\nc1,{text}\n", "h.csv")
    if value is None:
        assert wrong(found) == {"c1": [f"E0701 unknown {column} `{text}`"]}
    else:
        assert hosts(found)["c1"][1] == {column: value}


@pytest.mark.parametrize("text", ["", "n/a", "Unknown", "To Be Filled By O.E.M."])
def test_what_nobody_knows_is_not_a_fact(read: Read, text: str) -> None:
    assert hosts(read(f"host,platform\nc1,{text}\n", "h.csv"))["c1"][1] == {}


def test_places_that_disagree(read: Read) -> None:
    """The narrower of two values counts if one lies within the other; otherwise they contradict each other."""
    found = read("host,platform,model\nc1,poweredge-14g,PowerEdge R740\nc2,r720,PowerEdge R740\n", "h.csv")
    assert found.kinds[0].facts == {"platform": "r740"}
    assert wrong(found) == {"c2": ["E0702 the inventory has two values of `platform`, `r720` and `r740`"]}


SITE = """
[hosts]
groups = ["rolle"]
[facts]
platform = ["geraet"]
[values.platform]
"Server Typ 3" = "r740"
"Standard PC (i440FX)" = ""
[words.os]
"our linux" = ["rhel"]
"""


def test_a_site_extends_the_table(read: Read) -> None:
    text = "host,geraet,rolle,os\nc1,server typ 3,web,Our Linux 8.6\nc2,Standard PC (i440FX),,\n"
    assert hosts(read(text, "h.csv", SITE)) == {
        "c1": ({"web"}, {"platform": "r740", "os": "rhel-8"}),
        "c2": (set(), {}),
    }


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ("[facts", "Expected ']'"),
        ("[fact]\n", "unknown section `fact`"),
        ("facts = 1", "`facts` is not a section"),
        ('[facts]\nplatfrom = ["x"]', "unknown name `platfrom` in [facts]"),
        ('[facts]\nplatform = "x"', "`platform` in [facts] is not a list of texts"),
        (f"[facts]\nplatform = {'9' * 5000}", "a number is too long"),
        ('[values.platform]\n"x" = "r7400"', "unknown value `r7400` in [values.platform]"),
        ('[words.os]\n"x" = "rhel"', "`x` in [words.os] is not a list of texts"),
        ('[hosts]\ntitle = ["x"]', "unknown fact `x` in `title`"),
    ],
)
def test_a_wrong_table_is_reported(read: Read, facts: str, message: str) -> None:
    with pytest.raises(SetpointError) as caught:
        read(CSV, "h.csv", facts)
    (finding,) = caught.value.diagnostics
    assert finding.code == "E0612"
    assert message in finding.message


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("h.csv", "name_of_host,model\nc1,x\n", "E0610"),
        ("h.csv", "", "E0610"),
        ("h.json", "[1, 2]", "E0610"),
        ("h.json", '{"a": ', "E0610"),
        ("h.json", '{"a": 1}', "E0610"),
        ("h.json", '{"_meta": 1}', "E0610"),
    ],
)
def test_a_file_that_is_no_inventory(read: Read, name: str, content: str, code: str) -> None:
    with pytest.raises(SetpointError) as caught:
        read(content, name)
    assert [each.code for each in caught.value.diagnostics] == [code]
