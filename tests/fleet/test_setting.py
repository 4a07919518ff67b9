"""`explain --inventory`: which values a setting has on the hosts of an inventory, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.command import setpoint

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
SILVER = "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz"
HOSTS = f"""host,group,model,processor,sockets,os
n1.example.org,compute,PowerEdge R740,{GOLD},2,rhel 9.4
n2.example.org,compute,PowerEdge R740,{SILVER},2,rhel 9.4
n3.example.org,compute,PowerEdge R740,{GOLD},2,rhel 9.4
w1.example.org,web,PowerEdge R740,{GOLD},2,debian 12
v1.example.org,vm,VMware7\\,1,,2,debian 12
x1.example.org,web,NorthEdge R9999,,2,debian 12
"""
POLICY = """for group vm { goal latency; workload interactive; }
for group compute { goal performance; workload hpc; }
for group web { goal latency; workload interactive; set turbo on because "licences, WEB-2"; }
for host n3 { set turbo off because "hot, HW-1"; }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy and an inventory."""
    folder = tmp_path_factory.mktemp("explained")
    (folder / "site.tune").write_text(POLICY, encoding="utf-8")
    (folder / "hosts.csv").write_text(HOSTS.replace("VMware7\\,1", '"VMware7,1"'), encoding="utf-8")
    return folder


def explained(folder: Path, *arguments: str) -> Any:
    """Explain something of the policy on the inventory."""
    return setpoint("explain", "site.tune", *arguments, "--inventory", "hosts.csv", cwd=folder)


def test_values_with_their_reasons_and_hosts(folder: Path) -> None:
    """What most hosts have is first; reasons are apart, and so are classes with one reason."""
    ran = explained(folder, "turbo")
    assert ran.status == 0, ran.err
    blocks = [" ".join(block.split()) for block in ran.out.split("\n\n")]
    assert blocks[0] == "turbo Turbo Mode, on 5 hosts"
    assert blocks[1].startswith(
        "on (set by profile): 2 of 5 hosts 2 hosts: dell-14g-hpc, Conclusion, by way of"
    )
    assert "platform r740, sockets 2): n1.example.org site-compute-r740-" in blocks[1]
    assert "cpu xeon-gold-6130, os rhel-9, platform r740, sockets 2): n2.example.org" in blocks[1]
    assert [block.partition(";")[0].partition("site")[0].strip() for block in blocks[2:5]] == [
        "not on these servers: 1 of 5 hosts 1 host",
        "off: 1 of 5 hosts 1 host: set: “hot, HW-1”",
        "on: 1 of 5 hosts 1 host: set: “licences, WEB-2”",
    ]
    assert blocks[5:] == ["1 host without a plan: `setpoint check --inventory` says why"]


def test_one_host(folder: Path) -> None:
    """Its explanation is that of a policy, with all voices."""
    ran = explained(folder, "turbo", "--host", "n3")
    assert ran.status == 0, ran.err
    assert "turbo = off    Turbo Mode, firmware, decided " in ran.out
    assert "hot, HW-1" in ran.out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("turbot",), "unknown setting `turbot`; did you mean `turbo`?"),
        (("turbo", "--group", "web"), "name one of its hosts by --host"),
        (("turbo", "--host", "n9"), "the inventory has no host `n9`"),
    ],
)
def test_what_is_not_explained(folder: Path, arguments: tuple[str, ...], why: str) -> None:
    ran = explained(folder, *arguments)
    assert (ran.status, why in ran.err) == (2, True), ran.err
